//! Fair starts: boards worth exactly 0 that differ from a start by a few moved seeds.

use crate::layers::Layers;
use crate::question::{Ask, Question};
use crate::reproduce::claim::Cost;
use crate::reproduce::error::ReproduceError;
use crate::reproduce::evaluate::{Evaluation, Evaluator};
use crate::reproduce::number::Finding;
use kalah_rules::{Margin, Position, Row, RuleSet, Side, State};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Boards in one piece of work: they share what their searches prove.
const TOGETHER: usize = 64;

/// Seeds of every pit and store: South's pits, his store, North's pits, his store.
type Places = Vec<u8>;

/// The boards that differ from `start` by at least one and at most `moved` seeds put elsewhere, stores included.
pub(crate) fn boards(start: State, moved: u32) -> Vec<State> {
    let pits = start.pits();
    let half = |side: Side| start.row(side).pits(pits).chain([start.store(side) as u8]);
    let origin: Places = half(Side::South).chain(half(Side::North)).collect();
    let (mut all, mut edge) = (BTreeSet::new(), BTreeSet::from([origin.clone()]));
    for _ in 0..moved {
        let step = |board: &Places| {
            let mut next = Vec::new();
            for from in (0..board.len()).filter(|&from| board[from] > 0) {
                for to in (0..board.len()).filter(|&to| to != from) {
                    let mut board = board.clone();
                    board[from] -= 1;
                    board[to] += 1;
                    next.push(board);
                }
            }
            next
        };
        edge = edge.iter().flat_map(step).filter(|board| !all.contains(board)).collect();
        all.extend(edge.iter().cloned());
    }
    all.remove(&origin);
    let m = usize::from(pits);
    let state = |board: &Places| {
        let rows = Position::new(Row::from_pits(&board[..m]), Row::from_pits(&board[m + 1..=2 * m]));
        State::new(pits, rows).with_stores(u32::from(board[m]), u32::from(board[2 * m + 1]))
    };
    all.iter().map(state).collect()
}

/// How many of these boards are worth exactly 0, stores included.
pub(crate) fn fair_starts(
    evaluator: &Evaluator<'_>,
    rules: RuleSet,
    start: State,
    moved: u32,
) -> Result<Evaluation, ReproduceError> {
    let boards = boards(start, moved);
    let game = rules.game(start.pits())?;
    let seeds = start.position().seeds();
    let database = evaluator.layers(rules, start.pits(), seeds)?;
    let piece = |states: &[State]| -> Result<(u64, u64, u64), ReproduceError> {
        let layers = Layers::new(database.as_ref());
        let options = evaluator.options(Cost::Seconds);
        let mut question = Question::new(rules, game, &layers, seeds, options, evaluator.limits())?;
        let (mut fair, mut decided) = (0, 0);
        for state in states.iter().take_while(|_| evaluator.go_on()) {
            // What the pits must still bring to make up for the stores.
            let wanted = Margin((i64::from(state.store(Side::North)) - i64::from(state.store(Side::South))) as i16);
            let bounds = question.value(state.position(), Some(wanted))?;
            decided += u64::from(bounds.exact().is_some());
            fair += u64::from(bounds.exact() == Some(wanted));
        }
        Ok((fair, decided, question.stats().nodes))
    };
    let add = |a: (u64, u64, u64), b: (u64, u64, u64)| Ok((a.0 + b.0, a.1 + b.1, a.2 + b.2));
    let (fair, decided, nodes) = boards.par_chunks(TOGETHER).map(piece).try_reduce(|| (0, 0, 0), add)?;
    let all = boards.len() as u64;
    let finding = if decided == all { Finding::Count(u128::from(fair)) } else { Finding::Nothing };
    let note = format!("{fair} of the {decided} boards decided are fair; {all} are to be decided");
    Ok(Evaluation { note, ..Evaluation::new(finding, nodes) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::evaluate::Means;
    use crate::{Limits, Options, Solver};

    #[test]
    fn seeds_are_moved_between_all_places() {
        // Four pits with a seed each and two empty stores: every seed to each of five other places.
        assert_eq!(boards(State::start(2, 1).unwrap(), 1).len(), 20);
        for moved in 1..=3 {
            for state in boards(State::start(2, 2).unwrap(), moved) {
                assert_eq!(state.seeds(), 8, "{state}");
                let rows = [Side::South, Side::North].map(|side| state.row(side).pits(2).collect::<Vec<_>>()).concat();
                let taken: u32 = rows.iter().map(|&pit| u32::from(2u8.saturating_sub(pit))).sum();
                assert!((1..=moved).contains(&taken), "{state}");
            }
        }
    }

    #[test]
    fn fair_boards_are_those_that_end_in_a_draw() {
        let rules: RuleSet = "kalah-empty".parse().unwrap();
        let start = State::start(3, 2).unwrap();
        let solver = Solver::without_layers(rules, 3, Options::default()).unwrap();
        let drawn = boards(start, 1).into_iter().filter(|state| {
            let [south, north] = solver.analyse(state, &Limits::default()).unwrap().final_totals.unwrap();
            south == north
        });
        let found = fair_starts(&Evaluator::new(Means::default()), rules, start, 1).unwrap();
        assert_eq!(found.finding, Finding::Count(drawn.count() as u128));
        assert!(found.finding != Finding::Count(0));
    }
}
