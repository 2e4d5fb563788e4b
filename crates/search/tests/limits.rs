//! Limits are obeyed whatever the table's size, and work gets as many threads as it is worth. The tests count work, not time.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use kalah_rules::{Margin, Position, State};
use kalah_search::{Goal, Limits, NoOracle, Options, Oracle, Search, Stopped};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::ThreadId;
use support::game;

/// A large table whose pages nobody has touched.
const LARGE: Options = Options { table_bytes: 4 << 30, threads: 1 };

/// Guesses a value for everything with up to 40 seeds, counts its questions and notes who asks.
#[derive(Default)]
struct Witness {
    questions: AtomicU64,
    /// The flag is set at this question.
    stop_at: Option<u64>,
    stop: AtomicBool,
    threads: Mutex<HashSet<ThreadId>>,
}

impl Oracle for Witness {
    fn value(&self, position: Position, seeds: u32) -> Option<Margin> {
        let question = self.questions.fetch_add(1, Relaxed) + 1;
        if self.stop_at.is_some_and(|at| question >= at) {
            self.stop.store(true, Relaxed);
        }
        self.threads.lock().unwrap().insert(std::thread::current().id());
        // Of the right parity, and different from one position to the next.
        let hash =
            (position.mover.bits() ^ position.opponent.bits().rotate_left(7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some(Margin(2 * ((hash >> 60) as i16 - 8) - (seeds & 1) as i16))
    }

    fn reach(&self) -> u32 {
        41
    }
}

#[test]
fn a_limit_of_nodes_is_met_to_a_handful() {
    let start = State::start(6, 6).unwrap().position();
    for nodes in [1, 10, 1000, 5000] {
        let mut search = Search::new(game("kalah", 6), &NoOracle, 72, LARGE).unwrap();
        let answer = search.solve(start, Goal::Value, None, Limits::default().nodes(nodes)).unwrap();
        assert_eq!(answer.stopped, Some(Stopped::Nodes));
        assert!((nodes..nodes + 16).contains(&answer.stats.nodes), "{} for {nodes}", answer.stats.nodes);
    }
}

#[test]
fn either_of_two_flags_stops_at_once() {
    let (set, unset) = (AtomicBool::new(true), AtomicBool::new(false));
    let start = State::start(6, 6).unwrap().position();
    for flags in [[&set, &unset], [&unset, &set]] {
        let mut search = Search::new(game("kalah", 6), &NoOracle, 72, LARGE).unwrap();
        let limits = Limits::default().stop(flags[0]).stop(flags[1]);
        let answer = search.solve(start, Goal::EveryMove, None, limits).unwrap();
        assert_eq!(answer.stopped, Some(Stopped::Asked));
        assert!(answer.stats.nodes <= 64, "{} nodes after the flag", answer.stats.nodes);
    }
}

#[test]
fn a_flag_is_seen_while_the_estimate_is_learnt() {
    let start = State::start(6, 6).unwrap().position();
    let witness = Witness { stop_at: Some(100), ..Witness::default() };
    let mut search = Search::new(game("kalah", 6), &witness, 72, LARGE).unwrap();
    let guess = Some(Margin(0));
    let answer = search.solve(start, Goal::Value, guess, Limits::default().stop(&witness.stop)).unwrap();
    assert_eq!(answer.stopped, Some(Stopped::Asked));
    let questions = witness.questions.into_inner();
    assert!(questions <= 110, "{questions} questions, though the flag was set at the hundredth");
}

#[test]
fn a_flag_is_seen_while_the_first_guess_is_made() {
    let start = State::start(6, 6).unwrap().position();
    let witness = Witness { stop_at: Some(1), ..Witness::default() };
    let mut search = Search::new(game("kalah", 6), &witness, 72, LARGE).unwrap();
    let answer = search.solve(start, Goal::Value, None, Limits::default().stop(&witness.stop)).unwrap();
    assert_eq!(answer.stopped, Some(Stopped::Asked));
    assert!(answer.stats.nodes < 20_000, "{} nodes", answer.stats.nodes);
}

#[test]
fn small_work_is_done_by_one_thread_and_larger_work_by_few() {
    for (seeds, nodes, most) in [(48, 3000, 1), (60, 40_000, 14)] {
        let start = State::start(6, seeds / 12).unwrap().position();
        let witness = Witness::default();
        let options = Options { table_bytes: 1 << 26, threads: 1024 };
        let mut search = Search::new(game("kalah", 6), &witness, seeds, options).unwrap();
        let guess = Some(Margin(0));
        search.solve(start, Goal::Value, guess, Limits::default().nodes(nodes)).unwrap();
        let threads = witness.threads.into_inner().unwrap().len();
        assert!((1..=most).contains(&threads), "{threads} threads for {nodes} nodes");
    }
}
