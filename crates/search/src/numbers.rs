//! How far positions are from being proved: proof and disproof numbers of questions that are still open.
//!
//! A number estimates the work that is left. Numbers only decide where to search next; they prove nothing. So the table may
//! now and then mistake one question for another, may lose any number, and may be read while it is written.

use crate::code::Word;
use crate::estimate::{Estimate, PARTS};
use crate::table::{LINE, Places};
use kalah_rules::Position;
use prefetch_index::prefetch_index;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The estimate has to be wrong by seven seeds for work to be e times as large: the 112th root of e, a part of a seed
/// being a 16th. Written out, so that no library's idea of exp makes a difference.
const ROOT: f64 = 1.008_968_550_017_763;

/// Windows further from the estimate than this, in parts of a seed, count as this far: a factor of e^8.
const STEPS: usize = 896;

/// The work left until a question is answered, in an arbitrary unit.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Effort {
    /// To prove that the window is reached.
    pub(crate) proof: f32,
    /// To prove that it is not.
    pub(crate) disproof: f32,
    /// The work done so far, as in table entries.
    pub(crate) work: u8,
}

impl Effort {
    /// The same for the other player.
    #[inline]
    pub(crate) fn turned(self) -> Effort {
        Effort { proof: self.disproof, disproof: self.proof, work: self.work }
    }
}

/// First numbers of questions that were never searched.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    estimate: Estimate,
    /// The powers of [`ROOT`] from that of `-STEPS` on.
    powers: Vec<f32>,
}

impl Prior {
    pub(crate) fn new(estimate: Estimate) -> Prior {
        let up: Vec<f64> = std::iter::successors(Some(1.0), |power| Some(power * ROOT)).take(STEPS + 1).collect();
        let powers = up[1..].iter().rev().map(|power| 1.0 / power).chain(up.iter().copied()).map(|power| power as f32);
        Prior { estimate, powers: powers.collect() }
    }

    /// The effort of asking whether a position, with `above` seeds more than the oracle knows, reaches `window`.
    #[inline]
    pub(crate) fn of(&self, position: Position, above: u32, window: i16) -> Effort {
        // Between the window and the value below it.
        let steps = PARTS * (i32::from(window) - 1) - self.estimate.of(position);
        let step = (steps + STEPS as i32).clamp(0, 2 * STEPS as i32) as usize;
        let size = (1 + above) as f32;
        Effort { proof: size * self.powers[step], disproof: size * self.powers[2 * STEPS - step], work: 0 }
    }
}

/// The efforts of open questions, each beside the place of its position in the table of proofs. An entry is the mark of its
/// question, its age, the work, and both numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<'m> {
    words: &'m [AtomicU64],
    places: Places,
}

/// Bits of a number: the exponent and the 8 bits after it, as in the upper half of a float.
const NUMBER_BITS: u32 = 16;
const WORK_SHIFT: u32 = 2 * NUMBER_BITS;
const AGE_SHIFT: u32 = WORK_SHIFT + 6;
const MARK_SHIFT: u32 = AGE_SHIFT + 2;

/// Where a question's entry is, and its mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    line: usize,
    mark: u64,
}

