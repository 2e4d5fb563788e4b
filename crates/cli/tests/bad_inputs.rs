//! Everything that can be wrong with a call: one paragraph on stderr with the fault and the way out, the right exit code,
//! nothing on stdout, no panic, and nothing left behind.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use program::{Ran, build, home, run};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Arguments, exit code, and words the message must have.
type Case = (&'static [&'static str], i32, &'static [&'static str]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    // Positions.
    (&["query", ""], 3, &["empty text", "start:6x4"]),
    (&["query", "   "], 3, &["empty text"]),
    (&["query", "hello"], 3, &["hello", "character 1"]),
    (&["query", "<>"], 3, &["no number"]),
    (&["query", "<6>"], 3, &["15 numbers", "found 1"]),
    (&["query", "<6,0,0,4,4,4>"], 3, &["15 numbers", "found 6"]),
    (&["query", "<3,0,0,1,1,1,1,1,1,1>"], 3, &["9 numbers", "found 10"]),
    (&["query", "<3,0,0,-1,1,1,1,1,1>"], 3, &["negative", "-1", "character 8"]),
    (&["query", "<3,0,0,1.5,1,1,1,1,1>"], 3, &["whole number", "1.5"]),
    (&["query", "<3,0,0,x,1,1,1,1,1>"], 3, &["whole number", "x"]),
    (&["query", "<3,0,0,256,0,0,0,0,0>"], 3, &["255", "256"]),
    (&["query", "<3,0,0,100,100,100,0,0,0>"], 3, &["255", "300"]),
    (&["query", "<3,99999999999999999999,0,1,1,1,1,1,1>"], 3, &["store"]),
    (&["query", "<9,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1>"], 3, &["1 to 8 pits", "9"]),
    (&["query", "<0,0,0>"], 3, &["1 to 8 pits", "0"]),
    (&["query", "<3,0,0,1,1,1,1,1,1"], 3, &["never closed"]),
    (&["query", "3,0,0,1,1,1,1,1,1>"], 3, &["never opened"]),
    (&["query", "<3,0,0,1,1,1,1,1,1> W"], 3, &["W"]),
    (&["query", "<3,0,0,1,1,1,1,1,1> N N"], 3, &["after the side to move", "in angle brackets"]),
    (&["query", "<3,0,0,1,1,1,1,1,1><3,0,0,1,1,1,1,1,1>"], 3, &["found"]),
    (&["query", "'<3,0,0,1,1,1,1,1,1>"], 3, &["quote"]),
    (&["query", "<3,0,0,1,,1,1,1,1,1>"], 3, &["number"]),
    (&["query", "start:9x4"], 3, &["1 to 8 pits", "9"]),
    (&["explain", "start:9x4", "1"], 3, &["1 to 8 pits", "9"]),
    (&["query", "[0,4,4,4,4,4,4,0,4,4,4,4,4]"], 3, &["a list in square brackets", "14 numbers", "found 13"]),
    (&["explain", "-4-4- 0-0 -4-", "1"], 3, &["a board in three lines", "found 1 and 2"]),
    (&["query", "6x4"], 3, &["expected 'start:'", "for example start:6x4"]),
    (&["query", "4-4-4-4-0-0"], 3, &["a board with dashes", "S or N", "character 11"]),
    (&["query", "start:6x"], 3, &["number"]),
    (&["query", "start:6x40"], 3, &["255", "480"]),
    (&["query", "start:six"], 3, &["number"]),
    (&["rules", "<3>"], 3, &["9 numbers"]),
    (&["solve", "9", "4"], 3, &["1 to 8 pits", "9"]),
    (&["solve", "0", "4"], 3, &["1 to 8 pits", "0"]),
    (&["solve", "6", "100"], 3, &["255", "1200"]),
    (&["perft", "9", "4", "2"], 3, &["1 to 8 pits"]),
    (&["build", "--pits", "9", "--seeds", "4"], 3, &["1 to 8 pits", "9"]),
    (&["verify", "--pits", "9"], 3, &["1 to 8 pits", "9"]),
    (&["convert", "--pits", "9", "--codec", "raw"], 3, &["1 to 8 pits", "9"]),
    (&["stats", "--pits", "9"], 3, &["1 to 8 pits", "9"]),
    (&["checksums", "--pits", "9"], 3, &["1 to 8 pits", "9"]),
    (&["fair", "--pits", "9"], 3, &["1 to 8 pits", "9"]),
    (&["atlas", "--pits", "9"], 3, &["1 to 8 pits", "9"]),
    (&["certify", "9", "4", "--output", "x"], 3, &["1 to 8 pits", "9"]),
    // Moves.
    (&["explain", "start:6x4", "7"], 3, &["pit 7", "1 to 6"]),
    (&["explain", "start:6x4", "0"], 3, &["pit 0"]),
    (&["explain", "start:6x4", "abc"], 3, &["abc", "3-6", "character 1"]),
    (&["explain", "start:6x4", ""], 3, &["pit number", "the end of the text"]),
    (&["explain", "start:6x4", "3--6"], 3, &["found '-'", "character 3"]),
    (&["explain", "start:6x4", "999"], 3, &["999"]),
    (&["explain", "start:6x4", "3-6-1"], 3, &["move 3 of the turn 3-6-1", "passed to North after pit 6", "separated by a space"]),
    (&["explain", "start:6x4", "3-3"], 3, &["move 2 of the turn 3-3", "pit 3", "is empty", "1, 2, 4, 5, 6"]),
    (&["explain", "start:6x4", "3-6", "5", "3"], 3, &["3, number 3 of the turns, for South on <6,", "is empty"]),
    // Rule sets.
    (&["solve", "4", "2", "--rules", "kallah"], 2, &["kallah", "kalah-empty"]),
    (&["solve", "4", "2", "--rules", ""], 2, &["kalah-empty"]),
    (&["query", "start:4x2", "--rules", "kalah+"], 2, &["option"]),
    (&["query", "start:4x2", "--rules", "kalah+pie+pie"], 2, &["twice"]),
    (&["query", "start:4x2", "--rules", "kalah+leftover=me"], 2, &["me", "owner"]),
    (&["build", "--seeds", "3", "--rules", "Kalah"], 2, &["Kalah", "kalah-stuck"]),
    (&["query", "start:4x2", "--rules", "kalah+end=pass"], 2, &["+leftover=none and +pie.", "option of dakon and congkak"]),
    // Numbers, sizes, times.
    (&["solve", "six", "4"], 2, &["six", "whole number"]),
    (&["solve", "6"], 2, &["SEEDS"]),
    (&["solve", "300", "4"], 2, &["300", "too large"]),
    (&["solve", "6", "4", "5"], 2, &["5"]),
    (&["perft", "6", "4", "1000"], 2, &["1000"]),
    (&["perft", "6", "4"], 2, &["DEPTH"]),
    (&["query", "start:4x2", "--table", "2XiB"], 2, &["xib", "2GiB"]),
    (&["query", "start:4x2", "--table", "much"], 2, &["number of bytes", "2GiB"]),
    (&["query", "start:4x2", "--time", "10q"], 2, &["'q'", "1h30m"]),
    (&["query", "start:4x2", "--nodes", "-5"], 2, &["-5"]),
    (&["query", "start:4x2", "--threads", "0"], 2, &["0", "1024"]),
    (&["query", "start:4x2", "--threads", "many"], 2, &["many"]),
    (&["build", "--pits", "6"], 2, &["--seeds"]),
    (&["build", "--pits", "6", "--seeds", "128"], 2, &["127", "128"]),
    (&["build", "--pits", "8", "--seeds", "60"], 5, &["memory", "fewer seeds"]),
    (&["build", "--seeds", "4", "--builder", "magic"], 2, &["magic", "sweep"]),
    // Words.
    (&["solv", "6", "4"], 2, &["solv", "'solve'"]),
    (&["solve", "6", "4", "--databse", "x"], 2, &["--databse", "--database"]),
    (&["completions", "csh"], 2, &["csh", "bash"]),
    (&["man", "woman"], 2, &["woman"]),
    (&["reproduce", "x; é"], 2, &["x; é"]),
    (&["query", "x; é"], 3, &["x; é"]),
    (&["solve", "4", "2", "--rules", "x; é"], 2, &["x; é"]),
    // Directories.
    (&["stats", "--database", "missing"], 4, &["missing"]),
    (&["query", "start:4x2", "--database", "a-file"], 4, &["a-file"]),
    (&["verify"], 4, &["kalah/layers", "Build the layers"]),
    (&["verify", "--database", "."], 4, &["no layers", "kalah build"]),
    (&["list", "--database", "missing"], 4, &["missing"]),
    (&["list", "--database", "."], 4, &["no layers", "kalah build"]),
    (&["solve", "3", "2", "--database", "a-file"], 4, &["a-file"]),
    (&["solve", "3", "2", "--database", "a-file/below"], 4, &["a-file"]),
    (&["build", "--pits", "3", "--seeds", "2", "--database", "a-file"], 4, &["a-file"]),
];

