//! The numbered examples of Oware: one board for each point on which rule sets agree or differ.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_rules::{Margin, MoveError, Next, Pits, RuleSet, Side, SowingGame, State, explain, parse_turn, perft_turns};

/// Example, rule sets, board as `mover | score0 score1 | A … F a … f`, move, board afterwards.
type Example = (&'static str, &'static [&'static str], &'static str, &'static str, &'static str);

const MOST: &[&str] = &["oware", "oware+slam=illegal", "oware+slam=takes", "oware+slam=forfeit", "awari"];

#[rustfmt::skip]
const EXAMPLES: &[Example] = &[
    ("O-01 chain", MOST, "0 | 0 0 | 0 0 0 0 0 4 1 2 1 2 6 6", "F", "1 | 10 0 | 0 0 0 0 0 0 0 0 0 0 6 6"),
    ("O-02 chain broken", MOST, "0 | 0 0 | 0 0 0 0 0 4 1 3 1 2 6 6", "F", "1 | 5 0 | 0 0 0 0 0 0 2 4 0 0 6 6"),
    ("O-03 twelve seeds", MOST, "0 | 0 0 | 0 0 0 0 0 12 1 1 1 4 4 4", "F", "1 | 3 0 | 1 1 1 1 1 0 0 2 2 5 5 5"),
    ("O-04 twelve on the own side", MOST, "0 | 0 0 | 12 0 0 0 0 0 4 4 4 4 4 4", "A", "1 | 0 0 | 0 2 1 1 1 1 5 5 5 5 5 5"),
    ("O-04 origin sown", &["oware+origin=sown", "awari+origin=sown"], "0 | 0 0 | 12 0 0 0 0 0 4 4 4 4 4 4", "A", "1 | 0 0 | 1 1 1 1 1 1 5 5 5 5 5 5"),
    ("O-05 two laps", MOST, "0 | 0 0 | 0 0 0 0 0 23 0 0 0 0 0 0", "F", "1 | 3 0 | 2 2 2 2 2 0 0 2 2 2 2 2"),
    ("O-07 grand slam captures nothing", &["oware"], "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 1", "c", "0 | 0 0 | 2 2 2 2 2 0 0 0 0 1 1 2"),
    // The game is over, and the sweep gives North the four seeds of their own row; or South, where they are forfeited.
    ("O-07 grand slam takes", &["oware+slam=takes"], "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 1", "c", "0 | 0 14 | 0 0 0 0 0 0 0 0 0 0 0 0"),
    ("O-07 grand slam forfeits", &["oware+slam=forfeit"], "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 1", "c", "0 | 4 10 | 0 0 0 0 0 0 0 0 0 0 0 0"),
    ("O-11 large pits", &["oware", "awari"], "0 | 0 0 | 0 0 0 0 0 3 12 1 1 0 0 0", "F", "1 | 4 0 | 0 0 0 0 0 0 13 0 0 0 0 0"),
    ("O-11 full pits are passed over", &["oware+full=skipped", "awari+full=skipped"], "0 | 0 0 | 0 0 0 0 0 3 12 1 1 0 0 0", "F", "1 | 0 0 | 0 0 0 0 0 0 12 2 2 1 0 0"),
];

fn board(text: &str) -> State {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_example_comes_out_as_written() {
    for &(name, rule_sets, before, pit, after) in EXAMPLES {
        for rules in rule_sets {
            let rules: RuleSet = rules.parse().unwrap();
            let (before, after) = (board(before), board(after));
            let pit = parse_turn(pit).unwrap()[0];
            let played = before.play(&rules.game(6).unwrap(), pit).unwrap();
            assert_eq!(played.state, after, "{name}, {rules}: {} for {}", played.state, after);
            let told = explain(&rules, &before, pit).unwrap();
            assert_eq!(
                (told.state, told.next, told.banked),
                (played.state, played.next, played.mover_gain),
                "{name}: {told}"
            );
        }
    }
}

/// The pits that may be played on a board.
fn legal(rules: &str, text: &str) -> Vec<u8> {
    let state = board(text);
    rules.parse::<RuleSet>().unwrap().game(state.pits()).unwrap().legal(state.position()).collect()
}

#[test]
fn o_07_grand_slam_where_it_is_illegal() {
    for rules in ["oware+slam=illegal", "awari"] {
        assert_eq!(legal(rules, "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 1"), [6], "{rules}");
        // Here it is the only move.
        let alone = legal(rules, "1 | 0 0 | 1 1 1 1 1 0 0 0 8 0 0 0");
        assert_eq!(alone, if rules == "awari" { vec![3] } else { vec![] }, "{rules}");
    }
}

#[test]
fn o_08_the_opponent_must_be_fed() {
    for rules in MOST {
        assert_eq!(legal(rules, "0 | 0 0 | 1 0 0 0 0 1 0 0 0 0 0 0"), [6], "{rules}");
    }
    // Where nothing feeds them, the game is over and both keep their rows.
    for rules in MOST {
        assert!(legal(rules, "0 | 0 0 | 1 2 0 0 0 0 0 0 0 0 0 0").is_empty(), "{rules}");
    }
}

/// North has no seeds after South's only feeding move, or cannot be fed at all.
#[test]
fn a_player_who_cannot_be_fed_ends_the_game() {
    let rules: RuleSet = "awari".parse().unwrap();
    let game = rules.game(3).unwrap();
    let state: State = "<3,0,0,0,0,0,1,1,0> N".parse().unwrap();
    assert_eq!(
        game.legal(state.position()),
        Pits(0),
        "South has no seeds, and neither pit 1 nor pit 2 reaches their row"
    );
    assert_eq!(game.over(state.position()), Some(Margin(2)), "North keeps both seeds");
    assert_eq!(state.play(&game, 1), Err(MoveError::Over));
    assert_eq!(explain(&rules, &state, 1), Err(MoveError::Over));
    // The move before: South's last seed leaves their row, and North has no move that gives one back.
    let before: State = "<3,0,0,0,0,1,0,1,0>".parse().unwrap();
    let played = before.play(&game, 3).unwrap();
    assert_eq!((played.next, played.state.to_string().as_str()), (Next::Over, "<3,0,2,0,0,0,0,0,0> N"));
    let told = explain(&rules, &before, 3).unwrap();
    assert_eq!((told.state, told.next), (played.state, played.next), "{told}");
    // Every move of South takes North's last seeds: then all are legal, and capture.
    let forced: State = "<3,0,0,0,0,1,1,0,0>".parse().unwrap();
    let played = forced.play(&game, 3).unwrap();
    assert_eq!((played.next, played.mover_gain, played.state.store(Side::South)), (Next::Over, 2, 2));
    let start = State::start(3, 1).unwrap().position();
    let turns: Vec<u64> = (1..=5).map(|depth| perft_turns(&game, start, depth)).collect();
    assert_eq!(turns[4], 35, "{turns:?}");
}

#[test]
fn o_12_a_short_game() {
    let oware = "oware".parse::<RuleSet>().unwrap();
    let game = oware.game(6).unwrap();
    let mut state = State::start(6, 4).unwrap();
    for (ply, letter) in ["F", "c", "E", "b", "C", "f", "D", "b", "B", "d", "A", "e"].into_iter().enumerate() {
        let pit = parse_turn(letter).unwrap()[0];
        let told = explain(&oware, &state, pit).unwrap();
        assert_eq!(told.sentences.iter().any(|s| s.contains("more than half")), ply == 11, "{told}");
        state = state.play(&game, pit).unwrap().state;
    }
    assert_eq!(state, board("0 | 0 27 | 1 0 0 0 0 0 10 2 6 0 0 2"));
}
