//! What must hold for every rule set, board and position, tried on random ones.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod written;

use kalah_rules::{
    Game, GameRules, LayerKind, Leftover, MAX_SEEDS, MAX_STORE, Margin, Next, Position, Repetition, Row, RuleSet, Side,
    SowingGame, State, explain,
};
use proptest::prelude::*;

/// All 32 rule sets of Kalah, and every option of the other games at least once.
fn rule_sets() -> impl Iterator<Item = RuleSet> {
    let kalah =
        RuleSet::PRESETS.into_iter().filter(|(preset, _)| preset.starts_with("kalah")).flat_map(|(preset, _)| {
            ["", "+leftover=out", "+leftover=last", "+leftover=none"]
                .into_iter()
                .flat_map(move |leftover| ["", "+pie"].map(|pie| format!("{preset}{leftover}{pie}").parse().unwrap()))
        });
    kalah.chain(OTHER_GAMES.into_iter().map(|text| text.parse().unwrap()))
}

const OTHER_GAMES: [&str; 23] = [
    "oware",
    "oware+slam=illegal",
    "oware+slam=takes",
    "oware+slam=forfeit",
    "oware+origin=sown",
    "oware+full=skipped",
    "oware+slam=illegal+origin=sown+full=skipped+cycle=split+pie",
    "oware+slam=forfeit+full=skipped",
    "awari",
    "awari+origin=sown",
    "awari+full=skipped+cycle=own",
    "dakon",
    "dakon+take=facing",
    "dakon+alone=bank",
    "dakon+mikul=take",
    "dakon+mikul=equal+end=row",
    "dakon+end=row+pie",
    "dakon+end=pass",
    "dakon+alone=bank+mikul=take+end=pass",
    "congkak",
    "congkak+alone=bank+mikul=equal",
    "avalanche",
    "avalanche+pie",
];

/// A pit as games have it: often empty, often small, sometimes large enough for laps.
fn pit() -> impl Strategy<Value = u32> {
    prop_oneof![4 => Just(0), 4 => 1..4u32, 3 => 4..20u32, 1 => 20..256u32]
}

prop_compose! {
    /// A board of any size with anything in its pits and stores.
    fn states()(
        pits in 1..=8u8,
        seeds in proptest::collection::vec(pit(), 16),
        stores in prop_oneof![4 => (0..40u32, 0..40u32), 1 => (0..=MAX_STORE, 0..=MAX_STORE)],
        north in any::<bool>(),
        empty in 0..8u32,
    ) -> State {
        let m = usize::from(pits);
        let mut seeds = seeds;
        // Rows with a single seed, near the end of the game, deserve more than their share.
        if empty == 0 {
            seeds[..m - 1].fill(0);
            seeds[m - 1] = 1;
        }
        let mut left = MAX_SEEDS;
        let bytes: Vec<u8> = seeds.into_iter().take(2 * m).map(|seeds| {
            let seeds = seeds.min(left);
            left -= seeds;
            seeds as u8
        }).collect();
        State::new(pits, Position::new(Row::from_pits(&bytes[..m]), Row::from_pits(&bytes[m..])))
            .with_stores(stores.0, stores.1)
            .with_to_move(if north { Side::North } else { Side::South })
    }
}

fn game(rules: &RuleSet, state: &State) -> Game {
    rules.game(state.pits()).unwrap()
}

fn nobody_gets_leftovers(rules: &RuleSet) -> bool {
    matches!(rules.game, GameRules::Kalah(kalah) if kalah.leftover == Leftover::Nobody)
}

/// The sum over all seeds of the pits still to travel to their owner's store.
fn distance(position: Position) -> u32 {
    let row = |row: Row| row.pits(8).zip(1..).map(|(seeds, pit)| u32::from(seeds) * (9 - pit)).sum::<u32>();
    row(position.mover) + row(position.opponent)
}

