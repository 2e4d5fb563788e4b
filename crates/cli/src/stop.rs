//! Ctrl-C and SIGTERM: the first asks to stop cleanly, the second ends the process at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the program only waits for input: nothing is lost when it ends at once.
static IDLE: AtomicBool = AtomicBool::new(false);

/// Listens for signals from now on. Where the system refuses a handler, its own way of stopping stays.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) || IDLE.load(Ordering::Relaxed) {
            // Twice means now; 128 + SIGINT is what a shell expects.
            std::process::exit(130);
        }
        let _ = writeln!(std::io::stderr(), "\nstopping as soon as what is finished is safe; once more stops at once");
    });
}

/// Set as soon as a signal asked to stop.
pub(crate) fn flag() -> &'static AtomicBool {
    &STOP
}

/// Whether a signal asked to stop.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Waits for input: a signal ends the program at once meanwhile.
pub(crate) fn while_idle<R>(wait: impl FnOnce() -> R) -> R {
    IDLE.store(true, Ordering::Relaxed);
    let result = wait();
    IDLE.store(false, Ordering::Relaxed);
    result
}
