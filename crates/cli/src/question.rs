//! Questions about positions: layers and solutions opened, more layers prepared where a search needs them, and the answer.

use crate::directory::Directory;
use crate::failure::Failure;
use crate::global::{Global, SearchLimits};
use crate::output::note;
use crate::{gap, layers, report, search};
use kalah::{Answer, Goal, Limits, Options, Preparation, Session, Solutions, Solver};
use kalah_rules::{RuleSet, State};
use std::collections::HashMap;
use std::time::Instant;

/// What all questions of one command have in common, and the sessions that answer them.
pub(crate) struct Questions<'a> {
    pub(crate) directory: &'a Directory,
    pub(crate) rules: RuleSet,
    pub(crate) options: Options,
    /// Leave kept solutions out.
    pub(crate) again: bool,
    /// Layers to build before a search; `None` for as many as are worth it.
    pub(crate) layers: Option<u32>,
    /// Only the value is wanted.
    pub(crate) value_only: bool,
    pub(crate) limits: SearchLimits,
    /// One for each number of pits.
    sessions: HashMap<u8, Session>,
}

impl<'a> Questions<'a> {
    /// Questions that are to be answered completely, with positions of up to `seeds` seeds in mind.
    pub(crate) fn new(
        directory: &'a Directory,
        rules: RuleSet,
        global: &Global,
        limits: SearchLimits,
        seeds: u32,
    ) -> Questions<'a> {
        let options = search::options(global, limits, seeds);
        let sessions = HashMap::new();
        Questions { directory, rules, options, again: false, layers: None, value_only: false, limits, sessions }
    }

    /// Answers one position, with progress, until the limits or a signal. The limits cover building layers.
    pub(crate) fn ask(&mut self, state: &State) -> Result<Answer, Failure> {
        let (started, pits) = (Instant::now(), state.pits());
        let mut session = match self.sessions.remove(&pits) {
            Some(session) => session,
            None => open(self.directory, self.rules, pits, self.options, self.again)?.session(),
        };
        if session.needs_search(state, self.value_only)? {
            if let Some(known) = session.recall(state)? {
                note(format!("known from a kept solution: {}; searching the other moves", report::headline(&known)));
            }
            let until = self.limits.time.and_then(|time| started.checked_add(time));
            let wanted =
                Preparation { until, ..Preparation::new(&self.directory.path, self.rules, pits, self.options.threads) };
            let goal = if self.value_only { Goal::Value } else { Goal::EveryMove };
            let before = session.solver().layers();
            layers::prepare(&wanted, self.layers, state.position().seeds(), goal)?;
            let now = wanted.present().unwrap_or_default().checked_sub(1);
            if now > before {
                session = open(self.directory, self.rules, pits, self.options, self.again)?.session();
            }
        }
        let more = Limits { value_only: self.value_only, ..Limits::default() };
        let answer = search::analyse(&session, state, self.limits.left(started), more)?;
        self.sessions.insert(pits, session);
        Ok(answer)
    }
}

/// A solver with the layers of the directory and the solved starts. A directory that does not exist is an empty one; `again`
/// leaves solved starts out.
pub(crate) fn open(
    directory: &Directory,
    rules: RuleSet,
    pits: u8,
    options: Options,
    again: bool,
) -> Result<Solver, Failure> {
    directory.check()?;
    let solver = if directory.path.exists() {
        Solver::open(&directory.path, rules, pits, options)?
    } else {
        Solver::without_layers(rules, pits, options)?
    };
    solver.database().map(gap::warn).transpose()?;
    if again {
        return Ok(solver);
    }
    let folders = directory.present_solution_folders();
    let solutions = Solutions::open(&folders, &rules, pits)?;
    Ok(solver.with_solutions(solutions)?)
}
