//! The cells of the atlas: starts under rule sets, and which of them is likely to be cheap.

use kalah_index::binomial;
use kalah_rules::{GameRules, Leftover, MAX_PITS, MAX_SEEDS, PositionError, RuleSet, State};
use std::ops::RangeInclusive;

/// One start under one rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Cell {
    /// The rules, without the pie rule: every row says what it would change.
    pub rules: RuleSet,
    /// Pits a side, 1 to 8.
    pub pits: u8,
    /// Seeds in every pit, at least 1.
    pub seeds: u32,
}

impl Cell {
    /// The start, South to move.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn start(&self) -> Result<State, PositionError> {
        State::start(self.pits, self.seeds)
    }

    /// Seeds on the whole board.
    pub fn all_seeds(&self) -> u32 {
        2 * u32::from(self.pits) * self.seeds
    }

    /// How many positions have as many pits and seeds as the start: cells with fewer are tried first. Sixteen digits and
    /// more are rounded.
    pub fn size(&self) -> f64 {
        let (pits, seeds) = (2 * u32::from(self.pits), self.all_seeds());
        match binomial(u64::from(seeds + pits - 1), u64::from(pits - 1)) {
            Some(exact) => exact as f64,
            None => (1..pits).map(|i| f64::from(seeds + i) / f64::from(i)).product(),
        }
    }
}

/// The most seeds a pit that a board with so many pits a side can begin with; 0 pits hold none.
pub fn most_seeds(pits: u8) -> u32 {
    MAX_SEEDS.checked_div(2 * u32::from(pits)).unwrap_or(0)
}

/// All cells of some boards under some rule sets, cheapest first; boards of one size in the order of `rules`. Starts without
/// seeds and starts with more seeds than a board can hold are left out.
///
/// With `leftovers`, a rule set of Kalah brings its relatives along, in which the leftover seeds go to somebody else, or to
/// nobody.
pub fn grid(rules: &[RuleSet], pits: RangeInclusive<u8>, seeds: RangeInclusive<u32>, leftovers: bool) -> Vec<Cell> {
    let relatives = rules.iter().filter(|_| leftovers).flat_map(other_leftovers);
    let mut sets: Vec<RuleSet> = Vec::new();
    for set in rules.iter().copied().chain(relatives) {
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    // Only boards that there are: a range may be as long as it likes.
    let pits = (*pits.start()).max(1)..=(*pits.end()).min(MAX_PITS);
    let boards = pits.flat_map(|pits| {
        let seeds = (*seeds.start()).max(1)..=(*seeds.end()).min(most_seeds(pits));
        seeds.map(move |seeds| (pits, seeds))
    });
    let mut cells: Vec<Cell> =
        boards.flat_map(|(pits, seeds)| sets.iter().map(move |&rules| Cell { rules, pits, seeds })).collect();
    // The sort is stable: the order of the rule sets stays.
    cells.sort_by(|a, b| a.size().total_cmp(&b.size()).then(a.pits.cmp(&b.pits)));
    cells
}

/// The same rules of Kalah with every other owner of the leftover seeds; none for the other games.
fn other_leftovers(rules: &RuleSet) -> Vec<RuleSet> {
    let GameRules::Kalah(kalah) = rules.game else { return Vec::new() };
    [Leftover::Owner, Leftover::Out, Leftover::Last, Leftover::Nobody]
        .into_iter()
        .filter(|&leftover| leftover != kalah.leftover)
        .map(|leftover| RuleSet { game: GameRules::Kalah(kalah_rules::KalahRules { leftover, ..kalah }), ..*rules })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_come_first_and_every_board_once() {
        let rules: Vec<RuleSet> = ["kalah", "kalah-empty", "kalah"].map(|name| name.parse().unwrap()).to_vec();
        let cells = grid(&rules, 1..=8, 0..=12, false);
        assert_eq!(cells.len(), 2 * 8 * 12);
        assert!(cells.windows(2).all(|pair| pair[0].size() <= pair[1].size()));
        assert_eq!((cells[0].pits, cells[0].seeds, cells[0].rules), (1, 1, rules[0]));
        assert_eq!(cells[1].rules, rules[1]);
        // 8 pits hold 15 seeds each, no more; nothing overflows.
        assert_eq!(grid(&rules[..1], 8..=8, 15..=1000, false).len(), 1);
        // Nor does a long range take long.
        assert_eq!(
            grid(&rules[..1], 0..=255, 0..=u32::MAX, false).len(),
            (1..=8).map(most_seeds).sum::<u32>() as usize
        );
    }

    #[test]
    fn the_size_is_the_number_of_positions() {
        let cell = Cell { rules: RuleSet::default(), pits: 6, seeds: 2 };
        assert_eq!(cell.size(), kalah_index::Layer::new(6, 24).unwrap().positions() as f64);
        let large = Cell { rules: RuleSet::default(), pits: 8, seeds: 15 };
        assert!(large.size() > 1e19 && large.size().is_finite());
    }

    #[test]
    fn kalah_brings_its_leftovers_and_the_others_bring_nothing() {
        let rules: Vec<RuleSet> = ["kalah", "awari"].map(|name| name.parse().unwrap()).to_vec();
        let names: Vec<String> = grid(&rules, 2..=2, 1..=1, true).iter().map(|cell| cell.rules.to_string()).collect();
        assert_eq!(names, ["kalah", "awari", "kalah+leftover=out", "kalah+leftover=last", "kalah+leftover=none"]);
    }
}
