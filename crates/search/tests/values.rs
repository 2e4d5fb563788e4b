//! Search with, with less and without an oracle, with large and with tiny tables, against plain minimax.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use kalah_brute_force::{Minimax, Needs, positions, small_starts};
use kalah_rules::{Margin, Next, Position, Row, SowingGame, State};
use kalah_search::{Answer, Bounds, Goal, Limits, NoOracle, Options, Oracle, Search, Stopped, Ties};
use proptest::prelude::*;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use support::{Known, RULES, game};

fn every_move<O: Oracle>(rules: &str, pits: u8, oracle: &O, position: Position, table_bytes: usize) -> Answer {
    let options = Options { table_bytes, ..Options::default() };
    let mut search = Search::new(game(rules, pits), oracle, position.seeds(), options).unwrap();
    search.solve(position, Goal::EveryMove, None, Limits::default()).unwrap()
}

/// Checks the value and that of every move against minimax.
fn agrees(rules: &str, pits: u8, position: Position, answer: &Answer) -> Result<(), TestCaseError> {
    let game = game(rules, pits);
    let mut minimax = Minimax::new(game);
    prop_assert_eq!(answer.stopped, None);
    prop_assert_eq!(answer.bounds.exact(), Some(minimax.value(position)), "{} {:?}", rules, position);
    prop_assert_eq!(answer.moves.len() as u32, game.legal(position).len());
    for m in &answer.moves {
        prop_assert_eq!(m.sown, game.sow(position, m.pit));
        prop_assert_eq!(
            m.bounds.exact(),
            Some(minimax.move_value(position, m.pit)),
            "{} {:?} pit {}",
            rules,
            position,
            m.pit
        );
    }
    Ok(())
}

/// Oracles of 5 and 6 seeds on three pits for every rule set.
static ORACLES: LazyLock<Vec<(Known, Known)>> =
    LazyLock::new(|| RULES.map(|rules| (Known::new(game(rules, 3), 6), Known::new(game(rules, 3), 7))).into());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn three_pits_with_and_without_oracles(rules in 0..RULES.len(), position in positions(3, 14)) {
        for bytes in [64, 1 << 16] {
            let (less, more) = &ORACLES[rules];
            let without = every_move(RULES[rules], 3, &NoOracle, position, bytes);
            agrees(RULES[rules], 3, position, &without)?;
            for answer in [every_move(RULES[rules], 3, less, position, bytes), every_move(RULES[rules], 3, more, position, bytes)] {
                prop_assert_eq!(answer.bounds, without.bounds);
                prop_assert_eq!(answer.moves, without.moves.clone());
            }
        }
    }

    #[test]
    fn other_boards(rules in 0..RULES.len(), (pits, position) in (1u8..=8).prop_flat_map(|pits| (Just(pits), positions(pits, 9)))) {
        for bytes in [64, 1 << 12, 1 << 20] {
            agrees(RULES[rules], pits, position, &every_move(RULES[rules], pits, &NoOracle, position, bytes))?;
        }
    }

    #[test]
    fn lines_end_at_the_value(rules in 0..RULES.len(), (pits, position) in (2u8..=6).prop_flat_map(|pits| (Just(pits), positions(pits, 12)))) {
        replays(RULES[rules], pits, position)?;
    }

    #[test]
    fn limits_leave_honest_bounds(rules in 0..RULES.len(), position in positions(3, 14), nodes in 0u64..2000) {
        let game = game(RULES[rules], 3);
        let value = Minimax::new(game).value(position);
        let mut search = Search::new(game, &NoOracle, 14, Options { table_bytes: 1 << 12, ..Options::default() }).unwrap();
        let answer = search.solve(position, Goal::EveryMove, None, Limits::default().nodes(nodes)).unwrap();
        prop_assert!(answer.bounds.contains(value), "{} is not {}", value, answer.bounds);
        // What was proved before is used, not proved again.
        let again = search.solve(position, Goal::EveryMove, None, Limits::default()).unwrap();
        prop_assert_eq!(again.bounds, Bounds::just(value));
        for (part, whole) in again.moves.iter().filter_map(|m| answer.moves.iter().find(|n| n.pit == m.pit).map(|n| (n, m))) {
            prop_assert!(part.bounds.contains(whole.bounds.lower));
        }
    }
}

/// Plays the lines of best play out and checks that they end at the value.
fn replays(rules: &str, pits: u8, start: Position) -> Result<(), TestCaseError> {
    [Ties::Known, Ties::Nearest].into_iter().try_for_each(|ties| replays_with(rules, pits, start, ties))
}

