//! The proofs a search remembers, taken out of its table and put back: the content of checkpoints.

use crate::code::Coder;
use crate::table::{Plan, Table};
use crate::{Bounds, Oracle, Search, SearchError};
use kalah_rules::{Margin, Position, SowingGame};

/// One entry of a search's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The position.
    pub position: Position,
    /// The bounds proved for its value, for its mover.
    pub bounds: Bounds,
    /// The move to try first, if one is known.
    pub pit: Option<u8>,
    /// About the binary logarithm of the nodes it took.
    pub work: u8,
}

impl<O: Oracle> Search<O> {
    /// The entries of the shared table that took the most work: at most about `most`, heaviest first.
    ///
    /// Entries of equal work stay or go together, so fewer come than asked for; all, if the table holds no more. A search
    /// that [`learn`](Search::learn)s them need not do that work again.
    pub fn heaviest(&mut self, most: usize) -> Vec<Proof> {
        let room = self.room();
        room.settle();
        room.heaviest(most)
    }

    /// Adds a proof to the table, where it may push out a lighter one. The search believes it, so it must come from
    /// [`heaviest`](Search::heaviest) of a search of the same game.
    ///
    /// # Errors
    /// If the position has too many seeds, or no position of this game could have such bounds.
    pub fn learn(&mut self, proof: &Proof) -> Result<(), SearchError> {
        self.check(proof.position)?;
        let (Bounds { lower, upper }, seeds) = (proof.bounds, proof.position.seeds());
        let parity = |bound: Margin| !self.game().keeps_parity() || (i32::from(bound.0) ^ seeds as i32) & 1 == 0;
        let most = Margin(seeds as i16);
        let pits = self.game().pits();
        if !(-most <= lower && lower <= upper && upper <= most && parity(lower) && parity(upper))
            || proof.pit.is_some_and(|pit| !(1..=pits).contains(&pit))
            || (proof.position.mover.bits() | proof.position.opponent.bits())
                .checked_shr(8 * u32::from(pits))
                .unwrap_or(0)
                != 0
        {
            return Err(SearchError::Proof);
        }
        self.room().learn(*proof);
        Ok(())
    }
}

/// The heaviest entries of a table, heaviest first.
pub(crate) fn heaviest<T: Table>(table: &T, coder: Coder, plan: Plan, most: usize) -> Vec<Proof> {
    let mut by_work = [0usize; 256];
    table.for_each(&mut |_, packed| by_work[plan.shape.work(packed) as usize] += 1);
    // The smallest work from which on all entries fit; if even the heaviest are too many, they come all the same.
    let mut least = 255;
    let mut count = 0;
    while least > 0 && (count == 0 || count + by_work[least] <= most) {
        count += by_work[least];
        least -= 1;
    }
    let least = if count + by_work[least] <= most { least } else { least + 1 };
    let mut proofs = Vec::with_capacity(count);
    table.for_each(&mut |code, packed| {
        if plan.shape.work(packed) as usize >= least
            && let Some(position) = coder.position(code)
        {
            let entry = plan.shape.unpack(packed, position.seeds());
            proofs.push(Proof {
                position,
                bounds: Bounds { lower: Margin(entry.lower), upper: Margin(entry.upper) },
                pit: (entry.pit != 0).then_some(entry.pit),
                work: entry.work,
            });
        }
    });
    proofs.sort_by_key(|proof| (std::cmp::Reverse(proof.work), proof.position));
    proofs
}
