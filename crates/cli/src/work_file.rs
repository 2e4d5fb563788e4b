//! Files of work lists and results as the commands read them.

use crate::failure::{Failure, Kind};
use std::fs;
use std::io;
use std::path::Path;

/// What a file is called in messages.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    fs::read(path).and_then(|bytes| text(&bytes)).map_err(|error| unreadable(path, &error))
}

/// Bytes as text; a cut last line may end inside a character.
pub(crate) fn text(bytes: &[u8]) -> io::Result<String> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text =
        std::str::from_utf8(&bytes[..whole]).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(text.to_owned() + &String::from_utf8_lossy(&bytes[whole..]))
}

/// The fault of a file that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{} cannot be read: {error}", path.display());
    Failure::new(Kind::List, message, "Give a work list of 'kalah solve … --split' or results of 'kalah work'.")
}

/// A path as a shell reads it.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '/' | '+' | '-' | ':' | ',' | '=');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_get_back_what_was_meant() {
        assert_eq!(quoted("a/b-1.jsonl"), "a/b-1.jsonl");
        assert_eq!(quoted("my list"), "'my list'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn only_a_cut_last_line_may_end_inside_a_character() {
        assert_eq!(text("ä\nb".as_bytes()).unwrap(), "ä\nb");
        assert!(text(&[b'a', b'\n', 0xc3]).unwrap().starts_with("a\n"));
        assert!(text(&[0xc3, b'\n']).is_err());
    }
}
