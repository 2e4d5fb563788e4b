//! The numbered examples of docs/rules.md: one board for each sentence on which rule sets agree or differ.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_rules::{MoveError, Next, Pits, Played, RuleSet, Side, SowingGame, State, explain, turn_text};

/// The presets in which a board with an empty facing pit is treated alike.
const NO_EMPTY: [&str; 2] = ["kalah", "kalah-stuck"];
const EMPTY: [&str; 2] = ["kalah-empty", "kalah-empty-stuck"];
const ALL: [&str; 4] = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];
const ROW_EMPTY: [&str; 2] = ["kalah", "kalah-empty"];
const STUCK: [&str; 2] = ["kalah-stuck", "kalah-empty-stuck"];

/// Example, rule sets, board, pit, board afterwards (swept if the game is over), what is next.
type Example = (&'static str, &'static [&'static str], &'static str, u8, &'static str, Next);

use Next::{Again, Over, Pass};

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";
const SPEC: &str = "<3,10,2,1,2,3,4,2,0>";
const OUT: &str = "<6,10,8,0,0,0,0,0,1,2,0,3,0,0,1>";

#[rustfmt::skip]
const EXAMPLES: &[Example] = &[
    ("K-01 extra move", &ALL, START, 3, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>", Again),
    ("K-02 into the other row", &ALL, START, 6, "<6,1,0,4,4,4,4,4,0,5,5,5,4,4,4> N", Pass),
    ("K-03 the other store is skipped", &ALL, "<6,0,0,1,0,0,0,0,8,1,0,0,0,0,0>", 6, "<6,1,0,2,0,0,0,0,0,2,1,1,1,1,1> N", Pass),
    ("K-04 skip and capture", &ALL, "<6,0,0,0,0,3,3,3,9,1,1,1,1,1,1>", 6, "<6,4,0,1,0,3,3,3,0,2,2,2,2,0,2> N", Pass),
    ("K-05 capture", &ALL, "<6,0,0,0,0,1,0,0,2,3,0,4,0,0,1>", 3, "<6,5,0,0,0,0,0,0,2,3,0,0,0,0,1> N", Pass),
    ("K-06 facing pit empty", &NO_EMPTY, "<6,0,0,0,0,1,0,0,2,3,0,0,0,0,1>", 3, "<6,0,0,0,0,0,1,0,2,3,0,0,0,0,1> N", Pass),
    ("K-06 facing pit empty", &EMPTY, "<6,0,0,0,0,1,0,0,2,3,0,0,0,0,1>", 3, "<6,1,0,0,0,0,0,0,2,3,0,0,0,0,1> N", Pass),
    ("K-07 a lap of 13", &ALL, "<6,0,0,4,4,13,5,5,5,4,4,4,4,4,4>", 3, "<6,7,0,5,5,0,6,6,6,5,5,5,0,5,5> N", Pass),
    // With North's row empty the game would be over already where an empty row ends it; one more seed keeps it going.
    ("K-08 13 seeds alone", &STUCK, "<6,0,0,0,0,0,13,0,0,0,0,0,0,0,0>", 4, "<6,3,0,1,1,1,0,1,1,1,1,0,1,1,1> N", Pass),
    ("K-08 13 seeds, not quite alone", &ALL, "<6,0,0,0,0,0,13,0,0,1,0,0,0,0,0>", 4, "<6,3,0,1,1,1,0,1,1,2,1,0,1,1,1> N", Pass),
    ("K-09 14 seeds", &ALL, "<6,0,0,14,0,0,0,0,0,1,1,1,1,1,1>", 1, "<6,1,0,1,2,1,1,1,1,2,2,2,2,2,2> N", Pass),
    ("K-10 the mover goes out", &ALL, OUT, 6, "<6,11,14,0,0,0,0,0,0,0,0,0,0,0,0> N", Over),
    ("K-10 the mover goes out", &["kalah+leftover=out", "kalah-stuck+leftover=out"], OUT, 6, "<6,17,8,0,0,0,0,0,0,0,0,0,0,0,0> N", Over),
    ("K-10 the mover goes out", &["kalah+leftover=last", "kalah-empty+leftover=last"], OUT, 6, "<6,17,8,0,0,0,0,0,0,0,0,0,0,0,0> N", Over),
    ("K-10 the mover goes out", &["kalah+leftover=none", "kalah-empty-stuck+leftover=none"], OUT, 6, "<6,11,8,0,0,0,0,0,0,0,0,0,0,0,0> N", Over),
    ("K-11 a capture empties the other row", &ALL, "<6,10,10,1,0,0,0,0,3,0,0,0,0,5,0>", 1, "<6,19,10,0,0,0,0,0,0,0,0,0,0,0,0> N", Over),
    ("K-11 a capture empties the other row", &["kalah+leftover=out"], "<6,10,10,1,0,0,0,0,3,0,0,0,0,5,0>", 1, "<6,16,13,0,0,0,0,0,0,0,0,0,0,0,0> N", Over),
    ("K-12 a quiet move empties the own row", &ROW_EMPTY, "<3,2,2,0,0,2,0,1,1>", 3, "<3,3,5,0,0,0,0,0,0> N", Over),
    ("K-12 a quiet move empties the own row", &STUCK, "<3,2,2,0,0,2,0,1,1>", 3, "<3,3,2,0,0,0,1,1,1> N", Pass),
    ("K-16 no relay", &ALL, START, 1, "<6,0,0,0,5,5,5,5,4,4,4,4,4,4,4> N", Pass),
    ("K-18 pits are counted towards the store", &ALL, SPEC, 2, "<3,11,2,1,0,4,4,2,0>", Again),
    ("K-18 pits are counted towards the store", &ALL, SPEC, 3, "<3,11,2,1,2,0,5,3,0> N", Pass),
    ("K-18 pits are counted towards the store", &ALL, SPEC, 1, "<3,10,2,0,3,3,4,2,0> N", Pass),
    ("K-22 who may still move", &["kalah"], "<3,0,0,0,0,2,3,0,0>", 3, "<3,1,4,0,0,0,0,0,0> N", Over),
    ("K-22 who may still move", &["kalah-stuck"], "<3,0,0,0,0,2,3,0,0>", 3, "<3,1,0,0,0,0,4,0,0> N", Pass),
];

fn play(rules: &str, board: &str, pit: u8) -> Result<Played, MoveError> {
    let rules: RuleSet = rules.parse().unwrap();
    let state: State = board.parse().unwrap();
    state.play(&rules.game(state.pits()).unwrap(), pit)
}

/// The same board with the two sides in each other's seats.
fn mirrored(board: &str) -> String {
    let state: State = board.parse().unwrap();
    let [m, south, north, rest @ ..] =
        &*board.split(['<', '>', ',', ' ']).filter(|part| !part.is_empty()).collect::<Vec<_>>()
    else {
        panic!("{board} is no board")
    };
    let (souths, norths) = rest.split_at(usize::from(state.pits()));
    let norths = &norths[..usize::from(state.pits())];
    let side = if state.to_move() == kalah_rules::Side::South { " N" } else { "" };
    format!("<{m},{north},{south},{},{}>{side}", norths.join(","), souths.join(","))
}

#[test]
fn every_example_comes_out_as_written() {
    for &(name, rule_sets, board, pit, after, next) in EXAMPLES {
        for rules in rule_sets {
            for (board, after) in [(board.to_owned(), after.to_owned()), (mirrored(board), mirrored(after))] {
                let played = play(rules, &board, pit).unwrap();
                assert_eq!(
                    (played.state.to_string().as_str(), played.next),
                    (after.as_str(), next),
                    "{name}, {rules}: {board}, pit {pit}"
                );
                let told = explain(&rules.parse().unwrap(), &board.parse().unwrap(), pit).unwrap();
                assert_eq!(
                    (told.state, told.next, told.banked),
                    (played.state, next, played.mover_gain),
                    "{name}, {rules}: {told}"
                );
            }
        }
    }
}

#[test]
fn k_08_is_over_where_an_empty_row_ends_the_game() {
    for rules in ROW_EMPTY {
        assert_eq!(play(rules, "<6,0,0,0,0,0,13,0,0,0,0,0,0,0,0>", 4), Err(MoveError::Over), "{rules}");
    }
}

#[test]
fn k_14_seventeen_extra_moves_in_one_turn() {
    let turn = [6, 4, 6, 5, 6, 1, 6, 2, 6, 5, 6, 3, 6, 4, 6, 5, 6];
    for rules in ALL {
        let game = rules.parse::<RuleSet>().unwrap().game(6).unwrap();
        let mut state: State = "<6,0,0,6,4,2,3,1,1,0,0,0,0,0,1>".parse().unwrap();
        let whole = state.play_turn(&game, &turn).unwrap();
        for (i, &pit) in turn.iter().enumerate() {
            let played = state.play(&game, pit).unwrap();
            assert_eq!(played.next, if i < 16 { Again } else { Over }, "{rules}, move {}", i + 1);
            assert_eq!(played.mover_gain, 1);
            state = played.state;
        }
        assert_eq!(state.to_string(), "<6,17,1,0,0,0,0,0,0,0,0,0,0,0,0> N", "{rules}");
        assert_eq!((whole.state, whole.next, whole.mover_gain), (state, Over, 17), "{rules}");
    }
}

#[test]
fn a_turn_ends_where_the_turn_passes() {
    let game = RuleSet::default().game(6).unwrap();
    let start = State::start(6, 4).unwrap();
    assert_eq!(start.play_turn(&game, &[3, 6]).unwrap().state.to_string(), "<6,2,0,4,4,0,5,5,0,5,5,5,5,4,4> N");
    assert_eq!(start.play_turn(&game, &[3]).unwrap().next, Again);
    let fails = |turn: &[u8], number: usize, error: MoveError, text: &str| {
        let found = start.play_turn(&game, turn).unwrap_err();
        let turn = turn_text(turn);
        assert_eq!(found, MoveError::InTurn { number, turn, error: Box::new(error) });
        assert_eq!(found.to_string(), text);
        found.help().into_owned()
    };
    let help = fails(
        &[3, 6, 1],
        3,
        MoveError::TurnPassed { pit: 6, to: Side::North },
        "move 3 of the turn 3-6-1: the turn passed to North after pit 6",
    );
    assert_eq!(help, "End the turn there. North's next turn is a turn of its own, separated by a space.");
    let legal = Pits(0b11_1011);
    let help = fails(
        &[3, 3],
        2,
        MoveError::Empty { pit: 3, legal },
        "move 2 of the turn 3-3: pit 3 cannot be played: it is empty",
    );
    assert_eq!(help, "Play one of the pits 1, 2, 4, 5, 6.");
    fails(
        &[3, 9],
        2,
        MoveError::NoSuchPit { pit: 9, pits: 6 },
        "move 2 of the turn 3-9: there is no pit 9 on a board of 6 pits a side",
    );
    assert_eq!(start.play_turn(&game, &[]), Err(MoveError::NoMove));
    assert_eq!(start.play(&game, 7), Err(MoveError::NoSuchPit { pit: 7, pits: 6 }));
    assert_eq!(start.play(&game, 0), Err(MoveError::NoSuchPit { pit: 0, pits: 6 }));
    let over: State = OUT.parse().unwrap();
    let error = over.play_turn(&game, &[6, 1]).unwrap_err().to_string();
    assert_eq!(error, "move 2 of the turn 6-1: no move can be played: the game is over");
    assert!(game.legal(over.play(&game, 6).unwrap().state.position()).is_empty());
}
