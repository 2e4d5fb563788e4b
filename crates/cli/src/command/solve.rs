//! `kalah solve`: the value of a start.

use crate::arguments::{Global, SearchLimits};
use crate::failure::{Failure, Kind, Outcome};
use crate::layers::{Wanted, announce};
use crate::output::{Output, note};
use crate::{machine, report, search, stop, units};
use clap::Args;
use kalah::Solver;
use kalah::retrograde::BuildOptions;
use kalah_rules::State;

/// Solve a start: who wins by how much, what every first move is worth, and a line of perfect play. Layers of solved
/// positions that help are built first and kept in the database directory.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah solve 6 4\n  \
    kalah solve 6 4 --rules kalah-empty --json\n  \
    kalah solve 6 5 --layers 24 --table 4GiB --time 1h")]
pub(crate) struct Arguments {
    /// Pits a side, 1 to 8.
    #[arg(value_parser = units::parse_number::<u8>)]
    pits: u8,
    /// Seeds in every pit.
    #[arg(value_parser = units::parse_number::<u32>)]
    seeds: u32,
    /// Build layers with up to this many seeds first. Without it: half of the seeds on the board, as far as building
    /// takes seconds and memory and disk hold them.
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u32>)]
    layers: Option<u32>,
    #[command(flatten)]
    limits: SearchLimits,
}

/// The start with so many pits and seeds. There is no text whose place a fault could have.
pub(crate) fn start(pits: u8, seeds: u32) -> Result<State, Failure> {
    State::start(pits, seeds).map_err(|error| {
        let help = "Give 1 to 8 pits a side and seeds for each of them, for example 6 4.";
        Failure::new(Kind::Position, error.to_string(), help)
    })
}

/// Builds, searches and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let start = start(arguments.pits, arguments.seeds)?;
    let directory = global.directory();
    let layers = arguments.layers.unwrap_or_else(|| {
        // More than memory holds at once would have to be read from disk again and again.
        let room = machine::free_disk(&directory.path).map_or(u64::MAX, |disk| disk / 2);
        kalah::suggested_layers(arguments.pits, arguments.seeds, room.min(machine::free_memory() / 2))
    });
    let wanted = Wanted {
        directory: &directory,
        rules,
        pits: arguments.pits,
        seeds: layers,
        options: BuildOptions { memory: Some(machine::spare_memory()), ..BuildOptions::default() },
        threads: global.threads(),
    };
    stop::listen();
    if wanted.present()? <= layers {
        let costs = wanted.costs()?;
        announce(&wanted, &costs);
        wanted.check(&costs)?;
        let built = wanted.build(&costs)?;
        if built.stopped {
            note("stopped while building layers; what is finished is kept, and the same command goes on from there");
        }
    }
    let options = search::options(global, arguments.limits, start.position().seeds());
    let solver = Solver::open(&directory.path, rules, arguments.pits, options)?;
    let answer = search::analyse(&solver, &start, arguments.limits)?;
    if output.json {
        note(format!("layers: {}", directory.path.display()));
        output.object(&answer)?;
    } else {
        output.text(report::answer(&answer, &directory))?;
    }
    Ok(search::outcome(&answer))
}
