//! How much work goes by between two looks at the limits: much where it is quick, little where every step waits for memory.

use std::time::{Duration, Instant};

/// The most steps between two looks.
const MOST: u64 = 512;

/// Work between two looks should take no longer than this.
const LONG: Duration = Duration::from_millis(4);

/// Work that took less than this may become more.
const SHORT: Duration = Duration::from_millis(1);

/// Adapts the number of steps between two looks to the time that they take.
///
/// A step is quick once its memory is at hand, but fresh pages of a large table or a layer on a slow disk make it a
/// thousand times slower. So the number begins at one, doubles while steps are quick, and falls at once when they are not.
pub(crate) struct Pace {
    steps: u64,
    looked: Instant,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace { steps: 1, looked: Instant::now() }
    }

    /// Steps until the next look.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// The time before now was not spent on steps.
    pub(crate) fn begin(&mut self) {
        self.looked = Instant::now();
    }

    /// Notes a look after as many steps as [`steps`](Pace::steps) says.
    pub(crate) fn look(&mut self) {
        let now = Instant::now();
        self.adapt(now.duration_since(self.looked));
        self.looked = now;
    }

    fn adapt(&mut self, took: Duration) {
        if took > LONG {
            self.steps = (self.steps / 8).max(1);
        } else if took < SHORT {
            self.steps = (2 * self.steps).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_steps_are_looked_at_one_by_one() {
        let mut pace = Pace::new();
        assert_eq!(pace.steps(), 1, "nothing is known of the first step");
        for _ in 0..9 {
            pace.adapt(Duration::from_micros(10));
        }
        assert_eq!(pace.steps(), MOST);
        pace.adapt(Duration::from_millis(2));
        assert_eq!(pace.steps(), MOST);
        // Four looks after the machine became slow, every step is looked at.
        for _ in 0..4 {
            pace.adapt(Duration::from_millis(50));
        }
        assert_eq!(pace.steps(), 1);
    }
}
