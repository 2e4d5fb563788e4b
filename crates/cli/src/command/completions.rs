//! `kalah completions`: a completion script for a shell.

use crate::failure::{Failure, Kind, Outcome};
use crate::output::Output;
use clap::Args;

/// Print a completion script for a shell. Each shell has its own place for such scripts.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah completions bash > ~/.local/share/bash-completion/completions/kalah\n  \
    kalah completions fish > ~/.config/fish/completions/kalah.fish")]
pub(crate) struct Arguments {
    /// Shell.
    shell: clap_complete::Shell,
}

/// Prints the script for the command line `program`.
pub(crate) fn run(arguments: &Arguments, mut program: clap::Command, output: &mut Output) -> Result<Outcome, Failure> {
    if output.json {
        return Err(Failure::new(Kind::Usage, "a completion script has no JSON form", "Leave out --json."));
    }
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "kalah", &mut script);
    output.bytes(&script)?;
    Ok(Outcome::Answered)
}
