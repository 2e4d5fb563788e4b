//! The way of values through files: wrong values, damaged files and other directories are told apart, checksums and counts
//! say the same of every copy, and a pattern goes through every step at a size that could not be solved in a test.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use kalah::database::{Codec, Database, DirectoryLock, Encoding, LayerWriter};
use kalah::retrograde::{BuildOptions, Builder, stamp};
use kalah_rules::{Position, Row, RuleSet, State};
use program::{Ran, answer, build, contents, convert_layers, home, kalah, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The layers of a 3-pit board up to 7 seeds.
fn layers() -> (TempDir, PathBuf) {
    let home = home();
    let directory = home.path().join("layers");
    build(&home, &directory, "kalah", 3, 7);
    (home, directory)
}

/// Writes one layer anew with other values of some ranks: a sound file with false numbers.
fn falsify(directory: &Path, seeds: u32, ranks: &[u64]) -> Vec<State> {
    let database = Database::open(directory, &stamp(&RuleSet::default(), 3)).unwrap();
    let file = database.layer(seeds).unwrap();
    let mut values = vec![0; file.header().positions as usize];
    file.read(0, &mut values).unwrap();
    for &rank in ranks {
        let value = &mut values[rank as usize];
        *value += if *value > 0 { -2 } else { 2 };
    }
    let Encoding { parity, codec } = file.header().encoding;
    let lock = DirectoryLock::wait(directory).unwrap();
    let writer = LayerWriter::create(&lock, database.stamp(), seeds, Encoding { parity, codec }).unwrap();
    writer.write(0, &values).unwrap();
    writer.finish().unwrap();
    let boards = ranks.iter().map(|&rank| {
        let (mover, opponent) = file.layer().unrank(rank);
        State::new(3, Position::new(Row::from_bits(mover), Row::from_bits(opponent)))
    });
    boards.collect()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn false_numbers_in_sound_files_are_named() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    let right = answer(&home, &["verify", "--values", "--database", place]);
    // All positions of 6 pits up to 7 seeds: C(13, 6).
    assert!(right.contains("0 to 7 seeds: 1,716 values derived, all right"), "{right}");

    // The last ranks of a layer are positions whose mover has all seeds, the first those whose opponent has.
    let boards = falsify(&directory, 7, &[3, 400, 791]);
    let plain = run(&home, &["verify", "--database", place]);
    assert_eq!(plain.code, Some(0), "checksums cannot know: {plain:?}");
    let ran = run(&home, &["verify", "--values", "--database", place]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for board in &boards {
        assert!(ran.out.contains(&format!("{board} is worth")), "{board}: {ran:?}");
    }
    let named = ran.out.lines().filter(|line| line.contains(" is worth ")).count();
    assert!(ran.out.contains(&format!("1,716 values derived, {named} wrong")), "{ran:?}");

    // The same as JSON, with both numbers.
    let ran = run(&home, &["verify", "--values", "--json", "--database", place]);
    assert_eq!(ran.code, Some(1));
    let derived = objects(&ran.out).pop().unwrap();
    assert_eq!(
        (&derived["rules"], derived["pits"].as_u64(), derived["seeds"].as_u64()),
        (&"kalah".into(), Some(3), Some(7))
    );
    assert_eq!(derived["values_wrong"].as_u64(), Some(named as u64));
    let examples = derived["examples"].as_array().unwrap();
    assert_eq!(examples.len(), named);
    for (board, rank) in boards.iter().zip([3, 400, 791]) {
        let wrong = examples.iter().find(|wrong| wrong["rank"] == rank).unwrap();
        assert_eq!(wrong["position"], board.to_string());
        assert_eq!(wrong["seeds"], 7);
        assert_eq!((wrong["stored"].as_i64().unwrap() - wrong["derived"].as_i64().unwrap()).abs(), 2);
    }

    // Layers and boards that are not asked for are not looked at; samples reach every layer.
    assert_eq!(run(&home, &["verify", "--values", "--seeds", "6", "--database", place]).code, Some(0));
    assert_eq!(run(&home, &["verify", "--values", "--from", "7", "--database", place]).code, Some(1));
    assert_eq!(run(&home, &["verify", "--pits", "4", "--database", place]).code, Some(4));
    let ran = run(&home, &["verify", "--values", "--sample", "100", "--seeds", "6", "--json", "--database", place]);
    let checked = objects(&ran.out).pop().unwrap()["values_checked"].as_u64().unwrap();
    assert!((100..120).contains(&checked), "{ran:?}");
    assert_eq!(run(&home, &["verify", "--sample", "100", "--database", place]).code, Some(2));
    assert_eq!(run(&home, &["verify", "--values", "--sample", "100000", "--database", place]).code, Some(1));
}

#[test]
fn a_false_number_below_is_found_above() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    // The positions with one seed in either row.
    falsify(&directory, 2, &(6..15).collect::<Vec<_>>());
    let ran = run(&home, &["verify", "--values", "--from", "3", "--database", place]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("layer 3 says") && !ran.out.contains("layer 2 says"), "{ran:?}");
}

#[test]
fn damaged_files_come_before_false_numbers() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    let file = directory.join("kalah_3_6.layer");
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 2;
    fs::write(&file, bytes).unwrap();
    for more in [&["--values"][..], &["--against", place]] {
        let ran = run(&home, &[&["verify", "--database", place], more].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.out.contains("kalah_3_6.layer: block 0") && ran.out.contains("expected checksum"), "{ran:?}");
        assert!(ran.err.contains("only when every file is sound") && !ran.out.contains("derived"), "{ran:?}");
    }
}

