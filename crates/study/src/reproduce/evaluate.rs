//! From a claim to what we find: one way of computing it for every kind of number.

use crate::reproduce::claim::{Claim, GraphKind, Quantity};
use crate::reproduce::error::ReproduceError;
use crate::reproduce::graph::{GraphCounts, count};
use crate::reproduce::number::{Finding, Number};
use crate::reproduce::value::{Known, start};
use crate::reproduce::{chain, fair, formula, line};
use kalah::{Options, Progress};
use kalah_database::{Database, DatabaseError};
use kalah_retrograde::stamp;
use kalah_rules::{Game, GameRules, KalahRules, LayerKind, Leftover, MAX_PITS, Margin, RuleSet, SowingGame, State};
use kalah_search::{MAX_OPENING_PITS, OpeningSearch};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// What may be used to evaluate claims.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// The directory of solved layers, if layers may be used.
    pub directory: Option<&'a Path>,
    /// Bytes that layers may take on disk if they are built on the way; 0 builds none.
    pub layer_bytes: u64,
    /// The table of a search, and how many threads there are.
    pub options: Options,
    /// When to stop.
    pub until: Option<Instant>,
    /// Stop soon after this is set.
    pub stop: Option<&'a AtomicBool>,
    /// Called about ten times a second while a search runs.
    pub report: Option<&'a (dyn Fn(&Progress) + Sync)>,
}

impl Default for Means<'_> {
    /// No layers, no limits, one thread.
    fn default() -> Self {
        Means { directory: None, layer_bytes: 0, options: Options::default(), until: None, stop: None, report: None }
    }
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Evaluation {
    /// Our number.
    pub(crate) finding: Finding,
    /// Positions searched, nodes counted or boards looked at.
    pub(crate) work: u64,
    /// What else was found.
    pub(crate) note: String,
    /// Why this version cannot evaluate the claim, if it cannot.
    pub(crate) unplayed: Option<String>,
}

impl Evaluation {
    pub(crate) fn new(finding: Finding, work: u64) -> Evaluation {
        Evaluation { finding, work, note: String::new(), unplayed: None }
    }

    /// Nothing, because this version does not play the game or board.
    pub(crate) fn unplayed(why: String) -> Evaluation {
        Evaluation { unplayed: Some(why), ..Evaluation::new(Finding::Nothing, 0) }
    }

    /// A count, or nothing if it is too large to be counted.
    fn formula(count: Option<u128>) -> Evaluation {
        Evaluation::new(count.map_or(Finding::Nothing, Finding::Count), 1)
    }
}

/// A graph that is counted once for all claims about it.
type Graph = (KalahRules, u8, u32, GraphKind);

