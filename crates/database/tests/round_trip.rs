//! What is written is read: every codec, board and order of writing, and nothing is left beside it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod samples;

use kalah_database::{
    Access, Codec, Database, DatabaseError, DirectoryLock, Encoding, ErrorKind, LayerFile, LayerWriter, MANIFEST,
    Parity, list,
};
use kalah_index::Layer;
use samples::{mix, stamp, value, values, write};

fn go_on(_: u64) -> bool {
    true
}

#[test]
fn every_board_and_codec_comes_back() {
    for codec in Codec::ALL {
        let directory = tempfile::tempdir().unwrap();
        for (pits, most) in [(1, 127), (2, 40), (3, 14), (6, 7), (8, 4)] {
            for seeds in [0, 1, most] {
                for parity in [Parity::Known, Parity::Free] {
                    let file = write(directory.path(), &stamp(pits), seeds, parity, codec);
                    let expected = values(pits, seeds, parity);
                    let label = format!("{codec} {pits} pits {seeds} seeds {parity:?}");
                    for access in [Access::Blocks, Access::Map, Access::Memory] {
                        let file = LayerFile::open_with(file.path(), &stamp(pits), seeds, access).unwrap();
                        assert_eq!(file.header().encoding, Encoding { parity, codec });
                        assert_eq!(file.header().positions, expected.len() as u64);
                        let mut all = vec![0; expected.len()];
                        file.read(0, &mut all).unwrap();
                        assert!(all == expected, "{label}");
                        for rank in (0..expected.len()).step_by(expected.len() / 1000 + 1) {
                            assert_eq!(file.value(rank as u64).unwrap(), expected[rank], "{label}, rank {rank}");
                        }
                        for start in (0..expected.len()).step_by(expected.len() / 17 + 1) {
                            let length = (mix(start as u64) as usize) % (expected.len() - start) + 1;
                            file.read(start as u64, &mut all[..length]).unwrap();
                            assert!(all[..length] == expected[start..start + length], "{label}, from {start}");
                        }
                        let raw = file.raw().map(<[i8]>::to_vec);
                        let in_reach = codec == Codec::Raw && access != Access::Blocks;
                        assert!(raw == in_reach.then_some(expected.clone()), "{label}");
                        file.test().unwrap();
                        assert!(file.verify(&go_on).is_sound(), "{label}");
                    }
                }
            }
        }
    }
}

#[test]
fn order_pieces_and_threads_do_not_change_the_bytes() {
    let (pits, seeds, parity) = (6, 9, Parity::Known);
    let expected = values(pits, seeds, parity);
    let directory = tempfile::tempdir().unwrap();
    for codec in Codec::ALL {
        let whole = std::fs::read(write(directory.path(), &stamp(pits), seeds, parity, codec).path()).unwrap();
        for threads in [1, 2, 7] {
            let lock = DirectoryLock::acquire(directory.path()).unwrap();
            let writer = LayerWriter::create(&lock, &stamp(pits), seeds, Encoding { parity, codec }).unwrap();
            let pieces = 500;
            let length = expected.len().div_ceil(pieces);
            std::thread::scope(|scope| {
                for thread in 0..threads {
                    let (writer, expected) = (&writer, &expected);
                    scope.spawn(move || {
                        // 500 and 213 have no common factor: every piece once, jumping about.
                        for piece in (0..pieces).map(|i| i * 213 % pieces).filter(|piece| piece % threads == thread) {
                            let first = (piece * length).min(expected.len());
                            let last = (first + length).min(expected.len());
                            writer.write(first as u64, &expected[first..last]).unwrap();
                        }
                    });
                }
            });
            assert!((0..writer.sections().len()).all(|section| writer.is_done(section)));
            let file = writer.finish().unwrap();
            assert!(std::fs::read(file.path()).unwrap() == whole, "{codec}, {threads} threads");
        }
    }
    let mut names: Vec<_> =
        std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["kalah-empty+leftover=none_6_9.layer", "lock", MANIFEST]);
}

#[test]
fn a_database_answers_for_the_layers_it_has() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let error = Database::open(&missing, &stamp(3)).unwrap_err();
    assert!(matches!(&error, DatabaseError::MissingDirectory { directory } if *directory == missing), "{error}");
    assert_eq!(error.kind(), ErrorKind::Missing);

    for seeds in [0, 1, 2, 4] {
        write(directory.path(), &stamp(3), seeds, Parity::Free, Codec::Raw);
    }
    let mut database = Database::open(directory.path(), &stamp(3)).unwrap();
    assert_eq!((database.layers(), database.directory(), database.stamp()), (3, directory.path(), &stamp(3)));
    for seeds in 0..3 {
        let layer = Layer::new(3, seeds).unwrap();
        for rank in 0..layer.positions() {
            let (mover, opponent) = layer.unrank(rank);
            assert_eq!(database.value(mover, opponent).unwrap(), Some(value(seeds, Parity::Free, rank)));
        }
    }
    // Three seeds are missing, four are there but out of reach; 256 seeds are not taken for none.
    for (mover, opponent) in [(3, 0), (2, 2), (0, 0x0200), (128, 128)] {
        assert_eq!(
            database.value(mover, opponent).unwrap(),
            (opponent == 0x0200).then(|| { value(2, Parity::Free, Layer::new(3, 2).unwrap().rank(0, 0x0200)) })
        );
    }
    let error = database.require(4).unwrap_err();
    assert!(matches!(error, DatabaseError::MissingLayer { seeds: 3, .. }));
    assert!(
        error.to_string().contains("the layers of 0 to 2, 4 seeds for kalah-empty+leftover=none, 3 pits"),
        "{error}"
    );

    let added = write(directory.path(), &stamp(3), 3, Parity::Free, Codec::Raw);
    let mut other = Database::open(directory.path(), &stamp(3)).unwrap();
    assert_eq!(database.refresh().unwrap(), 5);
    database.require(4).unwrap();
    other.add(added);
    assert_eq!(other.layers(), 5);
    assert_eq!(other.layer(4).unwrap().header().seeds, 4);
    assert!(other.layer(5).is_none());
}

