//! What the fuzzer does with bytes, one module for each kind of input. An ordinary test does the same with the corpora.

mod certificate;
mod journal;
mod layer_file;
mod position;
mod record;
mod rule_set;
mod work_list;

use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

/// A kind of input: its name, which is that of its corpus and of its fuzz target, and what is done with the bytes.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// Every kind of input.
pub(crate) const TARGETS: [Target; 7] = [
    ("certificate", certificate::exercise),
    ("journal", journal::exercise),
    ("layer_file", layer_file::exercise),
    ("position", position::exercise),
    ("record", record::exercise),
    ("rule_set", rule_set::exercise),
    ("work_list", work_list::exercise),
];

/// Feeds bytes to the target with this name; panics where the program would be wrong.
pub(crate) fn exercise(target: &str, bytes: &[u8]) {
    let (_, exercise) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    exercise(bytes);
}

/// The title of the journals in the corpus.
pub(crate) fn journal_title() -> &'static str {
    journal::TITLE
}

/// What is asked of every error: it says what is wrong in words rather than in Rust, and its help is made of whole sentences.
fn must_be_readable(message: &str, help: &str, input: &[u8]) {
    assert!(!message.is_empty(), "an error says nothing");
    // Messages may quote the input, which may look like anything.
    if !input.contains(&b'{') && !input.contains(&b'(') {
        assert!(!message.contains(" { ") && !message.contains("Some("), "an error shows Rust's debug text: {message}");
    }
    let whole = help.starts_with(char::is_uppercase) && help.ends_with('.');
    assert!(whole, "{message}: the help is no whole sentence: {help:?}");
}

/// The bytes with a right XXH3-64 of all before it as their last eight, so that changes get past the checksum.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let (rest, _) = bytes.split_last_chunk::<8>()?;
    Some([rest, &xxh3_64(rest).to_le_bytes()].concat())
}

/// A file with these bytes, which belongs to this thread alone and is written over the next time.
fn on_disk(kind: &str, bytes: &[u8]) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "-");
    let path = std::env::temp_dir().join(format!("kalah-fuzz-{}-{thread}{kind}", std::process::id()));
    std::fs::write(&path, bytes).expect("the directory for temporary files can be written");
    path
}
