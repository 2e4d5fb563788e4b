//! Rows of a given number of seeds, numbered from the one with all seeds in pit 1 to the one with all in the last pit.
//!
//! With `T(k)` the seeds in the last `k` pits, the rank is the sum of `C(T(k) + k − 1, k)` over `k = 1 … m − 1`: the
//! combinatorial number system (Knuth, TAOCP 7.2.1.3) on the suffix sums. Three properties make it the order of choice:
//!
//! * sowing forward inside the row raises some suffix sums and lowers none, so it always leads to a larger rank;
//! * rows that agree in their first `j` pits lie side by side, so what another player's move adds to or takes from these
//!   pits moves whole runs of rows, and adding to or taking from pits never changes the order of two rows;
//! * pit 1 does not enter, so a rank needs no knowledge of the total, and all sums come from one multiplication.

use crate::{MAX_PITS, binomial};

const ONES: u64 = 0x0101_0101_0101_0101;

/// `TERM[k − 1][p]` is `C(p + k − 1, k)`, saturating at the largest number: no layer that large can be opened.
static TERM: [[u64; 256]; MAX_PITS as usize] = {
    let mut table = [[0; 256]; MAX_PITS as usize];
    let mut k = 1;
    while k <= MAX_PITS as usize {
        let mut p = 1;
        while p < 256 {
            table[k - 1][p] = match binomial((p + k - 1) as u64, k as u64) {
                Some(term) => term,
                None => u64::MAX,
            };
            p += 1;
        }
        k += 1;
    }
    table
};

/// How many rows of `seeds` seeds a board with `pits` pits a side has: `C(seeds + pits − 1, pits − 1)`.
///
/// # Panics
/// If `pits` is not 1 to 8 or `seeds` is more than 255.
#[inline]
#[track_caller]
pub fn rows(pits: u8, seeds: u32) -> u64 {
    assert!((1..=MAX_PITS).contains(&pits) && seeds <= 255, "no rows of {seeds} seeds on {pits} pits");
    if pits == 1 { 1 } else { TERM[usize::from(pits) - 2][seeds as usize] + rows_below(pits, seeds) }
}

/// `C(seeds + pits − 2, pits − 2)`: what Pascal's rule adds to `C(seeds + pits − 2, pits − 1)`.
#[inline]
fn rows_below(pits: u8, seeds: u32) -> u64 {
    if pits == 2 { 1 } else { rows(pits - 1, seeds) }
}

/// The number of a row among all rows with as many seeds on `pits` pits, from 0.
///
/// `row` holds pit `i` in byte `i − 1`; it must have no seeds beyond pit `pits` and at most 255 in all.
#[inline]
pub fn rank_row(pits: u8, row: u64) -> u64 {
    match pits {
        6 => rank_row_of::<6>(row),
        5 => rank_row_of::<5>(row),
        4 => rank_row_of::<4>(row),
        3 => rank_row_of::<3>(row),
        2 => rank_row_of::<2>(row),
        7 => rank_row_of::<7>(row),
        8 => rank_row_of::<8>(row),
        _ => 0,
    }
}

/// [`rank_row`] with `M` pits, known to the compiler.
#[inline]
fn rank_row_of<const M: usize>(row: u64) -> u64 {
    let prefix = row.wrapping_mul(ONES);
    // Byte j is the total minus the seeds in pits 1 to j; no byte borrows from the next.
    let suffix = (prefix >> 56).wrapping_mul(ONES).wrapping_sub(prefix << 8);
    let mut rank = 0;
    for j in 1..M {
        rank += TERM[M - j - 1][usize::from((suffix >> (8 * j)) as u8)];
    }
    rank
}

