//! Results of sub-problems and their text.

use super::list::{json, parse, place};
use super::{Evidence, SplitError};
use kalah_rules::{Margin, Position, State};
use kalah_search::Bounds;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The first line of a file of results: it says the version of the lines after it.
pub const RESULTS_TITLE: &str = "results of kalah work, version 2";

/// No counter of positions, and no time in seconds, is larger.
const MOST_WORK: u64 = 1 << 56;

/// What was proved about one sub-problem.
#[derive(Clone, PartialEq, Debug)]
pub struct TaskResult {
    /// The sub-problem's number in the list it was taken from. Only for people: position and window are what counts.
    pub id: u64,
    /// The position.
    pub state: State,
    /// The question: is the value, for the player to move, at least this?
    pub window: Margin,
    /// What is proved about the value, for the player to move.
    pub bounds: Bounds,
    /// Positions that were searched.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// The version of the program that proved it.
    pub version: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: u64,
    position: String,
    window: i16,
    lower: i16,
    upper: i16,
    nodes: u64,
    seconds: f64,
    rules_hash: String,
    version: String,
}

impl TaskResult {
    /// Whether the bounds answer the question.
    pub fn answers(&self) -> bool {
        self.bounds.lower >= self.window || self.bounds.upper < self.window
    }

    /// The result as one line of text, without its end: a JSON object.
    pub fn to_line(&self) -> String {
        let line = Line {
            id: self.id,
            position: self.state.to_string(),
            window: self.window.0,
            lower: self.bounds.lower.0,
            upper: self.bounds.upper.0,
            nodes: self.nodes,
            seconds: self.seconds,
            rules_hash: self.rules_hash.clone(),
            version: self.version.clone(),
        };
        json(&line).trim_end().to_owned()
    }

    fn from_line(text: &str, name: &str, number: usize) -> Result<TaskResult, SplitError> {
        let line: Line = parse(text, name, number)?;
        let fault = |fault: String| SplitError::Line { place: place(name, number), fault };
        let state: State = line.position.parse().map_err(|error| fault(format!("the position: {error}")))?;
        let seeds = state.position().seeds() as i16;
        let Line { lower, upper, window, .. } = line;
        if !(-seeds <= lower && lower <= upper && upper <= seeds) {
            return Err(fault(format!("{lower} to {upper} is no value of a position with {seeds} seeds in pits")));
        }
        if !(-seeds < window && window <= seeds) {
            return Err(fault(format!("{window} is no window of a position with {seeds} seeds in pits")));
        }
        if line.nodes > MOST_WORK || !(0.0..=MOST_WORK as f64).contains(&line.seconds) {
            return Err(fault("nobody ever did so much work".to_owned()));
        }
        Ok(TaskResult {
            id: line.id,
            state,
            window: Margin(window),
            bounds: Bounds { lower: Margin(lower), upper: Margin(upper) },
            nodes: line.nodes,
            seconds: line.seconds,
            rules_hash: line.rules_hash,
            version: line.version,
        })
    }
}

/// Reads the lines of a file of results ([`Journal`](crate::database::Journal) with the title [`RESULTS_TITLE`]), with
/// where each was found; `name` is what errors call the file.
///
/// # Errors
/// If a line is no result, its numbers are impossible for its position, or a line answers the question of an earlier one.
pub fn read_results(lines: &[String], name: &str) -> Result<Vec<Evidence>, SplitError> {
    let mut seen: HashMap<(Position, Margin), usize> = HashMap::new();
    let mut results = Vec::with_capacity(lines.len());
    // The title is line 1.
    for (number, line) in (2..).zip(lines) {
        let result = TaskResult::from_line(line, name, number)?;
        if let Some(first) = seen.insert((result.state.position(), result.window), number) {
            return Err(SplitError::Duplicate { place: place(name, number), first: format!("line {first}") });
        }
        results.push(Evidence { from: place(name, number), result });
    }
    Ok(results)
}
