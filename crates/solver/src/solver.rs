//! The solver: layers and search behind one type.

use crate::answer::{in_one_number, south};
use crate::layers::Layers;
use crate::line::{Line, replay};
use crate::lookahead::Lookahead;
use crate::lookup::{Lookup, after};
use crate::question::{Ask, Question};
use crate::{Answer, Bound, Limits, MoveAnswer, Options, Record, Solutions, SolverError, Source, VERSION, pie};
use kalah_database::Database;
use kalah_retrograde::stamp;
use kalah_rules::{Game, LayerKind, Margin, Next, RuleSet, Side, SowingGame, State, explain};
use kalah_search::{Bounds, Proof, Stats};
use std::path::Path;
use std::time::Instant;

/// Answers questions about positions of one board under one rule set.
///
/// ```
/// use kalah::{Bound, Limits, Options, Solver};
/// use kalah_rules::Margin;
///
/// let solver = Solver::without_layers("kalah".parse()?, 4, Options::default())?;
/// let answer = solver.solve(2, &Limits::default())?;
/// assert_eq!((answer.value_mover, answer.bound), (Some(Margin(6)), Bound::Exact));
/// assert_eq!(answer.best_moves, ["4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    rules: RuleSet,
    pits: u8,
    pub(crate) game: Game,
    database: Option<Database>,
    pub(crate) options: Options,
    solutions: Solutions,
}

/// Above the work of any search: what a line of perfect play knows stays.
const MOST_WORK: u8 = 63;

impl Solver {
    /// A solver that uses the layers of `directory` for these rules and boards of `pits` pits a side; maybe none are there.
    ///
    /// # Errors
    /// If there are no such boards, the directory is missing, or one of its files for these rules and this board is damaged or
    /// for others.
    pub fn open(directory: &Path, rules: RuleSet, pits: u8, options: Options) -> Result<Solver, SolverError> {
        let solver = Solver::without_layers(rules, pits, options)?;
        let database = Database::open(directory, &stamp(&rules, pits))?;
        Ok(Solver { database: Some(database), ..solver })
    }

    /// A solver that searches everything.
    ///
    /// # Errors
    /// If `pits` is not 1 to 8.
    pub fn without_layers(rules: RuleSet, pits: u8, options: Options) -> Result<Solver, SolverError> {
        Ok(Solver { rules, pits, game: rules.game(pits)?, database: None, options, solutions: Solutions::default() })
    }

    /// The same solver with solved starts at hand: what they know is answered at once ([`Source::Solution`]) and helps
    /// the search of other positions.
    #[must_use]
    pub fn with_solutions(self, solutions: Solutions) -> Solver {
        Solver { solutions, ..self }
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
        self.database.as_ref()
    }

    /// Everything about the start with `seeds` seeds in every pit.
    ///
    /// # Errors
    /// If there is no such start, a layer is damaged, or the search cannot be set up.
    pub fn solve(&self, seeds: u32, limits: &Limits<'_>) -> Result<Answer, SolverError> {
        self.analyse(&State::start(self.pits, seeds)?, limits)
    }

    /// Everything about a position: its value, every move's value, and a line of perfect play.
    ///
    /// Without limits every value is exact. With limits, what is proved when one is reached comes as bounds.
    ///
    /// # Errors
    /// If the position is on another board, a layer is damaged, or the search cannot be set up.
    pub fn analyse(&self, state: &State, limits: &Limits<'_>) -> Result<Answer, SolverError> {
        Ok(self.analyse_and_keep(state, limits, 0)?.0)
    }