fn replays_with(rules: &str, pits: u8, start: Position, ties: Ties) -> Result<(), TestCaseError> {
    let game = game(rules, pits);
    let mut search =
        Search::new(game, &NoOracle, start.seeds(), Options { table_bytes: 1 << 20, ..Options::default() }).unwrap();
    let answer = search.solve(start, Goal::Value, None, Limits::default()).unwrap();
    let value = answer.bounds.exact().unwrap();
    let line = search.line(start, value, ties, Limits::default()).unwrap();
    let (mut position, mut margin, mut sign) = (start, Margin(0), 1);
    for pit in line.pits.unwrap() {
        prop_assert!(game.legal(position).contains(pit), "pit {} is not legal in {:?}", pit, position);
        let sown = game.sow(position, pit);
        margin = margin + Margin(sign * game.final_margin(&sown).unwrap_or(sown.gain()).0);
        match sown.next {
            Next::Over => {
                prop_assert_eq!(margin, value);
                return Ok(());
            }
            Next::Again => {}
            Next::Pass => sign = -sign,
        }
        position = sown.position;
    }
    prop_assert!(game.over(position).is_some(), "the line of {:?} stops before the end", start);
    prop_assert_eq!(Margin(game.over(position).unwrap().0), value);
    Ok(())
}

#[test]
fn small_boards() {
    let starts = || small_starts().filter(|start| !start.rules.pie && start.needs <= Needs::Search);
    assert!(starts().count() > 80);
    for small in starts() {
        let start = State::start(small.pits, small.seeds).unwrap().position();
        let game = small.rules.game(small.pits).unwrap();
        let mut search = Search::new(game, &NoOracle, start.seeds(), Options::default()).unwrap();
        let answer = search.solve(start, Goal::Value, None, Limits::default()).unwrap();
        assert_eq!(answer.bounds, Bounds::just(small.value), "{small:?}");
        assert_eq!(answer.best().unwrap().bounds.lower, small.value);
    }
}

#[test]
fn the_bench_set_has_its_values() {
    let nodes: Vec<u64> = kalah_search::BENCH
        .iter()
        .map(|search| {
            let (value, stats) = search.run().unwrap();
            assert_eq!(value, Some(search.value), "{search:?}");
            stats.nodes
        })
        .collect();
    // A change of this number is a change of the search's behaviour: say so, and why, when you change it.
    assert_eq!(nodes.iter().sum::<u64>(), NODES, "{nodes:?}");
}

/// What the bench set takes.
const NODES: u64 = 676_518;

#[test]
fn lines_of_starts_replay() {
    for (rules, pits, seeds) in
        [("kalah", 4, 3), ("kalah-empty", 4, 4), ("kalah-stuck", 3, 4), ("kalah+leftover=none", 3, 4)]
    {
        replays(rules, pits, State::start(pits, seeds).unwrap().position()).unwrap();
    }
}

#[test]
fn boards_that_need_two_words_an_entry() {
    // Eight pits with 10 seeds and a table of one bucket: the rest of the code leaves no room in one word.
    let position = Position::new(Row::from_pits(&[0, 1, 1, 0, 2, 0, 1, 0]), Row::from_pits(&[1, 0, 1, 0, 0, 2, 0, 1]));
    for rules in RULES {
        for bytes in [64, 1 << 14] {
            let options = Options { table_bytes: bytes, ..Options::default() };
            // Set up for 255 seeds: the codes have 85 bits.
            let mut search = Search::new(game(rules, 8), &NoOracle, 255, options).unwrap();
            let answer = search.solve(position, Goal::EveryMove, None, Limits::default()).unwrap();
            agrees(rules, 8, position, &answer).unwrap();
        }
    }
}

#[test]
fn stops_are_named() {
    let start = State::start(6, 5).unwrap().position();
    let options = Options { table_bytes: 1 << 16, ..Options::default() };
    let mut search = Search::new(game("kalah", 6), &NoOracle, 60, options).unwrap();
    let set = AtomicBool::new(true);
    let soon = std::time::Duration::from_millis(20);
    for (limits, reason) in [
        (Limits::default().nodes(10_000), Stopped::Nodes),
        (Limits::default().time(soon), Stopped::Time),
        (Limits::default().stop(&set), Stopped::Asked),
    ] {
        let answer = search.solve(start, Goal::Value, None, limits).unwrap();
        assert_eq!(answer.stopped, Some(reason));
        assert!(answer.bounds.contains(Margin(10)), "(6,5) is +10, not {}", answer.bounds);
        assert_eq!(answer.bounds.exact(), None);
        assert!(answer.stats.nodes < 20_000_000);
    }
}

