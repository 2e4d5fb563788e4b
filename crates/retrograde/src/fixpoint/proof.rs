//! Whether the values of a layer with cycles can be forced in finitely many moves: the half of a check that equations cannot see.

use crate::SolvedLayers;
use crate::reference::Unfinished;
use kalah_index::Layer;
use kalah_rules::{Position, Row, SowingGame};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Positions a thread takes at once.
const PIECE: usize = 1 << 12;

/// The ranks of all positions whose value is not 0 and for which it cannot be shown that the side it favours gets there in
/// finitely many moves, in rising order.
///
/// A value above 0 is shown by one move that reaches it out of the layer, at the end of the game, or at a position that has
/// been shown; a value below 0 if every move leads out of the layer or to a position that has been shown. Together with the
/// equations (every value is the best of its successors) this leaves one possible table, the true one: by the equations it knows
/// no less than the true values, by these proofs no more.
///
/// # Errors
/// [`Unfinished::Stopped`] if `going` answered `false`.
pub(crate) fn unproved<G: SowingGame, L: SolvedLayers>(
    game: &G,
    layer: &Layer,
    solved: &L,
    going: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<u64>, Unfinished> {
    let (_, values) = solved.layer(layer.seeds());
    let shown: Vec<AtomicU8> = values.par_iter().map(|&value| AtomicU8::new(u8::from(value == 0))).collect();
    let mut open: Vec<u32> = Vec::new();
    let mut first_round = true;
    loop {
        let check = |rank: usize| {
            if shown[rank].load(Relaxed) == 1 {
                return false;
            }
            let (mover, opponent) = layer.unrank(rank as u64);
            let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
            let proved = is_shown(game, layer, solved, values[rank], position, &shown);
            shown[rank].store(u8::from(proved), Relaxed);
            !proved
        };
        let before = open.len();
        // Ranks of a layer that fits memory fit 32 bits but for the very largest, which are gone through whole.
        let left: Vec<u32> = if first_round || layer.positions() > u64::from(u32::MAX) {
            (0..values.len())
                .into_par_iter()
                .with_min_len(PIECE)
                .filter(|&rank| going() && check(rank))
                .map(|rank| rank as u32)
                .collect()
        } else {
            open.par_iter().with_min_len(PIECE).copied().filter(|&rank| going() && check(rank as usize)).collect()
        };
        if !going() {
            return Err(Unfinished::Stopped);
        }
        if left.is_empty() || !first_round && left.len() == before {
            return Ok((0..values.len() as u64)
                .into_par_iter()
                .filter(|&rank| shown[rank as usize].load(Relaxed) == 0)
                .collect());
        }
        (open, first_round) = (left, false);
    }
}

fn is_shown<G: SowingGame, L: SolvedLayers>(
    game: &G,
    layer: &Layer,
    solved: &L,
    value: i8,
    position: Position,
    shown: &[AtomicU8],
) -> bool {
    let legal = game.legal(position);
    if legal.is_empty() {
        return true;
    }
    // Whether a move is shown to be worth exactly what it is said to be, and that worth.
    let mut moves = legal.map(|pit| {
        let sown = game.sow(position, pit);
        if let Some(margin) = game.final_margin(&sown) {
            return (true, margin.0);
        }
        let child = sown.position;
        let worth = i16::from(solved.value(child));
        let worth = sown.gain().0 + if sown.next == kalah_rules::Next::Again { worth } else { -worth };
        let inside = child.seeds() == layer.seeds();
        let place = || layer.rank(child.mover.bits(), child.opponent.bits()) as usize;
        (!inside || worth != 0 && shown[place()].load(Relaxed) == 1, worth)
    });
    if value > 0 {
        moves.any(|(shown, worth)| shown && worth == i16::from(value))
    } else {
        moves.all(|(shown, worth)| shown && worth <= i16::from(value))
    }
}
