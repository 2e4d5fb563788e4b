//! `kalah fair`: a small board against all values, stopping and going on, and bad input.

mod program;

use program::{answer, home, kalah, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

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
    let settled = home.path().join("settled.csv");
    let arguments = [&SMALL[..], &["--rules", "kalah-empty", "--state", "settled.csv", "--csv"]].concat();
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
        (&["--rules", "awari", "--pits", "2", "--seeds", "1", "--layers", "0"], 2, "repeat"),
    ] {
        let ran = run(&home, &[&["fair"], arguments].concat());
        assert!(ran.code == Some(code) && ran.err.contains(words) && ran.out.is_empty(), "{arguments:?}: {ran:?}");
    }
    fs::write(home.path().join("mine.csv"), "what is this\n").unwrap();
    let ran = run(&home, &[&SMALL[..], &["--state", "mine.csv"]].concat());
    assert!(ran.code == Some(2) && ran.err.contains("mine.csv") && ran.err.contains("line 1"), "{ran:?}");
    assert_eq!(fs::read_to_string(home.path().join("mine.csv")).unwrap(), "what is this\n");
}
