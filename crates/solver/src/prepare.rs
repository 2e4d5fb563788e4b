//! Preparing layers before a search: how many are worth building, what that costs, and building them.

use crate::plan::{Rates, estimate_seconds, expected_search, suggested_layers, with_threads};
use crate::{SolverError, machine};
use kalah_database::{Database, DatabaseError, DirectoryLock};
use kalah_retrograde::{BuildError, BuildOptions, BuildPlan, LayerPlan, LayerReport, Observer, build, plan};
use kalah_rules::{LayerKind, Repetition, RuleSet, SowingGame};
use kalah_search::Goal;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Layers that are wanted in a directory.
///
/// ```
/// use kalah::{Goal, Preparation, Unprepared};
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
///
/// // As many layers as make building them and searching the start of Kalah(4,3) shortest.
/// let prepared = Preparation::new(directory, "kalah".parse()?, 4, 1).prepare(None, 24, Goal::Value, &Unprepared)?;
/// assert!(!prepared.stopped);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Preparation<'a> {
    /// Where they are kept. A directory that does not exist is made when something is written.
    pub directory: &'a Path,
    /// Their rules.
    pub rules: RuleSet,
    /// Pits a side.
    pub pits: u8,
    /// All layers with up to so many seeds in pits.
    pub seeds: u32,
    /// How to build them.
    pub options: BuildOptions,
    /// With how many threads.
    pub threads: usize,
    /// When to stop building; what is finished by then is kept.
    pub until: Option<Instant>,
}

/// What building would take.
#[derive(Clone, Debug)]
pub struct Costs {
    /// How many layers are there already.
    pub present: u32,
    /// What is missing.
    pub plan: BuildPlan,
    /// About how long it takes, in seconds; 0 if nothing is missing.
    pub seconds: f64,
}

/// Layers that were built, and whether all that were wanted are there.
#[derive(Clone, PartialEq, Debug)]
pub struct Built {
    /// The finished layers.
    pub layers: Vec<LayerReport>,
    /// Whether the observer or the time ended the build first.
    pub stopped: bool,
}

/// Layers that are there before a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The most seeds of the layers that were asked for or are worth having; `None` for no layers.
    pub most: Option<u32>,
    /// Whether the observer or the time came first.
    pub stopped: bool,
}

/// Is told what a preparation decides and does; a build's [`Observer`] with two more things to tell.
pub trait PreparationObserver: Observer {
    /// Layers with up to `seeds` seeds make building and searching together shortest; searching is expected to take
    /// `search_seconds`.
    fn chosen(&self, _seeds: u32, _search_seconds: f64) {}

