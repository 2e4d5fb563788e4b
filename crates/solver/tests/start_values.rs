//! Values of starts against tables that were computed by other programs or printed in the literature.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::{Bound, Limits, Options, Solver, Source, Step};
use kalah_brute_force::{Needs, SmallStart, small_starts};
use kalah_rules::{Margin, RuleSet};

/// The value of a start, whose line of play must end there too.
fn value(rules: &str, pits: u8, seeds: u32) -> i16 {
    let rules: RuleSet = rules.parse().unwrap();
    let solver = Solver::without_layers(rules, pits, Options { table_bytes: 64 << 20, threads: 1 }).unwrap();
    let answer = solver.solve(seeds, &Limits::default()).unwrap();
    let place = format!("({pits},{seeds}) under {rules}");
    assert_eq!(answer.worth.bound, Bound::Exact, "{place}");
    assert_eq!(answer.source, Source::Search, "{place}");
    assert!(answer.is_complete(), "{place}");
    assert_eq!(answer.final_totals, answer.pv_final, "{place}");
    let [south, north] = answer.final_totals.unwrap();
    let value = answer.worth.value_mover.unwrap();
    assert_eq!(i64::from(south) - i64::from(north), i64::from(value.0), "{place}");
    assert_eq!(answer.moves.iter().filter_map(|found| found.worth.value_mover).max(), Some(value), "{place}");
    value.0
}

/// Solves all starts of the table that need this; returns how many there were.
fn check(needs: impl Fn(Needs) -> bool) -> usize {
    let starts = small_starts().filter(|start| needs(start.needs));
    let check = |start: SmallStart| {
        let found = value(&start.rules.to_string(), start.pits, start.seeds);
        assert_eq!(found, start.value.0, "{start:?}");
    };
    starts.map(check).count()
}

#[test]
fn small_boards() {
    let checked = check(|needs| needs < Needs::LongSearch);
    assert!(checked > 80, "only {checked} starts found");
}

#[test]
fn the_rule_sets_disagree_where_they_should() {
    let kalah = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];
    let of = |pits, seeds| kalah.map(|rules| value(rules, pits, seeds));
    assert_eq!(of(2, 2), [-2, -2, -2, 0]);
    assert_eq!(of(2, 4), [-10, -12, -12, -10]);
    assert_eq!(of(1, 9)[0], -4);
    assert_eq!(of(1, 9)[2], 2);
    assert_eq!(of(4, 3)[..2], [6, 8]);
    assert_eq!(of(5, 2)[..2], [2, 0]);
}

/// Margins of Table 9 of the 2000 paper and of independent programs that take some seconds each without layers.
#[test]
#[ignore = "about a minute; run with: cargo test -p kalah -- --ignored"]
fn larger_boards() {
    assert!(check(|needs| needs == Needs::LongSearch) > 0);
}

#[test]
fn the_pie_rule_takes_the_better_seat() {
    for (pits, seeds, without, with) in [(4, 2, 6, -4), (3, 2, 4, 0), (2, 1, 2, -2), (4, 1, 2, 0)] {
        assert_eq!(value("kalah", pits, seeds), without, "({pits},{seeds})");
        assert_eq!(value("kalah+pie", pits, seeds), with, "({pits},{seeds}) with the pie rule");
    }
}

#[test]
fn the_pie_rule_shows_its_turn_and_the_swap() {
    let solver = Solver::without_layers("kalah+pie".parse().unwrap(), 4, Options::default()).unwrap();
    let answer = solver.solve(2, &Limits::default()).unwrap();
    let turns: Vec<String> = answer.pv_turns.iter().map(ToString::to_string).collect();
    assert_eq!(turns[..2], ["3-4", "swap"]);
    assert_eq!(answer.pv[..3], [Step::Pit(3), Step::Pit(4), Step::Swap]);
    assert_eq!(answer.worth.value_mover, Some(Margin(-4)));
    assert_eq!(answer.final_totals, Some([6, 10]), "totals belong to the players, not to the seats");
    assert!(answer.moves.iter().all(|found| found.worth.value_mover <= Some(Margin(0))));
    // Away from a start the rule changes nothing.
    let later = "<4,0,0,2,2,0,3,3,2,2,2> N".parse().unwrap();
    let plain = Solver::without_layers("kalah".parse().unwrap(), 4, Options::default()).unwrap();
    let values = [&solver, &plain].map(|s| s.analyse(&later, &Limits::default()).unwrap().worth.value_mover);
    assert_eq!(values[0], values[1]);
}
