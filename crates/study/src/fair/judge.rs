//! Whether boards are fair: two questions a board at most, on as many threads as wanted.

use crate::fair::board::Board;
use kalah::{Limits, Options, Progress, Session, Solver, SolverError};
use kalah_database::Database;
use kalah_rules::{Game, Margin, RuleSet, Side, SowingGame};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Boards a thread takes at a time: neighbours share what their searches prove.
const TOGETHER: usize = 16;

/// How a board ends under perfect play, South moving first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Verdict {
    /// In a draw.
    Fair,
    /// South wins.
    First,
    /// North wins.
    Second,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 3] = [Verdict::Fair, Verdict::First, Verdict::Second];

    /// The word in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Fair => "fair",
            Verdict::First => "first",
            Verdict::Second => "second",
        }
    }
}

/// What judging boards may use.
#[derive(Clone, Copy, Default)]
pub struct Judge<'a> {
    /// The rules.
    pub rules: RuleSet,
    /// The solved layers for them and the board, if there are any.
    pub database: Option<&'a Arc<Database>>,
    /// Threads, each of which searches boards of its own, and the bytes of their tables together.
    pub options: Options,
    /// When to stop; boards that are not settled by then stay open.
    pub until: Option<Instant>,
    /// Stop soon after this is set.
    pub stop: Option<&'a AtomicBool>,
    /// Called now and then while a search runs, from any thread.
    pub report: Option<&'a (dyn Fn(&Progress) + Sync)>,
}

impl std::fmt::Debug for Judge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judge").field("rules", &self.rules).field("options", &self.options).finish_non_exhaustive()
    }
}

impl Judge<'_> {
    /// Judges boards until there are none or a limit comes; boards are taken from the iterator only when a thread is free.
    /// `done` is told of every verdict and of the positions searched for it as soon as it is there, from any thread. A board
    /// that it is not told of is open.
    ///
    /// # Errors
    /// If the boards have different numbers of pits, a layer is damaged, or a search cannot be set up.
    pub fn judge_all(
        &self,
        boards: impl Iterator<Item = Board> + Send,
        done: &(dyn Fn(&Board, Verdict, u64) + Sync),
    ) -> Result<(), SolverError> {
        let source = Source { boards: Mutex::new(boards.fuse()), closed: AtomicBool::new(false) };
        let fault = Mutex::new(None);
        let work = || {
            if let Err(error) = self.work(&source, done) {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                source.closed.store(true, Relaxed);
            }
        };
        // Not a pool: every thread keeps its table from one board to the next.
        std::thread::scope(|scope| {
            for _ in 1..self.options.threads.max(1) {
                scope.spawn(work);
            }
            work();
        });
        fault.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// One thread: takes boards until there are none, or a limit comes.
    fn work(
        &self,
        source: &Source<impl Iterator<Item = Board>>,
        done: &(dyn Fn(&Board, Verdict, u64) + Sync),
    ) -> Result<(), SolverError> {
        let mut session = None;
        loop {
            let boards = source.take(&|| self.go_on());
            let Some(first) = boards.first() else { return Ok(()) };
            if session.is_none() {
                // A thread without a board needs no table.
                session = Some(self.session(first)?);
            }
            let Some((session, game)) = &session else { return Ok(()) };
            for board in &boards {
                if !self.go_on() {
                    return Ok(());
                }
                let (expected, found) = (game.pits(), board.state.pits());
                if found != expected {
                    return Err(SolverError::OtherBoard { expected, found });
                }
                if let (Some(verdict), nodes) = self.judge(session, game, board)? {
                    done(board, verdict, nodes);
                }
            }
        }
    }

    /// A session for boards like this one.
    fn session(&self, board: &Board) -> Result<(Session, Game), SolverError> {
        let pits = board.state.pits();
        let table_bytes = self.options.table_bytes / self.options.threads.max(1);
        let solver = Solver::without_layers(self.rules.for_positions(), pits, Options { table_bytes, threads: 1 })?;
        let solver = match self.database {
            Some(database) => solver.with_database(database.clone())?,
            None => solver,
        };
        Ok((solver.session().expecting(board.state.seeds()), self.rules.game(pits)?))
    }

    /// Whether no limit has come.
    fn go_on(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Relaxed));
        !stopped && self.until.is_none_or(|until| Instant::now() < until)
    }

    /// The limits of a question that begins now.
    fn limits(&self) -> Limits<'_> {
        let time = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time, stop: self.stop, report: self.report, ..Limits::default() }
    }

    /// Who wins a board, from at most two questions, and the positions searched; no verdict if a limit came first.
    fn judge(&self, session: &Session, game: &Game, board: &Board) -> Result<(Option<Verdict>, u64), SolverError> {
        let state = board.state;
        // What South's pits must still bring to make up for the stores.
        let even = Margin((i64::from(state.store(Side::North)) - i64::from(state.store(Side::South))) as i16);
        let more = even + Margin(if game.keeps_parity() { 2 } else { 1 });
        // It is good to move first: most boards need no second question.
        let first = session.reaches(&state, more, &self.limits())?;
        let bounds = first.bounds;
        let verdict = if bounds.lower >= more {
            Some(Verdict::First)
        } else if bounds.upper >= more {
            None
        } else if bounds.upper < even {
            Some(Verdict::Second)
        } else {
            let second = session.reaches(&state, even, &self.limits())?;
            let nodes = first.stats.nodes + second.stats.nodes;
            let verdict = if second.bounds.lower >= even {
                Some(Verdict::Fair)
            } else if second.bounds.upper < even {
                Some(Verdict::Second)
            } else {
                None
            };
            return Ok((verdict, nodes));
        };
        Ok((verdict, first.stats.nodes))
    }
}

