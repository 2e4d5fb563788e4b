//! A whole game as two people at a board see it: both rows, both stores, and whose turn it is.

use crate::{Game, MAX_PITS, MAX_SEEDS, MoveError, Next, Position, PositionError, Row, SowingGame, turn_text};
use std::fmt;

/// One of the two seats. South moves first from a start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Side {
    /// The first player of a start.
    #[default]
    South,
    /// The other player.
    North,
}

impl Side {
    /// The other seat.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }

    /// `"S"` or `"N"`.
    pub const fn letter(self) -> &'static str {
        match self {
            Side::South => "S",
            Side::North => "N",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::South => "South",
            Side::North => "North",
        })
    }
}

/// Pits, stores and the side to move. Parses from and prints as a board literal, see [`State::from_str`](std::str::FromStr).
///
/// ```
/// use kalah_rules::{RuleSet, Side, State};
/// let state: State = "<3,10,2,1,2,3,4,2,0>".parse()?;
/// let game = RuleSet::default().game(state.pits())?;
/// let played = state.play(&game, 2)?;
/// assert_eq!(played.state.to_string(), "<3,11,2,1,0,4,4,2,0>");
/// assert_eq!(played.state.to_move(), Side::South); // the last seed fell into the store
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pits: u8,
    south: Row,
    north: Row,
    store_south: u32,
    store_north: u32,
    to_move: Side,
}

/// What a checked move led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The board afterwards. When the game is over, leftovers are swept into the stores and pits are empty.
    pub state: State,
    /// Whether the same player moves again, the turn passes, or the game is over.
    pub next: Next,
    /// Seeds that the sow and its capture brought into the mover's store, leftovers not counted.
    pub mover_gain: u8,
}

impl State {
    /// The start with `seeds` seeds in each of `pits` pits a side, South to move.
    ///
    /// # Errors
    /// If `pits` is not 1 to 8 or the pits together hold more than 255 seeds.
    pub fn start(pits: u8, seeds: u32) -> Result<State, PositionError> {
        if !(1..=MAX_PITS).contains(&pits) {
            return Err(PositionError::pits(u64::from(pits)));
        }
        let total = 2 * u64::from(pits) * u64::from(seeds);
        if total > u64::from(MAX_SEEDS) {
            return Err(PositionError::too_many_seeds(total));
        }
        let row = Row::from_pits(&vec![seeds as u8; usize::from(pits)]);
        Ok(State::new(pits, Position::new(row, row)))
    }

    /// The game with empty stores in which South is to move and sees `position`, on a board of `pits` pits a side.
    pub fn new(pits: u8, position: Position) -> State {
        State {
            pits,
            south: position.mover,
            north: position.opponent,
            store_south: 0,
            store_north: 0,
            to_move: Side::South,
        }
    }

    /// The same rows with these seeds in the stores, each at most [`crate::MAX_STORE`].
    #[must_use]
    pub fn with_stores(self, south: u32, north: u32) -> State {
        State { store_south: south, store_north: north, ..self }
    }

    /// The same board with this side to move.
    #[must_use]
    pub fn with_to_move(self, to_move: Side) -> State {
        State { to_move, ..self }
    }

    /// Pits a side, 1 to 8.
    pub fn pits(&self) -> u8 {
        self.pits
    }

    /// Whose turn it is; after the end of the game, whose turn it would be.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The seeds in a side's store.
    pub fn store(&self, side: Side) -> u32 {
        match side {
            Side::South => self.store_south,
            Side::North => self.store_north,
        }
    }

    /// A side's pits.
    pub fn row(&self, side: Side) -> Row {
        match side {
            Side::South => self.south,
            Side::North => self.north,
        }
    }

    /// The pits as the player to move sees them.
    pub fn position(&self) -> Position {
        Position::new(self.row(self.to_move), self.row(self.to_move.other()))
    }

    /// Seeds on the whole board, pits and stores.
    pub fn seeds(&self) -> u32 {
        self.position().seeds() + self.store_south + self.store_north
    }

    /// Plays pit `pit` of the side to move.
    ///
    /// # Errors
    /// If the game is over, or the pit does not exist or is not legal.
    pub fn play(&self, game: &Game, pit: u8) -> Result<Played, MoveError> {
        let position = self.position();
        let legal = game.legal(position);
        if legal.is_empty() {
            return Err(MoveError::Over);
        }
        if !(1..=self.pits).contains(&pit) {
            return Err(MoveError::NoSuchPit { pit, pits: self.pits });
        }
        if !legal.contains(pit) {
            let empty = position.mover.pit(pit) == 0;
            return Err(if empty { MoveError::Empty { pit, legal } } else { MoveError::Starves { pit, legal } });
        }
        let mover = self.to_move;
        let sown = game.sow(position, pit);
        let (mut gain, mut loss) = (u32::from(sown.mover_gain), u32::from(sown.opponent_gain));
        // Who is to move next decides whose view `sown.position` is.
        let (seen_by, rows) = match sown.next {
            Next::Again => (mover, sown.position),
            Next::Pass => (mover.other(), sown.position),
            Next::Over => {
                let leftovers = game.leftovers(sown.position);
                gain += u32::from(leftovers.mover);
                loss += u32::from(leftovers.opponent);
                (mover.other(), Position::default())
            }
        };
        let (south, north) = match seen_by {
            Side::South => (rows.mover, rows.opponent),
            Side::North => (rows.opponent, rows.mover),
        };
        let (south_gain, north_gain) = match mover {
            Side::South => (gain, loss),
            Side::North => (loss, gain),
        };
        let state = State {
            pits: self.pits,
            south,
            north,
            store_south: self.store_south + south_gain,
            store_north: self.store_north + north_gain,
            to_move: seen_by,
        };
        Ok(Played { state, next: sown.next, mover_gain: sown.mover_gain })
    }

    /// Plays the pits of a turn, or the first of them, one after the other. Every move but the last must give an extra move; the
    /// last may leave the mover to move again. The gains of [`Played`] are those of all moves together.
    ///
    /// # Errors
    /// If a move cannot be played ([`State::play`]), if a move follows after the turn has passed, or if `turn` is empty. In a turn
    /// of several moves the error names the move.
    pub fn play_turn(&self, game: &Game, turn: &[u8]) -> Result<Played, MoveError> {
        let mut so_far: Option<Played> = None;
        for (number, &pit) in turn.iter().enumerate() {
            let played = match so_far {
                Some(Played { next: Next::Pass, .. }) => {
                    Err(MoveError::TurnPassed { pit: turn[number - 1], to: self.to_move.other() })
                }
                Some(Played { state, mover_gain, .. }) => state
                    .play(game, pit)
                    .map(|further| Played { mover_gain: mover_gain + further.mover_gain, ..further }),
                None => self.play(game, pit),
            };
            so_far = Some(played.map_err(|error| match turn.len() {
                1 => error,
                _ => MoveError::InTurn { number: number + 1, turn: turn_text(turn), error: Box::new(error) },
            })?);
        }
        so_far.ok_or(MoveError::NoMove)
    }
}
