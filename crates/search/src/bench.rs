//! A fixed set of searches whose nodes, added up, are a fingerprint of the search's behaviour.

use crate::{Goal, Limits, NoOracle, Options, Search, SearchError, Stats};
use kalah_rules::{Margin, RuleSet, State};

/// One search of the set: a start, and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchSearch {
    /// Name of the rule set.
    pub rules: &'static str,
    /// Pits a side.
    pub pits: u8,
    /// Seeds a pit.
    pub seeds: u32,
    /// The first player's margin.
    pub value: Margin,
}

/// The set. Small enough for a minute, large enough to show a change of order or of the table.
pub const BENCH: [BenchSearch; 7] = [
    BenchSearch { rules: "kalah", pits: 3, seeds: 4, value: Margin(2) },
    BenchSearch { rules: "kalah", pits: 4, seeds: 3, value: Margin(6) },
    BenchSearch { rules: "kalah-empty", pits: 4, seeds: 3, value: Margin(8) },
    BenchSearch { rules: "kalah", pits: 5, seeds: 2, value: Margin(2) },
    BenchSearch { rules: "kalah-empty", pits: 5, seeds: 3, value: Margin(8) },
    BenchSearch { rules: "kalah", pits: 6, seeds: 2, value: Margin(6) },
    BenchSearch { rules: "kalah-empty", pits: 6, seeds: 3, value: Margin(2) },
];

impl BenchSearch {
    /// Searches on one thread without an oracle and with a table of 64 MiB: the same work every time, on every machine.
    /// Returns the value that was found and the work.
    ///
    /// # Errors
    /// If memory is short.
    pub fn run(&self) -> Result<(Option<Margin>, Stats), SearchError> {
        let unfit = SearchError::Seeds { found: 2 * u32::from(self.pits) * self.seeds };
        let rules: RuleSet = self.rules.parse().map_err(|_| unfit)?;
        let start = State::start(self.pits, self.seeds).map_err(|_| unfit)?.position();
        let game = rules.game(self.pits).map_err(|_| unfit)?;
        let options = Options { table_bytes: 64 << 20, threads: 1 };
        let answer =
            Search::new(game, &NoOracle, start.seeds(), options)?.solve(start, Goal::Value, None, Limits::default())?;
        Ok((answer.bounds.exact(), answer.stats))
    }
}
