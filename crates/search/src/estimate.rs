//! Estimates of positions beyond the layers, learnt from the layers. An estimate proves nothing.
//!
//! The estimate is a sum over the pits; what a pit adds depends on how many seeds are in it. These numbers are chosen to come
//! close to the values of positions that random play leads to. They are found by the four basic operations in a fixed order,
//! so they are the same on every machine.

use crate::Oracle;
use kalah_rules::{Next, Position, SowingGame};

/// Estimates are counted in this part of a seed.
pub(crate) const PARTS: i32 = 16;

/// Random games to learn from.
const GAMES: u32 = 10_000;

/// Rounds of improving all numbers one after another; more change little.
const ROUNDS: u32 = 12;

/// Pits with more seeds count as if they had so many.
const MOST: usize = 23;

/// A number that was met this often is believed half, so that rare ones do not mislead.
const DOUBT: f64 = 10.0;

/// Estimates of the positions of one board.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    base: i32,
    /// The number each pit adds, by its seeds: the mover's pits, then the opponent's.
    pits: Vec<[i16; MOST + 1]>,
}

impl Estimate {
    /// The estimate that calls everything even.
    pub(crate) fn even() -> Estimate {
        Estimate { base: 0, pits: Vec::new() }
    }

    /// Learns from the values of the positions where random games from `start` first come within the oracle's reach. `None` if
    /// `going`, which is asked after every game, says that there is no time for it.
    pub(crate) fn learn<G: SowingGame, O: Oracle + ?Sized>(
        game: G,
        oracle: &O,
        start: Position,
        going: &dyn Fn() -> bool,
    ) -> Option<Estimate> {
        let pits = game.pits();
        let mut random = Random(0);
        let mut samples = Vec::with_capacity(GAMES as usize);
        for _ in 0..GAMES {
            samples.extend(play(game, oracle, start, &mut random));
            if !going() {
                return None;
            }
        }
        // What is left to explain of every sample's value, and the numbers that explain the rest.
        let mut left: Vec<f64> = samples.iter().map(|&(_, value)| f64::from(value)).collect();
        let (mut base, mut numbers) = (0.0, vec![[0.0; MOST + 1]; 2 * usize::from(pits)]);
        for _ in 0..ROUNDS {
            if !going() {
                return None;
            }
            let mean = left.iter().sum::<f64>() / (left.len() as f64 + DOUBT);
            base += mean;
            left.iter_mut().for_each(|rest| *rest -= mean);
            for (pit, numbers) in numbers.iter_mut().enumerate() {
                let mut sums = [(0.0, DOUBT); MOST + 1];
                for (&(position, _), rest) in samples.iter().zip(&left) {
                    let sum = &mut sums[seeds_in(position, pits, pit)];
                    *sum = (sum.0 + rest, sum.1 + 1.0);
                }
                let steps = sums.map(|(sum, count)| sum / count);
                for (&(position, _), rest) in samples.iter().zip(&mut left) {
                    *rest -= steps[seeds_in(position, pits, pit)];
                }
                numbers.iter_mut().zip(steps).for_each(|(number, step)| *number += step);
            }
        }
        let parts = |number: f64| (number * f64::from(PARTS)) as i16;
        Some(Estimate { base: i32::from(parts(base)), pits: numbers.into_iter().map(|row| row.map(parts)).collect() })
    }

    /// The estimated value of a position for its mover, in parts of a seed.
    #[inline]
    pub(crate) fn of(&self, position: Position) -> i32 {
        let pits = (self.pits.len() / 2) as u8;
        let added = |(pit, row): (usize, &[i16; MOST + 1])| i32::from(row[seeds_in(position, pits, pit)]);
        self.base + self.pits.iter().enumerate().map(added).sum::<i32>()
    }
}

/// The seeds that count in a pit: the mover's pits come first, then the opponent's.
#[inline]
fn seeds_in(position: Position, pits: u8, pit: usize) -> usize {
    let own = usize::from(pits);
    let bits =
        if pit < own { position.mover.bits() >> (8 * pit) } else { position.opponent.bits() >> (8 * (pit - own)) };
    usize::from(bits as u8).min(MOST)
}

/// Where a random game first comes within the oracle's reach, and the value there for its mover; `None` if it ends before.
fn play<G: SowingGame, O: Oracle + ?Sized>(
    game: G,
    oracle: &O,
    mut position: Position,
    random: &mut Random,
) -> Option<(Position, i16)> {
    loop {
        let seeds = position.seeds();
        if seeds < oracle.reach() {
            return oracle.value(position, seeds).map(|value| (position, value.0));
        }
        let legal = game.legal(position);
        let pit = legal.into_iter().nth(random.below(legal.count()))?;
        let sown = game.sow(position, pit);
        if sown.next == Next::Over {
            return None;
        }
        position = sown.position;
    }
}

/// Random numbers that are the same every time: Steele, Lea and Flood's SplitMix.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word >> 33) as usize) % count.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::{Margin, Row, RuleSet};

    /// Knows what no game is worth: a value for every pit by its seeds, all added up.
    struct Additive;

    fn additive(position: Position) -> i16 {
        let row = |row: Row, sign: i16| -> i16 {
            (1..=6).map(|pit| sign * (i16::from(pit) + [0, 9, -4, 2][usize::from(row.pit(pit)) % 4])).sum()
        };
        row(position.mover, 1) + row(position.opponent, -1) + 3
    }

    impl Oracle for Additive {
        fn value(&self, position: Position, _seeds: u32) -> Option<Margin> {
            Some(Margin(additive(position)))
        }

        fn reach(&self) -> u32 {
            30
        }
    }

    #[test]
    fn what_adds_up_is_learnt_nearly_exactly_and_always_the_same() {
        let game = RuleSet::default().game(6).unwrap();
        let start = Position::new(Row::from_pits(&[4; 6]), Row::from_pits(&[4; 6]));
        let learn = || Estimate::learn(game, &Additive, start, &|| true).unwrap();
        let (estimate, again) = (learn(), learn());
        let mut random = Random(7);
        let mut error = 0.0;
        let games = std::iter::from_fn(|| Some(play(game, &Additive, start, &mut random)));
        for (position, value) in games.flatten().take(1000) {
            assert_eq!(value, additive(position));
            assert_eq!(estimate.of(position), again.of(position));
            let miss = f64::from(estimate.of(position)) / f64::from(PARTS) - f64::from(value);
            error += miss * miss;
        }
        let deviation = (error / 1000.0).sqrt();
        assert!(deviation < 1.5, "off by {deviation} on average, where values differ by a dozen");
    }

    #[test]
    fn learning_stops_after_the_game_at_hand() {
        let game = RuleSet::default().game(6).unwrap();
        let start = Position::new(Row::from_pits(&[6; 6]), Row::from_pits(&[6; 6]));
        let asked = std::cell::Cell::new(0);
        let going = || {
            asked.set(asked.get() + 1);
            asked.get() < 10
        };
        assert!(Estimate::learn(game, &Additive, start, &going).is_none());
        assert_eq!(asked.get(), 10);
    }

    #[test]
    fn where_nothing_can_be_learnt_all_is_even() {
        let game = RuleSet::default().game(3).unwrap();
        let start = Position::new(Row::from_pits(&[2; 3]), Row::from_pits(&[2; 3]));
        assert_eq!(Estimate::learn(game, &crate::NoOracle, start, &|| true).unwrap().of(start), 0);
        assert_eq!(Estimate::even().of(start), 0);
    }
}
