//! One question on its way: the search it needs, what is left of its limits, and what it has cost so far.

use crate::layers::Layers;
use crate::{Limits, SolverError};
use kalah_rules::{Game, Margin, Position};
use kalah_search::{self as search, Bounds, Goal, Options, Progress, Search, Stats};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Time between two reports, and the longest a stop flag goes unseen.
const REPORT: Duration = Duration::from_millis(100);

/// What can find out about positions of one game.
pub(crate) trait Ask {
    /// What can be proved about a position; `guess` is where to begin.
    fn value(&mut self, position: Position, guess: Option<Margin>) -> Result<Bounds, SolverError>;

    /// What can be proved about a position and about each of its moves, best first.
    fn every_move(&mut self, position: Position) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError>;

    /// The pits of a line of perfect play to the end of the game from a position of this value; `None` if a limit came first or
    /// there is none.
    fn line(&mut self, position: Position, value: Margin) -> Result<Option<Vec<u8>>, SolverError>;

    /// The cost so far.
    fn stats(&self) -> Stats;
}

/// A question about one or several positions of one game, all with at most so many seeds.
pub(crate) struct Question<'a> {
    layers: &'a Layers<'a>,
    search: Search<'a, Layers<'a>>,
    limits: Limits<'a>,
    until: Option<Instant>,
    stats: Stats,
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

impl Ask for Question<'_> {
    fn value(&mut self, position: Position, guess: Option<Margin>) -> Result<Bounds, SolverError> {
        let ask = |search: &mut Search<'_, Layers<'_>>, limits: search::Limits<'_>| {
            search.solve(position, Goal::Value, guess, limits)
        };
        Ok(self.run(ask, |answer| answer.stats)?.bounds)
    }

    fn every_move(&mut self, position: Position) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError> {
        let ask = |search: &mut Search<'_, Layers<'_>>, limits: search::Limits<'_>| {
            search.solve(position, Goal::EveryMove, None, limits)
        };
        let answer = self.run(ask, |answer| answer.stats)?;
        Ok((answer.bounds, answer.moves.into_iter().map(|found| (found.pit, found.bounds)).collect()))
    }

    fn line(&mut self, position: Position, value: Margin) -> Result<Option<Vec<u8>>, SolverError> {
        let ask =
            |search: &mut Search<'_, Layers<'_>>, limits: search::Limits<'_>| search.line(position, value, limits);
        Ok(self.run(ask, |line| line.stats)?.pits)
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}
