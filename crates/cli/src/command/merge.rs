//! `kalah merge`: what the results of work lists prove about the start.

use crate::failure::{Failure, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::{report, units, work_file};
use clap::Args;
use kalah::split::{Evidence, Merged, NextStep, Round, WorkList, merge, read_results};
use kalah_rules::{Margin, Side, State};
use serde::Serialize;
use std::path::PathBuf;

/// Combine the results of work lists: print the value of the start, or what is proved about it and the command that
/// continues. Results that contradict each other are refused.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah merge work.jsonl work.jsonl.*.results\n  \
    kalah merge round1.jsonl round2.jsonl *.results --json\n\n\
    The exit code is 0 if the value is known, 5 if only bounds are known, 1 if results contradict\n\
    each other.")]
pub(crate) struct Arguments {
    /// Work lists of one start and files of results of 'kalah work', in any order. The last list decides which question
    /// the command that continues asks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What is known, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    rules: String,
    rules_hash: String,
    position: State,
    to_move: Side,
    /// Only if it is exact.
    value_mover: Option<Margin>,
    value_south: Option<Margin>,
    lower: Margin,
    upper: Margin,
    results: usize,
    lists: Vec<ListReport<'a>>,
    next: Option<NextReport>,
    version: &'static str,
}

#[derive(Serialize)]
struct ListReport<'a> {
    list: &'a str,
    window: Margin,
    reached: Option<bool>,
    sub_problems: usize,
    missing: &'a [u64],
    needed: &'a [u64],
}

#[derive(Serialize)]
struct NextReport {
    window: Margin,
    command: String,
}

/// Reads, merges and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let (mut lists, mut evidence) = (Vec::new(), Vec::new());
    for path in &arguments.files {
        let (name, text) = (work_file::name(path), work_file::read(path)?);
        if WorkList::is_list(&text) {
            lists.push((name.clone(), WorkList::from_text(&text, &name)?));
            continue;
        }
        let (results, whole) = read_results(&text, &name)?;
        if whole < text.len() {
            note(format!("the last line of {name} is cut and passed over"));
        }
        evidence
            .extend(results.into_iter().map(|(line, result)| Evidence { from: format!("{name} line {line}"), result }));
    }
    let merged = merge(&lists, &evidence)?;
    let next = merged.next.map(|step| next(step, &merged, &lists, global));
    if output.json {
        output.object(&report(&merged, evidence.len(), next))?;
    } else {
        output.text(text(&merged, evidence.len(), next.as_ref()))?;
    }
    Ok(if merged.bounds.exact().is_some() { Outcome::Answered } else { Outcome::Limit })
}

/// The command that goes on.
fn next(step: NextStep, merged: &Merged, lists: &[(String, WorkList)], global: &Global) -> NextReport {
    let mut common = String::new();
    if let Some(directory) = &global.database {
        common = format!(" --database {}", work_file::quoted(&directory.display().to_string()));
    }
    match step {
        NextStep::Work(number) => {
            let (name, list) = &lists[number];
            let command = format!("kalah work {}{common}", work_file::quoted(name));
            NextReport { window: list.window(), command }
        }
        NextStep::Ask(window) => {
            let root = merged.root;
            let seeds = root.row(Side::South).pit(1);
            if merged.rules.to_string() != "kalah" {
                common = format!(" --rules {}{common}", merged.rules);
            }
            // The last list is the one to go on from.
            if let Some((_, list)) = lists.last() {
                let layers = list.layers().map_or_else(String::new, |layers| format!(" --layers {layers}"));
                common = format!(" --split {} --window {}{layers}{common}", list.parts(), window.0);
            }
            let command = format!("kalah solve {} {seeds}{common} > work{:+}.jsonl", root.pits(), window.0);
            NextReport { window, command }
        }
    }
}

fn report<'a>(merged: &'a Merged, results: usize, next: Option<NextReport>) -> Report<'a> {
    let exact = merged.bounds.exact();
    let list = |round: &'a Round| ListReport {
        list: &round.list,
        window: round.window,
        reached: round.reached,
        sub_problems: round.tasks,
        missing: &round.missing,
        needed: &round.needed,
    };
    Report {
        rules: merged.rules.to_string(),
        rules_hash: kalah::hash_text(&merged.rules),
        position: merged.root,
        to_move: merged.root.to_move(),
        value_mover: exact,
        value_south: exact.map(|value| if merged.root.to_move() == Side::South { value } else { -value }),
        lower: merged.bounds.lower,
        upper: merged.bounds.upper,
        results,
        lists: merged.rounds.iter().map(list).collect(),
        next,
        version: kalah::VERSION,
    }
}

/// Everything for people.
fn text(merged: &Merged, results: usize, next: Option<&NextReport>) -> String {
    let all = Margin(merged.root.position().seeds() as i16);
    let bounds = merged.bounds;
    let known = match bounds.exact() {
        Some(value) => format!("exactly {value}"),
        None if bounds.lower == -all && bounds.upper == all => "unknown".to_owned(),
        None if bounds.lower == -all => format!("at most {}", bounds.upper),
        None if bounds.upper == all => format!("at least {}", bounds.lower),
        None => format!("at least {} and at most {}", bounds.lower, bounds.upper),
    };
    let mut text = format!(
        "{}, rules {}: {known} for {}, to move; {} read\n",
        report::name(&merged.root),
        merged.rules,
        merged.root.to_move(),
        units::plural(results as u64, "result", "results")
    );
    for round in &merged.rounds {
        text += &format!("{}\n", round_text(round));
    }
    if let Some(next) = next {
        text += &format!("next: {}\n", next.command);
    }
    text
}

/// How it stands with one list.
fn round_text(round: &Round) -> String {
    let answer = match round.reached {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known yet",
    };
    let missing = match (round.missing.len(), round.needed.len()) {
        (0, _) => "all answered".to_owned(),
        (missing, 0) => format!("{} not answered, none of them needed", units::count(missing as u64)),
        (missing, needed) => format!(
            "{} not answered, {} of them may be needed: {}",
            units::count(missing as u64),
            units::count(needed as u64),
            some(&round.needed)
        ),
    };
    format!(
        "{}: is it {} or more? {answer}; {}, {missing}",
        round.list,
        round.window,
        units::plural(round.tasks as u64, "sub-problem", "sub-problems")
    )
}

/// The first few numbers.
fn some(numbers: &[u64]) -> String {
    let first: Vec<String> = numbers.iter().take(10).map(u64::to_string).collect();
    first.join(", ") + if numbers.len() > first.len() { ", …" } else { "" }
}
