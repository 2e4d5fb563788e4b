//! Ctrl-C and SIGTERM: the first asks to stop cleanly, the second ends the process at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the program waits for input. Nothing is lost if it ends at once then.
static IDLE: AtomicBool = AtomicBool::new(false);

/// Listens for signals from now on. If the system refuses a handler, a signal stops the program in the system's way.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) || IDLE.load(Ordering::SeqCst) {
            end();
        }
        let _ = writeln!(std::io::stderr(), "\nstopping: what is finished is saved first; Ctrl-C again stops at once");
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

/// Waits for input. A signal that comes meanwhile, or came before, ends the program at once.
pub(crate) fn while_idle<R>(wait: impl FnOnce() -> R) -> R {
    // The handler sets STOP and then reads IDLE; this sets IDLE and then reads STOP. One of them sees both.
    IDLE.store(true, Ordering::SeqCst);
    if STOP.load(Ordering::SeqCst) {
        end();
    }
    let result = wait();
    IDLE.store(false, Ordering::SeqCst);
    result
}
