//! A writer that ends at any moment, also by a real kill, is resumed to the same bytes with no finished section lost.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod samples;

use kalah_database::{Access, Codec, Database, DirectoryLock, Encoding, LayerWriter, Parity, Stamp};
use samples::{mix, stamp, values, write};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const ENCODING: Encoding = Encoding { parity: Parity::Known, codec: Codec::Raw };

#[test]
fn a_writer_dropped_anywhere_is_resumed() {
    let (pits, seeds) = (4, 8);
    let undisturbed = tempfile::tempdir().unwrap();
    let expected =
        std::fs::read(write(undisturbed.path(), &stamp(pits), seeds, Parity::Known, Codec::Raw).path()).unwrap();
    let all = values(pits, seeds, Parity::Known);
    for round in 0..30 {
        let directory = tempfile::tempdir().unwrap();
        let lock = DirectoryLock::acquire(directory.path()).unwrap();
        let mut step = round * 1000;
        let mut random = || {
            step += 1;
            mix(step) as usize >> 8
        };
        let mut done: Vec<usize> = Vec::new();
        let file = loop {
            let writer = LayerWriter::create(&lock, &stamp(pits), seeds, ENCODING).unwrap();
            for &section in &done {
                assert!(writer.is_done(section), "round {round}: section {section} was lost");
            }
            let mut left: Vec<usize> =
                (0..writer.sections().len()).filter(|&section| !writer.is_done(section)).collect();
            if left.is_empty() {
                break writer.finish().unwrap();
            }
            // Some whole sections, then one in pieces, maybe not all of them; then the writer is gone.
            for _ in 0..random() % 3 {
                if left.len() > 1 {
                    let section = left.swap_remove(random() % left.len());
                    let ranks = writer.sections()[section].ranks();
                    writer.write(ranks.start, &all[ranks.start as usize..ranks.end as usize]).unwrap();
                    done.push(section);
                }
            }
            let ranks = writer.sections()[left[0]].ranks();
            for first in ranks.clone().step_by(37) {
                if random() % 20 == 0 {
                    break;
                }
                let last = (first + 37).min(ranks.end);
                writer.write(first, &all[first as usize..last as usize]).unwrap();
            }
            if writer.is_done(left[0]) {
                done.push(left[0]);
            }
        };
        assert!(std::fs::read(file.path()).unwrap() == expected, "round {round}");
    }
}

#[test]
fn sections_that_did_not_reach_the_disk_are_written_again() {
    let (pits, seeds) = (4, 8);
    let all = values(pits, seeds, Parity::Known);
    let directory = tempfile::tempdir().unwrap();
    let lock = DirectoryLock::acquire(directory.path()).unwrap();
    let create = || LayerWriter::create(&lock, &stamp(pits), seeds, ENCODING).unwrap();
    create().write(0, &all).unwrap();
    let partial = directory.path().join("kalah-empty+leftover=none_4_8.layer.partial");
    let good = std::fs::read(&partial).unwrap();
    let head = good.len() - all.len();

    // As after a power cut: the journal is there, some pages of the file are not.
    let mut bad = good.clone();
    bad[head + 1000] ^= 1;
    bad[good.len() - 5..].fill(0);
    std::fs::write(&partial, &bad).unwrap();
    let writer = create();
    let lost: Vec<usize> = (0..=8).filter(|&section| !writer.is_done(section)).collect();
    let hit = writer.sections().iter().position(|section| section.ranks().contains(&1000)).unwrap();
    assert_eq!(lost, [hit, 8]);
    for section in lost {
        let ranks = writer.sections()[section].ranks();
        writer.write(ranks.start, &all[ranks.start as usize..ranks.end as usize]).unwrap();
    }
    drop(writer);

    // The sections written again count now; a file of another length does not; nor does the journal of other rules.
    assert!((0..=8).all(|section| create().is_done(section)));
    let other = Stamp { rules_hash: 5, ..stamp(pits) };
    assert!(!(0..=8).any(|section| LayerWriter::create(&lock, &other, seeds, ENCODING).unwrap().is_done(section)));
    create().write(0, &all).unwrap();
    std::fs::write(&partial, &good[..good.len() - 1]).unwrap();
    let writer = create();
    assert!(!(0..=8).any(|section| writer.is_done(section)));
    writer.write(0, &all).unwrap();
    assert!(samples::all(&writer.finish().unwrap()) == all);
}

#[test]
fn sections_written_from_memory_count_after_an_interruption() {
    let (pits, seeds) = (4, 8);
    let all = values(pits, seeds, Parity::Known);
    let directory = tempfile::tempdir().unwrap();
    let lock = DirectoryLock::acquire(directory.path()).unwrap();
    let create = || LayerWriter::create(&lock, &stamp(pits), seeds, ENCODING).unwrap();
    let writer = create();
    for (number, section) in writer.sections().iter().enumerate() {
        let values = &all[section.first as usize..section.ranks().end as usize];
        let middle = values.len() / 3;
        writer.write_part(number, values, middle..values.len()).unwrap();
        assert!(middle == 0 || !writer.is_done(number));
        if number != 5 && middle > 0 {
            writer.write_part(number, values, 0..middle).unwrap();
        }
        assert_eq!(writer.is_done(number), number != 5);
    }
    drop(writer);
    // What the journal says of each is what lies in the file.
    let writer = create();
    assert!((0..=8).all(|section| writer.is_done(section) == (section != 5)));
    let ranks = writer.sections()[5].ranks();
    writer.write(ranks.start, &all[ranks.start as usize..ranks.end as usize]).unwrap();
    assert!(samples::all(&writer.finish().unwrap()) == all);
}

