//! Many lemmas in order: sorted by their positions' numbers, one a position, and found again by position.
//!
//! A proof may have hundreds of millions of lemmas. So everything here works in place or in one table, and asks every few
//! milliseconds whether to go on.

use crate::{Going, Lemma};
use kalah_rules::{Margin, Position};

const ONES: u64 = 0x0101_0101_0101_0101;

/// Lemmas between two questions whether to go on.
pub(crate) const ASK_EVERY: usize = 1 << 16;

/// So few lemmas are sorted at once.
const SMALL: usize = 1 << 14;

/// What orders positions as their numbers do: the seeds in the first k pits, the largest k first, one a byte.
#[inline]
fn order(position: Position) -> [u64; 2] {
    let mover = position.mover.bits().wrapping_mul(ONES);
    let opponent = position.opponent.bits().wrapping_mul(ONES).wrapping_add((mover >> 56).wrapping_mul(ONES));
    [opponent, mover]
}

/// Puts lemmas in the order of their positions' numbers and keeps one a position, that with the largest window. False if
/// `going` ended it; the lemmas are then in no order.
pub(crate) fn tidy(lemmas: &mut Vec<Lemma>, going: Going<'_>) -> bool {
    let all = lemmas.len() as u64;
    // Lemmas from a file are in order.
    match is_sorted(lemmas, going) {
        None => return false,
        Some(false) if !sort(lemmas, SMALL, going) => return false,
        Some(_) => {}
    }
    let mut kept = 0;
    for at in 0..lemmas.len() {
        if at.is_multiple_of(ASK_EVERY) && !going(all, all) {
            return false;
        }
        if kept == 0 || lemmas[kept - 1].position != lemmas[at].position {
            lemmas[kept] = lemmas[at];
            kept += 1;
        }
    }
    lemmas.truncate(kept);
    lemmas.shrink_to_fit();
    true
}

/// Whether lemmas are in order, one a position; `None` if `going` ended it.
fn is_sorted(lemmas: &[Lemma], going: Going<'_>) -> Option<bool> {
    for (at, pair) in lemmas.windows(2).enumerate() {
        if at.is_multiple_of(ASK_EVERY) && !going(0, lemmas.len() as u64) {
            return None;
        }
        if order(pair[0].position) >= order(pair[1].position) {
            return Some(false);
        }
    }
    Some(true)
}

/// Sorts by position, then by falling window.
fn sort(lemmas: &mut [Lemma], small: usize, going: Going<'_>) -> bool {
    let all = lemmas.len() as u64;
    let mut done = 0;
    // Runs that agree in all bytes before the given one.
    let mut runs = vec![(0..lemmas.len(), 0)];
    while let Some((run, byte)) = runs.pop() {
        let part = &mut lemmas[run.clone()];
        if part.len() <= small || byte == 16 {
            part.sort_unstable_by_key(|lemma| (order(lemma.position), -lemma.window, lemma.pit));
            done += part.len() as u64;
            if !going(done, all) {
                return false;
            }
            continue;
        }
        let Some(ends) = part_by(part, byte, &|| going(done, all)) else { return false };
        let mut start = 0;
        for end in ends {
            if end > start {
                runs.push((run.start + start..run.start + end, byte + 1));
            }
            start = end;
        }
    }
    true
}

/// Moves lemmas with the smaller byte before those with the larger one, in place. Where the lemmas of each byte end; `None` if
/// `going` ended it.
fn part_by(lemmas: &mut [Lemma], byte: usize, going: &dyn Fn() -> bool) -> Option<[usize; 256]> {
    let digit = |lemma: &Lemma| usize::from((order(lemma.position)[byte / 8] >> (56 - 8 * (byte % 8))) as u8);
    let mut ends = [0; 256];
    for (at, lemma) in lemmas.iter().enumerate() {
        if at.is_multiple_of(ASK_EVERY) && !going() {
            return None;
        }
        ends[digit(lemma)] += 1;
    }
    let mut next = [0; 256];
    let mut sum = 0;
    for (next, end) in next.iter_mut().zip(&mut ends) {
        *next = sum;
        sum += *end;
        *end = sum;
    }
    let mut moves = 0usize;
    for home in 0..256 {
        while next[home] < ends[home] {
            moves += 1;
            if moves.is_multiple_of(ASK_EVERY) && !going() {
                return None;
            }
            let target = digit(&lemmas[next[home]]);
            if target != home {
                lemmas.swap(next[home], next[target]);
            }
            next[target] += 1;
        }
    }
    Some(ends)
}

/// Finds lemmas by position: a table of their places, a quarter to half full.
pub(crate) struct Index<'a> {
    lemmas: &'a [Lemma],
    /// Places counted from 1; 0 where there is none. Empty if there are more lemmas than it can count.
    places: Vec<u32>,
}

