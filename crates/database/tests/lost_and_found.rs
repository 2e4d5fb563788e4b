//! A directory that is not as its writers left it: lost layers, odd names, pipes, leftovers of killed writers.

#![expect(clippy::unwrap_used, reason = "clippy.toml allows it in test functions only, not in their helpers")]

mod samples;

use kalah_database::{
    Access, Codec, Database, DatabaseError, DirectoryLock, Encoding, ErrorKind, LayerFile, LayerWriter, MANIFEST,
    Parity, list,
};
use samples::{stamp, values, write};
use std::fs;
use std::path::{Path, PathBuf};

/// Layers 0 to 4.
fn layers(directory: &Path) -> Vec<PathBuf> {
    (0..5).map(|seeds| write(directory, &stamp(3), seeds, Parity::Known, Codec::Raw).path().to_owned()).collect()
}

/// The errors of a listing.
fn faults(directory: &Path) -> Vec<String> {
    list(directory).unwrap().into_iter().filter_map(|listed| listed.header.err()).map(|e| e.to_string()).collect()
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_lost_layer_is_named_wherever_it_was() {
    for lost in 0..5 {
        let directory = tempfile::tempdir().unwrap();
        let paths = layers(directory.path());
        fs::remove_file(&paths[lost]).unwrap();
        let database = Database::open(directory.path(), &stamp(3)).unwrap();
        assert_eq!((database.layers() as usize, database.missing().unwrap()), (lost, vec![lost as u32]));
        let listed = list(directory.path()).unwrap();
        assert_eq!((listed.len(), &listed[lost].path), (5, &paths[lost]));
        let error = listed[lost].header.as_ref().unwrap_err();
        assert!(matches!(error, DatabaseError::MissingLayer { seeds, .. } if *seeds as usize == lost), "{error}");
        assert!(error.to_string().contains(&format!("the layer of {lost} seeds is missing")), "{error}");
        assert_eq!(listed.iter().filter(|listed| listed.header.is_ok()).count(), 4);
        // Without a manifest the last one is missed by nobody, the others are.
        fs::remove_file(directory.path().join(MANIFEST)).unwrap();
        assert_eq!(faults(directory.path()).len(), usize::from(lost < 4));
        // A manifest that makes no sense is none.
        fs::write(directory.path().join(MANIFEST), [&b"\"file\":\"\"file\":\"\xff"[..], &[b'"'; 999]].concat())
            .unwrap();
        assert_eq!(faults(directory.path()).len(), usize::from(lost < 4));
    }
}

#[test]
fn odd_names_are_reported_with_the_right_one() {
    let directory = tempfile::tempdir().unwrap();
    let paths = layers(directory.path());
    let rules = &stamp(3).rules;
    let odd = ["_3_+3.layer", "_3_03.layer", "_03_3.layer", "_3_3.LAYER"].map(|end| format!("{rules}{end}"));
    for name in &odd {
        fs::copy(&paths[3], directory.path().join(name)).unwrap();
    }
    fs::write(directory.path().join("notes.layer"), "hello").unwrap();
    let found = faults(directory.path());
    assert_eq!(found.len(), 5, "{found:?}");
    for name in odd {
        let expected = format!("{name} has no layer's name, expected {rules}_3_3.layer by its content");
        assert!(found.iter().any(|fault| fault.ends_with(&expected)), "{expected}: {found:?}");
    }
    assert!(
        found.iter().any(|fault| fault.contains("notes.layer has no layer's name, expected a name such as kalah_6_"))
    );
    // They do not stand for the layer.
    fs::remove_file(&paths[3]).unwrap();
    assert_eq!(Database::open(directory.path(), &stamp(3)).unwrap().layers(), 3);
    assert_eq!(faults(directory.path()).len(), 6);
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_directories_named_like_layers_are_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    layers(directory.path());
    let place = |name: &str| directory.path().join(name);
    let pipe = stamp(3).path(directory.path(), 5);
    assert!(std::process::Command::new("mkfifo").args([&pipe, &place("odd.layer")]).status().unwrap().success());
    fs::create_dir(stamp(3).path(directory.path(), 6)).unwrap();
    std::os::unix::fs::symlink("/dev/zero", stamp(3).path(directory.path(), 7)).unwrap();
    let found = faults(directory.path());
    assert_eq!(found.len(), 4, "{found:?}");
    for what in ["a named pipe", "a directory", "a device"] {
        let expected = format!("is {what}, expected a regular file");
        assert!(found.iter().any(|fault| fault.ends_with(&expected)), "{expected}: {found:?}");
    }
    for access in [Access::Blocks, Access::Map, Access::Memory] {
        let error = Database::open_with(directory.path(), &stamp(3), access).unwrap_err();
        assert!(matches!(&error, DatabaseError::NotAFile { file, .. } if *file == pipe), "{error}");
    }
    DirectoryLock::acquire(directory.path()).unwrap().tidy().unwrap();
    // A pipe in the place of the manifest.
    fs::remove_file(place(MANIFEST)).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(place(MANIFEST)).status().unwrap().success());
    assert_eq!(list(directory.path()).unwrap_err().kind(), ErrorKind::Damaged);
}

