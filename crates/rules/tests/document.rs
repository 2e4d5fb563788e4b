//! docs/rules.md says nothing that the code does not do: its tables are read and played.

use kalah_brute_force::{Minimax, start_value};
use kalah_rules::{Next, RuleSet, State, perft, perft_turns};

/// The cells of all table lines with so many columns, quotes removed.
fn rows(document: &str, columns: usize) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let inner = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect::<Vec<_>>())
    };
    document.lines().filter_map(cells).filter(|cells| cells.len() == columns).collect()
}

fn document() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn examples_come_out_as_documented() {
    let mut played = 0;
    for row in rows(&document(), 6).iter().filter(|row| row[0].starts_with("K-")) {
        let [name, rule_sets, board, pit, after, next] = &row[..] else { panic!("{row:?}") };
        let all = "kalah,kalah-empty,kalah-stuck,kalah-empty-stuck".to_owned();
        for rules in if rule_sets == "all" { &all } else { rule_sets }.split(',') {
            let state: State = board.parse().unwrap();
            let game = rules.parse::<RuleSet>().unwrap().game(state.pits()).unwrap();
            let result = state.play(&game, pit.parse().unwrap()).unwrap();
            let found = match result.next {
                Next::Again => "again",
                Next::Pass => "pass",
                Next::Over => "over",
            };
            assert_eq!((result.state.to_string().as_str(), found), (after.as_str(), next.as_str()), "{name}, {rules}");
            played += 1;
        }
    }
    assert!(played > 40, "only {played} examples were found");
}

#[test]
fn boards_that_change_winner_have_the_documented_values() {
    let mut checked = 0;
    for row in rows(&document(), 3).iter().filter(|row| row[0].starts_with("K-")) {
        let state: State = row[1].parse().unwrap();
        for part in row[2].split(", ") {
            let (rules, value) = part.split_once(' ').unwrap();
            let game = rules.parse::<RuleSet>().unwrap().game(state.pits()).unwrap();
            assert_eq!(Minimax::new(game).value(state.position()).to_string(), value, "{}, {rules}", row[0]);
            checked += 1;
        }
    }
    assert_eq!(checked, 6);
}

#[test]
fn fingerprints_are_true() {
    let document = document();
    let mut checked = 0;
    for row in rows(&document, 8).iter().filter(|row| row[0].starts_with("kalah")) {
        for (seeds, value) in (1..).zip(&row[2..]).filter(|(_, value)| !value.is_empty()) {
            let found = start_value(&row[0].parse().unwrap(), row[1].parse().unwrap(), seeds);
            assert_eq!(&found.to_string(), value, "{}, ({},{seeds})", row[0], row[1]);
            checked += 1;
        }
    }
    assert_eq!(checked, 40);
    let start = State::start(6, 4).unwrap().position();
    let game = |rules: &str| rules.parse::<RuleSet>().unwrap().game(6).unwrap();
    for rules in ["kalah", "kalah-empty"] {
        let counts: Vec<_> = (1..=9).map(|depth| perft(&game(rules), start, depth).to_string()).collect();
        assert!(document.contains(&format!("    {rules:12} {}\n", counts.join(" "))), "{rules}: {counts:?}");
    }
    let turns = |rules, depths: std::ops::RangeInclusive<u32>| {
        depths.map(|depth| perft_turns(&game(rules), start, depth).to_string()).collect::<Vec<_>>().join(" ")
    };
    let sentence = format!("{}, and {} at the fifth turn", turns("kalah", 1..=5), turns("kalah-empty", 5..=5));
    assert!(document.contains(&sentence), "{sentence}");
}