#[test]
#[should_panic(expected = "seeds beyond pit 3")]
fn rows_of_another_board_are_a_mistake() {
    let directory = tempfile::tempdir().unwrap();
    let _ = Database::open(directory.path(), &stamp(3)).unwrap().value(0, 1 << 24);
}

#[test]
#[should_panic(expected = "have been written before")]
fn writing_twice_is_a_mistake() {
    let directory = tempfile::tempdir().unwrap();
    let lock = DirectoryLock::acquire(directory.path()).unwrap();
    let encoding = Encoding { parity: Parity::Free, codec: Codec::Raw };
    let writer = LayerWriter::create(&lock, &stamp(3), 4, encoding).unwrap();
    writer.write(10, &[0; 10]).unwrap();
    writer.write(0, &[0; 10]).unwrap();
    writer.write(20, &[0; 10]).unwrap();
    let _ = writer.write(29, &[0; 2]);
}

#[test]
fn unfinished_and_impossible_layers_are_not_finished() {
    let directory = tempfile::tempdir().unwrap();
    let lock = DirectoryLock::acquire(directory.path()).unwrap();
    let encoding = Encoding { parity: Parity::Known, codec: Codec::Raw };
    let create = || LayerWriter::create(&lock, &stamp(2), 3, encoding).unwrap();
    let mut good = values(2, 3, Parity::Known);
    let writer = create();
    writer.write(1, &good[1..]).unwrap();
    assert!(matches!(writer.finish(), Err(DatabaseError::Unfinished { section: 0, .. })));

    // The section that was not whole starts anew; one value of it is of the wrong parity.
    let writer = create();
    assert!(!writer.is_done(0) && writer.is_done(1));
    let first = writer.sections()[0].positions() as usize;
    good[1] = 2;
    writer.write(0, &good[..first]).unwrap();
    assert!(matches!(writer.finish(), Err(DatabaseError::ImpossibleValue { rank: 1, found: 2, .. })));

    good[1] = -3;
    let writer = create();
    assert!(writer.is_done(0));
    writer.redo(0).unwrap();
    writer.write(0, &good[..first]).unwrap();
    let mut back = vec![0; good.len()];
    writer.read(0, &mut back).unwrap();
    assert_eq!(back, good);
    let file = writer.finish().unwrap();
    assert_eq!(samples::all(&file), good);

    let writer = create();
    assert!(!writer.is_done(0), "a finished layer leaves no journal");
    writer.abandon().unwrap();
    let left: Vec<_> = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn the_manifest_lists_what_is_there_and_is_trusted_by_nobody() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &stamp(2), 0, Parity::Known, Codec::Raw);
    let file = write(directory.path(), &stamp(2), 1, Parity::Known, Codec::Raw);
    let text = std::fs::read_to_string(directory.path().join(MANIFEST)).unwrap();
    assert_eq!(text.lines().count(), 4);
    let line = text.lines().nth(2).unwrap();
    for part in [
        r#""file":"kalah-empty+leftover=none_2_1.layer""#,
        r#""rules":"kalah-empty+leftover=none","rules_hash":"0123456789abcdef","pits":2,"seeds":1,"positions":4"#,
        r#""parity":"known","codec":"raw","bytes":4100"#,
        &format!(r#""values_xxh3":"{:016x}""#, file.header().values_check),
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
    std::fs::write(directory.path().join(MANIFEST), "lies").unwrap();
    assert_eq!(Database::open(directory.path(), &stamp(2)).unwrap().layers(), 2);

    std::fs::write(directory.path().join("kalah_6_3.layer"), "rubbish").unwrap();
    std::fs::copy(file.path(), directory.path().join("kalah-empty+leftover=none_2_7.layer")).unwrap();
    std::fs::copy(file.path(), directory.path().join("kalah_2_1.layer")).unwrap();
    let listed = list(directory.path()).unwrap();
    let mut found: Vec<_> =
        listed.iter().map(|file| file.header.as_ref().map_err(DatabaseError::kind).map(|h| h.seeds)).collect();
    // Layers below those that are there are missing.
    let missing = Err(ErrorKind::Missing);
    assert_eq!(found.iter().filter(|found| **found == missing).count(), 1 + 3 + 5);
    found.retain(|found| *found != missing);
    assert_eq!(found, [Err(ErrorKind::Foreign), Err(ErrorKind::Damaged), Ok(0), Ok(1), Err(ErrorKind::Foreign)]);
}

#[test]
fn the_values_checksum_is_the_same_for_every_codec() {
    let directory = tempfile::tempdir().unwrap();
    let mut checks =
        Codec::ALL.map(|codec| write(directory.path(), &stamp(6), 9, Parity::Known, codec).header().values_check);
    checks.sort_unstable();
    assert_eq!(checks[0], checks[checks.len() - 1]);
}
