//! Files of work lists and results as the commands read them.

use crate::failure::{Failure, Kind};
use kalah::database::{ErrorKind, Journal, JournalError};
use kalah::split::{Evidence, RESULTS_TITLE, WorkList, read_results};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What a file of results of an earlier version begins with.
const OLD_RESULT: &str = "{\"id\":";

/// What a file is called in messages.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}

/// A work list, or results with where each was found.
pub(crate) enum Content {
    List(WorkList),
    Results(Vec<Evidence>),
}

/// Reads a file, whichever of the two it is.
pub(crate) fn content(path: &Path) -> Result<Content, Failure> {
    if head(path).is_ok_and(|head| WorkList::is_list(&head)) {
        return Ok(Content::List(list(path)?));
    }
    let lines = Journal::read(path, RESULTS_TITLE).map_err(|error| journal(path, &error))?;
    Ok(Content::Results(read_results(&lines, &name(path))?))
}

/// Reads a work list.
pub(crate) fn list(path: &Path) -> Result<WorkList, Failure> {
    let text = regular(path).and_then(|file| {
        let mut text = String::new();
        file.take(Journal::MAX_BYTES).read_to_string(&mut text).map(|_| text)
    });
    Ok(WorkList::from_text(&text.map_err(|error| unreadable(path, &error))?, &name(path))?)
}

/// The first few characters of a file.
fn head(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    regular(path)?.take(64).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a regular file: a pipe would wait for its other end, and a device might never end.
fn regular(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
}

/// The fault of a file that cannot be read.
fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{} cannot be read: {error}", path.display());
    Failure::new(Kind::List, message, "Give a work list of 'kalah solve … --split' or results of 'kalah work'.")
}

/// The fault of a file of results.
pub(crate) fn journal(path: &Path, error: &JournalError) -> Failure {
    let old = matches!(error, JournalError::NotAJournal { .. }) && head(path).is_ok_and(|h| h.starts_with(OLD_RESULT));
    if old {
        let message = format!("{} holds results of an earlier version, whose lines had no checksum", path.display());
        return Failure::new(Kind::List, message, "Solve its sub-problems again with 'kalah work'.");
    }
    let kind = if error.kind() == ErrorKind::DiskFull { Kind::Limit } else { Kind::List };
    Failure::new(kind, error.to_string(), error.help())
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
}
