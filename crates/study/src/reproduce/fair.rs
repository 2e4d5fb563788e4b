//! Claims about fair starts: boards worth exactly 0 that differ from a start by a few moved seeds.

use crate::fair::{Judge, Verdict, boards, count_boards};
use crate::reproduce::error::ReproduceError;
use crate::reproduce::evaluator::{Evaluation, Evaluator};
use crate::reproduce::finding::Finding;
use kalah_rules::{RuleSet, State};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many boards that differ from `start` by at most `moved` seeds are worth exactly 0, stores included.
pub(crate) fn fair_starts(
    evaluator: &Evaluator<'_>,
    rules: RuleSet,
    start: State,
    moved: u32,
) -> Result<Evaluation, ReproduceError> {
    let database = evaluator.layers(rules, start.pits(), start.position().seeds())?;
    let means = &evaluator.means;
    let judge = Judge {
        rules,
        database: database.as_ref(),
        options: means.options,
        until: means.until,
        stop: means.stop,
        report: means.report,
    };
    let (nodes, decided, fair) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    judge.judge_all(boards(start, 1..=moved), &|_, verdict, more| {
        nodes.fetch_add(more, Relaxed);
        decided.fetch_add(1, Relaxed);
        fair.fetch_add(u64::from(verdict == Verdict::Fair), Relaxed);
    })?;
    let (decided, fair) = (decided.into_inner(), fair.into_inner());
    let all = count_boards(start, 1..=moved);
    let finding = if decided == all { Finding::Count(fair.into()) } else { Finding::Nothing };
    let note = format!("{fair} of the {decided} boards decided are fair; {all} are to be decided");
    Ok(Evaluation { note, ..Evaluation::new(finding, nodes.into_inner()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::evaluator::Means;
    use kalah::{Limits, Options, Solver};

    #[test]
    fn fair_boards_are_those_that_end_in_a_draw() {
        let rules: RuleSet = "kalah-empty".parse().unwrap();
        let start = State::start(3, 2).unwrap();
        let solver = Solver::without_layers(rules, 3, Options::default()).unwrap();
        let drawn = boards(start, 1..=1).filter(|board| {
            let [south, north] = solver.analyse(&board.state, &Limits::default()).unwrap().final_totals.unwrap();
            south == north
        });
        let found = fair_starts(&Evaluator::new(Means::default()), rules, start, 1).unwrap();
        assert_eq!(found.finding, Finding::Count(drawn.count() as u128));
        assert!(found.finding != Finding::Count(0));
    }
}
