//! Layers, search and a plain minimax give the same values; and mistakes that other solvers made stay away.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::retrograde::{BuildOptions, Unwatched, build};
use kalah::{Answer, Bound, Bounds, Limits, Options, Solver, SolverError, Source, Worth};
use kalah_brute_force::Minimax;
use kalah_rules::{Game, Margin, Next, Position, Row, RuleSet, Side, SowingGame, State};
use proptest::prelude::*;
use std::path::Path;

const OPTIONS: Options = Options { table_bytes: 1 << 20, threads: 1 };

fn minimax(rules: &str, pits: u8) -> Minimax<Game> {
    Minimax::new(rules.parse::<RuleSet>().unwrap().game(pits).unwrap())
}

/// What South's store holds more than North's.
fn lead(state: &State) -> i64 {
    i64::from(state.store(Side::South)) - i64::from(state.store(Side::North))
}

/// Who has more seeds at the end, if anybody.
fn leader(totals: &[u32; 2]) -> Option<Side> {
    match totals[0].cmp(&totals[1]) {
        std::cmp::Ordering::Greater => Some(Side::South),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(Side::North),
    }
}

/// How many sows the game still lasts where both keep their values, the leader makes it short and the other one long.
fn sows_left(game: &Game, state: State, leader: Side, plain: &mut Minimax<Game>) -> i64 {
    let lengths: Vec<i64> = plain
        .best_pits(state.position())
        .into_iter()
        .map(|pit| {
            let played = state.play(game, pit).unwrap();
            if played.next == Next::Over { 1 } else { 1 + sows_left(game, played.state, leader, plain) }
        })
        .collect();
    let best = if state.to_move() == leader { lengths.iter().min() } else { lengths.iter().max() };
    *best.unwrap()
}

/// Moves with a lower place are taken first among those that keep the value.
fn place(game: &Game, state: State, pit: u8, leader: Option<Side>, plain: &mut Minimax<Game>) -> i64 {
    let (Some(leader), played) = (leader, state.play(game, pit).unwrap()) else { return 0 };
    let length = if played.next == Next::Over { 1 } else { 1 + sows_left(game, played.state, leader, plain) };
    if state.to_move() == leader { length } else { -length }
}

/// Everything an exact answer says, against the plain minimax and the rules.
fn is_true(answer: &Answer, plain: &mut Minimax<Game>) {
    let (rules, state) = (answer.rules, answer.position);
    let game = rules.game(state.pits()).unwrap();
    let position = state.position();
    let value = plain.value(position);
    assert_eq!((answer.worth.value_mover, answer.worth.bound), (Some(value), Bound::Exact), "{rules} {state}");
    let sign = |side| if side == Side::South { 1 } else { -1 };
    assert_eq!(answer.worth.value_south, Some(Margin(sign(state.to_move()) * value.0)));
    assert_eq!(answer.moves.len() as u32, game.legal(position).len());
    for found in &answer.moves {
        let truth = plain.move_value(position, found.pit);
        assert_eq!(found.worth.value_mover, Some(truth), "{rules} {state} pit {}", found.pit);
        assert_eq!(found.loss, Some(value - truth));
        assert_eq!(found.best, Some(truth == value));
        assert_eq!(found.extra, game.sow(position, found.pit).next == Next::Again);
        assert_eq!(found.position, state.play(&game, found.pit).unwrap().state);
    }
    let inside = |state: &State| answer.database_layers.is_some_and(|most| state.position().seeds() <= most);
    let leader = leader(&answer.final_totals.unwrap());
    let mut order: Vec<u8> = game.legal(position).collect();
    order.sort_by_key(|&pit| {
        let own = plain.move_value(position, pit);
        let place = if own == value && inside(&state) { place(&game, state, pit, leader, plain) } else { 0 };
        (std::cmp::Reverse(own), place, std::cmp::Reverse(pit))
    });
    assert_eq!(answer.moves.iter().map(|found| found.pit).collect::<Vec<_>>(), order, "{rules} {state}");
    let line: Vec<u8> = answer.pv.iter().filter_map(|step| step.pit()).collect();
    let mut end = state;
    for &pit in &line {
        if inside(&end) {
            let first = plain
                .best_pits(end.position())
                .into_iter()
                .min_by_key(|&other| (place(&game, end, other, leader, plain), std::cmp::Reverse(other)));
            assert_eq!(Some(pit), first, "{rules} {state}, at {end}");
        }
        end = end.play(&game, pit).unwrap().state;
    }
    let totals = if answer.source == Source::Finished {
        answer.pv_final.unwrap()
    } else {
        assert_eq!(end.position(), Position::default(), "the line goes on to the end");
        [end.store(Side::South), end.store(Side::North)]
    };
    assert_eq!((answer.pv_final, answer.final_totals), (Some(totals), Some(totals)));
    let won = |side: Side| i64::from(totals[side as usize]) - i64::from(state.store(side));
    assert_eq!(won(state.to_move()) - won(state.to_move().other()), i64::from(value.0), "{rules} {state}");
    let turns: Vec<u8> = answer.pv_turns.iter().flat_map(|turn| turn.pits.clone()).collect();
    assert_eq!(turns, line);
}

