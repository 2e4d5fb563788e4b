//! Builds layers of solved positions by retrograde analysis, and checks them by another road.

pub mod reference;
pub mod sweep;

mod error;
mod layers;
mod rows;

pub use error::BuildError;
pub use layers::{LayersInMemory, SolvedLayers};

use kalah_index::Layer;
use kalah_rules::Kalah;

/// The values of all positions of `layer` by the sweep.
pub fn sweep_layer(tables: &sweep::Tables, layer: &Layer, lower: &impl SolvedLayers) -> Vec<i8> {
    let mut values = vec![0; layer.positions() as usize];
    for low in (0..=layer.seeds() / 2).rev() {
        let pair = sweep::Pair::solve(tables, lower, low, layer.seeds() - low);
        let section = layer.section(pair.high());
        for (line, to) in pair.high_mover_lines().zip(values[section.first as usize..].chunks_exact_mut(section.columns as usize)) {
            to.copy_from_slice(line);
        }
        if pair.low() < pair.high() {
            let section = layer.section(pair.low());
            let mut tile = Vec::new();
            let columns = section.columns as usize;
            for start in (0..section.lines as usize).step_by(512) {
                let end = (start + 512).min(section.lines as usize);
                pair.low_mover_tile(start..end, &mut tile);
                values[section.first as usize + start * columns..][..tile.len()].copy_from_slice(&tile);
            }
        }
    }
    values
}
