//! `kalah work`: solves a part of the sub-problems of a work list.

use crate::failure::{Failure, Kind, Outcome};
use crate::global::{Global, SearchLimits};
use crate::output::{Output, note};
use crate::question;
use crate::search::{self, Shown};
use crate::{stop, units, work_file};
use clap::Args;
use kalah::database::{Journal, JournalError};
use kalah::split::{Evidence, RESULTS_TITLE, Task, TaskResult, WorkList, merge, read_results};
use kalah::{Limits, Progress};
use kalah_rules::{Margin, Position};
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time between two moments at which results are safe from a power cut.
const SYNC: Duration = Duration::from_secs(1);

/// Solve some of the sub-problems of a work list that 'kalah solve PITS SEEDS --split K' printed.
///
/// Each result is written to a file as soon as it is known. Sub-problems that the file answers already are skipped, so you
/// can stop the command and resume it. The rules are those of the list.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah work work.jsonl\n  \
    kalah work work.jsonl --take 3/16 --threads 1 --table 1GiB --time 4h\n\n\
    The exit code is 5 if the command was stopped, the time was over, or the disk is full; the same\n\
    command resumes. 'kalah merge' combines the results.")]
pub(crate) struct Arguments {
    /// Work list.
    list: PathBuf,
    /// Solve the sub-problems with the numbers K, K+N, K+2N and so on.
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = parse_take)]
    take: Take,
    /// File of results [default: the list's name followed by '.K-of-N.results'].
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Stop after this time, e.g. 90s or 10m (exit code 5). The sub-problem in progress is lost.
    #[arg(long, value_name = "TIME", value_parser = units::parse_time)]
    time: Option<Duration>,
    /// Size of the search table, e.g. 2GiB [default: depends on the board, at most a third of the free memory].
    #[arg(long, value_name = "BYTES", value_parser = units::parse_size)]
    table: Option<u64>,
}

/// Every `of`-th sub-problem, beginning with number `part`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Take {
    part: u64,
    of: u64,
}

/// Reads `3/16`.
fn parse_take(text: &str) -> Result<Take, String> {
    let numbers = text.split_once('/').map(|(part, of)| (units::parse_number(part), units::parse_number(of)));
    match numbers {
        Some((Ok(part), Ok(of))) if part >= 1 && part <= of => Ok(Take { part, of }),
        _ => Err("expected K/N with K from 1 to N, such as 3/16".to_owned()),
    }
}

/// The work of one run, as JSON.
#[derive(Serialize)]
struct Report {
    list: String,
    output: String,
    take: String,
    /// Sub-problems of this part.
    sub_problems: usize,
    /// How many of them have a result now.
    answered: usize,
    /// How many had one before.
    before: usize,
    nodes: u64,
    seconds: f64,
    version: &'static str,
}

/// Solves what is left of one part.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let clock = Instant::now();
    let name = work_file::name(&arguments.list);
    let list = work_file::list(&arguments.list)?;
    check_rules(global, &list, &name)?;
    let Take { part, of } = arguments.take;
    let own: Vec<Task> = list.tasks().iter().filter(|task| task.id % of == part % of).copied().collect();
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.{part}-of-{of}.results")));
    let (mut journal, done) = open_results(&path, &name, &list)?;
    let left: Vec<Task> =
        own.iter().filter(|task| !done.contains(&(task.state.position(), task.window))).copied().collect();

    stop::listen();
    let limits = SearchLimits { time: arguments.time, nodes: None, table: arguments.table };
    let options = search::options(global, limits, list.root().position().seeds());
    let directory = global.directory();
    let solver = question::open(&directory, list.rules(), list.root().pits(), options, false)?;
    if list.layers() > solver.layers() {
        note(format!(
            "the list expects layers up to {} seeds, {} has {}: the results are the same, but take longer",
            list.layers().unwrap_or_default(),
            directory.path.display(),
            solver.layers().map_or_else(|| "none".to_owned(), |seeds| format!("those up to {seeds}")),
        ));
    }

    let (shown, answered) = (Shown::new(), AtomicUsize::new(0));
    let report = |progress: &Progress| {
        let number = answered.load(Relaxed);
        if let Some(task) = left.get(number) {
            shown.show(|| format!("{} of {}, {}", number + 1, left.len(), line(task, progress)));
        }
    };
    let limits = Limits { time: limits.time, stop: Some(stop::flag()), report: Some(&report), ..Limits::default() };
    let (mut fault, mut nodes, mut synced) = (None, 0, Instant::now());
    let complete = solver.prove_each(&left, &limits, |result| match keep(&mut journal, &result, &mut synced) {
        Ok(()) => {
            answered.fetch_add(1, Relaxed);
            nodes += result.nodes;
            ControlFlow::Continue(())
        }
        Err(error) => {
            fault = Some(error);
            ControlFlow::Break(())
        }
    });
    drop(shown);
    if let Some(error) = fault {
        return Err(work_file::journal(&path, &error));
    }
    journal.sync().map_err(|error| work_file::journal(&path, &error))?;
    let complete = complete?;

    let before = own.len() - left.len();
    let told = Report {
        list: name,
        output: work_file::name(&path),
        take: format!("{part}/{of}"),
        sub_problems: own.len(),
        answered: before + answered.into_inner(),
        before,
        nodes,
        seconds: clock.elapsed().as_secs_f64(),
        version: kalah::VERSION,
    };
    if output.json {
        output.object(&told)?;
    } else {
        output.text(told.text())?;
    }
    Ok(if complete { Outcome::Answered } else { Outcome::Limit })
}

