//! One question on its way: the search it needs, what is left of its limits, and what it has cost so far.

use crate::ask::{Ask, Interrupt, after};
use crate::layers::Layers;
use crate::lookup::Lookup;
use crate::record::{Record, RecordError};
use crate::{Limits, SolverError, Stopped, VERSION};
use kalah_rules::{Margin, Position, RuleSet, SowingGame, State};
use kalah_search::{self as search, Bounds, Goal, Progress, Proof, Search, Stats, Ties};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two reports.
const REPORT: Duration = Duration::from_millis(100);

/// A question about one or several positions of one game.
pub(crate) struct Question<'a> {
    search: &'a mut Search<Layers>,
    limits: Limits<'a>,
    until: Option<Instant>,
    started: Instant,
    stats: Stats,
    /// What earlier runs took, as a checkpoint tells.
    earlier: (Stats, f64),
    rules: RuleSet,
    threads: usize,
    interrupt: Interrupt<'a>,
    stopped: Option<Stopped>,
    /// Whether the checkpoint that was there could not be read to its end, so that it must not be replaced.
    unread: bool,
    /// Whether the last checkpoint could not be written.
    unwritten: bool,
}

/// At most so many proofs go into a checkpoint: 22 bytes each.
const MOST_KEPT: usize = 4_000_000;

/// One question's answer: the position's bounds, and each move's, best first.
type Known = (Bounds, Vec<(u8, Bounds)>);

impl<'a> Question<'a> {
    /// `started` is when the limits begin to count.
    pub(crate) fn new(
        rules: RuleSet,
        search: &'a mut Search<Layers>,
        threads: usize,
        limits: Limits<'a>,
        started: Instant,
        interrupt: Interrupt<'a>,
    ) -> Question<'a> {
        // A time beyond what the clock can express is no limit.
        let until = limits.time.and_then(|time| started.checked_add(time));
        let stats = Stats::default();
        Question {
            search,
            limits,
            until,
            started,
            stats,
            earlier: (stats, 0.0),
            rules,
            threads,
            interrupt,
            stopped: None,
            unread: false,
            unwritten: false,
        }
    }

    /// The heaviest `most` proofs of the search.
    pub(crate) fn proofs(&mut self, most: usize) -> Vec<Proof> {
        self.search.heaviest(most)
    }

    /// Work and seconds of earlier runs, if a checkpoint was there.
    pub(crate) fn earlier(&self) -> (Stats, f64) {
        self.earlier
    }

    /// Resumes from the checkpoint if there is one.
    fn resume(&mut self, position: Position) -> Result<(), SolverError> {
        let Some(checkpoint) = self.limits.checkpoint else { return Ok(()) };
        Record::prepare(checkpoint.path)?;
        let (until, interrupt) = (self.until, self.interrupt);
        let stop = move || interrupt.is_set() || until.is_some_and(|until| Instant::now() >= until);
        match self.resume_unless(checkpoint.path, position, &stop) {
            Err(SolverError::Record(RecordError::Stopped { .. })) => {
                self.unread = true;
                Ok(())
            }
            resumed => resumed,
        }
    }

    fn resume_unless(&mut self, path: &Path, position: Position, stop: &dyn Fn() -> bool) -> Result<(), SolverError> {
        let Some(record) = Record::load_unless(path, stop)? else { return Ok(()) };
        record.must_be(path, &self.rules, self.search.game().pits(), position)?;
        if let Some(database) = self.search.oracle().database() {
            record.compare(path, database, stop)?;
        }
        for proof in &record.proofs {
            // What has too many seeds for this search is of no use to it, and what is impossible was refused before.
            let _ = self.search.learn(proof);
        }
        self.earlier = (record.stats, record.seconds);
        Ok(())
    }

    /// Writes the checkpoint. If that fails, the search goes on and the earlier one stays.
    fn keep(&mut self, position: Position, known: &Known) {
        let Some(checkpoint) = self.limits.checkpoint.filter(|_| !self.unread) else { return };
        let (mut stats, seconds) = self.earlier;
        stats += self.stats;
        let record = Record {
            rules: self.rules,
            pits: self.search.game().pits(),
            position,
            bounds: known.0,
            moves: known.1.clone(),
            line: None,
            stats,
            seconds: seconds + self.started.elapsed().as_secs_f64(),
            layers: self.search.oracle().most(),
            threads: self.threads,
            program: VERSION.to_owned(),
            proofs: self.search.heaviest(MOST_KEPT),
        };
        let failed = record.save(checkpoint.path).err();
        if let Some(tell) = self.limits.unwritten.filter(|_| failed.is_some() || self.unwritten) {
            tell(failed.as_ref());
        }
        self.unwritten = failed.is_some();
    }

    /// Whether a position's value is at least `window`; the answer leaves it open only if a limit came first.
    pub(crate) fn at_least(&mut self, position: Position, window: Margin) -> Result<search::Answer, SolverError> {
        self.run(|search, limits| search.at_least(position, window, limits), |answer| (answer.stats, answer.stopped))
    }

    /// Searches until the limits, or until `slice` if that comes first.
    fn run_until<R>(
        &mut self,
        slice: Option<Instant>,
        ask: impl FnOnce(&mut Search<Layers>, search::Limits<'_>) -> Result<R, search::SearchError>,
        told: impl FnOnce(&R) -> (Stats, Option<search::Stopped>),
    ) -> Result<R, SolverError> {
        let (limits, before, started) = (self.limits, self.stats, self.started);
        let halt = self.search.oracle().halt().clone();
        let report = |progress: &Progress| {
            if let Some(report) = limits.report {
                let (mut stats, elapsed) = (before, started.elapsed());
                stats += progress.stats;
                report(&Progress { stats, elapsed, ..*progress });
            }
        };
        let mut inner = search::Limits::default().stop(&halt).report(REPORT, &report);
        if let Some(stop) = limits.stop {
            inner = inner.stop(stop);
        }
        if let Some(until) = self.until.into_iter().chain(slice).min() {
            inner = inner.until(until);
        }
        if let Some(nodes) = limits.nodes {
            inner = inner.nodes(nodes.saturating_sub(before.nodes));
        }
        let result = ask(self.search, inner);
        self.search.oracle().check()?;
        let result = result?;
        let (stats, stopped) = told(&result);
        self.stats += stats;
        self.stopped = stopped.and_then(Stopped::of);
        Ok(result)
    }

    /// Asks the search something within what is left of the limits, and counts what it cost.
    pub(crate) fn run<R>(
        &mut self,
        ask: impl FnOnce(&mut Search<Layers>, search::Limits<'_>) -> Result<R, search::SearchError>,
        told: impl FnOnce(&R) -> (Stats, Option<search::Stopped>),
    ) -> Result<R, SolverError> {
        self.run_until(None, ask, told)
    }
}

impl Question<'_> {
    /// Whether somebody asked to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// The line with its end, from where it comes into the layers, as the layers play it.
    fn end_in_layers(
        &self,
        position: Position,
        value: Margin,
        lead: Margin,
        mut pits: Vec<u8>,
    ) -> Result<Vec<u8>, SolverError> {
        let Some(database) = self.search.oracle().database().cloned() else { return Ok(pits) };
        let (game, mut now, mut value, mut lead) = (*self.search.game(), position, value, lead);
        for done in 0..pits.len() {
            if now.seeds() < database.layers() {
                if let Some(end) = Lookup::new(game, &database).line(now, value, lead)? {
                    pits.splice(done.., end);
                }
                break;
            }
            let sown = game.sow(now, pits[done]);
            (value, lead) = after(&sown, value, lead);
            now = sown.position;
        }
        Ok(pits)
    }
}

