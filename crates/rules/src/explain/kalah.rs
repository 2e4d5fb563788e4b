//! A move of Kalah in sentences.

use super::{Place, SIDES, Telling, seeds};
use crate::{GameEnd, KalahRules, Leftover, Next};

/// Tells the move from pit `pit`.
pub(super) fn tell(told: &mut Telling, kalah: &KalahRules, pit: u8) {
    told.sow(pit);
    capture(told, kalah);
    told.bank();
    end(told, kalah);
}

/// Tells the capture of the last seed, if there is one.
fn capture(told: &mut Telling, kalah: &KalahRules) {
    let mover = told.mover;
    let Some(&last) = told.path.last() else { return };
    let pit = match last {
        Place::Store { .. } => {
            told.next = Next::Again;
            told.to_move = mover;
            return told.say(format!("The last seed falls into {mover}'s store."));
        }
        Place::Pit { side, .. } if side != mover => {
            return told.say(format!("The last seed falls into {last}. Nothing is captured in the opponent's row."));
        }
        Place::Pit { pit, .. } => pit,
    };
    if !told.last_was_empty {
        let held = *told.at(last) - 1;
        return told.say(format!(
            "The last seed falls into {mover}'s pit {pit}, which already held {}. Nothing is captured.",
            seeds(held)
        ));
    }
    told.say(format!("The last seed falls into {mover}'s pit {pit}, which was empty when it arrived."));
    let facing = Place::Pit { side: mover.other(), pit: told.pits + 1 - pit };
    let taken = *told.at(facing);
    if taken == 0 && !kalah.empty_capture {
        return told.say(format!("{facing}, which faces it, is empty. Under {}, nothing is captured.", told.rules));
    }
    *told.at(facing) = 0;
    *told.at(last) = 0;
    told.captured = taken + 1;
    told.banked += told.captured;
    told.stores[mover as usize] += told.captured;
    told.say(if taken == 0 {
        format!("{facing}, which faces it, is empty. Under {}, the last seed is captured alone.", told.rules)
    } else {
        format!(
            "It captures the {} of {facing}, which faces it. Together with the last seed that makes {}.",
            seeds(taken),
            seeds(told.captured)
        )
    });
}

/// Who is next, and the end of the game if it has come.
fn end(told: &mut Telling, kalah: &KalahRules) {
    let (mover, other) = (told.mover, told.mover.other());
    let (own, others) = (told.row_seeds(mover), told.row_seeds(other));
    let extra = told.next == Next::Again;
    let over = match kalah.end {
        GameEnd::RowEmpty => own == 0 || others == 0,
        GameEnd::MoverStuck => told.row_seeds(told.to_move) == 0,
    };
    if !over {
        told.say(if extra {
            format!("That gives an extra move: {mover} moves again.")
        } else {
            format!("The turn passes to {other}.")
        });
        if let Some(side) = SIDES.into_iter().find(|&side| told.row_seeds(side) == 0) {
            told.say(format!(
                "{side}'s row is empty. Under {}, the game goes on, because {} is to move and has seeds.",
                told.rules, told.to_move
            ));
        }
        return;
    }
    let why = match (own, others) {
        (0, 0) => "Both rows are empty".to_owned(),
        (0, _) => format!("{mover}'s row is empty"),
        _ => format!("{other}'s row is empty"),
    };
    told.say(match kalah.end {
        GameEnd::MoverStuck => {
            format!("{why}, and {} would have to move. Under {}, the game is over.", told.to_move, told.rules)
        }
        GameEnd::RowEmpty if extra => {
            format!("{why}. Under {}, the game is over, and the extra move is void.", told.rules)
        }
        GameEnd::RowEmpty => format!("{why}. Under {}, the game is over.", told.rules),
    });
    sweep(told, kalah);
}

/// Gives out the leftover seeds and names the winner.
pub(super) fn sweep(told: &mut Telling, kalah: &KalahRules) {
    let last = told.mover;
    told.sweep(|side| match kalah.leftover {
        Leftover::Owner => Telling::owner(side),
        Leftover::Out => (Some(side.other()), format!("{}, whose row is empty", side.other())),
        Leftover::Last => (Some(last), format!("{last}, who moved last")),
        Leftover::Nobody => (None, "nobody".to_owned()),
    });
}
