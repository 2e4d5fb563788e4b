//! Threads at work: the asking thread walks alone at first, and calls the helpers to larger trees.

use crate::Oracle;
use crate::driver::Ask;
use crate::engine::{Lane, Step, Worker};
use crate::table::{Entry, Table};
use crate::team::Job;
use kalah_rules::{Position, SowingGame};

/// Nodes between two looks at the limits and at what the others found.
const CHECK_EVERY: u64 = 512;

/// A tree of fewer nodes than this is walked by one thread.
const ALONE: u64 = 4096;

/// One thread.
pub(crate) struct Crew<'a, G, T: Table, O: ?Sized> {
    worker: Worker<'a, G, T, O>,
    lane: Lane<T::Code>,
    /// Whether there are helpers to call.
    company: bool,
    halted: bool,
}

impl<'a, G: SowingGame, T: Table, O: Oracle + ?Sized> Crew<'a, G, T, O> {
    /// A thread; `company` tells whether there are others.
    pub(crate) fn new(worker: Worker<'a, G, T, O>, company: bool) -> Crew<'a, G, T, O> {
        Crew { worker, lane: Lane::new(), company, halted: false }
    }

    /// Counts, looks at the limits, and says whether to give up.
    fn check(&mut self) -> bool {
        self.worker.flush();
        let control = self.worker.shared.control;
        control.check();
        self.halted |= control.halted();
        self.halted
    }

    /// Works on questions until there are no more.
    pub(crate) fn help(&mut self) {
        let team = self.worker.shared.team;
        let mut last = 0;
        while let Some(job) = team.next(last) {
            last = job.number;
            (self.worker.company, self.worker.age) = (true, job.age);
            let pit = self.worker.known(job.position).pit;
            let step = self.worker.begin(&mut self.lane, job.position, job.window, pit);
            self.together(&job, step);
            if self.halted {
                break;
            }
        }
        self.worker.flush();
    }

    /// Goes on with the walk through the tree of a question, on which others work too, until somebody has the answer.
    fn together(&mut self, job: &Job, mut step: Step) -> Option<i16> {
        let team = self.worker.shared.team;
        self.worker.company = true;
        loop {
            if let Step::Answer(answer) = step {
                team.note(job, answer);
                return Some(answer);
            }
            if let Some(answer) = team.answer(job) {
                return Some(answer);
            }
            if self.worker.uncounted() >= CHECK_EVERY {
                if self.check() || team.over() {
                    return None;
                }
                step = self.worker.catch_up(&mut self.lane);
            } else {
                step = self.worker.step(&mut self.lane);
            }
        }
    }
}

impl<G: SowingGame, T: Table, O: Oracle + ?Sized> Ask for Crew<'_, G, T, O> {
    fn known(&mut self, position: Position) -> Entry {
        self.worker.known(position)
    }

    fn ask(&mut self, position: Position, window: i16) -> Option<i16> {
        let entry = self.worker.known(position);
        if let Some(answer) = entry.decides(window) {
            return Some(answer);
        }
        if self.check() {
            return None;
        }
        self.worker.company = false;
        self.worker.age += 1;
        let mut step = self.worker.begin(&mut self.lane, position, window, entry.pit);
        let mut nodes = 0;
        loop {
            if let Step::Answer(answer) = step {
                return Some(answer);
            }
            if self.worker.uncounted() >= CHECK_EVERY {
                nodes += self.worker.uncounted();
                if self.check() {
                    return None;
                }
                if self.company && nodes >= ALONE {
                    let job = self.worker.shared.team.publish(position, window, self.worker.age);
                    return self.together(&job, step);
                }
            }
            step = self.worker.step(&mut self.lane);
        }
    }

    fn done(&mut self) {
        self.worker.flush();
    }
}
