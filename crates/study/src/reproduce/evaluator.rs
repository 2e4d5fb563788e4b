//! What claims are evaluated with, and what is remembered while many of them are.

use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::graph::{GraphCounts, count};
use crate::reproduce::quantity::GraphKind;
use kalah::{Options, Progress};
use kalah_rules::{GameRules, KalahRules, Leftover, Margin, Position, RuleSet};
use std::collections::HashMap;
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

    /// A count, or nothing if it is too large to be counted or a limit came first.
    pub(crate) fn count(count: Option<u128>, work: u64) -> Evaluation {
        Evaluation::new(count.map_or(Finding::Nothing, Finding::Count), work)
    }
}

/// What a value is known by: rules, pits a side and the position.
pub(crate) type Known = (RuleSet, u8, Position);

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

    /// Something about a graph, which is counted if no claim before needed it.
    pub(crate) fn graph(
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
}
