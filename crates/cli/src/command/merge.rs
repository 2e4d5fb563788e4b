//! `kalah merge`: what the results of work lists prove about the start.

use crate::failure::{Failure, Kind, Outcome};
use crate::global::{Global, SearchLimits};
use crate::output::Output;
use crate::work_file::Content;
use crate::{question, report, search, stop, units, work_file};
use clap::Args;
use kalah::Limits;
use kalah::split::{Claim, Evidence, Merged, NextStep, Round, Task, WorkList, claims, merge};
use kalah_rules::{Margin, Side, State};
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// Combine the results of work lists: print the value of the start, or what is proved about it and the command that
/// continues. Results that contradict each other are refused.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah merge work.jsonl work.jsonl.*.results\n  \
    kalah merge round1.jsonl round2.jsonl *.results --json\n  \
    kalah merge --check=20 work.jsonl from-elsewhere.results\n\n\
    The exit code is 0 if the value is known, 5 if only bounds are known, 4 if a file is damaged or\n\
    results contradict each other, 1 if --check refutes a result. A result that nothing contradicts\n\
    is believed; --check proves some of them again.")]
pub(crate) struct Arguments {
    /// Work lists of one start and files of results of 'kalah work', in any order. The last list decides which question
    /// the command that continues asks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Prove N of the results again, chosen at random. A result that does not hold ends with exit code 1.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10")]
    #[arg(value_parser = units::parse_number::<u64>)]
    check: Option<u64>,
    /// With --check: stop proving after this time, for example 90s or 10m (exit code 5).
    #[arg(long, value_name = "TIME", requires = "check", value_parser = units::parse_time)]
    time: Option<Duration>,
    /// With --check: the size of the search table, for example 2GiB [default: by the seeds on the board, at least 256 MiB,
    /// at most a third of the free memory].
    #[arg(long, value_name = "BYTES", requires = "check", value_parser = units::parse_size)]
    table: Option<u64>,
}

/// The state of the proof, as JSON.
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
    /// Only with --check.
    checked: Option<Checked>,
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
        match work_file::content(path)? {
            Content::List(list) => lists.push((work_file::name(path), list)),
            Content::Results(results) => evidence.extend(results),
        }
    }
    let merged = merge(&lists, &evidence)?;
    let checked = match arguments.check {
        Some(sample) => Some(check(&merged, &evidence, sample, arguments, global)?),
        None => None,
    };
    let next = merged.next.map(|step| next(step, &merged, &lists, global));
    if output.json {
        output.object(&report(&merged, evidence.len(), checked, next))?;
    } else {
        output.text(text(&merged, evidence.len(), checked, next.as_ref()))?;
    }
    let complete = checked.is_none_or(|checked| checked.confirmed == checked.wanted);
    Ok(if complete && merged.bounds.exact().is_some() { Outcome::Answered } else { Outcome::Limit })
}

/// What came of proving results again.
#[derive(Clone, Copy, Serialize)]
struct Checked {
    /// Results that were to be proved again.
    wanted: usize,
    /// How many of them were, and hold.
    confirmed: usize,
}

/// Proves some results again, chosen at random; one that does not hold is a fault.
fn check(
    merged: &Merged,
    evidence: &[Evidence],
    sample: u64,
    arguments: &Arguments,
    global: &Global,
) -> Result<Checked, Failure> {
    let game = merged.rules.game(merged.root.pits())?;
    let random = RandomState::new();
    let mut chosen: Vec<usize> = (0..evidence.len()).collect();
    chosen.sort_by_cached_key(|index| random.hash_one(index));
    chosen.truncate(usize::try_from(sample).unwrap_or(usize::MAX));
    let wanted = chosen.len();
    let chosen: HashSet<usize> = chosen.into_iter().collect();
    let claims: Vec<Claim> =
        claims(&game, evidence).into_iter().filter(|claim| chosen.contains(&claim.evidence)).collect();
    let questions: Vec<Task> = claims.iter().map(|claim| claim.question).collect();

    stop::listen();
    let limits = SearchLimits { time: arguments.time, nodes: None, table: arguments.table };
    let options = search::options(global, limits, merged.root.position().seeds());
    // What kept solutions say could be as false as the results.
    let solver = question::open(&global.directory(), merged.rules, merged.root.pits(), options, true)?;
    let (mut done, mut refuted) = (0, None);
    search::with_progress(limits, Limits::default(), |limits| {
        solver.prove_each(&questions, limits, |proof| {
            let claim = &claims[done];
            if !claim.is_confirmed_by(&proof) {
                refuted = Some((claim.evidence, proof.bounds));
                return ControlFlow::Break(());
            }
            done += 1;
            ControlFlow::Continue(())
        })
    })?;
    if let Some((index, found)) = refuted {
        let Evidence { from, result } = &evidence[index];
        let message = format!("{from} says {} of {}, but a new proof says {found}", result.bounds, result.state);
        let help = "Do not trust that file: solve its sub-problems again, or leave it out.";
        return Err(Failure::new(Kind::Refuted, message, help));
    }
    let open: HashSet<usize> = claims[done..].iter().map(|claim| claim.evidence).collect();
    Ok(Checked { wanted, confirmed: wanted - open.len() })
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

fn report<'a>(merged: &'a Merged, results: usize, checked: Option<Checked>, next: Option<NextReport>) -> Report<'a> {
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
        checked,
        lists: merged.rounds.iter().map(list).collect(),
        next,
        version: kalah::VERSION,
    }
}

/// Everything for people.
fn text(merged: &Merged, results: usize, checked: Option<Checked>, next: Option<&NextReport>) -> String {
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
    if let Some(Checked { wanted, confirmed }) = checked {
        let wanted = units::plural(wanted as u64, "result", "results");
        text += &format!("proved again: {confirmed} of {wanted}, none refuted\n");
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
