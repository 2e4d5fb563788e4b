//! `kalah atlas`: a grid against a second way to its values, what a second run does, cut files, and bad input.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use program::{answer, home, kalah, run};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::process::Stdio;
use tempfile::TempDir;

/// The rows that one call prints.
fn rows(home: &TempDir, arguments: &[&str]) -> Vec<Value> {
    let all = [&["atlas", "--json", "--output", "out"], arguments].concat();
    answer(home, &all).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_small_grid_is_what_whole_layers_say() {
    let home = home();
    let rules = "kalah,kalah-empty-stuck+leftover=none,dakon,awari";
    let found = rows(&home, &["--rules", rules, "--pits", "2..3", "--seeds", "1..3", "--no-leftovers"]);
    assert_eq!(found.len(), 4 * 2 * 3);
    for row in &found {
        let (name, pits, seeds) = (row["rules"].as_str().unwrap(), &row["pits"], &row["seeds"]);
        // Another road: the layers up to the start itself, built by the plain builder, and the start looked up.
        let (board, all) = (pits.to_string(), (2 * pits.as_u64().unwrap() * seeds.as_u64().unwrap()).to_string());
        let build = ["build", "--rules", name, "--pits", &board, "--seeds", &all, "--database", "other"];
        answer(&home, &[&build[..], &["--builder", "reference"]].concat());
        let start = format!("start:{pits}x{seeds}");
        let looked_up = answer(&home, &["query", &start, "--rules", name, "--database", "other", "--json"]);
        let looked_up: Value = serde_json::from_str(&looked_up).unwrap();
        assert_eq!(looked_up["source"], "database", "{looked_up}");
        assert_eq!((&row["state"], &row["value"]), (&"exact".into(), &looked_up["value_south"]), "{row}");
        assert_eq!(row["best_moves"], looked_up["best_moves"].as_array().unwrap().len(), "{row}");
        for own in looked_up["moves"].as_array().unwrap() {
            let same = row["moves"].as_array().unwrap().iter().find(|other| other["pit"] == own["pit"]).unwrap();
            assert_eq!(same["lower"], own["value_south"], "{row}");
        }
        if name != "awari" {
            let query = ["query", &start, "--rules", &format!("{name}+pie"), "--database", "none-here", "--json"];
            fs::create_dir_all(home.path().join("none-here")).unwrap();
            let with_pie: Value = serde_json::from_str(&answer(&home, &query)).unwrap();
            assert_eq!(row["pie"], with_pie["value_south"], "{row}");
            assert!(row["line_moves"].as_u64() >= Some(1), "{row}");
        }
        let value = row["value"].as_i64().unwrap();
        assert_eq!(row["outcome"], ["loss", "draw", "win"][(value.signum() + 1) as usize], "{row}");
    }
}

#[test]
fn what_is_exact_is_not_computed_again_and_bounds_are_with_more_time() {
    let home = home();
    let table = home.path().join("out").join("kalah.csv");
    let grid = ["--rules", "kalah", "--pits", "3..4", "--seeds", "2..4", "--no-leftovers", "--layers", "0"];
    let first = rows(&home, &[&grid[..], &["--limit", "2ms"]].concat());
    let open = |rows: &[Value]| rows.iter().filter(|row| row["state"] == "open").count();
    assert!(open(&first) > 0, "all was done in no time: {first:?}");
    let text = fs::read_to_string(&table).unwrap();
    // The same limit brings nothing new, and nothing is written.
    assert_eq!(rows(&home, &[&grid[..], &["--limit", "2ms"]].concat()), first);
    assert_eq!(fs::read_to_string(&table).unwrap(), text);
    let second = rows(&home, &[&grid[..], &["--limit", "1m"]].concat());
    assert_eq!(open(&second), 0);
    for (before, after) in first.iter().zip(&second) {
        assert!(before["state"] == "open" || before == after, "{before} was computed again: {after}");
        let (lower, upper) = (before["lower"].as_i64(), before["upper"].as_i64());
        assert!(lower <= after["value"].as_i64() && after["value"].as_i64() <= upper, "{before} and {after}");
    }
    assert_eq!(fs::read_to_string(&table).unwrap().lines().count(), 1 + second.len());
}

#[test]
fn a_cut_file_costs_one_cell() {
    let home = home();
    let table = home.path().join("out").join("kalah-empty.csv");
    let grid = ["--rules", "kalah-empty", "--pits", "1..3", "--seeds", "1..2", "--no-leftovers"];
    let whole = rows(&home, &grid);
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, &text[..text.len() - 7]).unwrap();
    let again = rows(&home, &grid);
    let values = |rows: &[Value]| rows.iter().map(|row| row["value"].clone()).collect::<Vec<_>>();
    assert_eq!(values(&again), values(&whole));
    let mended = fs::read_to_string(&table).unwrap();
    assert_eq!(mended.lines().count(), text.lines().count());
    // Only the last line was computed again.
    let kept = text.lines().count() - 1;
    assert!(mended.lines().take(kept).eq(text.lines().take(kept)));
}

