//! One number for every position of all layers up to a given one, without gaps, and that number thoroughly mixed.
//!
//! With `P(k)` the seeds in the first `k` of the 2·m pits (the mover's, then the opponent's), the code is the sum of
//! `C(P(k) + k − 1, k)` over `k = 1 … 2·m`: the combinatorial number system on the prefix sums, the total included. The
//! positions with at most `n` seeds get exactly the numbers below `C(n + 2·m, 2·m)`.
//!
//! The mixing is invertible, so a table that keeps the part of the mixed code its place does not imply knows the exact
//! position, and can give it back.

use kalah_rules::{Position, Row};

const ONES: u64 = 0x0101_0101_0101_0101;

/// `TERM[k − 1][p]` is `C(p + k − 1, k)`. The largest, `C(270, 16)`, has 84 bits.
static WIDE_TERM: [[u128; 256]; 16] = {
    let mut table = [[0; 256]; 16];
    let mut k = 0;
    while k < 16 {
        let mut p = 1;
        while p < 256 {
            table[k][p] = table[k][p - 1] + if k == 0 { 1 } else { table[k - 1][p] };
            p += 1;
        }
        k += 1;
    }
    table
};

/// The same in one word, the largest number where it does not fit; no coder that fits one word reads such a term.
static TERM: [[u64; 256]; 16] = {
    let mut table = [[0; 256]; 16];
    let mut k = 0;
    while k < 16 {
        let mut p = 0;
        while p < 256 {
            table[k][p] = if WIDE_TERM[k][p] > u64::MAX as u128 { u64::MAX } else { WIDE_TERM[k][p] as u64 };
            p += 1;
        }
        k += 1;
    }
    table
};

/// How many positions with at most `seeds` seeds there are on `pits` pits a side: `C(seeds + 2·pits, 2·pits)`.
pub(crate) fn positions_up_to(pits: u8, seeds: u32) -> u128 {
    // Pascal's rule down the table: C(n + K, K) is the sum of C(n + k − 1, k) over k = 0 … K.
    1 + (0..2 * usize::from(pits)).map(|k| WIDE_TERM[k][seeds as usize]).sum::<u128>()
}

/// The prefix sums of both rows, one a byte: the mover's, then the opponent's with all of the mover's added.
#[inline]
fn prefixes(position: Position) -> (u64, u64) {
    let mover = position.mover.bits().wrapping_mul(ONES);
    let opponent = position.opponent.bits().wrapping_mul(ONES);
    (mover, opponent.wrapping_add((mover >> 56).wrapping_mul(ONES)))
}

/// The word a coder computes in: one machine word, or two where one is too short.
pub(crate) trait Word: Copy + Eq + Send + Sync + Default + std::fmt::Debug {
    /// The code of a position with `M` pits a side.
    fn code<const M: usize>(position: Position) -> Self;
    /// Mixes the low `bits` bits, invertibly. `self` must fit them.
    fn mix(self, bits: u32) -> Self;
    /// Undoes [`mix`](Word::mix).
    fn unmix(self, bits: u32) -> Self;
    /// The number as two words.
    fn wide(self) -> u128;
    /// The low part of a number.
    fn narrow(wide: u128) -> Self;
}

macro_rules! word {
    ($word:ty, $term:ident, $first:literal, $second:literal) => {
        impl Word for $word {
            #[inline]
            fn code<const M: usize>(position: Position) -> $word {
                let (mover, opponent) = prefixes(position);
                let mut code = 0;
                for k in 0..M {
                    code += $term[k][usize::from((mover >> (8 * k)) as u8)];
                    code += $term[M + k][usize::from((opponent >> (8 * k)) as u8)];
                }
                code
            }

            #[inline]
            fn mix(self, bits: u32) -> $word {
                let (mask, half) = (<$word>::MAX >> (<$word>::BITS - bits), bits.div_ceil(2));
                let mut word = self.wrapping_mul($first) & mask;
                word ^= word >> half;
                word = word.wrapping_mul($second) & mask;
                word ^ word >> half
            }

            fn unmix(self, bits: u32) -> $word {
                let (mask, half) = (<$word>::MAX >> (<$word>::BITS - bits), bits.div_ceil(2));
                let mut word = self ^ self >> half;
                word = word.wrapping_mul(inverse($second) as $word) & mask;
                word ^= word >> half;
                word.wrapping_mul(inverse($first) as $word) & mask
            }

            #[inline]
            fn wide(self) -> u128 {
                u128::from(self)
            }

            #[inline]
            fn narrow(wide: u128) -> $word {
                wide as $word
            }
        }
    };
}

word!(u64, TERM, 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93);
word!(u128, WIDE_TERM, 0x2d35_8dcc_aa6c_78a5_9e37_79b9_7f4a_7c15, 0xa076_1d64_78bd_642f_d6e8_feb8_6659_fd93);

