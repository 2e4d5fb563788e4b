//! Claims about values: positions searched by the engine, with solved layers where they help.

use crate::reproduce::claim::{Claim, Cost};
use crate::reproduce::error::ReproduceError;
use crate::reproduce::evaluator::{Evaluation, Evaluator, Known};
use crate::reproduce::finding::Finding;
use crate::reproduce::number::{Letter, Number};
use crate::reproduce::quantity::Quantity;
use kalah::{Limits, Options, Rates, Session, Solver, suggested_layers, with_threads};
use kalah_database::{Access, Database};
use kalah_retrograde::{BuildError, BuildOptions, Observer, build, stamp};
use kalah_rules::{LayerKind, Margin, RuleSet, Side, SowingGame, State};
use kalah_search::{Bounds, Goal};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Boards with fewer seeds in pits are searched without layers: building them would take longer.
const NO_LAYERS: u32 = 20;

/// Bytes of the table of a search that takes seconds.
const SMALL_TABLE: usize = 256 << 20;

/// Stops a build when the evaluator's limits come.
struct Stopper<'a>(&'a Evaluator<'a>);

impl Observer for Stopper<'_> {
    fn should_stop(&self) -> bool {
        !self.0.go_on()
    }
}

impl Evaluator<'_> {
    /// Evaluates claims about one rule set and board together: what is proved for one helps the next. `done` gets each
    /// evaluation with the time it took, in seconds; the time to build layers is not in it.
    pub(crate) fn search(
        &self,
        rules: RuleSet,
        claims: &[&Claim],
        mut done: impl FnMut(&Claim, Evaluation, f64),
    ) -> Result<(), ReproduceError> {
        let Some(first) = claims.first() else { return Ok(()) };
        let (pits, game) = (first.pits, rules.game(first.pits)?);
        let states = claims.iter().map(|claim| claim.start()).collect::<Result<Vec<State>, _>>()?;
        let seeds = states.iter().map(|state| state.position().seeds()).max().unwrap_or(0);
        let database = self.layers(rules, pits, seeds)?;
        let inside = database.as_ref().is_some_and(|database| seeds < database.layers());
        let options = if rules.pie || inside { self.means.options } else { self.options(first.cost) };
        let solver = Solver::without_layers(rules, pits, options)?;
        let solver = match database {
            Some(database) => solver.with_database(database)?,
            None => solver,
        };
        let session = solver.session().expecting(seeds);
        if rules.pie {
            for (claim, state) in claims.iter().zip(&states) {
                let clock = Instant::now();
                let answer = session.analyse(state, &self.limits())?;
                let evaluation = Evaluation::new(Finding::Margin(answer.worth.mover), answer.nodes);
                done(claim, evaluation, clock.elapsed().as_secs_f64());
            }
            return Ok(());
        }
        if game.layer_kind() == LayerKind::Cyclic && !inside {
            let why =
                format!("positions of {} repeat, so only solved layers answer, and they do not reach", first.game);
            claims.iter().for_each(|claim| done(claim, Evaluation::unplayed(why.clone()), 0.0));
            return Ok(());
        }
        for (claim, &state) in claims.iter().zip(&states) {
            let (clock, mut nodes) = (Instant::now(), 0);
            let mut value = |after: State, guess: Option<Margin>| {
                self.margin(&session, (rules, pits, after.position()), after, state.to_move(), guess, &mut nodes)
            };
            let finding = match &claim.quantity {
                Quantity::FirstMove(turn) => match state.play_turn(&game, turn) {
                    Ok(played) => Finding::Margin(value(played.state, guess(&claim.number))?),
                    Err(error) => Finding::Broken { at: 1, why: error.to_string() },
                },
                Quantity::BestFirstMoves => {
                    let known = session.every_move(&state, &self.limits())?;
                    nodes += known.stats.nodes;
                    best_moves(&known)
                }
                _ => Finding::Margin(value(state, guess(&claim.number))?),
            };
            done(claim, Evaluation::new(finding, nodes), clock.elapsed().as_secs_f64());
        }
        Ok(())
    }

    /// The margin of `mover` at the end of perfect play from `state`, stores included.
    fn margin(
        &self,
        session: &Session,
        key: Known,
        state: State,
        mover: Side,
        guess: Option<Margin>,
        nodes: &mut u64,
    ) -> Result<Bounds, ReproduceError> {
        let won = Margin((i64::from(state.store(mover)) - i64::from(state.store(mover.other()))) as i16);
        let seen = |bounds: Bounds| if state.to_move() == mover { bounds } else { -bounds };
        if let Some(value) = self.known().get(&key) {
            return Ok(seen(Bounds::just(*value)) + won);
        }
        let guess = guess.map(|guess| seen(Bounds::just(guess - won)).lower);
        let known = session.value(&state, &Limits { guess, ..self.limits() })?;
        *nodes += known.stats.nodes;
        if let Some(value) = known.bounds.exact() {
            self.known().insert(key, value);
        }
        Ok(seen(known.bounds) + won)
    }

    /// What a search may use: claims that take seconds are searched side by side, one thread and a small table each, longer
    /// ones one by one.
    pub(crate) fn options(&self, cost: Cost) -> Options {
        if cost > Cost::Seconds {
            return self.means.options;
        }
        Options { table_bytes: self.means.options.table_bytes.min(SMALL_TABLE), threads: 1 }
    }

    /// The limits of a search that begins now.
    pub(crate) fn limits(&self) -> Limits<'_> {
        let time = self.means.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time, stop: self.means.stop, report: self.means.report, ..Limits::default() }
    }

    /// The solved layers for a position with so many seeds, built first where that pays.
    pub(crate) fn layers(&self, rules: RuleSet, pits: u8, seeds: u32) -> Result<Option<Arc<Database>>, ReproduceError> {
        let Some(directory) = self.means.directory else { return Ok(None) };
        if seeds >= NO_LAYERS && self.means.layer_bytes > 0 {
            let rates = Rates::of_threads(self.means.options.threads);
            // Half of the time there is belongs to the search.
            let left = self.limits().time.map_or(f64::INFINITY, |left| left.as_secs_f64() / 2.0);
            self.build(
                directory,
                rules,
                pits,
                suggested_layers(pits, seeds, Goal::Value, self.means.layer_bytes, 0, left, &rates),
            )?;
        }
        if !directory.exists() {
            return Ok(None);
        }
        Ok(Some(Arc::new(Database::open_with(directory, &stamp(&rules, pits), Access::Map)?)))
    }

    /// Builds what is missing of the layers up to `seeds`, as far as the limits allow.
    pub(crate) fn build(&self, directory: &Path, rules: RuleSet, pits: u8, seeds: u32) -> Result<(), ReproduceError> {
        let _alone = self.building.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let present = if directory.exists() {
            Database::open_with(directory, &stamp(&rules, pits), Access::Map)?.layers()
        } else {
            0
        };
        if present > seeds {
            return Ok(());
        }
        let work = || build(directory, &rules, pits, seeds, &BuildOptions::default(), &Stopper(self));
        match with_threads(self.means.options.threads, work)? {
            Ok(_) | Err(BuildError::Stopped) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Where to ask first: what was printed. It steers the search and decides nothing.
fn guess(number: &Number) -> Option<Margin> {
    match number {
        Number::Margin(margin) => Some(*margin),
        Number::Letter(Letter::Win) => Some(Margin(2)),
        Number::Letter(Letter::Loss) => Some(Margin(-2)),
        _ => None,
    }
}

/// The pits that keep the value of a position.
fn best_moves(known: &kalah::Known) -> Finding {
    let kalah::Known { bounds, moves, .. } = known;
    if bounds.exact().is_none() || moves.iter().any(|(_, bounds)| bounds.exact().is_none()) {
        return Finding::Nothing;
    }
    let mut best: Vec<u8> = moves.iter().filter(|(_, own)| own.lower == bounds.lower).map(|&(pit, _)| pit).collect();
    best.sort_unstable();
    Finding::Pits(best)
}
