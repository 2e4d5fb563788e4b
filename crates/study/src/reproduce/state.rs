//! The file that remembers what earlier runs settled: what was found, not what was concluded from it.

use crate::reproduce::claim::Claim;
use crate::reproduce::error::ReproduceError;
use crate::reproduce::evaluator::Evaluation;
use crate::reproduce::finding::Finding;
use crate::reproduce::report::Report;
use kalah_database::{Journal, JournalError};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// What the file is, in its first line.
const TITLE: &str = "kalah reproduce: what was found for published numbers, version 1";

/// What was found for one claim. The texts say what the claim was when it was evaluated: if it has changed since, the line
/// says nothing about it.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    rules: String,
    board: String,
    quantity: String,
    found: String,
    note: String,
    work: u64,
    seconds: f64,
    version: String,
}

impl Line {
    fn new(report: &Report) -> Line {
        let Report { id, rules, board, quantity, work, seconds, version, evaluation, .. } = report;
        Line {
            id: id.clone(),
            rules: rules.clone(),
            board: board.clone(),
            quantity: quantity.clone(),
            found: evaluation.finding.written(),
            note: evaluation.note.clone(),
            work: *work,
            seconds: *seconds,
            version: version.clone(),
        }
    }

    /// What the finding is about: one line can say it.
    fn about(&self) -> [&str; 5] {
        [&self.id, &self.rules, &self.board, &self.quantity, &self.version]
    }
}

/// What earlier runs settled, kept in a [`Journal`]. Only findings are kept; the verdict is derived again from the claim.
#[derive(Debug)]
pub struct Settled {
    journal: Journal,
    reports: HashMap<String, Report>,
}

impl Settled {
    /// Reads what is settled about `claims` and opens the file for more; it is created if it is missing.
    ///
    /// # Errors
    /// If the file is in use, is no such file, has a damaged line, or has a line that repeats or contradicts another.
    pub fn open(path: &Path, claims: &[Claim]) -> Result<Settled, ReproduceError> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            let io = |source| JournalError::Io { file: path.to_owned(), doing: "creating the directory of", source };
            fs::create_dir_all(parent).map_err(io)?;
        }
        let (journal, lines) = Journal::open(path, TITLE)?;
        let claims: HashMap<&str, &Claim> = claims.iter().map(|claim| (claim.id.as_str(), claim)).collect();
        let mut reports = HashMap::new();
        let mut read: Vec<(u64, Line)> = Vec::new();
        let mut places: HashMap<[String; 5], usize> = HashMap::new();
        // Line 1 is the title.
        for (number, text) in (2..).zip(&lines) {
            let fault = |reason| ReproduceError::State { file: path.to_owned(), line: number, reason };
            let line: Line = serde_json::from_str(text).map_err(|error| fault(format!("no report: {error}")))?;
            let finding = Finding::read(&line.found).map_err(fault)?;
            if let Some(&earlier) = places.get(&line.about().map(str::to_owned)) {
                let (earlier, other) = &read[earlier];
                let what = if other.found == line.found { "repeats" } else { "contradicts" };
                return Err(fault(format!("it {what} line {earlier} about {}", line.id)));
            }
            if let Some(report) = claims.get(line.id.as_str()).and_then(|claim| settle(claim, &line, finding)) {
                reports.insert(line.id.clone(), report);
            }
            places.insert(line.about().map(str::to_owned), read.len());
            read.push((number, line));
        }
        Ok(Settled { journal, reports })
    }

    /// Forgets what is settled and begins the file anew.
    ///
    /// # Errors
    /// If the file is in use, or is no such file: it is left as it is.
    pub fn begin_anew(path: &Path) -> Result<Settled, ReproduceError> {
        // While the old file is open, no other process can have it.
        let old = match Settled::open(path, &[]) {
            Ok(settled) => Some(settled),
            Err(ReproduceError::State { .. } | ReproduceError::Journal(JournalError::BadLine { .. })) => None,
            Err(error) => return Err(error),
        };
        let io = |source| JournalError::Io { file: path.to_owned(), doing: "emptying", source };
        fs::remove_file(path).map_err(io)?;
        let new = Settled::open(path, &[]);
        drop(old);
        new
    }

    /// The report about a claim, if an earlier run settled it.
    pub fn report(&self, claim: &Claim) -> Option<&Report> {
        self.reports.get(&claim.id)
    }

    /// Remembers a report if its verdict is final and nothing is known about its claim.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, report: &Report) -> Result<(), ReproduceError> {
        if !report.verdict.is_final() || self.reports.contains_key(&report.id) {
            return Ok(());
        }
        let line = serde_json::to_string(&Line::new(report)).map_err(|error| ReproduceError::State {
            file: self.journal.path().to_owned(),
            line: 0,
            reason: error.to_string(),
        })?;
        self.journal.append(&line)?;
        self.reports.insert(report.id.clone(), report.clone());
        Ok(())
    }
}

