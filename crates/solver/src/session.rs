//! A session: one board under one rule set, opened once and asked many times.

use crate::ask::{Ask, Interrupt};
use crate::layers::Layers;
use crate::lookahead::Lookahead;
use crate::lookup::Lookup;
use crate::question::Question;
use crate::{Answer, Limits, Record, Solver, SolverError, Source, Stopped, describe, pie};
use kalah_rules::{LayerKind, Margin, Position, SowingGame, State};
use kalah_search::{Bounds, Search, Stats};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How long a question that waits for another one sleeps before it looks at its limits again.
const NAP: Duration = Duration::from_millis(2);

/// Proofs that move into a larger table when a position has more seeds than the table was made for.
const MOST_MOVED: usize = 100_000;

/// What is known about a position, without a line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// What is proved about the value, for the player to move.
    pub bounds: Bounds,
    /// What is proved about each move, best first: the pit, and the margin from before the move for the player who makes
    /// it. Filled only by [`Session::every_move`].
    pub moves: Vec<(u8, Bounds)>,
    /// What it took.
    pub stats: Stats,
    /// Why the question was not settled; `None` if it was.
    pub stopped: Option<Stopped>,
}

/// Answers questions about positions of one board under one rule set, and remembers between them what it has proved: its
/// search table, the estimate that was learnt from the layers, and kept solutions.
///
/// A session can be asked from several threads at once. Positions inside the solved layers are looked up side by side; those
/// that must be searched take turns, because all threads of a search work on one question. [`Session::cancel`] ends every
/// question that is being asked.
///
/// ```
/// use kalah::rules::State;
/// use kalah::{Limits, Options, Solver};
///
/// let session = Solver::without_layers("kalah".parse()?, 3, Options { table_bytes: 1 << 20, threads: 1 })?.session();
/// let start = session.analyse(&State::start(3, 2)?, &Limits::default())?;
/// assert_eq!(start.final_totals, Some([8, 4]));
/// // What was proved about the start answers this at once.
/// let next = session.analyse(&start.moves[0].position, &Limits::default())?;
/// assert_eq!(next.worth.end_south, start.worth.end_south);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    solver: Solver,
    search: Mutex<Option<Sized>>,
    /// Stops the search at work.
    halt: Arc<AtomicBool>,
    /// How often the session was cancelled.
    cancelled: AtomicU64,
    /// The table is made for positions with at least so many seeds.
    expected: u32,
}

/// A search and the most seeds that its table can tell apart.
#[derive(Debug)]
struct Sized {
    search: Search<Layers>,
    seeds: u32,
}

/// A question that never got to ask.
struct Unasked(Stopped);

impl Session {
    pub(crate) fn new(solver: Solver) -> Session {
        Session { solver, search: Mutex::new(None), halt: Arc::default(), cancelled: AtomicU64::new(0), expected: 0 }
    }

    /// The same session, with a table that is made for positions with up to `seeds` seeds in pits, so that it need not grow
    /// when they are asked about.
    #[must_use]
    pub fn expecting(self, seeds: u32) -> Session {
        Session { expected: seeds, ..self }
    }

    /// The solver that opened the session: rules, board, layers.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Ends every question that is being asked now, from any thread, within 100 ms; each answers with what it has proved.
    /// Later questions are not affected.
    pub fn cancel(&self) {
        self.cancelled.fetch_add(1, SeqCst);
        self.halt.store(true, SeqCst);
    }

    /// Everything about the start with `seeds` seeds in every pit.
    ///
    /// # Errors
    /// As [`Session::analyse`], or if there is no such start.
    pub fn solve(&self, seeds: u32, limits: &Limits<'_>) -> Result<Answer, SolverError> {
        self.analyse(&State::start(self.solver.pits(), seeds)?, limits)
    }

    /// Everything about a position: its value, every move's value, and a line of perfect play.
    ///
    /// Without limits every value is exact, unless positions of the game repeat. With limits, what is proved when one is
    /// reached comes as bounds, and the answer says which limit it was.
    ///
    /// # Errors
    /// If the position is on another board, a layer is damaged, or the search cannot be set up.
    pub fn analyse(&self, state: &State, limits: &Limits<'_>) -> Result<Answer, SolverError> {
        Ok(self.analyse_and_keep(state, limits, 0)?.0)
    }