/// Evaluates claims, and remembers what several of them need.
pub struct Evaluator<'a> {
    pub(crate) means: Means<'a>,
    graphs: Mutex<HashMap<Graph, Arc<OnceLock<Option<GraphCounts>>>>>,
    known: Mutex<HashMap<Known, Margin>>,
    pub(crate) building: Mutex<()>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows nothing yet.
    pub fn new(means: Means<'a>) -> Evaluator<'a> {
        Evaluator { means, graphs: Mutex::default(), known: Mutex::default(), building: Mutex::default() }
    }

    /// Whether no limit has come.
    pub(crate) fn go_on(&self) -> bool {
        let stopped = self.means.stop.is_some_and(|stop| stop.load(Relaxed));
        !stopped && self.means.until.is_none_or(|until| Instant::now() < until)
    }

    /// Values found so far.
    pub(crate) fn known(&self) -> MutexGuard<'_, HashMap<Known, Margin>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates a claim that is not about the value of a position.
    pub(crate) fn compute(&self, claim: &Claim) -> Result<Evaluation, ReproduceError> {
        let (pits, seeds) = (claim.pits, claim.seeds);
        Ok(match &claim.quantity {
            Quantity::StateSpace => Evaluation::formula(formula::state_space(pits, seeds)),
            Quantity::DatabaseSize { seeds } => Evaluation::formula(formula::database_size(pits, *seeds)),
            Quantity::DatabaseMegabytes { seeds } => {
                let size = formula::database_size(pits, *seeds);
                // Two positions a byte, 2^20 bytes a megabyte.
                let found = size.map_or(Finding::Nothing, |size| Finding::Real(size as f64 / f64::from(1 << 21)));
                Evaluation::new(found, 1)
            }
            Quantity::LayerConfigurations { seeds } => Evaluation::formula(formula::configurations(pits, *seeds)),
            Quantity::OpenBoards { with_start } => {
                let boards = formula::open_boards_up_to(pits, 2 * u32::from(pits) * seeds);
                Evaluation::formula(boards.map(|boards| boards + u128::from(*with_start)))
            }
            Quantity::OpenLayerBoards { seeds } => Evaluation::formula(formula::open_boards(pits, *seeds)),
            Quantity::ChainRow { seeds } => Evaluation::new(Finding::Row(chain::chain_row(*seeds)), u64::from(*seeds)),
            Quantity::WinningOpening if has_board_of_its_own(claim) => self.winning_opening(pits),
            _ => match playable(claim) {
                Ok((rules, game)) => self.play(claim, rules, &game)?,
                Err(why) => Evaluation::unplayed(why),
            },
        })
    }

    /// Looks for a winning first turn of Dakon on a board beyond those of the engine.
    fn winning_opening(&self, pits: u8) -> Evaluation {
        match kalah_search::winning_opening(pits, u64::MAX, &|| self.go_on()) {
            Some(OpeningSearch::Found(opening, boards)) => Evaluation {
                note: format!("a turn of {} moves and {} laps", opening.turn.len(), opening.laps),
                ..Evaluation::new(Finding::Yes(true), boards)
            },
            Some(OpeningSearch::Impossible(boards)) => Evaluation::new(Finding::Yes(false), boards),
            Some(OpeningSearch::Undecided(boards)) => Evaluation::new(Finding::Nothing, boards),
            None => Evaluation::unplayed(format!("boards of {pits} pits a side are not played by this version")),
        }
    }

    /// Evaluates a claim for which the game has to be played.
    fn play(&self, claim: &Claim, rules: RuleSet, game: &Game) -> Result<Evaluation, ReproduceError> {
        let go_on = || self.go_on();
        let state = start(claim)?;
        Ok(match &claim.quantity {
            Quantity::GraphNodes(kind) => {
                self.graph(claim, rules, *kind, |graph| Finding::Count(u128::from(graph.nodes)))
            }
            Quantity::GraphInner => {
                let uncut = GraphKind { cut: false, skip_origin: false };
                self.graph(claim, rules, uncut, |graph| Finding::Count(u128::from(graph.inner)))
            }
            Quantity::GraphShare => self.graph(claim, rules, IRVING, |graph| {
                let space = formula::state_space(claim.pits, claim.seeds);
                space.map_or(Finding::Nothing, |space| Finding::Real(100.0 * graph.nodes as f64 / space as f64))
            }),
            Quantity::GraphOutcomes(kind) => {
                self.graph(claim, rules, *kind, |graph| Finding::Outcomes(graph.outcomes()))
            }
            Quantity::GraphCell { captured, first } => {
                self.graph(claim, rules, IRVING, |graph| Finding::Outcomes(graph.cell(*captured, *first)))
            }
            Quantity::GraphCaptured { captured } => {
                self.graph(claim, rules, IRVING, |graph| Finding::Count(u128::from(graph.captured(*captured))))
            }
            Quantity::PerfectLine(text) => perfect_line(claim, game, state, text),
            Quantity::LegalLine { turn, bins } => {
                let found = line::legal_line(game, state, turn, bins);
                let moves = (turn.len() + bins.len()) as u64;
                Evaluation::new(found.map_or_else(Finding::Broken, |()| Finding::Yes(true)), moves)
            }
            Quantity::OpeningLine(turn) => {
                let found = line::opening_line(game, state, turn);
                let found = found.map_or_else(Finding::Broken, |store| Finding::Count(u128::from(store)));
                Evaluation::new(found, turn.len() as u64)
            }
            Quantity::WinningOpening => {
                let m = u32::from(claim.pits);
                match line::can_bank(game, state, 2 * m * m - m, &go_on) {
                    Some((found, boards)) => Evaluation::new(Finding::Yes(found), boards),
                    None => Evaluation::new(Finding::Nothing, 0),
                }
            }
            Quantity::Perft { depth } => {
                let count = kalah_rules::perft(game, state.position(), *depth);
                Evaluation::new(Finding::Count(u128::from(count)), count)
            }
            Quantity::PerftTurns { depth } => {
                let count = kalah_rules::perft_turns(game, state.position(), *depth);
                Evaluation::new(Finding::Count(u128::from(count)), count)
            }
            Quantity::LongestChain => Evaluation::new(Finding::Count(u128::from(chain::longest_chain(game))), 1),
            Quantity::LayerHistogram { seeds } => self.histogram(claim, rules, *seeds)?,
            Quantity::FairStarts { moved } => fair::fair_starts(self, rules, state, *moved)?,
            // Values are searched, and what has a formula was computed before.
            _ => Evaluation::new(Finding::Nothing, 0),
        })
    }

    /// Something about a graph, which is counted if no claim before needed it.
    fn graph(
        &self,
        claim: &Claim,
        rules: RuleSet,
        kind: GraphKind,
        find: impl FnOnce(&GraphCounts) -> Finding,
    ) -> Evaluation {
        let GameRules::Kalah(kalah) = rules.game else {
            return Evaluation::unplayed(format!("graphs of {} are not counted by this version", claim.game));
        };
        let key = (kalah, claim.pits, claim.seeds, kind);
        let cell = self.graphs.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        let mut work = 0;
        let graph = cell.get_or_init(|| {
            let seeds = u8::try_from(claim.seeds).ok().filter(|_| kalah.leftover == Leftover::Owner)?;
            let graph = count(claim.pits, seeds, kalah, kind, &|| self.go_on());
            work = graph.as_ref().map_or(0, |graph| graph.nodes);
            graph
        });
        Evaluation::new(graph.as_ref().map_or(Finding::Nothing, find), work)
    }

    /// How many positions of a layer have each value; values beyond the printed range count at its ends.
    fn histogram(&self, claim: &Claim, rules: RuleSet, seeds: u32) -> Result<Evaluation, ReproduceError> {
        let temporary;
        let directory = match self.means.directory {
            Some(directory) => directory,
            None => {
                temporary = tempfile::tempdir().map_err(|source| DatabaseError::Io {
                    file: std::env::temp_dir(),
                    doing: "creating a temporary directory in",
                    source,
                })?;
                temporary.path()
            }
        };
        if self.means.directory.is_none() || self.means.layer_bytes > 0 {
            let built = self.build(directory, rules, claim.pits, seeds);
            if let (Err(error), LayerKind::Cyclic) = (&built, rules.game(claim.pits)?.layer_kind()) {
                return Ok(Evaluation::unplayed(error.to_string()));
            }
            built?;
        }
        if !directory.exists() {
            return Ok(Evaluation::new(Finding::Nothing, 0));
        }
        let database = Database::open(directory, &stamp(&rules, claim.pits))?;
        let Some(file) = database.layer(seeds) else { return Ok(Evaluation::new(Finding::Nothing, 0)) };
        let positions = file.layer().positions();
        let mut by_value = [0u64; 256];
        let mut part = vec![0i8; 1 << 20];
        let mut first = 0;
        while first < positions {
            let length = part.len().min((positions - first) as usize);
            file.read(first, &mut part[..length])?;
            part[..length].iter().for_each(|&value| by_value[usize::from(value as u8)] += 1);
            first += length as u64;
        }
        let range = match &claim.number {
            Number::Histogram(values) => values.keys().next().copied().zip(values.keys().last().copied()),
            _ => None,
        };
        let (least, most) = range.unwrap_or((i16::from(i8::MIN), i16::from(i8::MAX)));
        let mut values = BTreeMap::new();
        for (byte, &count) in (0..=u8::MAX).zip(&by_value).filter(|(_, count)| **count > 0) {
            *values.entry(i16::from(byte as i8).clamp(least, most)).or_default() += count;
        }
        Ok(Evaluation::new(Finding::Histogram(values), positions))
    }
}

