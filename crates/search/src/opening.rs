//! Winning first turns of Dakon: one turn of relays and extra moves after which the opponent cannot fill a pit any more.
//!
//! Dakon-n has n pits a side with n seeds each. Its boards go beyond those that the engine solves, so this search has a
//! board of its own; it plays the rules of `dakon`, and the tests replay what it finds by those.

use std::collections::HashSet;

/// A first turn of Dakon-n that brings at least 2·n² − n seeds into the store: the opponent is left with n at most, and loses
/// the match without a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The pits, counted from 1 towards the store, in the order in which they are sown.
    pub turn: Vec<u8>,
    /// Seeds in the store at the end.
    pub store: u32,
    /// How often seeds were lifted and sown.
    pub laps: u32,
}

/// What a search for a winning first turn came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSearch {
    /// There is one; the number of boards looked at.
    Found(Opening, u64),
    /// There is none: every board that a first turn can reach was looked at, so many.
    Impossible(u64),
    /// The limit of boards came first.
    Undecided(u64),
}

/// The most pits a side: more would not fit the board's counters.
pub const MAX_OPENING_PITS: u8 = 64;

/// Looks for a winning first turn of Dakon with `pits` pits a side and as many seeds in each, looking at `limit` boards at
/// most. Always finds the same. `None` if `pits` is not 1 to [`MAX_OPENING_PITS`].
///
/// ```
/// use kalah_search::{OpeningSearch, winning_opening};
/// assert!(matches!(winning_opening(3, 1000), Some(OpeningSearch::Impossible(_))));
/// let Some(OpeningSearch::Found(opening, _)) = winning_opening(4, 1000) else { panic!("Dakon-4 has one") };
/// assert!(opening.store >= 28);
/// ```
pub fn winning_opening(pits: u8, limit: u64) -> Option<OpeningSearch> {
    if !(1..=MAX_OPENING_PITS).contains(&pits) {
        return None;
    }
    let n = usize::from(pits);
    let start = Board { holes: vec![u16::from(pits); 2 * n], store: 0, laps: 0 };
    let mut looked_at = 0;
    // Most tries find an opening soon or are lost in a hopeless part of the tree: better to begin again in another order.
    for round in 0u64.. {
        let budget = (20_000 * (1 + round / 8)).min(limit - looked_at);
        let mut search = Try {
            goal: (2 * n * n - n) as u32,
            left: budget,
            seen: HashSet::new(),
            shuffle: round + 1,
            turn: Vec::new(),
        };
        let found = search.from(&start);
        looked_at += budget - search.left;
        if let Some(end) = found {
            let opening = Opening { turn: search.turn, store: end.store, laps: end.laps };
            return Some(OpeningSearch::Found(opening, looked_at));
        }
        if search.left > 0 {
            return Some(OpeningSearch::Impossible(looked_at));
        }
        if looked_at >= limit {
            break;
        }
    }
    Some(OpeningSearch::Undecided(looked_at))
}

/// A board as the player sees it who makes the first turn.
#[derive(Clone)]
struct Board {
    /// His pits towards his store, then the opponent's.
    holes: Vec<u16>,
    store: u32,
    laps: u32,
}

impl Board {
    /// Sows a pit and relays on. Whether the last seed fell into the store.
    fn sow(&mut self, pit: usize) -> bool {
        let pits = self.holes.len() / 2;
        // The seats round the board, the store behind the own pits.
        let hole = |seat: usize| if seat < pits { seat } else { seat - 1 };
        let mut seat = pit;
        loop {
            self.laps += 1;
            for _ in 0..std::mem::take(&mut self.holes[hole(seat)]) {
                seat = if seat == 2 * pits { 0 } else { seat + 1 };
                match seat {
                    store if store == pits => self.store += 1,
                    seat => self.holes[hole(seat)] += 1,
                }
            }
            if seat == pits {
                return true;
            }
            if self.holes[hole(seat)] == 1 {
                break;
            }
        }
        if seat < pits {
            let facing = 2 * pits - 1 - seat;
            if self.holes[facing] > 0 {
                self.store += u32::from(std::mem::take(&mut self.holes[facing])) + 1;
                self.holes[seat] = 0;
            }
        }
        false
    }
}

