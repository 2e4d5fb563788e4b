//! What is known about a position after it was analysed: the one record that tables, JSON and other programs show.

use kalah_rules::{Margin, RuleSet, Side, State};
use kalah_search::Bounds;
use serde::{Serialize, Serializer};

/// How a number relates to the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// It is the truth.
    Exact,
    /// The truth is this or more.
    AtLeast,
    /// The truth is this or less.
    AtMost,
    /// Nothing is known; there is no number.
    Unknown,
}

impl Bound {
    /// The same statement about the negated number.
    #[must_use]
    pub fn turned(self) -> Bound {
        match self {
            Bound::AtLeast => Bound::AtMost,
            Bound::AtMost => Bound::AtLeast,
            same => same,
        }
    }
}

/// Where an answer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The game was over already.
    Finished,
    /// Every value was looked up in solved layers.
    Database,
    /// The position was searched, with the solved layers where they reach.
    Search,
    /// A solved start that was kept knows the value and a line of perfect play; work and time are those of the search that
    /// found them out, where the position is that start. Other moves may be bounded only.
    Solution,
}

impl Source {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Source::Finished => "finished",
            Source::Database => "database",
            Source::Search => "search",
            Source::Solution => "solution",
        }
    }
}

/// One legal move and what it leads to.
///
/// Values are the margin of the player to move in the analysed position (`value_mover`) and South's (`value_south`),
/// counted from the analysed position to the end of the game, stores before it not included; whoever moves next.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The pit that is sown, counted from 1 in the mover's own sowing order.
    pub pit: u8,
    /// Whether the mover moves again.
    pub extra: bool,
    /// Seeds that a capture brings, the capturing seed included.
    pub captured: u8,
    /// All seeds that the sow and its capture bring into the mover's store, leftovers not counted.
    pub banked: u8,
    /// The board afterwards; after the sweep if the game is over.
    pub position: State,
    /// Who is to move then.
    pub to_move: Side,
    /// The margin of the player who makes the move.
    pub value_mover: Option<Margin>,
    /// South's margin.
    pub value_south: Option<Margin>,
    /// How `value_mover` relates to the truth. For `value_south` turn it round if North makes the move.
    pub bound: Bound,
    /// The value of the best move minus this one's, if both are known exactly.
    pub loss: Option<Margin>,
    /// Whether no move is better, if that is known.
    pub best: Option<bool>,
}

/// Everything about one position. Serialises to the JSON of `--json`, field by field in this order; what is not known is
/// `null`.
///
/// Values are margins from the position to the end of the game, stores before it not included; `final` and `pv_final`
/// include them. Under `+pie` values and totals belong to the players, not to the seats: South is who moves first,
/// also after a swap.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The rules it is true under.
    pub rules: RuleSet,
    /// Their stable hash, 16 hexadecimal digits.
    #[serde(serialize_with = "as_hash")]
    pub rules_hash: u64,
    /// The position.
    pub position: State,
    /// Who is to move.
    pub to_move: Side,
    /// The margin of the player to move.
    pub value_mover: Option<Margin>,
    /// South's margin.
    pub value_south: Option<Margin>,
    /// South's and North's totals at the end of perfect play, if the value is exact.
    #[serde(rename = "final")]
    pub final_totals: Option<[u32; 2]>,
    /// How `value_mover` relates to the truth. For `value_south` turn it round if North is to move.
    pub bound: Bound,
    /// Where the value comes from.
    pub source: Source,
    /// Every legal move, best first. Among those that keep the value, inside the layers, the first is the one with which the
    /// game ends soonest if the mover will have more seeds then, latest if fewer; then, as among other equals, the pit nearest
    /// the store.
    pub moves: Vec<MoveAnswer>,
    /// The moves that keep the value; empty while that is not known of any.
    pub best_moves: Vec<String>,
    /// A line of perfect play to the end of the game, move by move; empty if the value is not exact. Under `+pie`
    /// the word `swap` stands where the second player changes seats.
    pub pv: Vec<String>,
    /// The same line by whole turns.
    pub pv_turns: Vec<String>,
    /// South's and North's totals at the end of the line.
    pub pv_final: Option<[u32; 2]>,
    /// Positions that were searched.
    pub nodes: u64,
    /// Values that were looked up in solved layers.
    pub database_probes: u64,
    /// Positions that the search met again and remembered.
    pub table_hits: u64,
    /// How long it took.
    pub seconds: f64,
    /// The most seeds in pits for which the solved layers are complete from 0 on; `None` without any.
    pub database_layers: Option<u32>,
    /// How many threads were at work.
    pub threads: usize,
    /// The version of the program.
    pub version: &'static str,
}

impl Answer {
    /// The value for the player to move, if it is exact.
    pub fn exact(&self) -> Option<Margin> {
        self.value_mover.filter(|_| self.bound == Bound::Exact)
    }

    /// Whether nothing is left open: the value and every move's value are exact and the line of play is there. (Inside layers
    /// of games whose positions can repeat, a value that rests on a repetition has no line. Of a position along a solved
    /// start's line only the value and the line are asked for.)
    pub fn is_complete(&self) -> bool {
        let exact = |bound: &Bound| *bound == Bound::Exact;
        exact(&self.bound)
            && (self.source == Source::Solution || self.moves.iter().all(|found| exact(&found.bound)))
            && (self.pv_final.is_some() || self.source == Source::Database)
    }

    /// The move with this pit.
    pub fn pit(&self, pit: u8) -> Option<&MoveAnswer> {
        self.moves.iter().find(|answer| answer.pit == pit)
    }
}

/// A margin of `mover` as South's.
pub(crate) fn south(mover: Side, margin: Margin) -> Margin {
    match mover {
        Side::South => margin,
        Side::North => -margin,
    }
}

/// What bounds say in one number: the truth, else the bound from below, else the one from above. A bound that is true of
/// every position with `seeds` seeds is no knowledge.
pub(crate) fn in_one_number(bounds: Bounds, seeds: u32) -> (Option<Margin>, Bound) {
    let all = Margin(seeds as i16);
    if let Some(value) = bounds.exact() {
        (Some(value), Bound::Exact)
    } else if bounds.lower > -all {
        (Some(bounds.lower), Bound::AtLeast)
    } else if bounds.upper < all {
        (Some(bounds.upper), Bound::AtMost)
    } else {
        (None, Bound::Unknown)
    }
}

fn as_hash<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_says_the_sharpest_true_thing() {
        let bounds = |lower, upper| Bounds { lower: Margin(lower), upper: Margin(upper) };
        assert_eq!(in_one_number(bounds(4, 4), 10), (Some(Margin(4)), Bound::Exact));
        assert_eq!(in_one_number(bounds(4, 8), 10), (Some(Margin(4)), Bound::AtLeast));
        assert_eq!(in_one_number(bounds(4, 10), 10), (Some(Margin(4)), Bound::AtLeast));
        assert_eq!(in_one_number(bounds(-10, 8), 10), (Some(Margin(8)), Bound::AtMost));
        assert_eq!(in_one_number(bounds(-10, 10), 10), (None, Bound::Unknown));
        assert_eq!(in_one_number(bounds(0, 0), 0), (Some(Margin(0)), Bound::Exact));
    }

    #[test]
    fn a_turned_bound_turns_back() {
        for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost, Bound::Unknown] {
            assert_eq!(bound.turned().turned(), bound);
        }
        assert_eq!(Bound::AtLeast.turned(), Bound::AtMost);
    }
}