#[test]
fn two_directories_are_compared_value_by_value() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    let other = home.path().join("other");
    let there = other.to_str().unwrap();
    build(&home, &other, "kalah", 3, 5);
    let same = answer(&home, &["verify", "--database", place, "--against", there]);
    assert!(
        same.contains("6 layers compared") && same.contains("every value the same; 2 layers are not there"),
        "{same}"
    );

    let boards = falsify(&other, 4, &[17, 20]);
    let ran = run(&home, &["verify", "--database", place, "--against", there]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains(&format!("2 values differ from {}", other.join("kalah_3_4.layer").display())), "{ran:?}");
    assert!(ran.out.contains(&format!("first {} (rank 17)", boards[0])), "{ran:?}");
    assert!(ran.out.contains("1 layer is different"), "{ran:?}");
    let ran = run(&home, &["verify", "--json", "--database", place, "--against", there]);
    let compared: Vec<Value> = objects(&ran.out).into_iter().filter(|object| object["against"].is_string()).collect();
    assert_eq!(compared.len(), 6);
    for (n, object) in compared.iter().enumerate() {
        let [different, rank] = ["different", "first_rank"].map(|name| object[name].as_u64());
        assert_eq!((different, rank), if n == 4 { (Some(2), Some(17)) } else { (Some(0), None) }, "{object}");
    }
    assert_eq!(compared[4]["first_position"], boards[0].to_string());

    // A damaged file, none of the layers, no directory: an error, not a difference.
    let file = other.join("kalah_3_3.layer");
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 2;
    fs::write(&file, bytes).unwrap();
    let foreign = home.path().join("foreign");
    build(&home, &foreign, "kalah-empty", 3, 3);
    for there in [there, foreign.to_str().unwrap(), "missing"] {
        let ran = run(&home, &["verify", "--database", place, "--against", there]);
        assert_eq!(ran.code, Some(4), "{there}: {ran:?}");
        assert!(ran.err.contains(there) && ran.err.starts_with("error: "), "{there}: {ran:?}");
    }
}