    /// A build begins.
    fn planned(&self, _wanted: &Preparation<'_>, _costs: &Costs) {}
}

/// Observes nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unprepared;

impl Observer for Unprepared {}
impl PreparationObserver for Unprepared {}

/// Building fewer positions is over before anybody has read about it.
pub const WORTH_A_WORD: u64 = 1_000_000;

/// A search that is expected to take no longer needs no layers.
const SHORT_SEARCH: f64 = 0.2;

/// Layers of games whose positions repeat are built on the way to a search if they take no longer than this, in seconds: only
/// they hold exact values there.
const CHEAP_BUILD: f64 = 20.0;

impl<'a> Preparation<'a> {
    /// No layers yet of a board in a directory, to be built in the usual way; the memory is what the machine can spare.
    pub fn new(directory: &'a Path, rules: RuleSet, pits: u8, threads: usize) -> Preparation<'a> {
        let options = BuildOptions { memory: Some(machine::spare_memory()), ..BuildOptions::default() };
        Preparation { directory, rules, pits, seeds: 0, options, threads, until: None }
    }

    /// How many layers are there already.
    ///
    /// # Errors
    /// If the directory cannot be read, or holds a damaged layer.
    pub fn present(&self) -> Result<u32, SolverError> {
        match self.directory.try_exists() {
            Ok(false) => Ok(0),
            _ => Ok(Database::open(self.directory, &self.options.stamp(&self.rules, self.pits))?.layers()),
        }
    }

    /// What building the missing layers would take. A large plan is estimated by building a small part of it in a temporary
    /// directory, which takes about a second; the observer may end that.
    ///
    /// # Errors
    /// If layers of these rules cannot be built, the directory cannot be read, or the observer asks to stop.
    pub fn costs(&self, observer: &dyn Observer) -> Result<Costs, SolverError> {
        let present = self.present()?;
        let plan = plan(&self.rules, self.pits, self.seeds, present, &self.options, self.threads)?;
        let seconds = if plan.layers.is_empty() {
            0.0
        } else {
            let watcher = self.watch(observer);
            let estimate = || estimate_seconds(&self.rules, self.pits, &plan, &self.options, &watcher);
            with_threads(self.threads, estimate)??
        };
        Ok(Costs { present, plan, seconds })
    }

    /// Refuses what memory or disk will not hold.
    ///
    /// # Errors
    /// [`SolverError::NoMemory`] or [`SolverError::NoDisk`] with the numbers.
    pub fn check(&self, costs: &Costs) -> Result<(), SolverError> {
        let what = || format!("layers 0 to {} of {}", self.seeds, self.options.stamp(&self.rules, self.pits));
        let needed = costs.plan.memory_bytes;
        if let Some(free) = self.options.memory.filter(|&allowed| needed > allowed) {
            return Err(SolverError::NoMemory { what: what(), needed, free });
        }
        let needed = costs.plan.disk_bytes;
        match machine::free_disk(self.directory).filter(|&free| needed > free) {
            Some(free) => {
                let directory = self.directory.to_owned();
                Err(SolverError::NoDisk { what: what(), directory, needed, free })
            }
            None => Ok(()),
        }
    }

    /// Builds what is missing.
    ///
    /// # Errors
    /// If a layer cannot be built, read or written. Being stopped is no error.
    pub fn build(&self, observer: &dyn Observer) -> Result<Built, SolverError> {
        let watcher = self.watch(observer);
        let Preparation { directory, rules, pits, seeds, options, .. } = self;
        let result = with_threads(self.threads, || build(directory, rules, *pits, *seeds, options, &watcher))?;
        let layers = watcher.finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        match result {
            Ok(_) => Ok(Built { layers, stopped: false }),
            Err(BuildError::Stopped) => Ok(Built { layers, stopped: true }),
            Err(error) => Err(error.into()),
        }
    }

    /// Before a position with `board` seeds in pits is searched for a goal: builds the layers up to `layers` seeds, or as many
    /// as are worth it. `Some(0)` builds nothing. Layers that a stopped build has finished are kept.
    ///
    /// # Errors
    /// If memory or disk will not hold the layers, or as [`Preparation::build`].
    pub fn prepare(
        &self,
        layers: Option<u32>,
        board: u32,
        goal: Goal,
        observer: &dyn PreparationObserver,
    ) -> Result<Prepared, SolverError> {
        let wanted = match self.wanted(layers, board, goal, observer) {
            Err(SolverError::Build(BuildError::Stopped)) => return Ok(Prepared { most: None, stopped: true }),
            wanted => wanted?,
        };
        let Some(wanted) = wanted else { return Ok(Prepared { most: self.present()?.checked_sub(1), stopped: false }) };
        let done = |stopped| Prepared { most: Some(wanted.seeds), stopped };
        if wanted.present()? > wanted.seeds {
            return Ok(done(false));
        }
        let costs = match wanted.costs(observer) {
            Err(SolverError::Build(BuildError::Stopped)) => return Ok(done(true)),
            costs => costs?,
        };
        wanted.check(&costs)?;
        observer.planned(&wanted, &costs);
        Ok(done(wanted.build(observer)?.stopped))
    }

    /// The layers to build; `None` for none.
    fn wanted(
        &self,
        layers: Option<u32>,
        board: u32,
        goal: Goal,
        observer: &dyn PreparationObserver,
    ) -> Result<Option<Preparation<'a>>, SolverError> {
        let with = |seeds| Preparation { seeds, ..self.clone() };
        if let Some(layers) = layers {
            return Ok((layers > 0).then(|| with(layers)));
        }
        let game = self.rules.game(self.pits)?;
        if game.repetition() == Repetition::OwnRows {
            return Ok(None);
        }
        let present = self.present()?;
        // More than memory holds at once would have to be read from disk again and again.
        let room = machine::free_disk(self.directory).map_or(u64::MAX, |disk| disk / 2);
        let room = room.min(machine::free_memory() / 5 * 3);
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        // Half of the time there is belongs to the search.
        let most = left.map_or(f64::INFINITY, |left: Duration| left.as_secs_f64() / 2.0);
        if game.layer_kind() == LayerKind::Cyclic {
            let rates = Rates::of_repeating_games(self.threads);
            let seconds = most.min(CHEAP_BUILD);
            let layers = (present..=board)
                .map_while(|seeds| {
                    let costs = plan(&self.rules, self.pits, seeds, present, &self.options, self.threads).ok()?;
                    let fits = costs.all_bytes <= room && costs.positions as f64 / rates.built <= seconds;
                    fits.then_some(seeds)
                })
                .last();
            return Ok(layers.map(with));
        }
        let mut rates = Rates::of_threads(self.threads);
        let reach = present.saturating_sub(1);
        if expected_search(self.pits, board, reach, goal) / rates.searched < SHORT_SEARCH {
            return Ok(None);
        }
        let mut wanted = with(suggested_layers(self.pits, board, goal, room, present, most, &rates));
        let costs = wanted.costs(observer)?;
        if costs.plan.positions > WORTH_A_WORD {
            // Now that a small build has shown what this machine does under these rules.
            rates.built = costs.plan.positions as f64 / costs.seconds;
            wanted.seeds = suggested_layers(self.pits, board, goal, room, present, most, &rates);
            let search = expected_search(self.pits, board, wanted.seeds, goal) / rates.searched;
            observer.chosen(wanted.seeds, search);
        }
        Ok((wanted.seeds > 0).then_some(wanted))
    }

