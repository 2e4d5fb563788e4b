//! What can be wrong with a position, a move or the name of a rule set, and the way out of each.

use crate::{MAX_PITS, MAX_SEEDS, Pits, PositionForm, RuleSet, Side};
use std::borrow::Cow;
use thiserror::Error;

/// A position or start that cannot be read, or a board that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a position{}: {reason}", .form.map_or_else(String::new, |form| format!(" (read as {form})")))]
pub struct PositionError {
    /// The character at which the fault was noticed, counted from 0; the length of the text if something is missing. `None` if
    /// no text was read.
    pub at: Option<usize>,
    /// The form that the text looks like. `None` if it looks like none of them, or if no text was read.
    pub form: Option<PositionForm>,
    /// The fault: expected and found.
    pub reason: String,
}

impl PositionError {
    /// A fault in a text, at a character counted from 0.
    pub(crate) fn at(at: usize, reason: impl Into<String>) -> PositionError {
        PositionError { at: Some(at), form: None, reason: reason.into() }
    }

    /// A board that does not exist.
    pub(crate) fn board(reason: impl Into<String>) -> PositionError {
        PositionError { at: None, form: None, reason: reason.into() }
    }

    pub(crate) fn pits(found: u64) -> PositionError {
        PositionError::board(format!("a board has 1 to {MAX_PITS} pits a side, found {found}"))
    }

    pub(crate) fn too_many_seeds(found: u64) -> PositionError {
        PositionError::board(format!("a board holds at most {MAX_SEEDS} seeds in its pits, found {found}"))
    }

    /// The same fault, found at a character counted from 0.
    pub(crate) fn found_at(self, at: usize) -> PositionError {
        PositionError { at: Some(at), ..self }
    }

    /// The way out: how the form is written that the text looks like.
    pub fn help(&self) -> Cow<'static, str> {
        match (self.form, self.at) {
            (Some(form), _) => Cow::Borrowed(form.help()),
            (None, Some(_)) => Cow::Owned(format!("{} {}", PositionForm::Start.help(), PositionForm::Literal.help())),
            (None, None) => Cow::Owned(format!(
                "Choose a board with 1 to {MAX_PITS} pits a side and at most {MAX_SEEDS} seeds in its pits."
            )),
        }
    }
}

/// A move or turn that cannot be played, or text that is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text is no move and no sequence of moves.
    #[error("not a move: expected a pit number or a letter from A to H, found {found}")]
    Syntax {
        /// The character at which the fault was noticed, counted from 0.
        at: usize,
        /// The text there, quoted.
        found: String,
    },
    /// A turn without a move.
    #[error("not a turn: it has no move")]
    NoMove,
    /// There is no such pit.
    #[error("there is no pit {pit} on a board of {pits} pits a side")]
    NoSuchPit {
        /// The pit of the move.
        pit: u8,
        /// Pits a side.
        pits: u8,
    },
    /// The pit holds no seeds.
    #[error("pit {pit} cannot be played: it is empty")]
    Empty {
        /// The pit of the move.
        pit: u8,
        /// The pits that can be played.
        legal: Pits,
    },
    /// The move would leave the opponent without seeds, and the rules forbid that.
    #[error("pit {pit} cannot be played: the move would leave the opponent without seeds")]
    Starves {
        /// The pit of the move.
        pit: u8,
        /// The pits that can be played.
        legal: Pits,
    },
    /// No move is left.
    #[error("no move can be played: the game is over")]
    Over,
    /// A turn goes on after the turn had passed to the other player.
    #[error("the turn passed to {to} after pit {pit}")]
    TurnPassed {
        /// The pit after which the other player is to move.
        pit: u8,
        /// The other player.
        to: Side,
    },
    /// A move of a turn cannot be played.
    #[error("move {number} of the turn {turn}: {error}")]
    InTurn {
        /// Which move of the turn, counted from 1.
        number: usize,
        /// The whole turn.
        turn: String,
        /// Why it cannot be played.
        error: Box<MoveError>,
    },
}

