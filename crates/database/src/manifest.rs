//! The list of a directory's layer files, for people and scripts. Nothing in this crate ever reads it.

use crate::{DatabaseError, Parity, directory, disk};
use std::fmt::Write as _;
use std::path::Path;

/// The name of the manifest in a database directory.
pub const MANIFEST: &str = "manifest.json";

/// Writes the manifest of a directory anew, as a whole, from the headers of its layer files. Damaged files are left out.
///
/// # Errors
/// If the directory cannot be read or written.
pub fn write_manifest(directory: &Path) -> Result<(), DatabaseError> {
    let mut lines = Vec::new();
    for file in directory::list(directory)? {
        let Ok(header) = file.header else { continue };
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        lines.push(format!(
            "  {{\"file\":{},\"rules\":{},\"rules_hash\":\"{:016x}\",\"pits\":{},\"seeds\":{},\"positions\":{},\"parity\":\"{}\",\"codec\":\"{}\",\"bytes\":{},\"values_xxh3\":\"{:016x}\"}}",
            quoted(&name),
            quoted(&header.stamp.rules),
            header.stamp.rules_hash,
            header.stamp.pits,
            header.seeds,
            header.positions,
            if header.encoding.parity == Parity::Known { "known" } else { "free" },
            header.encoding.codec,
            header.head_bytes + header.payload_bytes,
            header.values_check,
        ));
    }
    let text = format!("{{\"kalah_manifest\":1,\"layers\":[\n{}\n]}}\n", lines.join(",\n"));
    disk::replace(&directory.join(MANIFEST), text.as_bytes())
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
