//! A row of the atlas: everything that was found out about one start, as a line of text and back.

use crate::atlas::cell::Cell;
use kalah_rules::Margin;
use kalah_search::Bounds;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

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

    /// The columns of a table, in the order of a row's text.
    pub const COLUMNS: [&str; 20] = [
        "rules",
        "pits",
        "seeds",
        "state",
        "outcome",
        "lower",
        "upper",
        "best_moves",
        "moves",
        "pie_lower",
        "pie_upper",
        "line_moves",
        "line",
        "nodes",
        "probes",
        "layers",
        "seconds",
        "limit",
        "threads",
        "version",
    ];

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

    /// Adds what an earlier row of the same cell had proved; the work stays this row's.
    #[must_use]
    pub fn with(mut self, earlier: &Row) -> Row {
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

/// `8`, or `-4..8` if it is between these.
fn interval(bounds: Bounds) -> String {
    match bounds.exact() {
        Some(value) => value.0.to_string(),
        None => format!("{}..{}", bounds.lower.0, bounds.upper.0),
    }
}

fn or_nothing<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn moves_text(moves: &[(u8, Bounds)]) -> String {
    moves.iter().map(|&(pit, bounds)| format!("{pit}:{}", interval(bounds))).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Row {
    /// The cells of [`Row::COLUMNS`] with commas between them. None holds a comma or a quotation mark.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { cell, state, value, moves, line, pie, nodes, probes, layers, seconds, limit, threads, version } =
            self;
        let turns = line.as_ref().map_or_else(String::new, |line| line.turns.join(" "));
        write!(f, "{},{},{},{},{},", cell.rules, cell.pits, cell.seeds, state.word(), self.outcome().word())?;
        write!(f, "{},{},{},{},", value.lower.0, value.upper.0, or_nothing(self.best_moves()), moves_text(moves))?;
        write!(f, "{},{},", or_nothing(pie.map(|pie| pie.lower.0)), or_nothing(pie.map(|pie| pie.upper.0)))?;
        write!(f, "{},{turns},", or_nothing(line.as_ref().map(|line| line.moves)))?;
        write!(f, "{nodes},{probes},{},{seconds:.3},", or_nothing(*layers))?;
        write!(f, "{},{threads},{version}", or_nothing(limit.map(|limit| format!("{limit:.3}"))))
    }
}

fn number<T: FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{name} is '{text}', expected a number"))
}

fn maybe<T: FromStr>(name: &str, text: &str) -> Result<Option<T>, String> {
    if text.is_empty() { Ok(None) } else { number(name, text).map(Some) }
}

fn read_interval(text: &str) -> Result<Bounds, String> {
    let (lower, upper) = text.split_once("..").unwrap_or((text, text));
    Ok(Bounds { lower: Margin(number("a value", lower)?), upper: Margin(number("a value", upper)?) })
}

fn read_moves(text: &str) -> Result<Vec<(u8, Bounds)>, String> {
    let read = |text: &str| {
        let (pit, bounds) = text.split_once(':').ok_or_else(|| format!("'{text}' is no pit with a value"))?;
        Ok((number("a pit", pit)?, read_interval(bounds)?))
    };
    text.split_whitespace().map(read).collect()
}

impl FromStr for Row {
    /// What is wrong with the line.
    type Err = String;

    fn from_str(text: &str) -> Result<Row, String> {
        let cells: Vec<&str> = text.split(',').collect();
        let count = cells.len();
        let cells: [&str; 20] = cells.try_into().map_err(|_| format!("expected 20 cells, found {count}"))?;
        let [rules, pits, seeds, state, outcome, lower, upper, best, moves, pie_lower, pie_upper, rest @ ..] = cells;
        let [sows, turns, nodes, probes, layers, seconds, limit, threads, version] = rest;
        let cell = Cell {
            rules: rules.parse().map_err(|error: kalah_rules::RuleSetError| error.to_string())?,
            pits: number("pits", pits)?,
            seeds: number("seeds", seeds)?,
        };
        cell.start().map_err(|error| error.to_string())?;
        let known = [State::Exact, State::Open, State::History].into_iter().find(|known| known.word() == state);
        let pie: (Option<i16>, Option<i16>) = (maybe("pie_lower", pie_lower)?, maybe("pie_upper", pie_upper)?);
        let sows: Option<u32> = maybe("line_moves", sows)?;
        let row = Row {
            cell,
            state: known.ok_or_else(|| format!("state is '{state}', expected exact, open or history"))?,
            value: Bounds { lower: Margin(number("lower", lower)?), upper: Margin(number("upper", upper)?) },
            moves: read_moves(moves)?,
            line: sows.map(|moves| Line { moves, turns: turns.split_whitespace().map(str::to_owned).collect() }),
            pie: pie.0.zip(pie.1).map(|(lower, upper)| Bounds { lower: Margin(lower), upper: Margin(upper) }),
            nodes: number("nodes", nodes)?,
            probes: number("probes", probes)?,
            layers: maybe("layers", layers)?,
            seconds: number("seconds", seconds)?,
            limit: maybe("limit", limit)?,
            threads: number("threads", threads)?,
            version: version.to_owned(),
        };
        if row.outcome().word() != outcome || or_nothing(row.best_moves()) != best {
            return Err(format!("outcome '{outcome}' and {best} best moves are not what the values say"));
        }
        if row.is_exact() && (row.value.exact().is_none() || row.moves.iter().any(|(_, own)| own.exact().is_none())) {
            return Err("it is called exact and holds bounds".to_owned());
        }
        Ok(row)
    }
}