    /// As [`Session::analyse`], and, if the position had to be searched and everything about it is exact, what is worth
    /// keeping of the search: the record of the answer with about the `most` heaviest proofs and the line of play.
    ///
    /// Values under the pie rule are not kept: they follow from those without it.
    ///
    /// # Errors
    /// As [`Session::analyse`].
    pub fn analyse_and_keep(
        &self,
        state: &State,
        limits: &Limits<'_>,
        most: usize,
    ) -> Result<(Answer, Option<Record>), SolverError> {
        let started = Instant::now();
        self.check(state.pits())?;
        let solver = &self.solver;
        let mut answer = describe::blank(solver, state);
        let seconds = |answer: &mut Answer| answer.seconds = started.elapsed().as_secs_f64();
        if let Some(value) = solver.game.over(state.position()) {
            describe::finish(&solver.game, &mut answer, value);
            seconds(&mut answer);
            return Ok((answer, None));
        }
        let with_pie = solver.rules().pie && pie::is_start(state);
        let inside = solver.layers().is_some_and(|most| state.position().seeds() <= most);
        if inside || with_pie || solver.game.layer_kind() == LayerKind::Cyclic {
            answer.source = if inside { Source::Database } else { Source::Search };
            self.with_means(state.position().seeds(), limits, started, |means| {
                describe::ask(solver, means, state, &mut answer)
            })?;
            seconds(&mut answer);
            return Ok((answer, None));
        }
        // What kept solutions know need not be searched.
        let known = describe::recall(solver, state)?;
        if let Some(known) = &known {
            let settled = known.moves.iter().all(|found| found.worth.value_mover.is_some());
            if settled || limits.value_only {
                return Ok((known.clone(), None));
            }
        }
        let guess = known.as_ref().and_then(Answer::exact).or(limits.guess);
        let limits = Limits { guess, ..*limits };
        answer.source = Source::Search;
        let record = self.with_question(state.position().seeds(), &limits, started, |question| {
            let question = match question {
                Ok(question) => question,
                Err(stopped) => {
                    describe::ask(solver, &mut Unasked(stopped), state, &mut answer)?;
                    answer.seconds = started.elapsed().as_secs_f64();
                    return Ok(None);
                }
            };
            describe::ask(solver, question, state, &mut answer)?;
            let (earlier, earlier_seconds) = question.earlier();
            answer.nodes += earlier.nodes;
            answer.database_probes += earlier.oracle_probes;
            answer.table_hits += earlier.table_hits;
            answer.seconds = earlier_seconds + started.elapsed().as_secs_f64();
            let wanted = most > 0 && !limits.value_only && answer.is_complete();
            Ok(if wanted { describe::record(solver, &answer, question.proofs(most)) } else { None })
        })?;
        if let Some(known) = known {
            describe::unite(solver, &mut answer, known)?;
        }
        Ok((answer, record))
    }

    /// What kept solutions know of a position, if they know its value and a line of play; maybe not every move's value.
    ///
    /// # Errors
    /// If a solution's line of play does not keep the value it states.
    pub fn recall(&self, state: &State) -> Result<Option<Answer>, SolverError> {
        self.check(state.pits())?;
        let solver = &self.solver;
        let known = !(solver.rules().pie && pie::is_start(state)) && solver.game.over(state.position()).is_none();
        if known { describe::recall(solver, state) } else { Ok(None) }
    }

    /// Whether [`Session::analyse`] would have to search the position: the game is not over, the layers do not reach it, and
    /// kept solutions do not know enough; `value_only` is as in [`Limits`].
    ///
    /// # Errors
    /// As [`Session::recall`].
    pub fn needs_search(&self, state: &State, value_only: bool) -> Result<bool, SolverError> {
        self.check(state.pits())?;
        let position = state.position();
        let inside = self.solver.layers().is_some_and(|most| position.seeds() <= most);
        if inside || self.solver.game.over(position).is_some() {
            return Ok(false);
        }
        let settled = |known: Answer| known.moves.iter().all(|found| found.worth.value_mover.is_some());
        Ok(self.recall(state)?.is_none_or(|known| !value_only && !settled(known)))
    }

    /// What can be proved about a position; [`Limits::guess`] is where to ask first.
    ///
    /// # Errors
    /// As [`Session::analyse`].
    pub fn value(&self, state: &State, limits: &Limits<'_>) -> Result<Known, SolverError> {
        self.ask(state, limits, |means| Ok((means.value(state.position(), limits.guess)?, Vec::new())))
    }

    /// What can be proved about a position, at least whether its value for the player to move reaches `window`.
    ///
    /// # Errors
    /// As [`Session::analyse`].
    pub fn reaches(&self, state: &State, window: Margin, limits: &Limits<'_>) -> Result<Known, SolverError> {
        self.ask(state, limits, |means| Ok((means.reaches(state.position(), window)?, Vec::new())))
    }

    /// What can be proved about a position and about each of its moves.
    ///
    /// # Errors
    /// As [`Session::analyse`].
    pub fn every_move(&self, state: &State, limits: &Limits<'_>) -> Result<Known, SolverError> {
        self.ask(state, limits, |means| means.every_move(state.position(), Margin(0)))
    }

    /// What is left to the first player of a start if the other may change seats after the first turn, whether or not the
    /// rule set has the pie rule.
    ///
    /// # Errors
    /// As [`Session::analyse`].
    pub fn pie_value(&self, start: &State, limits: &Limits<'_>) -> Result<Known, SolverError> {
        let game = self.solver.game;
        self.ask(start, limits, |means| Ok((pie::value(means, &game, start.position())?, Vec::new())))
    }

    fn check(&self, found: u8) -> Result<(), SolverError> {
        let expected = self.solver.pits();
        if found == expected { Ok(()) } else { Err(SolverError::OtherBoard { expected, found }) }
    }