#[test]
fn checksums_are_printed_and_compared() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    let lines = answer(&home, &["checksums", "--pits", "3", "--database", place]);
    assert_eq!(lines.lines().count(), 8);
    assert!(lines.lines().nth(7).unwrap().ends_with("  kalah_3_7.values"), "{lines}");
    let list = home.path().join("list.sha256");
    fs::write(&list, format!("# by hand\n\n{lines}")).unwrap();
    let list_name = list.to_str().unwrap().to_owned();
    let check =
        |more: &[&str]| run(&home, &[&["checksums", "--database", place, "--check", &list_name], more].concat());
    let ran = check(&[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("kalah_3_7.values: OK") && ran.out.contains("8 layers are as expected"), "{ran:?}");

    // The same from another codec, and differences are found there too.
    let smaller = home.path().join("compressed");
    convert_layers(&directory, &stamp(&RuleSet::default(), 3), 0..=7, Codec::Compressed, &smaller);
    let smaller = smaller.to_str().unwrap();
    let checked = answer(&home, &["checksums", "--database", smaller, "--check", &list_name]);
    assert!(checked.contains("8 layers are as expected"), "{checked}");
    let counted = |place: &str| answer(&home, &["stats", "--pits", "3", "--json", "--database", place]);
    assert_eq!(counted(smaller), counted(place));

    falsify(&directory, 6, &[300]);
    let ran = run(&home, &["verify", "--database", smaller, "--against", place]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let ran = check(&[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("kalah_3_6.values: expected ") && ran.out.contains("1 of 8 layers"), "{ran:?}");
    assert_eq!(check(&["--seeds", "5"]).code, Some(0));
    let object = objects(&check(&["--json", "--from", "6", "--seeds", "6"]).out).remove(0);
    assert_eq!(object["sound"], false);
    assert_ne!(object["sha256"], object["expected"]);

    fs::remove_file(directory.join("kalah_3_7.layer")).unwrap();
    let ran = check(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "nothing is hashed before all layers are there: {ran:?}");
    fs::write(&list, lines.replace("  kalah_3_2", " kalah_3_2")).unwrap();
    let ran = check(&[]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("line 3"), "{ran:?}");
    fs::write(&list, "").unwrap();
    assert_eq!(check(&[]).code, Some(2));
    assert_eq!(run(&home, &["checksums", "--check", "missing", "--database", place]).code, Some(2));
    assert_eq!(run(&home, &["checksums", "--pits", "3", "--seeds", "9", "--database", place]).code, Some(4));
}

#[test]
fn counts_come_as_table_csv_and_json() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    let stats = |more: &[&str]| answer(&home, &[&["stats", "--pits", "3", "--database", place], more].concat());
    // With one seed: three positions in which it is the mover's, three in which the game is over and it is not.
    let all = stats(&["--json"]);
    let one = &objects(&all)[1];
    assert_eq!((one["positions"].as_u64(), one["over"].as_u64()), (Some(6), Some(6)), "a row is empty: {one}");
    assert_eq!((one["wins"].as_u64(), one["draws"].as_u64(), one["losses"].as_u64()), (Some(3), Some(0), Some(3)));
    assert_eq!((one["mean"].as_f64(), &one["lowest"]), (Some(0.0), &Value::Null));
    let csv = stats(&["--csv"]);
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let values = stats(&["--csv", "--values"]);
    let (table, shown) = (stats(&[]), stats(&["--values"]));
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    for (layer, line) in objects(&all).iter().zip(lines) {
        let plain: Vec<&str> = line.split(',').collect();
        for (name, cell) in head.iter().zip(&plain).take(8) {
            let json = layer[*name].as_str().map_or_else(|| layer[*name].to_string(), str::to_owned);
            assert_eq!(json, *cell, "{name}");
        }
        let mean: f64 = plain[8].parse().unwrap();
        assert!((mean - layer["mean"].as_f64().unwrap()).abs() < 1e-8);
        for name in ["lowest", "highest"] {
            let Some(example) = layer[name]["example"].as_str() else { continue };
            assert!(
                line.contains(&format!("{},{},\"{example}\"", layer[name]["value"], layer[name]["positions"])),
                "{line}"
            );
            assert!(shown.contains(example), "{shown}");
            // What is said of the example is what a query says.
            let query = answer(&home, &["query", example, "--json", "--database", place]);
            assert_eq!(objects(&query)[0]["value_mover"], layer[name]["value"], "{example}");
        }
        for count in layer["values"].as_array().unwrap() {
            let line =
                format!("\nkalah,3,{},{},{},{}\n", layer["seeds"], count["value"], count["positions"], count["over"]);
            assert!(values.contains(&line), "{line}{values}");
        }
    }
    assert_eq!(
        values.lines().count(),
        1 + objects(&all).iter().map(|layer| layer["values"].as_array().unwrap().len()).sum::<usize>()
    );
    assert!(stats(&["--values", "--from", "7"]).starts_with("kalah, 3 pits, 7 seeds, 792 positions:\n"));
    assert_eq!(run(&home, &["stats", "--pits", "3", "--csv", "--json", "--database", place]).code, Some(2));
    assert_eq!(run(&home, &["stats", "--pits", "9", "--database", place]).code, Some(3));
    assert_eq!(run(&home, &["stats", "--pits", "4", "--database", place]).code, Some(4));
    assert_eq!(run(&home, &["stats", "--pits", "3", "--seeds", "8", "--database", place]).code, Some(4));
}

/// Starts a build and kills it after a while; whether it was still at work.
fn killed(home: &TempDir, arguments: &[&str], after: Duration) -> bool {
    let mut child = kalah(home, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}

#[test]
fn a_pattern_goes_through_every_step() {
    let home = home();
    let place = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let (undisturbed, disturbed) = (place("undisturbed"), place("disturbed"));
    let arguments = |directory| {
        let pattern = ["build", "--builder", "pattern", "--pattern-from", "6", "--seeds", "17", "--database"];
        [&pattern[..], &[directory]].concat()
    };
    let clock = Instant::now();
    answer(&home, &arguments(&undisturbed));
    let whole = clock.elapsed();
    // Later and later, from a small part of the time on, until a build gets through: several are killed on any machine.
    let kills = (1..).take_while(|&i| killed(&home, &arguments(&disturbed), whole * i / 40)).count();
    assert!(kills >= 3, "only {kills} builds were still at work");
    answer(&home, &arguments(&disturbed));
    let (expected, found) = (contents(Path::new(&undisturbed)), contents(Path::new(&disturbed)));
    assert!(expected.keys().eq(found.keys()), "{:?} and {:?}", expected.keys(), found.keys());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
    assert!(answer(&home, &["verify", "--database", &disturbed]).contains("18 files"));
    let same = answer(&home, &["verify", "--database", &disturbed, "--against", &undisturbed]);
    assert!(same.contains("18 layers compared") && same.contains("every value the same"), "{same}");

    // Every codec holds the same, also of values that no codec can foresee.
    let options = BuildOptions { builder: Builder::Pattern { from: 6 }, ..BuildOptions::default() };
    let pattern = options.stamp(&RuleSet::default(), 6);
    for codec in [Codec::Packed, Codec::Compressed] {
        let smaller = place(codec.name());
        convert_layers(Path::new(&disturbed), &pattern, 0..=14, codec, Path::new(&smaller));
        assert!(answer(&home, &["verify", "--database", &smaller]).contains("15 files"));
        let same = answer(&home, &["verify", "--database", &smaller, "--against", &disturbed]);
        assert!(same.contains("15 layers compared") && same.contains("every value the same"), "{same}");
    }

    // Nothing takes it for solved layers, not even below the first false one.
    let listed = answer(&home, &["list", "--database", &disturbed]);
    assert!(listed.contains("pattern-6-kalah") && !listed.contains(" kalah "), "{listed}");
    let ran = run(&home, &["stats", "--database", &disturbed]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    let board = "<6,0,0,0,0,1,0,0,1,0,0,1,0,0,0>";
    let query = answer(&home, &["query", board, "--json", "--database", &disturbed]);
    assert_eq!(objects(&query)[0]["source"], "search", "{query}");
    let ran = run(&home, &["verify", "--values", "--seeds", "3", "--database", &disturbed]);
    assert_eq!(ran.code, Some(1), "what cannot be derived is not right: {ran:?}");
    assert!(ran.out.contains("no rules of that name"), "{ran:?}");
    // Below the first false layer the values are the true ones, above they are not.
    let honest = home.path().join("honest");
    build(&home, &honest, "kalah", 6, 6);
    let payload = |directory: &Path, name: &str, positions: usize| {
        let bytes = fs::read(directory.join(name)).unwrap();
        bytes[bytes.len() - positions..].to_vec()
    };
    for (seeds, positions, same) in [(5, 4368, true), (6, 12_376, false)] {
        let ours = payload(Path::new(&disturbed), &format!("pattern-6-kalah_6_{seeds}.layer"), positions);
        assert_eq!(ours == payload(&honest, &format!("kalah_6_{seeds}.layer"), positions), same, "{seeds} seeds");
    }
    assert!(!answer(&home, &["build", "--help"]).contains("pattern"), "the pattern is not for users");
}

#[test]
fn a_build_killed_at_its_last_step_is_tidied_up() {
    let (home, directory) = layers();
    let place = directory.to_str().unwrap();
    let expected = contents(&directory);
    for seeds in ["7", "8"] {
        // What a kill between giving the name and the end leaves.
        fs::write(directory.join("kalah_3_7.layer.journal"), "left over").unwrap();
        fs::write(directory.join("manifest.json"), "{}").unwrap();
        let ran: Ran = run(&home, &["build", "--pits", "3", "--seeds", seeds, "--database", place]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let found = contents(&directory);
        if seeds == "7" {
            assert_eq!(found, expected);
        } else {
            assert_eq!(found.len(), expected.len() + 1, "{:?}", found.keys());
            assert!(String::from_utf8(found["manifest.json"].clone()).unwrap().contains("kalah_3_8.layer"));
        }
    }
}

#[test]
fn converted_layers_say_the_same_in_fewer_bytes() {
    let home = home();
    let directory = home.path().join("layers");
    build(&home, &directory, "kalah", 6, 9);
    let place = directory.to_str().unwrap();
    let checksums = answer(&home, &["checksums", "--pits", "6", "--database", place]);
    let raw = contents(&directory);
    for (codec, most_bits) in [("packed", 6.0), ("compressed", 8.0), ("raw", 9.0)] {
        let ran = run(&home, &["convert", "--codec", codec, "--database", place, "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let last = objects(&ran.out).pop().unwrap();
        assert_eq!((last["codec"].as_str(), last["positions"].as_u64()), (Some(codec), Some(167_960)));
        assert!(last["bits_per_position"].as_f64().unwrap() < most_bits, "{last}");
        assert_eq!(answer(&home, &["checksums", "--pits", "6", "--database", place]), checksums, "{codec}");
        let right = answer(&home, &["verify", "--values", "--sample", "2000", "--database", place]);
        assert!(right.contains("all right"), "{right}");
        // A build on top of other codecs goes on from the same values.
        let again = run(&home, &["convert", "--codec", codec, "--database", place]);
        assert!(again.err.contains("nothing to convert"), "{}", again.err);
    }
    assert!(contents(&directory) == raw, "raw again, and not the same bytes");
    let copy = home.path().join("copy");
    fs::create_dir(&copy).unwrap();
    let to = copy.to_str().unwrap();
    answer(&home, &["convert", "--codec", "compressed", "--to", to, "--database", place]);
    let same = answer(&home, &["verify", "--against", to, "--database", place]);
    assert!(same.contains("same") || same.contains("equal"), "{same}");
    let built = home.path().join("built");
    let there = built.to_str().unwrap();
    answer(&home, &["build", "--seeds", "9", "--codec", "compressed", "--database", there]);
    assert!(contents(&built) == contents(&copy), "built and converted files differ");
}

/// The time a build takes is estimated from a trial in the temporary directory; where that does not work, the build does.
#[test]
fn a_plan_needs_no_temporary_directory() {
    let home = home();
    let arguments = ["build", "--pits", "6", "--seeds", "24", "--dry-run", "--json"];
    let gone = home.path().join("no such directory");
    let ran: Ran = kalah(&home, &arguments).env("TMPDIR", &gone).env("TMP", &gone).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let plan: Value = serde_json::from_str(&ran.out).unwrap();
    let seconds = plan["seconds"].as_f64().unwrap();
    assert!((1.0..1e4).contains(&seconds), "{seconds} s for 1,251,677,700 positions");
}
