//! What is known about a position after it was analysed: the one record that tables, JSON and other programs show.

use kalah_rules::{Margin, RuleSet, Side, State, turn_text};
use kalah_search::Bounds;
use serde::{Serialize, Serializer};
use std::fmt;

/// How much the bounds of a value say, in the view of the player to move in the analysed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Both ends are the value.
    Exact,
    /// Only the lower end says something: the value is this or more.
    AtLeast,
    /// Only the upper end says something: the value is this or less.
    AtMost,
    /// The value lies between the two ends, and both say something.
    Window,
    /// Nothing is known: the ends are true of every position with so many seeds.
    Unknown,
}

impl Bound {
    /// How much `bounds` say about a position with `seeds` seeds in pits.
    pub fn of(bounds: Bounds, seeds: u32) -> Bound {
        Bound::within(bounds, every(seeds))
    }

    /// How much `bounds` say where nothing but `trivial` would be true anyway.
    pub fn within(bounds: Bounds, trivial: Bounds) -> Bound {
        match (bounds.lower > trivial.lower, bounds.upper < trivial.upper) {
            _ if bounds.exact().is_some() => Bound::Exact,
            (true, true) => Bound::Window,
            (true, false) => Bound::AtLeast,
            (false, true) => Bound::AtMost,
            (false, false) => Bound::Unknown,
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
    /// A kept solution knew the answer. If the position is the solved start itself, work and time are those of the search that
    /// made the solution.
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

/// Why an analysis ended before everything was exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// The time that was allowed is over.
    Time,
    /// The positions that were allowed are searched.
    Nodes,
    /// Somebody asked to stop: a signal, or another thread.
    Cancelled,
    /// The positions of this game repeat, and looking further ahead would not settle it.
    Repetition,
    /// A line of play is longer than the search can follow.
    Depth,
}

impl Stopped {
    /// The reason a search gives; `None` if it was no limit.
    pub(crate) fn of(stopped: kalah_search::Stopped) -> Option<Stopped> {
        use kalah_search::Stopped as Inner;
        match stopped {
            Inner::Nodes => Some(Stopped::Nodes),
            Inner::Time => Some(Stopped::Time),
            Inner::Asked => Some(Stopped::Cancelled),
            Inner::Depth => Some(Stopped::Depth),
            // Whoever asked for what is not true has to say so.
            _ => None,
        }
    }

    /// The reason in words, as in "stopped: the time limit was reached".
    pub fn words(self) -> &'static str {
        match self {
            Stopped::Time => "the time limit was reached",
            Stopped::Nodes => "the limit of searched positions was reached",
            Stopped::Cancelled => "it was stopped by hand",
            Stopped::Repetition => "positions of this game repeat",
            Stopped::Depth => "a line of play is longer than the search can follow",
        }
    }
}

/// One step of a line of play. As text and in JSON: the pit's number, or `swap`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Step {
    /// The player to move sows this pit, counted from 1 in their own sowing order.
    Pit(u8),
    /// The second player changes seats, under the pie rule.
    Swap,
}

impl Step {
    /// The pit, if it is one.
    pub fn pit(self) -> Option<u8> {
        match self {
            Step::Pit(pit) => Some(pit),
            Step::Swap => None,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Pit(pit) => pit.fmt(f),
            Step::Swap => f.write_str("swap"),
        }
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One player's whole turn in a line of play. As text and in JSON: `3-6`, or `swap`.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Turn {
    /// Whose turn it is. After a swap the players keep their names: South is who moved first in the game.
    pub side: Side,
    /// The pits that are sown one after another; empty if the turn is a swap.
    pub pits: Vec<u8>,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pits.is_empty() { f.write_str("swap") } else { f.write_str(&turn_text(&self.pits)) }
    }
}

impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// South's final margin lies between these two numbers, both included; what lies in the stores already counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
pub struct EndMargin {
    /// South's seeds minus North's are at least this.
    pub lower: i64,
    /// South's seeds minus North's are at most this.
    pub upper: i64,
}

/// What is known of a value, in every view. Flattened into [`Answer`] and [`MoveAnswer`] in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Worth {
    /// The margin from the analysed position to the end for the player to move there; stores before it are not included.
    #[serde(serialize_with = "as_window")]
    pub mover: Bounds,
    /// The same margin for South.
    #[serde(serialize_with = "as_window")]
    pub south: Bounds,
    /// South's margin at the end of the game, stores included.
    pub end_south: EndMargin,
    /// `mover` as one number, if it is exact.
    pub value_mover: Option<Margin>,
    /// `south` as one number, if it is exact.
    pub value_south: Option<Margin>,
    /// How much `mover` says.
    pub bound: Bound,
}

impl Worth {
    /// `bounds` of the margin from `state` on, for its mover, in every view.
    pub fn new(state: &State, bounds: Bounds) -> Worth {
        let south = if state.to_move() == Side::South { bounds } else { -bounds };
        let lead = i64::from(state.store(Side::South)) - i64::from(state.store(Side::North));
        let end = |margin: Margin| lead + i64::from(margin.0);
        Worth {
            mover: bounds,
            south,
            end_south: EndMargin { lower: end(south.lower), upper: end(south.upper) },
            value_mover: bounds.exact(),
            value_south: south.exact(),
            bound: Bound::of(bounds, state.position().seeds()),
        }
    }

