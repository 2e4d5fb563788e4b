//! A session is opened once and asked many times, from several threads, and can be cancelled from outside.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::retrograde::{BuildOptions, Unwatched, build};
use kalah::rules::{Margin, Side, State};
use kalah::{Answer, Limits, Options, Session, Solutions, Solver, Source, Stopped};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

const OPTIONS: Options = Options { table_bytes: 4 << 20, threads: 1 };

/// Long enough for a machine that is busy with other work; nothing that is tested here takes as long.
const PATIENCE: Duration = Duration::from_secs(30);

fn session(pits: u8) -> Session {
    Solver::without_layers("kalah".parse().unwrap(), pits, OPTIONS).unwrap().session()
}

/// A start that no search in these tests gets done with.
fn endless() -> State {
    State::start(6, 6).unwrap()
}

#[test]
fn the_table_stays_between_questions() {
    let session = session(4);
    let start = State::start(4, 3).unwrap();
    let first = session.analyse(&start, &Limits::default()).unwrap();
    let again = session.analyse(&start, &Limits::default()).unwrap();
    assert!(first.nodes > 100 && again.nodes < first.nodes / 4, "{} and then {} nodes", first.nodes, again.nodes);
    let same = |answer: &Answer| (answer.worth, answer.moves.clone(), answer.pv.clone(), answer.final_totals);
    assert_eq!(same(&first), same(&again));
    // A position with more seeds needs another table; a position with fewer has room in it.
    let larger = session.analyse(&State::start(4, 4).unwrap(), &Limits::default()).unwrap();
    assert!(larger.is_complete());
    assert_eq!(same(&session.analyse(&start, &Limits::default()).unwrap()), same(&first));
}

#[test]
fn single_questions_agree_with_the_whole_answer() {
    let session = session(3);
    for seeds in 1..=4 {
        let start = State::start(3, seeds).unwrap();
        let answer = session.analyse(&start, &Limits::default()).unwrap();
        let value = answer.exact().unwrap();
        assert_eq!(session.value(&start, &Limits::default()).unwrap().bounds.exact(), Some(value));
        let moves = session.every_move(&start, &Limits::default()).unwrap().moves;
        let expected: Vec<_> = answer.moves.iter().map(|found| (found.pit, found.worth.mover)).collect();
        assert_eq!(moves, expected);
        for window in -6..=6 {
            let known = session.reaches(&start, Margin(window), &Limits::default()).unwrap();
            assert!(known.bounds.contains(value), "{window}: {known:?}");
            assert!(known.bounds.lower >= Margin(window) || known.bounds.upper < Margin(window), "{window}: {known:?}");
        }
        let with_pie = Solver::without_layers("kalah+pie".parse().unwrap(), 3, OPTIONS).unwrap();
        let pie = session.pie_value(&start, &Limits::default()).unwrap();
        assert_eq!(pie.bounds.exact(), with_pie.analyse(&start, &Limits::default()).unwrap().exact());
    }
}

#[test]
fn several_threads_ask_one_session() {
    let session = session(3);
    let expected: Vec<_> = (1..=5).map(|n| self::session(3).solve(n, &Limits::default()).unwrap().worth).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (session, expected) = (&session, &expected);
            scope.spawn(move || {
                for turn in 0..10 {
                    let seeds = 1 + (thread + turn) % 5;
                    let answer = session.solve(seeds, &Limits::default()).unwrap();
                    assert_eq!(answer.worth, expected[seeds as usize - 1], "{seeds} seeds");
                }
            });
        }
    });
}

#[test]
fn cancelling_ends_what_is_asked_and_nothing_later() {
    let session = session(6);
    let running = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    running.fetch_add(1, SeqCst);
                    session.analyse(&endless(), &Limits::default()).unwrap()
                })
            })
            .collect();
        while running.load(SeqCst) < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(50));
        let clock = Instant::now();
        session.cancel();
        for thread in asked {
            assert_eq!(thread.join().unwrap().stopped, Some(Stopped::Cancelled));
        }
        assert!(clock.elapsed() < PATIENCE);
    });
    let small = session.analyse(&"<6,30,30,0,0,0,0,1,0,0,0,0,0,0,2>".parse().unwrap(), &Limits::default()).unwrap();
    assert!(small.is_complete(), "{small:?}");
}

