//! The file that keeps the rows of one rule set: read at the beginning, one whole line more for every cell, sorted at the end.

use crate::atlas::cell::Cell;
use crate::atlas::error::AtlasError;
use crate::atlas::row::Row;
use kalah_rules::RuleSet;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The rows of one rule set, kept in the file `RULES.csv` of a directory.
///
/// Every row is on disk before [`add`](Table::add) returns, so a process that is killed loses only the cell it was at. A
/// last line without its end, which a killed process may leave, is cut off. Every line ends with its checksum, and its
/// numbers are checked against the rules before they are believed. A cell may have several rows if each says more than the
/// one before it ([`Row::follows`]); the last counts.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    /// Open for more lines, and locked.
    file: File,
    /// By pits and seeds.
    rows: BTreeMap<(u8, u32), Row>,
    /// Lines that a later one replaces, or that are out of order.
    untidy: bool,
}

impl Table {
    /// Opens the table of a rule set in `directory`; both are created if they are missing.
    ///
    /// # Errors
    /// If the file cannot be read or written, is no regular file, is being written by another process, or holds a line that
    /// is damaged, about other rules, or contradicts or repeats another one.
    pub fn open(directory: &Path, rules: &RuleSet) -> Result<Table, AtlasError> {
        let path = directory.join(format!("{rules}.csv"));
        let io = |doing| {
            let file = path.clone();
            move |source| AtlasError::Io { file, doing, source }
        };
        fs::create_dir_all(directory).map_err(io("creating the directory of"))?;
        // A pipe or a device would have to be waited for, or never ends.
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(AtlasError::NotAFile { file: path });
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(io("opening"))?;
        match file.try_lock() {
            // Another process may have put a sorted file in its place since it was opened.
            Ok(()) if is_at(&file, &path) => {}
            Ok(()) | Err(TryLockError::WouldBlock) => return Err(AtlasError::Locked { file: path }),
            Err(TryLockError::Error(source)) => return Err(io("locking")(source)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io("reading"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let head = Row::COLUMNS.join(",");
        // Only what a killed run leaves is cut off, not a file of something else.
        let first = text.split_inclusive('\n').next().unwrap_or_default();
        if !format!("{head}\n").starts_with(first) {
            let (expected, found) = (head, first.trim_end().chars().take(200).collect());
            return Err(AtlasError::Columns { file: path, expected, found });
        }
        if whole < text.len() {
            file.set_len(whole as u64).map_err(io("mending"))?;
        }
        let mut table = Table { path: path.clone(), file, rows: BTreeMap::new(), untidy: false };
        if whole == 0 {
            table.write(&head)?;
        }
        for (text, line) in text[..whole].lines().zip(1..).skip(1) {
            let fault = |fault| AtlasError::Line { file: path.clone(), line, fault };
            let row: Row = text.parse().map_err(fault)?;
            if row.cell.rules != *rules {
                return Err(fault(format!("expected the rules {rules}, found {}", row.cell.rules)));
            }
            if let Some(earlier) = table.row(&row.cell).filter(|earlier| !row.follows(earlier)) {
                let what = if earlier.value == row.value { "repeats" } else { "contradicts" };
                return Err(fault(format!("it {what} an earlier line about the same start")));
            }
            table.enter(row);
        }
        Ok(table)
    }

    /// The row of a cell; `None` if nobody has looked at it.
    pub fn row(&self, cell: &Cell) -> Option<&Row> {
        self.rows.get(&(cell.pits, cell.seeds)).filter(|row| row.cell == *cell)
    }

    /// Adds a row as one whole line, unless it says no more than the row there is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, row: Row) -> Result<(), AtlasError> {
        if self.row(&row.cell).is_some_and(|earlier| !row.follows(earlier)) {
            return Ok(());
        }
        self.write(&row.to_string())?;
        self.enter(row);
        Ok(())
    }

    /// Sorts the file by pits and seeds and leaves out what later rows replace, in one step: the file is always whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), AtlasError> {
        if !self.untidy {
            return Ok(());
        }
        let new = self.path.with_extension("csv.new");
        let io = |doing| {
            let file = self.path.clone();
            move |source| AtlasError::Io { file, doing, source }
        };
        let lines = std::iter::once(Row::COLUMNS.join(",")).chain(self.rows.values().map(Row::to_string));
        let text: String = lines.map(|line| line + "\n").collect();
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(io("sorting"))?;
        fs::rename(&new, &self.path).map_err(io("sorting"))
    }

    fn enter(&mut self, row: Row) {
        let key = (row.cell.pits, row.cell.seeds);
        self.untidy |= self.rows.last_key_value().is_some_and(|(&last, _)| last >= key);
        self.rows.insert(key, row);
    }

    fn write(&mut self, line: &str) -> Result<(), AtlasError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|source| AtlasError::Io { file: self.path.clone(), doing: "writing", source })
    }
}