impl<'m> Numbers<'m> {
    /// The table in the second line of every bucket.
    pub(crate) fn new(words: &'m [AtomicU64], places: Places) -> Numbers<'m> {
        Numbers { words, places }
    }

    /// The place of the question whether the position with this mixed code reaches `window`.
    #[inline]
    pub(crate) fn place<W: Word>(&self, code: W, window: i16) -> Place {
        let wide = code.wide();
        let word =
            (wide as u64 ^ (wide >> 64) as u64).wrapping_add((window as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
        let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let line = self.places.start(code) + LINE;
        // The low bits of a product depend on few bits of its factors, so the mark takes others.
        Place { line, mark: (word ^ word >> 29) << MARK_SHIFT | 1 << MARK_SHIFT }
    }

    /// Asks for the place's cache line.
    #[inline]
    pub(crate) fn prefetch(&self, place: Place) {
        prefetch_index(self.words, place.line);
    }

    #[inline]
    fn line(&self, place: Place) -> &[AtomicU64] {
        &self.words[place.line..place.line + LINE]
    }

    /// The effort stored there.
    #[inline]
    pub(crate) fn get(&self, place: Place) -> Option<Effort> {
        let word = self
            .line(place)
            .iter()
            .map(|word| word.load(Relaxed))
            .find(|word| (word ^ place.mark) >> MARK_SHIFT == 0)?;
        let number = |shift: u32| f32::from_bits(u32::from((word >> shift) as u16) << 15);
        Some(Effort { proof: number(NUMBER_BITS), disproof: number(0), work: (word >> WORK_SHIFT & 63) as u8 })
    }

    /// Stores the effort there. It replaces the entry that took the least work or has another age.
    #[inline]
    pub(crate) fn set(&self, place: Place, age: u64, effort: Effort) {
        // The sign of a number is always plus; what falls off below is a 256th part.
        let number = |number: f32| u64::from((number.to_bits() >> 15) as u16);
        let packed = number(effort.proof) << NUMBER_BITS | number(effort.disproof);
        let rest = u64::from(effort.work.min(63)) << WORK_SHIFT | (age & 3) << AGE_SHIFT;
        let line = self.line(place);
        let mut victim = &line[0];
        let mut least = u64::MAX;
        for at in line {
            let word = at.load(Relaxed);
            if (word ^ place.mark) >> MARK_SHIFT == 0 {
                victim = at;
                break;
            }
            let worth = if word >> AGE_SHIFT & 3 == age & 3 { 1 + (word >> WORK_SHIFT & 63) } else { 0 };
            if worth < least {
                (least, victim) = (worth, at);
            }
        }
        victim.store(place.mark | rest | packed, Relaxed);
    }

    /// Frees the place of a question that is answered.
    #[inline]
    pub(crate) fn forget(&self, place: Place) {
        for at in self.line(place) {
            if (at.load(Relaxed) ^ place.mark) >> MARK_SHIFT == 0 {
                at.store(0, Relaxed);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::PAIR;
    use kalah_rules::Row;

    fn effort(proof: f32, disproof: f32, work: u8) -> Effort {
        Effort { proof, disproof, work }
    }

    #[test]
    fn what_is_noted_comes_back_until_it_is_forgotten() {
        let words: Vec<AtomicU64> = (0..512 * PAIR).map(|_| AtomicU64::new(0)).collect();
        let numbers = Numbers::new(&words, Places::new(16, 512, PAIR));
        let mut here = 0;
        for code in (0..200u64).map(|code| code * 300) {
            let place = numbers.place(code, -3);
            assert_eq!(numbers.get(place), None);
            numbers.set(place, 1, effort(1.0 + code as f32, 3e30, 63));
            numbers.set(place, 1, effort(1000.0 + code as f32, 0.01, 5));
            let found = numbers.get(place).unwrap();
            assert!((found.proof / (1000.0 + code as f32) - 1.0).abs() < 1.0 / 128.0, "{found:?}");
            assert!((found.disproof / 0.01 - 1.0).abs() < 1.0 / 128.0 && found.work == 5, "{found:?}");
            assert_eq!(numbers.get(numbers.place(code, -1)), None, "another window is another question");
        }
        for code in (0..200u64).map(|code| code * 300) {
            here += usize::from(numbers.get(numbers.place(code, -3)).is_some());
            numbers.forget(numbers.place(code, -3));
        }
        assert!(here > 190, "{here} of 200 in 512 lines");
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
    }

    #[test]
    fn the_least_work_and_older_questions_give_way() {
        let words: Vec<AtomicU64> = (0..PAIR).map(|_| AtomicU64::new(0)).collect();
        let numbers = Numbers::new(&words, Places::new(16, 1, PAIR));
        for code in 0..LINE as u64 {
            numbers.set(numbers.place(code, 0), 1, effort(1.0, 1.0, 10 + code as u8));
        }
        numbers.set(numbers.place(100u64, 0), 1, effort(1.0, 1.0, 1));
        assert_eq!(numbers.get(numbers.place(0u64, 0)), None);
        assert!(numbers.get(numbers.place(1u64, 0)).is_some());
        for code in 200..200 + LINE as u64 {
            numbers.set(numbers.place(code, 0), 2, effort(1.0, 1.0, 1));
        }
        assert_eq!(numbers.get(numbers.place(7u64, 0)), None, "of the question before");
    }

    #[test]
    fn first_numbers_grow_with_the_distance_and_are_fair() {
        let prior = Prior::new(Estimate::even());
        let position = Position::new(Row::from_pits(&[4; 6]), Row::from_pits(&[4; 6]));
        let mut last = 0.0;
        for window in -47..=49 {
            let Effort { proof, disproof, work } = prior.of(position, 24, window);
            assert!(proof > last && disproof > 0.0 && work == 0);
            // What is hard to prove for one is as hard to refute for the other.
            let other = prior.of(position, 24, 2 - window).turned();
            assert_eq!((proof, disproof), (other.proof, other.disproof));
            last = proof;
        }
        let (near, far) = (prior.of(position, 8, 9), prior.of(position, 17, 9));
        assert_eq!(far.proof, 2.0 * near.proof);
        assert!((prior.of(position, 0, 8).proof - 1.0_f32.exp()).abs() < 1e-5);
    }
}
