//! `kalah convert`: the same values in files of another codec, without building anything again.

use crate::board;
use crate::command::list;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::{stop, units};
use clap::{Args, ValueEnum};
use kalah::database::{self, Codec, DatabaseError, DirectoryLock, LayerFile, Listed};
use serde::Serialize;
use std::path::PathBuf;

/// Convert layers to another codec, in place or into another directory.
///
/// The values stay the same, and so does the checksum over all values of a layer. Files that have the codec already are left
/// alone. You can stop a conversion and resume it with the same command; it leaves complete files only.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah convert --codec compressed\n  \
    kalah convert --codec packed --pits 6 --seeds 22 --rules kalah-empty --to /data/packed")]
pub(crate) struct Arguments {
    /// How the new files store their values.
    #[arg(long, value_enum)]
    codec: CodecName,
    /// Convert only boards with this many pits on each side.
    #[arg(long, value_parser = units::parse_number::<u8>)]
    pits: Option<u8>,
    /// Convert only layers with at most this many seeds in pits.
    #[arg(long, value_parser = units::parse_number::<u32>)]
    seeds: Option<u32>,
    /// Directory of the new files [default: they replace the old ones].
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// The codecs by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CodecName {
    /// One byte a position; read as it lies on disk. The fastest, and what builds are made from.
    Raw,
    /// A few bits a position, the same for all positions of a block; read almost as fast.
    Packed,
    /// As small as it gets; single values take some time to read.
    Compressed,
}

impl From<CodecName> for Codec {
    fn from(name: CodecName) -> Codec {
        match name {
            CodecName::Raw => Codec::Raw,
            CodecName::Packed => Codec::Packed,
            CodecName::Compressed => Codec::Compressed,
        }
    }
}

/// A converted file, as JSON.
#[derive(Serialize)]
struct Converted {
    file: String,
    codec: &'static str,
    positions: u64,
    file_bytes_before: u64,
    file_bytes: u64,
    bits_per_position: f64,
}

/// What has been converted so far.
#[derive(Default)]
struct Sum {
    layers: u64,
    positions: u64,
    before: u64,
    after: u64,
}

/// Converts layer by layer, those of the given rules only.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    arguments.pits.map(board::pits).transpose()?;
    let directory = global.directory();
    let rules = global.rules()?.for_positions().to_string();
    let codec = Codec::from(arguments.codec);
    let asked =
        |pits, seeds| arguments.pits.is_none_or(|asked| asked == pits) && seeds <= arguments.seeds.unwrap_or(u32::MAX);
    let files = list::files(&directory)?;
    let ours =
        |listed: &&Listed| listed.name.as_ref().is_some_and(|name| name.rules == rules && asked(name.pits, name.seeds));
    for (fault, help) in list::faults(files.iter().filter(ours)) {
        note(format!("warning: {fault}. {help}"));
    }
    let sound: Vec<&Listed> = files.iter().filter(ours).filter(|listed| listed.header.is_ok()).collect();
    if sound.is_empty() {
        let message = format!("there are no such layers of {rules} in {}", directory.path.display());
        return Err(Failure::new(Kind::Database, message, "'kalah list' shows which there are."));
    }
    let target = arguments.to.as_deref().unwrap_or(&directory.path);
    let done = |listed: &&Listed| {
        let Ok(header) = &listed.header else { return true };
        let there = match &arguments.to {
            None => return header.encoding.codec == codec,
            Some(to) => LayerFile::open(&header.stamp.path(to, header.seeds), &header.stamp, header.seeds),
        };
        there.is_ok_and(|there| {
            there.header().encoding.codec == codec && there.header().values_check == header.values_check
        })
    };
    let (there, sources): (Vec<&Listed>, Vec<&Listed>) = sound.into_iter().partition(done);
    stop::listen();
    let lock = match DirectoryLock::acquire(target) {
        // There is nothing to write.
        Err(DatabaseError::Locked { .. } | DatabaseError::Permission { .. }) if sources.is_empty() => None,
        acquired => Some(acquired?),
    };
    lock.as_ref().map(DirectoryLock::tidy).transpose()?;
    let Some(lock) = lock.filter(|_| !sources.is_empty()) else {
        let layers = units::plural(there.len() as u64, "layer is", "layers are");
        note(format!("{}: nothing to convert, {layers} {} already", target.display(), codec.name()));
        return Ok(Outcome::Answered);
    };
    let headers = || sources.iter().filter_map(|listed| listed.header.as_ref().ok().map(|header| (listed, header)));
    let progress = Progress::new(headers().map(|(_, header)| header.positions).sum(), "positions");
    let mut sum = Sum::default();
    for (listed, header) in headers() {
        progress.doing(format!("converting {}", listed.path.display()));
        let advanced = |positions: u64| {
            progress.add(positions);
            !stop::requested()
        };
        let converted = LayerFile::open(&listed.path, &header.stamp, header.seeds)
            .and_then(|source| database::convert(&source, &lock, codec, global.threads(), &advanced));
        let file = match converted {
            Ok(Some(file)) => file,
            stopped => {
                drop(progress);
                let layers = units::plural(sum.layers, "layer was", "layers were");
                let how = if stopped.is_ok() { "stopped by hand: " } else { "" };
                note(format!("{how}{layers} converted and kept; the same command resumes"));
                return Ok(stopped.map(|_| Outcome::Limit)?);
            }
        };
        let (before, after) = (header.file_bytes(), file.header().file_bytes());
        sum.layers += 1;
        sum.positions += header.positions;
        sum.before += before;
        sum.after += after;
        if output.json {
            output.object(&Converted {
                file: file.path().display().to_string(),
                codec: codec.name(),
                positions: header.positions,
                file_bytes_before: before,
                file_bytes: after,
                bits_per_position: 8.0 * after as f64 / header.positions as f64,
            })?;
        }
    }
    drop(progress);
    let summary = format!(
        "{} of {rules} now {}: {} before, {} now, {:.2} bits per position",
        units::plural(sum.positions, "position", "positions"),
        codec.name(),
        units::bytes(sum.before),
        units::bytes(sum.after),
        8.0 * sum.after as f64 / sum.positions as f64
    );
    if output.json {
        note(summary);
        Ok(Outcome::Answered)
    } else {
        output.text(summary).map(|()| Outcome::Answered)
    }
}
