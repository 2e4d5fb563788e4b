//! `kalah fair`: boards near a start from which perfect play ends in a draw.

use crate::board::start;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::table::table;
use crate::{layers, stop, units};
use clap::Args;
use kalah::database::{Access, Database};
use kalah::retrograde::stamp;
use kalah::{Goal, Options, SolverError};
use kalah::{Preparation, machine};
use kalah_rules::{RuleSet, State};
use kalah_study::fair::{Board, Judge, Record, Verdict, boards};
use serde_json::json;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// List the fair boards close to a start: boards that differ from it by a few moved seeds and from which perfect play is a
/// draw. Seeds may be moved into stores too. South moves first.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah fair --pits 6 --seeds 4 --moved 1 --rules kalah-empty\n  \
    kalah fair --pits 6 --seeds 4 --moved 1..2 --budget 2h --layers 24 --csv > fair.csv\n\n\
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
    /// File that remembers what is settled [default: fair_RULES_PITS_SEEDS.csv in the database directory].
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// The most seeds that may be moved: the boards multiply by a hundred with each.
const MOST_MOVED: u32 = 4;

/// Judges and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?.for_positions();
    let start = start(arguments.pits, arguments.seeds)?;
    let (fewest, most) = (*arguments.moved.start(), *arguments.moved.end());
    if fewest < 1 || most > MOST_MOVED {
        let message = format!("{fewest} to {most} seeds moved are too few or too many");
        return Err(Failure::new(Kind::Usage, message, format!("Give --moved 1 to {MOST_MOVED} seeds.")));
    }
    let wanted = boards(start, fewest..=most);
    let directory = global.directory();
    let usual = || directory.path.join(format!("fair_{rules}_{}_{}.csv", arguments.pits, arguments.seeds));
    let path = arguments.state.clone().unwrap_or_else(usual);
    let file = Settled::open(&path, rules)?;
    let open: Vec<Board> = wanted.iter().copied().filter(|board| !file.known.contains_key(&board.state)).collect();
    if open.len() < wanted.len() {
        let count = units::plural((wanted.len() - open.len()) as u64, "board", "boards");
        note(format!("{count} settled by earlier runs in {}", path.display()));
    }
    stop::listen();
    let until = Instant::now().checked_add(arguments.budget);
    let found = if open.is_empty() { file.known } else { judge(arguments, global, rules, &open, file, until)? };
    show(arguments, rules, &wanted, &found, output)?;
    let left = wanted.iter().filter(|board| !found.contains_key(&board.state)).count();
    if left == 0 {
        return Ok(Outcome::Answered);
    }
    let count = units::plural(left as u64, "board is", "boards are");
    note(format!("{count} open; the same command resumes"));
    Ok(Outcome::Limit)
}

