//! The published exam of awari: the value histogram of every layer, to the last position.

#![allow(clippy::unwrap_used)]

use kalah_index::Layer;
use kalah_retrograde::LayersInMemory;
use kalah_retrograde::fixpoint::{RoundTables, plain_layer, round_layer};
use kalah_rules::{Game, RuleSet};
use std::collections::BTreeMap;
use std::time::Instant;

/// Lincke's histograms, value to positions, by layer.
fn published() -> BTreeMap<u32, BTreeMap<i8, u64>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../solver-db/published/awari_histograms.json");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let layers: BTreeMap<String, BTreeMap<String, u64>> = serde_json::from_str(&text).unwrap();
    let number = |(value, count): (String, u64)| (value.parse().unwrap(), count);
    layers.into_iter().map(|(n, values)| (n.parse().unwrap(), values.into_iter().map(number).collect())).collect()
}

fn histogram(values: &[i8]) -> BTreeMap<i8, u64> {
    let mut counts = [0u64; 256];
    for &value in values {
        counts[usize::from(value as u8)] += 1;
    }
    (i8::MIN..=i8::MAX).map(|value| (value, counts[usize::from(value as u8)])).filter(|&(_, count)| count > 0).collect()
}

fn exam(seeds: u32) {
    let published = published();
    let Game::Oware(awari) = "awari".parse::<RuleSet>().unwrap().game(6).unwrap() else { panic!() };
    let mut tables = RoundTables::new(awari).unwrap();
    let mut lower = LayersInMemory::default();
    for n in 0..=seeds {
        let layer = Layer::new(6, n).unwrap();
        let clock = Instant::now();
        let solved = round_layer(&mut tables, &layer, &lower, &|| true).unwrap();
        let seconds = clock.elapsed().as_secs_f64();
        println!(
            "{n} seeds: {} positions, {} sweeps, {seconds:.3} s, {:.1} M/s",
            layer.positions(),
            solved.sweeps,
            layer.positions() as f64 / seconds / 1e6
        );
        assert_eq!(histogram(&solved.values), published[&n], "{n} seeds");
        lower.push(layer, solved.values);
    }
}

#[test]
fn histograms_equal_the_published_ones() {
    exam(12);
}

#[test]
#[ignore = "half a minute and 500 MB; run with: cargo test --release -p kalah-retrograde --test awari -- --ignored --nocapture"]
fn histograms_of_larger_layers_equal_the_published_ones() {
    exam(20);
}

#[test]
fn row_by_row_equals_position_by_position() {
    for rules in [
        "awari",
        "awari+origin=sown",
        "oware+cycle=split",
        "oware+slam=illegal+cycle=split",
        "oware+slam=takes+cycle=split",
        "oware+slam=forfeit+origin=sown+cycle=split",
    ] {
        for (pits, seeds) in [(1, 30), (2, 26), (3, 14), (4, 9), (5, 7), (6, 6), (7, 4), (8, 4)] {
            let Game::Oware(oware) = rules.parse::<RuleSet>().unwrap().game(pits).unwrap() else { panic!() };
            let mut tables = RoundTables::new(oware).unwrap();
            let mut lower = LayersInMemory::default();
            for n in 0..=seeds {
                let layer = Layer::new(pits, n).unwrap();
                let plain = plain_layer(&oware, &layer, &lower, &|| true).unwrap();
                let fast = round_layer(&mut tables, &layer, &lower, &|| true).unwrap();
                for (rank, (plain, fast)) in plain.values.iter().zip(&fast.values).enumerate() {
                    assert_eq!(plain, fast, "{rules}, {pits} pits, {n} seeds: {:?}", layer.unrank(rank as u64));
                }
                lower.push(layer, plain.values);
            }
        }
    }
}