/// Whether an open file is still the one that lies at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().ok().map(place) == fs::metadata(path).ok().map(place)
}

/// Whether an open file is still the one that lies at a path: where the system cannot tell, it does not replace open files.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::Margin;
    use kalah_search::Bounds;

    fn row(pits: u8, seeds: u32, lower: i16) -> Row {
        let unknown = Row::unknown(Cell { rules: RuleSet::default(), pits, seeds });
        Row { value: Bounds { lower: Margin(lower), ..unknown.value }, ..unknown }
    }

    #[test]
    fn the_last_row_of_a_cell_counts_and_the_file_is_sorted_in_the_end() {
        let home = tempfile::tempdir().unwrap();
        let rules = RuleSet::default();
        let mut table = Table::open(home.path(), &rules).unwrap();
        for row in [row(2, 3, 0), row(1, 1, 0), row(2, 3, 2), row(2, 3, 0)] {
            table.add(row).unwrap();
        }
        drop(table);
        let table = Table::open(home.path(), &rules).unwrap();
        assert_eq!(table.row(&row(2, 3, 0).cell), Some(&row(2, 3, 2)));
        assert_eq!(table.row(&row(2, 2, 0).cell), None);
        table.finish().unwrap();
        let text = fs::read_to_string(home.path().join("kalah.csv")).unwrap();
        let expected = [Row::COLUMNS.join(","), row(1, 1, 0).to_string(), row(2, 3, 2).to_string()];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn wherever_a_file_is_cut_whole_lines_stay() {
        let home = tempfile::tempdir().unwrap();
        let rules = RuleSet::default();
        let path = home.path().join("kalah.csv");
        let mut table = Table::open(home.path(), &rules).unwrap();
        for seeds in 1..=3 {
            table.add(row(2, seeds, 0)).unwrap();
        }
        drop(table);
        let whole = fs::read(&path).unwrap();
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut table = Table::open(home.path(), &rules).unwrap();
            let lines = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(table.rows.len(), lines.saturating_sub(1), "cut at {cut}");
            table.add(row(3, 1, 0)).unwrap();
            drop(table);
            assert_eq!(Table::open(home.path(), &rules).unwrap().rows.len(), lines.saturating_sub(1) + 1);
        }
    }

    #[test]
    fn foreign_lines_and_other_writers_are_named() {
        let home = tempfile::tempdir().unwrap();
        let rules = RuleSet::default();
        let table = Table::open(home.path(), &rules).unwrap();
        assert!(matches!(Table::open(home.path(), &rules), Err(AtlasError::Locked { .. })));
        drop(table);
        let path = home.path().join("kalah.csv");
        let head = fs::read_to_string(&path).unwrap();
        let other = Row { cell: Cell { rules: "awari".parse().unwrap(), pits: 2, seeds: 1 }, ..row(2, 1, 0) };
        for (text, expected) in [
            (format!("{head}what is this\n"), "line 2 of"),
            (format!("{head}{other}\n"), "expected the rules kalah, found awari"),
            (format!("{head}{}\n{}\n", row(2, 1, 0), row(2, 1, 0)), "line 3 of"),
            (format!("{head}{}\n{}\n", row(2, 1, 0), row(2, 1, 0)), "repeats an earlier line"),
            (format!("{head}{}\n{}\n", row(2, 1, 2), row(2, 1, 0)), "contradicts an earlier line"),
            ("pits,value\n".to_owned(), "expected the columns"),
            ("no line at all".to_owned(), "expected the columns"),
        ] {
            fs::write(&path, &text).unwrap();
            let fault = Table::open(home.path(), &rules).unwrap_err().to_string();
            assert!(fault.contains(expected), "{fault}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn no_changed_digit_becomes_a_value() {
        let home = tempfile::tempdir().unwrap();
        let rules = RuleSet::default();
        let mut table = Table::open(home.path(), &rules).unwrap();
        let rows = [row(1, 1, 0), row(2, 1, 0), row(2, 3, 2)];
        rows.iter().for_each(|row| table.add(row.clone()).unwrap());
        drop(table);
        let path = home.path().join("kalah.csv");
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            // Without its line break the last line may count as torn: it is then worked out again.
            let Ok(table) = Table::open(home.path(), &rules) else { continue };
            assert!(at + 1 == whole.len() && table.rows.values().all(|found| rows.contains(found)), "byte {at}");
        }
    }

    #[test]
    fn directories_and_devices_are_no_tables() {
        let home = tempfile::tempdir().unwrap();
        let rules = RuleSet::default();
        fs::create_dir(home.path().join("kalah.csv")).unwrap();
        assert!(matches!(Table::open(home.path(), &rules), Err(AtlasError::NotAFile { .. })));
    }
}