/// Changed characters up to which a broken line is repaired.
const CHANGES: u32 = 3;

/// How the paper of 2000 counts a graph.
const IRVING: GraphKind = GraphKind { cut: true, skip_origin: false };

/// The rules and the game of a claim, or why this version does not play it.
pub(crate) fn playable(claim: &Claim) -> Result<(RuleSet, Game), String> {
    let rules: RuleSet = claim.rules.parse().map_err(|_| format!("{} is not played by this version", claim.game))?;
    if claim.pits > MAX_PITS {
        return Err(format!("boards of {} pits a side are not played by this version", claim.pits));
    }
    let game = rules.game(claim.pits).map_err(|error| error.to_string())?;
    State::start(claim.pits, claim.seeds).map_err(|error| format!("not played by this version: {}", error.reason))?;
    Ok((rules, game))
}

/// Whether a claim is about a first turn of Dakon on a board that is too large for the engine, and has a search of its own.
fn has_board_of_its_own(claim: &Claim) -> bool {
    let own = claim.rules == "dakon" && u32::from(claim.pits) == claim.seeds && claim.pits <= MAX_OPENING_PITS;
    own && claim.pits > MAX_PITS && claim.quantity == Quantity::WinningOpening
}

/// Whether a claim needs no game that the engine plays: its number has a formula, or a search of its own.
pub(crate) fn needs_no_game(claim: &Claim) -> bool {
    has_board_of_its_own(claim) || has_formula(&claim.quantity)
}

