//! `kalah query`: every move of a position with its value.

use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::forms;
use crate::global::{Global, SearchLimits};
use crate::output::{Output, note};
use crate::{report, search, stop};
use clap::Args;
use kalah::{Options, Session, Solutions, Solver, SolverError};
use kalah_rules::{RuleSet, State};
use std::collections::HashMap;
use std::io::{self, BufRead};

/// Show every move of a position with its value, best first, and a line of perfect play.
///
/// A position that lies inside the solved layers is looked up at once; any other position is searched.
#[derive(Args, Debug)]
#[command(after_help = forms::positions("Examples:\n  \
    kalah query start:4x3\n  \
    kalah query '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>' --time 1m\n  \
    kalah query '<6,20,12,0,1,0,2,0,1,3,0,0,4,1,4> N' --json\n  \
    kalah query - < positions.txt\n\n\
    With '-', the program reads one position per line and prints one JSON object for each. Blank lines and\n\
    lines that start with '#' are skipped. A line that is not a position gets an error object, the other\n\
    lines are still answered, and the exit code is 3.\n\n\
    The table shows the position after each move if the screen is wide enough; --json always has it."))]
pub(crate) struct Arguments {
    /// Position or start, e.g. start:6x4; '-' reads positions from the standard input.
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// Do not use kept solutions of solved starts: search again.
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    limits: SearchLimits,
}

/// Answers one position, or one after another.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let directory = global.directory();
    if arguments.position == "-" {
        // What is to come is not known; this is what a start of 48 seeds gets.
        let options = search::options(global, arguments.limits, 48);
        return lines(arguments, rules, &directory, options, output);
    }
    let state: State = arguments.position.parse()?;
    let options = search::options(global, arguments.limits, state.position().seeds());
    let solver = open(&directory, rules, state.pits(), options, arguments.again)?;
    stop::listen();
    let answer = search::analyse(&solver.session(), &state, arguments.limits)?;
    if output.json {
        note(format!("layers: {}", directory.path.display()));
        output.object(&answer)?;
    } else {
        output.text(report::answer(&answer, &directory))?;
    }
    Ok(search::outcome(&answer))
}

/// A solver with the layers of the directory and the solved starts. Where nobody chose a directory and there is none, everything
/// is searched; `again` leaves solved starts out.
pub(crate) fn open(
    directory: &Directory,
    rules: RuleSet,
    pits: u8,
    options: Options,
    again: bool,
) -> Result<Solver, SolverError> {
    let solver = if directory.chosen || directory.path.exists() {
        Solver::open(&directory.path, rules, pits, options)?
    } else {
        Solver::without_layers(rules, pits, options)?
    };
    if again {
        return Ok(solver);
    }
    Ok(solver.with_solutions(Solutions::open(&directory.solutions(), &rules, pits)?))
}

/// The position in a line of input; `None` if the line is blank or a comment. A byte order mark is no part of it.
fn question(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
    let asked = text.trim_start();
    (!asked.is_empty() && !asked.starts_with('#')).then_some(text)
}

/// Answers every line of the standard input.
fn lines(
    arguments: &Arguments,
    rules: RuleSet,
    directory: &Directory,
    options: Options,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    note(format!("layers: {}", directory.path.display()));
    stop::listen();
    let mut sessions: HashMap<u8, Session> = HashMap::new();
    let mut outcome = Outcome::Answered;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        // A signal between two positions ends the program here.
        line.clear();
        let read = stop::while_idle(|| input.read_until(b'\n', &mut line)).map_err(|error| {
            Failure::new(
                Kind::Usage,
                format!("the standard input cannot be read: {error}"),
                "Check where it comes from.",
            )
        })?;
        if read == 0 {
            return Ok(outcome);
        }
        let text = String::from_utf8_lossy(&line);
        let Some(text) = question(&text) else { continue };
        match text.parse::<State>() {
            Err(error) => {
                outcome = Outcome::BadPosition;
                output.object(&Failure::from(error).json())?;
            }
            Ok(state) => {
                let session = match sessions.entry(state.pits()) {
                    std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                    std::collections::hash_map::Entry::Vacant(entry) => {
                        entry.insert(open(directory, rules, state.pits(), options, arguments.again)?.session())
                    }
                };
                let answer = search::analyse(session, &state, arguments.limits)?;
                if outcome == Outcome::Answered {
                    outcome = search::outcome(&answer);
                }
                output.object(&answer)?;
                if stop::requested() && !answer.is_complete() {
                    return Ok(outcome);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::question;

    #[test]
    fn blank_lines_comments_and_byte_order_marks_are_no_questions() {
        for line in ["", "\n", "\r\n", "  \t\n", "# a comment\n", "  # another", "\u{feff}\n", "\u{feff}# first line\n"]
        {
            assert_eq!(question(line), None, "{line:?}");
        }
        assert_eq!(question("\u{feff}start:6x4\r\n"), Some("start:6x4"));
        assert_eq!(question(" start:6x4 # not a comment\n"), Some(" start:6x4 # not a comment"));
    }
}
