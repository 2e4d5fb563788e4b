//! Journals: what is read back is what was appended, and nothing else is believed, waited for or destroyed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_database::{ErrorKind, Journal, JournalError};
use std::fs;
use std::path::Path;

const TITLE: &str = "values of kalah; 6 pits";

fn write(path: &Path, lines: &[&str]) -> Vec<u8> {
    let (mut journal, _) = Journal::open(path, TITLE).unwrap();
    lines.iter().for_each(|line| journal.append(line).unwrap());
    journal.sync().unwrap();
    fs::read(path).unwrap()
}

#[test]
fn lines_come_back_and_are_added_to() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j");
    let lines = ["one", "", "  two, with spaces  ", "dr\u{e4}i"];
    write(&path, &lines);
    assert_eq!(Journal::read(&path, TITLE).unwrap(), lines);
    let (mut journal, found) = Journal::open(&path, TITLE).unwrap();
    assert_eq!((journal.path(), found), (path.as_path(), lines.map(str::to_owned).to_vec()));
    journal.append("five").unwrap();
    assert_eq!(Journal::read(&path, TITLE).unwrap()[4], "five", "a locked file can be read");
    assert!(matches!(journal.append("a\nb"), Err(JournalError::LineBreak { .. })));
    assert_eq!(Journal::read(&path, TITLE).unwrap().len(), 5);
}

#[test]
fn a_torn_last_line_is_cut_wherever_it_was_torn() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j");
    let whole = write(&path, &["one", "two"]);
    let ends: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut expected: Vec<&str> = ["one", "two"][..ends[1..].iter().filter(|&&end| end <= cut).count()].to_vec();
        let read = Journal::read(&path, TITLE).unwrap();
        assert_eq!(read, expected, "cut at {cut}");
        assert_eq!(fs::read(&path).unwrap(), &whole[..cut], "reading changes nothing");
        let (mut journal, lines) = Journal::open(&path, TITLE).unwrap();
        assert_eq!(lines, expected, "cut at {cut}");
        journal.append("more").unwrap();
        expected.push("more");
        drop(journal);
        assert_eq!(Journal::open(&path, TITLE).unwrap().1, expected, "cut at {cut}");
    }
}

#[test]
fn every_changed_byte_is_an_error_by_its_line_and_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j");
    let whole = write(&path, &["one 1", "two 2", "three 3"]);
    for at in 0..whole.len() {
        for flip in [0x01, 0x20, 0x80] {
            let mut changed = whole.clone();
            changed[at] ^= flip;
            fs::write(&path, &changed).unwrap();
            let here = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
            for error in [Journal::open(&path, TITLE).map(drop), Journal::read(&path, TITLE).map(drop)] {
                match error {
                    Err(JournalError::BadLine { line, .. }) => assert!(line == here && line > 1, "byte {at}: {line}"),
                    Err(JournalError::NotAJournal { .. }) => assert_eq!(here, 1, "byte {at}"),
                    // The last line break: what is left looks like a torn line.
                    Ok(()) => assert_eq!(at, whole.len() - 1),
                    Err(other) => panic!("byte {at}: {other}"),
                }
            }
            if at < whole.len() - 1 {
                assert_eq!(fs::read(&path).unwrap(), changed, "byte {at}");
            }
        }
    }
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j");
    for content in [&b"my notes"[..], b"\n", b"my notes\n", b"values of kalah; 7", &[0; 5000], b"\xff\xfe"] {
        fs::write(&path, content).unwrap();
        assert!(matches!(Journal::open(&path, TITLE), Err(JournalError::NotAJournal { .. })), "{content:?}");
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    fs::remove_file(&path).unwrap();
    let whole = write(&path, &["one"]);
    for result in [Journal::open(&path, "else").map(drop), Journal::read(&path, "else").map(drop)] {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Foreign);
        assert!(error.to_string().ends_with(&format!("is about '{TITLE}', expected 'else'")), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a_second_owner_is_refused_until_the_first_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j");
    let (first, _) = Journal::open(&path, TITLE).unwrap();
    match Journal::open(&path, TITLE) {
        Err(JournalError::Locked { pid, .. }) => {
            if cfg!(target_os = "linux") && Path::new("/proc/locks").exists() {
                assert_eq!(pid, Some(std::process::id()));
            }
        }
        other => panic!("{other:?}"),
    }
    drop(first);
    Journal::open(&path, TITLE).unwrap();
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let mut paths = vec![directory.path().to_owned()];
    if cfg!(unix) {
        let pipe = directory.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        paths.extend([pipe, "/dev/zero".into(), "/dev/null".into()]);
    }
    for path in paths {
        for result in [Journal::open(&path, TITLE).map(drop), Journal::read(&path, TITLE).map(drop)] {
            assert!(matches!(result, Err(JournalError::NotAFile { .. })), "{}: {result:?}", path.display());
        }
    }
    let nowhere = directory.path().join("no/such/j");
    assert!(matches!(Journal::read(&nowhere, TITLE), Err(JournalError::Missing { .. })));
    assert_eq!(Journal::open(&nowhere, TITLE).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn a_file_beyond_the_cap_is_refused_before_it_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j");
    write(&path, &["one"]);
    // All but the first line is a hole: it takes no room, and reading it would take a gigabyte of memory.
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(Journal::MAX_BYTES + 1).unwrap();
    for result in [Journal::open(&path, TITLE).map(drop), Journal::read(&path, TITLE).map(drop)] {
        assert!(matches!(result, Err(JournalError::TooLarge { .. })), "{result:?}");
    }
}
