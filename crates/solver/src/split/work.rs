//! Solving sub-problems one after another, with one table for all of them.

use super::{Task, TaskResult};
use crate::{Limits, Solver, SolverError, VERSION, hash_text};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

impl Solver {
    /// Answers sub-problems in their order and passes on each result as soon as it is there. `true` if all were answered;
    /// `false` if a limit came first or `each` broke off. Results are proofs, so which bounds beyond the answer they
    /// state may depend on what was solved before and on threads, and all are true.
    ///
    /// # Errors
    /// If a position is on another board, a layer is damaged, or the search cannot be set up.
    pub fn prove_each(
        &self,
        tasks: &[Task],
        limits: &Limits<'_>,
        mut each: impl FnMut(TaskResult) -> ControlFlow<()>,
    ) -> Result<bool, SolverError> {
        if let Some(task) = tasks.iter().find(|task| task.state.pits() != self.pits()) {
            return Err(SolverError::OtherBoard { expected: self.pits(), found: task.state.pits() });
        }
        let most = tasks.iter().map(|task| task.state.position().seeds()).max().unwrap_or(0);
        let (session, started, mut nodes) = (self.session().expecting(most), Instant::now(), 0);
        let rules_hash = hash_text(&self.rules());
        for task in tasks {
            if limits.stop.is_some_and(|stop| stop.load(Relaxed)) {
                return Ok(false);
            }
            let clock = Instant::now();
            let answer = session.reaches(&task.state, task.window, &limits.left(started, nodes))?;
            nodes += answer.stats.nodes;
            let result = TaskResult {
                id: task.id,
                state: task.state,
                window: task.window,
                bounds: answer.bounds,
                nodes: answer.stats.nodes,
                // Whole microseconds come back from text as they were.
                seconds: (clock.elapsed().as_secs_f64() * 1e6).round() / 1e6,
                rules_hash: rules_hash.clone(),
                version: VERSION.to_owned(),
            };
            if !result.answers() || each(result).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
