//! Why a solve cannot be split, or its parts cannot be put together.

use kalah_rules::{Margin, PositionError, RuleSet};
use kalah_search::Bounds;
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
    #[error("{rules} has a swap after the first turn, which a split does not know; split the start without +pie")]
    Pie {
        /// The rules.
        rules: RuleSet,
    },
    /// Positions can repeat.
    #[error("under {rules} positions can repeat, so the start cannot be searched in parts; build its layers instead")]
    Cyclic {
        /// The rules.
        rules: RuleSet,
    },
    /// There is nothing to play.
    #[error("the game is over in {root}, its value needs no search; 'kalah query' tells it")]
    Finished {
        /// The root.
        root: String,
    },
    /// Everybody knows the answer.
    #[error(
        "with {seeds} seeds in pits every value is at least -{seeds} and none is above {seeds}, so whether it is {window} or \
         more needs no search; ask for a window above -{seeds} and up to {seeds}"
    )]
    Window {
        /// Seeds in the root's pits.
        seeds: u32,
        /// The window asked for.
        window: Margin,
    },
    /// A line of a list or of results cannot be read.
    #[error("{place}: {fault}; the file is damaged or none of this program's, write it again")]
    Line {
        /// File and line.
        place: String,
        /// What is wrong with it.
        fault: String,
    },
    /// The rules have another hash than the file says.
    #[error(
        "{place}: rules {rules} have the hash {expected} in this program, {found} in the file: it was written under other \
         rules; use the program that wrote it, or split again"
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
    #[error("{first} is about {expected}, {second} about {found}; merge only rounds of one start under one rule set")]
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
    #[error(
        "{place} was proved under rules of hash {found}, {list} is for {rules} of hash {expected}; leave that file out"
    )]
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
    #[error(
        "{place} answers whether {position} is {window} or more, which {lists} does not ask; add the list it belongs to or leave it out"
    )]
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
    #[error(
        "{place} says {bounds} of {position}, which leaves open whether that is {window} or more, as {task} asks; solve it again"
    )]
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
    #[error(
        "{place} says {bounds} of {position} with {seeds} seeds ({task}), which no such position can have; solve it again"
    )]
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
        "{position} is at least {lower} by {lower_from}, but at most {upper} by {upper_from}: one of them is false; solve both again"
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
    /// There is no list.
    #[error("there is no work list among the files; give the list that the results belong to")]
    NoList,
}

impl SplitError {
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
