//! The list of a directory's layer files, for people and scripts, and to notice a file that was lost.

use crate::names::Names;
use crate::{Access, DatabaseError, LayerFile, LayerName, Parity, disk};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// The name of the manifest in a database directory.
pub const MANIFEST: &str = "manifest.json";

/// The most bytes of a manifest that are read: many times those of all layers there can be.
const MOST_BYTES: u64 = 1 << 26;

/// Brings the manifest of a directory up to date, as a whole, from the headers of its layer files. Damaged files are left
/// out. A directory without layers gets none.
pub(crate) fn update(directory: &Path) -> Result<(), DatabaseError> {
    let mut lines = Vec::new();
    for (name, path) in Names::read(directory)?.layers {
        let Ok(file) = LayerFile::open_any(&path, Access::Blocks) else { continue };
        let header = file.header();
        if header.name() != name {
            continue;
        }
        lines.push(format!(
            "  {{\"file\":{},\"rules\":{},\"rules_hash\":\"{:016x}\",\"pits\":{},\"seeds\":{},\"positions\":{},\"parity\":\"{}\",\"codec\":\"{}\",\"bytes\":{},\"values_xxh3\":\"{:016x}\"}}",
            quoted(&name.to_string()),
            quoted(&header.stamp.rules),
            header.stamp.rules_hash,
            header.stamp.pits,
            header.seeds,
            header.positions,
            if header.encoding.parity == Parity::Known { "known" } else { "free" },
            header.encoding.codec,
            header.file_bytes(),
            header.values_check,
        ));
    }
    let path = directory.join(MANIFEST);
    let text = format!("{{\"kalah_manifest\":1,\"layers\":[\n{}\n]}}\n", lines.join(",\n"));
    let before = disk::read_small(&path, MOST_BYTES)?;
    let same = match &before {
        Some(before) => before == text.as_bytes(),
        None => lines.is_empty(),
    };
    if same { Ok(()) } else { disk::replace(&path, text.as_bytes()) }
}

/// The layers that the manifest of a directory names. Nothing else in it is ever believed, and what makes no sense is passed
/// over.
pub(crate) fn layers(directory: &Path) -> Result<BTreeSet<LayerName>, DatabaseError> {
    let text = disk::read_small(&directory.join(MANIFEST), MOST_BYTES)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    // A layer's name has nothing in it that JSON would write in another way.
    let names = text.split("\"file\":\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok());
    Ok(names.collect())
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => json.extend(['\\', letter]),
            '\0'..'\x20' => write!(json, "\\u{:04x}", u32::from(letter)).expect("a String takes everything"),
            _ => json.push(letter),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_are_escaped() {
        assert_eq!(super::quoted("a\"b\\c\nd\u{e4}"), "\"a\\\"b\\\\c\\u000ad\u{e4}\"");
    }
}
