//! `kalah convert`: the same values in files of another codec, without building anything again.

use crate::board;
use crate::command::list;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::{stop, units};
use clap::{Args, ValueEnum};
use kalah::database::{self, Codec, DirectoryLock, Header, LayerFile};
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
    bytes_before: u64,
    bytes: u64,
    bits_per_position: f64,
}

/// Converts layer by layer, those of the given rules only.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    arguments.pits.map(board::pits).transpose()?;
    let directory = global.directory();
    let rules = global.rules()?.for_positions().to_string();
    let codec = Codec::from(arguments.codec);
    let wanted = |header: &Header| {
        header.stamp.rules == rules
            && arguments.pits.is_none_or(|pits| pits == header.stamp.pits)
            && header.seeds <= arguments.seeds.unwrap_or(u32::MAX)
            && (arguments.to.is_some() || header.encoding.codec != codec)
    };
    let files = list::files(&directory)?;
    let mut sources = Vec::new();
    for listed in &files {
        match &listed.header {
            Ok(header) if wanted(header) => sources.push((listed, header)),
            _ => {}
        }
    }
    if sources.is_empty() {
        if files.iter().any(|listed| listed.header.as_ref().is_ok_and(|header| header.stamp.rules == rules)) {
            note(format!("{}: nothing to convert", directory.path.display()));
            return Ok(Outcome::Answered);
        }
        let message = format!("there are no layers of {rules} in {}", directory.path.display());
        return Err(Failure::new(Kind::Database, message, "'kalah list' shows which there are."));
    }
    stop::listen();
    let lock = DirectoryLock::acquire(arguments.to.as_deref().unwrap_or(&directory.path))?;
    let progress = Progress::new(sources.iter().map(|(_, header)| header.positions).sum(), "positions");
    let (mut before, mut after, mut positions) = (0, 0, 0);
    for (listed, header) in sources {
        progress.doing(listed.path.display().to_string());
        let source = LayerFile::open(&listed.path, &header.stamp, header.seeds)?;
        let advanced = |positions: u64| {
            progress.add(positions);
            !stop::requested()
        };
        let Some(file) = database::convert(&source, &lock, codec, global.threads(), &advanced)? else {
            drop(progress);
            note("stopped; every converted file is whole, and the same command resumes");
            return Ok(Outcome::Limit);
        };
        let size = |header: &Header| header.head_bytes + header.payload_bytes;
        before += size(header);
        after += size(file.header());
        positions += header.positions;
        if output.json {
            output.object(&Converted {
                file: file.path().display().to_string(),
                codec: codec.name(),
                positions: header.positions,
                bytes_before: size(header),
                bytes: size(file.header()),
                bits_per_position: 8.0 * size(file.header()) as f64 / header.positions as f64,
            })?;
        }
    }
    drop(progress);
    let summary = format!(
        "{} of {rules} now {}: {} before, {} now, {:.2} bits a position",
        units::plural(positions, "position", "positions"),
        codec.name(),
        units::bytes(before),
        units::bytes(after),
        8.0 * after as f64 / positions as f64
    );
    if output.json {
        note(summary);
        Ok(Outcome::Answered)
    } else {
        output.text(summary).map(|()| Outcome::Answered)
    }
}
