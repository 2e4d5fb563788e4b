//! Committed results: tiny layers byte by byte, checksums of large ones, counts of values. Every version must give them again.
//!
//! After a wanted change of the format: `KALAH_UPDATE_GOLDEN=1 cargo test -p kalah-cli --test golden`, then read the difference
//! and write down in the changelog why it is there.

mod program;

use kalah::database::Codec;
use kalah::retrograde::stamp;
use program::{answer, contents, convert_layers, home};
use std::fs;
use std::path::{Path, PathBuf};

const PRESETS: [&str; 4] = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];

/// A folder of committed data.
fn committed(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver-db").join(folder)
}

/// A folder of the golden layers holds exactly what was written now; or now does, if that is wanted.
fn must_be_agreed(directory: &Path, folder: &str, how: &str) {
    let golden = committed("golden").join(folder);
    let now = contents(directory);
    if std::env::var_os("KALAH_UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(&golden).expect("a directory");
        now.iter().for_each(|(name, bytes)| fs::write(golden.join(name), bytes).expect("a file"));
    }
    let agreed = contents(&golden);
    assert!(now.keys().eq(agreed.keys()), "{:?} and {:?}", now.keys(), agreed.keys());
    for (name, bytes) in &agreed {
        assert!(now[name] == *bytes, "{folder}/{name}, {how}, is not what was agreed on");
    }
}

#[test]
fn tiny_layers_are_created_again_byte_by_byte() {
    let boards = || PRESETS.iter().flat_map(|rules| [(rules, "3"), (rules, "6")]);
    for builder in ["sweep", "reference"] {
        let home = home();
        let directory = home.path().join("layers");
        let place = directory.to_str().unwrap();
        for (rules, pits) in boards() {
            let arguments = ["build", "--rules", rules, "--pits", pits, "--seeds", "4", "--builder", builder];
            answer(&home, &[&arguments[..], &["--database", place]].concat());
        }
        must_be_agreed(&directory, "raw", &format!("written by the builder {builder}"));
    }
    let raw = committed("golden").join("raw");
    for codec in Codec::ALL.into_iter().filter(|codec| *codec != Codec::Raw) {
        let home = home();
        let directory = home.path().join("layers");
        for (rules, pits) in boards() {
            let stamp = stamp(&rules.parse().unwrap(), pits.parse().unwrap());
            convert_layers(&raw, &stamp, 4..=4, codec, &directory);
        }
        must_be_agreed(&directory, codec.name(), "converted from the raw file");
    }
    // They are databases like any other, and say the same.
    let raw = raw.to_str().unwrap();
    let verified = answer(&home(), &["verify", "--values", "--database", raw]);
    assert!(verified.contains("40 files"), "layers of 0 to 4 seeds: {verified}");
    for codec in Codec::ALL.into_iter().filter(|codec| *codec != Codec::Raw) {
        let golden = committed("golden").join(codec.name());
        // Only the layers of 4 seeds are kept in every codec.
        let same =
            answer(&home(), &["verify", "--from", "4", "--database", golden.to_str().unwrap(), "--against", raw]);
        assert!(same.contains("8 files") && same.contains("8 layers compared"), "{same}");
    }
}

#[test]
fn checksums_are_those_that_were_published() {
    let home = home();
    let directory = home.path().join("layers");
    let place = directory.to_str().unwrap();
    for rules in ["kalah", "kalah-empty"] {
        let list = committed("checksums").join(format!("{rules}_6.sha256"));
        let text = fs::read_to_string(&list).unwrap();
        assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), 21, "layers of 0 to 20 seeds");
        answer(&home, &["build", "--rules", rules, "--seeds", "14", "--database", place]);
        let arguments = ["checksums", "--seeds", "14", "--database", place, "--check", list.to_str().unwrap()];
        let checked = answer(&home, &arguments);
        assert!(checked.contains("15 layers are as expected"), "{checked}");
    }
}

/// For each board as many seeds as a test can build, files included.
const COUNTED: [(u8, u32); 6] = [(1, 20), (2, 20), (3, 20), (4, 14), (5, 12), (6, 11)];

#[test]
fn counts_are_those_that_were_published() {
    for rules in ["kalah", "kalah-empty"] {
        for (pits, seeds) in COUNTED {
            let home = home();
            let place = home.path().to_str().unwrap();
            let (pits, seeds) = (pits.to_string(), seeds.to_string());
            let board = ["--rules", rules, "--pits", &pits, "--seeds", &seeds, "--database", place];
            answer(&home, &[&["build"], &board[..]].concat());
            for (file, more) in [("", &["--csv"][..]), ("_values", &["--csv", "--values"])] {
                let path = committed("counts").join(format!("{rules}_{pits}{file}.csv"));
                let agreed = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
                let now = answer(&home, &[&["stats"], &board[..], more].concat());
                assert!(now.lines().count() > seeds.parse::<usize>().unwrap(), "{now}");
                assert!(agreed.starts_with(&now), "{} is not what is counted now", path.display());
            }
        }
    }
}
