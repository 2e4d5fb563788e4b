//! Text for people: boards such as `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N`, starts such as `start:6x4`, turns such as `3-6`.

mod forms;
mod reader;
mod turn;

pub use forms::PositionForm;
pub use turn::{TURN_FORMS, parse_turn, parse_turns, turn_text};

use crate::{PositionError, RuleSet, Side, State};
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The forms in which a position can be written: an example, and below it what it says. Every example is read by
/// [`State::from_str`].
pub const POSITION_FORMS: &str = "\
start:6x4
    6 pits a side, 4 seeds in each
<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N
    pits a side, South's store, North's store, South's pits, North's pits;
    each row in its owner's sowing order; N if North is to move
4-4-4-4-4-4-4-4-4-4-4-4-0-0-S
    South's pits, North's pits, South's store, North's store, side to move
0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4
    as OpenSpiel's oware: player to move (South is 0), stores, pits
[0,4,4,4,4,4,4,0,4,4,4,4,4,4] N
    as OpenSpiel's mancala: North's store, South's pits, South's store,
    North's pits; N if North is to move
-4-4-4-4-4-4- 0-----------0 -4-4-4-4-4-4- Current player: 0
    the three lines of OpenSpiel's mancala, with line breaks or spaces:
    North's pits from right to left, North's and South's store, South's pits";

impl FromStr for State {
    type Err = PositionError;

    /// Reads a position in any of the forms of [`PositionForm`]; [`POSITION_FORMS`] shows them.
    ///
    /// The canonical one is the board literal `<m,store South,store North,S1,…,Sm,N1,…,Nm>`, each row in its owner's own sowing
    /// order, followed by the side to move (`S`, `N`, `South`, `North` in any case; South if nothing is said). Spaces may stand
    /// anywhere between its numbers and may replace commas, and both brackets may be left out. Any form may stand in quotes.
    ///
    /// # Errors
    /// If the text is none of these or the board is impossible: pits a side outside 1 to 8, the wrong count of numbers, more
    /// than 255 seeds in all pits together, or more than [`MAX_STORE`](crate::MAX_STORE) in a store. The error names the form
    /// that the text looks like, the character at which the fault was noticed, and the reason.
    fn from_str(text: &str) -> Result<State, PositionError> {
        forms::read(text)
    }
}

impl fmt::Display for State {
    /// The board literal without spaces, followed by ` N` if North is to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [u32::from(self.pits()), self.store(Side::South), self.store(Side::North)];
        let pits = [Side::South, Side::North].into_iter().flat_map(|side| self.row(side).pits(self.pits()));
        let numbers: Vec<String> =
            numbers.into_iter().chain(pits.map(u32::from)).map(|number| number.to_string()).collect();
        let side = if self.to_move() == Side::North { " N" } else { "" };
        f.pad(&format!("<{}>{side}", numbers.join(",")))
    }
}

impl Serialize for State {
    /// As its text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Side {
    /// As `"S"` or `"N"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.letter())
    }
}

impl Serialize for RuleSet {
    /// As its canonical text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
