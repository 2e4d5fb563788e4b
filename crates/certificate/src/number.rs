//! Positions with at most so many seeds to one number each, without gaps, and back.
//!
//! With `P(k)` the seeds in the first `k` of the 2·m pits (the mover's, then the opponent's), the number is the sum of
//! `C(P(k) + k − 1, k)` over `k = 1 … 2·m`. The positions with at most `n` seeds get exactly the numbers below
//! `C(n + 2·m, 2·m)`, which has at most 85 bits.

use kalah_rules::{Position, Row};

/// Numbers of the positions of one board with at most so many seeds.
pub(crate) struct Numbers {
    pits: u8,
    /// `terms[k − 1][p]` is `C(p + k − 1, k)`, for every number of seeds `p`.
    terms: Vec<Vec<u128>>,
}

impl Numbers {
    /// For positions with at most `seeds` seeds (0 to 255) on `pits` pits a side (1 to 8).
    pub(crate) fn new(pits: u8, seeds: u32) -> Numbers {
        let mut terms: Vec<Vec<u128>> = vec![(0..=u128::from(seeds)).collect()];
        for _ in 1..2 * pits {
            // Pascal's rule: every term is the sum of the terms before it in the row above, its own included.
            let sums = terms[terms.len() - 1].iter().scan(0, |sum, term| {
                *sum += term;
                Some(*sum)
            });
            terms.push(sums.collect());
        }
        Numbers { pits, terms }
    }

    /// The number of a position, which must be on the board and have no more seeds than agreed.
    pub(crate) fn number(&self, position: Position) -> u128 {
        let all = position.mover.pits(self.pits).chain(position.opponent.pits(self.pits));
        let before = all.scan(0, |sum, pit| {
            *sum += usize::from(pit);
            Some(*sum)
        });
        before.zip(&self.terms).map(|(seeds, terms)| terms[seeds]).sum()
    }

    /// The position with this number, if there is one.
    pub(crate) fn position(&self, number: u128) -> Option<Position> {
        let (mut left, mut above) = (number, self.terms[0].len() - 1);
        let mut pits = Vec::with_capacity(2 * usize::from(self.pits));
        for (k, terms) in self.terms.iter().enumerate().rev() {
            let before = terms[..=above].partition_point(|&term| term <= left) - 1;
            left -= terms[before];
            // The seeds of the next pit are known once those before it are.
            if k + 1 < self.terms.len() {
                pits.push((above - before) as u8);
            }
            above = before;
        }
        pits.push(above as u8);
        pits.reverse();
        let (mover, opponent) = pits.split_at(usize::from(self.pits));
        (left == 0).then(|| Position::new(Row::from_pits(mover), Row::from_pits(opponent)))
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;
    use kalah_index::{Layer, binomial};
    use kalah_rules::{Position, Row};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_have_no_gaps() {
        for (pits, seeds) in [(1u8, 9u32), (2, 6), (3, 5), (8, 2)] {
            let numbers = Numbers::new(pits, seeds);
            let mut found = BTreeSet::new();
            for layer in (0..=seeds).map(|n| Layer::new(pits, n).unwrap()) {
                for (mover, opponent) in (0..layer.positions()).map(|rank| layer.unrank(rank)) {
                    let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                    let number = numbers.number(position);
                    assert_eq!(numbers.position(number), Some(position));
                    assert!(found.insert(number), "two positions share a number");
                }
            }
            let count = binomial(u64::from(seeds) + 2 * u64::from(pits), 2 * u64::from(pits)).unwrap();
            assert_eq!((found.first(), found.last()), (Some(&0), Some(&(u128::from(count) - 1))));
            assert_eq!(found.len() as u64, count);
            assert_eq!(numbers.position(u128::from(count)), None);
            assert_eq!(numbers.position(u128::MAX), None);
        }
    }

    proptest! {
        #[test]
        fn large_boards_come_back(pits in proptest::collection::vec(0u8..16, 16)) {
            let position = Position::new(Row::from_pits(&pits[..8]), Row::from_pits(&pits[8..]));
            let numbers = Numbers::new(8, 255);
            prop_assert_eq!(numbers.position(numbers.number(position)), Some(position));
        }
    }
}
