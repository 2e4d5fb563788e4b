//! Kalah once more, pit by pit and seed by seed: shares nothing with the engine whose results it checks, and knows one rule
//! that the engine does not, the sowing that skips its origin.

use kalah_rules::{GameEnd, KalahRules};

/// Pits and stores in sowing order seen by one player: their pits, their store, the other player's pits and store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    places: [u8; 18],
    pits: usize,
}

/// Who plays on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// The same player.
    Same,
    /// The other player; the board is turned round for them.
    Other,
}

impl Board {
    /// A start.
    pub(crate) fn start(pits: u8, seeds: u8) -> Board {
        let pits = usize::from(pits);
        let mut places = [0; 18];
        places[..pits].fill(seeds);
        places[pits + 1..=2 * pits].fill(seeds);
        Board { places, pits }
    }

    /// Seeds in the pits of the player to move, pit 1 first.
    pub(crate) fn own(&self) -> &[u8] {
        &self.places[..self.pits]
    }

    /// Seeds in the pits of the other player, their pit 1 first.
    pub(crate) fn other(&self) -> &[u8] {
        &self.places[self.pits + 1..=2 * self.pits]
    }

    /// Seeds in the stores: of the player to move, of the other.
    pub(crate) fn stores(&self) -> [u8; 2] {
        [self.places[self.pits], self.places[2 * self.pits + 1]]
    }

    /// Whether the game is over before the player to move moves.
    pub(crate) fn is_over(&self, rules: KalahRules) -> bool {
        let empty = |row: &[u8]| row.iter().all(|&pit| pit == 0);
        empty(self.own()) || (rules.end == GameEnd::RowEmpty && empty(self.other()))
    }

    /// The same board seen by the other player.
    fn turned(&self) -> Board {
        let half = self.pits + 1;
        let mut places = [0; 18];
        places[..half].copy_from_slice(&self.places[half..2 * half]);
        places[half..2 * half].copy_from_slice(&self.places[..half]);
        Board { places, pits: self.pits }
    }

    /// Sows from pit `index`, counted from 0, which must hold seeds. `skip_origin`: a sowing that goes round leaves out the pit
    /// it began from.
    pub(crate) fn sow(&self, index: usize, rules: KalahRules, skip_origin: bool) -> (Board, Turn) {
        let mut board = *self;
        let (store, end) = (self.pits, 2 * self.pits + 1);
        let mut hand = std::mem::take(&mut board.places[index]);
        let mut at = index;
        while hand > 0 {
            at = (at + 1) % end; // never place `end`, the other player's store
            if skip_origin && at == index {
                continue;
            }
            board.places[at] += 1;
            hand -= 1;
        }
        if at == store {
            return (board, Turn::Same);
        }
        if at < store && board.places[at] == 1 {
            let facing = 2 * self.pits - at;
            if board.places[facing] > 0 || rules.empty_capture {
                board.places[store] += 1 + std::mem::take(&mut board.places[facing]);
                board.places[at] = 0;
            }
        }
        (board.turned(), Turn::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::{Next, RuleSet, Side, SowingGame, State};

    /// Plays every line to `depth` on both and compares all pits and stores.
    fn compare(state: &State, board: &Board, rules: &RuleSet, depth: u32) -> u64 {
        let kalah_rules::GameRules::Kalah(kalah) = rules.game else { panic!("{rules}") };
        let game = rules.game(state.pits()).unwrap();
        let over = game.legal(state.position()).is_empty();
        assert_eq!(board.is_over(kalah), over, "{state} under {rules}");
        let (mover, other) = (state.to_move(), state.to_move().other());
        let row = |side: Side| state.row(side).pits(state.pits()).collect::<Vec<_>>();
        assert_eq!((board.own(), board.other()), (&row(mover)[..], &row(other)[..]), "{state} under {rules}");
        assert_eq!(board.stores().map(u32::from), [state.store(mover), state.store(other)], "{state} under {rules}");
        let mut nodes = 1;
        if depth > 0 {
            for pit in game.legal(state.position()) {
                let played = state.play(&game, pit).unwrap();
                let (next, turn) = board.sow(usize::from(pit) - 1, kalah, false);
                match played.next {
                    Next::Over => assert!(next.is_over(kalah) || turn == Turn::Same, "{state} {pit} under {rules}"),
                    on => {
                        assert_eq!(on == Next::Again, turn == Turn::Same, "{state} {pit} under {rules}");
                        nodes += compare(&played.state, &next, rules, depth - 1);
                    }
                }
            }
        }
        nodes
    }

    #[test]
    fn it_plays_as_the_engine_does() {
        for name in ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"] {
            let rules: RuleSet = name.parse().unwrap();
            for (pits, seeds, depth) in [(1, 9, 20), (2, 7, 14), (3, 5, 9), (6, 4, 5), (4, 14, 6)] {
                let state = State::start(pits, seeds).unwrap();
                assert!(compare(&state, &Board::start(pits, seeds as u8), &rules, depth) > 3, "({pits},{seeds})");
            }
        }
    }

    #[test]
    fn a_skipped_origin_stays_empty() {
        let board = Board { places: [0, 0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], pits: 6 };
        let (after, turn) = board.sow(2, KalahRules::default(), true);
        // Thirteen seeds: pits 4 to 6, the store, six pits, pits 1 and 2, and pit 4 again instead of pit 3.
        assert_eq!((after.other(), turn), (&[1, 1, 0, 2, 1, 1][..], Turn::Other));
        assert_eq!((after.own(), after.stores()), (&[1, 1, 1, 1, 1, 1][..], [0, 1]));
    }
}
