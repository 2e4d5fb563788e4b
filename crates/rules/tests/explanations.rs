//! Moves told in words: the exact sentences, one move for each kind of event.
//!
//! After a wanted change: `KALAH_REWRITE=1 cargo test -p kalah-rules --test explanations`, then read the difference.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_rules::{RuleSet, State, explain, explain_end};

fn told(rules: &str, board: &str, pit: u8) -> String {
    let state: State = board.parse().unwrap();
    explain(&rules.parse::<RuleSet>().unwrap(), &state, pit).unwrap().to_string()
}

fn ended(rules: &str, board: &str) -> String {
    explain_end(&rules.parse::<RuleSet>().unwrap(), &board.parse().unwrap()).unwrap().to_string()
}

/// Rule set, board, pit.
const MOVES: &[(&str, &str, u8)] = &[
    ("kalah", "start:6x4", 3),
    ("kalah", "start:6x4", 6),
    ("kalah", "<6,0,0,0,0,1,0,0,2,3,0,4,0,0,1>", 3),
    ("kalah", "<6,0,0,0,0,1,0,0,2,3,0,0,0,0,1>", 3),
    ("kalah-empty", "<6,0,0,0,0,1,0,0,2,3,0,0,0,0,1>", 3),
    ("kalah", "<6,0,0,4,4,13,5,5,5,4,4,4,4,4,4>", 3),
    ("kalah+leftover=last", "<6,10,8,0,0,0,0,0,1,2,0,3,0,0,1>", 6),
    ("kalah-stuck", "<3,2,2,0,0,2,0,1,1>", 3),
    ("kalah", "<2,0,0,27,0,1,1>", 1),
    ("oware", "0 | 0 0 | 0 0 0 0 0 4 1 2 1 2 6 6", 6),
    ("oware", "0 | 0 0 | 12 0 0 0 0 0 4 4 4 4 4 4", 1),
    ("oware", "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 1", 3),
    ("oware+slam=forfeit", "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 1", 3),
    ("awari", "<3,0,0,0,0,1,0,1,0>", 3),
    ("awari", "<3,0,0,0,0,1,0,1,1>", 3),
    ("dakon", "<7,0,0,7,7,7,7,7,7,7,7,7,7,7,7,7,7>", 7),
    ("congkak", "<7,0,0,7,7,7,7,7,7,7,7,7,7,7,7,7,7>", 7),
    ("dakon+mikul=take", "<3,0,0,0,0,2,0,1,1>", 3),
    ("dakon+alone=bank", "<3,0,0,1,0,0,2,0,0>", 1),
    ("dakon+end=pass", "<3,4,1,0,0,0,0,2,1>", 1),
    ("avalanche", "<3,0,0,0,1,3,1,2,0>", 3),
];

/// Rule set and board of a finished game.
const ENDINGS: &[(&str, &str)] = &[
    ("kalah", "<3,5,4,0,0,0,1,1,1>"),
    ("kalah+leftover=last", "<3,5,4,0,0,0,1,1,1>"),
    ("kalah+leftover=none", "<3,5,4,0,0,0,1,1,1> N"),
    ("oware", "<3,5,4,0,0,0,1,1,0> N"),
    ("oware", "<3,5,4,0,0,0,1,1,0>"),
    ("oware+slam=illegal", "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 0"),
    ("kalah", "<3,9,4,0,0,0,0,0,0>"),
];

#[test]
fn every_sentence_is_the_agreed_one() {
    let moves = MOVES
        .iter()
        .map(|(rules, board, pit)| format!("## {rules}: {board}, pit {pit}\n\n{}\n", told(rules, board, *pit)));
    let endings = ENDINGS.iter().map(|(rules, board)| format!("## {rules}: {board}\n\n{}\n", ended(rules, board)));
    let now = moves.chain(endings).collect::<Vec<_>>().join("\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/explanations.txt");
    if std::env::var_os("KALAH_REWRITE").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let agreed = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(now, agreed, "see the head of this file");
}

#[test]
fn an_ending_is_told_only_when_nothing_can_be_played() {
    let rules: RuleSet = "kalah-stuck".parse().unwrap();
    assert_eq!(explain_end(&rules, &"<3,5,4,0,0,0,1,1,1> N".parse().unwrap()), None);
    let ending = explain_end(&rules, &"<3,5,4,0,0,0,1,1,1>".parse().unwrap()).unwrap();
    assert_eq!((ending.final_score, ending.state.to_string().as_str()), ([5, 7], "<3,5,7,0,0,0,0,0,0>"));
}
