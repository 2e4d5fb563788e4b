//! A row of the atlas as the object that `kalah atlas --json` prints.

use crate::atlas::cell::Cell;
use crate::atlas::row::{Outcome, Row, State};
use kalah_rules::Margin;
use kalah_search::Bounds;
use serde::{Serialize, Serializer};

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
