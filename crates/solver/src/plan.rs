//! Before layers are built: how many a start deserves, and how long building takes on this machine.

use crate::SolverError;
use kalah_index::{Layer, MAX_LAYER};
use kalah_retrograde::{BuildError, BuildOptions, BuildPlan, Builder, LayerReport, Observer, build};
use kalah_rules::RuleSet;
use kalah_search::Goal;
use std::sync::Mutex;

/// What a machine does in a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Positions of layers that are built.
    pub built: f64,
    /// Positions that are searched beyond the layers.
    pub searched: f64,
}

impl Rates {
    /// What to expect of `threads` threads, for rule sets whose layers are swept row by row.
    pub fn of_threads(threads: usize) -> Rates {
        let threads = threads.max(1) as f64;
        Rates { built: 100e6 * threads, searched: 2e6 * threads }
    }

    /// What to expect of `threads` threads where positions of a layer repeat, so that it needs a fixpoint.
    pub fn of_repeating_games(threads: usize) -> Rates {
        Rates { built: 3e6 * threads.max(1) as f64, ..Rates::of_threads(threads) }
    }
}

/// About how many positions are searched for the value of a position with `board` seeds in `pits` pits a side and a line of
/// play, and for all its moves if that is the goal, with layers up to `layers` seeds in pits.
///
/// A rule of thumb, fitted to some thirty starts on 3 to 8 pits a side: right to a factor of about five on boards that can be
/// solved in minutes. On six pits every layer saves about a fifth.
pub fn expected_search(pits: u8, board: u32, layers: u32, goal: Goal) -> f64 {
    let (pits, board) = (f64::from(pits), f64::from(board));
    if f64::from(layers) >= board {
        return 0.0;
    }
    let all = (0.0475 * pits * board - 0.036 * pits * f64::from(layers) + 7.1).exp();
    match goal {
        Goal::EveryMove => all,
        Goal::Value => all / 6.0,
    }
}

/// Up to how many seeds in pits layers should be built before a position with `board` seeds in `pits` pits a side is searched
/// for a goal: as many as make building and searching together shortest. They may take `most_bytes` bytes together, and
/// building them `most_seconds` seconds. Layers below `present` seeds are there already. At most half of the seeds on the
/// board, for so few layers lead nowhere near the start itself.
pub fn suggested_layers(
    pits: u8,
    board: u32,
    goal: Goal,
    most_bytes: u64,
    present: u32,
    most_seconds: f64,
    rates: &Rates,
) -> u32 {
    let most = (board / 2).min(most_layers(pits, most_bytes));
    let mut built = 0.0;
    let mut best = (f64::INFINITY, 0);
    for layers in 0..=most {
        if layers >= present {
            built += Layer::new(pits, layers).map_or(f64::INFINITY, |layer| layer.positions() as f64);
        }
        if built / rates.built > most_seconds {
            break;
        }
        let seconds = built / rates.built + expected_search(pits, board, layers, goal) / rates.searched;
        // Layers that cost nearly nothing are built anyway.
        if seconds <= best.0 || seconds < 0.1 {
            best = (seconds, layers);
        }
    }
    best.1
}

/// Up to how many seeds in pits the layers of boards with `pits` pits a side take no more than `most_bytes` bytes together.
pub fn most_layers(pits: u8, most_bytes: u64) -> u32 {
    let mut all = 0u64;
    let fits = |n: &u32| {
        let positions = Layer::new(pits, *n).map_or(u64::MAX, |layer| layer.positions());
        all = all.saturating_add(positions);
        all <= most_bytes
    };
    (0..=MAX_LAYER).take_while(fits).last().unwrap_or(0)
}

/// How many bytes the table of a search of positions with up to `seeds` seeds in pits should have, if it may have at most
/// `most_bytes`: 256 MiB up to 48 seeds, for every 4 seeds more twice as many. Larger than needed is slower, because more of
/// it lies out of reach of the processor's caches.
pub fn suggested_table(seeds: u32, most_bytes: u64) -> u64 {
    let doublings = seeds.saturating_sub(48) / 4;
    (256u64 << 20).saturating_mul(1 << doublings.min(30)).min(most_bytes)
}

