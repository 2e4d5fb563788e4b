//! The threads of one call: set up round a question and its answers, for one game and one kind of table.

use crate::code::Coder;
use crate::crew::Crew;
use crate::driver::Ask;
use crate::engine::{Shared, Worker};
use crate::estimate::Estimate;
use crate::limits::Control;
use crate::narrow_table::NarrowTable;
use crate::numbers::{Numbers, Prior};
use crate::room::Pages;
use crate::table::{Memory, Table};
use crate::team::Team;
use crate::wide_table::WideTable;
use crate::{Oracle, Search};
use kalah_rules::{Game, Position, SowingGame};

/// Only positions with so many seeds beyond the oracle's reach are worth the milliseconds that learning an estimate takes.
const WORTH_LEARNING: u32 = 8;

/// A search that may visit fewer positions than this has no use for an estimate: learning it reads layers that may have to
/// come from disk.
const WORTH_LEARNING_FROM: u64 = 100_000;

impl<O: Oracle> Search<O> {
    /// Runs `body` with the search's threads at work on questions about `position` and what follows it.
    pub(crate) fn session<R>(
        &mut self,
        position: Position,
        control: &Control<'_>,
        body: impl FnOnce(&mut dyn Ask) -> R,
    ) -> R {
        let Search { game, coder, local_plan, .. } = *self;
        let oracle = &self.oracle;
        let reach = oracle.reach();
        if !self.learnt
            && reach > 0
            && position.seeds() >= reach + WORTH_LEARNING
            && control.nodes_left() >= WORTH_LEARNING_FROM
            && let Some(estimate) = Estimate::learn(game, oracle, position, &|| control.going())
        {
            self.prior = Prior::new(estimate);
            self.learnt = true;
        }
        self.room.fit(control);
        let plan = self.room.plan();
        let (words, pages) = self.room.open();
        let numbers = Numbers::new(words, plan.places);
        let setting = Setting { oracle, coder, pages, numbers, prior: &self.prior, control };
        let locals = self.local_memory.iter_mut().map(Memory::words);
        // The search is compiled once a game and kind of table; here is where they are told apart.
        if plan.narrow {
            let table = NarrowTable::new(plan, words);
            let locals = locals.map(|words| NarrowTable::new(local_plan, words)).collect();
            match game {
                Game::Kalah(game) => setting.run(game, table, locals, body),
                game => setting.run(game, table, locals, body),
            }
        } else {
            let table = WideTable::new(plan, words);
            let locals = locals.map(|words| WideTable::new(local_plan, words)).collect();
            match game {
                Game::Kalah(game) => setting.run(game, table, locals, body),
                game => setting.run(game, table, locals, body),
            }
        }
    }
}

/// The parts that do not depend on the game or the kind of table.
struct Setting<'a, O: ?Sized> {
    oracle: &'a O,
    coder: Coder,
    pages: Pages<'a>,
    numbers: Numbers<'a>,
    prior: &'a Prior,
    control: &'a Control<'a>,
}

impl<O: Oracle + ?Sized> Setting<'_, O> {
    /// Runs `body` on this thread, which gets a helper for every local table but its own when the work is worth it.
    fn run<G: SowingGame, T: Table, R>(
        self,
        game: G,
        table: T,
        mut locals: Vec<T>,
        body: impl FnOnce(&mut dyn Ask) -> R,
    ) -> R {
        let Setting { oracle, coder, pages, numbers, prior, control } = self;
        let team = Team::new();
        let shared = &Shared { game, oracle, coder, table, pages, numbers, prior, control, team: &team };
        let own = locals.pop().expect("there is a local table for every thread, and a thread at least");
        std::thread::scope(|scope| {
            // However the body ends, the helpers must go home, or the scope would wait for ever.
            let _dismiss = team.dismiss_later();
            let mut hire = || {
                let Some(local) = locals.pop() else { return false };
                let help = move || Crew::new(Worker::new(shared, local), None).help();
                // Where the system gives no more threads, those that there are do the work.
                std::thread::Builder::new().spawn_scoped(scope, help).is_ok()
            };
            let mut crew = Crew::new(Worker::new(shared, own), Some(&mut hire));
            let result = body(&mut crew);
            crew.done();
            result
        })
    }
}