#[test]
fn a_sealed_layer_can_be_read_and_is_not_lost_without_its_name() {
    let (pits, seeds) = (4, 8);
    let all = values(pits, seeds, Parity::Known);
    for codec in Codec::ALL {
        let encoding = Encoding { codec, ..ENCODING };
        let directory = tempfile::tempdir().unwrap();
        let lock = DirectoryLock::acquire(directory.path()).unwrap();
        let create = || LayerWriter::create(&lock, &stamp(pits), seeds, encoding).unwrap();
        let path = stamp(pits).path(directory.path(), seeds);
        create().write(0, &all).unwrap();

        // It ends before the layer has its name.
        let (file, sealed) = create().seal(3, Access::Map, &|| true).unwrap().unwrap();
        let mut read = vec![0; all.len()];
        file.read(0, &mut read).unwrap();
        assert!(read == all && file.path() == path && !path.exists(), "{codec}");
        drop((file, sealed));

        let writer = create();
        assert!((0..=8).all(|section| writer.is_done(section)), "{codec}");
        let (file, sealed) = writer.seal(1, Access::Blocks, &|| true).unwrap().unwrap();
        sealed.complete().unwrap();
        file.read(0, &mut read).unwrap();
        assert!(read == all, "{codec}: an open layer keeps its values while it gets its name");
        let undisturbed = tempfile::tempdir().unwrap();
        let expected = write(undisturbed.path(), &stamp(pits), seeds, Parity::Known, codec);
        assert!(std::fs::read(&path).unwrap() == std::fs::read(expected.path()).unwrap(), "{codec}");
        let mut left: Vec<_> =
            std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.sort();
        let names = ["lock", "manifest.json"].map(|name| directory.path().join(name));
        assert_eq!(left, [&[path][..], &names].concat(), "{codec}");
    }
}

const LAYERS: u32 = 9;

/// What the killed process runs: it builds layers section by section and says which are done.
#[test]
#[ignore = "run by the test that kills it"]
fn victim() {
    let Ok(directory) = std::env::var("KALAH_TEST_DIRECTORY") else { return };
    let lock = DirectoryLock::wait(Path::new(&directory)).unwrap();
    let first = Database::open(lock.directory(), &stamp(4)).unwrap().layers();
    for seeds in first..LAYERS {
        let all = values(4, seeds, Parity::Known);
        let writer = LayerWriter::create(&lock, &stamp(4), seeds, ENCODING).unwrap();
        for (section, ranks) in writer.sections().iter().map(kalah_index::Section::ranks).enumerate() {
            if writer.is_done(section) {
                continue;
            }
            for first in ranks.clone().step_by(101) {
                let last = (first + 101).min(ranks.end);
                writer.write(first, &all[first as usize..last as usize]).unwrap();
                std::thread::sleep(Duration::from_micros(50));
            }
            eprintln!("done {seeds} {section}");
        }
        writer.finish().unwrap();
        eprintln!("finished {seeds}");
    }
}

#[test]
fn a_killed_process_loses_no_finished_section() {
    let undisturbed = tempfile::tempdir().unwrap();
    let directory = tempfile::tempdir().unwrap();
    for seeds in 0..LAYERS {
        write(undisturbed.path(), &stamp(4), seeds, Parity::Known, Codec::Raw);
    }
    let (mut kills, mut whole_runs, mut attempts, mut most) = (0, 0, 0, 28_000);
    // At least 60 kills and one whole run, however fast or slow the machine is: processes get more time after a kill, and half
    // as much after one that came to its end.
    while kills < 60 || whole_runs == 0 {
        attempts += 1;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "victim", "--ignored", "--nocapture", "--test-threads=1"])
            .env("KALAH_TEST_DIRECTORY", directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros((mix(attempts) >> 10) % most));
        child.kill().unwrap();
        let killed = !child.wait().unwrap().success();
        kills += u64::from(killed);
        most = if killed { most + most / 16 } else { most / 2 + 1 };
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        // The kill may have come in the middle of a line.
        let lines = said.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));

        // A lock that does not die with its process keeps us waiting for ever here.
        let lock = DirectoryLock::wait(directory.path()).unwrap();
        let database = Database::open(directory.path(), &stamp(4)).unwrap();
        let next = database.layers();
        let writer = (next < LAYERS).then(|| LayerWriter::create(&lock, &stamp(4), next, ENCODING).unwrap());
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["done", seeds, section] if seeds.parse() == Ok(next) => {
                    let section = section.parse().unwrap();
                    assert!(writer.as_ref().is_some_and(|writer| writer.is_done(section)), "{line} was lost");
                }
                ["done" | "finished", seeds, ..] => {
                    assert!(seeds.parse::<u32>().is_ok_and(|seeds| seeds < next), "{line} was lost");
                }
                _ => {}
            }
        }
        if next == LAYERS {
            whole_runs += 1;
            for seeds in 0..LAYERS {
                let name = |directory: &Path| stamp(4).path(directory, seeds);
                let [one, two] = [directory.path(), undisturbed.path()].map(|dir| std::fs::read(name(dir)).unwrap());
                assert!(one == two, "layer {seeds} differs after {kills} kills");
                std::fs::remove_file(name(directory.path())).unwrap();
            }
        }
    }
}