    /// As [`Solver::analyse`], and, if the position had to be searched and everything about it is exact, what is worth
    /// keeping of the search: the record of the answer with about the `most` heaviest proofs and the line of play.
    ///
    /// Values under the pie rule are not kept: they follow from those without it.
    ///
    /// # Errors
    /// As [`Solver::analyse`].
    pub fn analyse_and_keep(
        &self,
        state: &State,
        limits: &Limits<'_>,
        most: usize,
    ) -> Result<(Answer, Option<Record>), SolverError> {
        let clock = Instant::now();
        if state.pits() != self.pits {
            return Err(SolverError::OtherBoard { expected: self.pits, found: state.pits() });
        }
        let position = state.position();
        let mut answer = self.blank(state);
        let mut record = None;
        let with_pie = self.rules.pie && pie::is_start(state);
        let seeds = position.seeds();
        let inside = self.database.as_ref().filter(|database| seeds < database.layers());
        if let Some(value) = self.game.over(position) {
            self.finish(&mut answer, value);
        } else if let Some(database) = inside {
            answer.source = Source::Database;
            self.ask(&mut Lookup::new(self.game, database), state, &mut answer)?;
        } else if !with_pie && self.recall(state, &mut answer)? {
            // Seconds and work are those of the search that found it out.
            return Ok((answer, None));
        } else if self.game.layer_kind() == LayerKind::Cyclic {
            answer.source = Source::Search;
            let layers = Layers::new(self.database.as_ref());
            self.ask(&mut Lookahead::new(self.game, &layers, *limits), state, &mut answer)?;
        } else {
            answer.source = Source::Search;
            let layers = Layers::new(self.database.as_ref());
            let mut question = Question::new(self.rules, self.game, &layers, seeds, self.options, *limits)?;
            question.learn(&self.solutions);
            self.ask(&mut question, state, &mut answer)?;
            let (earlier, seconds) = question.earlier();
            answer.nodes += earlier.nodes;
            answer.database_probes += earlier.oracle_probes;
            answer.table_hits += earlier.table_hits;
            answer.seconds = seconds + clock.elapsed().as_secs_f64();
            if most > 0 && !with_pie && answer.is_complete() {
                record = self.record(&answer, question.proofs(most));
            }
            return Ok((answer, record));
        }
        answer.seconds = clock.elapsed().as_secs_f64();
        Ok((answer, record))
    }

    /// Answers from the solved starts, if they know the position's exact value; whether they do.
    fn recall(&self, state: &State, answer: &mut Answer) -> Result<bool, SolverError> {
        let position = state.position();
        let (value, moves, pits) = if let Some(record) = self.solutions.solved(position)
            && let (Some(value), Some(line)) = (record.bounds.exact(), &record.line)
        {
            let Stats { nodes, oracle_probes, table_hits, .. } = record.stats;
            (answer.nodes, answer.database_probes, answer.table_hits) = (nodes, oracle_probes, table_hits);
            (answer.seconds, answer.database_layers, answer.threads) = (record.seconds, record.layers, record.threads);
            (value, record.moves.clone(), line.clone())
        } else if let Some((value, line)) = self.solutions.line(&self.game, position) {
            let best = line.first().copied().unwrap_or_default();
            (value, self.solutions.moves(&self.game, position, best, value), line)
        } else {
            return Ok(false);
        };
        answer.source = Source::Solution;
        self.fill(answer, Bounds::just(value), &moves);
        set_line(answer, replay(&self.rules, &self.game, *state, &pits, value)?);
        Ok(true)
    }

    /// The record of an answer that is complete.
    fn record(&self, answer: &Answer, mut proofs: Vec<Proof>) -> Option<Record> {
        let bounds = Bounds::just(answer.exact()?);
        let line = answer.pv.iter().map(|pit| pit.parse().ok()).collect::<Option<Vec<u8>>>()?;
        let position = answer.position.position();
        let (mut now, mut value) = (position, bounds.lower);
        for &pit in &line {
            proofs.retain(|proof| proof.position != now);
            proofs.push(Proof { position: now, bounds: Bounds::just(value), pit: Some(pit), work: MOST_WORK });
            let sown = self.game.sow(now, pit);
            (value, _) = after(&sown, value, Margin(0));
            now = sown.position;
        }
        let moves = answer.moves.iter().map(|found| Some((found.pit, Bounds::just(found.value_mover?))));
        Some(Record {
            rules: self.rules,
            pits: self.pits,
            position,
            bounds,
            moves: moves.collect::<Option<_>>()?,
            line: Some(line),
            stats: Stats { nodes: answer.nodes, oracle_probes: answer.database_probes, table_hits: answer.table_hits },
            seconds: answer.seconds,
            layers: answer.database_layers,
            threads: answer.threads,
            program: VERSION.to_owned(),
            proofs,
        })
    }

