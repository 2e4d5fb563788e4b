//! `kalah fair`: boards near a start from which perfect play ends in a draw.

use crate::board::start;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::table::table;
use crate::{gap, layers, stop, units};
use clap::Args;
use kalah::database::{Access, Database, JournalError};
use kalah::retrograde::stamp;
use kalah::{Goal, Options, SolverError};
use kalah::{Preparation, machine};
use kalah_rules::{Repetition, RuleSet, SowingGame, State};
use kalah_study::atlas::Cell;
use kalah_study::fair::{Board, FairError, Judge, Record, Settled, Verdict, boards, count_boards};
use serde_json::json;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// List the fair boards close to a start: boards that differ from it by a few moved seeds and from which perfect play is a
/// draw. Seeds may be moved into stores too. South moves first.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah fair --pits 6 --seeds 4 --moved 1 --rules kalah-empty\n  \
    kalah fair --pits 6 --seeds 4 --moved 1..2 --budget 2h --layers 24 --csv --every > fair.csv\n\n\
    Every board that is settled is remembered in the database directory, so you can stop a run and\n\
    resume it with the same command. The exit code is 5 while some boards are open.")]
pub(crate) struct Arguments {
    /// Pits on each side, 1 to 8.
    #[arg(long, default_value_t = 6, value_parser = units::parse_number::<u8>)]
    pits: u8,
    /// Seeds in every pit of the start.
    #[arg(long, default_value_t = 4, value_parser = units::parse_number::<u32>)]
    seeds: u32,
    /// How many seeds are moved: a number, or the fewest and the most, e.g. 1..2.
    #[arg(long, value_name = "A..B", default_value = "1", value_parser = units::parse_range::<u32>)]
    moved: RangeInclusive<u32>,
    /// Stop after this time, e.g. 90s, 10m or 2h.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = units::parse_time)]
    budget: Duration,
    /// Build layers with up to this many seeds first; 0 builds none [default: as 'kalah solve' does].
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u32>)]
    layers: Option<u32>,
    /// Size of all search tables together [default: 512 MiB per thread, at most a third of the free memory].
    #[arg(long, value_name = "BYTES", value_parser = units::parse_size)]
    table: Option<u64>,
    /// File that remembers what is settled [default: fair_RULES_PITS_SEEDS.journal in the database directory].
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// With --csv: print every settled board with its verdict, not only the fair ones.
    #[arg(long, requires = "csv")]
    every: bool,
}

/// The most seeds that may be moved: the boards multiply by a hundred with each.
const MOST_MOVED: u32 = 4;

/// Judges and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let until = Instant::now().checked_add(arguments.budget);
    let rules = global.rules()?.for_positions();
    let start = start(arguments.pits, arguments.seeds)?;
    let (fewest, most) = (*arguments.moved.start(), *arguments.moved.end());
    if fewest < 1 || most > MOST_MOVED {
        let message = format!("{fewest} to {most} seeds moved are too few or too many");
        return Err(Failure::new(Kind::Usage, message, format!("Give --moved 1 to {MOST_MOVED} seeds.")));
    }
    let directory = global.directory();
    let usual = || directory.path.join(format!("fair_{rules}_{}_{}.journal", arguments.pits, arguments.seeds));
    let path = arguments.state.clone().unwrap_or_else(usual);
    let settled = Settled::open(&path, &rules, &start)?;
    let wanted = Boards { rules, start, moved: arguments.moved.clone() };
    let earlier = wanted.records(&settled).len() as u64;
    if earlier > 0 {
        let count = units::plural(earlier, "board", "boards");
        note(format!("{count} settled by earlier runs in {}", path.display()));
    }
    stop::listen();
    let settled = Mutex::new(settled);
    if earlier < wanted.count() {
        judge(arguments, global, &wanted, &settled, until)?;
    }
    let settled = settled.into_inner().unwrap_or_else(PoisonError::into_inner);
    let records = wanted.records(&settled);
    show(arguments, &wanted, &records, output)?;
    let left = wanted.count().saturating_sub(records.len() as u64);
    if left == 0 {
        return Ok(Outcome::Answered);
    }
    let count = units::plural(left, "board is", "boards are");
    if stop::requested() {
        note(format!("stopped by hand; {count} open; the same command resumes"));
    } else if until.is_some_and(|until| Instant::now() >= until) {
        note(format!("the time given with --budget is over; {count} open; the same command resumes"));
    } else {
        // Neither a signal nor the time: what the search could not settle.
        note(format!("{count} open: positions of {rules} repeat, so only layers settle every board"));
        if rules.game(start.pits())?.repetition() != Repetition::OwnRows {
            let (pits, all) = (start.pits(), start.seeds());
            note(format!("'kalah build --rules {rules} --pits {pits} --seeds {all}' builds them"));
        }
    }
    Ok(Outcome::Limit)
}

/// The boards that are asked about.
struct Boards {
    rules: RuleSet,
    start: State,
    moved: RangeInclusive<u32>,
}

