//! A move of Oware or Awari in sentences.

use super::{Place, Telling, listed, seeds, the_hand};
use crate::{OwareRules, Side, Slam};

/// A pit with so many seeds is full where full pits are passed over.
const FULL: u32 = 12;

/// Tells the move from pit `pit`.
pub(super) fn tell(told: &mut Telling, oware: &OwareRules, pit: u8) {
    let before = majority(told);
    sow(told, oware, pit);
    let forfeited = capture(told, oware);
    told.bank();
    if let (None, Some(winner)) = (before, majority(told)) {
        let all = told.row_seeds(Side::South) + told.row_seeds(Side::North) + told.stores.iter().sum::<u32>();
        told.say(format!(
            "{winner}'s store now holds more than half of all {all} seeds. {winner} wins, whatever follows."
        ));
    }
    end(told, oware, forfeited);
}

/// The side with more than half of all seeds in its store.
fn majority(told: &Telling) -> Option<Side> {
    let all = told.row_seeds(Side::South) + told.row_seeds(Side::North) + told.stores.iter().sum::<u32>();
    [Side::South, Side::North].into_iter().find(|&side| 2 * told.stores[side as usize] > all)
}

/// The pit after another, stores left out.
fn after(pits: u8, (side, pit): (Side, u8)) -> (Side, u8) {
    if pit < pits { (side, pit + 1) } else { (side.other(), 1) }
}

fn sow(told: &mut Telling, oware: &OwareRules, pit: u8) {
    let (mover, pits) = (told.mover, told.pits);
    let origin = (mover, pit);
    let hand = std::mem::take(told.at(Place::Pit { side: mover, pit }));
    let (mut seat, mut passed_origin, mut passed_full) = (origin, false, false);
    for _ in 0..hand {
        let mut fallback = None;
        let mut steps = 0;
        let place = loop {
            seat = after(pits, seat);
            steps += 1;
            let place = Place::Pit { side: seat.0, pit: seat.1 };
            let closed = seat == origin && !oware.origin_sown;
            let full = oware.full_skipped && *told.at(place) >= FULL;
            passed_origin |= closed;
            if closed {
                continue;
            }
            if !full {
                passed_full |= fallback.is_some();
                break place;
            }
            fallback = fallback.or(Some((seat, place)));
            if let (true, Some((full_seat, place))) = (steps >= 2 * pits, fallback) {
                seat = full_seat;
                break place;
            }
        };
        told.drop(place);
    }
    told.say(format!("{mover} sows {} of pit {pit}.", the_hand(hand as usize)));
    let path = told.path.clone();
    told.say_falls(&path, false);
    if passed_origin {
        told.say(format!("{mover}'s pit {pit}, where the sow began, is passed over and stays empty."));
    }
    if passed_full {
        told.say(format!("Pits with {FULL} seeds or more are passed over (rule set {}).", told.rules));
    }
}

/// Tells the capture, if there is one. Whether the rest of the mover's row is forfeited.
fn capture(told: &mut Telling, oware: &OwareRules) -> bool {
    let (mover, other) = (told.mover, told.mover.other());
    let Some(&Place::Pit { side, pit: last }) = told.path.last() else { return false };
    if side == mover {
        told.say(format!("The last seed falls into {mover}'s pit {last}. Nothing is captured in the mover's own row."));
        return false;
    }
    let taken: Vec<(u8, u32)> = (1..=last)
        .rev()
        .map(|pit| (pit, *told.at(Place::Pit { side: other, pit })))
        .take_while(|&(_, held)| held == 2 || held == 3)
        .collect();
    if taken.is_empty() {
        let held = *told.at(Place::Pit { side: other, pit: last });
        told.say(format!(
            "The last seed falls into {other}'s pit {last}, which now holds {}. Only two or three seeds are captured.",
            seeds(held)
        ));
        return false;
    }
    let sum: u32 = taken.iter().map(|(_, held)| held).sum();
    let named: Vec<String> = taken.iter().map(|(pit, held)| format!("the {} of pit {pit}", seeds(*held))).collect();
    let slam = sum == told.row_seeds(other);
    if slam && oware.slam == Slam::Nothing {
        told.say(format!(
            "The last seed falls into {other}'s pit {last}. Capturing {} would leave {other} without seeds. \
             Under {}, such a grand slam captures nothing.",
            listed(&named),
            told.rules
        ));
        return false;
    }
    told.say(format!("The last seed falls into {other}'s pit {last} and captures {}.", listed(&named)));
    for (pit, _) in taken {
        *told.at(Place::Pit { side: other, pit }) = 0;
    }
    told.captured = sum;
    told.banked += sum;
    told.stores[mover as usize] += sum;
    if slam && oware.slam == Slam::Forfeit {
        told.say(format!("That is a grand slam. Under {}, all other seeds go to {other}.", told.rules));
        return true;
    }
    false
}

fn end(told: &mut Telling, oware: &OwareRules, forfeited: bool) {
    let (mover, other) = (told.mover, told.mover.other());
    if forfeited {
        return told.sweep(|_| (Some(other), format!("{other}, who was left without seeds")));
    }
    if !can_move(told, oware, other) {
        let why = match (told.row_seeds(mover), told.row_seeds(other)) {
            (_, 0) => format!("{other} has no seeds to sow"),
            (0, _) => format!("{mover} has no seeds, and {other} cannot give them any"),
            _ => format!("{other} has no legal move"),
        };
        told.say(format!("{why}. The game is over."));
        return told.sweep(Telling::owner);
    }
    told.say(format!("The turn passes to {other}."));
    if told.row_seeds(mover) == 0 {
        told.say(format!("{mover} has no seeds, so {other} must make a move that gives them some."));
    }
}

/// Whether `side`, to move on the board as it is, has a legal move: by trying every pit on a copy.
fn can_move(told: &Telling, oware: &OwareRules, side: Side) -> bool {
    let other = side.other();
    (1..=told.pits).filter(|&pit| told.rows[side as usize][usize::from(pit) - 1] > 0).any(|pit| {
        let mut trial = Telling { mover: side, path: Vec::new(), sentences: Vec::new(), captured: 0, ..told.clone() };
        let starved = trial.row_seeds(other) == 0;
        sow(&mut trial, oware, pit);
        capture(&mut trial, oware);
        let leaves_some = trial.row_seeds(other) > 0;
        match oware.slam {
            Slam::Illegal => leaves_some,
            _ => !starved || leaves_some,
        }
    })
}
