//! Values that mean nothing: a fixed pattern in the place of solved values, to try everything around them at any size.
//!
//! Files, journals, codecs and checks can be tried with layers far larger than a test could solve. A pattern has what a
//! layer must have, values in its range and of its parity, and the files say that they hold one (see
//! [`BuildOptions::stamp`](crate::BuildOptions::stamp)).

use crate::scatter::scatter;
use crate::{BuildError, Observer};
use kalah_database::{LayerWriter, Parity};
use rayon::prelude::*;

/// Positions written at once.
const PIECE: u64 = 1 << 20;

/// The number in the place of the value of a position.
pub(crate) fn value(seeds: u32, rank: u64, parity: Parity) -> i8 {
    let step = match parity {
        Parity::Known => 2,
        Parity::Free => 1,
    };
    let choices = u128::from(2 * seeds / step + 1);
    // The high bits of the hash, scaled to the number of choices.
    let choice = (u128::from(scatter(u64::from(seeds) << 48 | rank)) * choices) >> 64;
    (choice as i32 * step as i32 - seeds as i32) as i8
}

/// Writes every section that is not done.
pub(crate) fn write_layer(writer: &LayerWriter, parity: Parity, observer: &dyn Observer) -> Result<(), BuildError> {
    let seeds = writer.layer().seeds();
    let sections: Vec<usize> = (0..writer.sections().len()).filter(|&place| !writer.is_done(place)).collect();
    sections.into_par_iter().try_for_each(|place| {
        if observer.should_stop() {
            return Err(BuildError::Stopped);
        }
        writer.redo(place)?;
        let ranks = writer.sections()[place].ranks();
        let pieces = (ranks.end - ranks.start).div_ceil(PIECE);
        (0..pieces).into_par_iter().try_for_each_init(Vec::new, |values, piece| {
            if observer.should_stop() {
                return Err(BuildError::Stopped);
            }
            let first = ranks.start + piece * PIECE;
            let end = (first + PIECE).min(ranks.end);
            values.clear();
            values.extend((first..end).map(|rank| value(seeds, rank, parity)));
            Ok(writer.write(first, values)?)
        })?;
        observer.advanced(ranks.end - ranks.start);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_pattern_has_every_possible_value_and_no_other() {
        for seeds in [0, 1, 2, 7, 24, 127] {
            let bound = seeds as i8;
            let found = |parity| (0..20_000).map(|rank| value(seeds, rank, parity)).collect::<BTreeSet<i8>>();
            let possible = |step| (-bound..=bound).step_by(step).collect::<BTreeSet<i8>>();
            assert_eq!(found(Parity::Known), possible(2), "{seeds}");
            assert_eq!(found(Parity::Free), possible(1), "{seeds}");
        }
    }
}
