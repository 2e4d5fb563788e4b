//! A move of Avalanche in sentences, lap by lap.

use super::dakon::sow;
use super::{SIDES, Telling};
use crate::{LastSeed, Next};

/// Tells the move from pit `pit`.
pub(super) fn tell(told: &mut Telling, pit: u8) {
    let last = sow(told, pit);
    if last != LastSeed::Store {
        let place = told.place(last);
        told.say(format!("The last seed falls into {place}, which was empty when it arrived, and stays there."));
    }
    told.bank();
    if SIDES.into_iter().any(|side| told.row_seeds(side) == 0) {
        told.say(format!("A row is empty. Under {}, the game is over.", told.rules));
        return told.sweep(Telling::owner);
    }
    let mover = told.mover;
    told.say(if told.next == Next::Again {
        format!("That gives an extra move: {mover} moves again.")
    } else {
        format!("The turn passes to {}.", mover.other())
    });
}
