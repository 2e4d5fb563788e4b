//! The plainest possible solver: it plays every move of every position it meets, each position once.

use kalah_rules::{Margin, Next, Position, RuleSet, SowingGame, State};
use std::collections::HashMap;

/// Values of positions under one game, for the player to move.
///
/// It knows nothing but [`SowingGame`], and terminates only for games whose positions do not repeat.
pub struct Minimax<G> {
    game: G,
    known: HashMap<Position, Margin>,
}

impl<G: SowingGame> Minimax<G> {
    /// A solver that has seen no position yet.
    pub fn new(game: G) -> Self {
        Minimax { game, known: HashMap::new() }
    }

    /// The margin, for the mover, from here to the end under perfect play.
    pub fn value(&mut self, position: Position) -> Margin {
        if let Some(over) = self.game.over(position) {
            return over;
        }
        if let Some(&value) = self.known.get(&position) {
            return value;
        }
        let moves = self.game.legal(position).map(|pit| self.move_value(position, pit));
        let value = moves.max().expect("a position that is not over has a legal move");
        self.known.insert(position, value);
        value
    }

    /// The margin, for the mover, when they play the legal `pit` and both play perfectly from then on.
    pub fn move_value(&mut self, position: Position, pit: u8) -> Margin {
        let sown = self.game.sow(position, pit);
        match sown.next {
            Next::Over => self.game.final_margin(&sown).expect("a finished game has a final margin"),
            Next::Again => sown.gain() + self.value(sown.position),
            Next::Pass => sown.gain() - self.value(sown.position),
        }
    }

    /// The legal pits whose value is the position's value, from pit 1 up.
    pub fn best_pits(&mut self, position: Position) -> Vec<u8> {
        let value = self.value(position);
        self.game.legal(position).filter(|&pit| self.move_value(position, pit) == value).collect()
    }

    /// The value of every whole turn from here, for the mover.
    pub fn turn_values(&mut self, position: Position) -> Vec<(Vec<u8>, Margin)> {
        let mut turns = Vec::new();
        for pit in self.game.legal(position) {
            let sown = self.game.sow(position, pit);
            if sown.next == Next::Again {
                for (turn, value) in self.turn_values(sown.position) {
                    turns.push(([vec![pit], turn].concat(), sown.gain() + value));
                }
            } else {
                turns.push((vec![pit], self.move_value(position, pit)));
            }
        }
        turns
    }

    /// Every position that has been valued so far and was not over, with its value.
    pub fn into_values(self) -> HashMap<Position, Margin> {
        self.known
    }
}

/// The value of a start for the first player, with the pie rule if the rule set has it.
///
/// # Panics
///
/// If there is no such start, or no such board under the rule set.
pub fn start_value(rules: &RuleSet, pits: u8, seeds: u32) -> Margin {
    let start = State::start(pits, seeds).expect("a start").position();
    let mut minimax = Minimax::new(rules.game(pits).expect("a board"));
    if rules.pie {
        // After any complete first turn the second player takes the better side.
        let turns = minimax.turn_values(start).into_iter();
        turns.map(|(_, value)| Margin(-value.0.abs())).max().expect("a start has a move")
    } else {
        minimax.value(start)
    }
}
