//! How far an analysis may go, who may stop it, and where it reports.

use crate::RecordError;
use kalah_rules::Margin;
use kalah_search::Progress;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Where a long search keeps what it has proved, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checkpoint<'a> {
    /// The file. If it is there when the search begins, the search resumes from it; it is written again whenever `every` has
    /// passed, and when a limit ends the search. If it cannot be written, the search goes on, and the earlier file stays.
    pub path: &'a Path,
    /// At most this much work is lost when the process is killed.
    pub every: Duration,
}

/// Limits of one analysis. The default has none and is silent.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// Stop this long after the analysis begins.
    pub time: Option<Duration>,
    /// Stop after about this many positions searched.
    pub nodes: Option<u64>,
    /// Stop within 100 ms after this is set.
    pub stop: Option<&'a AtomicBool>,
    /// Called about ten times a second while a search runs.
    pub report: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Where to ask first: a guess of the value for the player to move. A good one saves time, a bad one costs time, neither
    /// changes the answer. Without one a shallow search makes one up.
    pub guess: Option<Margin>,
    /// Ask for the value and a line of play only; other moves get the bounds that are proved on the way. Several times less
    /// work. The line then follows moves that are proved already, so it need not be the same every time.
    pub value_only: bool,
    /// Where to keep what is proved on the way. Only for positions beyond the solved layers.
    pub checkpoint: Option<Checkpoint<'a>>,
    /// Called when the checkpoint could not be written (`Some`), and when that succeeds again (`None`).
    #[expect(clippy::type_complexity, reason = "a name for a call would say no more")]
    pub unwritten: Option<&'a (dyn Fn(Option<&RecordError>) + Sync)>,
}

impl<'a> Limits<'a> {
    /// What is left of the same limits after the time since `started` has passed and `nodes` positions are searched.
    #[must_use]
    pub fn left(&self, started: Instant, nodes: u64) -> Limits<'a> {
        Limits {
            time: self.time.map(|time| time.saturating_sub(started.elapsed())),
            nodes: self.nodes.map(|most| most.saturating_sub(nodes)),
            ..*self
        }
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("time", &self.time).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}
