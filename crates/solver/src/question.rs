//! One question on its way: the search it needs, what is left of its limits, and what it has cost so far.

use crate::layers::Layers;
use crate::{Limits, SolverError};
use kalah_rules::{Game, Margin, Position};
use kalah_search::{self as search, Bounds, Goal, MoveValue, Options, Progress, Search, Stats};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Time between two reports, and the longest a stop flag goes unseen.
const REPORT: Duration = Duration::from_millis(100);

/// A question about one or several positions of one game, all with at most so many seeds.
pub(crate) struct Question<'a> {
    layers: &'a Layers<'a>,
    search: Search<'a, Layers<'a>>,
    limits: Limits<'a>,
    until: Option<Instant>,
    /// The cost so far.
    pub(crate) stats: Stats,
}

impl<'a> Question<'a> {
    pub(crate) fn new(
        game: Game,
        layers: &'a Layers<'a>,
        seeds: u32,
        options: Options,
        limits: Limits<'a>,
    ) -> Result<Question<'a>, SolverError> {
        let search = Search::new(game, layers, seeds, options)?;
        // A time beyond what the clock can express is no limit.
        let until = limits.time.and_then(|time| Instant::now().checked_add(time));
        Ok(Question { layers, search, limits, until, stats: Stats::default() })
    }

    /// What can be proved about the position, and about each of its moves if `goal` says so.
    pub(crate) fn solve(
        &mut self,
        position: Position,
        goal: Goal,
        guess: Option<Margin>,
    ) -> Result<(Bounds, Vec<MoveValue>), SolverError> {
        let answer = self.run(|search, limits| search.solve(position, goal, guess, limits), |answer| answer.stats)?;
        Ok((answer.bounds, answer.moves))
    }

    /// A line of perfect play to the end of the game from a position of this value; `None` if a limit came first.
    pub(crate) fn line(&mut self, position: Position, value: Margin) -> Result<Option<Vec<u8>>, SolverError> {
        let line = self.run(|search, limits| search.line(position, value, limits), |line| line.stats)?;
        Ok(line.pits)
    }

    fn run<R>(
        &mut self,
        ask: impl FnOnce(&mut Search<'a, Layers<'a>>, search::Limits<'_>) -> Result<R, search::SearchError>,
        stats: impl FnOnce(&R) -> Stats,
    ) -> Result<R, SolverError> {
        let (limits, before) = (self.limits, self.stats);
        let halt = self.layers.halt();
        let report = |progress: &Progress| {
            // The search watches one flag, which a fault in the layers sets too.
            if limits.stop.is_some_and(|stop| stop.load(Relaxed)) {
                halt.store(true, Relaxed);
            }
            if let Some(report) = limits.report {
                let mut stats = before;
                stats += progress.stats;
                report(&Progress { stats, ..*progress });
            }
        };
        let mut inner = search::Limits::default().stop(halt).report(REPORT, &report);
        if let Some(until) = self.until {
            inner = inner.until(until);
        }
        if let Some(nodes) = limits.nodes {
            inner = inner.nodes(nodes.saturating_sub(before.nodes));
        }
        let result = ask(&mut self.search, inner);
        self.layers.check()?;
        let result = result?;
        self.stats += stats(&result);
        Ok(result)
    }
}
