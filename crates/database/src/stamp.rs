//! What a layer file must be for, and the name of its file.

use std::fmt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

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
        write!(f, "{}, {} pits", self.rules, self.pits)
    }
}

impl Stamp {
    /// Where the layer of `seeds` seeds lies in a database directory: `kalah-empty_6_24.layer` for 6 pits and 24 seeds.
    ///
    /// Characters of the rule set's name that some file system might take amiss, and the underscore, are written as `%`
    /// and two hexadecimal digits for each byte, so different rule sets always have different files.
    pub fn path(&self, directory: &Path, seeds: u32) -> PathBuf {
        let mut name = String::new();
        for byte in self.rules.bytes() {
            match byte {
                b'a'..=b'z' | b'0'..=b'9' | b'-' | b'+' | b'=' => name.push(char::from(byte)),
                _ => write!(name, "%{byte:02x}").expect("a String takes everything"),
            }
        }
        directory.join(format!("{name}_{}_{seeds}{SUFFIX}", self.pits))
    }
}

/// The rule set, pits and seeds that a file name promises, or `None` if it is no layer file's name.
pub(crate) fn parse_name(name: &str) -> Option<(String, u8, u32)> {
    let mut parts = name.strip_suffix(SUFFIX)?.split('_');
    let (rules, pits, seeds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || rules.is_empty() {
        return None;
    }
    let mut pieces = rules.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&piece.as_bytes()[2..]);
    }
    Some((String::from_utf8(bytes).ok()?, pits.parse().ok()?, seeds.parse().ok()?))
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
        for name in ["", ".layer", "kalah.layer", "kalah_6.layer", "kalah_6_2_4.layer", "kalah_6_x.layer", "kalah_6_4"]
        {
            assert_eq!(parse_name(name), None, "{name}");
        }
        assert_eq!(parse_name("a%2_6_4.layer"), None);
        assert_eq!(parse_name("a%\u{e4}\u{e4}_6_4.layer"), None);
    }

    proptest! {
        #[test]
        fn names_come_back(rules in "\\PC{1,20}", pits in 1u8..=8, seeds in 0u32..=127) {
            let path = Stamp { rules: rules.clone(), rules_hash: 0, pits }.path(Path::new(""), seeds);
            let name = path.file_name().and_then(|name| name.to_str()).expect("one plain component");
            prop_assert!(name.is_ascii());
            prop_assert_eq!(Path::new(name), &path);
            prop_assert_eq!(parse_name(name), Some((rules, pits, seeds)));
        }
    }
}
