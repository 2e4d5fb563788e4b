//! What is worth keeping of a search: a file of proofs under one position, as a checkpoint to go on from or as a solved start.
//!
//! # The file
//!
//! One line of JSON, the header, that ends with a line feed; a zstd frame with 22 bytes a proof, in the order of positions; and
//! the XXH3-64 of everything before it, 8 bytes. Numbers are little endian. A proof is the mover's row and the opponent's row
//! (8 bytes each, pit 1 in the first), the lower and the upper bound of the mover's margin (2 bytes each, signed), the move to
//! try first (0 if none is known) and the binary logarithm of the work, rounded up. The header gives rule set, hash,
//! board, position, what is proved about it and each of its moves, a line of play, and what it took.

use crate::hash_text;
use kalah_rules::{Margin, Position, Row, RuleSet};
use kalah_search::{Bounds, Proof, Stats};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// The number of the format that is written and read.
const FORMAT: u32 = 1;

/// Bytes of one proof.
const PROOF_BYTES: usize = 22;

/// The longest header that is believed.
const MOST_HEADER: usize = 1 << 20;

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
    /// How long it took.
    pub seconds: f64,
    /// The most seeds in pits for which solved layers were there; `None` without any.
    pub layers: Option<u32>,
    /// How many threads were at work.
    pub threads: usize,
    /// The version of the program that did it.
    pub program: String,
    /// Proofs of positions below.
    pub proofs: Vec<Proof>,
}

/// Why a record cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The system refuses.
    #[error("{doing} {file} failed: {source}", file = file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was to be done.
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The file was cut or changed, or is something else.
    #[error("{file} is no record or is damaged ({what}); remove it and search again", file = file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The file is about something else.
    #[error("{file} is about {found}, not about {expected}; choose another directory or remove it", file = file.display())]
    Other {
        /// The file.
        file: PathBuf,
        /// What it should be about.
        expected: String,
        /// What it is about.
        found: String,
    },
}

