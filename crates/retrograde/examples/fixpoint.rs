//! Times both fixpoint builders side by side on the layers of awari, with so many seeds at most:
//! `cargo run --release -p kalah-retrograde --example fixpoint -- 18 12` (the plain one up to 12 seeds).

use kalah_index::Layer;
use kalah_retrograde::LayersInMemory;
use kalah_retrograde::fixpoint::{Fixpoint, RowTables, level_layer, plain_layer};
use kalah_retrograde::reference::Unfinished;
use kalah_rules::{Game, RuleSet};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seeds: u32 = arguments.next().map_or(Ok(16), |text| text.parse())?;
    let plain_to: u32 = arguments.next().map_or(Ok(0), |text| text.parse())?;
    let Game::Oware(awari) = "awari".parse::<RuleSet>()?.game(6)? else { return Err("awari is no oware".into()) };
    let mut tables = RowTables::new(awari).ok_or("awari sows past full pits")?;
    let mut lower = LayersInMemory::default();
    let (mut positions, mut seconds) = (0, 0.0);
    for n in 0..=seeds {
        let layer = Layer::new(6, n)?;
        let timed = |name: &str, solve: &mut dyn FnMut() -> Result<Fixpoint, Unfinished>| {
            let clock = Instant::now();
            let solved = solve().map_err(|stopped| format!("{stopped:?}"))?;
            let (count, seconds) = (layer.positions(), clock.elapsed().as_secs_f64());
            let rate = count as f64 / seconds / 1e6;
            println!(
                "{n:2} seeds {count:10} positions {name} {:4} rounds {seconds:8.3} s {rate:6.1} M/s",
                solved.sweeps
            );
            Ok::<_, String>((solved, seconds))
        };
        let (levels, taken) = timed("levels", &mut || level_layer(&mut tables, &layer, &lower, &|| true))?;
        if n <= plain_to {
            let (plain, _) = timed("plain ", &mut || plain_layer(&awari, &layer, &lower, &|| true))?;
            if plain.values != levels.values {
                return Err(format!("the builders differ in the layer of {n} seeds").into());
            }
        }
        if n >= 12 {
            (positions, seconds) = (positions + layer.positions(), seconds + taken);
        }
        lower.push(layer, levels.values);
    }
    println!("12 to {seeds} seeds, levels: {:.1} M positions a second", positions as f64 / seconds / 1e6);
    Ok(())
}
