//! Builds all layers of a database directory up to a number of seeds: plans, resumes, writes, reports.

use crate::fixpoint;
use crate::method::Method;
use crate::observer::{LayerPlan, LayerReport, Observer};
use crate::sweep::{Pair, Tables};
use crate::{BuildError, SolvedLayers, sweep};
use kalah_database::{
    Access, Codec, Database, DatabaseError, DirectoryLock, Encoding, LayerFile, LayerWriter, Parity, Stamp,
};
use kalah_index::Layer;
use kalah_rules::{RuleSet, SowingGame};
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// Which code computes the values. The sweep and the reference builder write the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Builder {
    /// Whole rows of positions at a time; for Kalah.
    #[default]
    Sweep,
    /// One position after another through the rules; for every game without cycles.
    Reference,
    /// A pattern that means nothing from the layer of `from` seeds on, true values below: to try files, codecs and
    /// checks at sizes that a test could not solve. The files are for other rules than any, see [`BuildOptions::stamp`].
    Pattern {
        /// Seeds of the first layer without true values.
        from: u32,
    },
}

/// How to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    /// Which code computes the values.
    pub builder: Builder,
    /// How files hold them.
    pub codec: Codec,
    /// The most bytes of memory the build may take for itself; `None` for as much as it likes. What the system uses to keep
    /// files at hand is not part of it.
    pub memory: Option<u64>,
    /// How often what is known of a layer with cycles is kept on disk, two bytes a position, while it is solved by levels: a sudden end loses
    /// no more work than this and the level at hand.
    pub keep_every: Duration,
}

impl BuildOptions {
    /// What the files of such a build say of themselves: [`stamp`], but for a pattern `pattern-FROM-RULES` in the place of the
    /// rules and a hash that no rules have, so that nothing ever takes it for solved layers.
    pub fn stamp(&self, rules: &RuleSet, pits: u8) -> Stamp {
        let stamp = stamp(rules, pits);
        match self.builder {
            Builder::Pattern { from } => {
                Stamp { rules: format!("pattern-{from}-{}", stamp.rules), rules_hash: !stamp.rules_hash, pits }
            }
            Builder::Sweep | Builder::Reference => stamp,
        }
    }
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            builder: Builder::default(),
            codec: Codec::Raw,
            memory: None,
            keep_every: Duration::from_secs(60),
        }
    }
}

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

/// What files with the values of these rules and boards say of themselves.
pub fn stamp(rules: &RuleSet, pits: u8) -> Stamp {
    let rules = rules.for_positions();
    Stamp { rules: rules.to_string(), rules_hash: rules.hash64(), pits }
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
        present.into_par_iter().try_for_each(kalah_database::LayerFile::test)?;
    }
    let mut solved = SolvedFiles::open(database)?;
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
            solved.add(file)?;
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
    let solve = |low: u32| {
        if observer.should_stop() {
            Err(BuildError::Stopped)
        } else {
            Ok(Pair::solve(tables, solved, low, seeds - low))
        }
    };
    let write = |pair: Pair| {
        write_pair(&pair, writer)?;
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

/// Writes both sections of a pair.
fn write_pair(pair: &Pair, writer: &LayerWriter) -> Result<(), BuildError> {
    /// Bytes written at once.
    const PIECE: u64 = 1 << 20;
    let pieces = |mover_seeds: u32| {
        let section = *writer.layer().section(mover_seeds);
        let (lines, end) = ((PIECE / section.columns).max(8) as usize, section.lines as usize);
        let starts = (0..end).into_par_iter().step_by(lines);
        (section, starts.map(move |start| start..(start + lines).min(end)))
    };
    if !writer.is_done(pair.high() as usize) {
        writer.redo(pair.high() as usize)?;
        let (section, pieces) = pieces(pair.high());
        pieces.try_for_each(|lines| {
            let bytes = lines.start * section.columns as usize..lines.end * section.columns as usize;
            writer.write_part(pair.high() as usize, pair.high_mover(), bytes)
        })?;
    }
    if pair.low() < pair.high() && !writer.is_done(pair.low() as usize) {
        writer.redo(pair.low() as usize)?;
        let (section, pieces) = pieces(pair.low());
        pieces.try_for_each_init(Vec::new, |piece, lines| {
            let first = section.first + lines.start as u64 * section.columns;
            pair.low_mover_tile(lines, piece);
            writer.write(first, piece)
        })?;
    }
    Ok(())
}

/// The layers of a directory as plain bytes: mapped where the file is raw, else unpacked into memory.
#[derive(Debug)]
pub(crate) struct SolvedFiles {
    database: Database,
    /// By seeds; empty where the file itself can be read as it is.
    unpacked: Vec<Vec<i8>>,
}

impl SolvedFiles {
    pub(crate) fn open(database: Database) -> Result<SolvedFiles, BuildError> {
        let mut solved = SolvedFiles { database, unpacked: Vec::new() };
        for seeds in 0..solved.database.layers() {
            if let Some(file) = solved.database.layer(seeds) {
                solved.unpacked.push(unpack(file)?);
            }
        }
        Ok(solved)
    }

    fn add(&mut self, file: LayerFile) -> Result<(), BuildError> {
        self.unpacked.push(unpack(&file)?);
        self.database.add(file);
        Ok(())
    }
}

fn unpack(file: &LayerFile) -> Result<Vec<i8>, BuildError> {
    if file.raw().is_some() {
        return Ok(Vec::new());
    }
    let mut values = vec![0; file.header().positions as usize];
    file.read(0, &mut values)?;
    Ok(values)
}

impl SolvedLayers for SolvedFiles {
    #[inline]
    fn layer(&self, seeds: u32) -> (&Layer, &[i8]) {
        let file = self.database.layer(seeds).expect("builders ask for finished layers only");
        (file.layer(), file.raw().unwrap_or(&self.unpacked[seeds as usize]))
    }
}
