//! `kalah solve`: the value of a start.

use crate::board;
use crate::command::split;
use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::{Global, SearchLimits};
use crate::output::{Output, note};
use crate::{layers, question, report, search, stop, units};
use clap::Args;
use kalah::{Answer, Checkpoint, Goal, Limits, Options, Preparation, RecordError, Solutions, solution_path};
use kalah_rules::{Margin, RuleSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Solve a start: who wins by how much, what every first move is worth, and a line of perfect play.
///
/// The command first builds the layers of small positions that make the search short, and keeps them in the database
/// directory. A solved start is kept too: the next time it is answered at once, unless you give --again.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah solve 6 4\n  \
    kalah solve 6 4 --rules kalah-empty --json\n  \
    kalah solve 6 5 --layers 24 --table 4GiB --time 1h\n  \
    kalah solve 6 6 --checkpoint kalah66 --every 10m\n  \
    kalah solve 6 5 --split 1000 --layers 24 > work.jsonl\n\n\
    You can stop or kill a search that has a --checkpoint, and resume it with the same command.\n\
    The table shows the position after each move if the screen is wide enough; --json always has it.")]
pub(crate) struct Arguments {
    /// Pits on each side, 1 to 8.
    #[arg(value_parser = units::parse_number::<u8>)]
    pits: u8,
    /// Seeds in every pit.
    #[arg(value_parser = units::parse_number::<u32>)]
    seeds: u32,
    /// Build layers with up to this many seeds first; 0 builds none [default: as many as make the total time shortest].
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u32>)]
    layers: Option<u32>,
    /// Find only the value and a line of perfect play, which is several times faster. The other moves get bounds.
    #[arg(long)]
    value: bool,
    /// Search again, even if the start is solved already.
    #[arg(long)]
    again: bool,
    /// Save the progress of the search in this directory, and resume from what is saved there.
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Time between two checkpoints: a kill loses at most this much work.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = units::parse_time, requires = "checkpoint")]
    every: Duration,
    #[command(flatten)]
    limits: SearchLimits,
    /// Instead of solving, print a work list of about this many sub-problems for 'kalah work' and 'kalah merge'. With
    /// --layers, say how many layers the processes that solve it will have; none are built now.
    #[arg(long, value_name = "K", value_parser = units::between::<u64>(1, u64::MAX))]
    #[arg(conflicts_with_all = ["time", "nodes", "table", "value", "again", "checkpoint"])]
    split: Option<u64>,
    /// With --split: ask whether the value is at least this [default: a guess].
    #[arg(long, value_name = "W", requires = "split", allow_hyphen_values = true, value_parser = units::parse_margin)]
    window: Option<Margin>,
}

/// Builds, searches and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let start = board::start(arguments.pits, arguments.seeds)?;
    let directory = global.directory();
    directory.check()?;
    if let Some(parts) = arguments.split {
        let &Arguments { window, layers, .. } = arguments;
        return split::run(&split::Wanted { rules, start: &start, parts, window, layers }, &directory, output);
    }
    let kept = solution_path(&directory.solutions(), &rules, arguments.pits, arguments.seeds);
    let folders = directory.present_solution_folders();
    if rules.pie && arguments.checkpoint.is_some() {
        let message = "values under the pie rule follow from those without it, which is where a checkpoint belongs";
        return Err(Failure::new(Kind::Usage, message, "Solve the start without '+pie' with this --checkpoint first."));
    }
    if !arguments.again
        && let Some(solutions) = Solutions::of_start(&folders, &rules, arguments.pits, arguments.seeds)?
    {
        let solver = question::open(&directory, rules, arguments.pits, Options::default(), true)?;
        let session = solver.with_solutions(solutions)?.session();
        let answer = search::analyse(&session, &start, arguments.limits, Limits::default())?;
        return finish(&answer, arguments.value, &directory, output);
    }
    let (started, board) = (Instant::now(), start.position().seeds());
    let until = arguments.limits.time.and_then(|time| started.checked_add(time));
    let wanted = Preparation { until, ..Preparation::new(&directory.path, rules, arguments.pits, global.threads()) };
    stop::listen();
    let goal = if arguments.value { Goal::Value } else { Goal::EveryMove };
    layers::prepare(&wanted, arguments.layers, board, goal)?;
    let options = search::options(global, arguments.limits, board);
    let solver = question::open(&directory, rules, arguments.pits, options, true)?;
    let file = arguments.checkpoint.as_ref().map(|path| path.join(checkpoint_name(&rules, arguments)));
    let checkpoint = file.as_ref().map(|path| Checkpoint { path, every: arguments.every });
    if let Some(file) = file.as_ref().filter(|file| file.exists()) {
        note(format!("resuming from {}", file.display()));
    }
    let guess = Solutions::guess(&folders, &rules, arguments.pits, arguments.seeds);
    let unwritten = AtomicBool::new(false);
    let tell = |failed: Option<&RecordError>| {
        unwritten.store(failed.is_some(), Relaxed);
        note(match failed {
            Some(error) => {
                format!("warning: the checkpoint is not written, the search goes on: {error}. {}", error.help())
            }
            None => "the checkpoint is written again".to_owned(),
        });
    };
    let more = Limits { guess, checkpoint, unwritten: Some(&tell), value_only: arguments.value, ..Limits::default() };
    let (answer, record) = search::analyse_and_keep(&solver.session(), &start, arguments.limits.left(started), more)?;
    let outcome = finish(&answer, arguments.value, &directory, output)?;
    if let Some(record) = record {
        match record.save(&kept) {
            Ok(()) => {
                if let Some(file) = file {
                    // It has done its work; if it stays, nothing is wrong.
                    let _ = std::fs::remove_file(file);
                }
            }
            // The answer stands, whether or not it can be kept.
            Err(error) => note(format!("warning: the solution is not kept: {error}. {}", error.help())),
        }
    } else if let Some(file) = file.filter(|file| outcome == Outcome::Limit && !unwritten.into_inner() && file.exists())
    {
        note(format!("what is proved is kept in {}; the same command resumes", file.display()));
    }
    Ok(outcome)
}

/// The file of a start's checkpoint.
fn checkpoint_name(rules: &RuleSet, arguments: &Arguments) -> String {
    format!("{rules}_{}x{}.checkpoint", arguments.pits, arguments.seeds)
}

/// Prints the answer.
fn finish(answer: &Answer, value_only: bool, directory: &Directory, output: &mut Output) -> Result<Outcome, Failure> {
    if output.json {
        note(format!("layers: {}", directory.path.display()));
        output.object(answer)?;
    } else {
        output.text(report::answer(answer, directory))?;
    }
    Ok(search::outcome(answer, value_only))
}