/// The files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}

/// One paragraph with these words, and nothing on stdout.
fn is_one_paragraph(ran: &Ran, code: i32, words: &[&str]) -> Result<(), String> {
    let lines: Vec<&str> = ran.err.lines().filter(|line| !line.starts_with("layers")).collect();
    let fault = if ran.code != Some(code) {
        "has the wrong exit code"
    } else if !ran.out.is_empty() {
        "prints results"
    } else if lines.len() != 1 || !lines[0].starts_with("error: ") || !lines[0].ends_with('.') {
        "is not one paragraph"
    } else if ran.err.contains("panicked") || ran.err.contains("  ") {
        "looks like a crash"
    } else if let Some(word) = words.iter().find(|word| !lines[0].contains(**word)) {
        return Err(format!("does not say {word:?}: {ran:?}"));
    } else {
        return Ok(());
    };
    Err(format!("{fault}, expected {code}: {ran:?}"))
}

#[test]
fn every_bad_call_is_told_what_is_wrong() {
    assert!(CASES.len() >= 40);
    let home = home();
    fs::write(home.path().join("a-file"), "").unwrap();
    let before = files(home.path());
    for (arguments, code, words) in CASES {
        let ran = run(&home, arguments);
        if let Err(fault) = is_one_paragraph(&ran, *code, words) {
            panic!("{arguments:?} {fault}");
        }
        assert_eq!(files(home.path()), before, "{arguments:?} leaves something behind");
    }
}

