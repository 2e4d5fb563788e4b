//! When a search stops, what it reports on the way, and what it counts.

use crate::Bounds;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What a search counts. With one thread all of it is the same on every run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions whose moves were generated.
    pub nodes: u64,
    /// Questions to the oracle.
    pub oracle_probes: u64,
    /// Positions that needed no search because the table knew enough about them.
    pub table_hits: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.nodes += other.nodes;
        self.oracle_probes += other.oracle_probes;
        self.table_hits += other.table_hits;
    }
}

/// Why a search ended before it reached its goal. Shown, it is half a sentence: "the time limit was reached".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Stopped {
    /// The search has visited as many positions as [`Limits::nodes`] allows.
    Nodes,
    /// The time of [`Limits::time`] or [`Limits::until`] is over.
    Time,
    /// Somebody set the flag of [`Limits::stop`].
    Asked,
    /// A line of play grew longer than the search can follow.
    Depth,
    /// The claim to be shown is not true: the value given to [`Search::line`](crate::Search::line) or the bounds given to
    /// [`Search::choices`](crate::Search::choices) are not those of the position. Not a limit.
    Untrue,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Stopped::Nodes => "the limit of searched positions was reached",
            Stopped::Time => "the time limit was reached",
            Stopped::Asked => "the search was stopped by hand",
            Stopped::Depth => "a line of play grew too long to follow",
            Stopped::Untrue => "what was to be shown is not true",
        })
    }
}

/// What a running search says about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The work so far, of all threads.
    pub stats: Stats,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The pit of the root move that is being searched; `None` while the position itself is.
    pub root_move: Option<u8>,
    /// The question in hand: is the value at least this? For the mover of the position that is searched.
    pub window: i16,
    /// The bounds proved so far, for the same mover.
    pub bounds: Bounds,
}

/// Limits of one call and where it reports. The default has none and is silent.
///
/// Limits are looked at every few milliseconds. One thread stops at the limit of nodes or a handful later; several threads
/// together may pass it by some hundred nodes each.
///
/// ```
/// use kalah_search::Limits;
/// use std::time::Duration;
/// let limits = Limits::default().nodes(1_000_000).time(Duration::from_secs(10));
/// # let _ = limits;
/// ```
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    pub(crate) nodes: Option<u64>,
    pub(crate) until: Option<Instant>,
    pub(crate) stop: [Option<&'a AtomicBool>; 2],
    pub(crate) report: Option<(Duration, Report<'a>)>,
}

/// Receives the progress of a running search.
pub(crate) type Report<'a> = &'a (dyn Fn(&Progress) + Sync);

impl<'a> Limits<'a> {
    /// Stop after about this many nodes.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Limits<'a> {
        Limits { nodes: Some(nodes), ..self }
    }

    /// Stop this long from now.
    #[must_use]
    pub fn time(self, time: Duration) -> Limits<'a> {
        // A time beyond what the clock can express is no limit.
        Limits { until: Instant::now().checked_add(time), ..self }
    }

    /// Stop at this instant.
    #[must_use]
    pub fn until(self, until: Instant) -> Limits<'a> {
        Limits { until: Some(until), ..self }
    }

    /// Stop as soon as `flag` is set. Called again, it adds a second flag: either of the two last ones stops the search.
    #[must_use]
    pub fn stop(self, flag: &'a AtomicBool) -> Limits<'a> {
        Limits { stop: [Some(flag), self.stop[0]], ..self }
    }

    /// Call `report` about every `interval`, always from one thread at a time.
    #[must_use]
    pub fn report(self, interval: Duration, report: &'a (dyn Fn(&Progress) + Sync)) -> Limits<'a> {
        Limits { report: Some((interval, report)), ..self }
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("nodes", &self.nodes).field("until", &self.until).finish_non_exhaustive()
    }
}

/// What a call may still do.
pub(crate) struct Budget {
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
}

/// The limits of one call at work, shared by its threads.
pub(crate) struct Control<'a> {
    limits: Limits<'a>,
    started: Instant,
    halted: AtomicBool,
    nodes: AtomicU64,
    oracle_probes: AtomicU64,
    table_hits: AtomicU64,
    state: Mutex<State>,
}

