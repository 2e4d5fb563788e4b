//! `kalah verify`: is every file what it says?

use crate::arguments::Global;
use crate::command::list;
use crate::failure::{Failure, Outcome};
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::{stop, units};
use clap::Args;
use kalah::database::{Access, DatabaseError, Header, LayerFile, Listed, Verification};
use serde::Serialize;
use std::ops::ControlFlow;

/// Check every file of the database directory: that its head is sound, that it is the layer its name says, that every block
/// has its checksum, and that every value is possible. Exit code 1 if anything is wrong.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  kalah verify\n  kalah verify --database /data/layers --json")]
pub(crate) struct Arguments {}

/// What was found in one file, as JSON.
#[derive(Serialize)]
struct Checked {
    file: String,
    sound: bool,
    complete: bool,
    bytes: u64,
    faults: Vec<String>,
}

/// Checks file by file.
pub(crate) fn run(_: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let directory = global.directory();
    let files = list::files(&directory)?;
    stop::listen();
    let all: u64 =
        files.iter().filter_map(|listed| listed.header.as_ref().ok()).map(|header| header.payload_bytes).sum();
    let progress = Progress::new(all, "bytes");
    let (mut bytes, mut faulty, mut complete) = (0, 0u64, true);
    for listed in &files {
        let checked = check(listed, &progress);
        bytes += checked.bytes;
        complete &= checked.complete;
        faulty += u64::from(!checked.faults.is_empty());
        if output.json {
            output.object(&checked)?;
        } else if let [first, rest @ ..] = checked.faults.as_slice() {
            progress.say(&format!("fault found in {}", checked.file));
            output.text(format!("{}: {first}", checked.file))?;
            rest.iter().try_for_each(|fault| output.text(format!("{}: {fault}", checked.file)))?;
        }
    }
    drop(progress);
    let summary = format!(
        "{}: {}, {} checked, {}",
        directory.path.display(),
        units::plural(files.len() as u64, "file", "files"),
        units::bytes(bytes),
        match faulty {
            0 if complete => "all sound".to_owned(),
            0 => "nothing wrong so far".to_owned(),
            _ => format!(
                "{} wrong; remove what is damaged and build it again with 'kalah build'",
                units::plural(faulty, "file is", "files are")
            ),
        }
    );
    if output.json {
        note(summary);
    } else {
        output.text(summary)?;
    }
    Ok(match (faulty, complete) {
        (0, true) => Outcome::Answered,
        (0, false) => Outcome::Limit,
        _ => Outcome::Negative,
    })
}

fn check(listed: &Listed, progress: &Progress) -> Checked {
    let file = listed.path.display().to_string();
    progress.doing(&file);
    let found = match &listed.header {
        Ok(header) => read(listed, header, progress),
        Err(error) => Err(error.to_string()),
    };
    match found {
        Ok(Verification { faults, bytes, complete }) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Checked { file, sound: complete && faults.is_empty(), complete, bytes, faults }
        }
        Err(fault) => Checked { file, sound: false, complete: true, bytes: 0, faults: vec![fault] },
    }
}

/// Reads the whole file.
fn read(listed: &Listed, header: &Header, progress: &Progress) -> Result<Verification, String> {
    let text = |error: DatabaseError| error.to_string();
    let file = LayerFile::open_any(&listed.path, Access::Map).map_err(text)?;
    let mut before = 0;
    let mut step = |bytes: u64| {
        progress.add(bytes - before);
        before = bytes;
        if stop::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    debug_assert_eq!(file.header(), header);
    Ok(file.verify(&mut step))
}