    /// An answer that knows nothing yet.
    fn blank(&self, state: &State) -> Answer {
        Answer {
            rules: self.rules,
            rules_hash: self.rules.hash64(),
            position: *state,
            to_move: state.to_move(),
            value_mover: None,
            value_south: None,
            final_totals: None,
            bound: Bound::Unknown,
            source: Source::Finished,
            moves: Vec::new(),
            best_moves: Vec::new(),
            pv: Vec::new(),
            pv_turns: Vec::new(),
            pv_final: None,
            nodes: 0,
            database_probes: 0,
            table_hits: 0,
            seconds: 0.0,
            database_layers: self.layers(),
            threads: self.options.threads,
            version: VERSION,
        }
    }

    /// The answer for a position in which the game is over: the sweep.
    fn finish(&self, answer: &mut Answer, value: Margin) {
        let (state, mover) = (answer.position, answer.to_move);
        // The player who waits counts as the one who moved last.
        let share = self.game.leftovers(state.position().flipped());
        let swept =
            |side: Side| state.store(side) + u32::from(if side == mover { share.opponent } else { share.mover });
        answer.value_mover = Some(value);
        answer.value_south = Some(south(mover, value));
        answer.bound = Bound::Exact;
        answer.final_totals = Some([swept(Side::South), swept(Side::North)]);
        answer.pv_final = answer.final_totals;
    }

    /// Asks everything, whoever knows the answers.
    fn ask(&self, question: &mut dyn Ask, state: &State, answer: &mut Answer) -> Result<(), SolverError> {
        if self.rules.pie && pie::is_start(state) {
            self.ask_with_pie(question, state, answer)?;
        } else {
            self.ask_plainly(question, state, answer)?;
        }
        let Stats { nodes, oracle_probes, table_hits, .. } = question.stats();
        (answer.nodes, answer.database_probes, answer.table_hits) = (nodes, oracle_probes, table_hits);
        Ok(())
    }

    fn ask_plainly(&self, question: &mut dyn Ask, state: &State, answer: &mut Answer) -> Result<(), SolverError> {
        let position = state.position();
        let (bounds, moves) = question.every_move(position, lead(state))?;
        self.fill(answer, bounds, &moves);
        if let Some(value) = bounds.exact()
            && let Some(pits) = question.line(position, value, lead(state))?
        {
            let line = replay(&self.rules, &self.game, *state, &pits, value)?;
            set_line(answer, line);
        }
        Ok(())
    }

