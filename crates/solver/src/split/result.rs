//! Results of sub-problems and their text.

use super::SplitError;
use super::list::{json, parse, place};
use kalah_rules::{Margin, State};
use kalah_search::Bounds;
use serde::{Deserialize, Serialize};

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
    check: String,
}

impl Line {
    /// The checksum of what is claimed: XXH3 of the text of these fields with a space between each two.
    fn expected_check(&self) -> String {
        let Line { rules_hash, position, window, lower, upper, .. } = self;
        let text = format!("{rules_hash} {position} {window} {lower} {upper}");
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
    }
}

impl TaskResult {
    /// Whether the bounds answer the question.
    pub fn answers(&self) -> bool {
        self.bounds.lower >= self.window || self.bounds.upper < self.window
    }

    /// The result as a line of text: a JSON object with a checksum.
    pub fn to_text(&self) -> String {
        let mut line = Line {
            id: self.id,
            position: self.state.to_string(),
            window: self.window.0,
            lower: self.bounds.lower.0,
            upper: self.bounds.upper.0,
            nodes: self.nodes,
            seconds: self.seconds,
            rules_hash: self.rules_hash.clone(),
            version: self.version.clone(),
            check: String::new(),
        };
        line.check = line.expected_check();
        json(&line)
    }

    fn from_text(text: &str, name: &str, number: usize) -> Result<TaskResult, SplitError> {
        let line: Line = parse(text, name, number)?;
        let fault = |fault: String| SplitError::Line { place: place(name, number), fault };
        if line.check != line.expected_check() {
            return Err(fault(format!("expected the checksum {}, found '{}'", line.expected_check(), line.check)));
        }
        Ok(TaskResult {
            id: line.id,
            state: line.position.parse().map_err(|error| fault(format!("the position: {error}")))?,
            window: Margin(line.window),
            bounds: Bounds { lower: Margin(line.lower), upper: Margin(line.upper) },
            nodes: line.nodes,
            seconds: line.seconds,
            rules_hash: line.rules_hash,
            version: line.version,
        })
    }
}

/// Reads results, one a line, with the numbers of their lines; `name` is what errors call the file. A last line without its end is
/// what a process that died leaves: it is passed over. The second number is how many bytes the whole lines have.
///
/// # Errors
/// If a whole line is no result, or its checksum is wrong.
pub fn read_results(text: &str, name: &str) -> Result<(Vec<(usize, TaskResult)>, usize), SplitError> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let lines = text[..whole].lines().enumerate();
    let results = lines.map(|(index, line)| Ok((index + 1, TaskResult::from_text(line, name, index + 1)?)));
    Ok((results.collect::<Result<_, SplitError>>()?, whole))
}
