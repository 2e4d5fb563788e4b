//! Ctrl-C and SIGTERM: the first asks to stop cleanly, the second ends the process at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the program only waits for input: nothing is lost when it ends at once.
static IDLE: AtomicBool = AtomicBool::new(false);

/// Listens for signals from now on. Where the system refuses a handler, its own way of stopping stays.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) || IDLE.load(Ordering::SeqCst) {
            end();
        }
        let _ = writeln!(std::io::stderr(), "\nstopping as soon as what is finished is safe; once more stops at once");
    });
}

/// Ends the process as a shell expects it: 128 + SIGINT.
fn end() -> ! {
    std::process::exit(130)
}

/// Set as soon as a signal asked to stop.
pub(crate) fn flag() -> &'static AtomicBool {
    &STOP
}

/// Whether a signal asked to stop.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Waits for input: a signal ends the program at once meanwhile, and so does one that came before.
pub(crate) fn while_idle<R>(wait: impl FnOnce() -> R) -> R {
    // The handler sets one flag and then looks at the other, this the other way round: one of them sees both.
    IDLE.store(true, Ordering::SeqCst);
    if STOP.load(Ordering::SeqCst) {
        end();
    }
    let result = wait();
    IDLE.store(false, Ordering::SeqCst);
    result
}
