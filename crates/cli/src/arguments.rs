//! The command line: which commands there are.

use crate::command::{
    atlas, bench, build, certify, checksums, completions, convert, explain, fair, list, man, merge, opening, perft,
    query, reproduce, rules, solve, stats, verify, work,
};
use crate::failure::{Failure, Outcome};
use crate::global::Global;
use crate::output::Output;
use clap::{CommandFactory, Parser, Subcommand};

/// Solves Kalah and its relatives with certainty: what is a position worth, which moves keep that value, and how do we
/// know.
#[derive(Parser, Debug)]
#[command(
    name = "kalah",
    version,
    max_term_width = 110,
    after_help = "Examples:\n  \
        kalah solve 6 4                                    the value of Kalah(6,4) and of its first moves\n  \
        kalah query '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>'      every move of a position, best first\n  \
        kalah build --pits 6 --seeds 24                    all positions with up to 24 seeds in pits\n  \
        kalah explain start:6x4 3-6                        what happens in a turn, sentence by sentence\n\n\
        Exit codes: 0 answered, 1 a negative answer, 2 wrong usage, 3 bad position or move,\n\
        4 layers or work lists missing, damaged or for other rules, 5 a limit came first.\n\
        Results go to stdout, progress and warnings to stderr."
)]
pub(crate) struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// What every command understands.
    #[command(flatten)]
    pub(crate) global: Global,
}

/// What the program can do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Solve a start: its value, every first move's value, and a line of perfect play.
    Solve(solve::Arguments),
    /// Show every move of a position with its value, best first.
    Query(query::Arguments),
    /// Prove a value to those who do not search, or check such a proof.
    Certify(certify::Arguments),
    /// Solve a part of the sub-problems of a work list.
    Work(work::Arguments),
    /// Put the results of work lists together.
    Merge(merge::Arguments),
    /// Build the layers of all positions with up to so many seeds.
    Build(build::Arguments),
    /// List the layers in the database directory.
    List(list::Arguments),
    /// Check every file of the database directory, and if wanted every value.
    Verify(verify::Arguments),
    /// Write layers in another codec.
    Convert(convert::Arguments),
    /// Count the values of whole layers.
    Stats(stats::Arguments),
    /// Print or compare SHA-256 checksums of the values of layers.
    Checksums(checksums::Arguments),
    /// Tell what a move does, sentence by sentence.
    Explain(explain::Arguments),
    /// Count all lines of play to a depth.
    Perft(perft::Arguments),
    /// Find a first turn that wins Dakon before the opponent moves.
    Opening(opening::Arguments),
    /// Compute published numbers again and say which are true.
    Reproduce(reproduce::Arguments),
    /// Find out what the starts of many boards are worth.
    Atlas(atlas::Arguments),
    /// Search a fixed set of starts: how fast, and in how many positions.
    Bench(bench::Arguments),
    /// List the boards near a start from which perfect play ends in a draw.
    Fair(fair::Arguments),
    /// Explain the rule sets, or show one position under each of them.
    Rules(rules::Arguments),
    /// Print a completion script for a shell.
    Completions(completions::Arguments),
    /// Print a manual page.
    Man(man::Arguments),
}

impl Command {
    /// Does it.
    pub(crate) fn run(&self, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
        match self {
            Command::Solve(arguments) => solve::run(arguments, global, output),
            Command::Query(arguments) => query::run(arguments, global, output),
            Command::Certify(arguments) => certify::run(arguments, global, output),
            Command::Work(arguments) => work::run(arguments, global, output),
            Command::Merge(arguments) => merge::run(arguments, global, output),
            Command::Build(arguments) => build::run(arguments, global, output),
            Command::List(arguments) => list::run(arguments, global, output),
            Command::Verify(arguments) => verify::run(arguments, global, output),
            Command::Convert(arguments) => convert::run(arguments, global, output),
            Command::Stats(arguments) => stats::run(arguments, global, output),
            Command::Checksums(arguments) => checksums::run(arguments, global, output),
            Command::Explain(arguments) => explain::run(arguments, global, output),
            Command::Perft(arguments) => perft::run(arguments, global, output),
            Command::Opening(arguments) => opening::run(arguments, output),
            Command::Reproduce(arguments) => reproduce::run(arguments, global, output),
            Command::Atlas(arguments) => atlas::run(arguments, global, output),
            Command::Bench(arguments) => bench::run(arguments, output),
            Command::Fair(arguments) => fair::run(arguments, global, output),
            Command::Rules(arguments) => rules::run(arguments, global, output),
            Command::Completions(arguments) => completions::run(arguments, Arguments::command(), output),
            Command::Man(arguments) => man::run(arguments, Arguments::command(), output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
