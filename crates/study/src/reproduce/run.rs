//! Many claims, cheapest first, on several threads, within limits.

use crate::reproduce::claim::{Claim, Cost};
use crate::reproduce::error::ReproduceError;
use crate::reproduce::evaluate::unplayed;
use crate::reproduce::evaluator::Evaluator;
use crate::reproduce::quantity::{Quantity, Way};
use crate::reproduce::report::Report;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The most claims evaluated together.
const TOGETHER: usize = 16;

/// Is told how far a run has come, from any thread.
pub trait Watch: Sync {
    /// Work on a claim, and maybe on others that share its work, begins.
    fn started(&self, _claim: &Claim) {}

    /// A claim is settled, or left.
    fn finished(&self, _report: &Report) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// What is evaluated together: one rule set, board and class of cost.
type Batch<'a> = Vec<&'a Claim>;

/// Evaluates claims, cheapest first, until the evaluator's limits come. Claims for which the rest of the time cannot be
/// enough are left. The reports come in the order of `claims`.
///
/// # Errors
/// If layers cannot be read or built, or a search cannot be set up; not if a claim is false.
pub fn run(evaluator: &Evaluator<'_>, claims: &[&Claim], watch: &dyn Watch) -> Result<Vec<Report>, ReproduceError> {
    let reports: Mutex<HashMap<&str, Report>> = Mutex::default();
    let done = |report: Report, claim: &Claim| {
        watch.finished(&report);
        let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(claim) = claims.iter().find(|other| other.id == claim.id) {
            reports.insert(claim.id.as_str(), report);
        }
    };
    for cost in Cost::ALL {
        let class: Vec<&Claim> = claims.iter().copied().filter(|claim| claim.cost == cost).collect();
        let batches = batches(&class);
        let threads = evaluator.means.options.threads.max(1);
        // Longer searches use all threads themselves.
        let workers = if cost > Cost::Seconds { 1 } else { threads.min(batches.len()) };
        let fault: Mutex<Option<ReproduceError>> = Mutex::default();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(batch) = batches.get(next.fetch_add(1, Relaxed)) {
                if let Err(error) = one_batch(evaluator, batch, watch, &done) {
                    fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    next.store(batches.len(), Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(work);
            }
            work();
        });
        if let Some(error) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
    }
    let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(claims.iter().filter_map(|claim| reports.remove(claim.id.as_str())).collect())
}

/// Claims of one class of cost in the order of their first ones, searches of one board under one rule set together.
fn batches<'a>(claims: &[&'a Claim]) -> Vec<Batch<'a>> {
    let mut batches: Vec<Batch<'a>> = Vec::new();
    let mut open: HashMap<(&str, u8, u32), usize> = HashMap::new();
    for claim in claims {
        if claim.quantity.way() != Way::Search || claim.playable().is_err() {
            batches.push(vec![claim]);
            continue;
        }
        let key = (claim.rules.as_str(), claim.pits, claim.seeds);
        match open.get(&key).filter(|&&at| batches[at].len() < TOGETHER) {
            Some(&at) => batches[at].push(claim),
            None => {
                open.insert(key, batches.len());
                batches.push(vec![claim]);
            }
        }
    }
    // The search for a margin answers who wins as well, not the other way round.
    batches.iter_mut().for_each(|batch| batch.sort_by_key(|claim| claim.quantity == Quantity::Letter));
    batches
}

fn one_batch(
    evaluator: &Evaluator<'_>,
    batch: &[&Claim],
    watch: &dyn Watch,
    done: &dyn Fn(Report, &Claim),
) -> Result<(), ReproduceError> {
    let Some(first) = batch.first() else { return Ok(()) };
    let left = evaluator.means.until.map(|until| until.saturating_duration_since(Instant::now()));
    let hopeless = left.is_some_and(|left| left < first.cost.at_least()) || !evaluator.go_on();
    if hopeless || unplayed(first).is_some() {
        batch.iter().for_each(|claim| done(Report::not_evaluated(claim), claim));
        return Ok(());
    }
    watch.started(first);
    if let (Way::Search, Ok((rules, _))) = (first.quantity.way(), first.playable()) {
        return evaluator.search(rules, batch, |claim, evaluation, seconds| {
            done(Report::new(claim, evaluation, seconds), claim);
        });
    }
    for claim in batch {
        let clock = Instant::now();
        let evaluation = evaluator.compute(claim)?;
        done(Report::new(claim, evaluation, clock.elapsed().as_secs_f64()), claim);
    }
    Ok(())
}
