//! The sweep builder for Kalah: whole rows of positions at a time instead of one position after another.
//!
//! All positions in which the player to move has the row X are treated alike by each of X's moves, whatever the other row
//! is. So a move is applied to a whole line of memory, one byte a waiting row Y:
//!
//! * the turn passes inside X: subtract a line of the same layer;
//! * the last seed reaches the store: add a line of the layer below;
//! * seeds spill into the other row: Y becomes Y + pattern, one list of indices a pattern, shared by all X;
//! * capture: the facing pit's seeds decide which layer is read, one pair of lists for each number of seeds.
//!
//! A layer falls into *pairs* of sections, (a, b) and (b, a) seeds, which need only each other and the layers below. In a
//! pair, `f` is the matrix with the owner of the shorter row A to move and `g` the one with the owner of B to move; `f` of A
//! needs `g` of rows A′ below A, `g` of A needs `f` of the same A. Rows A of equal distance do not depend on each other.

mod maps;
mod moves;
mod pair;
mod tables;

pub use pair::{Pair, working_bytes};
pub use tables::Tables;

use crate::SolvedLayers;
use kalah_index::Layer;

/// The values of all positions of `layer` in the order of their ranks: margins for the mover, from there to the end.
///
/// `lower` must hold every layer with fewer seeds. Builds the whole layer in memory; [`crate::build`] writes it pair by pair.
pub fn build_layer(tables: &Tables, layer: &Layer, lower: &impl SolvedLayers) -> Vec<i8> {
    /// Waiting rows turned at once.
    const LINES: usize = 512;
    let mut values = vec![0; layer.positions() as usize];
    for low in 0..=layer.seeds() / 2 {
        let pair = Pair::solve(tables, lower, low, layer.seeds() - low, &|| true).expect("nobody asks it to stop");
        let section = layer.section(pair.high());
        let to = &mut values[section.first as usize..section.ranks().end as usize];
        to.copy_from_slice(pair.high_mover());
        if pair.low() < pair.high() {
            let section = layer.section(pair.low());
            let columns = section.columns as usize;
            let to = &mut values[section.first as usize..section.ranks().end as usize];
            let mut tile = Vec::new();
            for (piece, to) in to.chunks_mut(LINES * columns).enumerate() {
                pair.low_mover_tile(piece * LINES..piece * LINES + to.len() / columns, &mut tile);
                to.copy_from_slice(&tile);
            }
        }
        pair.recycle(tables);
    }
    values
}
