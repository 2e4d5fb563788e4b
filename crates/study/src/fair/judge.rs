//! Whether boards are fair: two questions a board at most, on as many threads as wanted.

use crate::fair::board::Board;
use kalah::{Limits, Options, Progress, Session, Solver, SolverError};
use kalah_database::Database;
use kalah_rules::{Game, Margin, RuleSet, Side, SowingGame};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
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
    /// Judges boards; `None` for those that a limit left open. `done` is told of every verdict and of the positions searched
    /// for it as soon as it is there, from any thread.
    ///
    /// # Errors
    /// If the boards have different numbers of pits, a layer is damaged, or a search cannot be set up.
    pub fn judge_all(
        &self,
        boards: &[Board],
        done: &(dyn Fn(&Board, Verdict, u64) + Sync),
    ) -> Result<Vec<Option<Verdict>>, SolverError> {
        let Some(pits) = boards.first().map(|board| board.state.pits()) else { return Ok(Vec::new()) };
        if let Some(other) = boards.iter().find(|board| board.state.pits() != pits) {
            return Err(SolverError::OtherBoard { expected: pits, found: other.state.pits() });
        }
        let game = self.rules.game(pits)?;
        let threads = self.options.threads.clamp(1, boards.len().div_ceil(TOGETHER));
        let found: Mutex<Vec<Option<Verdict>>> = Mutex::new(vec![None; boards.len()]);
        let (next, fault) = (AtomicUsize::new(0), Mutex::new(None));
        let work = || {
            if let Err(error) = self.work(game, boards, threads, &next, done, &found) {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                next.store(boards.len(), Relaxed);
            }
        };
        // Not a pool: every thread keeps its table from one board to the next.
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// One thread: takes boards until there are none, or a limit comes.
    fn work(
        &self,
        game: Game,
        boards: &[Board],
        threads: usize,
        next: &AtomicUsize,
        done: &(dyn Fn(&Board, Verdict, u64) + Sync),
        found: &Mutex<Vec<Option<Verdict>>>,
    ) -> Result<(), SolverError> {
        let seeds = boards.iter().map(|board| board.state.position().seeds()).max().unwrap_or(0);
        let options = Options { table_bytes: self.options.table_bytes / threads, threads: 1 };
        let solver = Solver::without_layers(self.rules.for_positions(), game.pits(), options)?;
        let solver = match self.database {
            Some(database) => solver.with_database(database.clone())?,
            None => solver,
        };
        let session = solver.session().expecting(seeds);
        loop {
            let first = next.fetch_add(TOGETHER, Relaxed);
            for (index, board) in boards.iter().enumerate().skip(first).take(TOGETHER) {
                if self.stop.is_some_and(|stop| stop.load(Relaxed))
                    || self.until.is_some_and(|until| Instant::now() >= until)
                {
                    return Ok(());
                }
                if let (Some(verdict), nodes) = self.judge(&session, &game, board)? {
                    done(board, verdict, nodes);
                    found.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(verdict);
                }
            }
            if first >= boards.len() {
                return Ok(());
            }
        }
    }

    /// The limits of a question that begins now.
    fn limits(&self) -> Limits<'_> {
        let time = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time, stop: self.stop, report: self.report, ..Limits::default() }
    }

    /// Who wins a board, from at most two questions, and the positions searched; no verdict if a limit came first.
    fn judge(&self, session: &Session, game: &Game, board: &Board) -> Result<(Option<Verdict>, u64), SolverError> {
        let (state, position) = (board.state, board.state.position());
        // What South's pits must still bring to make up for the stores.
        let even = Margin((i64::from(state.store(Side::North)) - i64::from(state.store(Side::South))) as i16);
        let more = even + Margin(if game.keeps_parity() { 2 } else { 1 });
        // It is good to move first: most boards need no second question.
        let first = session.reaches(position, more, &self.limits())?;
        let bounds = first.bounds;
        let verdict = if bounds.lower >= more {
            Some(Verdict::First)
        } else if bounds.upper >= more {
            None
        } else if bounds.upper < even {
            Some(Verdict::Second)
        } else {
            let second = session.reaches(position, even, &self.limits())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::boards;
    use kalah::Solver;
    use kalah_rules::State;

    #[test]
    fn verdicts_are_what_the_values_say() {
        let options = Options { table_bytes: 1 << 20, threads: 2 };
        for name in ["kalah", "kalah-empty", "kalah-stuck", "kalah+leftover=none"] {
            let rules: RuleSet = name.parse().unwrap();
            let near: Vec<Board> = boards(State::start(3, 2).unwrap(), 1..=2).collect();
            let told = Mutex::new(0);
            let judge = Judge { rules, options, ..Judge::default() };
            let found = judge.judge_all(&near, &|_, _, _| *told.lock().unwrap() += 1).unwrap();
            assert_eq!(*told.lock().unwrap(), near.len());
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
        assert!(stopped.judge_all(&near, &|_, _, _| panic!("nothing was done")).unwrap().iter().all(Option::is_none));
        let mixed = [near[0], boards(State::start(3, 3).unwrap(), 1..=1).next().unwrap()];
        assert!(matches!(Judge::default().judge_all(&mixed, &|_, _, _| {}), Err(SolverError::OtherBoard { .. })));
        assert_eq!(Judge::default().judge_all(&[], &|_, _, _| {}).unwrap(), []);
    }
}
