//! The command line: which commands there are.

use crate::command::{
    atlas, bench, build, certify, checksums, completions, convert, explain, fair, list, man, merge, opening, perft,
    query, reproduce, rules, solve, stats, verify, work,
};
use crate::failure::{Failure, Outcome};
use crate::global::Global;
use crate::output::Output;
use clap::{CommandFactory, Parser, Subcommand};

/// Solve Kalah and related sowing games exactly: the value of a position, its best moves, and proofs of both.
#[derive(Parser, Debug)]
#[command(
    name = "kalah",
    version,
    max_term_width = 100,
    after_help = "Examples:\n  \
        kalah solve 6 4                  solve Kalah(6,4): the value of every first move\n  \
        kalah query start:6x4            show every move of a position, best first\n  \
        kalah build --pits 6 --seeds 24  solve all positions with up to 24 seeds\n  \
        kalah explain start:6x4 3-6      explain a turn, sentence by sentence\n\n\
        Exit codes:\n  \
        0  answered\n  \
        1  the answer is negative: a check failed or a claim is refuted\n  \
        2  the command line is wrong\n  \
        3  a position or move is wrong\n  \
        4  a file is missing, damaged or made for other rules\n  \
        5  a limit was reached first: time, positions, memory or disk\n  \
        130  stopped by a second Ctrl-C\n\n\
        Results go to stdout; progress and warnings go to stderr. The first Ctrl-C stops cleanly.\n\n\
        Environment: KALAH_DATABASE names the directory of layers, NO_COLOR turns colours off,\n\
        COLUMNS sets the width of tables."
)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub(crate) global: Global,
}

/// The commands of the program, each with its line in the list of commands. The help of a command is the documentation of its
/// arguments.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    #[command(about = "Solve a start: the value of every first move and a line of perfect play")]
    Solve(solve::Arguments),
    #[command(about = "Show every move of a position with its value, best first")]
    Query(query::Arguments),
    #[command(about = "Write a proof of a value that can be checked without search, or check one")]
    Certify(certify::Arguments),
    #[command(about = "Solve some of the sub-problems of a work list")]
    Work(work::Arguments),
    #[command(about = "Combine the results of work lists")]
    Merge(merge::Arguments),
    #[command(about = "Build layers: the values of all positions with up to a number of seeds")]
    Build(build::Arguments),
    #[command(about = "List the layers in the database directory")]
    List(list::Arguments),
    #[command(about = "Check the files of the database directory and, if asked, every value")]
    Verify(verify::Arguments),
    #[command(about = "Convert layers to another codec")]
    Convert(convert::Arguments),
    #[command(about = "Count the values of whole layers")]
    Stats(stats::Arguments),
    #[command(about = "Print or compare SHA-256 checksums of the values of layers")]
    Checksums(checksums::Arguments),
    #[command(about = "Explain what a move does, sentence by sentence")]
    Explain(explain::Arguments),
    #[command(about = "Count all lines of play to a given depth")]
    Perft(perft::Arguments),
    #[command(about = "Find a first turn that wins Dakon before the opponent moves")]
    Opening(opening::Arguments),
    #[command(about = "Compute published numbers again and say which are correct")]
    Reproduce(reproduce::Arguments),
    #[command(about = "Solve the starts of many boards and write them to tables")]
    Atlas(atlas::Arguments),
    #[command(about = "Measure the search on a fixed set of starts")]
    Bench(bench::Arguments),
    #[command(about = "List boards close to a start from which perfect play is a draw")]
    Fair(fair::Arguments),
    #[command(about = "Explain the rule sets, or compare them on one position")]
    Rules(rules::Arguments),
    #[command(about = "Print a completion script for a shell")]
    Completions(completions::Arguments),
    #[command(about = "Print a manual page")]
    Man(man::Arguments),
}

impl Command {
    /// Runs the command.
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
