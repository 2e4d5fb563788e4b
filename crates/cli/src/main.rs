//! The program `kalah`: solve, build, query, explain and verify sowing games from the shell.

mod arguments;
mod chosen;
mod command;
mod directory;
mod failure;
mod global;
mod layers;
mod machine;
mod output;
mod progress;
mod report;
mod search;
mod stop;
mod units;
mod work_file;

use arguments::Arguments;
use clap::Parser;
use clap::error::ErrorKind;
use failure::{Failure, Kind, Outcome};
use output::{Output, note};
use std::process::ExitCode;

fn main() -> ExitCode {
    let json = std::env::args_os().any(|argument| argument == "--json");
    let mut output = Output::new(json);
    let result = match Arguments::try_parse() {
        Ok(arguments) => arguments.command.run(&arguments.global, &mut output),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                // Colours only where clap finds a terminal; a closed pipe is nobody's fault.
                let _ = error.print();
                Ok(Outcome::Answered)
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = error.print();
                return ExitCode::from(Kind::Usage.code());
            }
            _ => Err(usage(&error)),
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

/// What clap found wrong, as one paragraph.
fn usage(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let (what, help) = match text.find("Usage:") {
        Some(at) => text.split_at(at),
        None => text.find("For more information").map_or((text.as_str(), ""), |at| text.split_at(at)),
    };
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let what = line(what.trim_start_matches("error: "));
    let help = line(help).replace(" For more information, try", "; for more information, try");
    Failure::new(Kind::Usage, what, help)
}
