//! The seeds of the fuzzer's corpus of layer files are what the writer writes now. `kalah`'s test of that name replays all corpora.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[expect(dead_code, reason = "the exercise itself is replayed by the crate kalah")]
#[path = "../../../fuzz/exercise/layer_file.rs"]
mod exercise;
mod samples;

use kalah_database::{Codec, LayerFile, Parity};
use samples::{stamp, write};
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/layer_file")
}

#[test]
fn the_seeds_are_what_is_written_now() {
    let directory = tempfile::tempdir().unwrap();
    for codec in Codec::ALL {
        for (name, pits, seeds, parity) in [("known", 2, 5, Parity::Known), ("free", 3, 3, Parity::Free)] {
            let bytes = std::fs::read(write(directory.path(), &stamp(pits), seeds, parity, codec).path()).unwrap();
            let seed = corpus().join(format!("{codec}_{name}"));
            if std::env::var_os("KALAH_UPDATE_GOLDEN").is_some() {
                std::fs::write(&seed, &bytes).unwrap();
            }
            assert!(std::fs::read(&seed).unwrap() == bytes, "{}: run with KALAH_UPDATE_GOLDEN=1", seed.display());
        }
    }
}

#[test]
fn signing_makes_a_changed_file_readable_again() {
    let directory = tempfile::tempdir().unwrap();
    for codec in Codec::ALL {
        let file = write(directory.path(), &stamp(2), 5, Parity::Known, codec);
        let mut bytes = std::fs::read(file.path()).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 2;
        let open = |bytes: &[u8]| LayerFile::from_bytes(Path::new("changed"), bytes.to_vec()).unwrap();
        assert!(open(&bytes).test().is_err());
        exercise::sign(&mut bytes);
        assert!(open(&bytes).test().is_ok(), "{codec}");
    }
}
