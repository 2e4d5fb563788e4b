//! The layers that a command is about: a board and a range of seeds.

use crate::board;
use crate::directory::Directory;
use crate::failure::{Failure, Kind};
use crate::{gap, units};
use clap::Args;
use kalah::database::{Access, Database};
use kalah::retrograde::stamp;
use kalah_rules::RuleSet;
use std::ops::RangeInclusive;

/// A board and a range of seeds.
#[derive(Args, Debug)]
pub(crate) struct Chosen {
    /// Pits on each side, 1 to 8.
    #[arg(long, default_value_t = 6, value_parser = units::parse_number::<u8>)]
    pub(crate) pits: u8,
    /// First layer: the smallest number of seeds in pits.
    #[arg(long, value_name = "SEEDS", default_value_t = 0, value_parser = units::parse_number::<u32>)]
    pub(crate) from: u32,
    /// Last layer: the largest number of seeds in pits [default: the last layer there is].
    #[arg(long, value_parser = units::parse_number::<u32>)]
    pub(crate) seeds: Option<u32>,
}

impl Chosen {
    /// Opens the layers of the board and returns the range that is meant. Every layer of the range exists.
    pub(crate) fn open(
        &self,
        rules: &RuleSet,
        directory: &Directory,
    ) -> Result<(Database, RangeInclusive<u32>), Failure> {
        let pits = board::pits(self.pits)?;
        let database = Database::open_with(&directory.path, &stamp(rules, pits), Access::Map)?;
        gap::warn(&database)?;
        let last = self.seeds.unwrap_or_else(|| database.layers().saturating_sub(1).max(self.from));
        if self.from > last {
            let message = format!("there are no layers from {} to {last} seeds", self.from);
            return Err(Failure::new(Kind::Usage, message, "Give --seeds a number that is not smaller than --from."));
        }
        database.require(last)?;
        Ok((database, self.from..=last))
    }
}

/// Number of positions in some layers of a database.
pub(crate) fn positions(database: &Database, seeds: RangeInclusive<u32>) -> u64 {
    seeds.filter_map(|n| database.layer(n)).map(|file| file.header().positions).sum()
}
