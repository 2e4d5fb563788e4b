#![doc = include_str!("../README.md")]
//!
//! # Words
//!
//! Pits are numbered 1 to m in their owner's own sowing order: pit m is next to the owner's store, and pit i faces pit m + 1 − i of
//! the other row. A [`Position`] is seen by the player to move and has no stores; a [`State`] is the whole game as two people at
//! a board see it, with stores and sides. After an extra move the same player is to move, so a value of what follows is added;
//! when the turn passes it is subtracted.

mod avalanche;
mod dakon;
mod dakon_match;
mod error;
mod explain;
mod game;
mod kalah;
mod notation;
mod oware;
mod perft;
mod picture;
mod position;
pub mod relay;
mod round_table;
mod row;
mod rule_set;
mod sow_table;
mod state;

pub use avalanche::Avalanche;
pub use dakon::{Dakon, DakonRules, Mikul, RoundEnd, Take};
pub use dakon_match::{Begins, Fills, MatchRules, Round};
pub use error::{MoveError, PositionError, RuleSetError};
pub use explain::{Ending, Explanation, Place, explain, explain_end};
pub use game::{Game, LayerKind, Leftovers, Margin, Next, Pits, Repetition, SowingGame, Sown};
pub use kalah::Kalah;
pub use notation::{POSITION_FORMS, PositionForm, TURN_FORMS, parse_turn, parse_turns, turn_text};
pub use oware::{Oware, OwareRules, Slam};
pub use perft::{divide, divide_turns, perft, perft_turns};
pub use picture::{PictureStyle, picture};
pub use position::Position;
pub use round_table::RoundSowing;
pub use row::Row;
pub use rule_set::{GameEnd, GameRules, KalahRules, Leftover, RuleOption, RuleSet};
pub use sow_table::{LastSeed, Sowing};
pub use state::{Played, Side, State};

/// The most pits a row can have: eight bytes fill one machine word.
pub const MAX_PITS: u8 = 8;

/// The most seeds that may lie in pits together: no sowing can then overflow a byte of a [`Row`].
pub const MAX_SEEDS: u32 = 255;

/// The most seeds a store may hold when a board is read; room to add to it is left.
pub const MAX_STORE: u32 = 1_000_000;