impl Serialize for Row {
    /// The columns by name; values that are not known are `null`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Move {
            pit: u8,
            lower: Margin,
            upper: Margin,
        }
        #[derive(Serialize)]
        struct Object<'a> {
            rules: String,
            pits: u8,
            seeds: u32,
            state: State,
            outcome: Outcome,
            value: Option<Margin>,
            lower: Margin,
            upper: Margin,
            best_moves: Option<u32>,
            moves: Vec<Move>,
            pie: Option<Margin>,
            pie_lower: Option<Margin>,
            pie_upper: Option<Margin>,
            line_moves: Option<u32>,
            line: Option<&'a [String]>,
            nodes: u64,
            probes: u64,
            layers: Option<u32>,
            seconds: f64,
            limit: Option<f64>,
            threads: usize,
            version: &'a str,
        }
        let Cell { rules, pits, seeds } = self.cell;
        Object {
            rules: rules.to_string(),
            pits,
            seeds,
            state: self.state,
            outcome: self.outcome(),
            value: self.value.exact(),
            lower: self.value.lower,
            upper: self.value.upper,
            best_moves: self.best_moves(),
            moves: self.moves.iter().map(|&(pit, Bounds { lower, upper })| Move { pit, lower, upper }).collect(),
            pie: self.pie.and_then(Bounds::exact),
            pie_lower: self.pie.map(|pie| pie.lower),
            pie_upper: self.pie.map(|pie| pie.upper),
            line_moves: self.line.as_ref().map(|line| line.moves),
            line: self.line.as_ref().map(|line| &line.turns[..]),
            nodes: self.nodes,
            probes: self.probes,
            layers: self.layers,
            seconds: self.seconds,
            limit: self.limit,
            threads: self.threads,
            version: &self.version,
        }
        .serialize(serializer)
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
    fn a_row_survives_its_text() {
        let exact = Row {
            state: State::Exact,
            value: bounds(2, 2),
            moves: vec![(1, bounds(-12, -12)), (2, bounds(2, 2)), (3, bounds(2, 2))],
            line: Some(Line { moves: 4, turns: vec!["2-3".to_owned(), "1".to_owned(), "1".to_owned()] }),
            limit: None,
            ..row()
        };
        assert_eq!((exact.best_moves(), exact.outcome()), (Some(2), Outcome::Win));
        for row in [row(), exact, Row::unknown(row().cell), Row { pie: None, state: State::History, ..row() }] {
            let text = row.to_string();
            assert_eq!(text.split(',').count(), Row::COLUMNS.len(), "{text}");
            assert_eq!(text.parse::<Row>().as_ref(), Ok(&row), "{text}");
        }
        assert_eq!(
            row().to_string(),
            format!(
                "kalah-empty+leftover=none,3,2,open,win,2,6,,1:-12..0 2:2..6 3:-4,-6,0,,,0,0,7,1.250,1.500,1,{}",
                kalah::VERSION
            )
        );
    }

    #[test]
    fn damaged_text_is_no_row() {
        let text = row().to_string();
        for (from, to, expected) in [
            ("open,win", "open,loss", "not what the values say"),
            ("open,win", "exact,win", "holds bounds"),
            ("open,win", "maybe,win", "expected exact, open or history"),
            ("kalah-empty", "chess", "chess"),
            (",3,2,", ",9,2,", "1 to 8 pits"),
            ("3:-4", "3;-4", "no pit"),
            (",0,0,7", ",0,7", "found 19"),
            ("1.250", "soon", "seconds"),
        ] {
            let fault = text.replacen(from, to, 1).parse::<Row>().unwrap_err();
            assert!(fault.contains(expected), "{fault}");
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
}