    /// The same where the rules alone say as much as `trivial`, so that only more is knowledge.
    pub fn within(state: &State, bounds: Bounds, trivial: Bounds) -> Worth {
        Worth { bound: Bound::within(bounds, trivial), ..Worth::new(state, bounds) }
    }

    /// That nothing is known about `state`.
    pub fn unknown(state: &State) -> Worth {
        Worth::new(state, every(state.position().seeds()))
    }
}

/// The margins that are possible with so many seeds in pits.
pub(crate) fn every(seeds: u32) -> Bounds {
    let all = Margin(i16::try_from(seeds).unwrap_or(i16::MAX));
    Bounds { lower: -all, upper: all }
}

/// One legal move and what it leads to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move as a step of play.
    #[serde(rename = "move")]
    pub step: Step,
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
    /// What the move is worth, counted from before it: `mover` is who makes the move, whoever moves next.
    #[serde(flatten)]
    pub worth: Worth,
    /// The value of the best move minus this one's, if both are known exactly.
    pub loss: Option<Margin>,
    /// Whether no move is better, if that is known.
    pub best: Option<bool>,
}

/// Everything about one position. Serialises to the JSON of `--json`, which `docs/json.md` describes; what is not known is
/// `null`.
///
/// Values are margins from the position to the end of the game, stores before it not included; `end_south`, `final` and
/// `pv_final` include them. Under `+pie` values and totals belong to the players, not to the seats: South is who moves first,
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
    /// What the position is worth.
    #[serde(flatten)]
    pub worth: Worth,
    /// South's and North's totals at the end of perfect play, if the value is exact.
    #[serde(rename = "final")]
    pub final_totals: Option<[u32; 2]>,
    /// Where the value comes from.
    pub source: Source,
    /// Why not everything is exact; `null` if everything that was asked for is.
    pub stopped: Option<Stopped>,
    /// Every legal move, best first. Among moves that keep the value, inside the layers, the first is the one that ends the
    /// game soonest if the mover will have more seeds then, latest if fewer. Other equal moves stand in the order of pits,
    /// the pit nearest the store first.
    pub moves: Vec<MoveAnswer>,
    /// The moves that keep the value; empty while that is not known of any.
    pub best_moves: Vec<Step>,
    /// A line of perfect play to the end of the game, step by step; empty if the value is not exact.
    pub pv: Vec<Step>,
    /// The same line by whole turns.
    pub pv_turns: Vec<Turn>,
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
    /// The most seeds in pits for which the solved layers were complete from 0 on when it was found out; `None` without any.
    pub database_layers: Option<u32>,
    /// How many threads were at work.
    pub threads: usize,
    /// The version of the program.
    pub version: &'static str,
}

impl Answer {
    /// The value for the player to move, if it is exact.
    pub fn exact(&self) -> Option<Margin> {
        self.worth.value_mover
    }

    /// Whether nothing that was asked for is open: the value is exact, and so is every move's value unless only the
    /// position's was asked for. A line of play is part of it where positions cannot repeat.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// The move with this pit.
    pub fn pit(&self, pit: u8) -> Option<&MoveAnswer> {
        self.moves.iter().find(|answer| answer.pit == pit)
    }
}

fn as_hash<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}

fn as_window<S: Serializer>(bounds: &Bounds, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Window {
        lower: Margin,
        upper: Margin,
    }
    Window { lower: bounds.lower, upper: bounds.upper }.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(lower: i16, upper: i16) -> Bounds {
        Bounds { lower: Margin(lower), upper: Margin(upper) }
    }

    #[test]
    fn a_bound_says_what_the_window_says() {
        for (lower, upper, seeds, expected) in [
            (4, 4, 10, Bound::Exact),
            (4, 8, 10, Bound::Window),
            (4, 10, 10, Bound::AtLeast),
            (-10, 8, 10, Bound::AtMost),
            (-10, 10, 10, Bound::Unknown),
            (0, 0, 0, Bound::Exact),
        ] {
            assert_eq!(Bound::of(bounds(lower, upper), seeds), expected, "{lower} to {upper} of {seeds}");
        }
    }

    #[test]
    fn every_view_is_the_same_knowledge() {
        let state: State = "<2,7,3,0,4,1,1> N".parse().unwrap();
        let worth = Worth::new(&state, bounds(-2, 6));
        assert_eq!(worth.mover, bounds(-2, 6));
        assert_eq!(worth.south, bounds(-6, 2));
        assert_eq!(worth.end_south, EndMargin { lower: -2, upper: 6 });
        assert_eq!((worth.value_mover, worth.value_south, worth.bound), (None, None, Bound::AtLeast));
        let exact = Worth::new(&state, bounds(2, 2));
        assert_eq!((exact.value_mover, exact.value_south), (Some(Margin(2)), Some(Margin(-2))));
        assert_eq!(exact.end_south, EndMargin { lower: 2, upper: 2 });
        assert_eq!(Worth::unknown(&state).bound, Bound::Unknown);
    }

    #[test]
    fn steps_and_turns_are_text_in_json() {
        let turn = Turn { side: Side::South, pits: vec![3, 6] };
        let swap = Turn { side: Side::North, pits: Vec::new() };
        assert_eq!(serde_json::to_string(&[Step::Pit(3), Step::Swap]).unwrap(), r#"["3","swap"]"#);
        assert_eq!(serde_json::to_string(&[turn, swap]).unwrap(), r#"["3-6","swap"]"#);
    }
}
