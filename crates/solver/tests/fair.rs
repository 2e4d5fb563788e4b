//! The committed verdicts about boards near Kalah(6,4), and the published list of fair starts.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::fair::{Judge, Record, Verdict, boards};
use kalah::{Bound, Limits, Options, Solver};
use kalah_rules::{RuleSet, Side, State};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver-db").join(name)
}

/// What the committed file says about boards near Kalah(6,4) under these rules.
fn settled(rules: &str) -> HashMap<State, Record> {
    let text = fs::read_to_string(data("fair").join(format!("{rules}_6_4.csv"))).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(Record::COLUMNS));
    lines.map(|line| line.parse::<Record>().unwrap()).map(|record| (record.state, record)).collect()
}

#[test]
fn verdicts_are_about_boards_near_the_start() {
    let near: HashMap<State, u32> =
        boards(State::start(6, 4).unwrap(), 1..=2).iter().map(|board| (board.state, board.moved)).collect();
    for rules in ["kalah", "kalah-empty"] {
        let settled = settled(rules);
        assert!(settled.values().all(|record| near.get(&record.state) == Some(&record.moved)));
        assert!(settled.values().all(|record| record.rules.to_string() == rules));
        let one: Vec<&Record> = settled.values().filter(|record| record.moved == 1).collect();
        let fair = one.iter().filter(|record| record.verdict == Verdict::Fair).count();
        assert_eq!((one.len(), fair), (156, 3), "{rules}");
    }
}

#[test]
fn published_fair_starts_and_no_others_are_fair_where_settled() {
    let text = fs::read_to_string(data("published/fairkalah_254.txt")).unwrap();
    let published: HashSet<State> = text.lines().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(published.len(), 254);
    let settled = settled("kalah-empty");
    assert_eq!(settled.len(), 156 + 6240, "every board with one or two moved seeds");
    for (state, record) in &settled {
        assert_eq!(record.verdict == Verdict::Fair, published.contains(state), "{state}");
    }
    assert!(published.iter().all(|state| settled.contains_key(state)));
}

#[test]
fn some_verdicts_found_again_by_whole_values() {
    // Boards with a rich store are the cheapest; the values come from the solver, not from two windows.
    for name in ["kalah", "kalah-empty"] {
        let rules: RuleSet = name.parse().unwrap();
        let start = State::start(4, 3).unwrap();
        let near = boards(start, 1..=1);
        let options = Options { table_bytes: 16 << 20, threads: 1 };
        let verdicts = Judge { rules, options, ..Judge::default() }.judge_all(&near, &|_, _, _| {}).unwrap();
        let solver = Solver::without_layers(rules, 4, options).unwrap();
        for (board, verdict) in near.iter().zip(verdicts).step_by(7) {
            let answer = solver.analyse(&board.state, &Limits::default()).unwrap();
            let [south, north] = answer.final_totals.unwrap();
            assert_eq!(answer.bound, Bound::Exact);
            assert_eq!(board.state.to_move(), Side::South);
            assert_eq!(verdict == Some(Verdict::Fair), south == north, "{name} {}", board.state);
        }
    }
}
