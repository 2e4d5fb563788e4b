//! Building layers with a person waiting: the plan before, refusals in time, progress, and what was done.

use crate::directory::Directory;
use crate::failure::{Failure, Kind};
use crate::output::note;
use crate::progress::Progress;
use crate::{machine, stop, units};
use kalah::database::{Database, DatabaseError, DirectoryLock};
use kalah::retrograde::{BuildError, BuildOptions, BuildPlan, LayerPlan, LayerReport, Observer, build, plan};
use kalah::{Goal, Rates};
use kalah_rules::RuleSet;
use std::sync::Mutex;
use std::time::Instant;

/// Layers that are there before a search.
pub(crate) struct Prepared {
    /// Up to so many seeds in pits, unless it was stopped.
    pub(crate) layers: u32,
    /// Whether a signal or the time came first.
    pub(crate) stopped: bool,
}

/// Layers asked for.
pub(crate) struct Wanted<'a> {
    /// Where they are kept.
    pub(crate) directory: &'a Directory,
    /// Their rules.
    pub(crate) rules: RuleSet,
    /// Pits a side.
    pub(crate) pits: u8,
    /// All layers with up to so many seeds.
    pub(crate) seeds: u32,
    /// How to build them.
    pub(crate) options: BuildOptions,
    /// With how many threads.
    pub(crate) threads: usize,
    /// When to stop building; what is finished by then is kept.
    pub(crate) until: Option<Instant>,
}

/// What building would take.
pub(crate) struct Costs {
    /// How many layers are there already.
    pub(crate) present: u32,
    /// What is missing.
    pub(crate) plan: BuildPlan,
    /// About how long it takes; 0 if nothing is missing.
    pub(crate) seconds: f64,
}

/// What was built, and whether it came to its end.
pub(crate) struct Built {
    /// The finished layers.
    pub(crate) layers: Vec<LayerReport>,
    /// Whether a signal or the time came first.
    pub(crate) stopped: bool,
}

