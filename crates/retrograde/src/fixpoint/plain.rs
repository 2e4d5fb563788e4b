//! The plain fixpoint builder: every move of every position by the rules, sweep after sweep until nothing changes.

use super::Fixpoint;
use crate::SolvedLayers;
use crate::reference::{Unfinished, best_margin};
use crate::rows::all_rows;
use kalah_index::Layer;
use kalah_rules::{Position, Row, SowingGame};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicI8, Ordering::Relaxed};

/// The values of all positions of `layer`, in which a repetition is worth 0.
///
/// `lower` must hold every layer with fewer seeds. `going` is asked now and then, from any thread; when it answers
/// `false` the work stops.
///
/// # Errors
/// [`Unfinished::Stopped`] if `going` asked to stop.
pub fn plain_layer<G: SowingGame>(
    game: &G,
    layer: &Layer,
    lower: &impl SolvedLayers,
    going: &(dyn Fn() -> bool + Sync),
) -> Result<Fixpoint, Unfinished> {
    let pits = game.pits();
    let values: Vec<AtomicI8> = (0..layer.positions()).map(|_| AtomicI8::new(0)).collect();
    let rows: Vec<Vec<u64>> = (0..=layer.seeds()).map(|seeds| all_rows(pits, seeds).collect()).collect();
    let mut sweeps = 0;
    loop {
        sweeps += 1;
        let changed = AtomicBool::new(false);
        for section in layer.sections() {
            let movers = &rows[section.mover_seeds as usize];
            let opponents = &rows[section.opponent_seeds as usize];
            opponents.par_iter().enumerate().for_each(|(line, &opponent)| {
                if !going() {
                    return;
                }
                let first = section.first as usize + line * movers.len();
                for (&mover, place) in movers.iter().zip(&values[first..]) {
                    let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                    let value = best_margin(game, position, |child| {
                        if child.seeds() < layer.seeds() {
                            return lower.value(child);
                        }
                        values[layer.rank(child.mover.bits(), child.opponent.bits()) as usize].load(Relaxed)
                    });
                    if place.load(Relaxed) != value.0 as i8 {
                        place.store(value.0 as i8, Relaxed);
                        changed.store(true, Relaxed);
                    }
                }
            });
            if !going() {
                return Err(Unfinished::Stopped);
            }
        }
        if !changed.into_inner() {
            return Ok(Fixpoint { values: values.into_iter().map(AtomicI8::into_inner).collect(), sweeps });
        }
    }
}
