//! Searching with a person waiting: what it may use, how far it has come, and how it ended.

use crate::failure::Outcome;
use crate::global::{Global, SearchLimits};
use crate::output::note;
use crate::screen::Screen;
use crate::{stop, units};
use indicatif::{ProgressBar, ProgressStyle};
use kalah::machine;
use kalah::{Answer, Limits, Options, Progress, Record, Session, SolverError, Stopped};
use kalah_rules::{Margin, State};
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two plain lines.
const EVERY: Duration = Duration::from_secs(10);

/// What a search of positions with up to `seeds` seeds in pits may use of the machine.
pub(crate) fn options(global: &Global, limits: SearchLimits, seeds: u32) -> Options {
    let table = limits.table.unwrap_or_else(|| {
        let free = machine::free_memory();
        kalah::suggested_table(seeds, if free > 0 { free / 3 } else { u64::MAX })
    });
    Options { table_bytes: usize::try_from(table).unwrap_or(usize::MAX), threads: global.threads() }
}

/// How many of a solved start's heaviest proofs are kept, 22 bytes each before they are packed.
const MOST_KEPT: usize = 2000;

/// Answers, with progress on stderr, until the limits or a signal; `more` says what else is wanted.
pub(crate) fn analyse(
    session: &Session,
    state: &State,
    limits: SearchLimits,
    more: Limits<'_>,
) -> Result<Answer, SolverError> {
    with_progress(limits, more, |limits| session.analyse(state, limits))
}

/// Answers, with progress on stderr, until the limits or a signal, and with what is worth keeping if the answer is complete;
/// `more` says what else is wanted.
pub(crate) fn analyse_and_keep(
    session: &Session,
    state: &State,
    limits: SearchLimits,
    more: Limits<'_>,
) -> Result<(Answer, Option<Record>), SolverError> {
    with_progress(limits, more, |limits| session.analyse_and_keep(state, limits, MOST_KEPT))
}

/// Does what searches, with progress on stderr, until the limits or a signal; `more` says what else is wanted.
pub(crate) fn with_progress<R>(limits: SearchLimits, more: Limits<'_>, work: impl FnOnce(&Limits<'_>) -> R) -> R {
    let shown = Shown::new();
    let report = |progress: &Progress| shown.update(progress);
    let SearchLimits { time, nodes, .. } = limits;
    work(&Limits { time, nodes, stop: Some(stop::flag()), report: Some(&report), ..more })
}

/// Why a search that began at `started` with these limits ended without an answer.
pub(crate) fn why(limits: SearchLimits, started: Instant) -> &'static str {
    let stopped = if stop::requested() {
        Stopped::Cancelled
    } else if limits.time.is_some_and(|time| started.elapsed() >= time) {
        Stopped::Time
    } else if limits.nodes.is_some() {
        Stopped::Nodes
    } else {
        Stopped::Depth
    };
    stopped.words()
}

/// How a command ends that printed this answer; `value_only` is whether only the value was asked for.
pub(crate) fn outcome(answer: &Answer, value_only: bool) -> Outcome {
    if answer.is_complete() || value_only && answer.exact().is_some() && !answer.pv.is_empty() {
        Outcome::Answered
    } else {
        Outcome::Limit
    }
}

/// What a search says about itself while it runs.
pub(crate) struct Shown {
    /// On a terminal.
    bar: Option<ProgressBar>,
    /// When the last plain line was printed.
    printed: Mutex<Instant>,
}

impl Shown {
    pub(crate) fn new() -> Shown {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(if Screen::get().ascii { style.tick_chars("-\\|/ ") } else { style });
            }
            bar
        });
        Shown { bar, printed: Mutex::new(Instant::now()) }
    }

    fn update(&self, progress: &Progress) {
        self.show(|| line(progress));
    }

    /// Shows a line, on a terminal at once, else only now and then.
    pub(crate) fn show(&self, line: impl Fn() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(line());
            return bar.tick();
        }
        if let Ok(mut printed) = self.printed.lock()
            && printed.elapsed() >= EVERY
        {
            *printed = Instant::now();
            note(line());
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A progress line: the bounds, the test in progress, and the speed.
fn line(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64();
    let nodes = progress.stats.nodes;
    format!(
        "{}; {} positions searched, {}, {}",
        proved(progress),
        units::short(nodes),
        units::rate(nodes as f64 / seconds.max(1e-9)),
        units::time(seconds)
    )
}

/// The bounds of the position or of the move in progress, and the value that is tested if the bounds do not settle it.
fn proved(progress: &Progress) -> String {
    let what = match progress.root_move {
        Some(pit) => format!("pit {pit}"),
        None => "value".to_owned(),
    };
    let (bounds, window) = (progress.bounds, Margin(progress.window));
    if let Some(value) = bounds.exact() {
        return format!("{what}: {value}");
    }
    let known = format!("{what} between {} and {} so far", bounds.lower, bounds.upper);
    if window > bounds.lower && window <= bounds.upper { format!("{known}, testing {window}") } else { known }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A progress with these bounds while it is asked whether the value is at least `window`.
    fn progress(root_move: Option<u8>, bounds: (i16, i16), window: i16) -> Progress {
        let bounds = kalah::Bounds { lower: Margin(bounds.0), upper: Margin(bounds.1) };
        let stats = kalah::Stats { nodes: 12_345_678, ..kalah::Stats::default() };
        Progress { stats, elapsed: Duration::from_secs(10), root_move, window, bounds }
    }

    #[test]
    fn a_line_says_what_is_known_and_what_is_tested() {
        assert_eq!(
            line(&progress(None, (4, 8), 6)),
            "value between +4 and +8 so far, testing +6; 12.3 M positions searched, 1.23 M/s, 10 s"
        );
        assert_eq!(proved(&progress(Some(3), (-2, 8), 0)), "pit 3 between -2 and +8 so far, testing 0");
    }

    #[test]
    fn what_is_settled_is_not_asked() {
        assert_eq!(proved(&progress(None, (4, 4), 4)), "value: +4");
        assert_eq!(proved(&progress(None, (4, 8), 4)), "value between +4 and +8 so far");
        assert_eq!(proved(&progress(None, (4, 8), 10)), "value between +4 and +8 so far");
    }
}
