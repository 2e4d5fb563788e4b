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
    /// The rule set, such as kalah, kalah-empty, awari or dakon, with options behind it such as +leftover=none or
    /// +pie. 'kalah rules' explains them all. Without it: kalah, or Kalah's four rule sets for 'kalah atlas', which takes
    /// several with commas between them.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) rules: Option<String>,
    /// The directory of solved layers. Without it: the environment variable KALAH_DATABASE, else solver-db/layers of the
    /// working copy one is in, else the platform's directory for data.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) database: Option<PathBuf>,
    /// How many threads to use. Without it: as many as the machine has.
    #[arg(long, global = true, value_name = "N", value_parser = units::between::<u16>(1, 1024))]
    pub(crate) threads: Option<u16>,
    /// Print results and errors as JSON, one object per line.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print plain ASCII, as where the locale has no UTF-8.
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
    /// Stop after this time, for example 90s or 10m, and print the bounds proved so far (exit code 5).
    #[arg(long, value_name = "TIME", value_parser = units::parse_time)]
    pub(crate) time: Option<std::time::Duration>,
    /// Stop after this many positions searched and print the bounds proved so far (exit code 5).
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u64>)]
    pub(crate) nodes: Option<u64>,
    /// The size of the search table, for example 2GiB. Without it: by the seeds on the board, 256 MiB and more, at most a third of
    /// the free memory.
    #[arg(long, value_name = "BYTES", value_parser = units::parse_size)]
    pub(crate) table: Option<u64>,
}