impl MoveError {
    /// The character of the text at which the fault was noticed, counted from 0, if the text is at fault.
    pub fn at(&self) -> Option<usize> {
        match self {
            MoveError::Syntax { at, .. } => Some(*at),
            MoveError::InTurn { error, .. } => error.at(),
            _ => None,
        }
    }

    /// The way out.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            MoveError::Syntax { .. } | MoveError::NoMove => {
                "Write a pit such as 3 or C, or a turn such as 3-6. Pits are counted from 1 towards the mover's store."
                    .into()
            }
            MoveError::NoSuchPit { pits, .. } => {
                format!("Choose a pit from 1 to {pits}, counted towards the mover's store.").into()
            }
            MoveError::Empty { legal, .. } | MoveError::Starves { legal, .. } => match legal.len() {
                1 => format!("Only pit {legal} can be played.").into(),
                _ => format!("Play one of the pits {legal}.").into(),
            },
            MoveError::Over => "Choose a position in which the player to move has a legal move.".into(),
            MoveError::TurnPassed { to, .. } => {
                format!("End the turn there. {to}'s next turn is a turn of its own, separated by a space.").into()
            }
            MoveError::InTurn { error, .. } => error.help(),
        }
    }
}

/// A rule set name that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleSetError {
    /// The part before the first `+` is no rule set.
    #[error("there is no rule set with the name '{found}'")]
    UnknownName {
        /// The text there.
        found: String,
    },
    /// The rule set has no such option.
    #[error("the rule set {name} has no option '+{found}'")]
    UnknownOption {
        /// The option, without the plus sign.
        found: String,
        /// The preset in front of it.
        name: &'static str,
    },
    /// The option has no such choice.
    #[error("the option '+{option}=' of the rule set {name} has no choice '{found}'")]
    UnknownChoice {
        /// The option's name.
        option: &'static str,
        /// The text there.
        found: String,
        /// The choices, in the order of the documentation.
        choices: Vec<&'static str>,
        /// The preset in front of it.
        name: &'static str,
    },
    /// The same option is given twice.
    #[error("the option '+{option}' is given twice")]
    Repeated {
        /// The option's name.
        option: &'static str,
    },
}

/// `a, b or c`.
fn listed<T: AsRef<str>>(names: &[T], word: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

impl RuleSetError {
    /// The way out: what the rule set does offer.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            RuleSetError::UnknownName { .. } => {
                let names = RuleSet::PRESETS.map(|(name, _)| name);
                format!("Choose one of {}. Options follow with '+', for example kalah+pie.", listed(&names, "or"))
                    .into()
            }
            RuleSetError::UnknownOption { found, name } => {
                let options: Vec<&str> = RuleSet::options(name).map(|option| option.text).collect();
                let key = found.split('=').next().unwrap_or_default();
                let elsewhere: Vec<&str> = RuleSet::PRESETS
                    .into_iter()
                    .map(|(preset, _)| preset)
                    .filter(|preset| RuleSet::options(preset).any(|option| option.key() == key))
                    .collect();
                let hint = match elsewhere.is_empty() || elsewhere.contains(name) {
                    true => String::new(),
                    false => format!(" '+{key}' is an option of {}.", listed(&elsewhere, "and")),
                };
                let word = if options.len() == 1 { "option" } else { "options" };
                format!("The rule set {name} has the {word} {}.{hint}", listed(&options, "and")).into()
            }
            RuleSetError::UnknownChoice { option, choices, .. } => {
                let choices: Vec<String> = choices.iter().map(|choice| format!("+{option}={choice}")).collect();
                format!("Choose one of {}.", listed(&choices, "or")).into()
            }
            RuleSetError::Repeated { .. } => "Keep one of the two.".into(),
        }
    }
}
