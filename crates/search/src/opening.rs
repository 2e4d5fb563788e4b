//! Winning first turns of Dakon: one turn of relays and extra moves after which the opponent cannot fill a pit any more.
//!
//! Dakon-n has n pits a side with n seeds each. Its boards go beyond those that the engine solves, so this search has a board
//! of its own. The rules are those of `dakon`.

use kalah_rules::{DakonRules, LastSeed, relay};
use std::borrow::Cow;
use std::collections::HashSet;

/// A first turn of Dakon-n. It wins if it brings at least [`seeds_to_win`] seeds into the store: the opponent is left with n at
/// most, and loses the match without a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The pits, counted from 1 towards the store, in the order in which they are sown.
    pub turn: Vec<u8>,
    /// Seeds in the store at the end.
    pub store: u32,
    /// How often seeds were lifted and sown.
    pub laps: u32,
    /// Seeds left in the pits of the player who sowed.
    pub own_left: u32,
    /// Seeds left in the opponent's pits.
    pub opponent_left: u32,
    /// Whether the last seed fell into the store, so that the player may go on.
    pub again: bool,
}

/// Seeds in the store with which a first turn of Dakon-n wins: 2·n² − n.
pub fn seeds_to_win(pits: u8) -> u32 {
    let n = u32::from(pits);
    (2 * n * n).saturating_sub(n)
}

/// Why a line is not a first turn of Dakon-n.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// There is no such board.
    #[error("there is no Dakon-{pits}: a board has 1 to {MAX_OPENING_PITS} pits a side, found {pits}")]
    Board {
        /// Pits a side.
        pits: u8,
    },
    /// A pit that is not there, or is empty.
    #[error("move {at} cannot be played: pit {pit} {}", if *.empty { "is empty" } else { "is not on the board" })]
    Pit {
        /// Which move, counted from 1.
        at: usize,
        /// The pit.
        pit: u8,
        /// Pits a side.
        pits: u8,
        /// Whether the pit exists and is empty.
        empty: bool,
    },
    /// Moves follow after the end of the turn.
    #[error("the turn is over after move {after} of {moves}")]
    Over {
        /// The last move of the turn, counted from 1.
        after: usize,
        /// Moves given.
        moves: usize,
    },
}

impl OpeningError {
    /// The way out.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            OpeningError::Board { .. } => format!("Choose 1 to {MAX_OPENING_PITS} pits a side.").into(),
            OpeningError::Pit { pits, .. } => {
                format!("Choose a pit from 1 to {pits} that holds seeds, counted towards the player's store.").into()
            }
            OpeningError::Over { after, .. } => format!("Give only the first {after} moves.").into(),
        }
    }
}

/// What a search for a winning first turn came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSearch {
    /// There is one; the number of boards looked at.
    Found(Opening, u64),
    /// There is none: every board that a first turn can reach was looked at, so many.
    Impossible(u64),
    /// The limit of boards, or the wish to stop, came first.
    Undecided(u64),
}

/// The most pits a side: more would not fit the board's counters.
pub const MAX_OPENING_PITS: u8 = 64;

/// Plays a line as a first turn of Dakon with `pits` pits a side and as many seeds in each: pits counted from 1 towards the
/// store. The turn may stop where it could go on.
///
/// ```
/// let opening = kalah_search::replay_opening(3, &[1, 2])?;
/// assert_eq!((opening.store, opening.laps, opening.again), (4, 5, true));
/// # Ok::<(), kalah_search::OpeningError>(())
/// ```
///
/// # Errors
/// If there is no such board or the line is not one turn on it.
pub fn replay_opening(pits: u8, turn: &[u8]) -> Result<Opening, OpeningError> {
    let mut board = Board::start(pits).ok_or(OpeningError::Board { pits })?;
    let mut again = true;
    for (at, &pit) in turn.iter().enumerate() {
        if !again {
            return Err(OpeningError::Over { after: at, moves: turn.len() });
        }
        let exists = (1..=pits).contains(&pit);
        if !exists || board.in_pits[usize::from(pit) - 1] == 0 {
            return Err(OpeningError::Pit { at: at + 1, pit, pits, empty: exists });
        }
        again = board.sow(usize::from(pit) - 1);
    }
    Ok(board.after(turn.to_vec(), again))
}