impl Ask for Question<'_> {
    fn value(&mut self, position: Position, guess: Option<Margin>) -> Result<Bounds, SolverError> {
        let ask = |search: &mut Search<Layers>, limits: search::Limits<'_>| {
            search.solve(position, Goal::Value, guess, limits)
        };
        Ok(self.run(ask, |answer| (answer.stats, answer.stopped))?.bounds)
    }

    fn reaches(&mut self, position: Position, window: Margin) -> Result<Bounds, SolverError> {
        Ok(self.at_least(position, window)?.bounds)
    }

    fn every_move(&mut self, position: Position, _lead: Margin) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError> {
        self.resume(position)?;
        let guess = self.limits.guess;
        let goal = if self.limits.value_only { Goal::Value } else { Goal::EveryMove };
        loop {
            let slice = self.limits.checkpoint.and_then(|checkpoint| Instant::now().checked_add(checkpoint.every));
            let ask =
                |search: &mut Search<Layers>, limits: search::Limits<'_>| search.solve(position, goal, guess, limits);
            let answer = self.run_until(slice, ask, |answer| (answer.stats, answer.stopped))?;
            let known = (answer.bounds, answer.moves.iter().map(|found| (found.pit, found.bounds)).collect());
            let Some(stopped) = answer.stopped else { return Ok(known) };
            self.keep(position, &known);
            let over = self.until.is_some_and(|until| Instant::now() >= until);
            if stopped != search::Stopped::Time || slice.is_none() || over {
                return Ok(known);
            }
        }
    }

    /// A limit leaves the value an answer without its line.
    fn line(&mut self, position: Position, value: Margin, lead: Margin) -> Result<Option<Vec<u8>>, SolverError> {
        let ties = if self.limits.value_only { Ties::Known } else { Ties::Nearest };
        let ask = |search: &mut Search<Layers>, limits: search::Limits<'_>| search.line(position, value, ties, limits);
        let line = self.run(ask, |line| (line.stats, line.stopped))?;
        if line.stopped == Some(search::Stopped::Untrue) {
            let position = State::new(self.search.game().pits(), position).to_string();
            return Err(SolverError::Contradiction { rules: self.rules, position, value });
        }
        let pits = line.pits;
        pits.map(|pits| self.end_in_layers(position, value, lead, pits)).transpose()
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }
}
