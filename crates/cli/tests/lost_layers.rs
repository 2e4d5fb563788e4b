//! Directories that are not as they were left: lost layers, odd names, pipes, rules of another hash, killed conversions.

mod program;

use program::{answer, build, contents, home, kalah, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn layers(home: &TempDir, name: &str) -> PathBuf {
    let directory = home.path().join(name);
    build(home, &directory, "kalah", 3, 6);
    directory
}

fn layer(directory: &Path, seeds: u32) -> PathBuf {
    directory.join(format!("kalah_3_{seeds}.layer"))
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_command_names_a_lost_layer() {
    let home = home();
    let directory = layers(&home, "layers");
    let place = directory.to_str().unwrap();
    let board = "<3,0,0,0,0,1,1,1,1>";
    // The last one only the manifest knows, one in the middle everybody.
    for lost in [6, 3] {
        let kept = fs::read(layer(&directory, lost)).unwrap();
        fs::remove_file(layer(&directory, lost)).unwrap();
        let ran = run(&home, &["verify", "--database", place]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.out.contains(&format!("the layer of {lost} seeds is missing")), "{ran:?}");
        assert!(ran.out.contains("6 files") && ran.out.contains("1 layer is missing"), "{ran:?}");
        let ran = run(&home, &["verify", "--json", "--database", place]);
        let wrong: Vec<_> = objects(&ran.out).into_iter().filter(|file| file["sound"] != true).collect();
        assert!(wrong.len() == 1 && wrong[0]["file"] == layer(&directory, lost).to_str().unwrap(), "{wrong:?}");
        // What was not asked for is not missed.
        assert_eq!(run(&home, &["verify", "--seeds", &(lost - 1).to_string(), "--database", place]).code, Some(0));
        let ran = run(&home, &["list", "--database", place]);
        assert!(ran.code == Some(1) && ran.out.contains(&format!("the layer of {lost} seeds is missing")), "{ran:?}");
        let listed = objects(&run(&home, &["list", "--json", "--database", place]).out);
        assert_eq!((listed.len(), &listed[lost as usize]["seeds"]), (7, &Value::from(lost)));
        for arguments in [
            &["stats", "--pits", "3"][..],
            &["checksums", "--pits", "3"],
            &["query", board],
            &["solve", "3", "1", "--layers", "0", "--again"],
            &["convert", "--codec", "raw"],
            &["build", "--pits", "3", "--seeds", "1"],
        ] {
            if lost == 6 && arguments[0] == "build" {
                // It would tidy, and the manifest would forget.
                continue;
            }
            let ran = run(&home, &[arguments, &["--database", place]].concat());
            assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
            let named = ran.err.contains(&format!("the layers of {lost} seeds for kalah, 3 pits"))
                || ran.err.contains(&format!("the layer of {lost} seeds is missing"));
            assert!(named, "{arguments:?}: {ran:?}");
            assert_eq!(ran.err.matches("warning").count(), 1, "{arguments:?} says it once: {ran:?}");
            fs::write(layer(&directory, lost), &kept).unwrap();
            if arguments[0] == "convert" || arguments[0] == "build" {
                answer(&home, &["build", "--pits", "3", "--seeds", "6", "--database", place]);
            }
            fs::remove_file(layer(&directory, lost)).unwrap();
        }
        let ran = run(&home, &["stats", "--pits", "3", "--seeds", "6", "--database", place]);
        assert!(ran.code == Some(4) && ran.err.contains(&format!("the layer of {lost} seeds is missing")), "{ran:?}");
        fs::write(layer(&directory, lost), &kept).unwrap();
        answer(&home, &["verify", "--database", place]);
    }
    // Several side by side are one line.
    (2..5).for_each(|seeds| fs::remove_file(layer(&directory, seeds)).unwrap());
    let ran = run(&home, &["verify", "--database", place]);
    assert!(ran.out.contains("the layers of 2 to 4 seeds for kalah, 3 pits, are missing"), "{ran:?}");
    assert!(ran.out.contains("3 layers are missing"), "{ran:?}");
    // What is missing is built again.
    answer(&home, &["build", "--pits", "3", "--seeds", "6", "--database", place]);
    assert!(answer(&home, &["verify", "--values", "--database", place]).contains("all sound"));
}

#[test]
fn odd_names_and_other_hashes_are_reported() {
    let home = home();
    let directory = layers(&home, "layers");
    let place = directory.to_str().unwrap();
    // A damaged layer under its own name is not hidden by a sound copy under another.
    for name in ["kalah_3_+3.layer", "kalah_3_03.layer", "kalah_3_3.LAYER"] {
        let odd = directory.join(name);
        fs::copy(layer(&directory, 3), &odd).unwrap();
        for command in ["verify", "list"] {
            let ran = run(&home, &[command, "--database", place]);
            assert_eq!(ran.code, Some(1), "{command} {name}: {ran:?}");
            let expected = format!("{name} has no layer's name, expected kalah_3_3.layer by its content");
            assert!(ran.out.contains(&expected), "{command} {name}: {ran:?}");
        }
        fs::remove_file(odd).unwrap();
    }
    answer(&home, &["verify", "--database", place]);

    // The rules' hash in the header changed, with all checksums right.
    let mut bytes = fs::read(layer(&directory, 2)).unwrap();
    let hash = 48 + 8 + "kalah".len();
    bytes[hash] ^= 1;
    let head = u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    let check = xxhash_rust::xxh3::xxh3_64(&bytes[48..head]).to_le_bytes();
    bytes[32..40].copy_from_slice(&check);
    let check = xxhash_rust::xxh3::xxh3_64(&bytes[..40]).to_le_bytes();
    bytes[40..48].copy_from_slice(&check);
    fs::write(layer(&directory, 2), bytes).unwrap();
    for command in ["verify", "list"] {
        let ran = run(&home, &[command, "--database", place]);
        assert_eq!(ran.code, Some(1), "{command}: {ran:?}");
        assert!(ran.out.contains("kalah_3_2.layer is for the rule set kalah with hash "), "{command}: {ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_named_like_a_layer_hangs_nobody() {
    let home = home();
    let directory = layers(&home, "layers");
    let place = directory.to_str().unwrap();
    assert!(std::process::Command::new("mkfifo").arg(layer(&directory, 7)).status().unwrap().success());
    for (arguments, code) in [
        (&["verify"][..], 1),
        (&["list"], 1),
        (&["query", "<3,0,0,0,0,1,1,1,1>"], 4),
        (&["stats", "--pits", "3"], 4),
        (&["solve", "3", "2"], 4),
    ] {
        let mut child = kalah(&home, &[arguments, &["--database", place]].concat())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "{arguments:?} hangs");
            std::thread::sleep(Duration::from_millis(20));
        }
        let ran: program::Ran = child.wait_with_output().unwrap().into();
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains("is a named pipe, expected a regular file"), "{ran:?}");
    }
}

#[test]
fn a_killed_conversion_is_tidied_by_the_next_run_of_either_writer() {
    let home = home();
    let undisturbed = layers(&home, "undisturbed");
    let place = |directory: &Path| directory.to_str().unwrap().to_owned();
    answer(&home, &["convert", "--codec", "packed", "--database", &place(&undisturbed)]);
    let expected = contents(&undisturbed);
    for next in [&["convert", "--codec", "packed"][..], &["build", "--pits", "3", "--seeds", "6"]] {
        let directory = layers(&home, &format!("killed {}", next[0]));
        let manifest = fs::read(directory.join("manifest.json")).unwrap();
        answer(&home, &["convert", "--codec", "packed", "--database", &place(&directory)]);
        // As if it had been killed after the last layer, with the next file begun.
        fs::write(directory.join("manifest.json"), manifest).unwrap();
        fs::write(directory.join("kalah_3_6.layer.new"), "half").unwrap();
        fs::write(directory.join("kalah_3_5.layer.partial"), "raw values of a compressed build").unwrap();
        answer(&home, &[next, &["--database", &place(&directory)]].concat());
        assert!(contents(&directory) == expected, "{next:?}: {:?}", contents(&directory).keys());
    }
}

#[test]
fn a_conversion_killed_at_any_moment_ends_with_the_same_files() {
    let home = home();
    let directory = home.path().join("layers");
    let place = directory.to_str().unwrap();
    answer(&home, &["build", "--pits", "5", "--seeds", "14", "--database", place]);
    let raw = contents(&directory);
    answer(&home, &["convert", "--codec", "compressed", "--database", place]);
    let expected = contents(&directory);
    for (name, bytes) in &raw {
        fs::write(directory.join(name), bytes).unwrap();
    }
    let (mut kills, mut wait) = (0, 1);
    loop {
        let mut child = kalah(&home, &["convert", "--codec", "compressed", "--database", place])
            .stderr(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        kills += 1;
        wait += 1 + wait / 3;
        // Whatever is there can be read, and the layers are all there.
        let checked = run(&home, &["verify", "--database", place]);
        assert_eq!(checked.code, Some(0), "after {kills} kills: {checked:?}");
        assert!(kills < 60, "the conversion never ends");
    }
    answer(&home, &["convert", "--codec", "compressed", "--database", place]);
    assert!(contents(&directory) == expected, "after {kills} kills: {:?}", contents(&directory).keys());
    assert!(kills > 3, "{kills} kills");
}

#[test]
fn a_conversion_into_another_directory_resumes() {
    let home = home();
    let directory = layers(&home, "layers");
    let other = home.path().join("other");
    let (place, to) = (directory.to_str().unwrap(), other.to_str().unwrap());
    let convert = ["convert", "--codec", "compressed", "--json", "--to", to, "--database", place];
    assert_eq!(objects(&answer(&home, &convert)).len(), 7);
    let all = contents(&other);
    fs::remove_file(layer(&other, 6)).unwrap();
    fs::write(layer(&other, 2), "damaged").unwrap();
    let again = objects(&answer(&home, &convert));
    assert_eq!(again.len(), 2, "only what is not there: {again:?}");
    assert!(again[0]["file_bytes"].is_u64() && again[0]["file_bytes_before"].is_u64(), "{again:?}");
    assert!(contents(&other) == all);
    assert_eq!(answer(&home, &convert), "");
}