/// Layers with up to `seeds` seeds.
fn layers(directory: &Path, rules: &str, pits: u8, seeds: u32) -> Solver {
    let rules: RuleSet = rules.parse().unwrap();
    build(directory, &rules, pits, seeds, &BuildOptions::default(), &Unwatched).unwrap();
    Solver::open(directory, rules, pits, OPTIONS).unwrap()
}

const RULES: [&str; 10] = [
    "kalah",
    "kalah-empty",
    "kalah-stuck",
    "kalah-empty-stuck",
    "kalah+leftover=out",
    "kalah-empty+leftover=last",
    "kalah-stuck+leftover=none",
    "dakon",
    "congkak+alone=bank",
    "avalanche",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn with_many_few_or_no_layers(
        pits in 1u8..=4,
        south in proptest::collection::vec(0u8..4, 4),
        north in proptest::collection::vec(0u8..4, 4),
        stores in (0u32..20, 0u32..20),
        north_moves: bool,
        rules in 0..RULES.len(),
    ) {
        let row = |seeds: &[u8]| Row::from_pits(&seeds[..usize::from(pits)]);
        let to_move = if north_moves { Side::North } else { Side::South };
        let state = State::new(pits, Position::new(row(&south), row(&north)))
            .with_stores(stores.0, stores.1)
            .with_to_move(to_move);
        let seeds = state.position().seeds();
        let mut plain = minimax(RULES[rules], pits);
        let directory = tempfile::tempdir().unwrap();
        let rules = RULES[rules];
        let none = Solver::without_layers(rules.parse().unwrap(), pits, OPTIONS).unwrap();
        let few = layers(directory.path(), rules, pits, seeds / 2);
        let almost = layers(directory.path(), rules, pits, seeds.max(1) - 1);
        let all = layers(directory.path(), rules, pits, seeds);
        for (solver, source) in [(none, Source::Search), (few, Source::Search), (almost, Source::Search), (all, Source::Database)] {
            let answer = solver.analyse(&state, &Limits::default()).unwrap();
            is_true(&answer, &mut plain);
            if answer.source != Source::Finished && seeds > 1 {
                prop_assert_eq!(answer.source, source);
                prop_assert!(answer.nodes + answer.database_probes > 0 || answer.moves.iter().all(|found| found.position.position().seeds() == 0));
            }
        }
    }

    #[test]
    fn bounds_under_a_limit_are_true(
        south in proptest::collection::vec(0u8..4, 4),
        north in proptest::collection::vec(0u8..4, 4),
        nodes in 0u64..600,
        rules in 0..RULES.len(),
    ) {
        let state = State::new(4, Position::new(Row::from_pits(&south), Row::from_pits(&north)));
        let rules: RuleSet = RULES[rules].parse().unwrap();
        let solver = Solver::without_layers(rules, 4, OPTIONS).unwrap();
        let answer = solver.analyse(&state, &Limits { nodes: Some(nodes), ..Limits::default() }).unwrap();
        let game = rules.game(4).unwrap();
        let mut plain = Minimax::new(game);
        let holds = |worth: &Worth, truth: Margin| {
            let south = if state.to_move() == Side::South { truth } else { -truth };
            let end = lead(&state) + i64::from(south.0);
            worth.mover.contains(truth)
                && worth.south.contains(south)
                && (worth.end_south.lower..=worth.end_south.upper).contains(&end)
                && worth.value_mover == worth.mover.exact()
                && worth.value_south == worth.south.exact()
        };
        let truth = plain.value(state.position());
        prop_assert!(holds(&answer.worth, truth), "{:?}", answer);
        let all = answer.moves.iter().all(|found| found.worth.bound == Bound::Exact);
        prop_assert_eq!(answer.is_complete(), answer.worth.bound == Bound::Exact && all && answer.pv_final.is_some());
        let mut all_moves = Vec::new();
        for found in &answer.moves {
            let own = plain.move_value(state.position(), found.pit);
            prop_assert!(holds(&found.worth, own), "{:?}", found);
            // The seeds that a move brings and those that are left say that much of every move: it is no knowledge.
            let sown = game.sow(state.position(), found.pit);
            let left = Margin(sown.position.seeds() as i16);
            let trivial = Bounds { lower: sown.gain() - left, upper: sown.gain() + left };
            prop_assert_eq!(found.worth.bound, Bound::within(found.worth.mover, trivial));
            all_moves.push(trivial);
            prop_assert!(found.best.is_none_or(|best| best == (own == truth)), "{:?}", found);
        }
        let most = |end: fn(&Bounds) -> Margin| all_moves.iter().map(end).max();
        if let (Some(lower), Some(upper)) = (most(|own| own.lower), most(|own| own.upper)) {
            prop_assert_eq!(answer.worth.bound, Bound::within(answer.worth.mover, Bounds { lower, upper }));
        }
    }
}

