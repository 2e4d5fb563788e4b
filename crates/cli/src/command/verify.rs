//! `kalah verify`: is every file what it says, does every value follow from the rules, is it the same elsewhere?

use crate::board;
use crate::command::list;
use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::{stop, units};
use clap::Args;
use kalah::database::{Access, DatabaseError, Fault, Header, LayerFile, Listed, Stamp, Verification};
use kalah::retrograde::{BuildError, LayerPlan, Observer, ValuesReport, WrongValue, verify_values};
use kalah_rules::{RuleSet, State};
use kalah_study::compare_layers;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Check every file of the database directory: its header, its name, the checksum of every block, and whether every value is
/// possible.
///
/// With --values, every value is also computed again by code that shares nothing with the builder. The exit code is 1 if
/// anything is wrong.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah verify\n  \
    kalah verify --values --sample 1000000\n  \
    kalah verify --database /data/layers --against /backup/layers --json")]
pub(crate) struct Arguments {
    /// Check only boards with this many pits on each side.
    #[arg(long, value_parser = units::parse_number::<u8>)]
    pits: Option<u8>,
    /// Check only layers with at least this many seeds in pits.
    #[arg(long, value_name = "SEEDS", default_value_t = 0, value_parser = units::parse_number::<u32>)]
    from: u32,
    /// Check only layers with at most this many seeds in pits.
    #[arg(long, value_parser = units::parse_number::<u32>)]
    seeds: Option<u32>,
    /// Also play every move of every position and compute its value again from the positions that follow. Of each rule set
    /// and board, the first hundred wrong positions are named.
    #[arg(long)]
    values: bool,
    /// Compute only about this many values of each rule set and board, spread evenly over all layers.
    #[arg(long, value_name = "N", requires = "values", value_parser = units::parse_number::<u64>)]
    sample: Option<u64>,
    /// Also compare every value with the same layer in another directory; the codecs may differ.
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,
}

/// The result for one file, as JSON.
#[derive(Serialize)]
struct Checked {
    file: String,
    sound: bool,
    complete: bool,
    /// Bytes of values that were read: without the file's header.
    bytes_checked: u64,
    faults: Vec<String>,
}

/// What deriving values found in the layers of one rule set and board, as JSON.
#[derive(Serialize)]
struct Derived<'a> {
    rules: &'a str,
    pits: u8,
    from: u32,
    seeds: u32,
    values_checked: u64,
    values_wrong: u64,
    examples: Vec<Wrong>,
}

/// A wrong value, as JSON.
#[derive(Serialize)]
struct Wrong {
    position: State,
    seeds: u32,
    rank: u64,
    stored: i8,
    derived: i16,
}

/// How a file differs from another one, as JSON.
#[derive(Serialize)]
struct Compared {
    file: String,
    against: String,
    positions: u64,
    different: u64,
    first_position: Option<State>,
    first_rank: Option<u64>,
    first_here: Option<i16>,
    first_there: Option<i16>,
}

/// How the parts of a verification ended; the last that applies counts.
#[derive(Default)]
struct Ending {
    wrong: bool,
    stopped: bool,
}

impl Ending {
    fn outcome(&self) -> Outcome {
        match self {
            Ending { wrong: true, .. } => Outcome::Negative,
            Ending { stopped: true, .. } => Outcome::Limit,
            _ => Outcome::Answered,
        }
    }
}

/// Checks file by file, then values, then against the other directory; what follows a fault is left out.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    arguments.pits.map(board::pits).transpose()?;
    let directory = global.directory();
    let mut files = list::files(&directory)?;
    files.retain(|listed| arguments.wants(listed));
    if files.is_empty() {
        let message = format!("there are no such layers in {}", directory.path.display());
        return Err(Failure::new(Kind::Database, message, "'kalah list' shows which there are."));
    }
    stop::listen();
    let mut ending = checksums(&directory, &files, output)?;
    let headers: Vec<&Header> = files.iter().filter_map(|listed| listed.header.as_ref().ok()).collect();
    let more = arguments.values || arguments.against.is_some();
    if more && (ending.wrong || ending.stopped) {
        if ending.wrong {
            note("values are checked only when every file is sound");
        }
        return Ok(ending.outcome());
    }
    if arguments.values {
        for group in headers.chunk_by(|a, b| a.stamp == b.stamp) {
            values(&directory, group, arguments.sample, global, output, &mut ending)?;
        }
    }
    if let Some(other) = &arguments.against
        && !ending.stopped
    {
        against(&files, other, global, output, &mut ending)?;
    }
    Ok(ending.outcome())
}

impl Arguments {
    /// Whether a file is to be checked, by its name. Files with a wrong name always are.
    fn wants(&self, listed: &Listed) -> bool {
        listed.name.as_ref().is_none_or(|name| {
            self.pits.is_none_or(|pits| pits == name.pits)
                && (self.from..=self.seeds.unwrap_or(u32::MAX)).contains(&name.seeds)
        })
    }
}