    /// Asks a question about one position.
    fn ask(
        &self,
        state: &State,
        limits: &Limits<'_>,
        ask: impl FnOnce(&mut dyn Ask) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError>,
    ) -> Result<Known, SolverError> {
        self.check(state.pits())?;
        let position = state.position();
        if let Some(value) = self.solver.game.over(position) {
            let bounds = Bounds::just(value);
            return Ok(Known { bounds, moves: Vec::new(), stats: Stats::default(), stopped: None });
        }
        self.with_means(position.seeds(), limits, Instant::now(), |means| {
            let (bounds, moves) = ask(means)?;
            let stopped = if bounds.exact().is_some() && moves.iter().all(|(_, own)| own.exact().is_some()) {
                None
            } else {
                means.stopped()
            };
            Ok(Known { bounds, moves, stats: means.stats(), stopped })
        })
    }

    /// Does something with what can answer questions about positions with up to `seeds` seeds in pits: the layers, a look
    /// ahead, or the search.
    fn with_means<R>(
        &self,
        seeds: u32,
        limits: &Limits<'_>,
        started: Instant,
        work: impl FnOnce(&mut dyn Ask) -> Result<R, SolverError>,
    ) -> Result<R, SolverError> {
        let Solver { game, database, .. } = &self.solver;
        if let Some(database) = database.as_ref().filter(|database| seeds < database.layers()) {
            return work(&mut Lookup::new(*game, database));
        }
        if game.layer_kind() == LayerKind::Cyclic {
            let layers = Layers::new(database.clone(), Arc::default());
            let interrupt = Interrupt::new(limits.stop, &self.cancelled);
            return work(&mut Lookahead::new(*game, &layers, limits.left(started, 0), interrupt));
        }
        self.with_question(seeds, limits, started, |question| match question {
            Ok(question) => work(question),
            Err(stopped) => work(&mut Unasked(stopped)),
        })
    }

    /// Does something with the search, once no other thread uses it, or with what ended the question before.
    pub(crate) fn with_question<R>(
        &self,
        seeds: u32,
        limits: &Limits<'_>,
        started: Instant,
        work: impl FnOnce(Result<&mut Question<'_>, Stopped>) -> Result<R, SolverError>,
    ) -> Result<R, SolverError> {
        let interrupt = Interrupt::new(limits.stop, &self.cancelled);
        let mut guard = match self.wait(limits, started, &interrupt) {
            Ok(guard) => guard,
            Err(stopped) => return work(Err(stopped)),
        };
        self.halt.store(false, SeqCst);
        // Whoever cancelled the session before the flag was reset meant this question too.
        if interrupt.is_set() {
            return work(Err(Stopped::Cancelled));
        }
        let Solver { rules, game, database, options, solutions, .. } = &self.solver;
        let own = match guard.take() {
            Some(sized) if sized.seeds >= seeds => sized,
            small => {
                let seeds = seeds.max(self.expected);
                let layers = Layers::new(database.clone(), self.halt.clone());
                let mut search = Search::new(*game, layers, seeds, *options)?;
                let moved = small.map(|mut small| small.search.heaviest(MOST_MOVED)).unwrap_or_default();
                for proof in moved.iter().chain(solutions.proofs()) {
                    // Proofs of positions with more seeds than the table can tell apart are of no use to it.
                    let _ = search.learn(proof);
                }
                Sized { search, seeds }
            }
        };
        let sized = guard.insert(own);
        work(Ok(&mut Question::new(*rules, &mut sized.search, options.threads, *limits, started, interrupt)))
    }

    /// Waits until no other thread uses the search.
    fn wait(
        &self,
        limits: &Limits<'_>,
        started: Instant,
        interrupt: &Interrupt<'_>,
    ) -> Result<MutexGuard<'_, Option<Sized>>, Stopped> {
        loop {
            match self.search.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(guard)) => {
                    // A thread that panicked may have left a table that is not whole.
                    let mut guard = PoisonError::into_inner(guard);
                    *guard = None;
                    self.search.clear_poison();
                    return Ok(guard);
                }
                Err(TryLockError::WouldBlock) => {}
            }
            if interrupt.is_set() {
                return Err(Stopped::Cancelled);
            }
            if limits.time.is_some_and(|time| started.elapsed() >= time) {
                return Err(Stopped::Time);
            }
            std::thread::sleep(NAP);
        }
    }
}

impl Ask for Unasked {
    fn value(&mut self, position: Position, _guess: Option<Margin>) -> Result<Bounds, SolverError> {
        let all = Margin(position.seeds() as i16);
        Ok(Bounds { lower: -all, upper: all })
    }

    fn every_move(&mut self, position: Position, _lead: Margin) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError> {
        Ok((self.value(position, None)?, Vec::new()))
    }

    fn line(&mut self, _position: Position, _value: Margin, _lead: Margin) -> Result<Option<Vec<u8>>, SolverError> {
        Ok(None)
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }

    fn stopped(&self) -> Option<Stopped> {
        Some(self.0)
    }
}
