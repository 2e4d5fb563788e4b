//! Layers that a directory should have and has not: a warning, once.

use crate::command::list;
use crate::output::note;
use kalah::database::{Database, DatabaseError, Stamp};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What has been said already.
static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// As [`warn`], for a directory that need not exist.
pub(crate) fn look(directory: &Path, stamp: &Stamp) -> Result<(), DatabaseError> {
    if directory.exists() { warn(&Database::open(directory, stamp)?) } else { Ok(()) }
}

/// Warns of layers that are missing: those that the manifest names, or that lie below one that is there.
pub(crate) fn warn(database: &Database) -> Result<(), DatabaseError> {
    let missing = database.missing()?;
    let Some(first) = missing.first() else { return Ok(()) };
    let text = format!(
        "warning: {} should have the layers of {} seeds for {}, but they are missing; layers above {first} seeds are not \
        used. 'kalah build' makes them again.",
        database.directory().display(),
        list::ranges(&missing),
        database.stamp()
    );
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.contains(&text) {
        note(&text);
        said.push(text);
    }
    Ok(())
}
