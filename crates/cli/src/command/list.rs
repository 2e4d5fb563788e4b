//! `kalah list`: which layers there are.

use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::Output;
use crate::table::table;
use crate::units;
use clap::Args;
use kalah::database::{self, Header, Listed};
use serde::Serialize;

/// List the layers in the database directory, for all rule sets and boards.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  kalah list\n  kalah list --database /data/layers --json")]
pub(crate) struct Arguments {}

/// One file, as JSON.
#[derive(Serialize)]
struct File<'a> {
    file: String,
    rules: Option<&'a str>,
    rules_hash: Option<String>,
    pits: Option<u8>,
    seeds: Option<u32>,
    positions: Option<u64>,
    bytes: Option<u64>,
    codec: Option<&'static str>,
    error: Option<String>,
}

/// Lists every file by what its head says; [`verify`](crate::command::verify) is what reads them whole.
pub(crate) fn run(_: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let directory = global.directory();
    let files = files(&directory)?;
    if output.json {
        for listed in &files {
            output.object(&file(listed))?;
        }
    } else {
        show(&directory, &files, output)?;
    }
    Ok(if files.iter().all(|listed| listed.header.is_ok()) { Outcome::Answered } else { Outcome::Negative })
}

/// The layer files of the directory; a directory without any is a fault.
pub(crate) fn files(directory: &Directory) -> Result<Vec<Listed>, Failure> {
    let files = database::list(&directory.path)?;
    if files.is_empty() {
        let help = "'kalah build' makes some; --database names another directory.";
        let message = format!("there are no layers in {}", directory.path.display());
        return Err(Failure::new(Kind::Database, message, help));
    }
    Ok(files)
}

fn file(listed: &Listed) -> File<'_> {
    let header = listed.header.as_ref();
    let known = header.ok();
    File {
        file: listed.path.display().to_string(),
        rules: known.map(|header| header.stamp.rules.as_str()),
        rules_hash: known.map(|header| format!("{:016x}", header.stamp.rules_hash)),
        pits: known.map(|header| header.stamp.pits),
        seeds: known.map(|header| header.seeds),
        positions: known.map(|header| header.positions),
        bytes: known.map(bytes),
        codec: known.map(|header| header.encoding.codec.name()),
        error: header.err().map(ToString::to_string),
    }
}

fn bytes(header: &Header) -> u64 {
    header.head_bytes + header.payload_bytes
}

fn show(directory: &Directory, files: &[Listed], output: &mut Output) -> Result<(), Failure> {
    output.text(format!("{}:", directory.path.display()))?;
    let sound: Vec<&Header> = files.iter().filter_map(|listed| listed.header.as_ref().ok()).collect();
    // Files come in the order of rule set, pits and seeds.
    let rows = sound.chunk_by(|a, b| a.stamp == b.stamp).map(|group| {
        let seeds: Vec<u32> = group.iter().map(|header| header.seeds).collect();
        vec![
            group[0].stamp.rules.clone(),
            group[0].stamp.pits.to_string(),
            ranges(&seeds),
            units::count(group.iter().map(|header| header.positions).sum()),
            units::bytes(group.iter().map(|header| bytes(header)).sum()),
        ]
    });
    output.text(table(&["rules", "pits", "seeds", "positions", "files"], &[1, 3, 4], rows))?;
    for listed in files {
        if let Err(error) = &listed.header {
            output.text(format!("of no use: {error}"))?;
        }
    }
    Ok(())
}

/// Ascending numbers as ranges: `0 to 5, 7`.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first} to {last}"),
        _ => run.iter().map(ToString::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn gaps_are_seen() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0 to 2, 5, 7 to 8");
    }
}