struct State {
    stopped: Option<Stopped>,
    reported: Instant,
    root_move: Option<u8>,
    window: i16,
    bounds: Bounds,
}

impl<'a> Control<'a> {
    pub(crate) fn new(limits: Limits<'a>) -> Control<'a> {
        let started = Instant::now();
        let state = State { stopped: None, reported: started, root_move: None, window: 0, bounds: Bounds::default() };
        Control {
            limits,
            started,
            halted: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            oracle_probes: AtomicU64::new(0),
            table_hits: AtomicU64::new(0),
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing under the lock can panic but a reporter, and what it leaves is whole.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether all threads should give up.
    #[inline]
    pub(crate) fn halted(&self) -> bool {
        self.halted.load(Relaxed)
    }

    /// Ends the call for all threads; the first reason counts.
    pub(crate) fn halt(&self, reason: Stopped) {
        self.state().stopped.get_or_insert(reason);
        self.halted.store(true, Relaxed);
    }

    /// Why the call was ended, if it was.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.state().stopped
    }

    /// Says what is searched from now on, for reports.
    pub(crate) fn enter(&self, root_move: Option<u8>, window: i16, bounds: Bounds) {
        let mut state = self.state();
        (state.root_move, state.window, state.bounds) = (root_move, window, bounds);
    }

    /// All work that was [`count`](Control::count)ed.
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            nodes: self.nodes.load(Relaxed),
            oracle_probes: self.oracle_probes.load(Relaxed),
            table_hits: self.table_hits.load(Relaxed),
        }
    }

    /// Adds the work of one thread.
    pub(crate) fn count(&self, stats: Stats) {
        self.nodes.fetch_add(stats.nodes, Relaxed);
        self.oracle_probes.fetch_add(stats.oracle_probes, Relaxed);
        self.table_hits.fetch_add(stats.table_hits, Relaxed);
    }

    /// As many of `nodes` nodes as a small part of the work may take.
    pub(crate) fn limit(&self, nodes: u64) -> u64 {
        self.limits.nodes.map_or(nodes, |most| nodes.min(most / 8))
    }

    /// The work that the call may still do.
    pub(crate) fn budget(&self) -> Budget {
        let time = self.limits.until.map(|until| until.saturating_duration_since(self.started));
        Budget { nodes: self.limits.nodes, time }
    }

    /// Nodes until the limit; as many as there are numbers without one.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes.load(Relaxed)))
    }

    /// Halts if a limit is reached; whether to go on.
    pub(crate) fn going(&self) -> bool {
        if self.limits.nodes.is_some_and(|nodes| self.nodes.load(Relaxed) >= nodes) {
            self.halt(Stopped::Nodes);
        }
        if self.limits.stop.iter().flatten().any(|stop| stop.load(Relaxed)) {
            self.halt(Stopped::Asked);
        }
        if self.limits.until.is_some_and(|until| Instant::now() >= until) {
            self.halt(Stopped::Time);
        }
        !self.halted()
    }

    /// Halts if a limit is reached; reports if it is time to. Whether to go on.
    pub(crate) fn check(&self) -> bool {
        let going = self.going();
        // A thread that finds another one reporting goes on searching.
        if let Some((interval, report)) = self.limits.report
            && let Ok(mut state) = self.state.try_lock()
            && state.reported.elapsed() >= interval
        {
            state.reported = Instant::now();
            report(&Progress {
                stats: self.stats(),
                elapsed: self.started.elapsed(),
                root_move: state.root_move,
                window: state.window,
                bounds: state.bounds,
            });
        }
        going
    }
}
