//! The bytes of a record's file.

use super::Record;
use super::web::check_position;
use crate::hash_text;
use kalah_rules::{Margin, Position, Row, RuleSet};
use kalah_search::{Bounds, Proof, Stats};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::io::{self, Read};
use xxhash_rust::xxh3::xxh3_64;

/// The number of the format that is written and read.
const FORMAT: u32 = 1;

/// Bytes of one proof.
const PROOF_BYTES: usize = 22;

/// The longest header that is believed.
const MOST_HEADER: usize = 1 << 20;

/// The most proofs that are written or read.
const MOST_PROOFS: usize = 1 << 22;

/// The largest file that is read: a header and as many proofs, which packing can make a little longer.
pub(super) const MOST_BYTES: u64 = (MOST_HEADER + MOST_PROOFS * (PROOF_BYTES + 1) + 1024) as u64;

/// Proofs never pack into fewer than one in so many of their bytes, for they are about different positions.
const MOST_PACKING: usize = 256;

/// The binary logarithm of the memory that unpacking may take. What is written needs 21 at most.
const MOST_WINDOW: u32 = 23;

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

/// The record as bytes.
pub(super) fn to_bytes(record: &Record) -> io::Result<Vec<u8>> {
    let header = Header {
        kalah_record: FORMAT,
        program: record.program.clone(),
        rules: record.rules.to_string(),
        rules_hash: hash_text(&record.rules),
        pits: record.pits,
        mover: record.position.mover.bits().to_le_bytes(),
        opponent: record.position.opponent.bits().to_le_bytes(),
        lower: record.bounds.lower.0,
        upper: record.bounds.upper.0,
        moves: record.moves.iter().map(|&(pit, bounds)| (pit, bounds.lower.0, bounds.upper.0)).collect(),
        line: record.line.clone(),
        nodes: record.stats.nodes,
        database_probes: record.stats.oracle_probes,
        table_hits: record.stats.table_hits,
        seconds: record.seconds,
        layers: record.layers,
        threads: record.threads,
        proofs: record.proofs.len().min(MOST_PROOFS),
    };
    let mut proofs: Vec<&Proof> = record.proofs.iter().collect();
    if proofs.len() > MOST_PROOFS {
        proofs.sort_by_key(|proof| Reverse(proof.work));
        proofs.truncate(MOST_PROOFS);
    }
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

/// The record that bytes hold; `None` if `stop` says so on the way.
///
/// # Errors
/// What is wrong with the bytes. That what they state can be true is not checked here.
pub(super) fn from_bytes(bytes: &[u8], stop: &dyn Fn() -> bool) -> Result<Option<Record>, String> {
    let (rest, check) = bytes.split_last_chunk::<8>().ok_or("it is too short")?;
    let (expected, found) = (u64::from_le_bytes(*check), xxh3_64(rest));
    if expected != found {
        return Err(format!("expected checksum {expected:016x}, found {found:016x}"));
    }
    let end = rest.iter().take(MOST_HEADER).position(|&byte| byte == b'\n').ok_or("there is no header")?;
    let header: Header = serde_json::from_slice(&rest[..end]).map_err(|error| format!("the header: {error}"))?;
    if header.kalah_record != FORMAT {
        return Err(format!("expected format {FORMAT}, found {}", header.kalah_record));
    }
    let rules: RuleSet = header.rules.parse().map_err(|error| format!("the rules: {error}"))?;
    if hash_text(&rules) != header.rules_hash {
        let expected = hash_text(&rules);
        return Err(format!("expected the hash {expected} of the rules {rules}, found {}", header.rules_hash));
    }
    if !(1..=8).contains(&header.pits) {
        return Err(format!("expected 1 to 8 pits a side, found {}", header.pits));
    }
    let position = position(header.mover, header.opponent);
    check_position(header.pits, position)?;
    let Some(proofs) = proofs(&rest[end + 1..], header.proofs, (header.pits, position.seeds()), stop)? else {
        return Ok(None);
    };
    Ok(Some(Record {
        rules,
        pits: header.pits,
        position,
        bounds: bounds(header.lower, header.upper),
        moves: header.moves.iter().map(|&(pit, lower, upper)| (pit, bounds(lower, upper))).collect(),
        line: header.line,
        stats: Stats { nodes: header.nodes, oracle_probes: header.database_probes, table_hits: header.table_hits },
        seconds: header.seconds,
        layers: header.layers,
        threads: header.threads,
        program: header.program,
        proofs,
    }))
}

/// Unpacks as many proofs as were announced, of positions with at most so many seeds.
fn proofs(
    packed: &[u8],
    announced: usize,
    (pits, seeds): (u8, u32),
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<Proof>>, String> {
    if announced > MOST_PROOFS {
        return Err(format!("it announces {announced} proofs, at most {MOST_PROOFS} are read"));
    }
    if announced * PROOF_BYTES / MOST_PACKING > packed.len() {
        return Err(format!("it announces {announced} proofs in {} bytes", packed.len()));
    }
    let mut decoder = zstd::Decoder::new(packed).map_err(|error| error.to_string())?;
    decoder.window_log_max(MOST_WINDOW).map_err(|error| error.to_string())?;
    let mut proofs: Vec<Proof> = Vec::with_capacity(announced);
    let mut bytes = [0; PROOF_BYTES];
    for number in 1..=announced {
        if number % 4096 == 0 && stop() {
            return Ok(None);
        }
        decoder.read_exact(&mut bytes).map_err(|error| format!("proof {number} of {announced}: {error}"))?;
        let proof = proof(&bytes);
        let fault = |what: String| format!("proof {number} of {announced}: {what}");
        check_position(pits, proof.position).map_err(fault)?;
        if proof.position.seeds() > seeds {
            let what = format!("it has {} seeds, the record's position {seeds}", proof.position.seeds());
            return Err(fault(what));
        }
        if proofs.last().is_some_and(|last| last.position > proof.position) {
            return Err(fault("it is not in order".to_owned()));
        }
        proofs.push(proof);
    }
    match decoder.read(&mut bytes).map_err(|error| error.to_string())? {
        0 => Ok(Some(proofs)),
        _ => Err(format!("there is more after the {announced} proofs that it announces")),
    }
}

fn proof(bytes: &[u8; PROOF_BYTES]) -> Proof {
    let row = |at: usize| std::array::from_fn(|i| bytes[at + i]);
    let short = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]);
    Proof {
        position: position(row(0), row(8)),
        bounds: bounds(short(16), short(18)),
        pit: (bytes[20] != 0).then_some(bytes[20]),
        work: bytes[21],
    }
}

fn position(mover: [u8; 8], opponent: [u8; 8]) -> Position {
    Position::new(Row::from_bits(u64::from_le_bytes(mover)), Row::from_bits(u64::from_le_bytes(opponent)))
}

fn bounds(lower: i16, upper: i16) -> Bounds {
    Bounds { lower: Margin(lower), upper: Margin(upper) }
}