/// One try in one order of moves.
struct Try {
    goal: u32,
    /// Boards that may still be looked at.
    left: u64,
    /// Boards from which the goal is not reached. What is in the store follows from what is not.
    seen: HashSet<Vec<u16>>,
    shuffle: u64,
    turn: Vec<u8>,
}

impl Try {
    /// The end of a winning turn that goes on from this board, whose further moves are then in `turn`.
    fn from(&mut self, board: &Board) -> Option<Board> {
        if self.left == 0 || !self.seen.insert(board.holes.clone()) {
            return None;
        }
        self.left -= 1;
        let pits = board.holes.len() / 2;
        let mut further = Vec::new();
        for pit in (0..pits).filter(|&pit| board.holes[pit] > 0) {
            let mut after = board.clone();
            let again = after.sow(pit);
            if after.store >= self.goal {
                self.turn.push(pit as u8 + 1);
                return Some(after);
            }
            if again {
                // Pits near the store first, a little out of order.
                further.push((4 * (pits - pit) as u64 + self.random() % 8, pit, after));
            }
        }
        further.sort_by_key(|&(order, pit, _)| (order, pit));
        for (_, pit, after) in further {
            self.turn.push(pit as u8 + 1);
            if let Some(end) = self.from(&after) {
                return Some(end);
            }
            self.turn.pop();
        }
        None
    }

    /// The next number of a xorshift sequence (Marsaglia, 2003).
    fn random(&mut self) -> u64 {
        self.shuffle ^= self.shuffle << 13;
        self.shuffle ^= self.shuffle >> 7;
        self.shuffle ^= self.shuffle << 17;
        self.shuffle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::{Next, RuleSet, Side, State};

    #[test]
    fn openings_are_turns_by_the_rules() {
        let rules: RuleSet = "dakon".parse().unwrap();
        for pits in [1, 2, 4, 5, 6, 7, 8] {
            let Some(OpeningSearch::Found(opening, _)) = winning_opening(pits, 1_000_000) else {
                panic!("Dakon-{pits}")
            };
            let game = rules.game(pits).unwrap();
            let played = State::start(pits, u32::from(pits)).unwrap().play_turn(&game, &opening.turn).unwrap();
            // The count is of the store at the end of the last sow; a round that is over then adds its leftovers.
            let left = if played.next == Next::Over { u32::from(pits) } else { 0 };
            let store = played.state.store(Side::South);
            assert!(opening.store <= store && store <= opening.store + left, "Dakon-{pits}: {opening:?}");
            let n = u32::from(pits);
            assert!(opening.store >= 2 * n * n - n);
        }
    }

    #[test]
    fn dakon_3_has_none_and_all_others_up_to_18_have_one() {
        assert!(matches!(winning_opening(3, 1_000_000), Some(OpeningSearch::Impossible(_))));
        for pits in (4..=18).filter(|&pits| pits != 3) {
            let found = winning_opening(pits, 10_000_000);
            assert!(matches!(found, Some(OpeningSearch::Found(..))), "Dakon-{pits}");
            assert_eq!(found, winning_opening(pits, 10_000_000));
        }
        assert!(matches!(winning_opening(12, 100), Some(OpeningSearch::Undecided(100))));
        assert_eq!((winning_opening(0, 1), winning_opening(65, 1)), (None, None));
    }

    /// Every first turn of Dakon-3, by the rules themselves.
    #[test]
    fn dakon_3_by_the_rules() {
        fn most(game: &kalah_rules::Game, state: &State) -> u32 {
            let best = (1..=3).filter_map(|pit| state.play(game, pit).ok()).map(|played| match played.next {
                Next::Again => most(game, &played.state),
                _ => played.state.store(Side::South),
            });
            best.max().unwrap_or(0).max(state.store(Side::South))
        }
        let game = "dakon".parse::<RuleSet>().unwrap().game(3).unwrap();
        assert!(most(&game, &State::start(3, 3).unwrap()) < 15);
    }
}
