//! Proofs that others can check: a position's value, and the moves that show it, without the search that found them.

use crate::layers::Layers;
use crate::lookup::Lookup;
use crate::question::Ask;
use crate::{Limits, Solver, SolverError};
use kalah_certificate::{Certificate, Lemma};
use kalah_database::Database;
use kalah_rules::{Margin, SowingGame, State};
use kalah_search::{Bounds, Search, Stats};
use std::time::Instant;

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
        if state.pits() != self.pits() {
            return Err(SolverError::OtherBoard { expected: self.pits(), found: state.pits() });
        }
        let (position, rules) = (state.position(), self.rules().for_positions());
        let game = rules.game(self.pits())?;
        let seeds = position.seeds();
        let present = self.database().map_or(0, Database::layers);
        let reach = layers.map_or(present, |most| present.min(most.saturating_add(1)));
        let done = |bounds: Bounds, lemmas: Vec<Lemma>, stats: Stats| {
            let claim = [bounds.lower, bounds.upper];
            match Certificate::new(rules, self.pits(), position, claim, reach, lemmas) {
                Ok(certificate) => Ok(Certified { certificate: Some(certificate), bounds, stats }),
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
        solver.session().with_question(seeds, limits, Instant::now(), |question| {
            let open = |bounds, stats| Ok(Certified { certificate: None, bounds, stats });
            let Ok(question) = question else {
                let all = Margin(seeds as i16);
                return open(Bounds { lower: -all, upper: all }, Stats::default());
            };
            let bounds = question.value(position, None)?;
            if bounds.exact().is_none() {
                return open(bounds, question.stats());
            }
            let ask = |search: &mut Search<Layers>, limits: kalah_search::Limits<'_>| {
                search.choices(position, bounds, reach, limits)
            };
            let found = question.run(ask, |found| (found.stats, found.stopped))?;
            match found.choices {
                Some(choices) => {
                    let lemma = |choice: kalah_search::Choice| Lemma {
                        position: choice.position,
                        window: choice.window,
                        pit: choice.pit,
                    };
                    done(bounds, choices.into_iter().map(lemma).collect(), question.stats())
                }
                None if question.is_interrupted() || found.stopped != Some(kalah_search::Stopped::Untrue) => {
                    open(bounds, question.stats())
                }
                None => Err(self.contradiction(state, bounds.lower)),
            }
        })
    }
}