#[test]
fn wins_and_losses_depend_on_the_rules_as_published() {
    for (position, values) in [
        // Capture from an empty facing pit; the end when the mover is stuck. In the order of RULES.
        ("<3,0,0,0,1,0,0,0,2>", [1, -1]),
        ("<6,22,23,0,0,0,0,1,0,0,0,0,0,0,2>", [1, -1]),
    ] {
        for (rules, value) in RULES.iter().zip(values) {
            let state: State = position.parse().unwrap();
            let solver = Solver::without_layers(rules.parse().unwrap(), state.pits(), OPTIONS).unwrap();
            let answer = solver.analyse(&state, &Limits::default()).unwrap();
            assert_eq!(answer.worth.value_south, Some(Margin(value)), "{rules} {position}");
            is_true(&answer, &mut minimax(&answer.rules.to_string(), answer.position.pits()));
        }
    }
}

#[test]
fn the_winner_is_named_after_the_sweep() {
    // South leads 11 to 8 when its row runs empty; North owns the six seeds that are left.
    let state: State = "<6,10,8,0,0,0,0,0,1,2,0,3,0,0,1>".parse().unwrap();
    for (rules, totals) in [
        ("kalah", [11, 14]),
        ("kalah+leftover=out", [17, 8]),
        ("kalah+leftover=last", [17, 8]),
        ("kalah+leftover=none", [11, 8]),
    ] {
        let solver = Solver::without_layers(rules.parse().unwrap(), 6, OPTIONS).unwrap();
        assert_eq!(solver.analyse(&state, &Limits::default()).unwrap().final_totals, Some(totals), "{rules}");
    }
}

#[test]
fn a_position_already_over_is_answered() {
    for (position, rules, value, totals) in [
        ("<3,4,1,0,0,0,1,2,0>", "kalah", -3, [4, 4]),
        ("<3,4,1,0,0,0,1,2,0> N", "kalah", 3, [4, 4]),
        ("<3,4,1,0,0,0,1,2,0> N", "kalah+leftover=out", -3, [7, 1]),
        ("<3,4,1,0,0,0,1,2,0>", "kalah+leftover=none", 0, [4, 1]),
        ("<3,4,1,0,0,0,0,0,0>", "kalah-stuck", 0, [4, 1]),
    ] {
        let solver = Solver::without_layers(rules.parse().unwrap(), 3, OPTIONS).unwrap();
        let answer = solver.analyse(&position.parse().unwrap(), &Limits::default()).unwrap();
        assert_eq!(answer.source, Source::Finished, "{rules} {position}");
        assert_eq!(answer.worth.value_mover, Some(Margin(value)), "{rules} {position}");
        assert_eq!((answer.final_totals, answer.worth.bound), (Some(totals), Bound::Exact), "{rules} {position}");
        assert!(answer.moves.is_empty() && answer.pv.is_empty() && answer.is_complete());
    }
    // The same board with North to move is not over when only a stuck mover ends the game.
    let solver = Solver::without_layers("kalah-stuck".parse().unwrap(), 3, OPTIONS).unwrap();
    let answer = solver.analyse(&"<3,4,1,0,0,0,1,2,0> N".parse().unwrap(), &Limits::default()).unwrap();
    assert_eq!(answer.source, Source::Search);
    is_true(&answer, &mut minimax(&answer.rules.to_string(), answer.position.pits()));
}

