//! A lower and an upper bound of a value.

use kalah_rules::Margin;
use std::fmt;

/// The value lies between these two margins, both included.
///
/// ```
/// use kalah_rules::Margin;
/// use kalah_search::Bounds;
/// let bounds = Bounds { lower: Margin(2), upper: Margin(6) };
/// assert_eq!(bounds.exact(), None);
/// assert_eq!((-bounds).to_string(), "-6 to -2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: Margin,
    /// The value is at most this.
    pub upper: Margin,
}

impl Bounds {
    /// The bounds that leave only `value`.
    pub const fn just(value: Margin) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value, if the bounds leave only one.
    pub fn exact(self) -> Option<Margin> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether the bounds allow this value.
    pub fn contains(self, value: Margin) -> bool {
        self.lower <= value && value <= self.upper
    }
}

impl std::ops::Neg for Bounds {
    type Output = Bounds;

    /// The same for the other player.
    fn neg(self) -> Bounds {
        Bounds { lower: -self.upper, upper: -self.lower }
    }
}

impl std::ops::Add<Margin> for Bounds {
    type Output = Bounds;

    /// The same with a margin gained before.
    fn add(self, gain: Margin) -> Bounds {
        Bounds { lower: self.lower + gain, upper: self.upper + gain }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{} to {}", self.lower, self.upper),
        }
    }
}
