//! What a question asks of whoever knows the answer, layers, look ahead or search; and what may end it.

use crate::{SolverError, Stopped};
use kalah_rules::{Margin, Next, Position, Sown};
use kalah_search::{Bounds, Stats};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

/// What can find out about positions of one game.
pub(crate) trait Ask {
    /// What can be proved about a position; `guess` is where to begin.
    fn value(&mut self, position: Position, guess: Option<Margin>) -> Result<Bounds, SolverError>;

    /// What can be proved about a position, at least whether its value reaches `window`.
    fn reaches(&mut self, position: Position, window: Margin) -> Result<Bounds, SolverError> {
        self.value(position, Some(window))
    }

    /// What can be proved about a position and about each of its moves, best first. `lead` is what the mover's store holds
    /// more than the opponent's: inside the layers it decides between moves of equal value (`crate::lookup`).
    fn every_move(&mut self, position: Position, lead: Margin) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError>;

    /// The pits of a line of perfect play to the end of the game from a position of this value; `None` if a limit came first or
    /// there is none. `lead` as above.
    fn line(&mut self, position: Position, value: Margin, lead: Margin) -> Result<Option<Vec<u8>>, SolverError>;

    /// The cost so far.
    fn stats(&self) -> Stats;

    /// Why the last question was not settled; `None` if it was.
    fn stopped(&self) -> Option<Stopped>;
}

/// What ends a question from outside: a flag of whoever asks, or the whole session being cancelled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupt<'a> {
    stop: Option<&'a AtomicBool>,
    cancelled: &'a AtomicU64,
    begun: u64,
}

impl<'a> Interrupt<'a> {
    /// Of a question that begins now; `cancelled` counts how often the session was cancelled.
    pub(crate) fn new(stop: Option<&'a AtomicBool>, cancelled: &'a AtomicU64) -> Interrupt<'a> {
        Interrupt { stop, cancelled, begun: cancelled.load(SeqCst) }
    }

    /// Whether to end.
    pub(crate) fn is_set(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(SeqCst)) || self.cancelled.load(SeqCst) != self.begun
    }
}

/// The mover's value and lead after a sow, for the player who is then to move, where the value before was `value`, and the sow
/// keeps it.
pub(crate) fn after(sown: &Sown, value: Margin, lead: Margin) -> (Margin, Margin) {
    let gain = sown.gain();
    match sown.next {
        Next::Pass => (gain - value, -(lead + gain)),
        Next::Again | Next::Over => (value - gain, lead + gain),
    }
}
