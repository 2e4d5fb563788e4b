//! What a search leaves behind: solved starts that are answered at once the next time, and checkpoints that survive a kill.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use kalah::{Bounds, Proof, Record};
use kalah_rules::Margin;
use program::{Ran, answer, home, kalah, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn json(home: &TempDir, arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(home, arguments)).unwrap()
}

/// The answer without what depends on how it was found.
fn what_is_said(answer: &Value) -> Value {
    let mut said = answer.clone();
    for field in ["source", "nodes", "database_probes", "table_hits", "seconds", "database_layers", "threads"] {
        said.as_object_mut().unwrap().remove(field);
    }
    said
}

/// Whether the window of a move or position holds the true margin of the player to move.
fn holds(found: &Value, truth: i64) -> bool {
    let end = |name: &str| found["mover"][name].as_i64().unwrap();
    (end("lower")..=end("upper")).contains(&truth)
}

#[test]
fn a_solved_start_is_answered_at_once_and_says_so() {
    let home = home();
    let first = json(&home, &["solve", "4", "3", "--json"]);
    assert_eq!(first["source"], "search");
    let kept = home.path().join("kalah/layers/solutions/kalah_4x3.solution");
    assert!(kept.is_file());
    let second = json(&home, &["solve", "4", "3", "--json"]);
    assert_eq!(second["source"], "solution");
    for field in ["nodes", "seconds", "database_layers"] {
        assert_eq!(second[field], first[field], "what it took when it was solved");
    }
    assert_eq!(what_is_said(&second), what_is_said(&first));
    let text = answer(&home, &["solve", "4", "3"]);
    assert!(text.contains("from a kept solution in") && text.contains("--again"), "{text}");
    assert_eq!(json(&home, &["solve", "4", "3", "--again", "--json"])["source"], "search");
    // Rules that differ in anything have solutions of their own.
    assert_eq!(json(&home, &["solve", "4", "3", "--rules", "kalah-empty", "--json"])["source"], "search");
    // Under the pie rule nothing is kept.
    answer(&home, &["solve", "3", "2", "--rules", "kalah+pie"]);
    assert_eq!(json(&home, &["solve", "3", "2", "--rules", "kalah+pie", "--json"])["source"], "search");
}

#[test]
fn positions_along_perfect_play_are_answered_at_once_and_right() {
    let home = home();
    let root = json(&home, &["solve", "4", "3", "--layers", "6", "--json"]);
    let game = "kalah".parse::<kalah_rules::RuleSet>().unwrap().game(4).unwrap();
    let mut now: kalah_rules::State = "start:4x3".parse().unwrap();
    let mut beyond = 0;
    for pit in root["pv"].as_array().unwrap() {
        let literal = now.to_string();
        let value = json(&home, &["query", &literal, "--value", "--json"]);
        let whole = json(&home, &["query", &literal, "--json"]);
        let anew = json(&home, &["query", &literal, "--again", "--json"]);
        assert_eq!((&value["value_south"], &value["bound"]), (&anew["value_south"], &"exact".into()), "{literal}");
        assert_eq!(value["pv_final"], root["pv_final"], "{literal}");
        if now.position().seeds() > 6 {
            beyond += 1;
            assert_eq!((&value["source"], &anew["source"]), (&"solution".into(), &"search".into()), "{literal}");
        }
        // The solution does not know every move; a question without --value is answered completely all the same.
        assert_eq!((&whole["stopped"], &whole["moves"]), (&Value::Null, &anew["moves"]), "{literal}");
        for found in value["moves"].as_array().unwrap() {
            let moves = anew["moves"].as_array().unwrap();
            let truth = moves.iter().find(|other| other["pit"] == found["pit"]).unwrap()["value_mover"].as_i64();
            assert!(holds(found, truth.unwrap()), "{literal}: {found} but {truth:?}");
        }
        now = now.play(&game, pit.as_str().unwrap().parse().unwrap()).unwrap().state;
    }
    assert!(beyond > 3);
}

#[test]
fn the_value_alone_is_less_work_and_nothing_is_kept_of_it() {
    let home = home();
    let value = json(&home, &["solve", "4", "3", "--layers", "6", "--value", "--json"]);
    assert_eq!((&value["value_mover"], &value["bound"]), (&6.into(), &"exact".into()));
    assert_eq!(value["pv_final"], serde_json::json!([15, 9]));
    let whole = json(&home, &["solve", "4", "3", "--layers", "6", "--json"]);
    assert_eq!((&whole["source"], &whole["pv_final"]), (&"search".into(), &value["pv_final"]));
    assert!(whole["best_moves"].as_array().unwrap().contains(&value["pv"][0]), "{value} {whole}");
    assert!(value["nodes"].as_u64() < whole["nodes"].as_u64());
    for (found, truth) in value["moves"].as_array().unwrap().iter().map(|found| {
        let moves = whole["moves"].as_array().unwrap();
        (found, moves.iter().find(|other| other["pit"] == found["pit"]).unwrap()["value_mover"].as_i64().unwrap())
    }) {
        assert!(holds(found, truth), "{found} but {truth}");
    }
}

