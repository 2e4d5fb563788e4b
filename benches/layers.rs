//! Building layers with both builders and one or two threads, and reading single values back.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use kalah_database::{Access, Database};
use kalah_index::Layer;
use kalah_retrograde::fixpoint::{RowTables, level_layer, plain_layer};
use kalah_retrograde::sweep::{self, Tables};
use kalah_retrograde::{BuildOptions, LayersInMemory, SolvedLayers, Unwatched, build, reference, stamp};
use kalah_rules::{Game, Kalah, RuleSet};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

/// The layer that is built again and again. The sum of its values was the same from both builders.
const SEEDS: u32 = 14;
const SUM: i64 = 8_828_916;

fn kalah() -> Kalah {
    match RuleSet::default().game(6).expect("a board") {
        Game::Kalah(kalah) => kalah,
        _ => unreachable!("the default rules are Kalah"),
    }
}

fn build_layer(c: &mut Criterion) {
    let kalah = kalah();
    let tables = Tables::new(kalah);
    let mut lower = LayersInMemory::default();
    for seeds in 0..SEEDS {
        let layer = Layer::new(6, seeds).expect("a layer");
        let values = sweep::build_layer(&tables, &layer, &lower);
        lower.push(layer, values);
    }
    let layer = Layer::new(6, SEEDS).expect("a layer");
    let sum = |values: &[i8]| values.iter().map(|&value| i64::from(value)).sum::<i64>();
    let mut group = c.benchmark_group("build a layer, 6 pits, 14 seeds");
    group.throughput(Throughput::Elements(layer.positions())).sampling_mode(SamplingMode::Flat).sample_size(10);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
        group.bench_function(format!("sweep, {threads} threads"), |b| {
            b.iter(|| assert_eq!(sum(&pool.install(|| sweep::build_layer(&tables, &layer, &lower))), SUM));
        });
        group.bench_function(format!("reference, {threads} threads"), |b| {
            b.iter(|| {
                let values = pool.install(|| reference::build_layer(&kalah, &layer, &lower, &|_| true));
                assert_eq!(sum(&values.expect("Kalah has no cycles")), SUM);
            });
        });
    }
    group.finish();
    copy(c, lower.layer(SEEDS - 1).1);
}

/// The layer of awari that is built again and again: positions repeat in it. The sum of its values follows from the published histogram.
const AWARI_SEEDS: u32 = 12;

/// Value times positions, over the published histogram of the layer.
fn published_sum(seeds: u32) -> i64 {
    let text = include_str!("../crates/study/data/awari_histograms.json");
    let layers: BTreeMap<String, BTreeMap<String, i64>> = serde_json::from_str(text).expect("histograms");
    layers[&seeds.to_string()].iter().map(|(value, count)| value.parse::<i64>().expect("a value") * count).sum()
}

fn build_awari_layer(c: &mut Criterion) {
    let game = "awari".parse::<RuleSet>().expect("rules").game(6).expect("a board");
    let Game::Oware(awari) = game else { unreachable!("awari is a form of oware") };
    let mut tables = RowTables::new(awari).expect("a sowing depends on its own row only");
    let mut lower = LayersInMemory::default();
    for seeds in 0..AWARI_SEEDS {
        let layer = Layer::new(6, seeds).expect("a layer");
        let solved = level_layer(&mut tables, &layer, &lower, &|| true).expect("nobody stops it");
        lower.push(layer, solved.values);
    }
    let layer = Layer::new(6, AWARI_SEEDS).expect("a layer");
    let expected = published_sum(AWARI_SEEDS);
    let sum = |values: &[i8]| values.iter().map(|&value| i64::from(value)).sum::<i64>();
    let mut group = c.benchmark_group("build a layer of awari, 6 pits, 12 seeds");
    group.throughput(Throughput::Elements(layer.positions())).sampling_mode(SamplingMode::Flat).sample_size(10);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
        group.bench_function(format!("by levels, {threads} threads"), |b| {
            b.iter(|| {
                let solved = pool.install(|| level_layer(&mut tables, &layer, &lower, &|| true));
                assert_eq!(sum(&solved.expect("nobody stops it").values), expected);
            });
        });
    }
    group.bench_function("plain sweeps, 2 threads", |b| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a thread pool");
        b.iter(|| {
            let solved = pool.install(|| plain_layer(&awari, &layer, &lower, &|| true));
            assert_eq!(sum(&solved.expect("nobody stops it").values), expected);
        });
    });
    group.finish();
}

/// What memory allows: a plain copy of a layer's bytes.
fn copy(c: &mut Criterion, values: &[i8]) {
    let mut group = c.benchmark_group("copy a layer, 6 pits, 13 seeds");
    group.throughput(Throughput::Bytes(values.len() as u64));
    let mut to = vec![0; values.len()];
    group.bench_function("memory copy", |b| {
        b.iter(|| {
            to.copy_from_slice(black_box(values));
            assert_eq!(black_box(&to)[values.len() - 1], values[values.len() - 1]);
        });
    });
    group.finish();
}

fn files(c: &mut Criterion) {
    let rules = RuleSet::default();
    let mut group = c.benchmark_group("database directory, 6 pits");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).measurement_time(Duration::from_secs(10));
    let all: u64 = (0..=SEEDS).map(|seeds| Layer::new(6, seeds).expect("a layer").positions()).sum();
    group.throughput(Throughput::Elements(all));
    group.bench_function("build layers 0 to 14 with files", |b| {
        b.iter(|| {
            let directory = tempfile::tempdir().expect("a directory");
            let report = build(directory.path(), &rules, 6, SEEDS, &BuildOptions::default(), &Unwatched);
            assert_eq!(report.expect("a build").layers.len(), SEEDS as usize + 1);
        });
    });
    let directory = tempfile::tempdir().expect("a directory");
    build(directory.path(), &rules, 6, SEEDS, &BuildOptions::default(), &Unwatched).expect("a build");
    let database = Database::open_with(directory.path(), &stamp(&rules, 6), Access::Map).expect("a database");
    let layer = Layer::new(6, SEEDS).expect("a layer");
    // A walk that jumps about: every probe misses what the last one brought near.
    let ranks = (0..4096u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % layer.positions());
    let positions: Vec<(u64, u64)> = ranks.map(|rank| layer.unrank(rank)).collect();
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("probe", |b| {
        b.iter(|| {
            let found = positions.iter().filter(|&&(mover, opponent)| {
                database.value(mover, opponent).expect("a sound file").is_some_and(|value| value.unsigned_abs() <= 14)
            });
            assert_eq!(found.count(), positions.len());
        });
    });
    group.finish();
}

criterion_group!(benches, build_layer, build_awari_layer, files);
criterion_main!(benches);
