//! The solved layers as the search asks for them. A layer that cannot be read ends the search; it never gives a number.

use kalah_database::{Database, DatabaseError};
use kalah_rules::{Margin, Position};
use kalah_search::Oracle;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The layers of one question.
pub(crate) struct Layers<'a> {
    database: Option<&'a Database>,
    /// The first thing that went wrong.
    fault: Mutex<Option<DatabaseError>>,
    /// Set when something went wrong: the search should stop.
    halt: AtomicBool,
}

impl<'a> Layers<'a> {
    pub(crate) fn new(database: Option<&'a Database>) -> Layers<'a> {
        Layers { database, fault: Mutex::new(None), halt: AtomicBool::new(false) }
    }

    /// The most seeds in pits that every layer is there for; `None` without any.
    pub(crate) fn most(&self) -> Option<u32> {
        self.reach().checked_sub(1)
    }

    /// What the search should stop at.
    pub(crate) fn halt(&self) -> &AtomicBool {
        &self.halt
    }

    /// What went wrong since the last call, if anything did: everything found since then is void.
    pub(crate) fn check(&self) -> Result<(), DatabaseError> {
        match self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Oracle for Layers<'_> {
    #[inline]
    fn value(&self, position: Position, _seeds: u32) -> Option<Margin> {
        match self.database?.value(position.mover.bits(), position.opponent.bits()) {
            Ok(value) => value.map(|value| Margin(i16::from(value))),
            Err(error) => {
                self.halt.store(true, Relaxed);
                self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                None
            }
        }
    }

    #[inline]
    fn prefetch(&self, position: Position, _seeds: u32) {
        if let Some(database) = self.database {
            database.prefetch(position.mover.bits(), position.opponent.bits());
        }
    }

    fn reach(&self) -> u32 {
        self.database.map_or(0, Database::layers)
    }
}
