//! Building layers with a person waiting: what was decided, the plan before, progress, and what was done.

use crate::failure::Failure;
use crate::output::note;
use crate::progress::Progress;
use crate::{gap, stop, units};
use kalah::database::ErrorKind;
use kalah::retrograde::{BuildError, LayerPlan, Observer};
use kalah::{Built, Costs, Goal, Preparation, PreparationObserver, Prepared, SolverError, WORTH_A_WORD};
use std::sync::OnceLock;

/// Shows what is decided and how far it has come, and obeys signals.
#[derive(Default)]
struct Watcher {
    /// From the moment a build begins.
    progress: OnceLock<Progress>,
}

impl Observer for Watcher {
    fn layer_started(&self, layer: &LayerPlan) {
        if let Some(progress) = self.progress.get() {
            progress.doing(format!("building layer {}", layer.seeds));
        }
    }

    fn advanced(&self, positions: u64) {
        if let Some(progress) = self.progress.get() {
            progress.add(positions);
        }
    }

    fn should_stop(&self) -> bool {
        stop::requested()
    }
}

impl PreparationObserver for Watcher {
    fn chosen(&self, seeds: u32, search_seconds: f64) {
        note(format!(
            "using layers up to {}: with them, building and {} of searching take the least time together",
            units::plural(u64::from(seeds), "seed", "seeds"),
            units::about(search_seconds)
        ));
    }

    fn planned(&self, wanted: &Preparation<'_>, costs: &Costs) {
        announce(wanted, costs);
        let _ = self.progress.set(Progress::new(costs.plan.positions, "positions"));
    }
}

/// Before a position with `board` seeds in pits is searched: builds the layers up to `layers`, or as many as are worth it. Where
/// layers cannot be written, the search does without them.
pub(crate) fn prepare(
    wanted: &Preparation<'_>,
    layers: Option<u32>,
    board: u32,
    goal: Goal,
) -> Result<Prepared, Failure> {
    gap::look(wanted.directory, &wanted.options.stamp(&wanted.rules, wanted.pits))?;
    let prepared = match wanted.prepare(layers, board, goal, &Watcher::default()) {
        Err(SolverError::Database(error) | SolverError::Build(BuildError::Database(error)))
            if matches!(error.kind(), ErrorKind::Permission | ErrorKind::Io) =>
        {
            note(format!(
                "warning: {error}; searching without new layers, which takes longer (--database names another place)"
            ));
            return Ok(Prepared { most: wanted.present().unwrap_or_default().checked_sub(1), stopped: false });
        }
        prepared => prepared?,
    };
    if prepared.stopped {
        note("stopped while building layers; finished layers are kept, and the same command resumes");
    }
    Ok(prepared)
}

/// Builds what is missing, with progress.
pub(crate) fn build(wanted: &Preparation<'_>, costs: &Costs) -> Result<Built, Failure> {
    let watcher = Watcher::default();
    let _ = watcher.progress.set(Progress::new(costs.plan.positions, "positions"));
    Ok(wanted.build(&watcher)?)
}

/// What building the missing layers would take; a signal ends the trial.
pub(crate) fn costs(wanted: &Preparation<'_>) -> Result<Costs, Failure> {
    Ok(wanted.costs(&Watcher::default())?)
}

/// The plan in one sentence.
pub(crate) fn plan_text(wanted: &Preparation<'_>, costs: &Costs) -> String {
    let Costs { plan, seconds, .. } = costs;
    format!(
        "layers 0 to {} of {} in {}: {} to build, {}, {} on disk, {} of memory, {}",
        wanted.seeds,
        wanted.options.stamp(&wanted.rules, wanted.pits),
        wanted.directory.display(),
        units::plural(plan.layers.len() as u64, "layer", "layers"),
        units::plural(plan.positions, "position", "positions"),
        units::bytes(plan.disk_bytes),
        units::bytes(plan.memory_bytes),
        units::about(*seconds)
    )
}

/// Prints the plan of a build that takes long enough to be noticed.
pub(crate) fn announce(wanted: &Preparation<'_>, costs: &Costs) {
    if costs.plan.positions > WORTH_A_WORD {
        note(plan_text(wanted, costs));
    }
}