/// About how long `plan` will take on this machine with the current rayon pool, from building some small layers in a
/// temporary directory. Large layers are a little faster or slower by position; twice as long is possible. A plan that is no
/// larger than such a trial, or a temporary directory that cannot hold one, gets a careful guess. The observer may end the
/// trial; nothing else is told to it.
///
/// # Errors
/// If layers of these rules cannot be built at all, or the observer asks to stop.
pub fn estimate_seconds(
    rules: &RuleSet,
    pits: u8,
    plan: &BuildPlan,
    options: &BuildOptions,
    observer: &dyn Observer,
) -> Result<f64, BuildError> {
    /// Remembers the last layer.
    struct Last<'a>(Mutex<Option<LayerReport>>, &'a dyn Observer);
    impl Observer for Last<'_> {
        fn layer_finished(&self, layer: &LayerReport) {
            *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(*layer);
        }

        fn should_stop(&self) -> bool {
            self.1.should_stop()
        }
    }
    // Positions of the layers that are built to find out how fast this machine is.
    let most = match options.builder {
        Builder::Sweep | Builder::Pattern { .. } => 3_000_000,
        Builder::Reference => 200_000,
    };
    if plan.positions <= most {
        // A trial takes about a second on a slow machine.
        return Ok(plan.positions as f64 / most as f64);
    }
    let enough = |n: &u32| Layer::new(pits, *n).is_ok_and(|layer| layer.positions() <= most);
    let largest = plan.layers.last().map_or(0, |layer| layer.seeds);
    let seeds = (0..=largest).take_while(enough).last().unwrap_or(0);
    let last = Last(Mutex::default(), observer);
    let tried = match tempfile::tempdir() {
        Ok(directory) => build(directory.path(), rules, pits, seeds, options, &last).map(|_| true),
        Err(_) => Ok(false),
    };
    match tried {
        Ok(true) => {}
        // What the temporary directory has no room for, or refuses, says nothing about the directory of the plan.
        Ok(false) | Err(BuildError::Database(_)) => return Ok(guess(plan, options)),
        Err(error) => return Err(error),
    }
    let last = last.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let rate = last.map_or(f64::INFINITY, |layer| layer.positions as f64 / layer.compute_seconds.max(1e-6));
    // Syncing files and their directory costs about the same for every layer.
    let per_layer = last.map_or(0.0, |layer| (layer.seconds - layer.compute_seconds).max(0.0));
    Ok(plan.positions as f64 / rate + plan.layers.len() as f64 * per_layer)
}

/// How long `plan` takes on a slow machine, in seconds, by what builders were measured to do on others, with a margin of two.
fn guess(plan: &BuildPlan, options: &BuildOptions) -> f64 {
    let per_thread = match options.builder {
        Builder::Sweep | Builder::Pattern { .. } => 60e6,
        Builder::Reference => 2e6,
    };
    plan.positions as f64 / (per_thread * rayon::current_num_threads() as f64) + plan.layers.len() as f64 * 0.05
}

/// Threads that a core can keep busy with layers: more would only look for work where there is none.
const THREADS_A_CORE: usize = 4;