impl<'a> Wanted<'a> {
    /// No layers yet of a board in a directory, to be built in the usual way; the memory is what the machine can spare.
    pub(crate) fn none(directory: &'a Directory, rules: RuleSet, pits: u8, threads: usize) -> Wanted<'a> {
        let options = BuildOptions { memory: Some(machine::spare_memory()), ..BuildOptions::default() };
        Wanted { directory, rules, pits, seeds: 0, options, threads, until: None }
    }

    /// How many layers are there already.
    pub(crate) fn present(&self) -> Result<u32, Failure> {
        match self.directory.path.try_exists() {
            Ok(false) => Ok(0),
            _ => Ok(Database::open(&self.directory.path, &self.options.stamp(&self.rules, self.pits))?.layers()),
        }
    }

    /// What building the missing layers would take.
    pub(crate) fn costs(&self) -> Result<Costs, Failure> {
        let present = self.present()?;
        let plan = plan(&self.rules, self.pits, self.seeds, present, &self.options, self.threads)?;
        let seconds = if plan.layers.is_empty() {
            0.0
        } else {
            let estimate = || kalah::estimate_seconds(&self.rules, self.pits, &plan, &self.options);
            kalah::with_threads(self.threads, estimate)??
        };
        Ok(Costs { present, plan, seconds })
    }

    /// The same with the number of layers with which building them and searching a start with `seeds` seeds in every pit
    /// together are shortest on this machine; says what it expects.
    pub(crate) fn with_best_layers(self, seeds: u32, goal: Goal) -> Result<Self, Failure> {
        // More than memory holds at once would have to be read from disk again and again.
        let room = machine::free_disk(&self.directory.path).map_or(u64::MAX, |disk| disk / 2);
        let room = room.min(machine::free_memory() / 5 * 3);
        let present = self.present()?;
        let mut rates = Rates::of_threads(self.threads);
        let first = Wanted { seeds: kalah::suggested_layers(self.pits, seeds, goal, room, present, &rates), ..self };
        let costs = first.costs()?;
        if costs.plan.positions <= WORTH_A_WORD {
            return Ok(first);
        }
        // Now that a small build has shown what this machine does under these rules.
        rates.built = costs.plan.positions as f64 / costs.seconds;
        let layers = kalah::suggested_layers(self.pits, seeds, goal, room, present, &rates);
        note(format!(
            "layers up to {}: their building and about {} of searching together take least",
            units::plural(u64::from(layers), "seed", "seeds"),
            units::time(kalah::expected_search(self.pits, seeds, layers, goal) / rates.searched)
        ));
        Ok(Wanted { seeds: layers, ..first })
    }

    /// Before a start with `seeds` seeds in every pit is searched: builds the layers up to `layers`, or as many as are worth it, and
    /// says so. What a stopped build has finished is kept.
    pub(crate) fn prepare(self, layers: Option<u32>, seeds: u32, goal: Goal) -> Result<Prepared, Failure> {
        let wanted = match layers {
            Some(layers) => Wanted { seeds: layers, ..self },
            None => self.with_best_layers(seeds, goal)?,
        };
        let mut stopped = false;
        if wanted.present()? <= wanted.seeds {
            let costs = wanted.costs()?;
            announce(&wanted, &costs);
            wanted.check(&costs)?;
            stopped = wanted.build(&costs)?.stopped;
        }
        if stopped {
            note("stopped while building layers; what is finished is kept, and the same command resumes");
        }
        Ok(Prepared { layers: wanted.seeds, stopped })
    }

    /// Refuses what memory or disk will not hold.
    pub(crate) fn check(&self, costs: &Costs) -> Result<(), Failure> {
        let needed = costs.plan.memory_bytes;
        if let Some(allowed) = self.options.memory.filter(|&allowed| needed > allowed) {
            return Err(Failure::new(
                Kind::Limit,
                format!(
                    "building {} needs {} of memory for itself, {} are free or allowed",
                    self.name(),
                    units::bytes(needed),
                    units::bytes(allowed)
                ),
                "Ask for fewer seeds, free some memory, or allow more with --memory.",
            ));
        }
        let needed = costs.plan.disk_bytes;
        if let Some(free) = machine::free_disk(&self.directory.path)
            && needed > free
        {
            return Err(Failure::new(
                Kind::Limit,
                format!(
                    "building {} needs {} on the disk of {}, {} are free",
                    self.name(),
                    units::bytes(needed),
                    self.directory.path.display(),
                    units::bytes(free)
                ),
                "Ask for fewer seeds, make room, or choose another disk with --database.",
            ));
        }
        Ok(())
    }

    /// The plan in one sentence.
    pub(crate) fn plan_text(&self, costs: &Costs) -> String {
        let Costs { plan, seconds, .. } = costs;
        format!(
            "{} in {}: {} to build, {}, {} on disk, {} of memory, {}",
            self.name(),
            self.directory.path.display(),
            units::plural(plan.layers.len() as u64, "layer", "layers"),
            units::plural(plan.positions, "position", "positions"),
            units::bytes(plan.disk_bytes),
            units::bytes(plan.memory_bytes),
            units::about(*seconds)
        )
    }

    /// Builds what is missing.
    pub(crate) fn build(&self, costs: &Costs) -> Result<Built, Failure> {
        let watcher = Watcher {
            progress: Progress::new(costs.plan.positions, "positions"),
            finished: Mutex::default(),
            until: self.until,
        };
        let Wanted { rules, pits, seeds, options, .. } = self;
        let work = || build(&self.directory.path, rules, *pits, *seeds, options, &watcher);
        let result = kalah::with_threads(self.threads, work)?;
        let layers = watcher.finished.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        match result {
            Ok(_) => Ok(Built { layers, stopped: false }),
            Err(BuildError::Stopped) => Ok(Built { layers, stopped: true }),
            Err(error) => Err(error.into()),
        }
    }

    /// Ends what an earlier build that was killed at its last step left undone, unless another process is at work.
    pub(crate) fn tidy(&self) -> Result<(), Failure> {
        let lock = match DirectoryLock::acquire(&self.directory.path) {
            Err(DatabaseError::Locked { .. } | DatabaseError::Permission { .. }) => return Ok(()),
            acquired => acquired?,
        };
        Ok(lock.tidy()?)
    }

    /// What is wanted, for people.
    fn name(&self) -> String {
        format!("layers 0 to {} of {}", self.seeds, self.options.stamp(&self.rules, self.pits))
    }
}

/// Shows progress and collects what is finished.
struct Watcher {
    progress: Progress,
    finished: Mutex<Vec<LayerReport>>,
    until: Option<Instant>,
}

impl Observer for Watcher {
    fn layer_started(&self, layer: &LayerPlan) {
        self.progress.doing(format!("layer {}", layer.seeds));
    }

    fn advanced(&self, positions: u64) {
        self.progress.add(positions);
    }

    fn layer_finished(&self, layer: &LayerReport) {
        self.finished.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(*layer);
    }

    fn should_stop(&self) -> bool {
        stop::requested() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Building fewer positions is over before one has read about it.
pub(crate) const WORTH_A_WORD: u64 = 1_000_000;

/// Prints the plan of a build that takes long enough to be noticed.
pub(crate) fn announce(wanted: &Wanted<'_>, costs: &Costs) {
    if costs.plan.positions > WORTH_A_WORD {
        note(wanted.plan_text(costs));
    }
}