/// Settles what is open, as far as the budget allows; everything that is known then.
fn judge(
    arguments: &Arguments,
    global: &Global,
    rules: RuleSet,
    open: &[Board],
    file: Settled,
    until: Option<Instant>,
) -> Result<HashMap<State, Record>, Failure> {
    let directory = global.directory();
    let wanted = Preparation { until, ..Preparation::new(&directory.path, rules, arguments.pits, global.threads()) };
    // Whoever wants no layers wants no directory either.
    if arguments.layers != Some(0) {
        layers::prepare(&wanted, arguments.layers, 2 * u32::from(arguments.pits) * arguments.seeds, Goal::EveryMove)?;
    }
    let stamp = stamp(&rules, arguments.pits);
    let database = directory
        .path
        .exists()
        .then(|| Database::open_with(&directory.path, &stamp, Access::Map).map(Arc::new))
        .transpose()
        .map_err(SolverError::from)?;
    let free = machine::free_memory();
    let most = if free > 0 { free / 3 } else { u64::MAX };
    let table = arguments.table.unwrap_or_else(|| most.min((global.threads() as u64) << 29));
    let progress = Progress::new(open.len() as u64, "boards");
    progress.doing(format!("fair starts under {rules}"));
    let report = |_: &kalah::Progress| progress.add(0);
    let state = Mutex::new(file);
    let fault: Mutex<Option<io::Error>> = Mutex::default();
    let done = |board: &Board, verdict: Verdict, nodes: u64| {
        let record = Record { rules, moved: board.moved, verdict, nodes, state: board.state };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = state.add(record) {
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
    judge.judge_all(open, &done)?;
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        note(format!("{} cannot be written ({error}), so this run is not remembered", state.path.display()));
    }
    Ok(state.known)
}

/// What is settled, in memory and in a file of one line a board.
struct Settled {
    path: PathBuf,
    file: File,
    known: HashMap<State, Record>,
}

impl Settled {
    /// Reads what earlier runs settled and opens the file for more. A last line without its end, which a killed run may
    /// leave, is cut off.
    fn open(path: &Path, rules: RuleSet) -> Result<Settled, Failure> {
        let fault = |what: String| {
            let message = format!("{}, which remembers what is settled, {what}", path.display());
            Failure::new(Kind::Usage, message, "Choose another file with --state.")
        };
        let io = |error: io::Error| fault(format!("cannot be used: {error}"));
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(io)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        let text = fs::read_to_string(path).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        // Only what a killed run leaves is cut off, not a file of something else.
        if !format!("{}\n", Record::COLUMNS).starts_with(text.split_inclusive('\n').next().unwrap_or_default()) {
            return Err(fault(format!("has a line 1 that is not '{}'", Record::COLUMNS)));
        }
        file.set_len(whole as u64).map_err(io)?;
        if whole == 0 {
            file.write_all(format!("{}\n", Record::COLUMNS).as_bytes()).map_err(io)?;
        }
        let mut known = HashMap::new();
        for (line, text) in text[..whole].lines().enumerate().skip(1) {
            let record: Record = text.parse().map_err(|what| fault(format!("has a line {}: {what}", line + 1)))?;
            if record.rules != rules {
                return Err(fault(format!("has a line {} for {}, not for {rules}", line + 1, record.rules)));
            }
            known.insert(record.state, record);
        }
        Ok(Settled { path: path.to_owned(), file, known })
    }

    fn add(&mut self, record: Record) -> io::Result<()> {
        let written = self.file.write_all(format!("{record}\n").as_bytes());
        self.known.insert(record.state, record);
        written
    }
}

/// Prints the fair boards and how many boards end how.
fn show(
    arguments: &Arguments,
    rules: RuleSet,
    wanted: &[Board],
    found: &HashMap<State, Record>,
    output: &mut Output,
) -> Result<(), Failure> {
    let records = || wanted.iter().filter_map(|board| found.get(&board.state));
    let fair = || records().filter(|record| record.verdict == Verdict::Fair);
    if arguments.csv {
        output.lines(Record::COLUMNS)?;
        return fair().try_for_each(|record| output.lines(&record.to_string()));
    }
    if output.json {
        return fair().try_for_each(|record| {
            let position = record.state.to_string();
            output.object(&json!({
                "rules": rules.to_string(), "moved": record.moved, "position": position, "value_south": 0,
                "bound": "exact", "nodes": record.nodes,
            }))
        });
    }
    let rows = fair().map(|record| vec![record.moved.to_string(), record.state.to_string()]);
    output.text(table(&["moved", "fair board"], &[0], rows))?;
    for moved in arguments.moved.clone() {
        let all = wanted.iter().filter(|board| board.moved == moved).count() as u64;
        let count = |verdict: Verdict| {
            let ends = records().filter(|record| record.moved == moved && record.verdict == verdict);
            units::count(ends.count() as u64)
        };
        let settled = records().filter(|record| record.moved == moved).count() as u64;
        output.text(format!(
            "\n{} moved, {rules}: {} of {} settled, {} fair, South wins {}, North wins {}",
            units::plural(u64::from(moved), "seed", "seeds"),
            units::count(settled),
            units::plural(all, "board", "boards"),
            count(Verdict::Fair),
            count(Verdict::First),
            count(Verdict::Second)
        ))?;
    }
    Ok(())
}
