//! One player's pits packed into a machine word, eight bits a pit.

use std::fmt;

const ONES: u64 = 0x0101_0101_0101_0101;

/// One player's pits: byte `i − 1` holds the seeds of pit `i`, 0 to 255, pit 1 first (lowest byte).
///
/// A row does not know how many pits its board has; pits beyond the board are empty. All sums are exact as long as
/// the row holds at most 255 seeds, which [`crate::MAX_SEEDS`] guarantees for every position that was parsed or reached.
///
/// ```
/// use kalah_rules::Row;
/// let row = Row::from_pits(&[1, 0, 4]);
/// assert_eq!(row.seeds(), 5);
/// assert_eq!(row.pit(3), 4);
/// assert_eq!(row.occupied(), 0b101);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Row(u64);

impl Row {
    /// The row without a seed.
    pub const EMPTY: Row = Row(0);

    /// The row whose byte `i − 1` is pit `i`.
    #[inline]
    pub const fn from_bits(bits: u64) -> Row {
        Row(bits)
    }

    /// The packed pits; byte `i − 1` is pit `i`.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The row with these pits, pit 1 first.
    ///
    /// # Panics
    /// If there are more than eight pits.
    #[track_caller]
    pub fn from_pits(pits: &[u8]) -> Row {
        assert!(pits.len() <= 8, "a row has at most 8 pits, found {}", pits.len());
        Row(pits.iter().rev().fold(0, |bits, &pit| bits << 8 | u64::from(pit)))
    }

    /// The seeds in pit `pit`, counted from 1.
    #[inline]
    pub const fn pit(self, pit: u8) -> u8 {
        (self.0 >> (8 * (pit as u32 - 1))) as u8
    }

    /// The row with pit `pit`, counted from 1, emptied.
    #[inline]
    #[must_use]
    pub const fn without(self, pit: u8) -> Row {
        Row(self.0 & !(0xff << (8 * (pit as u32 - 1))))
    }

    /// All seeds of the row, 0 to 255.
    #[inline]
    pub const fn seeds(self) -> u32 {
        (self.0.wrapping_mul(ONES) >> 56) as u32
    }

    /// Whether no pit holds a seed.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Bit `i − 1` is set when pit `i` holds a seed.
    #[inline]
    pub const fn occupied(self) -> u8 {
        // Any bit of a byte is brought to its top bit; the multiplication then gathers the eight top bits.
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let tops = ((((self.0 & LOW) + LOW) | self.0) & !LOW) >> 7;
        (tops.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    /// The pits that all seeds together have still to travel to their owner's store on a board of `pits` pits a side: `pits` for
    /// a seed in pit 1, 1 for one in the last pit.
    ///
    /// ```
    /// assert_eq!(kalah_rules::Row::from_pits(&[1, 0, 2]).distance(3), 5);
    /// ```
    pub fn distance(self, pits: u8) -> u32 {
        self.pits(pits).zip(0..).map(|(seeds, before)| u32::from(seeds) * u32::from(pits - before)).sum()
    }

    /// The pits in order, pit 1 first, for a board of `pits` pits a side.
    pub fn pits(self, pits: u8) -> impl DoubleEndedIterator<Item = u8> + ExactSizeIterator {
        let bytes = self.0.to_le_bytes();
        (0..pits as usize).map(move |pit| bytes[pit])
    }
}

impl std::ops::Add for Row {
    type Output = Row;

    /// Adds pit by pit. No pit may pass 255.
    #[inline]
    fn add(self, other: Row) -> Row {
        Row(self.0.wrapping_add(other.0))
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.to_le_bytes()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn word_tricks_agree_with_plain_loops(pits in proptest::collection::vec(0u8..32, 0..=8)) {
            let row = Row::from_pits(&pits);
            prop_assert_eq!(row.seeds(), pits.iter().map(|&pit| u32::from(pit)).sum::<u32>());
            let occupied = pits.iter().enumerate().fold(0, |mask, (i, &pit)| mask | u8::from(pit > 0) << i);
            prop_assert_eq!(row.occupied(), occupied);
            prop_assert_eq!(row.pits(pits.len() as u8).collect::<Vec<_>>(), pits.clone());
            for (i, &pit) in pits.iter().enumerate() {
                prop_assert_eq!(row.pit(i as u8 + 1), pit);
                prop_assert_eq!(row.without(i as u8 + 1).seeds(), row.seeds() - u32::from(pit));
            }
        }
    }

    #[test]
    fn full_pits_are_seen() {
        assert_eq!(Row::from_pits(&[255, 0, 0, 0, 0, 0, 0, 0]).occupied(), 1);
        assert_eq!(Row::from_pits(&[0, 0, 0, 0, 0, 0, 0, 255]).occupied(), 0x80);
        assert_eq!(Row::from_pits(&[0, 0, 0, 0, 0, 0, 0, 255]).seeds(), 255);
        assert_eq!(Row::from_pits(&[128, 1, 0, 126]).occupied(), 0b1011);
    }
}
