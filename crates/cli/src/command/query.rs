//! `kalah query`: every move of a position with its value.

use crate::failure::{Failure, Kind, Outcome};
use crate::forms;
use crate::global::{Global, SearchLimits};
use crate::output::{Output, note};
use crate::question::Questions;
use crate::{report, search, stop, units};
use clap::Args;
use kalah_rules::State;
use std::io::{self, BufRead};

/// Show every move of a position with its value, best first, and a line of perfect play.
///
/// A position that lies inside the solved layers is looked up at once. Any other position is searched, after the layers
/// that make the search shorter are built.
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
    /// Find only the value and a line of perfect play, which is several times faster. The other moves get bounds.
    #[arg(long)]
    value: bool,
    /// Build layers with up to this many seeds before a search; 0 builds none [default: as many as make the total time
    /// shortest].
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u32>)]
    layers: Option<u32>,
    #[command(flatten)]
    limits: SearchLimits,
}

/// Answers one position, or one after another.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let directory = global.directory();
    let &Arguments { again, layers, value, limits, .. } = arguments;
    let questions = |seeds| {
        let mut questions = Questions::new(&directory, rules, global, limits, seeds);
        (questions.again, questions.layers, questions.value_only) = (again, layers, value);
        questions
    };
    if arguments.position == "-" {
        // The positions are not known yet; the table is the one for a start of 48 seeds.
        return lines(questions(48), output);
    }
    let state: State = arguments.position.parse()?;
    stop::listen();
    let answer = questions(state.position().seeds()).ask(&state)?;
    if output.json {
        note(format!("layers: {}", directory.path.display()));
        output.object(&answer)?;
    } else {
        output.text(report::answer(&answer, &directory))?;
    }
    Ok(search::outcome(&answer, value))
}

/// The position in a line of input; `None` if the line is blank or a comment. A byte order mark is no part of it.
fn question(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
    let asked = text.trim_start();
    (!asked.is_empty() && !asked.starts_with('#')).then_some(text)
}

/// Answers every line of the standard input.
fn lines(mut questions: Questions<'_>, output: &mut Output) -> Result<Outcome, Failure> {
    note(format!("layers: {}", questions.directory.path.display()));
    stop::listen();
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
                let answer = questions.ask(&state)?;
                if outcome == Outcome::Answered {
                    outcome = search::outcome(&answer, questions.value_only);
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
