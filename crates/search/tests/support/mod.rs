//! Plain minimax and small exact oracles: what the search is compared with.
#![allow(dead_code, clippy::unwrap_used)]

use kalah_index::Layer;
use kalah_rules::{Game, Margin, Next, Position, Row, RuleSet, SowingGame};
use kalah_search::Oracle;
use proptest::prelude::*;
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

/// Full minimax without windows, remembering every position.
pub(crate) struct Minimax {
    game: Game,
    memory: HashMap<Position, i16>,
}

impl Minimax {
    pub(crate) fn new(game: Game) -> Minimax {
        Minimax { game, memory: HashMap::new() }
    }

    pub(crate) fn value(&mut self, position: Position) -> i16 {
        if let Some(value) = self.game.over(position) {
            return value.0;
        }
        if let Some(&value) = self.memory.get(&position) {
            return value;
        }
        let mut best = i16::MIN;
        for pit in self.game.legal(position) {
            let sown = self.game.sow(position, pit);
            let value = match (self.game.final_margin(&sown), sown.next) {
                (Some(value), _) => value.0,
                (None, Next::Again) => sown.gain().0 + self.value(sown.position),
                (None, _) => sown.gain().0 - self.value(sown.position),
            };
            best = best.max(value);
        }
        self.memory.insert(position, best);
        best
    }
}

/// Knows every position with fewer seeds than its reach.
pub(crate) struct Known {
    reach: u32,
    values: HashMap<Position, i16>,
}

impl Known {
    pub(crate) fn new(game: Game, reach: u32) -> Known {
        let mut minimax = Minimax::new(game);
        for layer in (0..reach).map(|seeds| Layer::new(game.pits(), seeds).unwrap()) {
            for (mover, opponent) in (0..layer.positions()).map(|rank| layer.unrank(rank)) {
                minimax.value(Position::new(Row::from_bits(mover), Row::from_bits(opponent)));
            }
        }
        Known { reach, values: minimax.memory }
    }
}

impl Oracle for Known {
    fn value(&self, position: Position, seeds: u32) -> Option<Margin> {
        assert!(seeds == position.seeds() && seeds < self.reach, "the oracle was asked beyond its reach");
        self.values.get(&position).map(|&value| Margin(value))
    }

    fn reach(&self) -> u32 {
        self.reach
    }
}

/// Boards of `pits` pits a side with at most `seeds` seeds.
pub(crate) fn positions(pits: u8, seeds: u32) -> impl Strategy<Value = Position> {
    let cells = 2 * usize::from(pits);
    proptest::collection::vec(0..cells, 1..=seeds as usize).prop_map(move |places| {
        let mut board = vec![0; cells];
        places.into_iter().for_each(|place| board[place] += 1);
        Position::new(Row::from_pits(&board[..usize::from(pits)]), Row::from_pits(&board[usize::from(pits)..]))
    })
}