    fn ask_with_pie(&self, question: &mut dyn Ask, start: &State, answer: &mut Answer) -> Result<(), SolverError> {
        let turns = pie::first_turns(question, &self.game, *start)?;
        let best = |bounds: &mut dyn Iterator<Item = Bounds>| {
            bounds.reduce(|a, b| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) })
        };
        let mut moves: Vec<(u8, Bounds)> = self
            .game
            .legal(start.position())
            .filter_map(|pit| {
                let mut own = turns.iter().filter(|turn| turn.pits.first() == Some(&pit)).map(|turn| turn.bounds);
                best(&mut own).map(|bounds| (pit, bounds))
            })
            .collect();
        moves.sort_by_key(|&(pit, bounds)| std::cmp::Reverse((bounds.lower, bounds.upper, pit)));
        let Some(bounds) = best(&mut moves.iter().map(|&(_, bounds)| bounds)) else { return Ok(()) };
        self.fill(answer, bounds, &moves);
        // Only a turn whose worth is known on either seat can begin a line that ends where it should.
        let keeps = turns.iter().filter(|turn| turn.bounds == bounds && bounds.exact().is_some());
        let Some((first, kept)) = keeps.filter_map(|turn| Some((turn, turn.kept.exact()?))).next() else {
            return Ok(());
        };
        let won = |side: Side| Margin(first.state.store(side) as i16);
        // What North, to move after the turn, still gets.
        let rest = won(Side::South) - won(Side::North) - kept;
        if let Some(pits) = question.line(first.state.position(), rest, lead(&first.state))? {
            let line = replay(&self.rules, &self.game, first.state, &pits, rest)?;
            set_line(answer, pie::with_first_turn(first, kept > Margin(0), line));
        }
        Ok(())
    }

    /// Enters the value and the moves, which come best first.
    fn fill(&self, answer: &mut Answer, bounds: Bounds, moves: &[(u8, Bounds)]) {
        let (state, mover) = (answer.position, answer.to_move);
        let seeds = state.position().seeds();
        (answer.value_mover, answer.bound) = in_one_number(bounds, seeds);
        answer.value_south = answer.value_mover.map(|value| south(mover, value));
        if let Some(value) = bounds.exact() {
            answer.final_totals = self.totals(&state, south(mover, value));
        }
        answer.moves = moves.iter().filter_map(|&(pit, own)| self.move_answer(&state, pit, own, bounds)).collect();
        let best = answer.moves.iter().filter(|found| found.best == Some(true));
        answer.best_moves = best.map(|found| found.text.clone()).collect();
    }

    /// One move with bounds `own` in a position with bounds `all`; `None` only if it cannot be played.
    fn move_answer(&self, state: &State, pit: u8, own: Bounds, all: Bounds) -> Option<MoveAnswer> {
        let played = state.play(&self.game, pit).ok()?;
        let told = explain(&self.rules, state, pit).ok()?;
        let (value_mover, bound) = in_one_number(own, state.position().seeds());
        Some(MoveAnswer {
            text: pit.to_string(),
            pit,
            extra: played.next == Next::Again,
            captured: told.captured,
            banked: told.banked,
            position: played.state,
            to_move: played.state.to_move(),
            value_mover,
            value_south: value_mover.map(|value| south(state.to_move(), value)),
            bound,
            loss: own.exact().zip(all.exact()).map(|(own, all)| all - own),
            best: if own.lower >= all.upper {
                Some(true)
            } else if own.upper < all.lower {
                Some(false)
            } else {
                None
            },
        })
    }

    /// South's and North's totals at the end when South's margin from `state` on is `margin`; `None` if the margin does not
    /// tell, because some leftovers go to nobody.
    fn totals(&self, state: &State, margin: Margin) -> Option<[u32; 2]> {
        let seeds = i64::from(state.seeds());
        let margin = i64::from(state.store(Side::South)) - i64::from(state.store(Side::North)) + i64::from(margin.0);
        let half = |twice: i64| u32::try_from(twice / 2).ok();
        self.game.keeps_parity().then_some([half(seeds + margin)?, half(seeds - margin)?])
    }
}

/// What the store of the player to move holds more than the other one, as far as what lies in pits could change who is ahead.
fn lead(state: &State) -> Margin {
    let store = |side: Side| i64::from(state.store(side));
    let lead = store(state.to_move()) - store(state.to_move().other());
    Margin(lead.clamp(-1000, 1000) as i16)
}

fn set_line(answer: &mut Answer, line: Line) {
    (answer.pv, answer.pv_turns, answer.pv_final) = (line.moves, line.turns, Some(line.totals));
    // Where some leftovers go to nobody, only a line of play tells the totals.
    answer.final_totals = answer.final_totals.or(answer.pv_final);
}
