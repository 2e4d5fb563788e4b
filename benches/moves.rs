//! Single moves and single ranks: sowing, perft, numbering positions.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kalah_index::Layer;
use kalah_rules::{Row, RuleSet, SowingGame, State, perft};
use std::hint::black_box;

fn sow(c: &mut Criterion) {
    let state = State::start(6, 4).expect("a start");
    let game = RuleSet::default().game(6).expect("a board");
    let mut group = c.benchmark_group("sow");
    // Published: 23,233 sequences of six moves from the start of Kalah(6,4).
    group.throughput(Throughput::Elements(23_233));
    group.bench_function("perft(6,4) depth 6", |b| {
        b.iter(|| assert_eq!(perft(&game, black_box(state.position()), 6), 23_233));
    });
    group.throughput(Throughput::Elements(6));
    group.bench_function("all moves of the start", |b| {
        b.iter(|| {
            let position = black_box(state.position());
            let gained: u32 = game.legal(position).map(|pit| u32::from(game.sow(position, pit).mover_gain)).sum();
            assert_eq!(gained, 4);
        });
    });
    group.finish();
}

fn rank(c: &mut Criterion) {
    let layer = Layer::new(6, 24).expect("a layer");
    let ranks: Vec<u64> = (0..1000).map(|i| i * (layer.positions() / 1000)).collect();
    let positions: Vec<(u64, u64)> = ranks.iter().map(|&rank| layer.unrank(rank)).collect();
    let mut group = c.benchmark_group("index");
    group.throughput(Throughput::Elements(ranks.len() as u64));
    group.bench_function("rank, 6 pits, 24 seeds", |b| {
        b.iter(|| {
            let sum: u64 = black_box(&positions).iter().map(|&(mover, opponent)| layer.rank(mover, opponent)).sum();
            assert_eq!(sum, ranks.iter().sum::<u64>());
        });
    });
    // What a table with inexact keys would compute instead.
    group.bench_function("a mixed hash of both rows", |b| {
        b.iter(|| {
            let hash = |&(mover, opponent): &(u64, u64)| {
                let mixed = (mover.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ opponent).wrapping_mul(0xd6e8_feb8_6659_fd93);
                mixed ^ (mixed >> 32)
            };
            black_box(&positions).iter().map(hash).fold(0, u64::wrapping_add)
        });
    });
    group.bench_function("unrank, 6 pits, 24 seeds", |b| {
        b.iter(|| {
            for &rank in black_box(&ranks) {
                let (mover, opponent) = layer.unrank(rank);
                assert_eq!(Row::from_bits(mover).seeds() + Row::from_bits(opponent).seeds(), 24);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, sow, rank);
criterion_main!(benches);
