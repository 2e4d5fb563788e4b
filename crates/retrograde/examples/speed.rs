//! Scratch: how fast the builders are.
use kalah_index::Layer;
use kalah_retrograde::sweep::Tables;
use kalah_retrograde::{LayersInMemory, sweep};
use kalah_rules::{Game, RuleSet};
use std::time::Instant;
fn main() {
    let max: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let threads: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let rules: RuleSet = std::env::args().nth(3).unwrap_or("kalah".into()).parse().unwrap();
    let Game::Kalah(kalah) = rules.game(6).unwrap() else { panic!("the sweep is for Kalah") };
    let tables = Tables::new(kalah);
    let mut lower = LayersInMemory::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (mut all, mut total) = (0, 0.0);
    for n in 0..=max {
        let layer = Layer::new(6, n).unwrap();
        let start = Instant::now();
        let values = pool.install(|| sweep::build_layer(&tables, &layer, &lower));
        let seconds = start.elapsed().as_secs_f64();
        all += layer.positions();
        total += seconds;
        println!(
            "{n} {} {:.3} s {:.1} M/s sum {}",
            layer.positions(),
            seconds,
            layer.positions() as f64 / seconds / 1e6,
            values.iter().map(|&v| v as i64).sum::<i64>()
        );
        lower.push(layer, values);
    }
    println!("all {all} {total:.2} s {:.1} M/s tables {} MB", all as f64 / total / 1e6, tables.bytes() / 1000000);
}