#[test]
fn every_bad_call_is_told_in_json_too() {
    let home = home();
    fs::write(home.path().join("a-file"), "").unwrap();
    for (arguments, code, words) in CASES {
        let arguments = [*arguments, &["--json"]].concat();
        let ran = run(&home, &arguments);
        assert_eq!(ran.code, Some(*code), "{arguments:?}: {ran:?}");
        let mut lines = ran.out.lines();
        let error: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        assert_eq!(lines.next(), None, "{arguments:?}");
        let error = error["error"].as_object().unwrap();
        let names: Vec<&str> = error.keys().map(String::as_str).collect();
        let mut expected = vec!["kind", "message", "at", "help"];
        expected.sort_unstable();
        assert_eq!(
            {
                let mut names = names;
                names.sort_unstable();
                names
            },
            expected,
            "{arguments:?}"
        );
        let kind = error["kind"].as_str().unwrap();
        let kinds: &[&str] = match code {
            2 => &["usage", "rules"],
            3 => &["position", "move"],
            4 => &["database"],
            _ => &["limit"],
        };
        assert!(kinds.contains(&kind), "{arguments:?}: {kind}");
        let at_of_words: Vec<&str> = words.iter().filter(|word| word.starts_with("character")).copied().collect();
        let text = format!("{} {}", error["message"], error["help"]);
        for word in words.iter().filter(|word| !at_of_words.contains(word)) {
            assert!(text.contains(word), "{arguments:?} does not say {word:?}: {text}");
        }
        for place in at_of_words {
            let at = error["at"].as_u64().unwrap() + 1;
            assert_eq!(place, format!("character {at}"), "{arguments:?}");
        }
    }
}

/// Layers of a 3-pit board, for a test to damage.
fn layers() -> (TempDir, PathBuf) {
    let home = home();
    let directory = home.path().join("layers");
    build(&home, &directory, "kalah", 3, 6);
    (home, directory)
}

