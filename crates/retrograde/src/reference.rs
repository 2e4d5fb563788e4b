//! The reference builder: one position after another through the rules themselves, plain and obviously right.
//!
//! It stays as the independent check of every faster builder and serves every game whose layers have no cycles. Positions
//! of one layer are taken by *distance*, the sum over all seeds of the pits still to travel to their owner's store. A sow
//! that keeps all seeds in play lowers the distance, so every position needs only positions of smaller distance, and all
//! positions of one distance can be done at once.

use crate::SolvedLayers;
use crate::error::BuildError;
use crate::rows::{RowsByDistance, rows_by_distance};
use kalah_index::{Layer, Section, rank_row};
use kalah_rules::{Margin, Next, Position, Row, SowingGame};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicI8, Ordering};

/// The values of all positions of `layer` in the order of their ranks: margins for the mover, from there to the end.
///
/// `lower` must hold every layer with fewer seeds. `advanced` is told how many positions were just finished, from any
/// thread; when it answers `false` the work stops.
///
/// # Errors
/// [`BuildError::Stopped`] if `advanced` asked to stop, [`BuildError::NotAcyclic`] if a move inside the layer does not
/// lower the distance.
pub fn build_layer<G: SowingGame>(
    game: &G,
    layer: &Layer,
    lower: &impl SolvedLayers,
    advanced: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Vec<i8>, BuildError> {
    let values: Vec<AtomicI8> = (0..layer.positions()).map(|_| AtomicI8::new(0)).collect();
    let rows: Vec<RowsByDistance> =
        (0..=layer.seeds()).map(|seeds| rows_by_distance(game.pits(), seeds)).collect();
    let (going, acyclic) = (AtomicBool::new(true), AtomicBool::new(true));
    let farthest = layer.seeds() as usize * usize::from(game.pits());
    for distance in 0..=farthest {
        layer.sections().par_iter().for_each(|section| {
            let movers = &rows[section.mover_seeds as usize];
            let opponents = &rows[section.opponent_seeds as usize];
            opponents.par_iter().enumerate().for_each(|(opponent_distance, group)| {
                let Some(mover_distance) = distance.checked_sub(opponent_distance) else { return };
                let Some(mover_group) = movers.get(mover_distance) else { return };
                if mover_group.is_empty() {
                    return;
                }
                group.par_iter().for_each(|&opponent| {
                    if !going.load(Ordering::Relaxed) {
                        return;
                    }
                    for &mover in mover_group {
                        let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                        let Some(value) = value_of(game, layer, section, lower, &values, position) else {
                            acyclic.store(false, Ordering::Relaxed);
                            going.store(false, Ordering::Relaxed);
                            return;
                        };
                        values[layer.rank(mover, opponent) as usize].store(value.0 as i8, Ordering::Relaxed);
                    }
                    if !advanced(mover_group.len() as u64) {
                        going.store(false, Ordering::Relaxed);
                    }
                });
            });
        });
        if !going.load(Ordering::Relaxed) {
            return Err(if acyclic.load(Ordering::Relaxed) { BuildError::Stopped } else { BuildError::NotAcyclic });
        }
    }
    Ok(values.into_iter().map(AtomicI8::into_inner).collect())
}

/// The best the mover can get, or `None` if a successor inside the layer is not nearer to the stores.
fn value_of<G: SowingGame>(
    game: &G,
    layer: &Layer,
    section: &Section,
    lower: &impl SolvedLayers,
    values: &[AtomicI8],
    position: Position,
) -> Option<Margin> {
    if let Some(over) = game.over(position) {
        return Some(over);
    }
    let mut best = Margin(i16::MIN);
    for pit in game.legal(position) {
        let sown = game.sow(position, pit);
        let value = match game.final_margin(&sown) {
            Some(margin) => margin,
            None => {
                let (mover, opponent) = (sown.position.mover.bits(), sown.position.opponent.bits());
                let seeds = sown.position.seeds();
                let child = if seeds == layer.seeds() {
                    // Rows are numbered by sums that sowing lowers, so the sower's row must have got a smaller number.
                    let sower = if sown.next == Next::Again { mover } else { opponent };
                    let pits = game.pits();
                    if kalah_index::row_seeds(sower) != section.mover_seeds
                        || rank_row(pits, sower) >= rank_row(pits, position.mover.bits())
                    {
                        return None;
                    }
                    values[layer.rank(mover, opponent) as usize].load(Ordering::Relaxed)
                } else {
                    lower.value(sown.position)
                };
                let child = Margin(i16::from(child));
                sown.gain() + if sown.next == Next::Again { child } else { -child }
            }
        };
        best = best.max(value);
    }
    Some(best)
}