/// Whether the number has a formula.
fn has_formula(quantity: &Quantity) -> bool {
    matches!(
        quantity,
        Quantity::StateSpace
            | Quantity::DatabaseSize { .. }
            | Quantity::DatabaseMegabytes { .. }
            | Quantity::LayerConfigurations { .. }
            | Quantity::OpenBoards { .. }
            | Quantity::OpenLayerBoards { .. }
            | Quantity::ChainRow { .. }
    )
}

/// Replays a perfect game; if it breaks, looks for the lines that may have been meant.
fn perfect_line(claim: &Claim, game: &Game, state: State, text: &str) -> Evaluation {
    let moves = text.chars().filter(char::is_ascii_digit).count() as u64;
    match line::perfect_line(game, state, text) {
        Ok(margin) => Evaluation::new(Finding::Margin(kalah_search::Bounds::just(Margin(margin as i16))), moves),
        Err(why) => {
            let Number::Margin(printed) = claim.number else { return Evaluation::new(Finding::Broken(why), moves) };
            let note = match line::repairs(game, state, text, i64::from(printed.0), CHANGES) {
                None => format!("no change of up to {CHANGES} characters makes it end with {printed}"),
                Some((changes, lines)) => format!(
                    "{} of {changes} characters make it end with {printed}, such as {}",
                    if lines.len() == 1 { "one change".to_owned() } else { format!("{} changes", lines.len()) },
                    lines.first().map_or("", String::as_str)
                ),
            };
            Evaluation { note, ..Evaluation::new(Finding::Broken(why), moves) }
        }
    }
}
