//! The solver: layers and search behind one type.

use crate::{Answer, Limits, Options, Session, Solutions, SolverError};
use kalah_database::{Access, Database, DatabaseError};
use kalah_retrograde::stamp;
use kalah_rules::{Game, Margin, RuleSet, State};
use std::path::Path;
use std::sync::Arc;

/// Answers questions about positions of one board under one rule set.
///
/// ```
/// use kalah::{Bound, Limits, Options, Solver, Step};
/// use kalah_rules::Margin;
///
/// let solver = Solver::without_layers("kalah".parse()?, 4, Options::default())?;
/// let answer = solver.solve(2, &Limits::default())?;
/// assert_eq!((answer.exact(), answer.worth.bound), (Some(Margin(6)), Bound::Exact));
/// assert_eq!(answer.best_moves, [Step::Pit(4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    pub(crate) rules: RuleSet,
    pub(crate) pits: u8,
    pub(crate) game: Game,
    pub(crate) database: Option<Arc<Database>>,
    pub(crate) options: Options,
    pub(crate) solutions: Arc<Solutions>,
}

impl Solver {
    /// A solver that uses the layers of `directory` for these rules and boards of `pits` pits a side; maybe none are there.
    ///
    /// # Errors
    /// If there are no such boards, the directory is missing, or one of its files for these rules and this board is damaged or
    /// for others.
    pub fn open(directory: &Path, rules: RuleSet, pits: u8, options: Options) -> Result<Solver, SolverError> {
        let solver = Solver::without_layers(rules, pits, options)?;
        let database = Database::open_with(directory, &stamp(&rules, pits), Access::Map)?;
        Ok(Solver { database: Some(Arc::new(database)), ..solver })
    }

    /// A solver that searches everything.
    ///
    /// # Errors
    /// If `pits` is not 1 to 8.
    pub fn without_layers(rules: RuleSet, pits: u8, options: Options) -> Result<Solver, SolverError> {
        Ok(Solver { rules, pits, game: rules.game(pits)?, database: None, options, solutions: Arc::default() })
    }

    /// The same solver with layers that are open already.
    ///
    /// # Errors
    /// If they are for other rules or another board.
    pub fn with_database(self, database: Arc<Database>) -> Result<Solver, SolverError> {
        let (expected, found) = (stamp(&self.rules, self.pits), database.stamp());
        if *found != expected {
            let file = database.directory().to_owned();
            let (expected, found) = (expected.to_string(), found.to_string());
            return Err(DatabaseError::OtherRules { file, expected, found }.into());
        }
        Ok(Solver { database: Some(database), ..self })
    }

    /// The same solver with solved starts at hand: what they know is answered at once ([`Source::Solution`](crate::Source::Solution)) and helps
    /// the search of other positions.
    ///
    /// # Errors
    /// If the solutions contradict each other or the solved layers, or a layer is damaged.
    pub fn with_solutions(self, solutions: Solutions) -> Result<Solver, SolverError> {
        solutions.check(&self.game, self.database.as_deref())?;
        Ok(Solver { solutions: Arc::new(solutions), ..self })
    }

    /// The rules.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Pits a side.
    pub fn pits(&self) -> u8 {
        self.pits
    }

    /// The most seeds in pits for which the layers are complete from 0 on; `None` without any.
    pub fn layers(&self) -> Option<u32> {
        self.database.as_ref().and_then(|database| database.layers().checked_sub(1))
    }

    /// The layers, if a directory was opened.
    pub fn database(&self) -> Option<&Database> {
        self.database.as_deref()
    }

    /// What a search may use of the machine.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Opens a session: it remembers between questions what it has proved.
    #[must_use]
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// Everything about the start with `seeds` seeds in every pit, in a session of its own: [`Session::solve`].
    ///
    /// # Errors
    /// As [`Session::solve`].
    pub fn solve(&self, seeds: u32, limits: &Limits<'_>) -> Result<Answer, SolverError> {
        self.session().solve(seeds, limits)
    }

    /// Everything about a position, in a session of its own: [`Session::analyse`].
    ///
    /// # Errors
    /// As [`Session::analyse`].
    pub fn analyse(&self, state: &State, limits: &Limits<'_>) -> Result<Answer, SolverError> {
        self.session().analyse(state, limits)
    }

    /// That a solved layer or a kept solution must hold a false number.
    pub(crate) fn contradiction(&self, state: &State, value: Margin) -> SolverError {
        SolverError::Contradiction { rules: self.rules, position: state.to_string(), value }
    }
}
