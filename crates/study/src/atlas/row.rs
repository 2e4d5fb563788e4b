//! A row of the atlas: everything that was found out about one start.

use crate::atlas::cell::Cell;
use kalah_rules::Margin;
use kalah_search::Bounds;
use serde::Serialize;

/// Whether a row can still grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Everything is known: the value, every first move's value and, unless it would have to repeat positions, a line.
    Exact,
    /// Something is open; more time may close it.
    Open,
    /// Positions can repeat and are then worth what lies in the rows, so a position has no value of its own.
    History,
}

impl State {
    /// The word in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            State::Exact => "exact",
            State::Open => "open",
            State::History => "history",
        }
    }
}

/// Who wins a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The first player.
    Win,
    /// Nobody.
    Draw,
    /// The second player.
    Loss,
    /// Not known.
    Open,
}

impl Outcome {
    /// The word in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
            Outcome::Open => "open",
        }
    }
}

/// A line of perfect play to the end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// How many sows it has.
    pub moves: u32,
    /// Its turns, such as `3-6`.
    pub turns: Vec<String>,
}

/// What is known about one start. All values are South's, who is to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Which start.
    pub cell: Cell,
    /// Whether more can be known.
    pub state: State,
    /// Its value.
    pub value: Bounds,
    /// The value of every first move, by pit; empty where nothing was looked at.
    pub moves: Vec<(u8, Bounds)>,
    /// A line of perfect play; `None` if the value is not known or every such line repeats positions.
    pub line: Option<Line>,
    /// The value if North may change seats after the first turn; `None` if there are too many first turns to look at.
    pub pie: Option<Bounds>,
    /// Positions searched.
    pub nodes: u64,
    /// Values looked up in solved layers.
    pub probes: u64,
    /// The most seeds in pits for which the layers were complete; `None` without any.
    pub layers: Option<u32>,
    /// How long it took, layers not counted.
    pub seconds: f64,
    /// How many seconds the cell was allowed; `None` if as many as it likes.
    pub limit: Option<f64>,
    /// Threads at work.
    pub threads: usize,
    /// The version of the program.
    pub version: String,
}

impl Row {
    /// What is known of a cell that nobody has looked at.
    pub fn unknown(cell: Cell) -> Row {
        let all = Margin(cell.all_seeds() as i16);
        Row {
            cell,
            state: State::Open,
            value: Bounds { lower: -all, upper: all },
            moves: Vec::new(),
            line: None,
            pie: Some(Bounds { lower: -all, upper: Margin(0) }),
            nodes: 0,
            probes: 0,
            layers: None,
            seconds: 0.0,
            limit: Some(0.0),
            threads: 1,
            version: kalah::VERSION.to_owned(),
        }
    }

    /// Whether everything is known.
    pub fn is_exact(&self) -> bool {
        self.state == State::Exact
    }

    /// The margin South wins by under perfect play, if it is known.
    pub fn exact(&self) -> Option<Margin> {
        self.value.exact()
    }

    /// Whether a cell that may take `limit` seconds, or as many as it likes, should be looked at again.
    pub fn deserves(&self, limit: Option<f64>) -> bool {
        let more = match (limit, self.limit) {
            (_, None) => false,
            (None, Some(_)) => true,
            // What a budget left over is not worth a second look if it is hardly more than before.
            (Some(now), Some(before)) => now > before * 1.001 + 0.01,
        };
        self.state == State::Open && more
    }

    /// Who wins.
    pub fn outcome(&self) -> Outcome {
        let zero = Margin(0);
        match self.value {
            Bounds { lower, .. } if lower > zero => Outcome::Win,
            Bounds { upper, .. } if upper < zero => Outcome::Loss,
            value if value.exact() == Some(zero) => Outcome::Draw,
            _ => Outcome::Open,
        }
    }

    /// How many first moves keep the value; `None` while that is open.
    pub fn best_moves(&self) -> Option<u32> {
        let mut best = 0;
        for (_, own) in &self.moves {
            if own.lower >= self.value.upper {
                best += 1;
            } else if own.upper >= self.value.lower {
                return None;
            }
        }
        (best > 0).then_some(best)
    }

