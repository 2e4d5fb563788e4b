//! The file that remembers verdicts about boards near one start.

use crate::fair::board::{elsewhere, places};
use crate::fair::error::FairError;
use crate::fair::record::Record;
use kalah_database::{Journal, JournalError};
use kalah_rules::{RuleSet, State};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// What earlier runs settled about boards near one start, in memory and in a [`Journal`].
#[derive(Debug)]
pub struct Settled {
    journal: Journal,
    records: HashMap<State, Record>,
}

impl Settled {
    /// Reads what is settled about boards near `start` and opens the file for more; it is created if it is missing.
    ///
    /// # Errors
    /// If the file is in use or no such file, is about another start or other rules, has a damaged line, or a line that
    /// repeats or contradicts another.
    pub fn open(path: &Path, rules: &RuleSet, start: &State) -> Result<Settled, FairError> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            let io = |source| JournalError::Io { file: path.to_owned(), doing: "creating the directory of", source };
            fs::create_dir_all(parent).map_err(io)?;
        }
        let title = format!("kalah fair: boards near {start} under {rules}, version 1");
        let (journal, lines) = Journal::open(path, &title)?;
        let mut records: HashMap<State, Record> = HashMap::new();
        // Line 1 is the title.
        for (line, text) in (2..).zip(lines) {
            let fault = |reason: String| FairError::Line { file: path.to_owned(), line, reason };
            let record: Record = text.parse().map_err(fault)?;
            let state = record.state;
            let near = state.pits() == start.pits() && state.to_move() == start.to_move();
            if record.rules != *rules || !near || state.seeds() != start.seeds() {
                return Err(fault(format!("{state} under {} is no board near {start} under {rules}", record.rules)));
            }
            if elsewhere(start, &state) != record.moved {
                return Err(fault(format!("{state} has not {} seeds elsewhere than {start}", record.moved)));
            }
            if let Some(earlier) = records.get(&state) {
                let what = if earlier.verdict == record.verdict { "repeats" } else { "contradicts" };
                return Err(fault(format!("it {what} an earlier line about {state}")));
            }
            records.insert(state, record);
        }
        Ok(Settled { journal, records })
    }

    /// What is settled about a board.
    pub fn record(&self, state: &State) -> Option<&Record> {
        self.records.get(state)
    }

    /// Everything that is settled, in the order of [`boards`](crate::fair::boards).
    pub fn records(&self) -> Vec<&Record> {
        let mut records: Vec<&Record> = self.records.values().collect();
        records.sort_by_cached_key(|record| (record.moved, places(&record.state)));
        records
    }

    /// Remembers a verdict, unless there is one about the board. It counts for this process even if it cannot be written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: Record) -> Result<(), FairError> {
        if self.records.contains_key(&record.state) {
            return Ok(());
        }
        let written = self.journal.append(&record.to_string());
        self.records.insert(record.state, record);
        Ok(written?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::{Verdict, boards};

    fn records(rules: RuleSet, start: State) -> Vec<Record> {
        let verdicts = Verdict::ALL.into_iter().cycle();
        let all = boards(start, 1..=2).take(7).zip(verdicts);
        all.map(|(board, verdict)| Record { rules, moved: board.moved, verdict, nodes: 7, state: board.state })
            .collect()
    }

    #[test]
    fn verdicts_come_back_and_no_changed_byte_becomes_one() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deep").join("fair.journal");
        let (rules, start) = (RuleSet::default(), State::start(2, 2).unwrap());
        let mut settled = Settled::open(&path, &rules, &start).unwrap();
        let records = records(rules, start);
        records.iter().rev().for_each(|record| settled.add(record.clone()).unwrap());
        assert!(matches!(Settled::open(&path, &rules, &start), Err(FairError::Journal(JournalError::Locked { .. }))));
        drop(settled);
        let settled = Settled::open(&path, &rules, &start).unwrap();
        assert_eq!(settled.records(), records.iter().collect::<Vec<_>>());
        drop(settled);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            for change in [1, 4] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                fs::write(&path, &bytes).unwrap();
                // Without its line break the last line may count as torn: it is then settled again.
                let Ok(settled) = Settled::open(&path, &rules, &start) else { continue };
                assert!(at + 1 == whole.len(), "byte {at} changed and nobody noticed");
                assert!(settled.records().into_iter().all(|record| records.contains(record)));
            }
        }
    }

    #[test]
    fn lines_that_do_not_fit_are_named() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("fair.journal");
        let (rules, start) = (RuleSet::default(), State::start(2, 2).unwrap());
        let first = records(rules, start)[0].clone();
        for (other, told) in [
            (first.clone(), "line 3 of"),
            (first.clone(), "repeats an earlier line"),
            (Record { verdict: Verdict::First, ..first.clone() }, "contradicts an earlier line"),
            (Record { moved: 2, ..first.clone() }, "has not 2 seeds elsewhere"),
            (Record { rules: "awari".parse().unwrap(), ..first.clone() }, "is no board near"),
            (Record { state: State::start(3, 2).unwrap(), ..first.clone() }, "is no board near"),
        ] {
            drop(Settled::open(&path, &rules, &start).unwrap());
            let title =
                fs::read_to_string(&path).unwrap().lines().next().unwrap().rsplit_once(' ').unwrap().0.to_owned();
            let (mut journal, _) = Journal::open(&path, &title).unwrap();
            journal.append(&first.to_string()).unwrap();
            journal.append(&other.to_string()).unwrap();
            drop(journal);
            let error = Settled::open(&path, &rules, &start).unwrap_err();
            assert!(error.to_string().contains(told) && !error.help().is_empty(), "{error}");
            fs::remove_file(&path).unwrap();
        }
    }
}
