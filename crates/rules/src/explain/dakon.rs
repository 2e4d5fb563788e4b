//! A move of Dakon or Congkak in sentences, lap by lap.

use super::{Place, SIDES, Telling, seeds, the_hand};
use crate::relay::{self, Capture};
use crate::{DakonRules, LastSeed, Next, RoundEnd};

/// Tells the move from pit `pit`.
pub(super) fn tell(told: &mut Telling, dakon: &DakonRules, pit: u8) {
    let (mover, other) = (told.mover, told.mover.other());
    if told.row_seeds(mover) == 0 {
        return told.say(format!("{mover} has no seeds. Under {}, they pass and {other} moves.", told.rules));
    }
    let last = sow(told, pit);
    tell_capture(told, dakon, last);
    told.bank();
    end(told, dakon);
}

/// Tells the sow from pit `pit` and on from every filled pit. Where the last seed came to rest.
pub(super) fn sow(told: &mut Telling, pit: u8) -> LastSeed {
    let last = relay::sow(told, pit);
    let mover = told.mover;
    if last == LastSeed::Store {
        told.next = Next::Again;
        told.to_move = mover;
        told.say(format!("The last seed falls into {mover}'s store."));
    }
    last
}

impl Telling {
    /// The place of a seat as the mover sees it.
    pub(super) fn place(&self, seat: LastSeed) -> Place {
        match seat {
            LastSeed::Own(pit) => Place::Pit { side: self.mover, pit },
            LastSeed::Store => Place::Store { side: self.mover },
            LastSeed::Opponent(pit) => Place::Pit { side: self.mover.other(), pit },
        }
    }

    /// The seat of a place as the mover sees it.
    fn seat(&self, place: Place) -> LastSeed {
        match place {
            Place::Pit { side, pit } if side == self.mover => LastSeed::Own(pit),
            Place::Pit { pit, .. } => LastSeed::Opponent(pit),
            Place::Store { .. } => LastSeed::Store,
        }
    }
}

impl relay::Board for Telling {
    fn pits(&self) -> u8 {
        self.pits
    }

    fn lap(&mut self, from: LastSeed) -> LastSeed {
        let (mover, from, start) = (self.mover, self.place(from), self.path.len());
        let hand = *self.at(from);
        if start > 0 {
            let before = seeds(hand - 1);
            self.say(format!(
                "The last seed falls into {from}, which already held {before}, so the sow goes on from there."
            ));
        }
        self.lift_and_drop(from);
        self.say(match (start, from) {
            (0, Place::Pit { pit, .. }) => format!("{mover} sows {} of pit {pit}.", the_hand(hand as usize)),
            _ => format!("{mover} lifts the {hand} seeds of {from} and sows on."),
        });
        let path = self.path[start..].to_vec();
        self.say_falls(&path, false);
        self.say_skipped_store(&path);
        self.seat(self.path.last().copied().unwrap_or(from))
    }

    fn held(&self, pit: LastSeed) -> u32 {
        match self.place(pit) {
            Place::Pit { side, pit } => self.rows[side as usize][usize::from(pit) - 1],
            Place::Store { side } => self.stores[side as usize],
        }
    }

    fn take(&mut self, pit: LastSeed) -> u32 {
        let place = self.place(pit);
        self.capture(place)
    }
}

/// Tells what the last seed captures where it came to rest.
fn tell_capture(told: &mut Telling, dakon: &DakonRules, last: LastSeed) {
    let (place, rules) = (told.place(last), told.rules);
    if last != LastSeed::Store {
        told.say(format!("The last seed falls into {place}, which was empty when it arrived."));
    }
    let captured = relay::capture(told, dakon, last);
    let facing = match last {
        LastSeed::Own(pit) => told.place(LastSeed::Opponent(told.pits + 1 - pit)),
        _ => place,
    };
    match captured {
        Capture::Nothing | Capture::Neighbours { taken: 0 } => {}
        Capture::Facing { taken, both: true } => told.say(format!(
            "It captures the {} of {facing}, which faces it. Together with the last seed that makes {}.",
            seeds(taken),
            seeds(taken + 1)
        )),
        Capture::Facing { taken, both: false } => {
            told.say(format!("It captures the {} of {facing}, which faces it. The last seed stays.", seeds(taken)));
        }
        Capture::Alone { banked } => {
            let fate = if banked { "the last seed is banked alone" } else { "it stays there" };
            told.say(format!("{facing}, which faces it, is empty. Under {rules}, {fate}."));
        }
        Capture::Neighbours { taken } => {
            told.say(format!("It captures the {} of the pits beside it (rule set {rules}).", seeds(taken)));
        }
    }
}

fn end(told: &mut Telling, dakon: &DakonRules) {
    let (mover, other, to_move) = (told.mover, told.mover.other(), told.to_move);
    let empty = SIDES.map(|side| told.row_seeds(side) == 0);
    if dakon.end.is_over(empty[to_move as usize], empty[to_move.other() as usize]) {
        let why = match dakon.end {
            RoundEnd::MoverStuck => format!("{to_move} is to move and has no seeds"),
            RoundEnd::RowEmpty => "A row is empty".to_owned(),
            RoundEnd::AllEmpty => "All pits are empty".to_owned(),
        };
        told.say(format!("{why}. Under {}, the round is over.", told.rules));
        return told.sweep(Telling::owner);
    }
    told.say(if told.next == Next::Again {
        format!("That gives an extra move: {mover} moves again.")
    } else {
        format!("The turn passes to {other}.")
    });
}
