//! What a layer file must be for, and the name of its file.

use kalah_index::{MAX_LAYER, MAX_PITS};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What the end of every layer file's name is.
const SUFFIX: &str = ".layer";

/// The rule set and the board a database is for: what every file says of itself and every reader asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stamp {
    /// The rule set's canonical text, without options that concern the start only.
    pub rules: String,
    /// The rule set's stable hash.
    pub rules_hash: u64,
    /// Pits a side, 1 to 8.
    pub pits: u8,
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} {}", self.rules, self.pits, if self.pits == 1 { "pit" } else { "pits" })
    }
}

impl Stamp {
    /// Where the layer of `seeds` seeds lies in a database directory: `kalah-empty_6_24.layer` for 6 pits and 24 seeds.
    pub fn path(&self, directory: &Path, seeds: u32) -> PathBuf {
        directory.join(LayerName { rules: self.rules.clone(), pits: self.pits, seeds }.to_string())
    }
}

/// What the name of a layer file promises. It does not tell the hash of the rules; the file does.
///
/// A layer has exactly one name. Characters of the rule set that a file system might not take, and the underscore, are
/// written as `%` and two hexadecimal digits for each byte, so different rule sets have different names.
///
/// ```
/// use kalah_database::LayerName;
/// let name: LayerName = "kalah-empty_6_24.layer".parse().unwrap();
/// assert_eq!((name.rules.as_str(), name.pits, name.seeds), ("kalah-empty", 6, 24));
/// assert!("kalah-empty_6_024.layer".parse::<LayerName>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LayerName {
    /// The rule set's canonical text, as in [`Stamp::rules`].
    pub rules: String,
    /// Pits a side, 1 to 8.
    pub pits: u8,
    /// Seeds in pits, 0 to 127.
    pub seeds: u32,
}

impl fmt::Display for LayerName {
    /// The file's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.rules.bytes() {
            match byte {
                b'a'..=b'z' | b'0'..=b'9' | b'-' | b'+' | b'=' => f.write_char(char::from(byte))?,
                _ => write!(f, "%{byte:02x}")?,
            }
        }
        write!(f, "_{}_{}{SUFFIX}", self.pits, self.seeds)
    }
}

/// A text that is no layer file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a layer file, expected a name such as kalah_6_24.layer: rule set, pits, seeds")]
pub struct LayerNameError;

impl LayerNameError {
    /// What to do about it, in a whole sentence.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed("Give the file the name that belongs to its content, or move it out of the directory.")
    }
}

impl FromStr for LayerName {
    type Err = LayerNameError;

    /// Takes the exact name only: what another spelling would promise, nobody would look for.
    fn from_str(text: &str) -> Result<LayerName, LayerNameError> {
        parse(text).filter(|name| name.to_string() == text).ok_or(LayerNameError)
    }
}

impl LayerName {
    /// Whether a file with this name is one that people would take for a layer file.
    pub(crate) fn looks_like_one(file_name: &OsStr) -> bool {
        let name = file_name.as_encoded_bytes();
        name.len() >= SUFFIX.len() && name[name.len() - SUFFIX.len()..].eq_ignore_ascii_case(SUFFIX.as_bytes())
    }
}

/// What a name promises, however it is spelt.
fn parse(name: &str) -> Option<LayerName> {
    let mut parts = name.strip_suffix(SUFFIX)?.split('_');
    let (rules, pits, seeds) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let fits = (1..=MAX_PITS).contains(&pits) && seeds <= MAX_LAYER;
    if parts.next().is_some() || rules.is_empty() || !fits {
        return None;
    }
    let mut pieces = rules.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&piece.as_bytes()[2..]);
    }
    Some(LayerName { rules: String::from_utf8(bytes).ok()?, pits, seeds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_rule_sets_have_plain_names() {
        let stamp = Stamp { rules: "kalah-empty+leftover=none".to_owned(), rules_hash: 0, pits: 6 };
        assert_eq!(stamp.path(Path::new("d"), 24), Path::new("d/kalah-empty+leftover=none_6_24.layer"));
    }

    #[test]
    fn other_names_are_no_layers() {
        for name in [
            "",
            ".layer",
            "kalah.layer",
            "kalah_6.layer",
            "kalah_6_2_4.layer",
            "kalah_6_x.layer",
            "kalah_6_4",
            "kalah_6_+3.layer",
            "kalah_+6_3.layer",
            "kalah_6_03.layer",
            "kalah_06_3.layer",
            "kalah_6_-0.layer",
            "Kalah_6_3.layer",
            "k%61lah_6_3.layer",
            "k%C3%A4_6_3.layer",
            "kalah_6_3.LAYER",
            "kalah _6_3.layer",
            "kalah_0_3.layer",
            "kalah_9_3.layer",
            "kalah_6_128.layer",
            "_6_3.layer",
            "a%2_6_4.layer",
            "a%\u{e4}\u{e4}_6_4.layer",
            "%+1_6_4.layer",
            "kalah_6_3.layer\n",
        ] {
            assert_eq!(name.parse::<LayerName>(), Err(LayerNameError), "{name}");
        }
        assert!("k%c3%a4_6_3.layer".parse::<LayerName>().is_ok());
    }

    #[test]
    fn names_that_people_would_take_for_layers_are_seen() {
        for name in ["kalah_6_+3.layer", ".layer", "x.LAYER", "a.b.layer"] {
            assert!(LayerName::looks_like_one(OsStr::new(name)), "{name}");
        }
        for name in ["", "layer", "kalah_6_3.layer.partial", "notes.txt", "\u{e4}layer"] {
            assert!(!LayerName::looks_like_one(OsStr::new(name)), "{name}");
        }
    }

    proptest! {
        #[test]
        fn names_come_back(rules in "\\PC{1,20}", pits in 1u8..=8, seeds in 0u32..=127) {
            let path = Stamp { rules: rules.clone(), rules_hash: 0, pits }.path(Path::new(""), seeds);
            let name = path.file_name().and_then(|name| name.to_str()).expect("one plain component");
            prop_assert!(name.is_ascii());
            prop_assert_eq!(Path::new(name), &path);
            prop_assert_eq!(name.parse(), Ok(LayerName { rules, pits, seeds }));
        }
    }
}
