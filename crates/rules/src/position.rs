//! The seeds in the pits as the player to move sees them: all that the value of a position depends on.

use crate::Row;

/// Two rows, the mover's first. Stores are not part of it: the value of what is left does not depend on them.
///
/// ```
/// use kalah_rules::{Position, Row};
/// let position = Position::new(Row::from_pits(&[0, 1]), Row::from_pits(&[2, 0]));
/// assert_eq!(position.seeds(), 3);
/// assert_eq!(position.flipped().mover, Row::from_pits(&[2, 0]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Position {
    /// The pits of the player to move.
    pub mover: Row,
    /// The pits of the player who waits.
    pub opponent: Row,
}

impl Position {
    /// The position with these two rows.
    #[inline]
    pub const fn new(mover: Row, opponent: Row) -> Position {
        Position { mover, opponent }
    }

    /// All seeds in pits.
    #[inline]
    pub const fn seeds(self) -> u32 {
        self.mover.seeds() + self.opponent.seeds()
    }

    /// The same pits with the other player to move.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Position {
        Position { mover: self.opponent, opponent: self.mover }
    }
}
