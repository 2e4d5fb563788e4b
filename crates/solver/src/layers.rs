//! The solved layers as the search asks for them. A layer that cannot be read ends the search; it never gives a number.

use kalah_database::{Database, DatabaseError, LayerFile};
use kalah_rules::{Margin, Position};
use kalah_search::Oracle;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// The layers of one search.
#[derive(Debug)]
pub(crate) struct Layers {
    database: Option<Arc<Database>>,
    /// The first thing that went wrong.
    fault: Mutex<Option<DatabaseError>>,
    /// Set when something went wrong, or by a session that is cancelled: the search should stop.
    halt: Arc<AtomicBool>,
}

impl Layers {
    pub(crate) fn new(database: Option<Arc<Database>>, halt: Arc<AtomicBool>) -> Layers {
        Layers { database, fault: Mutex::new(None), halt }
    }

    /// The most seeds in pits that every layer is there for; `None` without any.
    pub(crate) fn most(&self) -> Option<u32> {
        self.reach().checked_sub(1)
    }

    /// The layers themselves.
    pub(crate) fn database(&self) -> Option<&Arc<Database>> {
        self.database.as_ref()
    }

    /// What the search should stop at.
    pub(crate) fn halt(&self) -> &Arc<AtomicBool> {
        &self.halt
    }

    /// The value with a rank, or a note of what is wrong with the layer.
    #[inline]
    fn read(&self, file: &LayerFile, rank: u64) -> Option<Margin> {
        match file.value(rank) {
            Ok(value) => Some(Margin(i16::from(value))),
            Err(error) => {
                self.note(error);
                None
            }
        }
    }

    #[cold]
    fn note(&self, error: DatabaseError) {
        self.halt.store(true, Relaxed);
        self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
    }

    /// What went wrong since the last call, if anything did: everything found since then is void.
    pub(crate) fn check(&self) -> Result<(), DatabaseError> {
        match self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Oracle for Layers {
    #[inline]
    fn value(&self, position: Position, seeds: u32) -> Option<Margin> {
        let file = self.database.as_ref()?.layer(seeds)?;
        self.read(file, file.layer().rank(position.mover.bits(), position.opponent.bits()))
    }

    /// The rank in the position's layer.
    #[inline]
    fn locate(&self, position: Position, seeds: u32) -> u64 {
        let Some(file) = self.database.as_ref().and_then(|database| database.layer(seeds)) else { return 0 };
        let rank = file.layer().rank(position.mover.bits(), position.opponent.bits());
        file.prefetch(rank);
        rank
    }

    #[inline]
    fn value_at(&self, place: u64, _position: Position, seeds: u32) -> Option<Margin> {
        self.read(self.database.as_ref()?.layer(seeds)?, place)
    }

    fn reach(&self) -> u32 {
        self.database.as_ref().map_or(0, |database| database.layers())
    }
}
