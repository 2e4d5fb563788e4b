//! Threads at work: the asking thread walks alone at first, and calls the helpers to larger trees.

use crate::Oracle;
use crate::driver::Ask;
use crate::engine::{Lane, Step, Worker};
use crate::pace::Pace;
use crate::table::{Entry, Table};
use crate::team::Job;
use kalah_rules::{Position, SowingGame};

/// A tree of fewer nodes than this is walked by one thread. For each helper more, it must have so many more.
const ALONE: u64 = 4096;

/// After so many nodes a question is taken for a long one, and the table's pages are made ready for it.
const LONG: u64 = 64;

/// Starts one more helper; false if there are no more.
pub(crate) type Hire<'a> = &'a mut dyn FnMut() -> bool;

/// One thread.
pub(crate) struct Crew<'a, 'h, G, T: Table, O: ?Sized> {
    worker: Worker<'a, G, T, O>,
    lane: Lane<T::Code>,
    /// Gets helpers, as long as there are more to get.
    hire: Option<Hire<'h>>,
    /// Helpers at work.
    helpers: u64,
    pace: Pace,
    /// The limits are looked at after so many nodes.
    due: u64,
    halted: bool,
}

impl<'a, 'h, G: SowingGame, T: Table, O: Oracle + ?Sized> Crew<'a, 'h, G, T, O> {
    /// A thread, and how it gets helpers if it asks the questions.
    pub(crate) fn new(worker: Worker<'a, G, T, O>, hire: Option<Hire<'h>>) -> Crew<'a, 'h, G, T, O> {
        Crew { worker, lane: Lane::new(), hire, helpers: 0, pace: Pace::new(), due: 1, halted: false }
    }

    /// Counts, looks at the limits, and says whether to give up.
    fn check(&mut self) -> bool {
        self.worker.flush();
        let control = self.worker.shared.control;
        self.halted |= !control.check();
        self.pace.look();
        self.due = self.pace.steps().min(control.nodes_left().max(1));
        self.halted
    }

    /// Gets as many helpers as a question of so many nodes is worth; whether there are any.
    fn call_helpers(&mut self, nodes: u64) -> bool {
        while let Some(hire) = &mut self.hire
            && self.helpers < nodes / ALONE
        {
            if hire() {
                self.helpers += 1;
            } else {
                self.hire = None;
            }
        }
        self.helpers > 0
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
            self.pace.begin();
            self.together(&job, step, 0);
            if self.halted {
                break;
            }
        }
        self.worker.flush();
    }

    /// Goes on with the walk through the tree of a question, on which others work too, until somebody has the answer.
    /// It has had `nodes` nodes before.
    fn together(&mut self, job: &Job, mut step: Step, mut nodes: u64) -> Option<i16> {
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
            if self.worker.uncounted() >= self.due {
                nodes += self.worker.uncounted();
                if self.check() || team.over() {
                    return None;
                }
                self.call_helpers(nodes);
                step = self.worker.catch_up(&mut self.lane);
            } else {
                step = self.worker.step(&mut self.lane);
            }
        }
    }
}

impl<G: SowingGame, T: Table, O: Oracle + ?Sized> Ask for Crew<'_, '_, G, T, O> {
    fn known(&mut self, position: Position) -> Entry {
        self.worker.known(position)
    }

    fn ask(&mut self, position: Position, window: i16) -> Option<i16> {
        let entry = self.worker.known(position);
        if let Some(answer) = entry.decides(window) {
            return Some(answer);
        }
        self.pace.begin();
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
            if self.worker.uncounted() >= self.due {
                let before = nodes;
                nodes += self.worker.uncounted();
                if self.check() {
                    return None;
                }
                if before < LONG && nodes >= LONG {
                    self.worker.shared.pages.ready(self.worker.shared.control);
                    self.pace.begin();
                }
                if nodes >= ALONE && self.call_helpers(nodes) {
                    let job = self.worker.shared.team.publish(position, window, self.worker.age);
                    return self.together(&job, step, nodes);
                }
            }
            step = self.worker.step(&mut self.lane);
        }
    }

    fn done(&mut self) {
        self.worker.flush();
    }
}