#[test]
fn reports_come_from_a_running_search() {
    let start = State::start(6, 5).unwrap().position();
    let options = Options { table_bytes: 1 << 16, ..Options::default() };
    let mut search = Search::new(game("kalah", 6), &NoOracle, 60, options).unwrap();
    let stop = AtomicBool::new(false);
    let report = |progress: &kalah_search::Progress| {
        assert!(progress.stats.nodes > 0);
        assert!(progress.bounds.contains(Margin(10)));
        stop.store(true, Relaxed);
    };
    let limits = Limits::default().stop(&stop).report(std::time::Duration::from_millis(1), &report);
    assert_eq!(search.solve(start, Goal::Value, None, limits).unwrap().stopped, Some(Stopped::Asked));
}

#[test]
fn wrong_values_have_no_line_and_large_positions_are_refused() {
    let mut search =
        Search::new(game("kalah", 4), &NoOracle, 24, Options { table_bytes: 1 << 20, ..Options::default() }).unwrap();
    let start = State::start(4, 3).unwrap().position();
    for (wrong, ties) in [(4, Ties::Nearest), (8, Ties::Nearest), (4, Ties::Known), (8, Ties::Known)] {
        assert_eq!(search.line(start, Margin(wrong), ties, Limits::default()).unwrap().pits, None, "+{wrong}");
    }
    let large = State::start(4, 4).unwrap().position();
    let message = search.solve(large, Goal::Value, None, Limits::default()).unwrap_err().to_string();
    assert!(message.contains("32") && message.contains("24"), "{message}");
    let finished = Position::new(Row::from_pits(&[0, 0, 0, 0]), Row::from_pits(&[1, 2, 0, 0]));
    let answer = search.solve(finished, Goal::EveryMove, None, Limits::default()).unwrap();
    assert_eq!((answer.bounds, answer.moves.len()), (Bounds::just(Margin(-3)), 0));
    assert_eq!(search.line(finished, Margin(-3), Ties::Nearest, Limits::default()).unwrap().pits, Some(Vec::new()));
}

#[test]
fn threads_change_no_value() {
    for (rules, pits, seeds) in
        [("kalah", 4, 3), ("kalah-empty", 3, 4), ("kalah-stuck", 3, 4), ("kalah+leftover=none", 3, 4)]
    {
        let start = State::start(pits, seeds).unwrap().position();
        let mut first: Option<(Bounds, Vec<_>)> = None;
        for (round, threads) in [1, 2, 7, 2, 7].into_iter().enumerate() {
            // Tables so small that entries push each other out all the time, and a roomy one.
            for table_bytes in [1 << 13, 1 << 20] {
                let options = Options { table_bytes, threads };
                let mut search = Search::new(game(rules, pits), &NoOracle, start.seeds(), options).unwrap();
                let answer = search.solve(start, Goal::EveryMove, None, Limits::default()).unwrap();
                let line =
                    search.line(start, answer.bounds.exact().unwrap(), Ties::Nearest, Limits::default()).unwrap().pits;
                let found = (answer.bounds, answer.moves.iter().map(|m| (m.pit, m.bounds)).collect::<Vec<_>>());
                assert!(line.is_some());
                let first = first.get_or_insert_with(|| found.clone());
                assert_eq!(
                    *first, found,
                    "{rules} ({pits},{seeds}), round {round}, {threads} threads, {table_bytes} bytes"
                );
            }
        }
    }
}

#[test]
fn one_thread_always_does_the_same() {
    let stats = || {
        let start = State::start(5, 3).unwrap().position();
        let options = Options { table_bytes: 1 << 14, threads: 1 };
        let mut search = Search::new(game("kalah", 5), &NoOracle, start.seeds(), options).unwrap();
        search.solve(start, Goal::EveryMove, None, Limits::default()).unwrap().stats
    };
    assert_eq!(stats(), stats());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn one_question_is_answered_as_minimax_says(
        rules in 0..RULES.len(), position in positions(3, 14), window in -15i16..=15, threads in 1usize..3
    ) {
        let (less, _) = &ORACLES[rules];
        let game = game(RULES[rules], 3);
        let value = Minimax::new(game).value(position);
        let options = Options { table_bytes: 1 << 12, threads };
        let mut searches = (
            Search::new(game, &NoOracle, 14, options).unwrap(),
            Search::new(game, less, 14, options).unwrap(),
        );
        let window = Margin(window);
        for answer in [
            searches.0.at_least(position, window, Limits::default()).unwrap(),
            searches.1.at_least(position, window, Limits::default()).unwrap(),
        ] {
            prop_assert_eq!(answer.stopped, None);
            prop_assert!(answer.bounds.contains(value), "{} is not {}", value, answer.bounds);
            let decided = answer.bounds.lower >= window || answer.bounds.upper < window;
            prop_assert!(decided, "{} does not answer {}", answer.bounds, window);
        }
    }
}
