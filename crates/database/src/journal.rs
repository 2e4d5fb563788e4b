//! The journal beside an unfinished layer: which sections are whole and what their bytes hash to.
//!
//! It is lines of text, each ending with the XXH3-64 of what is before it, so that a line torn by a sudden end is
//! recognised and dropped together with all after it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// An open journal.
pub(crate) struct Journal {
    file: File,
}

impl Journal {
    /// Begins an empty journal for the layer with this title, replacing any other.
    pub(crate) fn start(path: &Path, title: &str) -> io::Result<Journal> {
        let mut journal = Journal { file: File::create(path)? };
        journal.append(title)?;
        Ok(journal)
    }

    /// Opens the journal for the layer with this title and returns the hashes of finished sections; `None` if there is no
    /// such journal.
    pub(crate) fn resume(path: &Path, title: &str, sections: usize) -> io::Result<Option<(Journal, Vec<Option<u64>>)>> {
        let mut file = match OpenOptions::new().read(true).append(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut lines =
            bytes.split_inclusive(|&byte| byte == b'\n').map_while(|line| Some((line.len(), content(line)?)));
        let Some((mut good, _)) = lines.next().filter(|(_, first)| *first == title) else { return Ok(None) };
        let mut finished = vec![None; sections];
        for (length, line) in lines {
            let mut words = line.split(' ');
            let verb = words.next();
            let section =
                words.next().and_then(|word| word.parse::<usize>().ok()).filter(|&section| section < sections);
            let hash = words.next().map(|word| u64::from_str_radix(word, 16));
            match (verb, section, hash) {
                (Some("done"), Some(section), Some(Ok(hash))) => finished[section] = Some(hash),
                (Some("redo"), Some(section), None) => finished[section] = None,
                _ => break,
            }
            good += length;
        }
        file.set_len(good as u64)?;
        Ok(Some((Journal { file }, finished)))
    }

    /// Notes a section whose bytes are all in the file.
    pub(crate) fn done(&mut self, section: usize, hash: u64) -> io::Result<()> {
        self.append(&format!("done {section} {hash:016x}"))
    }

    /// Takes back what has been noted of a section.
    pub(crate) fn redo(&mut self, section: usize) -> io::Result<()> {
        self.append(&format!("redo {section}"))
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        // One write a line: a process that is killed leaves whole lines.
        self.file.write_all(format!("{line} {:016x}\n", xxh3_64(line.as_bytes())).as_bytes())
    }
}

/// What a line says, if its hash is right.
fn content(line: &[u8]) -> Option<&str> {
    let (line, hash) = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?.rsplit_once(' ')?;
    (u64::from_str_radix(hash, 16).ok()? == xxh3_64(line.as_bytes())).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_count_and_torn_ones_do_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        assert!(Journal::resume(&path, "title", 9).unwrap().is_none());
        let mut journal = Journal::start(&path, "title").unwrap();
        for (section, hash) in [(0, 5), (3, 7), (8, 9)] {
            journal.done(section, hash).unwrap();
        }
        journal.redo(3).unwrap();
        drop(journal);
        assert!(Journal::resume(&path, "other", 9).unwrap().is_none());
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').collect();
        let full = [(0, 5), (3, 7), (8, 9)];
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let lines = ends.iter().filter(|&&end| end < cut).count();
            match Journal::resume(&path, "title", 9).unwrap() {
                None => assert_eq!(lines, 0),
                Some((mut journal, finished)) => {
                    let mut expected = vec![None; 9];
                    full[..(lines - 1).min(3)].iter().for_each(|&(section, hash)| expected[section] = Some(hash));
                    if lines == 5 {
                        expected[3] = None;
                    }
                    assert_eq!(finished, expected, "cut at {cut}");
                    // What is appended after a torn line is read again.
                    journal.done(1, 1).unwrap();
                    expected[1] = Some(1);
                    assert_eq!(Journal::resume(&path, "title", 9).unwrap().unwrap().1, expected);
                }
            }
        }
    }

    #[test]
    fn a_changed_line_ends_the_journal() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let mut journal = Journal::start(&path, "title").unwrap();
        journal.done(0, 1).unwrap();
        journal.done(1, 2).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            if let Some((_, finished)) = Journal::resume(&path, "title", 2).unwrap() {
                assert_ne!(finished, [Some(1), Some(2)], "change at {place}");
            }
        }
    }
}