impl Boards {
    /// How many boards there are.
    fn count(&self) -> u64 {
        count_boards(self.start, self.moved.clone())
    }

    /// What is settled of them.
    fn records<'a>(&self, settled: &'a Settled) -> Vec<&'a Record> {
        let mut records = settled.records();
        records.retain(|record| self.moved.contains(&record.moved));
        records
    }
}

/// Settles what is open, as far as the budget allows.
fn judge(
    arguments: &Arguments,
    global: &Global,
    wanted: &Boards,
    settled: &Mutex<Settled>,
    until: Option<Instant>,
) -> Result<(), Failure> {
    let (rules, directory) = (wanted.rules, global.directory());
    let preparation =
        Preparation { until, ..Preparation::new(&directory.path, rules, arguments.pits, global.threads()) };
    // Whoever wants no layers wants no directory either.
    if arguments.layers != Some(0) {
        let board = wanted.start.position().seeds();
        layers::prepare(&preparation, arguments.layers, board, Goal::EveryMove)?;
    }
    let stamp = stamp(&rules, arguments.pits);
    let database = directory
        .path
        .exists()
        .then(|| Database::open_with(&directory.path, &stamp, Access::Map).map(Arc::new))
        .transpose()
        .map_err(SolverError::from)?;
    database.as_deref().map(gap::warn).transpose()?;
    let free = machine::free_memory();
    let most = if free > 0 { free / 3 } else { u64::MAX };
    // Small boards need little.
    let enough = Cell { rules, pits: arguments.pits, seeds: arguments.seeds }.size() * 16.0;
    let usual = most.min((global.threads() as u64) << 29).min((enough as u64).max(1 << 20));
    let table = arguments.table.unwrap_or(usual);
    let known = || settled.lock().unwrap_or_else(PoisonError::into_inner);
    let open = |known: MutexGuard<'_, Settled>| wanted.count().saturating_sub(wanted.records(&known).len() as u64);
    let progress = Progress::new(open(known()), "boards");
    progress.doing(format!("searching boards under {rules}"));
    let report = |_: &kalah::Progress| progress.add(0);
    let fault: Mutex<Option<FairError>> = Mutex::default();
    let done = |board: &Board, verdict: Verdict, nodes: u64| {
        let record = Record { rules, moved: board.moved, verdict, nodes, state: board.state };
        if let Err(error) = known().add(record) {
            fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        progress.add(1);
    };
    let judge = Judge {
        rules,
        database: database.as_ref(),
        options: Options { table_bytes: usize::try_from(table).unwrap_or(usize::MAX), threads: global.threads() },
        until,
        stop: Some(stop::flag()),
        report: Some(&report),
    };
    let boards = boards(wanted.start, wanted.moved.clone()).filter(|board| known().record(&board.state).is_none());
    judge.judge_all(boards, &done)?;
    if let Some(error) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        note(format!("this run is not remembered: {error}. {}", error.help()));
    }
    Ok(())
}

impl From<FairError> for Failure {
    fn from(error: FairError) -> Failure {
        let full = matches!(error, FairError::Journal(JournalError::DiskFull { .. }));
        Failure::new(if full { Kind::Limit } else { Kind::Database }, error.to_string(), error.help())
    }
}

/// Prints the fair boards and how many boards end how.
fn show(arguments: &Arguments, wanted: &Boards, records: &[&Record], output: &mut Output) -> Result<(), Failure> {
    let fair = || records.iter().filter(|record| record.verdict == Verdict::Fair);
    if arguments.csv {
        output.lines(Record::COLUMNS)?;
        let printed = records.iter().filter(|record| arguments.every || record.verdict == Verdict::Fair);
        return printed.into_iter().try_for_each(|record| output.lines(&record.to_string()));
    }
    if output.json {
        return fair().try_for_each(|record| {
            let position = record.state.to_string();
            output.object(&json!({
                "rules": record.rules.to_string(), "moved": record.moved, "position": position, "value_south": 0,
                "bound": "exact", "nodes": record.nodes,
            }))
        });
    }
    let rows = fair().map(|record| vec![record.moved.to_string(), record.state.to_string()]);
    output.text(table(&["moved", "fair board"], &[0], rows))?;
    for moved in arguments.moved.clone() {
        let count = |verdict: Verdict| {
            let ends = records.iter().filter(|record| record.moved == moved && record.verdict == verdict);
            units::count(ends.count() as u64)
        };
        let settled = records.iter().filter(|record| record.moved == moved).count() as u64;
        output.text(format!(
            "\n{} moved, {}: {} of {} settled, {} fair, South wins {}, North wins {}",
            units::plural(u64::from(moved), "seed", "seeds"),
            wanted.rules,
            units::count(settled),
            units::plural(count_boards(wanted.start, moved..=moved), "board", "boards"),
            count(Verdict::Fair),
            count(Verdict::First),
            count(Verdict::Second)
        ))?;
    }
    Ok(())
}