    /// Whether a table may hold this row after `earlier`, which is about the same start: it has had more time or has proved
    /// more, and nothing that was proved is lost.
    pub fn follows(&self, earlier: &Row) -> bool {
        let within = |own: Bounds, other: Bounds| own.lower >= other.lower && own.upper <= other.upper;
        let keeps = within(self.value, earlier.value)
            && match (self.pie, earlier.pie) {
                (Some(own), Some(other)) => within(own, other),
                (own, other) => own.is_some() || other.is_none(),
            }
            && earlier
                .moves
                .iter()
                .all(|&(pit, other)| self.moves.iter().any(|&(own_pit, own)| own_pit == pit && within(own, other)))
            && (earlier.line.is_none() || self.line.is_some());
        let more_time = match (self.limit, earlier.limit) {
            (None, before) => before.is_some(),
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => false,
        };
        let proved = |row: &Row| (row.state, row.value, row.pie, row.moves.clone(), row.line.clone());
        earlier.state == State::Open && keeps && (more_time || proved(self) != proved(earlier))
    }

    /// Adds what an earlier row of the same cell had proved; the work stays this row's.
    #[must_use]
    pub fn with(mut self, earlier: &Row) -> Row {
        // Time that was not enough before is not worth a second try.
        self.limit = match (self.limit, earlier.limit) {
            (Some(own), Some(other)) => Some(own.max(other)),
            _ => None,
        };
        let both = |a: Bounds, b: Bounds| Bounds { lower: a.lower.max(b.lower), upper: a.upper.min(b.upper) };
        self.value = both(self.value, earlier.value);
        self.pie = match (self.pie, earlier.pie) {
            (Some(own), Some(other)) => Some(both(own, other)),
            (own, other) => own.or(other),
        };
        if self.moves.is_empty() {
            self.moves.clone_from(&earlier.moves);
        }
        for (pit, own) in &mut self.moves {
            if let Some((_, other)) = earlier.moves.iter().find(|(other, _)| other == pit) {
                *own = both(*own, *other);
            }
        }
        self.line = self.line.take().or_else(|| earlier.line.clone());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(lower: i16, upper: i16) -> Bounds {
        Bounds { lower: Margin(lower), upper: Margin(upper) }
    }

    fn row() -> Row {
        let cell = Cell { rules: "kalah-empty+leftover=none".parse().unwrap(), pits: 3, seeds: 2 };
        Row {
            value: bounds(2, 6),
            moves: vec![(1, bounds(-12, 0)), (2, bounds(2, 6)), (3, bounds(-4, -4))],
            pie: Some(bounds(-6, 0)),
            layers: Some(7),
            limit: Some(1.5),
            seconds: 1.25,
            ..Row::unknown(cell)
        }
    }

    #[test]
    fn a_second_look_needs_more_time() {
        let open = row();
        assert!(!open.deserves(Some(1.5)) && !open.deserves(Some(1.0)) && open.deserves(Some(3.0)));
        assert!(open.deserves(None) && !Row { limit: None, ..row() }.deserves(None));
        assert!(!Row { state: State::Exact, ..row() }.deserves(None));
        assert!(!Row { state: State::History, ..row() }.deserves(None));
    }

    #[test]
    fn what_was_known_stays_known() {
        let later = Row { value: bounds(-12, 4), moves: vec![(2, bounds(-12, 4))], pie: None, ..row() };
        let both = later.with(&row());
        assert_eq!((both.value, both.pie), (bounds(2, 4), Some(bounds(-6, 0))));
        assert_eq!(both.moves, [(2, bounds(2, 4))]);
        let blank = Row::unknown(row().cell).with(&row());
        assert_eq!(blank.moves, row().moves);
    }

    #[test]
    fn a_second_row_has_to_say_more() {
        let open = row();
        assert!(!open.follows(&open), "a repeated row says nothing");
        assert!(Row { limit: Some(3.0), ..row() }.follows(&open) && Row { limit: None, ..row() }.follows(&open));
        assert!(Row { value: bounds(4, 6), ..row() }.follows(&open));
        assert!(!Row { value: bounds(0, 6), limit: None, ..row() }.follows(&open), "something proved is lost");
        assert!(!Row { value: bounds(8, 8), limit: None, ..row() }.follows(&open), "a contradiction");
        assert!(!Row { moves: Vec::new(), limit: None, ..row() }.follows(&open));
        assert!(!Row { limit: None, ..row() }.follows(&Row { state: State::Exact, ..row() }));
    }
}