#[test]
fn every_preset_and_leftover_is_meant_without_rules() {
    let home = home();
    let out = answer(&home, &["atlas", "--pits", "2", "--seeds", "1", "--output", "out"]);
    assert!(out.ends_with("16 cells: 16 looked at, 16 exact\n"), "{out}");
    let mut files: Vec<String> = fs::read_dir(home.path().join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files.len(), 16);
    assert!(files.contains(&"kalah-empty-stuck+leftover=last.csv".to_owned()), "{files:?}");
}

#[test]
fn what_cannot_be_known_is_said() {
    let home = home();
    let found = rows(&home, &["--rules", "oware,awari", "--pits", "2", "--seeds", "2", "--layers", "3"]);
    assert_eq!((&found[0]["state"], &found[0]["value"]), (&"history".into(), &Value::Null));
    // Some of the layers are of no use, so none are built and nothing is claimed.
    assert_eq!((&found[1]["state"], &found[1]["lower"], &found[1]["upper"]), (&"open".into(), &(-8).into(), &8.into()));
}

#[test]
fn wrong_calls_are_refused() {
    let home = home();
    for (arguments, code, words) in [
        (&["--pits", "1..9"][..], 3, "1 to 8 pits"),
        (&["--pits", "0..2"], 3, "1 to 8 pits"),
        (&["--pits", "8", "--seeds", "16..20"], 3, "begins with 1 to 15 seeds"),
        (&["--pits", "1", "--seeds", "1..4294967295"], 3, "begins with 1 to 127 seeds"),
        (&["--seeds", "0..4"], 3, "found --seeds 0..4"),
        (&["--pits", "6..1"], 2, "the last comes before the first"),
        (&["--seeds", "four"], 2, "such as 1..6"),
        (&["--rules", "kalah,chess"], 2, "chess"),
        (&["--rules", "kalah,kalah-empty+pie"], 2, "Leave out +pie"),
        (&["--budget", "soon"], 2, "such as 90s"),
    ] {
        let ran = run(&home, &[&["atlas"], arguments].concat());
        assert!(ran.code == Some(code) && ran.err.contains(words) && ran.out.is_empty(), "{arguments:?}: {ran:?}");
    }
    fs::create_dir(home.path().join("out")).unwrap();
    fs::write(home.path().join("out").join("kalah.csv"), "something else\n").unwrap();
    let ran = run(&home, &["atlas", "--rules", "kalah", "--no-leftovers", "--output", "out"]);
    assert!(ran.code == Some(4) && ran.err.contains("line 1 of") && ran.err.contains("kalah.csv"), "{ran:?}");
    assert_eq!(fs::read_to_string(home.path().join("out").join("kalah.csv")).unwrap(), "something else\n");
}

#[cfg(unix)]
#[test]
fn a_signal_keeps_what_is_done() {
    let home = home();
    // Cells that come to no end: the signal must.
    let arguments =
        ["atlas", "--rules", "kalah", "--pits", "2..6", "--seeds", "3..6", "--no-leftovers", "--layers", "0"];
    let more = ["--limit", "1h", "--output", "out"];
    let mut child =
        kalah(&home, &[&arguments[..], &more].concat()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let table = home.path().join("out").join("kalah.csv");
    while fs::read_to_string(&table).map_or(0, |text| text.lines().count()) < 4 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(5));
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(told.contains("stopped by hand; the same command resumes"), "{told}");
    let text = fs::read_to_string(&table).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() >= 4, "{text}");
}

#[test]
fn a_changed_digit_or_a_repeated_line_is_refused_and_named() {
    let home = home();
    let table = home.path().join("out").join("kalah.csv");
    let grid = ["--rules", "kalah", "--pits", "2", "--seeds", "1..3", "--no-leftovers"];
    rows(&home, &grid);
    let whole = fs::read_to_string(&table).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    // The last digit of the first move's value.
    let end = lines[2].find(" 2:").unwrap() - 1;
    let mut changed = lines[2].to_owned();
    changed.replace_range(end..=end, if &lines[2][end..=end] == "4" { "6" } else { "4" });
    for (text, told) in
        [(whole.replacen(lines[2], &changed, 1), "line 3 of"), (format!("{whole}{}\n", lines[1]), "line 5 of")]
    {
        fs::write(&table, &text).unwrap();
        let ran = run(&home, &[&["atlas", "--output", "out"], &grid[..]].concat());
        assert!(ran.code == Some(4) && ran.err.contains(told) && ran.out.is_empty(), "{ran:?}");
        assert_eq!(fs::read_to_string(&table).unwrap(), text);
    }
}

#[test]
fn a_budget_covers_everything() {
    let home = home();
    let clock = std::time::Instant::now();
    let found = rows(&home, &["--rules", "kalah", "--pits", "1..8", "--seeds", "1..127", "--budget", "0s"]);
    assert!(found.is_empty());
    let all = ["--rules", "kalah", "--pits", "6..8", "--seeds", "6..15", "--budget", "1s", "--limit", "1s"];
    rows(&home, &all);
    assert!(clock.elapsed() < std::time::Duration::from_secs(15), "{:?}", clock.elapsed());
}
