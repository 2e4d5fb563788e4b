//! `kalah perft`: how many lines of play there are.

use crate::board::start;
use crate::failure::{Failure, Outcome};
use crate::global::Global;
use crate::output::Output;
use crate::table::table;
use crate::units;
use clap::Args;
use kalah::hash_text;
use kalah_rules::{RuleSet, State, divide, divide_turns, perft, perft_turns, turn_text};
use serde::Serialize;
use std::time::Instant;

/// Count all lines of play from a start to a given depth. Two programs that play the same game count the same.
///
/// Games that end earlier do not count.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  kalah perft 6 4 7\n  kalah perft 6 4 3 --turns --divide")]
pub(crate) struct Arguments {
    /// Pits on each side, 1 to 8.
    #[arg(value_parser = units::parse_number::<u8>)]
    pits: u8,
    /// Seeds in every pit.
    #[arg(value_parser = units::parse_number::<u32>)]
    seeds: u32,
    /// Depth in moves. An extra move counts as a move.
    #[arg(value_parser = units::between::<u32>(0, 100))]
    depth: u32,
    /// Count whole turns instead of moves.
    #[arg(long)]
    turns: bool,
    /// Show the count of every first move, or of every first turn.
    #[arg(long)]
    divide: bool,
}

/// The counts as JSON.
#[derive(Serialize)]
struct Counted {
    rules: RuleSet,
    rules_hash: String,
    position: State,
    depth: u32,
    turns: bool,
    count: u64,
    divide: Option<Vec<Share>>,
    seconds: f64,
    version: &'static str,
}

#[derive(Serialize)]
struct Share {
    #[serde(rename = "move")]
    text: String,
    count: u64,
}

/// Counts and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let start = start(arguments.pits, arguments.seeds)?;
    let game = rules.game(arguments.pits)?;
    let (position, depth) = (start.position(), arguments.depth);
    let clock = Instant::now();
    let shares: Option<Vec<(String, u64)>> = (arguments.divide && depth > 0).then(|| {
        if arguments.turns {
            divide_turns(&game, position, depth).into_iter().map(|(turn, count)| (turn_text(&turn), count)).collect()
        } else {
            divide(&game, position, depth).into_iter().map(|(pit, count)| (pit.to_string(), count)).collect()
        }
    });
    let count = match &shares {
        Some(shares) => shares.iter().map(|(_, count)| count).sum(),
        None if arguments.turns => perft_turns(&game, position, depth),
        None => perft(&game, position, depth),
    };
    let seconds = clock.elapsed().as_secs_f64();
    if output.json {
        output.object(&Counted {
            rules,
            rules_hash: hash_text(&rules),
            position: start,
            depth,
            turns: arguments.turns,
            count,
            divide: shares.map(|shares| shares.into_iter().map(|(text, count)| Share { text, count }).collect()),
            seconds,
            version: kalah::VERSION,
        })?;
        return Ok(Outcome::Answered);
    }
    if let Some(shares) = shares {
        let head = if arguments.turns { "turn" } else { "move" };
        let rows = shares.into_iter().map(|(text, count)| vec![text, units::count(count)]);
        output.text(table(&[head, "lines"], &[1], rows))?;
    }
    let (one, many) = if arguments.turns { ("turn", "turns") } else { ("move", "moves") };
    let unit = units::plural(u64::from(depth), one, many);
    let (pits, seeds) = (arguments.pits, arguments.seeds);
    output.text(format!(
        "start:{pits}x{seeds}, rules {rules}: {} lines of play of {unit}, counted in {}.",
        units::count(count),
        units::time(seconds)
    ))?;
    Ok(Outcome::Answered)
}
