//! The numbered examples of Dakon and Congkak, and the published winning opening move by move.

use kalah_rules::{
    Begins, DakonRules, Fills, GameRules, MatchRules, MoveError, Next, Pits, Round, RuleSet, Side, State, explain,
};

/// Example, rule sets, board, pit, board afterwards, what is next.
type Example = (&'static str, &'static [&'static str], &'static str, u8, &'static str, Next);

use Next::{Again, Over, Pass};

const START: &str = "<7,0,0,7,7,7,7,7,7,7,7,7,7,7,7,7,7>";

#[rustfmt::skip]
const EXAMPLES: &[Example] = &[
    ("C-01 extra move", &["dakon", "congkak", "dakon+end=pass"], START, 1, "<7,1,0,0,8,8,8,8,8,8,7,7,7,7,7,7,7>", Again),
    ("C-02 relay and capture", &["dakon", "dakon+end=row", "dakon+alone=bank"], START, 7, "<7,10,0,8,8,8,8,8,8,0,0,8,8,8,8,0,8> N", Pass),
    ("C-02 the last seed stays", &["dakon+take=facing", "congkak"], START, 7, "<7,9,0,8,8,8,8,8,8,1,0,8,8,8,8,0,8> N", Pass),
    ("C-04 relay", &["dakon"], "<3,0,0,0,0,3,1,1,1>", 3, "<3,4,0,0,0,0,2,0,0> N", Pass),
    ("C-05 dead on the other side", &["dakon", "dakon+mikul=equal"], "<3,0,0,0,0,2,0,1,1>", 3, "<3,1,0,0,0,0,1,1,1> N", Pass),
    ("C-05 neighbours taken", &["dakon+mikul=take"], "<3,0,0,0,0,2,0,1,1>", 3, "<3,2,0,0,0,0,1,0,1> N", Pass),
    ("C-06 facing pit empty", &["dakon", "congkak"], "<3,0,0,1,0,0,2,0,0>", 1, "<3,0,0,0,1,0,2,0,0> N", Pass),
    ("C-06 banked alone", &["dakon+alone=bank"], "<3,0,0,1,0,0,2,0,0>", 1, "<3,1,0,0,0,0,2,0,0> N", Pass),
    // Equal neighbours are taken, others are not.
    ("equal neighbours", &["dakon+mikul=equal"], "<3,0,0,1,0,3,1,0,2>", 3, "<3,5,0,1,0,0,0,1,0> N", Pass),
    ("unequal neighbours", &["dakon+mikul=equal"], "<3,0,0,1,0,3,2,0,2>", 3, "<3,1,0,1,0,0,3,1,2> N", Pass),
    ("an empty row ends the round for congkak only", &["congkak"], "<3,0,0,0,0,2,0,1,1>", 3, "<3,1,3,0,0,0,0,0,0> N", Over),
    ("an extra move without seeds ends the round", &["dakon", "congkak"], "<3,0,0,0,0,1,2,0,0>", 3, "<3,1,2,0,0,0,0,0,0> N", Over),
    ("K-16 avalanche, pit 1", &["avalanche"], "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", 1, "<6,5,0,1,4,1,10,1,1,3,0,2,9,2,9> N", Pass),
    ("K-16 avalanche, pit 2", &["avalanche"], "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", 2, "<6,4,0,7,1,2,1,8,3,7,1,7,0,7,0>", Again),
    ("avalanche captures nothing", &["avalanche"], "<3,0,0,1,0,0,2,0,3>", 1, "<3,0,0,0,1,0,2,0,3> N", Pass),
    ("avalanche goes on in both rows", &["avalanche"], "<3,0,0,0,1,3,1,2,0>", 3, "<3,2,0,1,0,1,2,0,1>", Again),
    ("an empty row ends avalanche", &["avalanche"], "<3,2,2,0,0,2,0,1,1>", 3, "<3,3,5,0,0,0,0,0,0> N", Over),
    ("a player without seeds passes", &["dakon+end=pass"], "<3,4,1,0,0,0,0,2,1>", 1, "<3,4,1,0,0,0,0,2,1> N", Pass),
];

#[test]
fn every_example_comes_out_as_written() {
    let mut wrong = Vec::new();
    for &(name, rule_sets, board, pit, after, next) in EXAMPLES {
        for rules in rule_sets {
            let rules: RuleSet = rules.parse().unwrap();
            let state: State = board.parse().unwrap();
            let played = state.play(&rules.game(state.pits()).unwrap(), pit).unwrap();
            if (played.state.to_string().as_str(), played.next) != (after, next) {
                wrong.push(format!(
                    "{name}, {rules}: found {} {:?}, expected {after} {next:?}",
                    played.state, played.next
                ));
            }
            let told = explain(&rules, &state, pit).unwrap();
            assert_eq!(
                (told.state, told.next, told.banked),
                (played.state, played.next, played.mover_gain),
                "{name}: {told}"
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn c_03_every_other_first_move_captures() {
    for (rules, store) in [("dakon", 10), ("dakon+take=facing", 9), ("congkak", 9)] {
        let game = rules.parse::<RuleSet>().unwrap().game(7).unwrap();
        for pit in 2..=7 {
            let played = START.parse::<State>().unwrap().play(&game, pit).unwrap();
            assert_eq!((played.next, played.state.store(Side::South)), (Pass, store), "{rules}, pit {pit}");
        }
    }
}

/// Found by hand in the Maldives, printed by van den Herik, Uiterwijk and van Rijswijck (2002).
const OPENING: &str = "1 8 8 6 4 6 2 3 7 4 5 1 8 8 3 8 4 8 7 8 5 2 7 8 6 5 6 3 7 4 5 2 5 8 8 6 8 3 8 5 8 7 4 8 7 8 7 8 8 6 8 7 8 4 8 6 8 \
                       3 8 6 8 5 8 6 1 8 7 8 5 8 4 6 7 8 8 5 6 8 3 8 1 8 7 8 2 8 6 8 5 8 6 8 3";

#[test]
fn the_published_winning_opening_is_one_turn() {
    let rules: RuleSet = "dakon".parse().unwrap();
    let game = rules.game(8).unwrap();
    let turn: Vec<u8> = OPENING.split_whitespace().map(|pit| pit.parse().unwrap()).collect();
    assert_eq!(turn.len(), 93);
    let mut state = State::start(8, 8).unwrap();
    let mut laps = 0;
    for (i, &pit) in turn.iter().enumerate() {
        let told = explain(&rules, &state, pit).unwrap();
        laps += 1 + told.sentences.iter().filter(|sentence| sentence.contains("so the sow goes on")).count();
        let played = state.play(&game, pit).unwrap();
        assert_eq!(played.next == Again, i + 1 < turn.len(), "move {}", i + 1);
        assert_eq!(told.captured > 0, i + 1 == turn.len(), "move {}", i + 1);
        state = played.state;
    }
    assert_eq!(laps, 168);
    let row = |side| state.row(side).seeds();
    assert_eq!((state.store(Side::South), row(Side::South), row(Side::North)), (124, 1, 3));
}

#[test]
fn c_07_a_burnt_pit_is_jumped() {
    let rows = [vec![Some(1), Some(0), Some(2)], vec![None, Some(1), Some(1)]];
    let mut round = Round::new(DakonRules::default(), rows, [0, 0], Side::South).unwrap();
    assert_eq!(round.play(3), Ok(Pass));
    assert_eq!((round.row(Side::South), round.store(Side::South)), (&[Some(0), Some(1), Some(1)][..], 1));
    assert_eq!(round.row(Side::North), [None, Some(0), Some(2)]);
    assert_eq!(round.play(1), Err(MoveError::Empty { pit: 1, legal: Pits(0b100) }));
}

#[test]
fn c_08_the_next_round() {
    let rules = MatchRules::default();
    let next = Round::refilled(&rules, 7, 7, [55, 43], Side::South).unwrap().unwrap();
    assert_eq!(next.row(Side::South), [Some(7); 7]);
    assert_eq!(next.row(Side::North), [None, Some(7), Some(7), Some(7), Some(7), Some(7), Some(7)]);
    assert_eq!((next.store(Side::South), next.store(Side::North)), (6, 1));
    let towards = MatchRules { fills: Fills::TowardsStore, ..rules };
    assert!(Round::refilled(&towards, 7, 7, [55, 43], Side::South).unwrap().unwrap().is_burnt(Side::North, 7));
    // Six seeds fill no pit: the match is over.
    assert_eq!(Round::refilled(&rules, 7, 7, [92, 6], Side::South), Ok(None));
    let four = MatchRules { least_pits: 4, ..rules };
    assert_eq!(Round::refilled(&four, 7, 7, [71, 27], Side::South), Ok(None));
    for (begins, side) in
        [(Begins::Winner, Side::South), (Begins::Loser, Side::North), (Begins::LastMover, Side::North)]
    {
        let rules = MatchRules { begins, ..rules };
        assert_eq!(next.next_to_begin(&rules, Side::North, Side::North), side);
    }
}

#[test]
fn rounds_without_burnt_pits_are_dakon() {
    for rules in ["dakon", "dakon+take=facing+mikul=take", "dakon+alone=bank+mikul=equal+end=pass", "congkak"] {
        let rules: RuleSet = rules.parse().unwrap();
        let GameRules::Dakon(dakon) = rules.game else { panic!("{rules}") };
        for (pits, seeds) in [(1, 5), (3, 3), (4, 2), (7, 7)] {
            let game = rules.game(pits).unwrap();
            for choice in 0..40 {
                let mut state = State::start(pits, seeds).unwrap();
                let rows = [vec![Some(seeds); usize::from(pits)], vec![Some(seeds); usize::from(pits)]];
                let mut round = Round::new(dakon, rows, [0, 0], Side::South).unwrap();
                for ply in 0.. {
                    let legal: Vec<u8> = kalah_rules::SowingGame::legal(&game, state.position()).collect();
                    let pit = legal[(choice * 7 + ply * ply * (choice + 1)) % legal.len()];
                    let played = state.play(&game, pit).unwrap();
                    assert_eq!(round.play(pit), Ok(played.next), "{rules}: {state}, pit {pit}");
                    state = played.state;
                    for side in [Side::South, Side::North] {
                        assert_eq!(round.store(side), state.store(side), "{rules}: {state}");
                        let row: Vec<u32> = round.row(side).iter().map(|held| held.unwrap()).collect();
                        assert_eq!(
                            row,
                            state.row(side).pits(pits).map(u32::from).collect::<Vec<_>>(),
                            "{rules}: {state}"
                        );
                    }
                    if played.next == Over {
                        break;
                    }
                }
                assert_eq!(round.play(1), Err(MoveError::Over));
            }
        }
    }
}