impl Report {
    fn text(&self) -> String {
        let before =
            if self.before > 0 { format!(" ({} before)", units::count(self.before as u64)) } else { String::new() };
        format!(
            "part {}: {} of {} answered{before}, {} searched, {}; results in {}",
            self.take,
            units::count(self.answered as u64),
            units::plural(self.sub_problems as u64, "sub-problem", "sub-problems"),
            units::plural(self.nodes, "position", "positions"),
            units::time(self.seconds),
            self.output
        )
    }
}

/// Refuses rules on the command line that are not the list's.
fn check_rules(global: &Global, list: &WorkList, name: &str) -> Result<(), Failure> {
    let rules = global.rules()?;
    if global.rules.is_none() || rules == list.rules() {
        return Ok(());
    }
    let message = format!("{name} is for the rules {}, --rules asks for {rules}", list.rules());
    Err(Failure::new(Kind::Usage, message, "Leave --rules out: the list says the rules."))
}

/// Opens the file of results and says which questions it answers.
fn open_results(
    path: &Path,
    list_name: &str,
    list: &WorkList,
) -> Result<(Journal, HashSet<(Position, Margin)>), Failure> {
    let opened = Journal::open(path, RESULTS_TITLE);
    let (journal, lines) = opened.map_err(|error| match error {
        JournalError::Locked { .. } => {
            let help = "Wait for it, take another part with --take, or name another file with --output.";
            Failure::new(Kind::List, error.to_string(), help)
        }
        error => work_file::journal(path, &error),
    })?;
    let evidence = read_results(&lines, &work_file::name(path))?;
    // Results of another list, or that exclude each other, are refused before more are added to them.
    merge(&[(list_name.to_owned(), list.clone())], &evidence)?;
    let done = evidence.iter().map(|Evidence { result, .. }| (result.state.position(), result.window)).collect();
    Ok((journal, done))
}

/// Adds one result to the file, in one piece.
fn keep(journal: &mut Journal, result: &TaskResult, synced: &mut Instant) -> Result<(), JournalError> {
    journal.append(&result.to_line())?;
    if synced.elapsed() >= SYNC {
        journal.sync()?;
        *synced = Instant::now();
    }
    Ok(())
}

/// The question in progress, and how far its search is.
fn line(task: &Task, progress: &Progress) -> String {
    format!(
        "sub-problem {}, testing whether {} is worth {} or more; {} positions searched, {}",
        task.id,
        task.state,
        task.window,
        units::short(progress.stats.nodes),
        units::time(progress.elapsed.as_secs_f64())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read() {
        assert_eq!(parse_take("3/16"), Ok(Take { part: 3, of: 16 }));
        assert_eq!(parse_take("1/1"), Ok(Take { part: 1, of: 1 }));
        for text in ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b"] {
            assert!(parse_take(text).is_err(), "{text}");
        }
    }
}