impl<'a> Index<'a> {
    /// The index of lemmas in order; `None` if `going` ended it.
    pub(crate) fn new(lemmas: &'a [Lemma], going: Going<'_>) -> Option<Index<'a>> {
        let mut index = Index { lemmas, places: Vec::new() };
        if u32::try_from(lemmas.len()).is_err() {
            return Some(index);
        }
        index.places = vec![0; (2 * lemmas.len()).next_power_of_two().max(2)];
        for (at, lemma) in lemmas.iter().enumerate() {
            if at.is_multiple_of(ASK_EVERY) && !going(at as u64, lemmas.len() as u64) {
                return None;
            }
            let mut place = index.first(lemma.position);
            while index.places[place] != 0 {
                place = (place + 1) & (index.places.len() - 1);
            }
            index.places[place] = at as u32 + 1;
        }
        Some(index)
    }

    #[inline]
    fn first(&self, position: Position) -> usize {
        hash(position) as usize & (self.places.len() - 1)
    }

    /// The margin that the lemma about this position promises; `None` without one.
    pub(crate) fn window(&self, position: Position) -> Option<Margin> {
        if self.places.is_empty() {
            let found = self.lemmas.binary_search_by_key(&order(position), |lemma| order(lemma.position));
            return found.ok().map(|at| self.lemmas[at].window);
        }
        let mut place = self.first(position);
        loop {
            let lemma = self.lemmas.get((self.places[place] as usize).checked_sub(1)?)?;
            if lemma.position == position {
                return Some(lemma.window);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
    }
}

/// A number that depends on all pits.
#[inline]
pub(crate) fn hash(position: Position) -> u64 {
    let word = position.mover.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ position.opponent.bits().wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(32);
    let word = (word ^ word >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word ^ word >> 29
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Numbers;
    use kalah_rules::Row;
    use proptest::prelude::*;
    use std::cell::Cell;

    fn lemmas(boards: &[([u8; 8], [u8; 8])]) -> Vec<Lemma> {
        let lemma = |(at, (mover, opponent)): (usize, &([u8; 8], [u8; 8]))| Lemma {
            position: Position::new(Row::from_pits(mover), Row::from_pits(opponent)),
            window: Margin(at as i16 % 3),
            pit: 1 + at as u8 % 8,
        };
        boards.iter().enumerate().map(lemma).collect()
    }

    proptest! {
        #[test]
        fn sorting_orders_by_number_and_finds_all(boards in proptest::collection::vec((any::<[u8; 8]>(), any::<[u8; 8]>()), 0..300)) {
            // At most 240 seeds, and often the same position twice.
            let few = boards.iter().map(|(a, b)| (a.map(|n| n % 3), b.map(|n| n % 16 / 5))).collect::<Vec<_>>();
            let mut sorted = lemmas(&few);
            let given = sorted.clone();
            prop_assert!(sort(&mut sorted, 3, &|_, _| true));
            let numbers = Numbers::new(8, 255);
            let key = |lemma: &Lemma| (numbers.number(lemma.position), -lemma.window, lemma.pit);
            prop_assert!(sorted.is_sorted_by_key(key));
            let mut expected = given.clone();
            expected.sort_by_key(key);
            prop_assert_eq!(&sorted, &expected);
            expected.dedup_by_key(|lemma| lemma.position);
            let mut tidied = given.clone();
            prop_assert!(tidy(&mut tidied, &|_, _| true));
            prop_assert_eq!(&tidied, &expected);
            let index = Index::new(&tidied, &|_, _| true).unwrap();
            let searched = Index { lemmas: &tidied, places: Vec::new() };
            for lemma in &tidied {
                prop_assert_eq!(index.window(lemma.position), Some(lemma.window));
                prop_assert_eq!(searched.window(lemma.position), Some(lemma.window));
            }
            let stray = Position::new(Row::from_pits(&[9]), Row::from_pits(&[9]));
            prop_assert_eq!((index.window(stray), searched.window(stray)), (None, None));
        }
    }

    #[test]
    fn long_work_is_cut_into_short_pieces() {
        let mut many: Vec<Lemma> = (0..300_000u64)
            .map(|n| {
                let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let (mover, opponent) = (mixed & 0x0707_0707_0707, mixed >> 8 & 0x0707_0707_0707);
                Lemma {
                    position: Position::new(Row::from_bits(mover), Row::from_bits(opponent)),
                    window: Margin(0),
                    pit: 1,
                }
            })
            .collect();
        let asked = Cell::new(0);
        let going = |_: u64, _: u64| asked.replace(asked.get() + 1) < u32::MAX;
        assert!(tidy(&mut many.clone(), &going));
        assert!(asked.get() > 25, "{} questions for 300,000 lemmas", asked.get());
        asked.set(0);
        let stop = |_: u64, _: u64| asked.replace(asked.get() + 1) < 10;
        assert!(!tidy(&mut many, &stop));
        assert_eq!(asked.get(), 11);
        assert!(Index::new(&many, &|_, _| false).is_none());
    }
}
