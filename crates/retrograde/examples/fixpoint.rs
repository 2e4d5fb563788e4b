//! Times the fixpoint builders on the layers of awari: `cargo run --release -p kalah-retrograde --example fixpoint -- 18 [plain]`.

use kalah_index::Layer;
use kalah_retrograde::LayersInMemory;
use kalah_retrograde::fixpoint::{RowTables, level_layer, plain_layer};
use kalah_rules::{Game, RuleSet};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seeds = arguments.first().map_or(Ok(16), |text| text.parse())?;
    let plain = arguments.get(1).is_some_and(|word| word == "plain");
    let Game::Oware(awari) = "awari".parse::<RuleSet>()?.game(6)? else { return Err("awari is no oware".into()) };
    let mut tables = RowTables::new(awari).ok_or("awari sows past full pits")?;
    let mut lower = LayersInMemory::default();
    for n in 0..=seeds {
        let layer = Layer::new(6, n)?;
        let clock = Instant::now();
        let solved = if plain {
            plain_layer(&awari, &layer, &lower, &|| true)
        } else {
            level_layer(&mut tables, &layer, &lower, &|| true)
        };
        let solved = solved.map_err(|stopped| format!("{stopped:?}"))?;
        let (positions, seconds) = (layer.positions(), clock.elapsed().as_secs_f64());
        let rate = positions as f64 / seconds / 1e6;
        println!("{n:2} seeds {positions:10} positions {:3} sweeps {seconds:8.3} s {rate:6.1} M/s", solved.sweeps);
        lower.push(layer, solved.values);
    }
    Ok(())
}
