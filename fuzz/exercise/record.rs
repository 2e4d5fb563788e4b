//! Reads a file as a record: a checkpoint or a kept solution.

use super::{must_be_readable, on_disk, sealed};
use kalah::Record;

/// What is read is written and read again as the same.
pub(crate) fn exercise(bytes: &[u8]) {
    read(bytes);
    if let Some(sealed) = sealed(bytes) {
        read(&sealed);
    }
}

fn read(bytes: &[u8]) {
    let path = on_disk(".record", bytes);
    match Record::load(&path) {
        Ok(record) => {
            let mut record = record.expect("the file is there");
            record.save(&path).expect("the directory can be written");
            let again = Record::load(&path).expect("what is written can be read").expect("the file is there");
            record.proofs.sort_by_key(|proof| proof.position);
            assert_eq!(again, record);
        }
        Err(error) => must_be_readable(&error.to_string(), &error.help(), bytes),
    }
    let _ = std::fs::remove_file(path);
}