#[test]
fn every_limit_says_which_it_was() {
    let session = session(6);
    let stop = AtomicBool::new(true);
    let ask = |limits: Limits<'_>| session.analyse(&endless(), &limits).unwrap();
    assert_eq!(ask(Limits { stop: Some(&stop), ..Limits::default() }).stopped, Some(Stopped::Cancelled));
    assert_eq!(ask(Limits { nodes: Some(1000), ..Limits::default() }).stopped, Some(Stopped::Nodes));
    let answer = ask(Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
    assert_eq!(answer.stopped, Some(Stopped::Time));
    assert!(!answer.is_complete() && answer.worth.mover.contains(Margin(4)));
    // A question that waits for another one obeys its limits too.
    std::thread::scope(|scope| {
        let long = scope.spawn(|| session.analyse(&endless(), &Limits::default()).unwrap());
        std::thread::sleep(Duration::from_millis(50));
        let waiting = ask(Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
        assert_eq!(waiting.stopped, Some(Stopped::Time));
        session.cancel();
        assert_eq!(long.join().unwrap().stopped, Some(Stopped::Cancelled));
    });
}

#[test]
fn what_a_kept_solution_leaves_open_is_searched() {
    let rules = "kalah".parse().unwrap();
    let solver = Solver::without_layers(rules, 4, OPTIONS).unwrap();
    let start = State::start(4, 3).unwrap();
    let (answer, record) = solver.session().analyse_and_keep(&start, &Limits::default(), 1).unwrap();
    let mut solutions = Solutions::default();
    solutions.add(record.unwrap());
    let with_solution = solver.clone().with_solutions(solutions).unwrap();
    assert_eq!(with_solution.analyse(&start, &Limits::default()).unwrap().source, Source::Solution);
    // The position after the first move of the line: the solution knows its value, not that of every move.
    let game = rules.game(4).unwrap();
    let next = start.play(&game, answer.pv[0].pit().unwrap()).unwrap().state;
    let session = with_solution.session();
    let known = session.recall(&next).unwrap().unwrap();
    assert!(session.needs_search(&next, false).unwrap() && !session.needs_search(&next, true).unwrap());
    let completed = session.analyse(&next, &Limits::default()).unwrap();
    let plain = solver.analyse(&next, &Limits::default()).unwrap();
    assert!(completed.is_complete() && completed.moves.iter().all(|found| found.worth.value_mover.is_some()));
    assert_eq!((completed.worth, &completed.moves), (plain.worth, &plain.moves));
    assert_eq!((known.exact(), known.source), (plain.exact(), Source::Solution));
    // Who asks for less gets less, and is told so by the bounds.
    let limits = Limits { value_only: true, ..Limits::default() };
    let value = with_solution.analyse(&next, &limits).unwrap();
    assert_eq!((value.exact(), value.source), (plain.exact(), Source::Solution));
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let cut = with_solution.analyse(&next, &limits).unwrap();
    assert_eq!(cut.exact(), plain.exact());
    assert!(cut.is_complete() || cut.stopped == Some(Stopped::Nodes));
}

#[test]
fn layers_that_are_open_already_serve_several_solvers() {
    let directory = tempfile::tempdir().unwrap();
    let rules = "kalah".parse().unwrap();
    build(directory.path(), &rules, 3, 6, &BuildOptions::default(), &Unwatched).unwrap();
    let stamp = kalah::retrograde::stamp(&rules, 3);
    let database = std::sync::Arc::new(kalah::database::Database::open(directory.path(), &stamp).unwrap());
    let solver = Solver::without_layers(rules, 3, OPTIONS).unwrap().with_database(database.clone()).unwrap();
    let answer = solver.solve(1, &Limits::default()).unwrap();
    assert_eq!((answer.source, answer.to_move), (Source::Database, Side::South));
    let other = Solver::without_layers("kalah-empty".parse().unwrap(), 3, OPTIONS).unwrap();
    let error = other.with_database(database).unwrap_err().to_string();
    assert!(error.contains("kalah-empty"), "{error}");
}