/// Looks for a winning first turn of Dakon with `pits` pits a side and as many seeds in each, looking at `limit` boards at
/// most, and as long as `going` does not answer `false`. Always finds the same. `None` if `pits` is not 1 to
/// [`MAX_OPENING_PITS`].
///
/// ```
/// use kalah_search::{OpeningSearch, winning_opening};
/// assert!(matches!(winning_opening(3, 1000, &|| true), Some(OpeningSearch::Impossible(_))));
/// let Some(OpeningSearch::Found(opening, _)) = winning_opening(4, 1000, &|| true) else { panic!("Dakon-4 has one") };
/// assert!(opening.store >= 28);
/// ```
pub fn winning_opening(pits: u8, limit: u64, going: &dyn Fn() -> bool) -> Option<OpeningSearch> {
    let start = Board::start(pits)?;
    let mut looked_at = 0;
    // Most tries find an opening soon or are lost in a hopeless part of the tree: better to begin again in another order.
    for round in 0u64.. {
        if !going() {
            break;
        }
        let budget = (20_000 * (1 + round / 8)).min(limit - looked_at);
        let mut search = Try {
            goal: seeds_to_win(pits),
            left: budget,
            going,
            seen: HashSet::new(),
            shuffle: round + 1,
            turn: Vec::new(),
            stopped: false,
        };
        let found = search.from(&start);
        looked_at += budget - search.left;
        if let Some((end, again)) = found {
            return Some(OpeningSearch::Found(end.after(search.turn, again), looked_at));
        }
        if search.left > 0 && !search.stopped {
            return Some(OpeningSearch::Impossible(looked_at));
        }
        if search.stopped || looked_at >= limit {
            break;
        }
    }
    Some(OpeningSearch::Undecided(looked_at))
}

/// A board as the player sees it who makes the first turn. It is sown by the rules of `dakon` ([`relay`]).
#[derive(Clone)]
struct Board {
    /// The player's pits towards the store, then the opponent's.
    in_pits: Vec<u16>,
    store: u32,
    laps: u32,
}

impl relay::Board for Board {
    fn pits(&self) -> u8 {
        (self.in_pits.len() / 2) as u8
    }

    fn lap(&mut self, from: LastSeed) -> LastSeed {
        self.laps += 1;
        let pits = self.in_pits.len() / 2;
        // The seats round the board, the store after the own pits.
        let mut seat = match from {
            LastSeed::Own(pit) => usize::from(pit) - 1,
            LastSeed::Store => pits,
            LastSeed::Opponent(pit) => pits + usize::from(pit),
        };
        for _ in 0..self.place(from).map_or(0, std::mem::take) {
            seat = if seat == 2 * pits { 0 } else { seat + 1 };
            match seat {
                store if store == pits => self.store += 1,
                own if own < pits => self.in_pits[own] += 1,
                other => self.in_pits[other - 1] += 1,
            }
        }
        match seat {
            store if store == pits => LastSeed::Store,
            own if own < pits => LastSeed::Own(own as u8 + 1),
            other => LastSeed::Opponent((other - pits) as u8),
        }
    }

    fn held(&self, pit: LastSeed) -> u32 {
        let pits = self.in_pits.len() / 2;
        u32::from(match pit {
            LastSeed::Own(pit) => self.in_pits[usize::from(pit) - 1],
            LastSeed::Opponent(pit) => self.in_pits[pits + usize::from(pit) - 1],
            LastSeed::Store => 0,
        })
    }

    fn take(&mut self, pit: LastSeed) -> u32 {
        let taken = u32::from(self.place(pit).map_or(0, std::mem::take));
        self.store += taken;
        taken
    }
}

impl Board {
    /// The seeds of a pit.
    fn place(&mut self, pit: LastSeed) -> Option<&mut u16> {
        let pits = self.in_pits.len() / 2;
        match pit {
            LastSeed::Own(pit) => self.in_pits.get_mut(usize::from(pit) - 1),
            LastSeed::Opponent(pit) => self.in_pits.get_mut(pits + usize::from(pit) - 1),
            LastSeed::Store => None,
        }
    }

    fn start(pits: u8) -> Option<Board> {
        let row = || vec![u16::from(pits); 2 * usize::from(pits)];
        (1..=MAX_OPENING_PITS).contains(&pits).then(|| Board { in_pits: row(), store: 0, laps: 0 })
    }

    /// The turn that led from the start to this board.
    fn after(&self, turn: Vec<u8>, again: bool) -> Opening {
        let (own, opponent) = self.in_pits.split_at(self.in_pits.len() / 2);
        let sum = |row: &[u16]| row.iter().map(|&seeds| u32::from(seeds)).sum();
        Opening { turn, store: self.store, laps: self.laps, own_left: sum(own), opponent_left: sum(opponent), again }
    }

