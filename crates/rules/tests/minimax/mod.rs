//! The plainest possible solver: every position reachable, each looked at once. It knows nothing but [`SowingGame`].

use kalah_rules::{Margin, Next, Position, RuleSet, SowingGame, State};
use std::collections::HashMap;

/// Values of positions under one game, for the player to move.
pub(crate) struct Minimax<G> {
    game: G,
    known: HashMap<Position, Margin>,
}

impl<G: SowingGame> Minimax<G> {
    pub(crate) fn new(game: G) -> Self {
        Minimax { game, known: HashMap::new() }
    }

    /// The margin, for the mover, from here to the end under perfect play.
    pub(crate) fn value(&mut self, position: Position) -> Margin {
        if let Some(over) = self.game.over(position) {
            return over;
        }
        if let Some(&value) = self.known.get(&position) {
            return value;
        }
        let value = self.game.legal(position).map(|pit| self.move_value(position, pit)).max().unwrap();
        self.known.insert(position, value);
        value
    }

    /// The margin, for the mover, when he plays `pit` and both play perfectly from then on.
    pub(crate) fn move_value(&mut self, position: Position, pit: u8) -> Margin {
        let sown = self.game.sow(position, pit);
        match sown.next {
            Next::Over => self.game.final_margin(&sown).unwrap(),
            Next::Again => sown.gain() + self.value(sown.position),
            Next::Pass => sown.gain() - self.value(sown.position),
        }
    }

    /// The value of every whole turn from here, for the mover.
    pub(crate) fn turn_values(&mut self, position: Position) -> Vec<(Vec<u8>, Margin)> {
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
}

/// The value of a start for the first player, with the pie rule if the rule set has it.
pub(crate) fn start_value(rules: &str, pits: u8, seeds: u32) -> i16 {
    let rules: RuleSet = rules.parse().unwrap();
    let start = State::start(pits, seeds).unwrap().position();
    let mut minimax = Minimax::new(rules.game(pits).unwrap());
    if rules.pie {
        // After any complete first turn the second player takes whichever side is better for him.
        minimax.turn_values(start).into_iter().map(|(_, value)| -value.0.abs()).max().unwrap()
    } else {
        minimax.value(start).0
    }
}
