//! The journal beside an unfinished layer: which sections are whole and what their bytes hash to.

use crate::{DatabaseError, ErrorKind, Journal, JournalError, disk};
use std::path::Path;

/// A journal and the hash of each section, if it is finished.
type Resumed = (SectionsDone, Vec<Option<u64>>);

/// The open journal of a layer.
pub(crate) struct SectionsDone(Journal);

impl SectionsDone {
    /// Begins an empty journal for the layer with this title, replacing any other.
    pub(crate) fn start(path: &Path, title: &str) -> Result<SectionsDone, DatabaseError> {
        disk::remove(path)?;
        Ok(SectionsDone(Journal::open(path, title)?.0))
    }

    /// Opens the journal for the layer with this title and returns the hashes of finished sections. `None` if the journal
    /// is new, damaged or another layer's: the layer is then begun anew.
    pub(crate) fn resume(path: &Path, title: &str, sections: usize) -> Result<Option<Resumed>, JournalError> {
        let (journal, lines) = match Journal::open(path, title) {
            Err(error) if matches!(error.kind(), ErrorKind::Damaged | ErrorKind::Foreign) => return Ok(None),
            opened => opened?,
        };
        if lines.is_empty() {
            return Ok(None);
        }
        let mut finished = vec![None; sections];
        for line in lines {
            let mut words = line.split(' ');
            let verb = words.next();
            let section =
                words.next().and_then(|word| word.parse::<usize>().ok()).filter(|&section| section < sections);
            let hash = words.next().map(|word| u64::from_str_radix(word, 16));
            match (verb, section, hash) {
                (Some("done"), Some(section), Some(Ok(hash))) => finished[section] = Some(hash),
                (Some("redo"), Some(section), None) => finished[section] = None,
                _ => return Ok(None),
            }
        }
        Ok(Some((SectionsDone(journal), finished)))
    }

    /// Notes a section whose bytes are all in the file.
    pub(crate) fn done(&mut self, section: usize, hash: u64) -> Result<(), JournalError> {
        self.0.append(&format!("done {section} {hash:016x}"))
    }

    /// Takes back what has been noted of a section.
    pub(crate) fn redo(&mut self, section: usize) -> Result<(), JournalError> {
        self.0.append(&format!("redo {section}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_last_counts_wherever_the_file_was_torn() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let mut journal = SectionsDone::start(&path, "title").unwrap();
        for (section, hash) in [(0, 5), (3, 7), (8, 9)] {
            journal.done(section, hash).unwrap();
        }
        journal.redo(3).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').collect();
        let full = [(0, 5), (3, 7), (8, 9)];
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            // A line without its line break is whole.
            let lines = ends.iter().filter(|&&end| end <= cut).count();
            match SectionsDone::resume(&path, "title", 9).unwrap() {
                None => assert!(lines <= 1, "cut at {cut}"),
                Some((mut journal, finished)) => {
                    let mut expected = vec![None; 9];
                    full[..(lines - 1).min(3)].iter().for_each(|&(section, hash)| expected[section] = Some(hash));
                    if lines == 5 {
                        expected[3] = None;
                    }
                    assert_eq!(finished, expected, "cut at {cut}");
                    // What is appended after a torn line is read again.
                    journal.done(1, 1).unwrap();
                    drop(journal);
                    expected[1] = Some(1);
                    assert_eq!(SectionsDone::resume(&path, "title", 9).unwrap().unwrap().1, expected);
                }
            }
        }
    }

    #[test]
    fn a_foreign_or_damaged_journal_is_none_and_can_be_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let mut journal = SectionsDone::start(&path, "title").unwrap();
        journal.done(0, 1).unwrap();
        drop(journal);
        assert!(SectionsDone::resume(&path, "other", 9).unwrap().is_none());
        let whole = std::fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            let found = SectionsDone::resume(&path, "title", 2).unwrap();
            // A last line without its line break may be a torn one.
            assert!(found.is_none(), "change at {place}");
        }
        SectionsDone::start(&path, "title").unwrap();
        assert!(SectionsDone::resume(&path, "title", 9).unwrap().is_none(), "nothing is noted yet");
    }
}
