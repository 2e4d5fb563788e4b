//! Several threads on one question: who is at work where, and who has the answer.
//!
//! All lanes walk the same tree from its root and share the table. A lane leaves moves for later that another lane is
//! searching (Weill's ABDADA, as simplified by Kerrigan). Every proof of a lane is in the table for the others. So values do
//! not depend on which lane came first; only the number of nodes does.

use crate::code::Word;
use kalah_rules::Position;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Places for busy nodes, a power of two.
const BUSY: usize = 1 << 13;

/// A question to all threads.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    /// Counts the questions from 1.
    pub(crate) number: u64,
    pub(crate) position: Position,
    pub(crate) window: i16,
    /// Counts all questions, also those nobody else heard of.
    pub(crate) age: u64,
}

struct State {
    job: Option<Job>,
    over: bool,
}

/// The knowledge that the threads of one call share about each other.
pub(crate) struct Team {
    state: Mutex<State>,
    news: Condvar,
    /// The number of the last question that was answered, then the answer in 16 bits.
    answered: AtomicU64,
    over: AtomicBool,
    /// Codes of nodes that are being searched. A hint: nodes may be missing, and others stay too long.
    busy: Box<[AtomicU64]>,
}

impl Team {
    pub(crate) fn new() -> Team {
        Team {
            state: Mutex::new(State { job: None, over: false }),
            news: Condvar::new(),
            answered: AtomicU64::new(0),
            over: AtomicBool::new(false),
            busy: (0..BUSY).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn place<W: Word>(&self, code: W) -> (&AtomicU64, u64) {
        let low = code.wide() as u64;
        let mark = low ^ (code.wide() >> 64) as u64 | 1 << 63;
        (&self.busy[low as usize % BUSY], mark)
    }

    /// Whether a lane said it searches this node.
    #[inline]
    pub(crate) fn is_busy<W: Word>(&self, code: W) -> bool {
        let (place, mark) = self.place(code);
        place.load(Relaxed) == mark
    }

    /// A lane says it searches this node.
    #[inline]
    pub(crate) fn enter<W: Word>(&self, code: W) {
        let (place, mark) = self.place(code);
        place.store(mark, Relaxed);
    }

    /// A lane says it is done with this node.
    #[inline]
    pub(crate) fn leave<W: Word>(&self, code: W) {
        let (place, mark) = self.place(code);
        if place.load(Relaxed) == mark {
            place.store(0, Relaxed);
        }
    }

    /// Hands a question to the helpers.
    pub(crate) fn publish(&self, position: Position, window: i16, age: u64) -> Job {
        for place in &self.busy {
            place.store(0, Relaxed);
        }
        let mut state = self.state();
        let number = state.job.map_or(0, |job| job.number) + 1;
        let job = Job { number, position, window, age };
        state.job = Some(job);
        drop(state);
        self.news.notify_all();
        job
    }

    /// The next question after number `last`; `None` when there will be none. Waits for it.
    pub(crate) fn next(&self, last: u64) -> Option<Job> {
        let mut state = self.state();
        loop {
            if state.over {
                return None;
            }
            if let Some(job) = state.job.filter(|job| job.number > last && self.answer(job).is_none()) {
                return Some(job);
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes the answer to a question. Every lane's answer is a proof; one is kept.
    pub(crate) fn note(&self, job: &Job, answer: i16) {
        self.answered.fetch_max(job.number << 16 | u64::from(answer as u16), Relaxed);
    }

    /// The answer to a question if somebody has it; for a question that was answered long ago, another one's.
    #[inline]
    pub(crate) fn answer(&self, job: &Job) -> Option<i16> {
        let answered = self.answered.load(Relaxed);
        (answered >> 16 >= job.number).then_some(answered as u16 as i16)
    }

    /// Whether there will be no more questions.
    pub(crate) fn over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Sends the helpers home when it goes.
    pub(crate) fn dismiss_later(&self) -> Dismiss<'_> {
        Dismiss(self)
    }
}

/// See [`Team::dismiss_later`].
pub(crate) struct Dismiss<'a>(&'a Team);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Relaxed);
        self.0.state().over = true;
        self.0.news.notify_all();
    }
}
