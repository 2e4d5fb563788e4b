//! `kalah man`: a manual page in roff.

use crate::failure::{Failure, Kind, Outcome};
use crate::output::Output;
use clap::Args;

/// Print the manual page of the program or of one command.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  kalah man | man -l -\n  kalah man solve | man -l -")]
pub(crate) struct Arguments {
    /// Command whose page is printed [default: the page of the program].
    command: Option<String>,
}

/// Prints the page of the command line `program`.
pub(crate) fn run(arguments: &Arguments, mut program: clap::Command, output: &mut Output) -> Result<Outcome, Failure> {
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => {
            let help = "'kalah help' lists the commands.";
            let missing = || Failure::new(Kind::Usage, format!("there is no command '{name}'"), help);
            let command = program.find_subcommand(name).ok_or_else(missing)?.clone();
            command.display_name(format!("kalah-{name}"))
        }
    };
    if output.json {
        let message = "a manual page has no JSON form";
        return Err(Failure::new(Kind::Usage, message, "Leave out --json and read the page with 'man -l -'."));
    }
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff)?;
    output.bytes(&roff)?;
    Ok(Outcome::Answered)
}