/// Where the threads take boards from.
struct Source<I> {
    boards: Mutex<std::iter::Fuse<I>>,
    /// Set when something went wrong.
    closed: AtomicBool,
}

impl<I: Iterator<Item = Board>> Source<I> {
    /// The next boards; none if there are no more, or if `go_on` says no.
    fn take(&self, go_on: &dyn Fn() -> bool) -> Vec<Board> {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = Vec::with_capacity(TOGETHER);
        // The iterator may pass over many boards that are settled already, so it is asked for one at a time.
        while taken.len() < TOGETHER && !self.closed.load(Relaxed) && go_on() {
            match boards.next() {
                Some(board) => taken.push(board),
                None => break,
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::boards;
    use kalah::Solver;
    use kalah_rules::State;
    use std::collections::HashMap;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    #[test]
    fn verdicts_are_what_the_values_say() {
        let options = Options { table_bytes: 1 << 20, threads: 2 };
        for name in ["kalah", "kalah-empty", "kalah-stuck", "kalah+leftover=none"] {
            let rules: RuleSet = name.parse().unwrap();
            let near: Vec<Board> = boards(State::start(3, 2).unwrap(), 1..=2).collect();
            let judge = Judge { rules, options, ..Judge::default() };
            let found = judge_all(&judge, &near);
            let solver = Solver::without_layers(rules, 3, Options { threads: 1, ..options }).unwrap();
            for (board, verdict) in near.iter().zip(found) {
                let answer = solver.analyse(&board.state, &Limits::default()).unwrap();
                let stores =
                    i32::from(board.state.store(Side::South) as i16) - i32::from(board.state.store(Side::North) as i16);
                let expected = match stores + i32::from(answer.worth.value_south.unwrap().0) {
                    0 => Verdict::Fair,
                    value if value > 0 => Verdict::First,
                    _ => Verdict::Second,
                };
                assert_eq!(verdict, Some(expected), "{name} {}", board.state);
            }
        }
    }

    #[test]
    fn limits_leave_boards_open_and_boards_of_two_kinds_are_refused() {
        let near: Vec<Board> = boards(State::start(4, 3).unwrap(), 1..=1).collect();
        let stopped = Judge { until: Some(Instant::now()), ..Judge::default() };
        assert!(judge_all(&stopped, &near).iter().all(Option::is_none));
        let mixed = [near[0], boards(State::start(3, 3).unwrap(), 1..=1).next().unwrap()];
        let found = Judge::default().judge_all(mixed.into_iter(), &|_, _, _| {});
        assert!(matches!(found, Err(SolverError::OtherBoard { .. })));
        Judge::default().judge_all(std::iter::empty(), &|_, _, _| panic!("there was nothing to judge")).unwrap();
    }

    #[test]
    fn very_many_boards_are_left_when_time_is_up() {
        let (asked, clock) = (AtomicU64::new(0), Instant::now());
        let many = boards(State::start(8, 15).unwrap(), 3..=240).inspect(|_| {
            asked.fetch_add(1, Relaxed);
        });
        let until = clock.checked_add(Duration::from_millis(50));
        let options = Options { table_bytes: 1 << 20, threads: 2 };
        Judge { until, options, ..Judge::default() }.judge_all(many, &|_, _, _| {}).unwrap();
        assert!(asked.into_inner() <= 64 && clock.elapsed() < Duration::from_secs(5), "{:?}", clock.elapsed());
    }

    /// The verdict about every board.
    fn judge_all(judge: &Judge<'_>, boards: &[Board]) -> Vec<Option<Verdict>> {
        let told: Mutex<HashMap<State, Verdict>> = Mutex::default();
        let done = |board: &Board, verdict: Verdict, _: u64| {
            assert!(told.lock().unwrap().insert(board.state, verdict).is_none(), "{} was judged twice", board.state);
        };
        judge.judge_all(boards.iter().copied(), &done).unwrap();
        let told = told.into_inner().unwrap();
        boards.iter().map(|board| told.get(&board.state).copied()).collect()
    }
}
