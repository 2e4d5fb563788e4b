//! `kalah fair`: a small board against all values, stopping and going on, and bad input.

mod program;

use kalah_study::fair::{Record, Verdict};
use program::{answer, home, kalah, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

const SMALL: [&str; 7] = ["fair", "--pits", "3", "--seeds", "2", "--moved", "1..2"];

#[test]
fn fair_boards_are_those_a_query_calls_drawn() {
    let home = home();
    let found: BTreeSet<String> = answer(&home, &[&SMALL[..], &["--json"]].concat())
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["position"].as_str().unwrap().to_owned())
        .collect();
    // Every board near the start, written down by itself: seeds of two pits, or of one, put elsewhere.
    let mut near = BTreeSet::new();
    let start = [2i8, 2, 2, 0, 2, 2, 2, 0];
    let step = |boards: &BTreeSet<[i8; 8]>| {
        let mut next = BTreeSet::new();
        for board in boards {
            for (from, to) in (0..8).flat_map(|from| (0..8).map(move |to| (from, to))) {
                let mut board = *board;
                board[from] -= 1;
                board[to] += 1;
                if board[from] >= 0 {
                    next.insert(board);
                }
            }
        }
        next
    };
    let one = step(&BTreeSet::from([start]));
    near.extend(step(&one).union(&one).copied());
    near.remove(&start);
    let texts: Vec<String> = near
        .iter()
        .map(|[a, b, c, south, d, e, f, north]| format!("<3,{south},{north},{a},{b},{c},{d},{e},{f}>"))
        .collect();
    fs::write(home.path().join("near.txt"), texts.join("\n")).unwrap();
    let near = fs::File::open(home.path().join("near.txt")).unwrap();
    let told = kalah(&home, &["query", "-", "--json"]).stdin(near).output().unwrap().stdout;
    let told = String::from_utf8(told).unwrap();
    let answers: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), texts.len());
    let even = |told: &&Value| told["final"][0] == told["final"][1];
    let position = |told: &Value| told["position"].as_str().unwrap().to_owned();
    let drawn: BTreeSet<String> = answers.iter().filter(even).map(position).collect();
    assert!(!drawn.is_empty());
    assert_eq!(found, drawn);
    let text = answer(&home, &SMALL);
    assert!(text.contains("42 boards settled") && text.contains("South wins"), "{text}");
}

#[test]
fn a_second_run_goes_on_where_the_first_was() {
    let home = home();
    let settled = home.path().join("settled.journal");
    let arguments = [&SMALL[..], &["--rules", "kalah-empty", "--state", "settled.journal", "--csv"]].concat();
    let none = run(&home, &[&arguments[..], &["--budget", "0s"]].concat());
    assert!(none.code == Some(5) && none.err.contains("boards are open"), "{none:?}");
    let whole = answer(&home, &arguments);
    let mut lines: Vec<String> = fs::read_to_string(&settled).unwrap().lines().map(str::to_owned).collect();
    // Killed in the middle of a line.
    lines.truncate(lines.len() / 2);
    let cut = lines.join("\n");
    fs::write(&settled, &cut[..cut.len() - 3]).unwrap();
    let again = run(&home, &arguments);
    assert!(again.code == Some(0) && again.err.contains("settled by earlier runs"), "{again:?}");
    let places = |text: &str| text.lines().map(|line| line.split('"').nth(1).map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(places(&again.out), places(&whole));
    let third = run(&home, &arguments);
    assert_eq!((third.code, third.out), (Some(0), again.out));
}

#[test]
fn wrong_calls_are_refused() {
    let home = home();
    for (arguments, code, words) in [
        (&["--pits", "9"][..], 3, "1 to 8 pits"),
        (&["--moved", "0..1"], 2, "--moved 1 to 4"),
        (&["--moved", "5"], 2, "--moved 1 to 4"),
        (&["--moved", "2..1"], 2, "the last comes before the first"),
    ] {
        let ran = run(&home, &[&["fair"], arguments].concat());
        assert!(ran.code == Some(code) && ran.err.contains(words) && ran.out.is_empty(), "{arguments:?}: {ran:?}");
    }
    // What a search settles is said, and how to settle the rest.
    let ran = run(&home, &["fair", "--rules", "awari", "--pits", "2", "--seeds", "1", "--layers", "0"]);
    assert!(ran.code == Some(5) && ran.err.contains("positions of awari repeat"), "{ran:?}");
    assert!(ran.err.contains("'kalah build --rules awari --pits 2 --seeds 4' builds them"), "{ran:?}");
    fs::write(home.path().join("mine.journal"), "what is this\n").unwrap();
    let ran = run(&home, &[&SMALL[..], &["--state", "mine.journal"]].concat());
    assert!(ran.code == Some(4) && ran.err.contains("mine.journal is not a file that this program keeps"), "{ran:?}");
    assert_eq!(fs::read_to_string(home.path().join("mine.journal")).unwrap(), "what is this\n");
}

#[test]
fn a_budget_covers_enumerating_and_allocating() {
    let home = home();
    let clock = std::time::Instant::now();
    let ran = run(&home, &["fair", "--pits", "8", "--seeds", "15", "--moved", "1..4", "--budget", "1s"]);
    assert!(ran.code == Some(5) && ran.err.contains("the time given with --budget is over"), "{ran:?}");
    assert!(clock.elapsed() < Duration::from_secs(15), "{:?}", clock.elapsed());
}

#[test]
fn every_settled_board_is_printed_as_the_committed_files_have_them() {
    let home = home();
    let out = answer(&home, &[&SMALL[..], &["--csv", "--every"]].concat());
    let fair = answer(&home, &[&SMALL[..], &["--csv"]].concat());
    assert!(fair.lines().all(|line| out.contains(line)));
    let records: Vec<Record> = out.lines().skip(1).map(|line| line.parse().unwrap()).collect();
    assert_eq!(out.lines().next(), Some(Record::COLUMNS));
    assert_eq!(records.iter().filter(|record| record.moved == 1).count(), 42);
    let is_fair = |record: &&Record| record.verdict == Verdict::Fair;
    assert_eq!(records.iter().filter(is_fair).count() + 1, fair.lines().count());
}

#[test]
fn two_runs_do_not_share_a_state() {
    let home = home();
    // A run that comes to no end by itself.
    let long =
        ["fair", "--pits", "6", "--seeds", "6", "--moved", "2", "--layers", "0", "--state", "state", "--table", "1M"];
    let mut first = kalah(&home, &long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let state = home.path().join("state");
    while fs::read_to_string(&state).map_or(0, |text| text.lines().count()) == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = run(&home, &long);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(second.code == Some(4) && second.err.contains("is used by"), "{second:?}");
    let device = run(&home, &[&SMALL[..], &["--state", "/dev/zero"]].concat());
    assert!(device.code == Some(4) && device.err.contains("expected a regular file"), "{device:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_at_once_and_is_named() {
    let home = home();
    let long = ["fair", "--pits", "6", "--seeds", "6", "--moved", "2", "--layers", "0", "--state", "state"];
    let mut child = kalah(&home, &long).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let state = home.path().join("state");
    while fs::read_to_string(&state).map_or(0, |text| text.lines().count()) == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let clock = std::time::Instant::now();
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(5));
    // 100 ms on a machine with nothing else to do.
    assert!(clock.elapsed() < Duration::from_secs(3), "{:?}", clock.elapsed());
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(told.contains("stopped by hand; ") && told.contains("boards are open"), "{told}");
}