    /// Ends what an earlier build that was killed at its last step left undone, unless another process is at work.
    ///
    /// # Errors
    /// If the directory cannot be read or written.
    pub fn tidy(&self) -> Result<(), SolverError> {
        let lock = match DirectoryLock::acquire(self.directory) {
            Err(DatabaseError::Locked { .. } | DatabaseError::Permission { .. }) => return Ok(()),
            acquired => acquired?,
        };
        Ok(lock.tidy()?)
    }

    fn watch<'o>(&self, observer: &'o dyn Observer) -> Watcher<'o> {
        Watcher { observer, until: self.until, finished: Mutex::default() }
    }
}

/// Passes everything on, collects what is finished, and stops when the time has come.
struct Watcher<'o> {
    observer: &'o dyn Observer,
    until: Option<Instant>,
    finished: Mutex<Vec<LayerReport>>,
}

impl Observer for Watcher<'_> {
    fn layer_started(&self, layer: &LayerPlan) {
        self.observer.layer_started(layer);
    }

    fn advanced(&self, positions: u64) {
        self.observer.advanced(positions);
    }

    fn layer_finished(&self, layer: &LayerReport) {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).push(*layer);
        self.observer.layer_finished(layer);
    }

    fn should_stop(&self) -> bool {
        self.observer.should_stop() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(directory: &'a Path, rules: &str, pits: u8) -> Preparation<'a> {
        Preparation::new(directory, rules.parse().unwrap(), pits, 1)
    }

    #[test]
    fn short_searches_need_no_layers_and_zero_means_none() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("not there");
        let nothing = Prepared { most: None, stopped: false };
        let wanted = at(&path, "kalah", 3);
        assert_eq!(wanted.prepare(None, 12, Goal::EveryMove, &Unprepared).unwrap(), nothing);
        assert_eq!(wanted.prepare(Some(0), 60, Goal::EveryMove, &Unprepared).unwrap(), nothing);
        assert!(!path.exists(), "nothing was written");
        let asked = wanted.prepare(Some(5), 12, Goal::EveryMove, &Unprepared).unwrap();
        assert_eq!((asked.most, wanted.present().unwrap()), (Some(5), 6));
    }

    #[test]
    fn cheap_layers_of_games_that_repeat_are_all_built() {
        let directory = tempfile::tempdir().unwrap();
        let wanted = at(directory.path(), "awari", 2);
        wanted.prepare(None, 12, Goal::EveryMove, &Unprepared).unwrap();
        assert_eq!(wanted.present().unwrap(), 13);
        let history = at(directory.path(), "oware", 2);
        assert_eq!(history.prepare(None, 12, Goal::EveryMove, &Unprepared).unwrap().most, None);
    }

    #[test]
    fn no_time_is_no_layer_and_refusals_have_numbers() {
        let directory = tempfile::tempdir().unwrap();
        let late = Preparation { until: Some(Instant::now()), ..at(directory.path(), "kalah", 6) };
        assert!(late.prepare(Some(20), 48, Goal::Value, &Unprepared).unwrap().stopped);
        let options = BuildOptions { memory: Some(1), ..BuildOptions::default() };
        let poor = Preparation { options, ..at(directory.path(), "kalah", 6) };
        let error = poor.prepare(Some(8), 48, Goal::Value, &Unprepared).unwrap_err();
        assert!(matches!(error, SolverError::NoMemory { free: 1, .. }), "{error}");
    }
}
