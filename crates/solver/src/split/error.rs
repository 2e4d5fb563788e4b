//! Why a solve cannot be split, or its parts cannot be put together.

use kalah_rules::{Margin, PositionError, RuleSet};
use kalah_search::Bounds;
use std::borrow::Cow;
use thiserror::Error;

/// Why a solve cannot be split, or its parts cannot be put together.
///
/// Where lists or results are named, the text says file and line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SplitError {
    /// The root is no position of the board.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The swap of `+pie` is a question about whole games.
    #[error("{rules} has a swap after the first turn, which a split does not know")]
    Pie {
        /// The rules.
        rules: RuleSet,
    },
    /// Positions can repeat.
    #[error("under {rules} positions can repeat, so the start cannot be searched in parts")]
    Cyclic {
        /// The rules.
        rules: RuleSet,
    },
    /// There is nothing to play.
    #[error("the game is over in {root}: its value needs no search")]
    Finished {
        /// The root.
        root: String,
    },
    /// Everybody knows the answer.
    #[error(
        "with {seeds} seeds in pits every value lies between -{seeds} and {seeds}, so whether it is {window} or more needs no \
         search: expected a window above -{seeds} and up to {seeds}"
    )]
    Window {
        /// Seeds in the root's pits.
        seeds: u32,
        /// The window asked for.
        window: Margin,
    },
    /// A line of a list or of results cannot be read.
    #[error("{place}: {fault}")]
    Line {
        /// File and line.
        place: String,
        /// What is wrong with it.
        fault: String,
    },
    /// The rules have another hash than the file says.
    #[error(
        "{place}: rules {rules} have the hash {expected} in this program, {found} in the file: it was written under other rules"
    )]
    Rules {
        /// File and line.
        place: String,
        /// The rules' text.
        rules: String,
        /// The hash this program knows.
        expected: String,
        /// The hash in the file.
        found: String,
    },
    /// Two lists are not about the same question.
    #[error("{first} is about {expected}, {second} about {found}")]
    OtherRoot {
        /// A list.
        first: String,
        /// Its rules and root.
        expected: String,
        /// Another list.
        second: String,
        /// Its rules and root.
        found: String,
    },
    /// A result is under other rules than the lists.
    #[error("{place} was proved under rules of hash {found}, {list} is for {rules} of hash {expected}")]
    ResultRules {
        /// The result.
        place: String,
        /// Its hash.
        found: String,
        /// A list.
        list: String,
        /// Its rules.
        rules: RuleSet,
        /// Their hash.
        expected: String,
    },
    /// A result answers a question that nobody asked.
    #[error("{place} answers whether {position} is {window} or more, which {lists} does not ask")]
    NotInList {
        /// The result.
        place: String,
        /// Its position.
        position: String,
        /// Its window.
        window: Margin,
        /// The lists.
        lists: String,
    },
    /// A result leaves its question open.
    #[error("{place} says {bounds} of {position}, which leaves open whether that is {window} or more, as {task} asks")]
    NoAnswer {
        /// The result.
        place: String,
        /// What it says.
        bounds: Bounds,
        /// Its position.
        position: String,
        /// Its window.
        window: Margin,
        /// The sub-problem.
        task: String,
    },
    /// No position of the game could have such bounds.
    #[error("{place} says {bounds} of {position} with {seeds} seeds ({task}), which no such position can have")]
    Impossible {
        /// The result.
        place: String,
        /// What it says.
        bounds: Bounds,
        /// Its position.
        position: String,
        /// Seeds in its pits.
        seeds: u32,
        /// The sub-problem.
        task: String,
    },
    /// Two proofs exclude each other.
    #[error(
        "{position} is at least {lower} by {lower_from}, but at most {upper} by {upper_from}: one of them is false"
    )]
    Contradiction {
        /// The position.
        position: String,
        /// The bound from below.
        lower: Margin,
        /// The result that proves it.
        lower_from: String,
        /// The bound from above.
        upper: Margin,
        /// The result that proves it.
        upper_from: String,
    },
    /// One file answers the same question twice, which this program never writes.
    #[error("{place} answers the same question as {first}")]
    Duplicate {
        /// The second result.
        place: String,
        /// The first one.
        first: String,
    },
    /// There is no list.
    #[error("there is no work list among the files")]
    NoList,
}

impl SplitError {
    /// What to do about it: one or more whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            SplitError::Position(error) => return error.help().to_string().into(),
            SplitError::Pie { .. } => "Split the start without '+pie'; its value with the swap follows from that.",
            SplitError::Cyclic { .. } => "Build the layers of the start instead.",
            SplitError::Finished { .. } => "Ask 'kalah query' for the value.",
            SplitError::Window { .. } => "Choose a window in that range.",
            SplitError::Line { .. } => "Write the file again, or restore a copy.",
            SplitError::Rules { .. } => "Use the program that wrote the file, or split the start again.",
            SplitError::OtherRoot { .. } => "Merge only rounds of one start under one rule set.",
            SplitError::ResultRules { .. } => "Leave that file out.",
            SplitError::NotInList { .. } => "Add the list that the result belongs to, or leave its file out.",
            SplitError::NoAnswer { .. } | SplitError::Impossible { .. } => {
                "Remove the file of that result and solve its sub-problems again."
            }
            SplitError::Contradiction { .. } => "Remove the files of these results and solve their sub-problems again.",
            SplitError::Duplicate { .. } => {
                "Remove one of the two lines, or solve the sub-problems of this file again."
            }
            SplitError::NoList => "Name the list that the results belong to.",
        })
    }

    /// Whether files that can be read exclude each other, rather than that one cannot be read.
    pub fn is_contradiction(&self) -> bool {
        matches!(
            self,
            SplitError::OtherRoot { .. }
                | SplitError::ResultRules { .. }
                | SplitError::NotInList { .. }
                | SplitError::NoAnswer { .. }
                | SplitError::Impossible { .. }
                | SplitError::Contradiction { .. }
        )
    }
}