/// Runs `work` with `threads` threads (at least 1) for everything in it that runs in parallel, but with no more than four for
/// every core of the machine.
///
/// # Errors
/// If the system does not start so many.
pub fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, SolverError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let useful = threads.clamp(1, THREADS_A_CORE * cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(useful).build();
    let pool = pool.map_err(|error| SolverError::Threads { threads, reason: error.to_string() })?;
    Ok(pool.install(work))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_retrograde::{Unwatched, plan};

    #[test]
    fn larger_starts_deserve_more_and_room_is_respected() {
        let rates = Rates::of_threads(2);
        let board = |pits: u8, seeds: u32| 2 * u32::from(pits) * seeds;
        let suggested = |pits, seeds, goal, bytes, present, rates: &Rates| {
            suggested_layers(pits, board(pits, seeds), goal, bytes, present, f64::INFINITY, rates)
        };
        let layers = |pits, seeds, bytes| suggested(pits, seeds, Goal::EveryMove, bytes, 0, &rates);
        assert_eq!(layers(6, 4, u64::MAX), 21);
        assert!(suggested(6, 4, Goal::Value, u64::MAX, 0, &rates) < 21);
        assert!(suggested_layers(6, 48, Goal::EveryMove, u64::MAX, 0, 0.1, &rates) < 18, "time is respected");
        assert_eq!(layers(6, 1, u64::MAX), 6);
        assert!(layers(6, 5, u64::MAX) >= 24);
        assert_eq!(layers(6, 5, 1_500_000_000), 24);
        assert_eq!(layers(6, 4, 0), 0);
        assert!(suggested(6, 5, Goal::EveryMove, u64::MAX, 31, &rates) >= layers(6, 5, u64::MAX));
        // Layers that are built position by position are worth less.
        assert!(suggested(6, 4, Goal::EveryMove, u64::MAX, 0, &Rates { built: 5e6, ..rates }) < 20);
        for pits in 1..=8 {
            for seeds in 0..=255 / (2 * u32::from(pits)) {
                let layers = layers(pits, seeds, 1 << 30);
                assert!(layers <= u32::from(pits) * seeds);
                assert!(
                    plan(&RuleSet::default(), pits, layers, 0, &BuildOptions::default(), 2).unwrap().all_bytes
                        <= 1 << 30
                        || layers == 0
                );
            }
        }
    }

    #[test]
    fn expected_work_is_of_the_right_size() {
        // Measured: positions searched under kalah, for all moves and for the value alone.
        for (pits, seeds, layers, all, value) in [
            (3, 4, 6, 5_642.0, 3_216.0),
            (3, 8, 20, 39_101.0, 5_626.0),
            (4, 6, 20, 174_885.0, 70_190.0),
            (5, 3, 12, 217_148.0, 18_006.0),
            (5, 4, 16, 1_099_349.0, 138_099.0),
            (5, 6, 22, 56_991_636.0, 13_855_755.0),
            (6, 3, 18, 448_789.0, 64_090.0),
            (6, 4, 12, 105_786_335.0, 21_907_287.0),
            (6, 4, 22, 14_056_000.0, 2_328_251.0),
            (7, 3, 16, 14_289_981.0, 967_918.0),
            (8, 2, 14, 1_181_065.0, 133_203.0),
        ] {
            for (goal, nodes) in [(Goal::EveryMove, all), (Goal::Value, value)] {
                let expected = expected_search(pits, 2 * u32::from(pits) * seeds, layers, goal);
                assert!(
                    expected < 6.0 * nodes && nodes < 6.0 * expected,
                    "({pits},{seeds}): {expected:.0} for {nodes}"
                );
            }
        }
        assert_eq!(expected_search(6, 12, 12, Goal::EveryMove), 0.0);
    }

    #[test]
    fn larger_starts_deserve_larger_tables() {
        assert_eq!(suggested_table(8, u64::MAX), 256 << 20);
        assert_eq!(suggested_table(60, u64::MAX), 2 << 30);
        assert_eq!(suggested_table(60, 1 << 30), 1 << 30);
        assert!(suggested_table(255, u64::MAX) > suggested_table(72, u64::MAX));
    }

    #[test]
    fn an_estimate_is_a_time() {
        let rules = RuleSet::default();
        for (builder, seeds) in [(Builder::Sweep, 8), (Builder::Sweep, 60), (Builder::Reference, 30)] {
            let options = BuildOptions { builder, ..BuildOptions::default() };
            let seconds =
                estimate_seconds(&rules, 3, &plan(&rules, 3, seeds, 0, &options, 2).unwrap(), &options, &Unwatched)
                    .unwrap();
            assert!(seconds > 0.0 && seconds < 3600.0, "{seconds}");
        }
    }

    #[test]
    fn threads_are_what_was_asked_for_as_far_as_they_are_useful() {
        assert_eq!(with_threads(3, rayon::current_num_threads).unwrap(), 3);
        assert_eq!(with_threads(0, rayon::current_num_threads).unwrap(), 1);
        let cores = std::thread::available_parallelism().unwrap().get();
        assert_eq!(with_threads(1_000_000, rayon::current_num_threads).unwrap(), 4 * cores);
    }
}
