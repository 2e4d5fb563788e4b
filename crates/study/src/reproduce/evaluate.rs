//! From a claim to what we find: one way of computing it for every kind of number.

use crate::reproduce::claim::Claim;
use crate::reproduce::error::ReproduceError;
use crate::reproduce::evaluator::{Evaluation, Evaluator};
use crate::reproduce::finding::Finding;
use crate::reproduce::graph::GraphCounts;
use crate::reproduce::line::Break;
use crate::reproduce::number::Number;
use crate::reproduce::quantity::{GraphKind, Quantity, Way};
use crate::reproduce::{chain, fair, formula, line, perft};
use kalah_rules::{Game, MAX_PITS, Margin, RuleSet, State};
use kalah_search::{MAX_OPENING_PITS, OpeningSearch};

/// Changed characters up to which a broken line is repaired.
const CHANGES: u32 = 3;

/// How the paper of 2000 counts a graph.
const IRVING: GraphKind = GraphKind { cut: true, skip_origin: false };

impl Evaluator<'_> {
    /// Evaluates one claim.
    pub(crate) fn compute(&self, claim: &Claim) -> Result<Evaluation, ReproduceError> {
        let pits = claim.pits;
        let go_on = || self.go_on();
        match &claim.quantity {
            Quantity::StateSpace => Ok(Evaluation::count(formula::state_space(pits, claim.seeds), 1)),
            Quantity::DatabaseSize { seeds } => Ok(Evaluation::count(formula::database_size(pits, *seeds), 1)),
            Quantity::DatabaseMegabytes { seeds } => {
                let size = formula::database_size(pits, *seeds);
                // Two positions a byte, 2^20 bytes a megabyte.
                let found = size.map_or(Finding::Nothing, |size| Finding::Real(size as f64 / f64::from(1 << 21)));
                Ok(Evaluation::new(found, 1))
            }
            Quantity::LayerConfigurations { seeds } => Ok(Evaluation::count(formula::configurations(pits, *seeds), 1)),
            Quantity::OpenBoards { with_start } => {
                let boards = formula::open_boards_up_to(pits, 2 * u32::from(pits) * claim.seeds);
                Ok(Evaluation::count(boards.map(|boards| boards + u128::from(*with_start)), 1))
            }
            Quantity::OpenLayerBoards { seeds } => Ok(Evaluation::count(formula::open_boards(pits, *seeds), 1)),
            Quantity::ChainRow { seeds } => {
                Ok(Evaluation::new(Finding::Row(chain::chain_row(*seeds)), u64::from(*seeds)))
            }
            Quantity::GraphNodes(kind) => self.of_graph(claim, *kind, |graph| Finding::Count(graph.nodes.into())),
            Quantity::GraphInner => {
                let uncut = GraphKind { cut: false, skip_origin: false };
                self.of_graph(claim, uncut, |graph| Finding::Count(graph.inner.into()))
            }
            Quantity::GraphShare => self.of_graph(claim, IRVING, |graph| {
                let space = formula::state_space(pits, claim.seeds);
                space.map_or(Finding::Nothing, |space| Finding::Real(100.0 * graph.nodes as f64 / space as f64))
            }),
            Quantity::GraphOutcomes(kind) => self.of_graph(claim, *kind, |graph| Finding::Outcomes(graph.outcomes())),
            Quantity::GraphCell { captured, first } => {
                self.of_graph(claim, IRVING, |graph| Finding::Outcomes(graph.cell(*captured, *first)))
            }
            Quantity::GraphCaptured { captured } => {
                self.of_graph(claim, IRVING, |graph| Finding::Count(graph.captured(*captured).into()))
            }
            Quantity::Margin | Quantity::Letter | Quantity::FirstMove(_) | Quantity::BestFirstMoves => {
                playing(claim, |rules, _, _| {
                    let mut found = Evaluation::new(Finding::Nothing, 0);
                    self.search(rules, &[claim], |_, evaluation, _| found = evaluation)?;
                    Ok(found)
                })
            }
            Quantity::PerfectLine(text) => playing(claim, |_, game, state| Ok(perfect_line(claim, game, state, text))),
            Quantity::LegalLine { turn, bins } => playing(claim, |_, game, state| {
                let found = line::legal_line(game, state, turn, bins);
                let moves = (turn.len() + bins.len()) as u64;
                let broken = |Break { turn: at, why }| Finding::Broken { at, why };
                Ok(Evaluation::new(found.map_or_else(broken, |()| Finding::Yes(true)), moves))
            }),
            Quantity::OpeningLine(turn) => playing(claim, |_, game, state| {
                let found = line::opening_line(game, state, turn);
                let found =
                    found.map_or_else(|why| Finding::Broken { at: 1, why }, |store| Finding::Count(u128::from(store)));
                Ok(Evaluation::new(found, turn.len() as u64))
            }),
            Quantity::WinningOpening if has_board_of_its_own(claim) => Ok(self.winning_opening(pits)),
            Quantity::WinningOpening => playing(claim, |_, game, state| {
                let m = u32::from(pits);
                Ok(match line::can_bank(game, state, 2 * m * m - m, &go_on) {
                    Some((found, boards)) => Evaluation::new(Finding::Yes(found), boards),
                    None => Evaluation::new(Finding::Nothing, 0),
                })
            }),
            Quantity::Perft { depth } => playing(claim, |_, game, state| {
                let lines = perft::sows(game, state.position(), *depth, &go_on);
                Ok(Evaluation::count(lines.map(u128::from), lines.unwrap_or_default()))
            }),
            Quantity::PerftTurns { depth } => playing(claim, |_, game, state| {
                let lines = perft::turns(game, state.position(), *depth, &go_on);
                Ok(Evaluation::count(lines.map(u128::from), lines.unwrap_or_default()))
            }),
            Quantity::LongestChain => {
                playing(claim, |_, game, _| Ok(Evaluation::count(Some(chain::longest_chain(game).into()), 1)))
            }
            Quantity::LayerHistogram { seeds } => playing(claim, |rules, _, _| self.histogram(claim, rules, *seeds)),
            Quantity::FairStarts { moved } => {
                playing(claim, |rules, _, state| fair::fair_starts(self, rules, state, *moved))
            }
        }
    }

    /// Evaluates a claim about a graph.
    fn of_graph(
        &self,
        claim: &Claim,
        kind: GraphKind,
        find: impl FnOnce(&GraphCounts) -> Finding,
    ) -> Result<Evaluation, ReproduceError> {
        playing(claim, |rules, _, _| Ok(self.graph(claim, rules, kind, find)))
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
}

