//! `kalah list`: which layers there are.

use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::Output;
use crate::table::table;
use crate::units;
use clap::Args;
use kalah::database::{self, DatabaseError, Header, Listed, Stamp};
use kalah::retrograde::stamp;
use kalah_rules::RuleSet;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// List the layers in the database directory, for all rule sets and boards. The exit code is 1 if a layer is missing or a file
/// cannot be used.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  kalah list\n  kalah list --database /data/layers --json")]
pub(crate) struct Arguments {}

/// One file, as JSON. A file that is missing or of no use has its name's part of it, and an error.
#[derive(Serialize)]
struct File<'a> {
    file: String,
    rules: Option<&'a str>,
    rules_hash: Option<String>,
    pits: Option<u8>,
    seeds: Option<u32>,
    positions: Option<u64>,
    file_bytes: Option<u64>,
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

/// The layer files of the directory, those that are missing too; a directory without any is a fault. A file for rules of
/// another hash than the rules of that name have here is of no use.
pub(crate) fn files(directory: &Directory) -> Result<Vec<Listed>, Failure> {
    let mut files = database::list(&directory.path)?;
    if files.is_empty() {
        let help = "'kalah build' makes some; --database names another directory.";
        let message = format!("there are no layers in {}", directory.path.display());
        return Err(Failure::new(Kind::Database, message, help));
    }
    for listed in &mut files {
        if let Some(error) = listed.header.as_ref().ok().and_then(|header| other_rules(&listed.path, header)) {
            listed.header = Err(error);
        }
    }
    Ok(files)
}

/// The error of a file for rules that have the name, but not the hash, of rules of this program.
fn other_rules(path: &Path, header: &Header) -> Option<DatabaseError> {
    let ours = stamp(&header.stamp.rules.parse::<RuleSet>().ok()?, header.stamp.pits);
    let text = |stamp: &Stamp| format!("{} with hash {:016x}", stamp.rules, stamp.rules_hash);
    let (expected, found) = (text(&ours), text(&header.stamp));
    (ours != header.stamp).then(|| DatabaseError::OtherRules { file: path.to_owned(), expected, found })
}

/// What is wrong with files that cannot be used, in sentences, and what to do about each. Layers that are missing side by side
/// are one fault.
pub(crate) fn faults<'a>(files: impl IntoIterator<Item = &'a Listed>) -> Vec<(String, Cow<'static, str>)> {
    let missing = |listed: &Listed| matches!(listed.header, Err(DatabaseError::MissingLayer { .. }));
    let board = |listed: &Listed| listed.name.as_ref().map(|name| (name.rules.clone(), name.pits));
    let together = |a: &Listed, b: &Listed| missing(a) && missing(b) && board(a) == board(b);
    let unusable: Vec<&Listed> = files.into_iter().filter(|listed| listed.header.is_err()).collect();
    let groups = unusable.chunk_by(|a, b| together(a, b));
    let fault = |group: &[&Listed]| {
        let error = group[0].header.as_ref().err()?;
        let seeds: Vec<u32> = group.iter().filter_map(|listed| Some(listed.name.as_ref()?.seeds)).collect();
        let text = match board(group[0]) {
            Some((rules, pits)) if group.len() > 1 => {
                let directory = group[0].path.parent().unwrap_or(Path::new(""));
                format!(
                    "{}: the layers of {} seeds for {rules}, {pits} pits, are missing",
                    directory.display(),
                    ranges(&seeds)
                )
            }
            _ => error.to_string(),
        };
        Some((text, error.help()))
    };
    groups.filter_map(fault).collect()
}

fn file(listed: &Listed) -> File<'_> {
    let (known, name) = (listed.header.as_ref().ok(), listed.name.as_ref());
    File {
        file: listed.path.display().to_string(),
        rules: known.map(|header| header.stamp.rules.as_str()).or(name.map(|name| name.rules.as_str())),
        rules_hash: known.map(|header| format!("{:016x}", header.stamp.rules_hash)),
        pits: known.map(|header| header.stamp.pits).or(name.map(|name| name.pits)),
        seeds: known.map(|header| header.seeds).or(name.map(|name| name.seeds)),
        positions: known.map(|header| header.positions),
        file_bytes: known.map(Header::file_bytes),
        codec: known.map(|header| header.encoding.codec.name()),
        error: listed.header.as_ref().err().map(ToString::to_string),
    }
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
            units::bytes(group.iter().map(|header| header.file_bytes()).sum()),
        ]
    });
    output.text(table(&["rules", "pits", "seeds", "positions", "files"], &[1, 3, 4], rows))?;
    faults(files).into_iter().try_for_each(|(text, help)| output.text(format!("{text}. {help}")))
}

/// Ascending numbers as ranges: `0 to 5, 7`.
pub(crate) fn ranges(numbers: &[u32]) -> String {
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
