//! Values of small starts and of single positions by brute force: the fingerprints by which rule sets are told apart.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_brute_force::{Minimax, Needs, small_starts, start_value};
use kalah_rules::{Margin, Position, Row, RuleSet, State};

#[test]
fn table_of_small_starts() {
    let mut checked = 0;
    for start in small_starts().filter(|start| start.needs == Needs::Minimax) {
        let value = start_value(&start.rules, start.pits, start.seeds);
        assert_eq!(value, start.value, "({},{}) under {}", start.pits, start.seeds, start.rules);
        checked += 1;
    }
    assert!(checked > 80, "only {checked} starts found");
}

#[test]
fn k_19_pie() {
    for (pits, seeds, plain, pie) in [(4, 2, 6, -4), (3, 2, 4, 0), (2, 1, 2, -2), (4, 1, 2, 0)] {
        for (rules, value) in [("kalah", plain), ("kalah+pie", pie)] {
            assert_eq!(
                start_value(&rules.parse().unwrap(), pits, seeds),
                Margin(value),
                "({pits},{seeds}) under {rules}"
            );
        }
    }
    let mut minimax = Minimax::new(RuleSet::default().game(4).unwrap());
    let turns = minimax.turn_values(State::start(4, 2).unwrap().position());
    let closest: Vec<_> = turns.iter().filter(|(_, value)| value.0.abs() == 4).map(|(turn, _)| turn.clone()).collect();
    assert!(closest.contains(&vec![3, 4]), "{turns:?}");
}

/// The value of a board for its mover, and of each move.
fn values(rules: &str, board: &str) -> (i16, Vec<(u8, i16)>) {
    let state: State = board.parse().unwrap();
    let game = rules.parse::<RuleSet>().unwrap().game(state.pits()).unwrap();
    let mut minimax = Minimax::new(game);
    let position = state.position();
    let moves = kalah_rules::SowingGame::legal(&game, position).map(|pit| (pit, minimax.move_value(position, pit).0));
    let moves = moves.collect();
    (minimax.value(position).0, moves)
}

#[test]
fn k_15_play_goes_on_after_a_majority() {
    let (value, moves) = values("kalah", "<6,26,10,0,0,2,0,1,0,0,3,0,6,0,0>");
    // The stores stand 16 seeds apart.
    assert_eq!((16 + value, moves), (16, vec![(3, 10 - 16), (5, 0)]));
}

#[test]
fn k_21_k_22_k_23_rules_decide_who_wins() {
    let capture = "<3,0,0,0,1,0,0,0,2>";
    assert_eq!(values("kalah", capture), (1, vec![(2, 1)]));
    assert_eq!(values("kalah-empty", capture).0, -1);
    let end = "<3,0,0,0,0,2,3,0,0>";
    assert_eq!(values("kalah", end), (-3, vec![(3, -3)]));
    assert_eq!(values("kalah-stuck", end).0, 1);
    let large = "<6,22,23,0,0,0,0,1,0,0,0,0,0,0,2>";
    assert_eq!((22 - 23 + values("kalah", large).0, 22 - 23 + values("kalah-empty", large).0), (0, -2));
}

/// All rows of three pits with so many seeds.
fn rows(seeds: u8) -> impl Iterator<Item = Row> {
    (0..=seeds).flat_map(move |a| (0..=seeds - a).map(move |b| Row::from_pits(&[a, b, seeds - a - b])))
}

#[test]
fn winners_that_depend_on_the_rules() {
    let mut solvers = ["kalah", "kalah-stuck", "kalah-empty"]
        .map(|rules| Minimax::new(rules.parse::<RuleSet>().unwrap().game(3).unwrap()));
    let (mut by_end, mut by_capture) = (0, 0);
    for seeds in 3..=7 {
        for own in 1..seeds {
            for mover in rows(own) {
                for opponent in rows(seeds - own) {
                    let [kalah, stuck, empty] =
                        solvers.each_mut().map(|solver| solver.value(Position::new(mover, opponent)).0.signum());
                    by_end += u32::from(kalah * stuck == -1);
                    by_capture += u32::from(kalah * empty == -1);
                }
            }
        }
    }
    assert_eq!((by_end, by_capture), (41, 52));
}
