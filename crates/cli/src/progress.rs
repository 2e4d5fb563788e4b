//! How far a long run is, on stderr: bars on a terminal, an occasional plain line otherwise.

use crate::output::note;
use crate::screen::Screen;
use crate::units;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time between two plain lines.
const EVERY: Duration = Duration::from_secs(10);

/// Progress towards a known total, from any number of threads.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// The unit of the count.
    unit: &'static str,
    total: AtomicU64,
    done: AtomicU64,
    started: Instant,
    /// The work in progress, and the time of the last plain line.
    state: Mutex<(String, Instant)>,
}

impl Progress {
    /// Progress from 0 to `total` of `unit`, such as "positions".
    pub(crate) fn new(total: u64, unit: &'static str) -> Progress {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let template =
                format!("{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{rate}}, {{eta}} left");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                let rate = |state: &ProgressState, to: &mut dyn fmt::Write| {
                    let _ = to.write_str(&units::rate(state.per_sec()));
                };
                let style = style.with_key("rate", rate);
                bar.set_style(if Screen::get().ascii { style.progress_chars("#>-") } else { style });
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        let started = Instant::now();
        let state = Mutex::new((String::new(), started));
        Progress { bar, unit, total: AtomicU64::new(total), done: AtomicU64::new(0), started, state }
    }

    /// Names the work that begins now.
    pub(crate) fn doing(&self, what: impl Into<String>) {
        let what = what.into();
        if let Some(bar) = &self.bar {
            bar.set_message(what.clone());
        }
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner).0 = what;
    }

    /// Adds `more` to the count.
    pub(crate) fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Relaxed) + more;
        if let Some(bar) = &self.bar {
            return bar.set_position(done);
        }
        // If another thread is printing, this one goes on with its work.
        if let Ok(mut state) = self.state.try_lock()
            && state.1.elapsed() >= EVERY
        {
            state.1 = Instant::now();
            note(self.line(&state.0, done));
        }
    }

    /// Goes from `before` to `done` of a total that may have grown to `all`.
    pub(crate) fn advance_to(&self, before: u64, done: u64, all: u64) {
        self.total.store(all, Relaxed);
        if let Some(bar) = &self.bar {
            bar.set_length(all);
        }
        self.add(done.saturating_sub(before));
    }

    /// A plain line: how much is done, how fast, and how long the rest takes.
    fn line(&self, what: &str, done: u64) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let rate = done as f64 / seconds.max(1e-9);
        let total = self.total.load(Relaxed);
        let done_so_far = format!("{what}: {} of {} {}", units::count(done), units::count(total), self.unit);
        if done == 0 {
            // Speed and end are not known yet.
            return done_so_far;
        }
        let speed = if rate < 1.0 { format!("{} each", units::time(1.0 / rate)) } else { units::rate(rate) };
        format!("{done_so_far}, {speed}, {} left", units::time(total.saturating_sub(done) as f64 / rate))
    }

    /// Prints a line without tearing the bar.
    pub(crate) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note(text)),
            None => note(text),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