/// The row of `seeds` seeds on `pits` pits with this number: the inverse of [`rank_row`].
///
/// # Panics
/// If there is no such row.
#[track_caller]
pub fn unrank_row(pits: u8, seeds: u32, rank: u64) -> u64 {
    assert!(rank < rows(pits, seeds), "there is no row {rank} of {seeds} seeds on {pits} pits");
    let mut row = 0;
    let mut left = rank;
    let mut above = seeds as usize;
    for j in 1..usize::from(pits) {
        let terms = &TERM[usize::from(pits) - j - 1];
        // The largest suffix sum whose term still fits; ranks of rows below it fill exactly the gap to the next.
        let suffix = terms[..=above].partition_point(|&term| term <= left) - 1;
        left -= terms[suffix];
        row |= ((above - suffix) as u64) << (8 * (j - 1));
        above = suffix;
    }
    row | (above as u64) << (8 * (pits - 1))
}

/// All seeds of a row, at most 255.
#[inline]
pub const fn row_seeds(row: u64) -> u32 {
    (row.wrapping_mul(ONES) >> 56) as u32
}

/// The row with number 0: all seeds in pit 1.
#[inline]
pub const fn first_row(seeds: u32) -> u64 {
    seeds as u64
}

/// The row with the next number, or `None` after the last one, which has all seeds in the last pit.
#[inline]
pub fn next_row(pits: u8, row: u64) -> Option<u64> {
    // Raise the last suffix sum that can grow: the last occupied pit before the last pit gives one seed to its successor,
    // which also gets back all seeds from beyond, the smallest arrangement of them.
    let last = 8 * (u32::from(pits) - 1);
    let end = (row >> last) & 0xff;
    let before = row & ((1 << last) - 1);
    if before == 0 {
        return None;
    }
    let from = 8 * ((63 - before.leading_zeros()) / 8);
    Some(before - (1 << from) + ((end + 1) << (from + 8)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_are_a_bijection_in_order() {
        for pits in 1..=8 {
            for seeds in 0..=10 {
                let mut row = Some(first_row(seeds));
                for rank in 0..rows(pits, seeds) {
                    let this = row.expect("as many rows as promised");
                    assert_eq!(rank_row(pits, this), rank);
                    assert_eq!(unrank_row(pits, seeds, rank), this);
                    assert_eq!(this.wrapping_mul(ONES) >> 56, u64::from(seeds));
                    row = next_row(pits, this);
                }
                assert_eq!(row, None);
                assert_eq!(
                    Some(rows(pits, seeds)),
                    binomial(u64::from(seeds + u32::from(pits)) - 1, u64::from(pits) - 1)
                );
            }
        }
    }

    proptest! {
        #[test]
        fn large_rows_come_back(pits in 1u8..=8, cuts in proptest::collection::vec(0u32..=127, 8)) {
            let seeds: u32 = 127;
            let mut cuts: Vec<u32> = cuts[..usize::from(pits) - 1].to_vec();
            cuts.sort_unstable();
            cuts.push(seeds);
            let row = (0..usize::from(pits)).rev().fold(0u64, |row, i| row << 8 | u64::from(cuts[i] - if i == 0 { 0 } else { cuts[i - 1] }));
            let rank = rank_row(pits, row);
            prop_assert!(rank < rows(pits, seeds));
            prop_assert_eq!(unrank_row(pits, seeds, rank), row);
        }

        #[test]
        fn sowing_inside_the_row_raises_the_rank(row in any::<[u8; 6]>(), pit in 0usize..5) {
            let mut row = row.map(|pit| pit % 16);
            let seeds = usize::from(row[pit]).min(5 - pit);
            prop_assume!(seeds > 0);
            let pack = |row: [u8; 6]| row.iter().rev().fold(0u64, |bits, &pit| bits << 8 | u64::from(pit));
            row[pit] = 0;
            for target in &mut row[pit + 1..=pit + seeds] { *target += 1; }
            // Only whole sows keep the number of seeds; make the origin hold exactly what is sown.
            let mut original = row;
            for target in &mut original[pit + 1..=pit + seeds] { *target -= 1; }
            original[pit] = seeds as u8;
            prop_assert!(rank_row(6, pack(row)) > rank_row(6, pack(original)));
        }
    }
}