impl RecordError {
    fn io(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> RecordError {
        let file = file.to_owned();
        move |source| RecordError::Io { file, doing, source }
    }
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Header {
    kalah_record: u32,
    program: String,
    rules: String,
    rules_hash: String,
    pits: u8,
    mover: [u8; 8],
    opponent: [u8; 8],
    lower: i16,
    upper: i16,
    moves: Vec<(u8, i16, i16)>,
    line: Option<Vec<u8>>,
    nodes: u64,
    database_probes: u64,
    table_hits: u64,
    seconds: f64,
    layers: Option<u32>,
    threads: usize,
    proofs: usize,
}

impl Record {
    /// Writes the record; under its name there is never half a file.
    ///
    /// # Errors
    /// If the directory cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RecordError> {
        let bytes = self.to_bytes().map_err(RecordError::io(path, "packing"))?;
        let directory = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(directory).map_err(RecordError::io(directory, "creating"))?;
        let mut builder = tempfile::Builder::new();
        // Others may read it, as any file that is made in the usual way.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(directory).map_err(RecordError::io(path, "creating"))?;
        file.write_all(&bytes).map_err(RecordError::io(path, "writing"))?;
        file.as_file().sync_all().map_err(RecordError::io(path, "writing"))?;
        file.persist(path).map_err(|error| RecordError::io(path, "renaming to")(error.error))?;
        Ok(())
    }

    /// Reads a record; `None` if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn load(path: &Path) -> Result<Option<Record>, RecordError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RecordError::io(path, "reading")(error)),
        };
        Record::from_bytes(&bytes).map(Some).map_err(|what| RecordError::Damaged { file: path.to_owned(), what })
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

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let header = Header {
            kalah_record: FORMAT,
            program: self.program.clone(),
            rules: self.rules.to_string(),
            rules_hash: hash_text(&self.rules),
            pits: self.pits,
            mover: self.position.mover.bits().to_le_bytes(),
            opponent: self.position.opponent.bits().to_le_bytes(),
            lower: self.bounds.lower.0,
            upper: self.bounds.upper.0,
            moves: self.moves.iter().map(|&(pit, bounds)| (pit, bounds.lower.0, bounds.upper.0)).collect(),
            line: self.line.clone(),
            nodes: self.stats.nodes,
            database_probes: self.stats.oracle_probes,
            table_hits: self.stats.table_hits,
            seconds: self.seconds,
            layers: self.layers,
            threads: self.threads,
            proofs: self.proofs.len(),
        };
        let mut proofs: Vec<&Proof> = self.proofs.iter().collect();
        proofs.sort_by_key(|proof| proof.position);
        let mut body = Vec::with_capacity(proofs.len() * PROOF_BYTES);
        for proof in proofs {
            body.extend(proof.position.mover.bits().to_le_bytes());
            body.extend(proof.position.opponent.bits().to_le_bytes());
            body.extend(proof.bounds.lower.0.to_le_bytes());
            body.extend(proof.bounds.upper.0.to_le_bytes());
            body.extend([proof.pit.unwrap_or(0), proof.work]);
        }
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        bytes.extend(zstd::encode_all(&body[..], 3)?);
        let check = xxh3_64(&bytes);
        bytes.extend(check.to_le_bytes());
        Ok(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Record, String> {
        let (rest, check) = bytes.split_last_chunk::<8>().ok_or("it is too short")?;
        let (expected, found) = (u64::from_le_bytes(*check), xxh3_64(rest));
        if expected != found {
            return Err(format!("expected checksum {expected:016x}, found {found:016x}"));
        }
        let end = rest.iter().take(MOST_HEADER).position(|&byte| byte == b'\n').ok_or("there is no header")?;
        let header: Header = serde_json::from_slice(&rest[..end]).map_err(|error| error.to_string())?;
        if header.kalah_record != FORMAT {
            return Err(format!("format {} instead of {FORMAT}", header.kalah_record));
        }
        let rules: RuleSet = header.rules.parse().map_err(|error| format!("{error}"))?;
        if hash_text(&rules) != header.rules_hash {
            return Err(format!("the rule set {rules} has another hash than {}", header.rules_hash));
        }
        if !(1..=8).contains(&header.pits) {
            return Err(format!("{} pits", header.pits));
        }
        let mut body = Vec::new();
        let most = header.proofs.checked_mul(PROOF_BYTES).ok_or("too many proofs")?;
        let decoder = zstd::Decoder::new(&rest[end + 1..]).map_err(|error| error.to_string())?;
        decoder.take(most as u64 + 1).read_to_end(&mut body).map_err(|error| error.to_string())?;
        if body.len() != most {
            return Err(format!("{} proofs were announced", header.proofs));
        }
        let bounds = |lower, upper| Bounds { lower: Margin(lower), upper: Margin(upper) };
        let position = |mover, opponent| Position::new(Row::from_bits(mover), Row::from_bits(opponent));
        let (proofs, _) = body.as_chunks::<PROOF_BYTES>();
        let proofs = proofs.iter().map(|bytes| {
            let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
            let short = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]);
            Proof {
                position: position(word(0), word(8)),
                bounds: bounds(short(16), short(18)),
                pit: (bytes[20] != 0).then_some(bytes[20]),
                work: bytes[21],
            }
        });
        Ok(Record {
            rules,
            pits: header.pits,
            position: position(u64::from_le_bytes(header.mover), u64::from_le_bytes(header.opponent)),
            bounds: bounds(header.lower, header.upper),
            moves: header.moves.iter().map(|&(pit, lower, upper)| (pit, bounds(lower, upper))).collect(),
            line: header.line,
            stats: Stats { nodes: header.nodes, oracle_probes: header.database_probes, table_hits: header.table_hits },
            seconds: header.seconds,
            layers: header.layers,
            threads: header.threads,
            program: header.program,
            proofs: proofs.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::State;

    fn record() -> Record {
        let start = State::start(6, 4).unwrap().position();
        let bounds = |lower, upper| Bounds { lower: Margin(lower), upper: Margin(upper) };
        Record {
            rules: "kalah-empty+leftover=none".parse().unwrap(),
            pits: 6,
            position: start,
            bounds: bounds(10, 10),
            moves: vec![(3, bounds(10, 10)), (1, bounds(-48, 8))],
            line: Some(vec![3, 6]),
            stats: Stats { nodes: 1, oracle_probes: 2, table_hits: 3 },
            seconds: 1.5,
            layers: Some(12),
            threads: 2,
            program: "0".to_owned(),
            proofs: vec![
                Proof { position: start.flipped(), bounds: bounds(-3, 300), pit: None, work: 7 },
                Proof { position: start, bounds: bounds(0, 1), pit: Some(6), work: 40 },
            ],
        }
    }

    #[test]
    fn a_record_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("below").join("record");
        assert!(Record::load(&path).unwrap().is_none());
        let mut record = record();
        record.save(&path).unwrap();
        let back = Record::load(&path).unwrap().unwrap();
        record.proofs.sort_by_key(|proof| proof.position);
        assert_eq!(back, record);
        back.must_be(&path, &record.rules, 6, record.position).unwrap();
        let other = back.must_be(&path, &"kalah".parse().unwrap(), 6, record.position).unwrap_err().to_string();
        assert!(other.contains("under kalah ") && other.contains("kalah-empty+leftover=none"), "{other}");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no temporary file stays");
    }

    #[test]
    fn every_cut_and_every_flipped_byte_is_noticed() {
        let bytes = record().to_bytes().unwrap();
        assert!(Record::from_bytes(&bytes).is_ok());
        for length in 0..bytes.len() {
            assert!(Record::from_bytes(&bytes[..length]).is_err(), "cut to {length}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            assert!(Record::from_bytes(&bytes).is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_right_checksum_over_nonsense_is_no_record() {
        let sealed = |text: &[u8]| {
            let mut bytes = text.to_vec();
            bytes.extend(xxh3_64(text).to_le_bytes());
            bytes
        };
        for text in [&b""[..], b"\n", b"{}\n", b"no line feed", b"{\"kalah_record\":2}\n"] {
            assert!(Record::from_bytes(&sealed(text)).is_err());
        }
        let whole = record().to_bytes().unwrap();
        let text = String::from_utf8_lossy(&whole).into_owned();
        let end = text.find('\n').unwrap() + 1;
        let header = |from: &str, to: &str| {
            let mut bytes = text[..end].replace(from, to).into_bytes();
            bytes.extend(&whole[end..whole.len() - 8]);
            Record::from_bytes(&sealed(&bytes))
        };
        assert!(header("", "").is_ok());
        for (from, to) in [
            ("\"proofs\":2", "\"proofs\":3"),
            ("\"proofs\":2", "\"proofs\":1"),
            ("\"proofs\":2", "\"proofs\":18446744073709551615"),
            ("\"pits\":6", "\"pits\":9"),
            ("kalah-empty+", "kalah+"),
            ("kalah-empty+", "kallah+"),
            ("\"kalah_record\":1", "\"kalah_record\":2"),
        ] {
            assert!(header(from, to).is_err(), "{to}");
        }
    }
}