/// A position with 5 seeds.
const FIVE: &str = "<3,0,0,1,1,0,2,1,0>";

#[test]
fn a_damaged_file_never_answers() {
    let (home, directory) = layers();
    let file = directory.join("kalah_3_5.layer");
    let sound = fs::read(&file).unwrap();
    let place = directory.to_str().unwrap();
    let flip = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let longer = [sound.as_slice(), b"more"].concat();
    let last = sound.len() - 1;
    let damages: [(&str, Vec<u8>, &[&str]); 9] = [
        ("another magic", flip(0), &["not a layer file"]),
        ("another version", flip(8), &["kalah_3_5"]),
        ("a flipped bit in the head", flip(60), &["damaged"]),
        ("a flipped bit in the block index", flip(200), &["damaged"]),
        ("a flipped bit in the values", flip(last), &["block 0", "damaged"]),
        ("cut in the values", sound[..last].to_vec(), &["cut short"]),
        ("cut in the head", sound[..30].to_vec(), &["cut short"]),
        ("longer", longer, &["too long"]),
        ("empty", Vec::new(), &["kalah_3_5"]),
    ];
    for (name, bytes, words) in damages {
        fs::write(&file, &bytes).unwrap();
        let ran = run(&home, &["query", FIVE, "--database", place]);
        if let Err(fault) = is_one_paragraph(&ran, 4, words) {
            panic!("{name}: query {fault}");
        }
        let ran = run(&home, &["verify", "--database", place]);
        assert_eq!(ran.code, Some(1), "{name}: {ran:?}");
        assert!(ran.out.contains("kalah_3_5.layer") && ran.out.contains("1 file is wrong"), "{name}: {ran:?}");
        assert_eq!(fs::read(&file).unwrap(), bytes, "{name}: reading must not change the file");
    }
    fs::write(&file, &sound).unwrap();
    assert_eq!(run(&home, &["query", FIVE, "--database", place]).code, Some(0));
    assert_eq!(run(&home, &["verify", "--database", place]).code, Some(0));
}

#[test]
fn a_foreign_file_never_answers() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    build(&home, &directory, "kalah-empty", 3, 6);
    build(&home, &directory, "kalah", 2, 6);
    let file = directory.join("kalah_3_5.layer");
    let sound = fs::read(&file).unwrap();
    for (other, words) in [
        ("kalah-empty_3_5.layer", ["kalah-empty", "expected kalah"]),
        ("kalah_2_5.layer", ["2 pits", "expected 3"]),
        ("kalah_3_4.layer", ["4 seeds", "expected 5"]),
    ] {
        fs::copy(directory.join(other), &file).unwrap();
        let ran = run(&home, &["query", FIVE, "--database", place]);
        if let Err(fault) = is_one_paragraph(&ran, 4, &words) {
            panic!("{other}: {fault}");
        }
        assert_eq!(run(&home, &["verify", "--database", place]).code, Some(1), "{other}");
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let ran = run(&home, &["query", FIVE, "--database", place]);
    if let Err(fault) = is_one_paragraph(&ran, 4, &["kalah_3_5"]) {
        panic!("a directory in its place: {fault}");
    }
    fs::remove_dir(&file).unwrap();
    fs::write(&file, &sound).unwrap();
    // The rule sets lie side by side and each is answered from its own files.
    for (rules, value) in [("kalah", "1"), ("kalah-empty", "-1")] {
        let ran = run(&home, &["query", "<3,0,0,0,1,0,0,0,2>", "--rules", rules, "--database", place, "--json"]);
        assert!(ran.out.contains(&format!("\"value_mover\":{value},")), "{rules}: {ran:?}");
        assert!(ran.out.contains("\"source\":\"database\""), "{rules}: {ran:?}");
    }
}

#[test]
fn a_damaged_layer_below_stops_a_search() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    let file = directory.join("kalah_3_5.layer");
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, bytes).unwrap();
    let ran = run(&home, &["query", "start:3x3", "--database", place]);
    if let Err(fault) = is_one_paragraph(&ran, 4, &["kalah_3_5", "damaged"]) {
        panic!("{fault}");
    }
}
