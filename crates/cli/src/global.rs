//! What every command understands, and how far a search may go: options that commands share.

use crate::directory::Directory;
use crate::failure::Failure;
use crate::units;
use clap::Args;
use kalah_rules::RuleSet;
use std::path::PathBuf;

/// Options of every command.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// Rule set with optional modifiers, e.g. kalah, awari or kalah-empty+leftover=none [default: kalah].
    /// 'kalah rules' explains every rule set. 'kalah atlas' takes several, separated by commas.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) rules: Option<String>,
    /// Directory of solved layers [default: $KALAH_DATABASE, else solver-db/layers if you are inside a working copy,
    /// else your data directory].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) database: Option<PathBuf>,
    /// Number of threads [default: one per processor].
    #[arg(long, global = true, value_name = "N", value_parser = units::between::<u16>(1, 1024))]
    pub(crate) threads: Option<u16>,
    /// Print results and errors as JSON, one object per line.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Use ASCII characters only [default: only if the locale is not UTF-8].
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
}

impl Global {
    /// The rule set.
    pub(crate) fn rules(&self) -> Result<RuleSet, Failure> {
        Ok(self.rules.as_deref().map_or_else(|| Ok(RuleSet::default()), str::parse)?)
    }

    /// The directory of layers.
    pub(crate) fn directory(&self) -> Directory {
        Directory::find(self.database.as_deref())
    }

    /// How many threads to use.
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// How far a search may go before it has to answer with bounds.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct SearchLimits {
    /// Stop after this time, e.g. 90s or 10m, and print the bounds that are proved (exit code 5).
    #[arg(long, value_name = "TIME", value_parser = units::parse_time)]
    pub(crate) time: Option<std::time::Duration>,
    /// Stop after searching about this many positions and print the bounds that are proved (exit code 5).
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u64>)]
    pub(crate) nodes: Option<u64>,
    /// Size of the search table, e.g. 2GiB [default: depends on the board, at most a third of the free memory].
    #[arg(long, value_name = "BYTES", value_parser = units::parse_size)]
    pub(crate) table: Option<u64>,
}

impl SearchLimits {
    /// What is left of them after work that began at `started`.
    pub(crate) fn left(self, started: std::time::Instant) -> SearchLimits {
        SearchLimits { time: self.time.map(|time| time.saturating_sub(started.elapsed())), ..self }
    }
}
