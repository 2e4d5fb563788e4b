//! What a search can refuse, and the way out of it.

use kalah_rules::{MAX_SEEDS, Repetition, RuleSet, SowingGame};
use std::borrow::Cow;
use thiserror::Error;

/// A search that cannot be set up or a position it cannot take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// Positions of this game can repeat, so a search proves nothing.
    #[error("under the rules {rules} a position can come again, so a search of moves proves no value")]
    Cyclic {
        /// The rules of the game.
        rules: RuleSet,
        /// Pits a side.
        pits: u8,
        /// Seeds in pits.
        seeds: u32,
    },
    /// The position has more seeds in its pits than the table was made for.
    #[error("the position has {found} seeds in its pits, and this search was set up for {most} at most")]
    TooManySeeds {
        /// Seeds in the position's pits.
        found: u32,
        /// The most the table's keys can tell apart.
        most: u32,
    },
    /// More seeds than a board holds.
    #[error("a board holds {MAX_SEEDS} seeds in its pits at most, found {found}")]
    Seeds {
        /// Seeds asked for.
        found: u32,
    },
    /// The table does not fit into memory.
    #[error("the system has no memory for a table of {bytes} bytes")]
    Memory {
        /// The size asked for.
        bytes: usize,
    },
    /// A proof that no position of the game can have: it was damaged, or belongs to another game.
    #[error("a kept proof cannot be true of any position of this game")]
    Proof,
}

impl SearchError {
    /// The way out, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        match *self {
            SearchError::Cyclic { rules, pits, seeds } if builds(rules, pits) => format!(
                "Look the position up in solved layers, which hold its exact value. \
                 'kalah build --rules {rules} --pits {pits} --seeds {seeds}' builds them."
            )
            .into(),
            SearchError::Cyclic { .. } => "No layers can be built for these rules either: what a repeated position is worth \
                 depends on the moves before it. Choose rules under which a repetition splits the seeds, such as awari or \
                 oware+cycle=split."
                .into(),
            SearchError::TooManySeeds { found, .. } => format!("Set up a search for {found} seeds.").into(),
            SearchError::Seeds { .. } => "Ask for fewer seeds.".into(),
            SearchError::Memory { .. } => "Ask for a smaller table.".into(),
            SearchError::Proof => "The file it comes from is damaged or was made for other rules. Search without it.".into(),
        }
    }
}

/// Whether layers can be built under these rules.
fn builds(rules: RuleSet, pits: u8) -> bool {
    rules.game(pits).is_ok_and(|game| game.repetition() == Repetition::Split)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoOracle, Options, Search};

    #[test]
    fn rules_with_repetitions_say_what_can_be_done() {
        let refused = |name: &str| {
            let game = name.parse::<RuleSet>().unwrap().game(6).unwrap();
            let error = Search::new(game, &NoOracle, 12, Options::default()).map(|_| ()).unwrap_err();
            (error.to_string(), error.help().into_owned())
        };
        let (message, help) = refused("awari");
        assert!(message.contains("rules awari"), "{message}");
        assert!(help.contains("'kalah build --rules awari --pits 6 --seeds 12'"), "{help}");
        let (message, help) = refused("oware");
        assert!(message.contains("rules oware"), "{message}");
        assert!(help.contains("depends on the moves before it") && !help.contains("kalah build"), "{help}");
    }
}