fn checksums(directory: &Directory, files: &[Listed], output: &mut Output) -> Result<Ending, Failure> {
    let all: u64 =
        files.iter().filter_map(|listed| listed.header.as_ref().ok()).map(|header| header.payload_bytes).sum();
    let progress = Progress::new(all, "bytes");
    let (mut bytes, mut wrong, mut complete) = (0, 0u64, true);
    let mut ways_out = BTreeSet::new();
    for listed in files {
        let (checked, help) = check(listed, &progress);
        ways_out.extend(help);
        bytes += checked.bytes_checked;
        complete &= checked.complete;
        wrong += u64::from(!checked.faults.is_empty());
        if output.json {
            output.object(&checked)?;
        } else if let (Ok(_), [first, rest @ ..]) = (&listed.header, checked.faults.as_slice()) {
            progress.say(&format!("fault found in {}", checked.file));
            output.text(format!("{}: {first}", checked.file))?;
            rest.iter().try_for_each(|fault| output.text(format!("{}: {fault}", checked.file)))?;
        }
    }
    drop(progress);
    for (text, help) in list::faults(files) {
        if !output.json {
            output.text(text)?;
        }
        ways_out.insert(help);
    }
    let missing = files.iter().filter(|listed| matches!(listed.header, Err(DatabaseError::MissingLayer { .. })));
    let missing = missing.count() as u64;
    let wrong = wrong - missing;
    let mut found = Vec::new();
    if wrong > 0 {
        found.push(units::plural(wrong, "file is wrong", "files are wrong"));
    }
    if missing > 0 {
        found.push(units::plural(missing, "layer is missing", "layers are missing"));
    }
    if !complete {
        found.push("stopped by hand before all files were checked".to_owned());
    }
    if found.is_empty() {
        found.push("all sound".to_owned());
    }
    let mut summary = format!(
        "{}: {}, {} checked, {}",
        directory.path.display(),
        units::plural(files.len() as u64 - missing, "file", "files"),
        units::bytes(bytes),
        found.join(", ")
    );
    for way_out in ways_out {
        summary.push_str(". ");
        summary.push_str(way_out.trim_end_matches('.'));
    }
    say(summary, output)?;
    Ok(Ending { wrong: wrong + missing > 0, stopped: !complete })
}

/// A sentence that is a result for people and only company for JSON.
fn say(text: String, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        note(text);
        return Ok(());
    }
    output.text(text)
}

/// What was found in a file, and the ways out.
fn check(listed: &Listed, progress: &Progress) -> (Checked, Vec<Cow<'static, str>>) {
    let file = listed.path.display().to_string();
    progress.doing(format!("checking {file}"));
    let found = match &listed.header {
        // Read block by block: a device that fails, or a file that is cut meanwhile, is an error and nothing worse.
        Ok(_) if !stop::requested() => LayerFile::open_any(&listed.path, Access::Blocks).map(|file| {
            file.verify(&|bytes| {
                progress.add(bytes);
                !stop::requested()
            })
        }),
        Ok(_) => Ok(Verification { faults: Vec::new(), bytes: 0, complete: false }),
        Err(error) => {
            let faults = vec![error.to_string()];
            return (Checked { file, sound: false, complete: true, bytes_checked: 0, faults }, Vec::new());
        }
    };
    match found {
        Ok(Verification { faults, bytes, complete }) => {
            let help = faults.iter().map(Fault::help).collect();
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            (Checked { file, sound: complete && faults.is_empty(), complete, bytes_checked: bytes, faults }, help)
        }
        Err(error) => {
            let faults = vec![error.to_string()];
            (Checked { file, sound: false, complete: true, bytes_checked: 0, faults }, vec![error.help()])
        }
    }
}

/// Derives values of the layers of one rule set and board.
fn values(
    directory: &Directory,
    group: &[&Header],
    sample: Option<u64>,
    global: &Global,
    output: &mut Output,
    ending: &mut Ending,
) -> Result<(), Failure> {
    if ending.stopped {
        return Ok(());
    }
    let (stamp, seeds) = (&group[0].stamp, group[0].seeds..=group[group.len() - 1].seeds);
    let Ok(rules) = stamp.rules.parse::<RuleSet>() else {
        // What cannot be derived is not right: the answer is no.
        ending.wrong = true;
        return say(format!("{stamp}: there are no rules of that name, so no value follows from them"), output);
    };
    let total: u64 = group.iter().map(|header| header.positions).sum();
    let watcher = Watcher(Progress::new(sample.map_or(total, |sample| sample.min(total)), "values"));
    let work = || verify_values(&directory.path, &rules, stamp.pits, seeds.clone(), sample, &watcher);
    let result = kalah::with_threads(global.threads(), work)?;
    drop(watcher);
    match result {
        Ok(report) => {
            ending.wrong |= report.wrong > 0;
            show_values(stamp, &seeds, &report, output)
        }
        Err(BuildError::Stopped) => {
            ending.stopped = true;
            say(format!("{stamp}: stopped by hand before all values were computed again"), output)
        }
        Err(error) => Err(error.into()),
    }
}

