//! What can be wrong with a position, a move or the name of a rule set.

use crate::{MAX_PITS, MAX_SEEDS, RuleSet};
use thiserror::Error;

/// A position or start that cannot be read, with the place of the fault.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("bad position: {reason}")]
pub struct PositionError {
    /// The character at which the fault was noticed, counted from 0; the length of the text if something is missing.
    pub at: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl PositionError {
    pub(crate) fn new(at: usize, reason: impl Into<String>) -> PositionError {
        PositionError { at, reason: reason.into() }
    }

    pub(crate) fn pits(found: u64, at: usize) -> PositionError {
        PositionError::new(at, format!("a board has 1 to {MAX_PITS} pits a side, found {found}"))
    }

    pub(crate) fn too_many_seeds(found: u64, at: usize) -> PositionError {
        PositionError::new(at, format!("a board holds at most {MAX_SEEDS} seeds in its pits, found {found}"))
    }

    /// The way out, in one sentence.
    pub fn help(&self) -> &'static str {
        "Write a board as <pits,store South,store North,South's pits…,North's pits…>, each row in its owner's sowing order, \
         for example '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>', with ' N' behind it if North is to move; or a start as 'start:6x4'."
    }
}

/// A move that cannot be played, or text that is no move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text is neither a pit number nor pit numbers joined by dashes.
    #[error("bad move '{text}': expected a pit number such as 3, or a whole turn such as 3-6")]
    Syntax {
        /// What was found.
        text: String,
    },
    /// There is no such pit.
    #[error("there is no pit {pit}: this board has pits 1 to {pits}, counted in the mover's own sowing order")]
    NoSuchPit {
        /// The number that was asked for.
        pit: u8,
        /// Pits a side.
        pits: u8,
    },
    /// The pit has nothing to sow, or the rules forbid the move.
    #[error("pit {pit} cannot be played: legal pits are {legal}")]
    Illegal {
        /// The number that was asked for.
        pit: u8,
        /// The pits that can be played, separated by commas.
        legal: String,
    },
    /// No move is left.
    #[error("no move can be played: the game is over")]
    Over,
    /// A turn goes on after the turn had passed to the other player.
    #[error("the turn passes after pit {pit}, so the moves behind it are not part of the same turn")]
    TurnPassed {
        /// The pit after which the other player is to move.
        pit: u8,
    },
}

/// A rule set name that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleSetError {
    /// The part before the first `+` is no rule set.
    #[error("there is no rule set with the name '{found}'; choose one of {}", RuleSet::PRESETS.map(|(name, _)| name).join(", "))]
    UnknownName {
        /// What was found.
        found: String,
    },
    /// The rule set has no such option.
    #[error("the rule set {name} has no option '+{found}'; all options are {}", RuleSet::OPTIONS.map(|(name, _)| name).join(", "))]
    UnknownOption {
        /// What was found, without the plus sign.
        found: String,
        /// The preset in front of it.
        name: String,
    },
    /// The option has no such choice.
    #[error("'{found}' is no choice of the rule option '+{option}='; choose from {choices}")]
    UnknownChoice {
        /// The option's name.
        option: &'static str,
        /// What was found.
        found: String,
        /// The choices, separated by commas.
        choices: String,
    },
    /// The same option is given twice.
    #[error("the rule option '{option}' is given twice; keep one")]
    Repeated {
        /// The option's name.
        option: &'static str,
    },
}