    /// Sows a pit, counted from 0, and captures. Whether the last seed fell into the store.
    fn sow(&mut self, pit: usize) -> bool {
        let last = relay::sow(self, pit as u8 + 1);
        relay::capture(self, &DakonRules::default(), last);
        last == LastSeed::Store
    }
}

/// One try in one order of moves.
struct Try<'a> {
    goal: u32,
    /// Boards that may still be looked at.
    left: u64,
    going: &'a dyn Fn() -> bool,
    /// Whether `going` asked to stop.
    stopped: bool,
    /// Boards from which the goal is not reached. What is in the store follows from what is not.
    seen: HashSet<Vec<u16>>,
    shuffle: u64,
    turn: Vec<u8>,
}

impl Try<'_> {
    /// The end of a winning turn that goes on from this board, whose further moves are then in `turn`, and whether it may go on
    /// even further.
    fn from(&mut self, board: &Board) -> Option<(Board, bool)> {
        self.stopped |= self.left.is_multiple_of(1024) && !(self.going)();
        if self.stopped || self.left == 0 || !self.seen.insert(board.in_pits.clone()) {
            return None;
        }
        self.left -= 1;
        let pits = board.in_pits.len() / 2;
        let mut further = Vec::new();
        for pit in (0..pits).filter(|&pit| board.in_pits[pit] > 0) {
            let mut after = board.clone();
            let again = after.sow(pit);
            if after.store >= self.goal {
                self.turn.push(pit as u8 + 1);
                return Some((after, again));
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
            let Some(OpeningSearch::Found(opening, _)) = winning_opening(pits, 1_000_000, &|| true) else {
                panic!("Dakon-{pits}")
            };
            assert_eq!(replay_opening(pits, &opening.turn), Ok(opening.clone()));
            let game = rules.game(pits).unwrap();
            let played = State::start(pits, u32::from(pits)).unwrap().play_turn(&game, &opening.turn).unwrap();
            // The count is of the store at the end of the last sow; a round that is over then adds its leftovers.
            let left = if played.next == Next::Over { u32::from(pits) } else { 0 };
            let store = played.state.store(Side::South);
            assert!(opening.store <= store && store <= opening.store + left, "Dakon-{pits}: {opening:?}");
            let n = u32::from(pits);
            assert!(opening.store >= 2 * n * n - n && seeds_to_win(pits) == 2 * n * n - n);
            assert_eq!(opening.store + opening.own_left + opening.opponent_left, 2 * n * n);
        }
    }

    #[test]
    fn dakon_3_has_none_and_all_others_up_to_18_have_one() {
        assert!(matches!(winning_opening(3, 1_000_000, &|| true), Some(OpeningSearch::Impossible(_))));
        for pits in (4..=18).filter(|&pits| pits != 3) {
            let found = winning_opening(pits, 10_000_000, &|| true);
            assert!(matches!(found, Some(OpeningSearch::Found(..))), "Dakon-{pits}");
            assert_eq!(found, winning_opening(pits, 10_000_000, &|| true));
        }
        assert!(matches!(winning_opening(12, 100, &|| true), Some(OpeningSearch::Undecided(100))));
        assert_eq!((winning_opening(0, 1, &|| true), winning_opening(65, 1, &|| true)), (None, None));
    }

    #[test]
    fn a_wish_to_stop_is_no_answer() {
        assert_eq!(winning_opening(12, u64::MAX, &|| false), Some(OpeningSearch::Undecided(0)));
        assert_eq!(winning_opening(3, u64::MAX, &|| false), Some(OpeningSearch::Undecided(0)));
        let left = std::cell::Cell::new(3);
        let found = winning_opening(18, u64::MAX, &|| left.replace(left.get() - 1) > 0);
        assert!(matches!(found, Some(OpeningSearch::Undecided(boards)) if boards > 0), "{found:?}");
    }

    #[test]
    fn lines_that_are_no_turns_are_told() {
        for (pits, turn, told) in [
            (0, &[1][..], "there is no Dakon-0"),
            (65, &[1], "1 to 64 pits a side, found 65"),
            (7, &[8], "move 1 cannot be played: pit 8 is not on the board"),
            (7, &[1, 0], "move 2 cannot be played: pit 0 is not on the board"),
            (7, &[1, 1], "move 2 cannot be played: pit 1 is empty"),
            (3, &[2, 1], "the turn is over after move 1 of 2"),
        ] {
            let error = replay_opening(pits, turn).unwrap_err();
            assert!(error.to_string().contains(told) && error.help().ends_with('.'), "{error}");
        }
        let none = replay_opening(7, &[]).unwrap();
        assert_eq!((none.store, none.laps, none.own_left, none.opponent_left, none.again), (0, 0, 49, 49, true));
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