/// The inverse of an odd number modulo 2^128 by Newton's iteration, which doubles the correct bits every time.
const fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// Gives every position of one board with up to a number of seeds its mixed code, and takes it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coder {
    pits: u8,
    seeds: u32,
    bits: u32,
}

impl Coder {
    /// The coder for positions with at most `seeds` seeds (0 to 255) on `pits` pits a side (1 to 8).
    pub(crate) fn new(pits: u8, seeds: u32) -> Coder {
        let last = positions_up_to(pits, seeds) - 1;
        Coder { pits, seeds, bits: (u128::BITS - last.leading_zeros()).max(2) }
    }

    /// The most seeds a position may have.
    pub(crate) fn seeds(&self) -> u32 {
        self.seeds
    }

    /// How many bits the codes have, 2 to 85.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The mixed code of a position.
    #[inline]
    pub(crate) fn mixed<W: Word>(&self, position: Position) -> W {
        let code: W = match self.pits {
            6 => W::code::<6>(position),
            1 => W::code::<1>(position),
            2 => W::code::<2>(position),
            3 => W::code::<3>(position),
            4 => W::code::<4>(position),
            5 => W::code::<5>(position),
            7 => W::code::<7>(position),
            _ => W::code::<8>(position),
        };
        code.mix(self.bits)
    }

    /// The position with this mixed code, or `None` if no position has it.
    pub(crate) fn position<W: Word>(&self, mixed: W) -> Option<Position> {
        let mut left = mixed.unmix(self.bits).wide();
        let pits = usize::from(self.pits);
        let mut above = self.seeds as usize;
        let mut prefix = [0; 17];
        for k in (0..2 * pits).rev() {
            above = WIDE_TERM[k][..=above].partition_point(|&term| term <= left) - 1;
            left -= WIDE_TERM[k][above];
            prefix[k + 1] = above;
        }
        let pit = |k: usize| (prefix[k + 1] - prefix[k]) as u8;
        let (mover, opponent): (Vec<u8>, Vec<u8>) = ((0..pits).map(pit).collect(), (pits..2 * pits).map(pit).collect());
        (left == 0).then(|| Position::new(Row::from_pits(&mover), Row::from_pits(&opponent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_index::{Layer, binomial};
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_all_the_numbers_below_the_count() {
        for (pits, seeds) in [(1, 9), (2, 8), (3, 6), (6, 3), (8, 2)] {
            let coder = Coder::new(pits, seeds);
            let mut codes = HashSet::new();
            for layer in (0..=seeds).map(|n| Layer::new(pits, n).unwrap()) {
                for (mover, opponent) in (0..layer.positions()).map(|rank| layer.unrank(rank)) {
                    let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                    let mixed: u64 = coder.mixed(position);
                    assert_eq!(coder.position(mixed), Some(position));
                    assert!(u128::from(mixed.unmix(coder.bits())) < positions_up_to(pits, seeds));
                    assert!(codes.insert(mixed), "two positions share a code");
                    let wide: u128 = coder.mixed(position);
                    assert_eq!(coder.position(wide), Some(position));
                    assert_eq!(wide.unmix(coder.bits()), u128::from(mixed.unmix(coder.bits())));
                }
            }
            assert_eq!(codes.len() as u128, positions_up_to(pits, seeds));
        }
    }

    #[test]
    fn counts_are_binomials() {
        for pits in 1..=8 {
            for seeds in [0, 1, 24, 72] {
                let count = binomial(u64::from(seeds) + 2 * u64::from(pits), 2 * u64::from(pits)).map(u128::from);
                assert!(count.is_none() || count == Some(positions_up_to(pits, seeds)));
            }
        }
        assert_eq!(Coder::new(6, 72).bits(), 47);
        assert_eq!(Coder::new(8, 255).bits(), 85);
    }

    proptest! {
        #[test]
        fn large_boards_come_back(pits in proptest::collection::vec(0u8..16, 16)) {
            let position = Position::new(Row::from_pits(&pits[..8]), Row::from_pits(&pits[8..]));
            let coder = Coder::new(8, 255);
            prop_assert_eq!(coder.position(coder.mixed::<u128>(position)), Some(position));
            let six = Position::new(Row::from_pits(&pits[..6]), Row::from_pits(&pits[8..14]));
            let coder = Coder::new(6, 180);
            prop_assert_eq!(coder.position(coder.mixed::<u64>(six)), Some(six));
        }

        #[test]
        fn mixing_is_undone(word in any::<u128>(), bits in 2u32..=85) {
            let word = word & (u128::MAX >> (128 - bits));
            prop_assert_eq!(word.mix(bits).unmix(bits), word);
            if bits <= 64 {
                prop_assert_eq!((word as u64).mix(bits).unmix(bits), word as u64);
            }
        }
    }
}
