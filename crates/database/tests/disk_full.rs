//! A disk that is really full: the error says so, finished sections are kept, and with room again the layer is finished.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod samples;

use kalah_database::{
    Codec, DatabaseError, DirectoryLock, Encoding, ErrorKind, Journal, JournalError, LayerWriter, Parity,
};
use samples::{stamp, values};
use std::path::Path;
use std::process::Command;

/// Runs inside a namespace of its own, with a file system of three megabytes at the directory.
#[test]
#[ignore = "run by the test that makes the small disk"]
fn on_the_small_disk() {
    let Ok(directory) = std::env::var("KALAH_SMALL_DISK") else { return };
    let directory = Path::new(&directory);
    let lock = DirectoryLock::acquire(directory).unwrap();
    let ballast = directory.join("ballast");
    for codec in Codec::ALL {
        std::fs::write(&ballast, vec![1; 2_200_000]).unwrap();
        // 1.35 million positions do not fit beside it.
        let all = values(6, 12, Parity::Known);
        let create = || LayerWriter::create(&lock, &stamp(6), 12, Encoding { parity: Parity::Known, codec }).unwrap();
        let writer = create();
        let mut done = Vec::new();
        let error = (0..writer.sections().len())
            .find_map(|section| {
                let ranks = writer.sections()[section].ranks();
                let written = writer.write(ranks.start, &all[ranks.start as usize..ranks.end as usize]);
                if written.is_ok() {
                    done.push(section);
                }
                written.err()
            })
            .expect("the disk is too small");
        assert!(matches!(error, DatabaseError::DiskFull { .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::DiskFull);
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert!(!done.is_empty());
        drop(writer);

        std::fs::remove_file(&ballast).unwrap();
        let writer = create();
        assert!(done.iter().all(|&section| writer.is_done(section)), "{done:?}");
        for section in (0..writer.sections().len()).filter(|&section| !writer.is_done(section)) {
            let ranks = writer.sections()[section].ranks();
            writer.write(ranks.start, &all[ranks.start as usize..ranks.end as usize]).unwrap();
        }
        if codec != Codec::Raw {
            // No room to encode: the raw sections stay.
            std::fs::write(&ballast, vec![1; 1_400_000]).unwrap();
            let error = writer.finish().unwrap_err();
            assert!(matches!(error, DatabaseError::DiskFull { .. }), "{codec}: {error}");
            std::fs::remove_file(&ballast).unwrap();
            let writer = create();
            assert!((0..writer.sections().len()).all(|section| writer.is_done(section)));
            assert!(writer.finish().unwrap().test().is_ok());
        } else {
            assert!(samples::all(&writer.finish().unwrap()) == all);
        }
        std::fs::remove_file(stamp(6).path(directory, 12)).unwrap();
    }
}

/// As above, for a journal.
#[test]
#[ignore = "run by the test that makes the small disk"]
fn a_journal_on_the_small_disk() {
    let Ok(directory) = std::env::var("KALAH_SMALL_DISK") else { return };
    let path = Path::new(&directory).join("journal");
    let (mut journal, _) = Journal::open(&path, "title").unwrap();
    let line = "x".repeat(10_000);
    let mut written = 0;
    let error = loop {
        match journal.append(&line) {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, JournalError::DiskFull { .. }), "{error}");
    assert_eq!(journal.append(&line).map_err(|error| error.kind()), Err(ErrorKind::DiskFull));
    drop(journal);
    assert!(written > 100);
    let (mut journal, lines) = Journal::open(&path, "title").unwrap();
    assert!(lines.len() == written && lines.iter().all(|found| *found == line));
    // There is room for a little less.
    journal.append("short").unwrap();
    drop(journal);
    assert_eq!(Journal::read(&path, "title").unwrap().len(), written + 1);
    std::fs::remove_file(&path).unwrap();
}

#[test]
#[ignore = "needs leave to mount a small file system (unshare)"]
fn a_full_disk_keeps_finished_sections_and_lines() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().to_str().unwrap();
    let inside = |command: &str| {
        let script = format!("mount -t tmpfs -o size=3m none '{place}' && {command}");
        let mut run = Command::new("unshare");
        run.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).env("KALAH_SMALL_DISK", place);
        run.output()
    };
    let this = std::env::current_exe().unwrap();
    for test in ["a_journal_on_the_small_disk", "on_the_small_disk"] {
        let ran = inside(&format!("'{}' --exact {test} --ignored --nocapture", this.display())).unwrap();
        let output = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success() && output.contains("1 passed"), "{output}");
    }
}
