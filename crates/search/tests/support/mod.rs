//! Rule sets and small exact oracles that the search is tested with.
#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![allow(dead_code, reason = "each test file uses its part")]

use kalah_brute_force::Minimax;
use kalah_index::Layer;
use kalah_rules::{Game, Margin, Position, Row, RuleSet, SowingGame};
use kalah_search::Oracle;
use std::collections::HashMap;

/// Every Kalah preset, and every kind of leftovers once.
pub(crate) const RULES: [&str; 7] = [
    "kalah",
    "kalah-empty",
    "kalah-stuck",
    "kalah-empty-stuck",
    "kalah+leftover=none",
    "kalah-stuck+leftover=out",
    "kalah-empty+leftover=last",
];

pub(crate) fn game(rules: &str, pits: u8) -> Game {
    rules.parse::<RuleSet>().unwrap().game(pits).unwrap()
}

/// Knows every position with fewer seeds than its reach.
pub(crate) struct Known {
    reach: u32,
    values: HashMap<Position, Margin>,
}

impl Known {
    pub(crate) fn new(game: Game, reach: u32) -> Known {
        let mut minimax = Minimax::new(game);
        for layer in (0..reach).map(|seeds| Layer::new(game.pits(), seeds).unwrap()) {
            for (mover, opponent) in (0..layer.positions()).map(|rank| layer.unrank(rank)) {
                minimax.value(Position::new(Row::from_bits(mover), Row::from_bits(opponent)));
            }
        }
        Known { reach, values: minimax.into_values() }
    }
}

impl Oracle for Known {
    fn value(&self, position: Position, seeds: u32) -> Option<Margin> {
        assert!(seeds == position.seeds() && seeds < self.reach, "the oracle was asked beyond its reach");
        self.values.get(&position).copied()
    }

    fn reach(&self) -> u32 {
        self.reach
    }
}
