//! What is worth keeping of a search: a file of proofs under one position, as a checkpoint to resume from or as a solved start.
//!
//! # The file
//!
//! One line of JSON, the header, that ends with a line feed; a zstd frame with 22 bytes a proof, in the order of positions; and
//! the XXH3-64 of everything before it, 8 bytes. Numbers are little endian. A proof is the mover's row and the opponent's row
//! (8 bytes each, pit 1 in the first), the lower and the upper bound of the mover's margin (2 bytes each, signed), the move to
//! try first (0 if none is known) and the binary logarithm of the work, rounded up. The header gives rule set, hash,
//! board, position, what is proved about it and each of its moves, a line of play, and what it took.
//!
//! # What is believed
//!
//! The checksum finds accidents, not forgeries. So [`Record::load`] checks everything that the rules can tell without search:
//!
//! - sizes are compared with the header before anything is unpacked, and at most 4,194,304 proofs are read;
//! - every position, bound and move must be possible on this board under these rules;
//! - the line of play is replayed: it must be legal, end the game, and give the stated value;
//! - every statement is compared with what the positions after its moves say, from the end of the game up;
//! - the last positions of the line are searched again, as far as 20,000 positions of search reach.
//!
//! Before proofs are used, they are also compared with the solved layers, where those reach. What passes all of this is
//! believed: a bound of a position whose successors the file says nothing about. `SECURITY.md` says what a forger can still do.

mod check;
mod error;
mod format;
mod temporary;
pub(crate) mod web;

pub use error::RecordError;

use crate::{SolverError, hash_text};
use kalah_database::Database;
use kalah_rules::{Position, RuleSet};
use kalah_search::{Bounds, Proof, Stats};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use web::Doubt;

/// What a search proved: about one position, about its moves, and about the heaviest positions below it.
///
/// Bounds are margins of the mover of the position they belong to, from there to the end, stores not counted.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The rules it is true under.
    pub rules: RuleSet,
    /// Pits a side.
    pub pits: u8,
    /// The position it is about.
    pub position: Position,
    /// What is proved about the position.
    pub bounds: Bounds,
    /// What is proved about each move, best first: pits from 1, margins of the player who moves.
    pub moves: Vec<(u8, Bounds)>,
    /// The pits of a line of perfect play to the end of the game, if one was found.
    pub line: Option<Vec<u8>>,
    /// What it took.
    pub stats: Stats,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The most seeds in pits for which solved layers were there; `None` without any.
    pub layers: Option<u32>,
    /// How many threads searched.
    pub threads: usize,
    /// The version of the program that wrote the record.
    pub program: String,
    /// Proofs of positions below.
    pub proofs: Vec<Proof>,
}

impl Record {
    /// Writes the record. Under its name there is never half a file, also after a power cut; if it cannot be written, an
    /// earlier file of that name stays. Half-written files that killed processes left beside it are removed.
    ///
    /// Of more than 4,194,304 proofs the heaviest are written.
    ///
    /// # Errors
    /// If the directory cannot be written or the disk is full.
    pub fn save(&self, path: &Path) -> Result<(), RecordError> {
        let bytes = format::to_bytes(self).map_err(RecordError::io(path, "packing"))?;
        let directory = temporary::directory_of(path);
        std::fs::create_dir_all(directory).map_err(RecordError::io(directory, "creating"))?;
        temporary::tidy(path);
        temporary::replace(path, &bytes).map_err(RecordError::io(path, "writing"))
    }

    /// Reads a record; `None` if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or states what cannot be true (see the module's page).
    pub fn load(path: &Path) -> Result<Option<Record>, RecordError> {
        Record::load_unless(path, &|| false)
    }

    /// As [`Record::load`], but `stop` is asked often, and ends it with [`RecordError::Stopped`] when it says so.
    pub(crate) fn load_unless(path: &Path, stop: &dyn Fn() -> bool) -> Result<Option<Record>, RecordError> {
        let Some(bytes) = read(path)? else { return Ok(None) };
        let damaged = |what| RecordError::Damaged { file: path.to_owned(), what };
        let record = match format::from_bytes(&bytes, stop).map_err(damaged)? {
            Some(record) => record,
            None => return Err(RecordError::Stopped { file: path.to_owned() }),
        };
        match check::check(&record, stop) {
            Ok(()) => Ok(Some(record)),
            Err(Doubt::Stopped) => Err(RecordError::Stopped { file: path.to_owned() }),
            Err(Doubt::False(what)) => Err(RecordError::False { files: vec![path.to_owned()], what }),
            // Nothing here reads layers.
            Err(Doubt::Database(error)) => Err(damaged(error.to_string())),
        }
    }

    /// Makes sure that the record in `file` is about this position under these rules.
    ///
    /// # Errors
    /// [`RecordError::Other`] with both.
    pub fn must_be(&self, file: &Path, rules: &RuleSet, pits: u8, position: Position) -> Result<(), RecordError> {
        if (self.rules, self.pits, self.position) == (*rules, pits, position) {
            return Ok(());
        }
        let about = |rules: &RuleSet, pits: u8, position: Position| {
            let board = kalah_rules::State::new(pits, position);
            format!("{board} under {rules} (hash {})", hash_text(rules))
        };
        Err(RecordError::Other {
            file: file.to_owned(),
            expected: about(rules, pits, position),
            found: about(&self.rules, self.pits, self.position),
        })
    }

    /// Compares a record that was loaded from `path` with the solved layers.
    ///
    /// # Errors
    /// If they contradict each other, a layer is damaged, or `stop` says so.
    pub(crate) fn compare(&self, path: &Path, database: &Database, stop: &dyn Fn() -> bool) -> Result<(), SolverError> {
        match check::compare(self, database, stop) {
            Ok(()) => Ok(()),
            Err(Doubt::Stopped) => Err(RecordError::Stopped { file: path.to_owned() }.into()),
            Err(Doubt::False(what)) => Err(RecordError::False { files: vec![path.to_owned()], what }.into()),
            Err(Doubt::Database(error)) => Err(error.into()),
        }
    }

    /// Prepares the place of a checkpoint: makes its directory and removes half-written files of killed processes.
    pub(crate) fn prepare(path: &Path) -> Result<(), RecordError> {
        let directory = temporary::directory_of(path);
        std::fs::create_dir_all(directory).map_err(RecordError::io(directory, "creating"))?;
        temporary::tidy(path);
        Ok(())
    }
}

/// The bytes of a file; `None` if there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>, RecordError> {
    let io = |doing| RecordError::io(path, doing);
    // Opening a pipe would wait for its other end.
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io("reading")(error)),
    };
    if !metadata.is_file() {
        return Err(RecordError::NotAFile { file: path.to_owned() });
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io("opening"))?;
    file.take(format::MOST_BYTES + 1).read_to_end(&mut bytes).map_err(io("reading"))?;
    if bytes.len() as u64 > format::MOST_BYTES {
        let what = format!("it has more than {} bytes", format::MOST_BYTES);
        return Err(RecordError::Damaged { file: path.to_owned(), what });
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests;
