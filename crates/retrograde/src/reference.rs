//! The reference builder: one position after another through the rules themselves, plain and obviously right.
//!
//! It stays as the independent check of every faster builder and serves every game whose layers have no cycles. Positions
//! of one layer are taken by *distance*, the sum over all seeds of the pits still to travel to their owner's store. A sow
//! that keeps all seeds in play lowers the distance, so every position needs only positions of smaller distance, and all
//! positions of one distance can be computed at once. Positions of a player without seeds, who may have to pass, follow
//! directly after them.

use crate::SolvedLayers;
use crate::rows::{RowsByDistance, distance, rows_by_distance};
use kalah_index::{Layer, Section};
use kalah_rules::{Margin, Next, Position, Row, SowingGame};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicI8, Ordering};

/// Why a layer has no values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// The caller asked to stop.
    Stopped,
    /// Positions of the layer can repeat.
    NotAcyclic,
}

/// The values of all positions of `layer` in the order of their ranks: margins for the mover, from there to the end.
///
/// `lower` must hold every layer with fewer seeds. `advanced` is told how many positions were just finished, from any
/// thread; when it answers `false` the work stops.
///
/// # Errors
/// [`Unfinished::Stopped`] if `advanced` asked to stop, [`Unfinished::NotAcyclic`] if a move inside the layer does not
/// lower the distance.
pub fn build_layer<G: SowingGame>(
    game: &G,
    layer: &Layer,
    lower: &impl SolvedLayers,
    advanced: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Vec<i8>, Unfinished> {
    let pits = game.pits();
    let values: Vec<AtomicI8> = (0..layer.positions()).map(|_| AtomicI8::new(0)).collect();
    let rows: Vec<RowsByDistance> = (0..=layer.seeds()).map(|seeds| rows_by_distance(pits, seeds)).collect();
    let (going, acyclic) = (AtomicBool::new(true), AtomicBool::new(true));
    let farthest = layer.seeds() as usize * usize::from(game.pits());
    // A player without seeds may have to pass, which leaves the distance as it is: their positions come after the others.
    let passes = |section: &&Section| section.mover_seeds == 0;
    let (last, first): (Vec<&Section>, Vec<&Section>) = layer.sections().iter().partition(passes);
    for (distance_here, sections) in (0..=farthest).flat_map(|distance| [(distance, &first), (distance, &last)]) {
        sections.par_iter().for_each(|section| {
            let movers = &rows[section.mover_seeds as usize];
            let opponents = &rows[section.opponent_seeds as usize];
            opponents.par_iter().enumerate().for_each(|(opponent_distance, group)| {
                let Some(mover_distance) = distance_here.checked_sub(opponent_distance) else { return };
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
                        let value = best_margin(game, position, |child| {
                            if child.seeds() < layer.seeds() {
                                return lower.value(child);
                            }
                            let (mover, opponent) = (child.mover.bits(), child.opponent.bits());
                            let passed = position.mover.is_empty() && mover != 0;
                            if distance(pits, mover) + distance(pits, opponent) >= distance_here + usize::from(passed) {
                                acyclic.store(false, Ordering::Relaxed);
                                going.store(false, Ordering::Relaxed);
                            }
                            values[layer.rank(mover, opponent) as usize].load(Ordering::Relaxed)
                        });
                        values[layer.rank(mover, opponent) as usize].store(value.0 as i8, Ordering::Relaxed);
                    }
                    if !advanced(mover_group.len() as u64) {
                        going.store(false, Ordering::Relaxed);
                    }
                });
            });
        });
        if !going.load(Ordering::Relaxed) {
            return Err(if acyclic.load(Ordering::Relaxed) { Unfinished::Stopped } else { Unfinished::NotAcyclic });
        }
    }
    Ok(values.into_iter().map(AtomicI8::into_inner).collect())
}

/// The best margin the mover can get, when `child` tells what every position after a move is worth to *its* mover.
pub(crate) fn best_margin<G: SowingGame>(game: &G, position: Position, child: impl Fn(Position) -> i8) -> Margin {
    let moves = game.legal(position).map(|pit| {
        let sown = game.sow(position, pit);
        game.final_margin(&sown).unwrap_or_else(|| {
            let value = Margin(i16::from(child(sown.position)));
            sown.gain() + if sown.next == Next::Again { value } else { -value }
        })
    });
    // Without a move the game is over.
    moves.max().or_else(|| game.over(position)).unwrap_or_default()
}
