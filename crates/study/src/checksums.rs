//! SHA-256 of a layer's values: to compare layers between machines, programs and codecs without moving them.

use crate::layer_values::pieces;
use kalah_database::{Database, DatabaseError, LayerFile};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The SHA-256 of the values of one layer: one signed byte a position, in the order of ranks, nothing else. It does not
/// depend on the file's codec or format version; for a raw file it is the SHA-256 of the last bytes, one a position.
///
/// As text it is a line as `sha256sum` prints it, with the layer in the place of a file's name.
///
/// ```
/// let line = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d  kalah_6_0.values";
/// let checksum: kalah_study::LayerChecksum = line.parse()?;
/// assert_eq!((checksum.rules.as_str(), checksum.pits, checksum.seeds), ("kalah", 6, 0));
/// assert_eq!(checksum.to_string(), line); // the SHA-256 of a single zero: no seeds, no margin
/// # Ok::<(), kalah_study::ChecksumError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LayerChecksum {
    /// The canonical text of the rules.
    pub rules: String,
    /// Pits a side.
    pub pits: u8,
    /// Seeds in pits.
    pub seeds: u32,
    /// The hash.
    pub sha256: [u8; 32],
}

/// A line that is no layer's checksum.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected 64 hexadecimal digits, two spaces and a layer such as kalah_6_20.values, found '{found}'")]
pub struct ChecksumError {
    /// The line.
    pub found: String,
}

impl ChecksumError {
    /// What to do about it, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        "Take the line as 'kalah checksums' printed it.".into()
    }
}

/// What follows the layer's name.
const SUFFIX: &str = ".values";

impl LayerChecksum {
    /// The hash as 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        self.sha256.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The layer's name in a line, such as `kalah_6_20.values`.
    pub fn name(&self) -> String {
        format!("{}_{}_{}{SUFFIX}", self.rules, self.pits, self.seeds)
    }
}

impl fmt::Display for LayerChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", self.hex(), self.name())
    }
}

impl FromStr for LayerChecksum {
    type Err = ChecksumError;

    fn from_str(line: &str) -> Result<LayerChecksum, ChecksumError> {
        let parse = || {
            let (digits, name) = line.split_once("  ")?;
            let mut parts = name.strip_suffix(SUFFIX)?.rsplitn(3, '_');
            let (seeds, pits, rules) = (parts.next()?, parts.next()?, parts.next()?);
            let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if digits.len() != 64 || !plain(seeds) || !plain(pits) || rules.is_empty() {
                return None;
            }
            let mut sha256 = [0; 32];
            for (byte, pair) in sha256.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
                let digit = |letter: u8| char::from(letter).to_digit(16);
                *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
            }
            Some(LayerChecksum {
                rules: rules.to_owned(),
                pits: pits.parse().ok()?,
                seeds: seeds.parse().ok()?,
                sha256,
            })
        };
        parse().ok_or_else(|| ChecksumError { found: line.to_owned() })
    }
}

/// Hashes the values of the layers `seeds`, several at a time, in the current rayon pool; `None` if `advanced` asked to stop.
///
/// `advanced` is told how many more positions are done, from any thread, and stops the work by answering `false`.
///
/// # Errors
/// If a layer is missing or a block is damaged.
pub fn layer_checksums(
    database: &Database,
    seeds: RangeInclusive<u32>,
    advanced: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Option<Vec<LayerChecksum>>, DatabaseError> {
    database.require(*seeds.end())?;
    let files: Vec<&LayerFile> = seeds.filter_map(|n| database.layer(n)).collect();
    // The largest layer takes about as long as all others: it begins first.
    let found: Result<Vec<_>, _> =
        files.par_iter().rev().with_max_len(1).map(|file| checksum(file, advanced)).collect();
    let found: Option<Vec<LayerChecksum>> = found?.into_iter().rev().collect();
    Ok(found)
}

/// How many values are hashed between two questions whether to go on.
const PART: usize = 1 << 17;

fn checksum(file: &LayerFile, advanced: &(dyn Fn(u64) -> bool + Sync)) -> Result<Option<LayerChecksum>, DatabaseError> {
    let mut hash = Sha256::new();
    let (mut values, mut bytes) = (Vec::new(), Vec::new());
    for piece in pieces(file) {
        let ranks = piece.ranks();
        values.resize((ranks.end - ranks.start) as usize, 0i8);
        if !file.read_while(ranks.start, &mut values, &|| advanced(0))? {
            return Ok(None);
        }
        for part in values.chunks(PART) {
            if !advanced(0) {
                return Ok(None);
            }
            bytes.clear();
            bytes.extend(part.iter().map(|&value| value as u8));
            hash.update(&bytes);
        }
        if !advanced(ranks.end - ranks.start) {
            return Ok(None);
        }
    }
    let (stamp, sha256) = (&file.header().stamp, hash.finalize().into());
    Ok(Some(LayerChecksum { rules: stamp.rules.clone(), pits: stamp.pits, seeds: file.header().seeds, sha256 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_others_are_refused() {
        let sha256 = std::array::from_fn(|i| (i * 11) as u8);
        for (rules, pits, seeds) in [("kalah", 6, 20), ("kalah-empty+leftover=none", 1, 127)] {
            let checksum = LayerChecksum { rules: rules.to_owned(), pits, seeds, sha256 };
            let line = checksum.to_string();
            assert_eq!(line.parse(), Ok(checksum));
            for wrong in [
                line[1..].to_owned(),
                line.replace("  ", " "),
                line.replace(".values", ".layer"),
                line.replacen('0', "g", 1),
                line.replace(&format!("_{pits}_"), "_x_"),
                line.replace(&format!("_{seeds}."), "_+1."),
                format!("{}  _6_4.values", "0".repeat(64)),
                format!("{}  kalah_6.values", "0".repeat(64)),
                String::new(),
            ] {
                let error = wrong.parse::<LayerChecksum>().unwrap_err();
                assert!(error.to_string().ends_with(&format!("found '{wrong}'")), "{wrong}: {error}");
                assert!(error.help().contains("kalah checksums"));
            }
        }
    }
}
