//! Committed results: tiny layers byte by byte, checksums of large ones, counts of values. Every version must give them again.
//!
//! After a wanted change of the format: `KALAH_UPDATE_GOLDEN=1 cargo test -p kalah-cli --test golden`, then read the difference
//! and write down in the changelog why it is there.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use program::{answer, home, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const PRESETS: [&str; 4] = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];

/// A folder of committed data.
fn committed(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver-db").join(folder)
}

/// Every file of a directory but the lock, by name.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(directory).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
    });
    files.filter(|(name, _)| name != "lock").collect()
}

#[test]
fn tiny_layers_are_created_again_byte_by_byte() {
    let golden = committed("golden");
    for builder in ["sweep", "reference"] {
        let home = home();
        let directory = home.path().join("layers");
        let place = directory.to_str().unwrap();
        for (rules, pits) in PRESETS.iter().flat_map(|rules| [(rules, "3"), (rules, "6")]) {
            let arguments = ["build", "--rules", rules, "--pits", pits, "--seeds", "4", "--builder", builder];
            answer(&home, &[&arguments[..], &["--database", place]].concat());
        }
        let now = contents(&directory);
        assert_eq!(now.len(), 4 * 2 * 5 + 1, "layers of 0 to 4 seeds, and the manifest");
        if std::env::var_os("KALAH_UPDATE_GOLDEN").is_some() {
            fs::create_dir_all(&golden).unwrap();
            now.iter().for_each(|(name, bytes)| fs::write(golden.join(name), bytes).unwrap());
        }
        let agreed = contents(&golden);
        assert!(now.keys().eq(agreed.keys()), "{:?} and {:?}", now.keys(), agreed.keys());
        for (name, bytes) in &agreed {
            assert!(now[name] == *bytes, "{name}, written by the builder {builder}, is not what was agreed on");
        }
    }
    // They are a database like any other.
    let ran = run(&home(), &["verify", "--values", "--database", golden.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("41 files") || ran.out.contains("40 files"), "{ran:?}");
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

/// For each board as many seeds as a test can build: about a million positions.
const COUNTED: [(u8, u32); 6] = [(1, 60), (2, 40), (3, 26), (4, 16), (5, 13), (6, 11)];

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
