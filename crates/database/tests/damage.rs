//! Damaged, cut, foreign and newer files: each gets its own error, none ever gives a value, nothing panics.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod samples;

use kalah_database::{
    Access, Codec, Database, DatabaseError, ErrorKind, Fault, FaultKind, LayerFile, MAGIC, Parity, Stamp, Verification,
};
use proptest::prelude::*;
use samples::{stamp, values, write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

fn open(bytes: &[u8]) -> Result<LayerFile, DatabaseError> {
    LayerFile::from_bytes(Path::new("sample"), bytes.to_vec())
}

fn verify(file: &LayerFile) -> Verification {
    file.verify(&|_| true)
}

/// A codec, the bytes of a file and the values in it.
type Sample = (Codec, Vec<u8>, Vec<i8>);

/// One small file of every codec.
fn small_files() -> Vec<Sample> {
    let directory = tempfile::tempdir().unwrap();
    Codec::ALL
        .into_iter()
        .map(|codec| {
            let file = write(directory.path(), &stamp(2), 5, Parity::Known, codec);
            (codec, std::fs::read(file.path()).unwrap(), values(2, 5, Parity::Known))
        })
        .collect()
}

/// Prefix and header with right checksums again, so that a change reaches what lies behind them.
fn sign(bytes: &mut [u8]) {
    let head = u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    if let Some(body) = bytes.get(48..head) {
        let check = xxh3_64(body).to_le_bytes();
        bytes[32..40].copy_from_slice(&check);
    }
    let check = xxh3_64(&bytes[..40]).to_le_bytes();
    bytes[40..48].copy_from_slice(&check);
}

#[test]
fn a_flipped_bit_anywhere_is_found() {
    for (codec, bytes, values) in small_files() {
        let payload = open(&bytes).unwrap().header().head_bytes as usize;
        for place in 0..bytes.len() {
            // Every bit of what has a meaning of its own, one bit of every byte of the long rest.
            for bit in if place < 300 { 0..8 } else { place % 8..place % 8 + 1 } {
                let mut flipped = bytes.clone();
                flipped[place] ^= 1 << bit;
                match open(&flipped) {
                    Err(error) => {
                        assert!(place < payload, "{codec}, byte {place}: {error}");
                        let kind = error.kind();
                        assert!(
                            matches!(kind, ErrorKind::Damaged | ErrorKind::Newer),
                            "{codec}, byte {place}: {error}"
                        );
                    }
                    Ok(file) => {
                        assert!(place >= payload, "{codec}, byte {place} is not guarded");
                        let found = verify(&file);
                        let checksum = |fault: &Fault| matches!(fault.kind, FaultKind::Checksum { .. });
                        assert!(
                            found.faults.len() == 1 && checksum(&found.faults[0]),
                            "{codec}, byte {place}: {found:?}"
                        );
                        for rank in 0..values.len() as u64 {
                            if let Ok(value) = file.value(rank) {
                                assert_eq!(value, values[rank as usize], "{codec}, byte {place}, rank {rank}");
                            }
                        }
                        assert!(matches!(file.test(), Err(DatabaseError::BlockDamaged { .. })));
                        let mut all = values.clone();
                        assert!(file.read(0, &mut all).is_err());
                    }
                }
            }
        }
    }
}

#[test]
fn a_file_cut_anywhere_says_so() {
    for (codec, bytes, _) in small_files() {
        for length in 0..bytes.len() {
            let error = open(&bytes[..length]).unwrap_err();
            assert!(matches!(error, DatabaseError::WrongLength { .. }), "{codec}, {length}: {error}");
            assert!(error.to_string().contains("cut short"), "{error}");
        }
        let longer = [&bytes[..], b"\0"].concat();
        let error = open(&longer).unwrap_err();
        assert!(error.to_string().contains("too long"), "{error}");
    }
}

#[test]
fn foreign_files_are_refused_with_both_names() {
    let directory = tempfile::tempdir().unwrap();
    let file = write(directory.path(), &stamp(2), 3, Parity::Known, Codec::Raw);
    let asked = |stamp: &Stamp, seeds| LayerFile::open(file.path(), stamp, seeds).unwrap_err();
    let ours = stamp(2);

    let error = asked(&Stamp { rules: "kalah".to_owned(), ..ours.clone() }, 3);
    assert!(error.to_string().contains("for the rule set kalah-empty+leftover=none, expected kalah"), "{error}");
    let error = asked(&Stamp { rules_hash: 1, ..ours.clone() }, 3);
    assert!(
        error.to_string().contains("0123456789abcdef, expected kalah-empty+leftover=none with hash 0000000000000001")
    );
    let error = asked(&Stamp { pits: 3, ..ours.clone() }, 3);
    assert!(error.to_string().contains("is for 2 pits a side, expected 3"), "{error}");
    let error = asked(&ours, 4);
    assert!(error.to_string().contains("is the layer of 3 seeds, expected 4"), "{error}");
    assert_eq!(error.kind(), ErrorKind::Foreign);
    assert_eq!(error.file(), Some(file.path()));

    // The same inside a directory: a file with the right name and another content.
    std::fs::rename(file.path(), ours.path(directory.path(), 0)).unwrap();
    let error = Database::open(directory.path(), &ours).unwrap_err();
    assert!(matches!(error, DatabaseError::OtherSeeds { expected: 0, found: 3, .. }), "{error}");
}

#[test]
fn other_files_and_newer_versions_have_their_own_errors() {
    for (name, bytes) in [("text", &b"value\n"[..]), ("png", b"\x89PNG\r\n\x1a\n"), ("zeros", &[0; 5000])] {
        assert!(matches!(open(bytes), Err(DatabaseError::NotALayer { .. })), "{name}");
    }
    assert!(matches!(open(b""), Err(DatabaseError::WrongLength { expected: 48, found: 0, .. })));
    assert!(matches!(open(&MAGIC), Err(DatabaseError::WrongLength { .. })));
    let (_, mut bytes, _) = small_files().remove(0);
    bytes[8] = 2;
    sign(&mut bytes);
    let error = open(&bytes).unwrap_err();
    assert!(matches!(error, DatabaseError::NewerVersion { newest: 1, found: 2, .. }), "{error}");
    bytes[8] = 0;
    sign(&mut bytes);
    assert!(matches!(open(&bytes), Err(DatabaseError::HeaderDamaged { .. })));

    // Its codec is not ours: the number before the first release, and one from a later program.
    for found in [2, 4] {
        let (_, mut bytes, _) = small_files().pop().unwrap();
        bytes[56 + stamp(2).rules.len() + 11] = found;
        sign(&mut bytes);
        let error = open(&bytes).unwrap_err();
        assert!(matches!(error, DatabaseError::UnknownCodec { found: codec, .. } if codec == found), "{error}");
        assert!(
            error.to_string().contains(&format!("has codec number {found}, this program reads 0 (raw)")),
            "{error}"
        );
        assert_eq!(error.kind(), ErrorKind::Newer);
    }

    let directory = tempfile::tempdir().unwrap();
    let error = LayerFile::open(&directory.path().join("none"), &stamp(2), 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(LayerFile::open_any(directory.path(), Access::Memory).is_err(), "a directory is no file");
}

#[test]
fn headers_that_contradict_themselves_are_refused_although_signed() {
    for (codec, bytes, values) in small_files() {
        let payload = open(&bytes).unwrap().header().head_bytes as usize;
        for place in 8..payload {
            for bit in if place < 300 { 0..8 } else { place % 8..place % 8 + 1 } {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << bit;
                sign(&mut changed);
                let Ok(file) = open(&changed) else { continue };
                // What is accepted is a file for other rules, with another block's or another values checksum, or with a
                // parameter that gives other values: none passes for the file it was.
                let same = file.header().stamp == stamp(2) && file.header().seeds == 5;
                let sound = verify(&file).is_sound();
                assert!(!same || !sound || changed == bytes || values_of(&file) == values, "{codec}, byte {place}");
            }
        }
    }
}

fn values_of(file: &LayerFile) -> Vec<i8> {
    (0..file.header().positions).map(|rank| file.value(rank).unwrap()).collect()
}

#[test]
fn faults_name_block_and_ranks_and_stopping_is_told() {
    let directory = tempfile::tempdir().unwrap();
    // Three raw blocks.
    let file = write(directory.path(), &stamp(6), 11, Parity::Known, Codec::Raw);
    assert_eq!((file.header().positions, file.header().blocks), (705_432, 3));
    let mut bytes = std::fs::read(file.path()).unwrap();
    let place = file.header().head_bytes as usize + 300_000;
    bytes[place] ^= 2;
    let file = open(&bytes).unwrap();
    let found = verify(&file);
    assert_eq!(found.bytes, 705_432);
    assert_eq!((found.faults.len(), found.faults[0].block, &found.faults[0].ranks), (1, 1, &(262_144..524_288)));
    assert!(found.faults[0].to_string().starts_with("block 1 (ranks 262144 to 524287): expected checksum"));
    assert!(file.value(262_143).is_ok() && file.value(524_288).is_ok());
    let error = file.value(262_144).unwrap_err();
    assert!(error.to_string().starts_with("block 1 of sample is damaged (ranks 262144 to 524287)"), "{error}");
    assert!(file.read(0, &mut [0; 262_144]).is_ok() && file.read(0, &mut [0; 262_145]).is_err());

    let calls = std::cell::Cell::new(0);
    let stopped = file.verify(&|_| {
        calls.set(calls.get() + 1);
        false
    });
    assert!(calls.get() == 1 && !stopped.complete && !stopped.is_sound());

    // A wrong value whose block was signed again is still found by the checksum over all values, or as impossible.
    for (change, impossible) in [(4, true), (1, true), (2, false)] {
        let mut forged = std::fs::read(directory.path().join("kalah-empty+leftover=none_6_11.layer")).unwrap();
        let old = forged[place] as i8;
        forged[place] = if change == 4 {
            99
        } else if old > 0 {
            (old - change) as u8
        } else {
            (old + change) as u8
        };
        let payload = place - 300_000;
        let check = xxh3_64(&forged[payload + 262_144..payload + 524_288]);
        let header = u32::from_le_bytes(forged[12..16].try_into().unwrap()) as usize;
        forged[48 + header + 24 + 16..][..8].copy_from_slice(&check.to_le_bytes());
        sign(&mut forged);
        let found = verify(&open(&forged).unwrap()).faults;
        assert_eq!(found.len(), 1);
        assert_eq!(matches!(found[0].kind, FaultKind::Value { rank: 300_000, .. }), impossible, "{found:?}");
        assert_eq!(matches!(found[0].kind, FaultKind::Values { .. }), !impossible, "{found:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), magic in any::<bool>()) {
        let bytes = if magic { [&MAGIC[..], &1u32.to_le_bytes(), &bytes].concat() } else { bytes };
        if let Ok(file) = open(&bytes) {
            verify(&file);
        }
    }

    #[test]
    fn signed_rubbish_never_panics(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        near in any::<bool>(),
    ) {
        let files = small_files_once();
        let mut bytes = files[which.index(files.len())].1.clone();
        for (place, byte) in changes {
            let place = place.index(if near { 220 } else { bytes.len() });
            bytes[place] = byte;
        }
        sign(&mut bytes);
        if let Ok(file) = open(&bytes) {
            verify(&file);
            for rank in 0..file.header().positions.min(300) {
                let _ = file.value(rank);
            }
        }
    }
}

fn small_files_once() -> &'static [Sample] {
    static FILES: std::sync::OnceLock<Vec<Sample>> = std::sync::OnceLock::new();
    FILES.get_or_init(small_files)
}
