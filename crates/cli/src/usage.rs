//! Faults of the command line: one sentence about the fault, then what to do.

use crate::failure::{Failure, Kind};
use crate::units::Unreadable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error;

/// The fault that clap found in a command line of `program`.
pub(crate) fn failure(error: &clap::Error, program: &clap::Command) -> Failure {
    let context = Context { error };
    let argument = context.words(ContextKind::InvalidArg);
    let value = context.words(ContextKind::InvalidValue);
    let inner = error.source();
    let unreadable = inner.and_then(<dyn Error>::downcast_ref::<Unreadable>);
    let message = match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') => format!("there is no option '{argument}'"),
        ErrorKind::UnknownArgument => format!("unexpected argument '{argument}'"),
        ErrorKind::InvalidSubcommand => {
            format!("there is no command '{}'", context.words(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingRequiredArgument => format!("missing on the command line: {argument}"),
        ErrorKind::ArgumentConflict => {
            let prior = context.words(ContextKind::PriorArg);
            if prior == argument {
                format!("'{argument}' is given more than once")
            } else {
                format!("'{argument}' cannot be used together with '{prior}'")
            }
        }
        ErrorKind::ValueValidation => {
            let why = inner.map_or_else(|| "it is not accepted".to_owned(), ToString::to_string);
            format!("'{value}' is not a value for '{argument}': {why}")
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("'{argument}' needs a value"),
        ErrorKind::InvalidValue => format!("'{value}' is not a value for '{argument}'"),
        ErrorKind::InvalidUtf8 => "an argument is not UTF-8 text".to_owned(),
        _ => first_line(error),
    };
    let mut help = Vec::new();
    let suggestion = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .map(|kind| context.quoted(kind))
        .find(|names| !names.is_empty());
    if let Some(names) = suggestion {
        help.push(format!("Did you mean {}?", either(&names)));
    } else if let Some(found) = unreadable {
        help.push(found.help.to_owned());
    }
    let values = context.quoted(ContextKind::ValidValue);
    if !values.is_empty() {
        help.push(format!("Possible values are {}.", all(&values)));
    }
    help.push(more(program));
    Failure::new(Kind::Usage, message, help.join(" "))
}

/// Names of which one is meant, in a sentence: `a`, `a or b`, `a, b or c`.
fn either(names: &[String]) -> String {
    listed(names, "or")
}

/// Names that are all meant, in a sentence: `a`, `a and b`, `a, b and c`.
fn all(names: &[String]) -> String {
    listed(names, "and")
}

fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Where to read about the command that was given.
fn more(program: &clap::Command) -> String {
    let given: Vec<_> = std::env::args_os().skip(1).collect();
    let command = program.get_subcommands().find(|command| given.iter().any(|word| word == command.get_name()));
    match command {
        Some(command) => format!("'kalah {} --help' shows its arguments and options.", command.get_name()),
        None => "'kalah --help' lists the commands.".to_owned(),
    }
}

/// The first line of clap's own text, for faults without a text here.
fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").trim_end_matches('.').to_owned()
}

/// The details of the fault that clap knows.
struct Context<'a> {
    error: &'a clap::Error,
}

impl Context<'_> {
    /// The strings of one kind.
    fn strings(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    /// The strings of one kind in a row, or nothing.
    fn words(&self, kind: ContextKind) -> String {
        self.strings(kind).join(", ")
    }

    /// The strings of one kind, each in quotes.
    fn quoted(&self, kind: ContextKind) -> Vec<String> {
        self.strings(kind).iter().map(|text| format!("'{text}'")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    fn told(arguments: &[&str]) -> (String, String) {
        let size = Arg::new("table").long("table").value_parser(crate::units::parse_size);
        let shell = Arg::new("shell").long("shell").value_parser(["bash", "fish", "zsh"]);
        let program = Command::new("kalah").subcommand_required(true).subcommand(
            Command::new("solve").arg(Arg::new("SEEDS").required(true)).arg(size).arg(shell.conflicts_with("table")),
        );
        let error = program.clone().try_get_matches_from(arguments).unwrap_err();
        let failure = failure(&error, &program);
        assert_eq!(failure.kind, Kind::Usage);
        (failure.message, failure.help)
    }

    #[test]
    fn every_fault_is_one_sentence_with_the_word_that_is_wrong() {
        for (arguments, message, help) in [
            (&["kalah", "solv"][..], "there is no command 'solv'", "Did you mean 'solve'?"),
            (&["kalah", "solve", "4", "--tabel", "1"], "there is no option '--tabel'", "Did you mean '--table'?"),
            (&["kalah", "solve", "4", "5"], "unexpected argument '5'", ""),
            (&["kalah", "solve"], "missing on the command line: <SEEDS>", ""),
            (
                &["kalah", "solve", "4", "--table", "2XiB"],
                "'2XiB' is not a value for '--table <table>': there is no unit 'xib'",
                "Write a size such as 512MiB, 2GiB or 1.5GB.",
            ),
            (
                &["kalah", "solve", "4", "--shell", "csh"],
                "'csh' is not a value for '--shell <shell>'",
                "'bash', 'fish' and 'zsh'.",
            ),
            (&["kalah", "solve", "4", "--table"], "'--table <table>' needs a value", ""),
            (&["kalah", "solve", "4", "--table", "1", "--table", "2"], "'--table <table>' is given more than once", ""),
            (
                &["kalah", "solve", "4", "--table", "1", "--shell", "fish"],
                "'--table <table>' cannot be used together with '--shell <shell>'",
                "",
            ),
        ] {
            let (said, way_out) = told(arguments);
            assert_eq!(said, message, "{arguments:?}");
            assert!(way_out.contains(help) && way_out.ends_with('.'), "{arguments:?}: {way_out}");
        }
    }

    #[test]
    fn a_list_of_names_is_a_sentence() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(either(&names(&[])), "");
        assert_eq!(either(&names(&["a"])), "a");
        assert_eq!(either(&names(&["a", "b"])), "a or b");
        assert_eq!(either(&names(&["a", "b", "c"])), "a, b or c");
    }
}