/// Evaluates a claim for which the game has to be played, or says why this version does not play it.
fn playing(
    claim: &Claim,
    find: impl FnOnce(RuleSet, &Game, State) -> Result<Evaluation, ReproduceError>,
) -> Result<Evaluation, ReproduceError> {
    match claim.playable() {
        Ok((rules, game)) => find(rules, &game, claim.start()?),
        Err(why) => Ok(Evaluation::unplayed(why)),
    }
}

/// Whether a claim is about a first turn of Dakon on a board that is too large for the engine, and has a search of its own.
fn has_board_of_its_own(claim: &Claim) -> bool {
    let own = claim.rules == "dakon" && u32::from(claim.pits) == claim.seeds && claim.pits <= MAX_OPENING_PITS;
    own && claim.pits > MAX_PITS && claim.quantity == Quantity::WinningOpening
}

/// Why this version cannot evaluate a claim; `None` if it can.
pub(crate) fn unplayed(claim: &Claim) -> Option<String> {
    // A formula needs no game that the engine plays, nor has a search of its own one.
    if claim.quantity.way() == Way::Formula || has_board_of_its_own(claim) { None } else { claim.playable().err() }
}

/// Replays a perfect game; if it breaks, looks for the lines that may have been meant.
fn perfect_line(claim: &Claim, game: &Game, state: State, text: &str) -> Evaluation {
    let moves = text.chars().filter(char::is_ascii_digit).count() as u64;
    match line::perfect_line(game, state, text) {
        Ok(margin) => Evaluation::new(Finding::Margin(kalah_search::Bounds::just(Margin(margin as i16))), moves),
        Err(Break { turn, why }) => {
            let broken = Finding::Broken { at: turn, why };
            let Number::Margin(printed) = claim.number else { return Evaluation::new(broken, moves) };
            let note = match line::repairs(game, state, text, i64::from(printed.0), CHANGES) {
                None => format!("no change of up to {CHANGES} characters makes it end with {printed}"),
                Some((changes, lines)) => format!(
                    "{} of {changes} characters make it end with {printed}, such as {}",
                    if lines.len() == 1 { "one change".to_owned() } else { format!("{} changes", lines.len()) },
                    lines.first().map_or("", String::as_str)
                ),
            };
            Evaluation { note, ..Evaluation::new(broken, moves) }
        }
    }
}
