//! The committed verdicts about boards near Kalah(6,4), and the published list of fair starts.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::{Bound, Limits, Options, Solver};
use kalah_rules::{RuleSet, Side, State};
use kalah_study::fair::{Board, Judge, Record, Verdict, boards};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
fn every_board_near_the_start_is_settled_and_as_many_are_fair_as_printed() {
    let near: HashMap<State, u32> =
        boards(State::start(6, 4).unwrap(), 1..=2).map(|board| (board.state, board.moved)).collect();
    // Neller 2022 prints 254 for one and two moved seeds together; Pham and Neller 2022 print 323 and do not say how they count.
    for (rules, two) in [("kalah", 323 - 3), ("kalah-empty", 254 - 3)] {
        let settled = settled(rules);
        assert_eq!(settled.len(), near.len(), "{rules}: every board is settled");
        assert!(settled.values().all(|record| near.get(&record.state) == Some(&record.moved)));
        assert!(settled.values().all(|record| record.rules.to_string() == rules));
        for (moved, boards, expected) in [(1, 156, 3), (2, 6240, two)] {
            let alike: Vec<&Record> = settled.values().filter(|record| record.moved == moved).collect();
            let fair = alike.iter().filter(|record| record.verdict == Verdict::Fair).count();
            assert_eq!((alike.len(), fair), (boards, expected), "{rules}, {moved} moved");
        }
    }
}

#[test]
fn published_fair_starts_and_no_others_are_fair() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/fairkalah_254.txt")).unwrap();
    let published: HashSet<State> = text.lines().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(published.len(), 254);
    let settled = settled("kalah-empty");
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
        let near: Vec<Board> = boards(start, 1..=1).collect();
        let options = Options { table_bytes: 16 << 20, threads: 1 };
        let told: Mutex<HashMap<State, Verdict>> = Mutex::default();
        let judge = Judge { rules, options, ..Judge::default() };
        judge
            .judge_all(near.iter().copied(), &|board, verdict, _| {
                told.lock().unwrap().insert(board.state, verdict);
            })
            .unwrap();
        let told = told.into_inner().unwrap();
        let solver = Solver::without_layers(rules, 4, options).unwrap();
        for board in near.iter().step_by(7) {
            let answer = solver.analyse(&board.state, &Limits::default()).unwrap();
            let [south, north] = answer.final_totals.unwrap();
            assert_eq!(answer.worth.bound, Bound::Exact);
            assert_eq!(board.state.to_move(), Side::South);
            assert_eq!(told[&board.state] == Verdict::Fair, south == north, "{name} {}", board.state);
        }
    }
}
