//! Builds all layers of a database directory up to a number of seeds: plans, resumes, writes, reports.

use crate::fixpoint;
use crate::method::Method;
use crate::observer::{LayerPlan, LayerReport, Observer};
use crate::options::{BuildOptions, Builder};
use crate::solved_files::SolvedFiles;
use crate::sweep::{Pair, Tables};
use crate::write::write_pair;
use crate::{BuildError, sweep};
use kalah_database::{Access, Codec, Database, DatabaseError, DirectoryLock, Encoding, LayerWriter, Parity};
use kalah_index::Layer;
use kalah_rules::{RuleSet, SowingGame};
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::Instant;

/// What a build would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// The layers that are missing, in the order in which they will be built.
    pub layers: Vec<LayerPlan>,
    /// Positions of the missing layers.
    pub positions: u64,
    /// Bytes the missing layers take on disk while they are built: one a position and a small header.
    pub disk_bytes: u64,
    /// Bytes of memory the build needs for itself at its peak, on top of what the system uses to keep files at hand.
    pub memory_bytes: u64,
    /// How many pairs of sections the sweep holds in memory at once: 2, or 1 where memory or threads do not allow more.
    pub lanes: usize,
    /// Bytes of all layers, present and missing: with that much memory left for the system to keep them at hand, no layer
    /// is read from disk twice.
    pub all_bytes: u64,
}

/// What a build did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BuildReport {
    /// Layers that were there before.
    pub present: u32,
    /// The layers that were built, in order.
    pub layers: Vec<LayerReport>,
}

/// What building all layers of `rules` up to `seeds` seeds with `threads` threads takes when the layers below `present` seeds are
/// there.
///
/// # Errors
/// If there is no such board or no such layer, or these rules have no layers.
pub fn plan(
    rules: &RuleSet,
    pits: u8,
    seeds: u32,
    present: u32,
    options: &BuildOptions,
    threads: usize,
) -> Result<BuildPlan, BuildError> {
    let mut plan =
        BuildPlan { layers: Vec::new(), positions: 0, disk_bytes: 0, memory_bytes: 0, lanes: 1, all_bytes: 0 };
    for n in 0..=seeds {
        let positions = Layer::new(pits, n)?.positions();
        plan.all_bytes += positions;
        if n >= present {
            plan.positions += positions;
            plan.disk_bytes += positions + (1 << 13) + positions / 4096;
            plan.layers.push(LayerPlan { seeds: n, positions });
        }
    }
    if let Some(last) = plan.layers.last() {
        let sweeps = matches!(options.builder, Builder::Pattern { .. });
        match Method::choose(&rules.game(pits)?, rules, options.builder)? {
            Method::Levels(tables) => {
                let layer = Layer::new(pits, seeds)?;
                plan.memory_bytes = fixpoint::working_bytes(&layer) + tables.most_bytes(&layer);
                // Progress of the layer at hand: two bytes a position, the old ones removed when the new are there.
                plan.disk_bytes += 4 * last.positions;
            }
            Method::Reference | Method::Plain if !sweeps => plan.memory_bytes = (64 << 20) + 2 * last.positions,
            _ => {
                let one = sweep::working_bytes(pits, seeds, 1, threads);
                let two = sweep::working_bytes(pits, seeds, 2, threads);
                let roomy = threads > 1 && options.memory.is_none_or(|limit| two <= limit);
                (plan.lanes, plan.memory_bytes) = if roomy { (2, two) } else { (1, one) };
            }
        }
        if options.codec != Codec::Raw {
            plan.memory_bytes += plan.positions - last.positions;
        }
    }
    Ok(plan)
}

