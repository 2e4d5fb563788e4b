//! Proofs from the shell: written, checked, refused; and the fixed set of searches.

mod program;

use program::{answer, home, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn a_proof_is_written_checked_and_refused() {
    let home = home();
    let text = answer(&home, &["certify", "4", "3", "--layers", "6", "--output", "proof"]);
    for words in [
        "proof, ",
        "proved: Kalah(4,3) under kalah: the player to move gets at least +6, the other player at least -6; its value is +6",
        "layers with up to 6 seeds",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    let text = answer(&home, &["certify", "--check", "proof", "--json"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&told["proved"], &told["lower"], &told["upper"]), (&true.into(), &6.into(), &6.into()));
    assert_eq!((told["rules"].as_str(), told["layers"].as_u64()), (Some("kalah"), Some(6)));
    let bytes = fs::read(home.path().join("proof")).unwrap();
    assert_eq!(told["file_bytes"].as_u64(), Some(bytes.len() as u64));

    // The layers are elsewhere: it cannot be checked.
    fs::create_dir(home.path().join("empty")).unwrap();
    let ran = run(&home, &["certify", "--check", "proof", "--database", "empty"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{ran:?}");
    assert!(ran.err.contains("build the missing layers") || ran.err.contains("Build the missing layers"), "{ran:?}");

    // Damaged, cut, and no proof at all.
    let mut damaged = bytes.clone();
    damaged[80] ^= 1;
    for (name, content, words) in [
        ("damaged", &damaged[..], "checksum"),
        ("cut", &bytes[..90], "cut short"),
        ("other", b"no proof", "magic bytes"),
    ] {
        fs::write(home.path().join(name), content).unwrap();
        let ran = run(&home, &["certify", "--check", name]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{ran:?}");
        assert!(ran.err.contains(name) && ran.err.contains(words), "{ran:?}");
    }
    assert_eq!(run(&home, &["certify", "--check", "nowhere"]).code, Some(4));

    // A sound file with a false claim: both bounds two higher, the checksum made new.
    let mut wrong = bytes.clone();
    for place in [56, 58] {
        wrong[place..place + 2].copy_from_slice(&8i16.to_le_bytes());
    }
    let end = wrong.len() - 8;
    let check = xxhash_rust::xxh3::xxh3_64(&wrong[..end]);
    wrong[end..].copy_from_slice(&check.to_le_bytes());
    fs::write(home.path().join("wrong"), wrong).unwrap();
    let ran = run(&home, &["certify", "--check", "wrong"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("not proved: Kalah(4,3) under kalah: the player to move gets at least +8"), "{ran:?}");
    let ran = run(&home, &["certify", "--check", "wrong", "--json"]);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &told["proved"]), (Some(1), &false.into()));
    assert!(told["reason"].as_str().unwrap().contains("+8"), "{told}");
}

#[test]
fn positions_are_proved_for_the_player_to_move() {
    let home = home();
    let place = "<3,5,1,2,1,0,1,2,0> N";
    let asked: Value = serde_json::from_str(&answer(&home, &["query", place, "--json"])).unwrap();
    let text = answer(&home, &["certify", "--position", place, "--layers", "2", "--output", "proof", "--json"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&told["lower"], &told["upper"]), (&asked["value_mover"], &asked["value_mover"]));
    assert_eq!(told["position"], "<3,0,0,1,2,0,2,1,0>", "seen by the player to move, stores empty");
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let home = home();
    for (arguments, code) in [
        (&["certify"][..], 2),
        (&["certify", "4"], 2),
        (&["certify", "4", "3"], 2),
        (&["certify", "4", "3", "--check", "proof"], 2),
        (&["certify", "--position", "start:4x3", "4", "3", "--output", "proof"], 2),
        (&["certify", "4", "3", "--rules", "kalah+pie", "--output", "proof"], 2),
        (&["certify", "4", "3", "--rules", "awari", "--output", "proof"], 2),
        (&["certify", "9", "3", "--output", "proof"], 3),
        (&["certify", "--position", "<3>", "--output", "proof"], 3),
        (&["certify", "6", "4", "--layers", "2", "--nodes", "1", "--output", "proof"], 5),
    ] {
        let ran = run(&home, arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{arguments:?}: {ran:?}");
        assert!(!home.path().join("proof").exists(), "{arguments:?}");
    }
}

#[test]
fn time_covers_everything_and_an_earlier_proof_stays() {
    let home = home();
    answer(&home, &["certify", "4", "2", "--layers", "4", "--output", "proof"]);
    let earlier = fs::read(home.path().join("proof")).unwrap();
    for arguments in [
        &["certify", "6", "5", "--time", "300ms", "--output", "proof"][..],
        &["certify", "6", "5", "--layers", "2", "--time", "0s", "--output", "proof"],
        &["certify", "6", "5", "--layers", "2", "--nodes", "1000", "--output", "proof"],
        &["certify", "--check", "proof", "--time", "0s"],
    ] {
        let ran = run(&home, arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(5), ""), "{arguments:?}: {ran:?}");
        assert_eq!(fs::read(home.path().join("proof")).unwrap(), earlier, "{arguments:?}");
        assert!(!home.path().join("proof.new").exists(), "{arguments:?}");
    }
}

#[test]
fn rules_with_repetitions_are_refused_with_the_way_out() {
    let home = home();
    let ran = run(&home, &["certify", "4", "3", "--rules", "awari", "--output", "proof"]);
    assert!(ran.err.contains("kalah build --rules awari --pits 4 --seeds 24"), "{ran:?}");
    let ran = run(&home, &["certify", "4", "3", "--rules", "oware", "--output", "proof"]);
    assert!(ran.err.contains("depends on the moves before it"), "{ran:?}");
}

#[test]
fn the_fixed_set_of_searches_adds_up() {
    // The number that the search's own test keeps.
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("../search/tests/values.rs");
    let test = fs::read_to_string(test).unwrap();
    let kept = test.split_once("const NODES: u64 = ").unwrap().1.split_once(';').unwrap().0.replace('_', "");
    let kept: u64 = kept.parse().unwrap();
    let home = home();
    let text = answer(&home, &["bench", "--json"]);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (total, searches) = lines.split_last().unwrap();
    assert_eq!(searches.len(), 7);
    assert!(searches.iter().all(|search| search["right"] == true && search["value"] == search["expected"]));
    assert_eq!(searches.iter().map(|search| search["nodes"].as_u64().unwrap()).sum::<u64>(), kept);
    assert_eq!((total["nodes"].as_u64(), &total["right"]), (Some(kept), &true.into()));

    let text = answer(&home, &["bench", "--threads", "2"]);
    let last = text.lines().last().unwrap();
    let (nodes, speed) = last.split_once(" nodes, ").unwrap();
    assert_eq!(nodes.replace(',', "").parse::<u64>().unwrap(), kept, "{last}");
    assert!(speed.ends_with("/s"), "{last}");
}