/// The same board with the players in each other's seats.
fn mirrored(state: &State) -> State {
    State::new(state.pits(), Position::new(state.row(Side::North), state.row(Side::South)))
        .with_stores(state.store(Side::North), state.store(Side::South))
        .with_to_move(state.to_move().other())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_seed_is_made_or_lost(state in states()) {
        for rules in rule_sets() {
            let game = game(&rules, &state);
            let cyclic = game.layer_kind() == LayerKind::Cyclic;
            prop_assert_eq!(game.keeps_parity(), !nobody_gets_leftovers(&rules) && !cyclic);
            prop_assert_eq!(game.repetition() == Repetition::Never, !cyclic);
            for pit in game.legal(state.position()) {
                let sown = game.sow(state.position(), pit);
                let gains = u32::from(sown.mover_gain) + u32::from(sown.opponent_gain);
                prop_assert_eq!(sown.position.seeds() + gains, state.position().seeds(), "{}, {}, pit {}", rules, state, pit);
                let played = state.play(&game, pit).unwrap();
                if sown.next == Next::Over {
                    let left = game.leftovers(sown.position);
                    let shared = u32::from(left.mover) + u32::from(left.opponent);
                    let expected = if nobody_gets_leftovers(&rules) { 0 } else { sown.position.seeds() };
                    prop_assert_eq!(shared, expected, "{}, {}, pit {}", rules, state, pit);
                    prop_assert_eq!(played.state.seeds() + sown.position.seeds() - shared, state.seeds());
                    prop_assert_eq!(played.state.position().seeds(), 0);
                    let stores = |state: &State, side| i64::from(state.store(side));
                    let (mover, other) = (state.to_move(), state.to_move().other());
                    let margin = stores(&played.state, mover) - stores(&played.state, other) - stores(&state, mover) + stores(&state, other);
                    prop_assert_eq!(i64::from(game.final_margin(&sown).unwrap().0), margin);
                } else {
                    prop_assert_eq!(played.state.seeds(), state.seeds(), "{}, {}, pit {}", rules, state, pit);
                    prop_assert_eq!(game.final_margin(&sown), None);
                }
            }
        }
    }

    #[test]
    fn over_means_nothing_to_play(state in states()) {
        for rules in rule_sets() {
            let game = game(&rules, &state);
            let legal = game.legal(state.position());
            prop_assert_eq!(game.over(state.position()).is_none(), !legal.is_empty());
            for pit in 0..=9 {
                prop_assert_eq!(state.play(&game, pit).is_ok(), legal.contains(pit), "{}, {}, pit {}", rules, state, pit);
            }
            for pit in legal {
                let sown = game.sow(state.position(), pit);
                let again = explain(&rules, &state, pit).unwrap().path.last() == Some(&kalah_rules::Place::Store { side: state.to_move() });
                // `position` is seen by the next player, or by the last mover when the game is over.
                let waiting_for = if sown.next == Next::Over && !again { sown.position.flipped() } else { sown.position };
                prop_assert_eq!(game.legal(waiting_for).is_empty(), sown.next == Next::Over, "{}, {}, pit {}", rules, state, pit);
                if sown.next == Next::Over && !again {
                    prop_assert_eq!(game.over(waiting_for), Some(-game.leftovers(sown.position).margin()));
                }
            }
        }
    }

    #[test]
    fn what_is_printed_is_read_back(state in states()) {
        let text = state.to_string();
        prop_assert_eq!(text.parse::<State>().unwrap(), state);
        for other in [written::dashes(&state), written::bars(&state), written::list(&state), written::lines(&state)] {
            let read = other.parse::<State>();
            prop_assert_eq!(read.as_ref(), Ok(&state), "{}", other);
        }
        for other in [text.replace(',', " "), text.replace(',', " , "), text.replace(['<', '>'], ""), format!("' {text} '"), text.to_lowercase()] {
            let read = other.parse::<State>();
            prop_assert_eq!(read.as_ref(), Ok(&state), "{}", other);
        }
    }

    #[test]
    fn reading_never_panics(text in "[<>,0-9 NSsnorthx:'\"|\\[\\]-]{0,40}|\\PC{0,20}|start:[0-9x]{0,12}|<[1-3](,[0-9]{1,3}){4,9}> ?[NSnx]?") {
        match text.parse::<State>() {
            Ok(state) => prop_assert_eq!(state.to_string().parse::<State>(), Ok(state)),
            Err(error) => prop_assert!(error.at.is_some_and(|at| at <= text.chars().count()) && !error.help().is_empty() && !error.reason.is_empty()),
        }
        if let Ok(turn) = kalah_rules::parse_turn(&text) {
            prop_assert_eq!(kalah_rules::parse_turn(&kalah_rules::turn_text(&turn)), Ok(turn));
        }
    }

    #[test]
    fn both_seats_play_the_same_game(state in states()) {
        for rules in rule_sets() {
            let game = game(&rules, &state);
            for pit in 1..=state.pits() {
                let here = state.play(&game, pit).map(|played| (mirrored(&played.state), played.next, played.mover_gain));
                let there = mirrored(&state).play(&game, pit).map(|played| (played.state, played.next, played.mover_gain));
                prop_assert_eq!(here, there, "{}, {}, pit {}", rules, state, pit);
            }
        }
    }

    #[test]
    fn distance_falls_while_all_seeds_stay(state in states()) {
        for rules in rule_sets() {
            let game = game(&rules, &state);
            // The games that are left out are shown to have cycles, in a test of their own.
            let passes = state.position().mover.is_empty();
            if game.layer_kind() == LayerKind::Cyclic || passes {
                continue;
            }
            for pit in game.legal(state.position()) {
                let sown = game.sow(state.position(), pit);
                if sown.gain() == Margin(0) {
                    prop_assert!(distance(sown.position) < distance(state.position()), "{}, {}, pit {}", rules, state, pit);
                }
            }
        }
    }

    #[test]
    fn seed_by_seed_agrees_with_the_table(state in states()) {
        for rules in rule_sets() {
            let game = game(&rules, &state);
            for pit in 1..=state.pits() {
                let told = explain(&rules, &state, pit);
                match state.play(&game, pit) {
                    Err(error) => prop_assert_eq!(told, Err(error)),
                    Ok(played) => {
                        let told = told.unwrap();
                        prop_assert_eq!((told.state, told.next, told.banked), (played.state, played.next, played.mover_gain), "{}, {}, pit {}", rules, state, pit);
                        let hand = usize::from(state.row(state.to_move()).pit(pit));
                        let relay = matches!(rules.game, GameRules::Dakon(_) | GameRules::Avalanche);
                        prop_assert!(told.path.len() == hand || relay && told.path.len() > hand);
                        let over = played.next == Next::Over;
                        let stores = [Side::South, Side::North].map(|side| played.state.store(side));
                        prop_assert_eq!(told.final_score, over.then_some(stores));
                        // A winner is named once, at the very end, and never while leftovers are still to be shared.
                        let verdicts: Vec<_> = (0..).zip(&told.sentences).filter(|(_, s)| s.contains("wins by") || s.contains("a draw")).map(|(i, _)| i).collect();
                        prop_assert_eq!(verdicts, if over { vec![told.sentences.len() - 1] } else { vec![] });
                    }
                }
            }
        }
    }
}

#[test]
fn games_with_cyclic_layers_have_cycles() {
    for rules in rule_sets() {
        let game = rules.game(2).unwrap();
        if game.layer_kind() == LayerKind::Acyclic {
            continue;
        }
        // One seed each, following each other round the board for ever.
        let start: State = "<2,0,0,1,0,1,0>".parse().unwrap();
        let mut state = start;
        for _ in 0..4 {
            let pit = game.legal(state.position()).next().unwrap();
            state = state.play(&game, pit).unwrap().state;
        }
        let turned = State::new(2, Position::new(start.row(Side::North), start.row(Side::South)));
        assert!(state == start || state == turned, "{rules}: {state}");
    }
}