fn show_values(
    stamp: &Stamp,
    seeds: &RangeInclusive<u32>,
    report: &ValuesReport,
    output: &mut Output,
) -> Result<(), Failure> {
    let board = |wrong: &WrongValue| State::new(stamp.pits, wrong.position);
    if output.json {
        let wrong = |wrong: &WrongValue| Wrong {
            position: board(wrong),
            seeds: wrong.seeds,
            rank: wrong.rank,
            stored: wrong.stored,
            derived: wrong.derived,
        };
        output.object(&Derived {
            rules: &stamp.rules,
            pits: stamp.pits,
            from: *seeds.start(),
            seeds: *seeds.end(),
            values_checked: report.checked,
            values_wrong: report.wrong,
            examples: report.examples.iter().map(wrong).collect(),
        })?;
    } else {
        for wrong in &report.examples {
            output.text(format!(
                "{stamp}: {} is worth {:+} to South, to move, by its moves; layer {} says {:+} (rank {})",
                board(wrong),
                wrong.derived,
                wrong.seeds,
                wrong.stored,
                wrong.rank
            ))?;
        }
        let unnamed = report.wrong - report.examples.len() as u64;
        if unnamed > 0 {
            output.text(format!("{stamp}: and {} more", units::count(unnamed)))?;
        }
    }
    let found = match report.wrong {
        0 => "all right".to_owned(),
        wrong => format!("{} wrong; remove these layers and build them again", units::count(wrong)),
    };
    let checked = units::plural(report.checked, "value", "values");
    say(format!("{stamp}, {} to {} seeds: {checked} derived, {found}", seeds.start(), seeds.end()), output)
}

/// Shows progress of deriving values.
struct Watcher(Progress);

impl Observer for Watcher {
    fn layer_started(&self, layer: &LayerPlan) {
        self.0.doing(format!("computing layer {} again", layer.seeds));
    }

    fn advanced(&self, positions: u64) {
        self.0.add(positions);
    }

    fn should_stop(&self) -> bool {
        stop::requested()
    }
}

/// Compares files with those of the same layers in another directory.
fn against(
    files: &[Listed],
    other: &Path,
    global: &Global,
    output: &mut Output,
    ending: &mut Ending,
) -> Result<(), Failure> {
    let mut pairs = Vec::new();
    // The other directory must be there and readable, whatever it holds.
    kalah::database::list(other)?;
    for listed in files {
        let Ok(header) = &listed.header else { continue };
        let path = header.stamp.path(other, header.seeds);
        if path.exists() {
            pairs.push((listed, header, LayerFile::open_with(&path, &header.stamp, header.seeds, Access::Map)?));
        }
    }
    if pairs.is_empty() {
        let message = format!("{} has none of these layers", other.display());
        return Err(Failure::new(Kind::Database, message, "Name the directory that holds the same layers."));
    }
    let progress = Progress::new(pairs.iter().map(|(_, header, _)| header.positions).sum(), "values");
    let advanced = |positions| {
        progress.add(positions);
        !stop::requested()
    };
    let mut different = 0u64;
    for (listed, header, there) in &pairs {
        progress.doing(listed.path.display().to_string());
        let here = LayerFile::open_with(&listed.path, &header.stamp, header.seeds, Access::Map)?;
        let compare = || compare_layers(&here, there, &advanced);
        let Some(found) = kalah::with_threads(global.threads(), compare)?? else {
            ending.stopped = true;
            return say("stopped by hand before all layers were compared".to_owned(), output);
        };
        different += u64::from(found.different > 0);
        if output.json {
            output.object(&Compared {
                file: listed.path.display().to_string(),
                against: there.path().display().to_string(),
                positions: found.positions,
                different: found.different,
                first_position: found.first.map(|first| first.position),
                first_rank: found.first.map(|first| first.rank),
                first_here: found.first.map(|first| first.here.0),
                first_there: found.first.map(|first| first.there.0),
            })?;
        } else if let Some(first) = found.first {
            output.text(format!(
                "{}: {} differ from {}, first {} (rank {}): {} here, {} there, for South, to move",
                listed.path.display(),
                units::plural(found.different, "value", "values"),
                there.path().display(),
                first.position,
                first.rank,
                first.here,
                first.there
            ))?;
        }
    }
    drop(progress);
    ending.wrong |= different > 0;
    let compared = units::plural(pairs.len() as u64, "layer", "layers");
    let missing = (files.len() - pairs.len()) as u64;
    let missing = match missing {
        0 => String::new(),
        _ => format!("; {} not there", units::plural(missing, "layer is", "layers are")),
    };
    let found = match different {
        0 => "every value the same".to_owned(),
        _ => format!("{} different", units::plural(different, "layer is", "layers are")),
    };
    say(format!("{compared} compared with {}: {found}{missing}", other.display()), output)
}