#[test]
fn leftovers_of_killed_writers_are_removed_and_what_can_be_resumed_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let paths = layers(directory.path());
    let undisturbed = names(directory.path());
    let lock = DirectoryLock::acquire(directory.path()).unwrap();
    lock.tidy().unwrap();
    assert_eq!(names(directory.path()), undisturbed);

    // A writer that ended after its layer had its name, converters, the manifest, and one after a layer was replaced.
    let manifest = fs::read(directory.path().join(MANIFEST)).unwrap();
    for suffix in [".partial", ".journal", ".progress", ".new", ".progress.new"] {
        fs::write(format!("{}{suffix}", paths[4].display()), "left").unwrap();
    }
    fs::write(format!("{}.new", stamp(3).path(directory.path(), 5).display()), "left").unwrap();
    fs::write(directory.path().join("manifest.json.new"), "left").unwrap();
    fs::write(directory.path().join(MANIFEST), "left").unwrap();
    lock.tidy().unwrap();
    assert_eq!(names(directory.path()), undisturbed);
    assert!(fs::read(directory.path().join(MANIFEST)).unwrap() == manifest);

    // Files of others, and an unfinished layer.
    fs::write(directory.path().join("notes.new"), "mine").unwrap();
    let encoding = Encoding { parity: Parity::Known, codec: Codec::Raw };
    let writer = LayerWriter::create(&lock, &stamp(3), 5, encoding).unwrap();
    let all = values(3, 5, Parity::Known);
    let half = writer.sections()[3].ranks().start as usize;
    writer.write(0, &all[..half]).unwrap();
    drop(writer);
    lock.tidy().unwrap();
    assert!(directory.path().join("notes.new").exists());
    let writer = LayerWriter::create(&lock, &stamp(3), 5, encoding).unwrap();
    assert!((0..3).all(|section| writer.is_done(section)) && !writer.is_done(3));
    writer.write(half as u64, &all[half..]).unwrap();
    writer.finish().unwrap();

    // A damaged layer does not make its unfinished successor useless.
    fs::write(&paths[4], "rubbish").unwrap();
    fs::write(format!("{}.partial", paths[4].display()), "may be resumed").unwrap();
    lock.tidy().unwrap();
    assert!(PathBuf::from(format!("{}.partial", paths[4].display())).exists());
}

#[test]
fn a_file_that_changes_while_it_is_read_block_by_block_does_no_harm() {
    for codec in Codec::ALL {
        let directory = tempfile::tempdir().unwrap();
        let path = write(directory.path(), &stamp(6), 9, Parity::Known, codec).path().to_owned();
        let expected = values(6, 9, Parity::Known);
        let whole = fs::read(&path).unwrap();
        let file = LayerFile::open(&path, &stamp(6), 9).unwrap();
        let head = file.header().head_bytes as usize;
        assert_eq!(file.value(0).unwrap(), expected[0]);

        // Every byte of values changed.
        let mut changed = whole.clone();
        changed[head..].iter_mut().for_each(|byte| *byte ^= 2);
        fs::write(&path, &changed).unwrap();
        let mut refused = 0;
        for rank in (0..expected.len()).step_by(expected.len() / 500) {
            match file.value(rank as u64) {
                // From a block that was kept.
                Ok(value) => assert_eq!(value, expected[rank], "{codec}, rank {rank}"),
                Err(error) => refused += usize::from(matches!(error, DatabaseError::BlockDamaged { .. })),
            }
        }
        assert!(refused > 0 || file.header().blocks == 1, "{codec}");
        assert!(!file.verify(&|_| true).is_sound(), "{codec}");

        // Cut.
        fs::write(&path, &whole[..head + 1]).unwrap();
        let found = file.verify(&|_| true);
        assert_eq!(found.faults.len() as u64, file.header().blocks, "{codec}");
        assert!(found.faults[0].to_string().contains("shorter than when it was opened"), "{}", found.faults[0]);
        assert!(file.read(0, &mut vec![0; expected.len()]).is_err() || file.header().blocks == 1, "{codec}");
    }
}