/// What a line says about a claim as it reads now; `None` if it is about an earlier wording of it or another version.
fn settle(claim: &Claim, line: &Line, finding: Finding) -> Option<Report> {
    let evaluation = Evaluation { finding, work: line.work, note: line.note.clone(), unplayed: None };
    let report = Report::new(claim, evaluation, line.seconds);
    let about = [&report.id, &report.rules, &report.board, &report.quantity, &report.version];
    (about.map(String::as_str) == line.about() && report.verdict.is_final()).then_some(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::{Evaluator, Means, Unwatched, claims, run, select};
    use std::path::PathBuf;

    fn settled(home: &Path, names: &[&str]) -> (PathBuf, Vec<Claim>, Vec<Report>) {
        let path = home.join("deep").join("reproduce.journal");
        let claims = claims().unwrap();
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let wanted = select(&claims, &names).unwrap();
        let reports = run(&Evaluator::new(Means::default()), &wanted, &Unwatched).unwrap();
        let mut settled = Settled::open(&path, &claims).unwrap();
        reports.iter().for_each(|report| settled.add(report).unwrap());
        (path, claims, reports)
    }

    #[test]
    fn reports_come_back_as_they_were() {
        let home = tempfile::tempdir().unwrap();
        let names =
            ["irving2000-t2-1", "irving2000-t2-2-5", "irving2000-t9-line-4-6", "oeis-a028933", "recomputed-best"];
        let (path, claims, reports) = settled(home.path(), &names);
        let settled = Settled::open(&path, &claims).unwrap();
        for report in reports.iter().filter(|report| report.verdict.is_final()) {
            let claim = claims.iter().find(|claim| claim.id == report.id).unwrap();
            assert_eq!(settled.report(claim), Some(report));
        }
        drop(settled);
        assert!(Settled::begin_anew(&path).unwrap().reports.is_empty());
        assert!(Settled::open(&path, &claims).unwrap().reports.is_empty());
    }

    #[test]
    fn no_changed_character_becomes_a_verdict() {
        let home = tempfile::tempdir().unwrap();
        let (path, claims, reports) = settled(home.path(), &["irving2000-t2-1-1", "irving2000-t9-4-3"]);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            for change in [1, 2, 0x10] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                fs::write(&path, &bytes).unwrap();
                // Without its line break the last line may count as torn: it is then found again.
                let Ok(settled) = Settled::open(&path, &claims) else { continue };
                for claim in &claims {
                    let Some(report) = settled.report(claim) else { continue };
                    assert!(reports.contains(report), "byte {at}: {report:?}");
                }
                assert!(at + 1 >= whole.len(), "byte {at} changed and nobody noticed");
            }
        }
    }

    #[test]
    fn repeated_and_contradicting_lines_are_named() {
        let home = tempfile::tempdir().unwrap();
        let (path, claims, reports) = settled(home.path(), &["irving2000-t2-1-1"]);
        for (found, what) in [("count 20", "repeats line 2"), ("count 21", "contradicts line 2")] {
            let whole = fs::read(&path).unwrap();
            let (mut journal, _) = Journal::open(&path, TITLE).unwrap();
            let line = Line { found: found.to_owned(), ..Line::new(&reports[0]) };
            journal.append(&serde_json::to_string(&line).unwrap()).unwrap();
            drop(journal);
            let error = Settled::open(&path, &claims).unwrap_err().to_string();
            assert!(error.contains("line 3 of") && error.contains(what), "{error}");
            fs::write(&path, whole).unwrap();
        }
    }

    #[test]
    fn two_processes_do_not_share_a_file() {
        let home = tempfile::tempdir().unwrap();
        let (path, claims, _) = settled(home.path(), &["irving2000-t2-1-1"]);
        let _open = Settled::open(&path, &claims).unwrap();
        for second in [Settled::open(&path, &claims), Settled::begin_anew(&path)] {
            assert!(matches!(second, Err(ReproduceError::Journal(JournalError::Locked { .. }))), "{second:?}");
        }
    }
}
