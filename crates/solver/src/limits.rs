//! How far an analysis may go, who may stop it, and where it reports.

use kalah_search::Progress;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Limits of one analysis. The default has none and is silent.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// Stop searching after this time.
    pub time: Option<Duration>,
    /// Stop after about this many positions searched.
    pub nodes: Option<u64>,
    /// Stop soon after this is set.
    pub stop: Option<&'a AtomicBool>,
    /// Called about ten times a second while a search runs.
    pub report: Option<&'a (dyn Fn(&Progress) + Sync)>,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("time", &self.time).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}
