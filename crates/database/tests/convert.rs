//! Layers in one codec become the same layers in another: the same bytes by every road.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod samples;

use kalah_database::{
    Access, Codec, DatabaseError, DirectoryLock, Encoding, LayerFile, LayerWriter, MANIFEST, Parity, convert,
};
use kalah_index::Layer;
use samples::{all, mix, stamp, write};
use std::sync::atomic::{AtomicU64, Ordering};

fn go_on(_: u64) -> bool {
    true
}

/// Values that resemble true ones: smooth along both rows, with noise and a few that are far off.
fn smooth(layer: &Layer, parity: Parity) -> Vec<i8> {
    let seeds = i64::from(layer.seeds());
    let step = if parity == Parity::Known { 2 } else { 1 };
    let mut values = Vec::new();
    for section in layer.sections() {
        for line in 0..section.lines {
            for column in 0..section.columns {
                let random = mix(values.len() as u64);
                let slope = (column * 7 / section.columns + line * 5 / section.lines) as i64;
                let noise =
                    if random.is_multiple_of(200) { random as i64 % 9 } else { i64::from(random.is_multiple_of(11)) };
                let number = (slope + noise - 3).clamp(0, 2 * seeds / step);
                values.push((number * step - seeds) as i8);
            }
        }
    }
    values
}

fn write_values(
    lock: &DirectoryLock,
    pits: u8,
    seeds: u32,
    encoding: Encoding,
    values: &[i8],
    threads: usize,
) -> LayerFile {
    let writer = LayerWriter::create(lock, &stamp(pits), seeds, encoding).unwrap();
    writer.write(0, values).unwrap();
    let (file, sealed) = writer.seal(threads, Access::Map, &|| true).unwrap().unwrap();
    sealed.complete().unwrap();
    file
}

#[test]
fn every_road_leads_to_the_same_bytes() {
    for (pits, seeds, parity) in
        [(6, 9, Parity::Known), (6, 8, Parity::Free), (3, 30, Parity::Known), (1, 9, Parity::Free)]
    {
        let directory = tempfile::tempdir().unwrap();
        let lock = DirectoryLock::acquire(directory.path()).unwrap();
        let values = smooth(&Layer::new(pits, seeds).unwrap(), parity);
        let direct = Codec::ALL.map(|codec| {
            let file = write_values(&lock, pits, seeds, Encoding { parity, codec }, &values, 1);
            std::fs::read(file.path()).unwrap()
        });
        for (from, source) in Codec::ALL.into_iter().zip(&direct) {
            let source = LayerFile::from_bytes("source".as_ref(), source.clone()).unwrap();
            for (to, expected) in Codec::ALL.into_iter().zip(&direct) {
                for threads in if from == Codec::Raw { &[1, 2, 7][..] } else { &[2] } {
                    let file = convert(&source, &lock, to, *threads, &go_on).unwrap().unwrap();
                    assert!(std::fs::read(file.path()).unwrap() == *expected, "{from} to {to}, {threads} threads");
                    assert!(file.verify(&go_on).is_sound());
                }
            }
        }
        let file = LayerFile::from_bytes("compressed".as_ref(), direct[2].clone()).unwrap();
        for probe in 0..3000 {
            let rank = mix(probe) % values.len() as u64;
            assert_eq!(file.value(rank).unwrap(), values[rank as usize], "{pits} pits, {seeds} seeds, rank {rank}");
        }
        if pits == 6 {
            assert!(direct[1].len() < direct[0].len() && direct[2].len() < direct[1].len());
        }
    }
}

#[test]
fn a_file_is_replaced_in_its_own_directory_and_answers_on() {
    let directory = tempfile::tempdir().unwrap();
    let open = write(directory.path(), &stamp(4), 6, Parity::Known, Codec::Raw);
    let before: Vec<i8> = all(&open);
    let lock = DirectoryLock::acquire(directory.path()).unwrap();
    let compressed = convert(&open, &lock, Codec::Compressed, 1, &go_on).unwrap().unwrap();
    assert_eq!((compressed.path(), all(&compressed)), (open.path(), before.clone()));
    assert_eq!(all(&open), before, "the old file lives as long as it is open");
    let raw = convert(&compressed, &lock, Codec::Raw, 1, &go_on).unwrap().unwrap();
    assert_eq!(all(&raw), before);
}

#[test]
fn stopped_and_failed_conversions_leave_nothing() {
    let directory = tempfile::tempdir().unwrap();
    // Two chunks, so that there is a moment to stop at.
    let source = write(directory.path(), &stamp(6), 15, Parity::Known, Codec::Raw);
    let other = tempfile::tempdir().unwrap();
    let lock = DirectoryLock::acquire(other.path()).unwrap();
    for codec in Codec::ALL {
        // Stopped at every moment at which it asks.
        let asked = AtomicU64::new(0);
        convert(&source, &lock, codec, 2, &|_| asked.fetch_add(1, Ordering::Relaxed) < u64::MAX).unwrap().unwrap();
        std::fs::remove_file(source.header().stamp.path(other.path(), 15)).unwrap();
        let moments = asked.into_inner();
        assert!(moments > 20, "{codec}: {moments}");
        // The last question comes when all is done.
        for moment in (0..moments - 1).step_by(1 + moments as usize / 10) {
            let asked = AtomicU64::new(0);
            let go_on = |_| asked.fetch_add(1, Ordering::Relaxed) < moment;
            assert!(convert(&source, &lock, codec, 2, &go_on).unwrap().is_none(), "{codec}: {moment} of {moments}");
        }
    }
    std::fs::remove_file(other.path().join(MANIFEST)).unwrap();

    let mut bytes = std::fs::read(source.path()).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let damaged = LayerFile::from_bytes("damaged".as_ref(), bytes).unwrap();
    let error = convert(&damaged, &lock, Codec::Packed, 2, &go_on).unwrap_err();
    assert!(matches!(error, DatabaseError::BlockDamaged { .. }), "{error}");
    let left: Vec<_> = std::fs::read_dir(other.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["lock"]);
}
