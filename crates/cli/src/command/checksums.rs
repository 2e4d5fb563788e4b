//! `kalah checksums`: SHA-256 of the values of layers, to compare with other machines.

use crate::chosen::{Chosen, positions};
use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::{gap, stop, units};
use clap::Args;
use kalah::database::{Access, Database};
use kalah::retrograde::stamp;
use kalah_rules::RuleSet;
use kalah_study::{LayerChecksum, layer_checksums};
use serde::Serialize;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Print the SHA-256 checksum of the values of every layer, or compare the layers with checksums printed elsewhere.
///
/// The checksum covers one signed byte per position, in the order of ranks, and does not depend on the codec of the file. The
/// exit code is 1 if a layer differs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah checksums --pits 6 --seeds 20 > kalah_6.sha256\n  \
    kalah checksums --check solver-db/checksums/kalah_6.sha256\n  \
    kalah checksums --check solver-db/checksums/kalah_6.sha256 --seeds 14")]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Compare the layers in the database directory with the checksums in these files. The files name rules and pits;
    /// --from and --seeds choose some of their layers.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    check: Vec<PathBuf>,
}

/// A layer's checksum, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    rules: &'a str,
    pits: u8,
    seeds: u32,
    sha256: String,
    /// What it should be.
    expected: Option<String>,
    /// Whether it is; `null` if nobody asked.
    sound: Option<bool>,
}

/// Prints or compares.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let directory = global.directory();
    if !arguments.check.is_empty() {
        return check(arguments, global, &directory, output);
    }
    let (database, seeds) = arguments.chosen.open(&global.rules()?, &directory)?;
    stop::listen();
    let Some(found) = checksums(&database, seeds, global)? else { return Ok(Outcome::Limit) };
    for checksum in &found {
        if output.json {
            output.object(&line(checksum, None))?;
        } else {
            output.lines(&checksum.to_string())?;
        }
    }
    Ok(Outcome::Answered)
}

/// Hashes layers with progress; `None` if a signal came first.
fn checksums(
    database: &Database,
    seeds: RangeInclusive<u32>,
    global: &Global,
) -> Result<Option<Vec<LayerChecksum>>, Failure> {
    let progress = Progress::new(positions(database, seeds.clone()), "positions");
    progress.doing(format!("hashing layers {} to {}", seeds.start(), seeds.end()));
    let advanced = |positions| {
        progress.add(positions);
        !stop::requested()
    };
    let found = kalah::with_threads(global.threads(), || layer_checksums(database, seeds, &advanced))??;
    drop(progress);
    if found.is_none() {
        note("stopped by hand before all layers were hashed");
    }
    Ok(found)
}

fn line<'a>(checksum: &'a LayerChecksum, expected: Option<&LayerChecksum>) -> Line<'a> {
    Line {
        rules: &checksum.rules,
        pits: checksum.pits,
        seeds: checksum.seeds,
        sha256: checksum.hex(),
        expected: expected.map(LayerChecksum::hex),
        sound: expected.map(|expected| expected == checksum),
    }
}

/// Compares with lines of files.
fn check(
    arguments: &Arguments,
    global: &Global,
    directory: &Directory,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let mut expected = Vec::new();
    for file in &arguments.check {
        expected.extend(read(file)?);
    }
    let range = arguments.chosen.from..=arguments.chosen.seeds.unwrap_or(u32::MAX);
    expected.retain(|checksum| range.contains(&checksum.seeds));
    expected.sort_by(|a, b| (&a.rules, a.pits, a.seeds).cmp(&(&b.rules, b.pits, b.seeds)));
    if expected.is_empty() {
        let message = "no line is left to check";
        return Err(Failure::new(Kind::Usage, message, "Name a file with checksums, and look at --from and --seeds."));
    }
    // Every layer must be there before the first is hashed.
    let mut groups = Vec::new();
    for group in expected.chunk_by(|a, b| (&a.rules, a.pits) == (&b.rules, b.pits)) {
        let rules: RuleSet = group[0].rules.parse()?;
        let database = Database::open_with(&directory.path, &stamp(&rules, group[0].pits), Access::Map)?;
        gap::warn(&database)?;
        database.require(group[group.len() - 1].seeds)?;
        groups.push((database, group));
    }
    stop::listen();
    let (mut checked, mut wrong) = (0u64, 0u64);
    for (database, group) in &groups {
        let seeds = group[0].seeds..=group[group.len() - 1].seeds;
        let Some(found) = checksums(database, seeds, global)? else { return Ok(Outcome::Limit) };
        for expected in *group {
            let Some(found) = found.iter().find(|found| found.seeds == expected.seeds) else { continue };
            checked += 1;
            wrong += u64::from(found != expected);
            if output.json {
                output.object(&line(found, Some(expected)))?;
            } else if found == expected {
                output.text(format!("{}: OK", found.name()))?;
            } else {
                output.text(format!("{}: expected {}, found {}", found.name(), expected.hex(), found.hex()))?;
            }
        }
    }
    let summary = match wrong {
        0 => format!("{} as expected", units::plural(checked, "layer is", "layers are")),
        _ => format!("{wrong} of {} different", units::plural(checked, "layer is", "layers are")),
    };
    if output.json {
        note(summary);
    } else {
        output.text(summary)?;
    }
    Ok(if wrong == 0 { Outcome::Answered } else { Outcome::Negative })
}

/// The lines of a file; empty ones and those that begin with # are left out.
fn read(file: &Path) -> Result<Vec<LayerChecksum>, Failure> {
    let text = fs::read_to_string(file).map_err(|error| {
        let message = format!("{} cannot be read: {error}", file.display());
        Failure::new(Kind::Usage, message, "Name a file that 'kalah checksums' wrote.")
    })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            line.trim_end().parse().map_err(|error: kalah_study::ChecksumError| {
                let message = format!("line {} of {}: {error}", number + 1, file.display());
                Failure::new(Kind::Usage, message, error.help())
            })
        })
        .collect()
}