#[test]
fn the_largest_margins_are_stored_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let solver = layers(directory.path(), "kalah", 1, 127);
    let mut plain = minimax("kalah", 1);
    let mut extremes = Vec::new();
    for own in 1..127u8 {
        let state = State::new(1, Position::new(Row::from_pits(&[own]), Row::from_pits(&[127 - own])));
        let answer = solver.analyse(&state, &Limits::default()).unwrap();
        assert_eq!(answer.source, Source::Database);
        is_true(&answer, &mut plain);
        extremes.extend(answer.worth.value_mover);
    }
    assert!(extremes.iter().any(|value| value.0.abs() > 100), "{extremes:?}");
}

#[test]
fn layers_of_one_rule_set_are_not_seen_by_another() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(layers(directory.path(), "kalah", 3, 5).layers(), Some(5));
    let other =
        |rules: &str, pits| Solver::open(directory.path(), rules.parse().unwrap(), pits, OPTIONS).unwrap().layers();
    assert_eq!(other("kalah+pie", 3), Some(5), "the pie rule changes no position");
    assert_eq!(other("kalah-empty", 3), None);
    assert_eq!(other("kalah+leftover=none", 3), None);
    assert_eq!(other("kalah", 4), None);
    let board = Solver::open(directory.path(), "kalah".parse().unwrap(), 3, OPTIONS).unwrap();
    let error = board.analyse(&"start:4x1".parse().unwrap(), &Limits::default()).unwrap_err();
    assert!(matches!(error, SolverError::OtherBoard { expected: 3, found: 4 }), "{error}");
}

#[test]
fn a_stop_flag_ends_a_search_with_what_is_proved() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let solver = Solver::without_layers("kalah".parse().unwrap(), 6, OPTIONS).unwrap();
    let answer = solver.solve(6, &Limits { stop: Some(&stop), ..Limits::default() }).unwrap();
    assert!(!answer.is_complete() && answer.worth.bound != Bound::Exact);
    assert!(answer.nodes < 10_000_000);
}

/// The first moves of Kalah(6,4), as independent programs computed them; takes about a minute on two cores.
#[test]
#[ignore = "about a minute; run with: cargo test -p kalah -- --ignored"]
fn kalah_6_4_and_its_first_moves() {
    for (rules, value, moves) in [("kalah", 8, [-14, -10, 8, -2, -8, 4]), ("kalah-empty", 10, [-14, -8, 10, -2, -6, 4])]
    {
        let directory = tempfile::tempdir().unwrap();
        let options = Options { table_bytes: 256 << 20, threads: 2 };
        let parsed: RuleSet = rules.parse().unwrap();
        build(directory.path(), &parsed, 6, 20, &BuildOptions::default(), &Unwatched).unwrap();
        let solver = Solver::open(directory.path(), parsed, 6, options).unwrap();
        let answer = solver.solve(4, &Limits::default()).unwrap();
        assert!(answer.is_complete(), "{rules}");
        assert_eq!(answer.exact(), Some(Margin(value)), "{rules}");
        for (pit, truth) in (1..).zip(moves) {
            assert_eq!(answer.pit(pit).unwrap().worth.value_mover, Some(Margin(truth)), "{rules}, pit {pit}");
        }
        assert_eq!(answer.pv_turns[0].to_string(), "3-6", "{rules}");
    }
}
