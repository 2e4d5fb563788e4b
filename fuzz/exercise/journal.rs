//! Opens a file as a journal that is appended to and resumed.

use super::{must_be_readable, on_disk};
use kalah_database::Journal;

/// The title of the journals in the corpus.
pub(crate) const TITLE: &str = "kalah fuzz 1";

/// What is read once is read again, and a line that is appended comes back last.
pub(crate) fn exercise(bytes: &[u8]) {
    let path = on_disk(".journal", bytes);
    if let Err(error) = Journal::read(&path, TITLE) {
        must_be_readable(&error.to_string(), &error.help(), bytes);
    }
    match Journal::open(&path, TITLE) {
        Ok((mut journal, lines)) => {
            journal.append("one more").expect("the file can be written");
            drop(journal);
            let mut again = Journal::read(&path, TITLE).expect("what is written can be read");
            assert_eq!(again.pop().as_deref(), Some("one more"));
            assert_eq!(again, lines);
        }
        Err(error) => must_be_readable(&error.to_string(), &error.help(), bytes),
    }
    let _ = std::fs::remove_file(path);
}
