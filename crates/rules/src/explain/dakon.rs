//! A move of Dakon or Congkak in sentences, lap by lap.

use super::{Place, SIDES, Telling, seeds, the_hand};
use crate::{DakonRules, Mikul, Next, RoundEnd, Take};

/// Tells the move from pit `pit`.
pub(super) fn tell(told: &mut Telling, dakon: &DakonRules, pit: u8) {
    let (mover, other) = (told.mover, told.mover.other());
    if told.row_seeds(mover) == 0 {
        return told.say(format!("{mover} has no seeds. Under {}, they pass and {other} moves.", told.rules));
    }
    match relay(told, pit) {
        Some(Place::Pit { side, pit }) if side == mover => capture(told, dakon, pit),
        Some(Place::Pit { pit, .. }) => mikul(told, dakon, pit),
        _ => {}
    }
    told.bank();
    end(told, dakon);
}

/// Tells the sowing from pit `pit` and on from every filled pit. The pit that was empty when the last seed arrived; `None` if that fell
/// into the store.
pub(super) fn relay(told: &mut Telling, pit: u8) -> Option<Place> {
    let mover = told.mover;
    let mut from = Place::Pit { side: mover, pit };
    loop {
        let (start, hand) = (told.path.len(), *told.at(from) as usize);
        told.lap(from);
        told.say(match (start, from) {
            (0, _) => format!("{mover} sows {} of pit {pit}.", the_hand(hand)),
            _ => format!("{mover} lifts the {hand} seeds of {from} and sows on."),
        });
        let path = told.path[start..].to_vec();
        told.say_falls(&path, false);
        told.say_skipped_store(&path);
        let last = *told.path.last()?;
        if let Place::Store { .. } = last {
            told.next = Next::Again;
            told.to_move = mover;
            told.say(format!("The last seed falls into {mover}'s store."));
            return None;
        }
        if told.last_was_empty {
            return Some(last);
        }
        let held = *told.at(last) - 1;
        told.say(format!(
            "The last seed falls into {last}, which already held {}, so the sow goes on from there.",
            seeds(held)
        ));
        from = last;
    }
}

fn take(told: &mut Telling, pit: Place) -> u32 {
    let taken = std::mem::take(told.at(pit));
    let mover = told.mover;
    told.captured += taken;
    told.banked += taken;
    told.stores[mover as usize] += taken;
    taken
}

/// What the last seed does in an own empty pit.
fn capture(told: &mut Telling, dakon: &DakonRules, pit: u8) {
    let mover = told.mover;
    let own = Place::Pit { side: mover, pit };
    let facing = Place::Pit { side: mover.other(), pit: told.pits + 1 - pit };
    told.say(format!("The last seed falls into {mover}'s pit {pit}, which was empty when it arrived."));
    let taken = take(told, facing);
    if taken == 0 {
        let fate = if dakon.bank_alone {
            take(told, own);
            "the last seed is banked alone"
        } else {
            "it stays there"
        };
        return told.say(format!("{facing}, which faces it, is empty. Under {}, {fate}.", told.rules));
    }
    if dakon.take == Take::Both {
        let all = taken + take(told, own);
        told.say(format!(
            "It captures the {} of {facing}, which faces it. Together with the last seed that makes {}.",
            seeds(taken),
            seeds(all)
        ));
    } else {
        told.say(format!("It captures the {} of {facing}, which faces it. The last seed stays.", seeds(taken)));
    }
}

/// What the last seed does in an empty pit of the opponent.
fn mikul(told: &mut Telling, dakon: &DakonRules, pit: u8) {
    let side = told.mover.other();
    let last = Place::Pit { side, pit };
    told.say(format!("The last seed falls into {last}, which was empty when it arrived."));
    let neighbours = [(pit > 1).then(|| pit - 1), (pit < told.pits).then_some(pit + 1)];
    let held = neighbours.map(|pit| pit.map(|pit| *told.at(Place::Pit { side, pit })));
    let takes = match dakon.mikul {
        Mikul::Nothing => false,
        Mikul::Neighbours => true,
        Mikul::Equal => held[0].is_some() && held[0] == held[1],
    };
    let taken: u32 =
        if takes { neighbours.into_iter().flatten().map(|pit| take(told, Place::Pit { side, pit })).sum() } else { 0 };
    if taken > 0 {
        told.say(format!("It captures the {} of the pits beside it (rule set {}).", seeds(taken), told.rules));
    }
}

fn end(told: &mut Telling, dakon: &DakonRules) {
    let (mover, other, to_move) = (told.mover, told.mover.other(), told.to_move);
    let empty = SIDES.map(|side| told.row_seeds(side) == 0);
    let over = match dakon.end {
        RoundEnd::MoverStuck => empty[to_move as usize],
        RoundEnd::RowEmpty => empty[0] || empty[1],
        RoundEnd::AllEmpty => empty[0] && empty[1],
    };
    if over {
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
