//! The program `kalah`: solve, build, query, explain and verify sowing games from the shell.

mod arguments;
mod board;
mod chosen;
mod command;
mod directory;
mod failure;
mod forms;
mod gap;
mod global;
mod layers;
mod output;
mod progress;
mod question;
mod report;
mod screen;
mod search;
mod stop;
mod table;
mod units;
mod usage;
mod work_file;

use arguments::Arguments;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use failure::{Kind, Outcome};
use output::{Output, note};
use screen::Screen;
use std::process::ExitCode;

fn main() -> ExitCode {
    // These two decide how a fault of the command line itself is shown.
    let given = |name: &str| std::env::args_os().any(|argument| argument == name);
    let json = given("--json");
    Screen::decide(given("--ascii"));
    let mut output = Output::new(json);
    let result = match Arguments::try_parse() {
        Ok(arguments) => arguments.command.run(&arguments.global, &mut output),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                // Clap prints colours on terminals only. A closed pipe is no fault.
                let _ = error.print();
                Ok(Outcome::Answered)
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = error.print();
                return ExitCode::from(Kind::Usage.code());
            }
            _ => Err(usage::failure(&error, &Arguments::command())),
        },
    };
    match result.and_then(|outcome| output.flush().map(|()| outcome)) {
        Ok(outcome) => ExitCode::from(outcome.code()),
        Err(failure) if failure.closed => ExitCode::SUCCESS,
        Err(failure) => {
            if json && failure.kind != Kind::Output {
                let _ = output.object(&failure.json());
            } else {
                note(format!("error: {failure}"));
            }
            ExitCode::from(failure.kind.code())
        }
    }
}