#[test]
fn a_damaged_or_foreign_solution_is_refused() {
    let home = home();
    answer(&home, &["solve", "3", "2"]);
    let kept = home.path().join("kalah/layers/solutions/kalah_3x2.solution");
    let other = home.path().join("kalah/layers/solutions/kalah-empty_3x2.solution");
    fs::copy(&kept, &other).unwrap();
    let ran = run(&home, &["solve", "3", "2", "--rules", "kalah-empty"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.err.contains("under kalah ") && ran.err.contains("under kalah-empty "), "{ran:?}");
    let mut bytes = fs::read(&kept).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&kept, bytes).unwrap();
    for arguments in [&["solve", "3", "2"][..], &["query", "start:3x2"]] {
        let ran = run(&home, arguments);
        assert_eq!(ran.code, Some(4), "{ran:?}");
        assert!(ran.err.contains("checksum") && ran.err.contains("Remove the file"), "{ran:?}");
    }
    answer(&home, &["solve", "3", "2", "--again"]);
    assert_eq!(json(&home, &["solve", "3", "2", "--json"])["source"], "solution", "--again repaired it");
}

#[test]
fn a_forged_solution_is_refused_however_it_is_asked() {
    let home = home();
    answer(&home, &["solve", "4", "3"]);
    let kept = home.path().join("kalah/layers/solutions/kalah_4x3.solution");
    let truth = Record::load(&kept).unwrap().unwrap();
    let just = |value| Bounds { lower: Margin(value), upper: Margin(value) };
    // A better value that the line does not reach; a line that stops; a move that is worth more.
    let mut forged = [truth.clone(), truth.clone(), truth.clone()];
    forged[0].bounds = just(8);
    forged[0].moves[0].1 = just(8);
    forged[0].proofs.clear();
    forged[1].line.as_mut().unwrap().pop();
    let last = forged[2].moves.len() - 1;
    forged[2].moves[last].1 = just(6);
    forged[2].moves.swap(1, last);
    for record in forged {
        record.save(&kept).unwrap();
        for arguments in [&["solve", "4", "3"][..], &["query", "start:4x3"], &["query", "<4,0,0,1,0,2,0,0,1,0,0>"]] {
            let ran = run(&home, arguments);
            assert_eq!(ran.code, Some(4), "{arguments:?}: {ran:?}");
            assert!(ran.out.is_empty() && ran.err.contains("states what cannot be true"), "{ran:?}");
            assert!(ran.err.contains("Remove the file and search again."), "{ran:?}");
        }
    }
    // Under rules whose positions repeat no solution is kept, so none can send anybody round in circles.
    let mut awari = truth.clone();
    awari.rules = "awari".parse().unwrap();
    awari.save(&kept.with_file_name("awari_4x3.solution")).unwrap();
    let ran = run(&home, &["query", "start:4x3", "--rules", "awari", "--time", "10s"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    truth.save(&kept).unwrap();
    assert_eq!(json(&home, &["solve", "4", "3", "--json"])["source"], "solution");
}

#[test]
fn an_impossible_proof_in_a_checkpoint_is_damage_and_no_limit() {
    let home = home();
    answer(&home, &["solve", "4", "3"]);
    let mut record = Record::load(&home.path().join("kalah/layers/solutions/kalah_4x3.solution")).unwrap().unwrap();
    record.line = None;
    let file = home.path().join("kept/kalah_4x3.checkpoint");
    for change in [
        |proof: &mut Proof| proof.bounds.upper = Margin(300),
        |proof: &mut Proof| proof.bounds.lower = Margin(i16::MIN),
        |proof: &mut Proof| proof.pit = Some(77),
    ] {
        let mut forged = record.clone();
        change(&mut forged.proofs[5]);
        forged.save(&file).unwrap();
        let bytes = fs::read(&file).unwrap();
        let ran = run(&home, &["solve", "4", "3", "--again", "--layers", "0", "--checkpoint", "kept"]);
        assert_eq!(ran.code, Some(4), "{ran:?}");
        assert!(ran.err.contains("kalah_4x3.checkpoint states what cannot be true"), "{ran:?}");
        assert_eq!(fs::read(&file).unwrap(), bytes, "what is refused is not replaced");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_that_finds_the_disk_full_warns_and_the_search_goes_on() {
    let home = home();
    fs::create_dir(home.path().join("disk")).unwrap();
    let script = r#"
        mount -t tmpfs -o size=64k none disk || exit 99
        "$0" solve 5 3 --layers 0 --table 64MiB --checkpoint disk --nodes 80000; echo "limit: $?"
        "$0" solve 5 3 --layers 0 --table 64MiB --checkpoint disk --every 50ms; echo "solved: $?"
        ls -A disk | wc -l
    "#;
    let program = kalah(&home, &[]);
    let ran: Ran = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(program.get_program())
        .current_dir(home.path())
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path())
        .output()
        .unwrap()
        .into();
    if ran.code == Some(99) || ran.err.contains("unshare") {
        eprintln!("skipped: this system gives no file system of one's own ({ran:?})");
        return;
    }
    assert!(ran.out.contains("limit: 5") && ran.out.contains("solved: 0"), "{ran:?}");
    assert!(ran.err.contains("warning: the checkpoint is not written, the search goes on"), "{ran:?}");
    assert!(ran.err.contains("Make room"), "{ran:?}");
    assert!(!ran.err.contains("resumes from there"), "nothing was kept: {ran:?}");
    assert!(ran.out.ends_with("\n0\n"), "half a file stays: {ran:?}");
}

/// A start that takes a while without layers: two hundred thousand positions and more.
const LONG: [&str; 7] = ["solve", "5", "3", "--layers", "0", "--table", "64MiB"];

fn with<'a>(start: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [start, more].concat()
}

/// Positions searched so far, as the checkpoint's header tells.
fn nodes_in(checkpoint: &Path) -> Option<u64> {
    let bytes = fs::read(checkpoint).ok()?;
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let header: Value = serde_json::from_slice(&bytes[..end]).unwrap();
    header["nodes"].as_u64()
}

#[test]
fn a_limit_leaves_a_checkpoint_and_the_same_command_goes_on() {
    let home = home();
    let file = home.path().join("kept/kalah_5x3.checkpoint");
    let limited = with(&LONG, &["--checkpoint", "kept", "--nodes", "80000", "--json"]);
    let mut last = 0;
    for _ in 0..3 {
        let ran = run(&home, &limited);
        assert_eq!(ran.code, Some(5), "{ran:?}");
        let nodes = nodes_in(&file).unwrap();
        assert!(nodes > last + 40_000, "{nodes} after {last}");
        last = nodes;
    }
    for (arguments, found) in [
        (["solve", "5", "2", "--layers", "0", "--checkpoint", "kept"], "kept/kalah_5x2.checkpoint"),
        (["solve", "5", "3", "--rules", "kalah-empty", "--checkpoint", "kept"], "kept/kalah-empty_5x3.checkpoint"),
    ] {
        fs::copy(&file, home.path().join(found)).unwrap();
        let ran = run(&home, &arguments);
        assert_eq!(ran.code, Some(4), "{ran:?}");
        assert!(ran.err.contains(found) && ran.err.contains("is about"), "{ran:?}");
    }
    let whole = json(&home, &with(&LONG, &["--checkpoint", "kept", "--json"]));
    assert!(!file.exists(), "it has done its work");
    let undisturbed = json(&home, &with(&LONG, &["--again", "--json"]));
    assert_eq!(what_is_said(&whole), what_is_said(&undisturbed));
    let (nodes, plain) = (whole["nodes"].as_u64().unwrap(), undisturbed["nodes"].as_u64().unwrap());
    assert!(nodes >= last && nodes < 2 * plain, "{nodes} in pieces, {plain} at once");
}

#[cfg(unix)]
#[test]
fn a_killed_search_loses_at_most_what_came_after_its_checkpoint() {
    let home = home();
    let file = home.path().join("kept/kalah-empty_6x3.checkpoint");
    // Five million positions: many times as long as the kills below leave it alive, however fast the machine.
    let start = ["solve", "6", "3", "--layers", "0", "--table", "64MiB", "--rules", "kalah-empty", "--json"];
    let often = with(&start, &["--checkpoint", "kept", "--every", "10ms"]);
    let mut last = 0;
    for kill in 0..6 {
        let mut child = kalah(&home, &often).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Not after a time but after the next checkpoint, and then some instants later, for that depends on no machine.
        while nodes_in(&file).is_none_or(|nodes| nodes <= last) {
            assert!(child.try_wait().unwrap().is_none(), "it ended after {kill} kills at {last} positions");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(kill * 7 % 11));
        child.kill().unwrap();
        child.wait().unwrap();
        let nodes = nodes_in(&file).expect("a checkpoint is replaced, never removed, while the search goes on");
        assert!(nodes > last, "{nodes} after {last}: what was kept is never lost");
        last = nodes;
    }
    // What a kill between two checkpoints leaves.
    fs::write(home.path().join("kept/.kalah-empty_6x3.checkpoint.aBcDeF.tmp"), "half").unwrap();
    let whole = json(&home, &with(&start, &["--checkpoint", "kept"]));
    assert_eq!(fs::read_dir(home.path().join("kept")).unwrap().count(), 0, "it has done its work");
    let undisturbed = json(&home, &with(&start, &["--again"]));
    assert_eq!(what_is_said(&whole), what_is_said(&undisturbed));
    assert!(whole["nodes"].as_u64().unwrap() >= last);
}
