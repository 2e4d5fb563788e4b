//! Proofs that others can check: a position's value, and the moves that show it, without the search that found them.

use crate::ask::Ask;
use crate::layers::Layers;
use crate::lookup::Lookup;
use crate::{Limits, Solver, SolverError};
use kalah_certificate::{Certificate, CertificateError, Lemma};
use kalah_database::Database;
use kalah_rules::{LayerKind, Margin, SowingGame, State};
use kalah_search::{Bounds, Search, SearchError, Stats};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Choices between two reports.
const TELL_EVERY: usize = 1 << 10;

/// A proof and what it took to find it.
#[derive(Debug)]
pub struct Certified {
    /// The proof of the value of the position; `None` if a limit came first.
    pub certificate: Option<Certificate>,
    /// What is known of the value, for the mover.
    pub bounds: Bounds,
    /// The work of solving and of taking the proof out.
    pub stats: Stats,
}

/// What making a proof out of a finished search is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proving {
    /// Moves are chosen.
    Choosing {
        /// Positions that have their move.
        chosen: u64,
        /// Positions that are known to be left; more come to light.
        waiting: u64,
    },
    /// Lemmas are put in order.
    Ordering {
        /// Lemmas in their places.
        done: u64,
        /// All lemmas.
        all: u64,
    },
}

impl Solver {
    /// Solves a position and takes a proof of its value out of the search. Stores play no part in it, and neither does the
    /// option `+pie`: it is the position's value, not a start's, that is proved.
    ///
    /// The proof relies on solved layers with at most `layers` seeds, and on no more than are there. The fewer it may rely on, the
    /// longer it is; the search uses all that are there.
    ///
    /// ```
    /// use kalah::{Limits, Options, Solver};
    /// use kalah_rules::{Margin, RuleSet, State};
    ///
    /// let solver = Solver::without_layers(RuleSet::default(), 3, Options { table_bytes: 1 << 20, threads: 1 })?;
    /// let certified = solver.certify(&State::start(3, 2)?, None, &Limits::default())?;
    /// let certificate = certified.certificate.expect("no limit was set");
    /// assert_eq!(certificate.value(), Some(Margin(4)));
    /// assert!(certificate.check(None).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the position is on another board, a layer is damaged, or the search cannot be set up.
    pub fn certify(&self, state: &State, layers: Option<u32>, limits: &Limits<'_>) -> Result<Certified, SolverError> {
        self.certify_and_tell(state, layers, limits, &|_| ())
    }

    /// As [`Solver::certify`]; `tell` hears every few milliseconds what is done once the value is known, and the limits hold for
    /// that too. The search's table is given back before the lemmas are put in order.
    ///
    /// # Errors
    /// As [`Solver::certify`].
    pub fn certify_and_tell(
        &self,
        state: &State,
        layers: Option<u32>,
        limits: &Limits<'_>,
        tell: &dyn Fn(Proving),
    ) -> Result<Certified, SolverError> {
        let started = Instant::now();
        let until = limits.time.and_then(|time| started.checked_add(time));
        let going = |done, all| {
            tell(Proving::Ordering { done, all });
            let stopped = limits.stop.is_some_and(|stop| stop.load(Relaxed));
            !stopped && until.is_none_or(|until| Instant::now() < until)
        };
        if state.pits() != self.pits() {
            return Err(SolverError::OtherBoard { expected: self.pits(), found: state.pits() });
        }
        let (position, rules) = (state.position(), self.rules().for_positions());
        let game = rules.game(self.pits())?;
        let seeds = position.seeds();
        if game.layer_kind() == LayerKind::Cyclic {
            // Lemmas could rest on themselves.
            return Err(SearchError::Cyclic { rules, pits: self.pits(), seeds }.into());
        }
        let present = self.database().map_or(0, Database::layers);
        let reach = layers.map_or(present, |most| present.min(most.saturating_add(1)));
        let done = |bounds: Bounds, lemmas: Vec<Lemma>, stats: Stats| {
            let claim = [bounds.lower, bounds.upper];
            match Certificate::new_while(rules, self.pits(), position, claim, reach, lemmas, &going) {
                Ok(certificate) => Ok(Certified { certificate: Some(certificate), bounds, stats }),
                Err(CertificateError::Stopped) => Ok(Certified { certificate: None, bounds, stats }),
                // Only layers with impossible values lead to impossible lemmas.
                Err(_) => Err(self.contradiction(state, bounds.lower)),
            }
        };
        if let Some(value) = game.over(position) {
            return done(Bounds::just(value), Vec::new(), Stats::default());
        }
        if let Some(database) = self.database().filter(|_| seeds < reach) {
            let mut lookup = Lookup::new(game, database);
            return done(lookup.value(position, None)?, Vec::new(), lookup.stats());
        }
        let solver = Solver { rules, game, ..self.clone() };
        // The session, and with it the table, is given back at the end of this statement.
        let (lemmas, bounds, stats) = solver.session().with_question(seeds, limits, started, |question| {
            let Ok(question) = question else {
                let all = Margin(seeds as i16);
                return Ok((None, Bounds { lower: -all, upper: all }, Stats::default()));
            };
            let bounds = question.value(position, None)?;
            if bounds.exact().is_none() {
                return Ok((None, bounds, question.stats()));
            }
            let mut lemmas = Vec::new();
            let take = &mut |choice: kalah_search::Choice, waiting| {
                let kalah_search::Choice { position, window, pit } = choice;
                lemmas.push(Lemma { position, window, pit });
                if lemmas.len().is_multiple_of(TELL_EVERY) {
                    tell(Proving::Choosing { chosen: lemmas.len() as u64, waiting });
                }
            };
            let ask = |search: &mut Search<Layers>, limits: kalah_search::Limits<'_>| {
                search.choices(position, bounds, reach, limits, take)
            };
            let found = question.run(ask, |found| (found.stats, found.stopped))?;
            match found.stopped {
                None => Ok((Some(lemmas), bounds, question.stats())),
                Some(kalah_search::Stopped::Untrue) if !question.is_interrupted() => {
                    Err(self.contradiction(state, bounds.lower))
                }
                Some(_) => Ok((None, bounds, question.stats())),
            }
        })?;
        match lemmas {
            Some(lemmas) => done(bounds, lemmas, stats),
            None => Ok(Certified { certificate: None, bounds, stats }),
        }
    }
}