/// Builds every missing layer up to `seeds` seeds in `directory`, which is created if it is not there, in the current rayon
/// pool. Layers and sections that are finished are not built again.
///
/// # Errors
/// If the board or layer does not exist, the rules allow cycles, the memory does not do, another process builds there, a file
/// is damaged or cannot be written, or the observer asked to stop.
pub fn build(
    directory: &Path,
    rules: &RuleSet,
    pits: u8,
    seeds: u32,
    options: &BuildOptions,
    observer: &dyn Observer,
) -> Result<BuildReport, BuildError> {
    let game = rules.game(pits)?;
    Layer::new(pits, seeds)?;
    let lock = DirectoryLock::acquire(directory)?;
    let stamp = options.stamp(rules, pits);
    lock.tidy()?;
    let database = Database::open_with(directory, &stamp, Access::Map)?;
    let mut report = BuildReport { present: database.layers(), layers: Vec::new() };
    let plan = plan(rules, pits, seeds, report.present, options, rayon::current_num_threads())?;
    // Layers that are not raw must be unpacked before anything can be built on them.
    let packed = (0..report.present).filter_map(|n| database.layer(n)).filter(|file| file.raw().is_none());
    let needed = plan.memory_bytes + packed.map(|file| file.header().positions).sum::<u64>();
    if let Some(limit) = options.memory.filter(|&limit| !plan.layers.is_empty() && needed > limit) {
        return Err(BuildError::Memory { needed, limit });
    }
    if !plan.layers.is_empty() {
        // A damaged value would spread into every layer above. Reading the files once costs little beside building on them.
        let present = (0..report.present).filter_map(|n| database.layer(n)).collect::<Vec<_>>();
        let go_on = || !observer.should_stop();
        present.into_par_iter().try_for_each(|file| match file.test_while(&go_on) {
            Ok(true) => Ok(()),
            Ok(false) => Err(BuildError::Stopped),
            Err(error) => Err(error.into()),
        })?;
    }
    let mut solved = SolvedFiles::open(database, observer)?;
    let parity = if game.keeps_parity() { Parity::Known } else { Parity::Free };
    let encoding = Encoding { parity, codec: options.codec };
    let mut method = Method::choose(&game, rules, options.builder)?;
    let lanes = plan.lanes;
    // When the layer before was in place.
    let in_place = Mutex::new(Instant::now());
    std::thread::scope(|scope| {
        // The layer before, whose file is synced and named while this one is computed.
        let mut before: Option<ScopedJoinHandle<'_, Result<LayerReport, DatabaseError>>> = None;
        for n in report.present..=seeds {
            let clock = Instant::now();
            let go_on = || !observer.should_stop();
            let writer = LayerWriter::create_while(&lock, &stamp, n, encoding, &go_on)?.ok_or(BuildError::Stopped)?;
            let positions = writer.layer().positions();
            observer.layer_started(&LayerPlan { seeds: n, positions });
            let computed = match &mut method {
                _ if matches!(options.builder, Builder::Pattern { from } if n >= from) => {
                    crate::pattern::write_layer(&writer, parity, observer)
                }
                Method::Sweep(tables) => sweep_layer(tables, &solved, &writer, lanes, observer),
                whole => whole.solve_layer(&game, rules, &solved, &writer, options.keep_every, observer),
            };
            let compute_seconds = clock.elapsed().as_secs_f64();
            report.layers.extend(before.take().map(join).transpose()?);
            computed?;
            let sealed = writer.seal(rayon::current_num_threads(), Access::Map, &go_on)?;
            let (file, sealed) = sealed.ok_or(BuildError::Stopped)?;
            let file_bytes = file.header().head_bytes + file.header().payload_bytes;
            let memory_bytes = method.bytes(file.layer());
            let in_place = &in_place;
            before = Some(scope.spawn(move || {
                sealed.complete()?;
                let mut last = in_place.lock().unwrap_or_else(PoisonError::into_inner);
                let seconds = last.elapsed().as_secs_f64();
                *last = Instant::now();
                let layer = LayerReport { seeds: n, positions, compute_seconds, seconds, file_bytes, memory_bytes };
                observer.layer_finished(&layer);
                Ok(layer)
            }));
            solved.add(file, observer)?;
        }
        report.layers.extend(before.map(join).transpose()?);
        Ok(report)
    })
}

/// What a thread found.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Pairs with more positions than this are solved one after another, each by all threads; smaller ones side by side.
const LARGE_PAIR: u64 = 1 << 21;

fn sweep_layer(
    tables: &Tables,
    solved: &SolvedFiles,
    writer: &LayerWriter,
    lanes: usize,
    observer: &dyn Observer,
) -> Result<(), BuildError> {
    let seeds = writer.layer().seeds();
    let missing: Vec<u32> = (0..=seeds / 2)
        .rev()
        .filter(|&low| !(writer.is_done(low as usize) && writer.is_done((seeds - low) as usize)))
        .collect();
    let positions = |low: u32| writer.layer().section(low).positions();
    let (large, small): (Vec<u32>, Vec<u32>) = missing.into_iter().partition(|&low| positions(low) > LARGE_PAIR);
    let going = || !observer.should_stop();
    let solve = |low: u32| Pair::solve(tables, solved, low, seeds - low, &going).ok_or(BuildError::Stopped);
    let write = |pair: Pair| {
        write_pair(&pair, writer, observer)?;
        observer.advanced(positions(pair.low()) * if pair.low() < pair.high() { 2 } else { 1 });
        pair.recycle(tables);
        Ok(())
    };
    // Two lanes take large pairs one after another: at most two are in memory, and while one lane waits for a file or has
    // little to share out, the other keeps the threads busy. (One lane: 1.4 times slower with two threads.)
    let next = AtomicUsize::new(0);
    let lane = || {
        while let Some(&low) = large.get(next.fetch_add(1, Ordering::Relaxed)) {
            write(solve(low)?)?;
        }
        Ok::<(), BuildError>(())
    };
    if lanes > 1 {
        let (first, second) = rayon::join(lane, lane);
        first.and(second)?;
    } else {
        lane()?;
    }
    small.into_par_iter().try_for_each(|low| write(solve(low)?))
}
