//! `kalah reproduce`: are published numbers true?

use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::table::table;
use crate::{stop, units};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kalah::database::JournalError;
use kalah::machine;
use kalah::{Options, suggested_table};
use kalah_study::reproduce::{
    Claim, Cost, Evaluator, Means, Report, ReproduceError, Settled, Verdict, Watch, claims, page, run as evaluate,
    select, sources, summary,
};
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The file in the database directory that remembers what earlier runs settled.
const STATE: &str = "reproduce.journal";

/// Characters of a cell up to which a table of text shows it.
const CELL: usize = 44;

/// Compute published numbers again and say which are correct.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah reproduce --list\n  \
    kalah reproduce irving2000-t3 --budget 1m\n  \
    kalah reproduce irving2000 rawlings2015 --budget 30m\n  \
    kalah reproduce --up-to seconds --fresh --markdown > claims.md\n\n\
    Every claim gets a verdict: reproduced, consistent (a printed bound is true), misprint (we find the\n\
    number that should have been printed), refuted, out of budget, or not played by this version. The\n\
    cheapest claims come first. Layers that help are built in the database directory. What is settled\n\
    is remembered there too: the same command resumes a run that was stopped or out of budget.\n\
    Exit code 1 if a claim is refuted, 5 after a signal to stop.")]
pub(crate) struct Arguments {
    /// Claims by id, by source, or by the beginning of their ids up to a dash [default: all].
    #[arg(value_name = "CLAIM")]
    names: Vec<String>,
    /// Stop after this time, e.g. 90s or 10m. Claims that need more than the remaining time are not begun.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = units::parse_time)]
    budget: Duration,
    /// Evaluate only claims that take no longer than this.
    #[arg(long, value_name = "CLASS", default_value = Cost::Days.word(), value_parser = class())]
    up_to: Cost,
    /// List the claims instead.
    #[arg(long)]
    list: bool,
    /// Print a page of Markdown, sorted by source.
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    markdown: bool,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// File that remembers what is settled [default: reproduce.journal in the database directory].
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Begin anew: forget what earlier runs settled.
    #[arg(long)]
    fresh: bool,
}

/// Reads a class of cost.
fn class() -> impl TypedValueParser<Value = Cost> {
    let classes = Cost::ALL.map(|cost| PossibleValue::new(cost.word()).help(cost.meaning()));
    PossibleValuesParser::new(classes).try_map(|word| word.parse::<Cost>())
}

/// Evaluates and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let all = claims()?;
    let wanted = select(&all, &arguments.names)?;
    let wanted: Vec<&Claim> = wanted.into_iter().filter(|claim| claim.cost <= arguments.up_to).collect();
    if arguments.list {
        return list(&wanted, output).map(|()| Outcome::Answered);
    }
    let directory = global.directory();
    let state = arguments.state.clone().unwrap_or_else(|| directory.path.join(STATE));
    let settled = if arguments.fresh { Settled::begin_anew(&state)? } else { Settled::open(&state, &all)? };
    let (old, open): (Vec<&Claim>, Vec<&Claim>) = wanted.iter().partition(|claim| settled.report(claim).is_some());
    if !old.is_empty() {
        let count = units::plural(old.len() as u64, "claim", "claims");
        note(format!("{count} settled by earlier runs in {}; --fresh begins anew", state.display()));
    }
    stop::listen();
    let watcher = Watcher {
        progress: Progress::new(open.len() as u64, "claims"),
        settled: Mutex::new(settled),
        doing: Mutex::default(),
        fault: Mutex::default(),
    };
    let free = machine::free_memory();
    let room = machine::free_disk(&directory.path).map_or(u64::MAX, |disk| disk / 2);
    let table = suggested_table(60, if free > 0 { free / 3 } else { u64::MAX });
    let report = |progress: &kalah::Progress| {
        watcher.say(&format!("{} proved, {} positions", progress.bounds, units::count(progress.stats.nodes)));
    };
    let means = Means {
        directory: Some(&directory.path),
        layer_bytes: if free > 0 { room.min(free / 2) } else { room },
        options: Options { table_bytes: usize::try_from(table).unwrap_or(usize::MAX), threads: global.threads() },
        until: Instant::now().checked_add(arguments.budget),
        stop: Some(stop::flag()),
        report: Some(&report),
    };
    let new = evaluate(&Evaluator::new(means), &open, &watcher)?;
    if let Some(error) = watcher.fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        note(format!("this run is not remembered: {error}. {}", error.help()));
    }
    drop(watcher.progress);
    let settled = watcher.settled.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut new: HashMap<String, Report> = new.into_iter().map(|report| (report.id.clone(), report)).collect();
    let report = |claim: &&Claim| new.remove(&claim.id).or_else(|| settled.report(claim).cloned());
    let reports: Vec<Report> = wanted.iter().filter_map(report).collect();
    show(arguments, &reports, output)?;
    let left = reports.iter().filter(|report| report.verdict == Verdict::OutOfBudget).count() as u64;
    Ok(if reports.iter().any(|report| report.verdict == Verdict::Refuted) {
        Outcome::Negative
    } else if stop::requested() {
        note("stopped by hand; what is settled is remembered, and the same command resumes");
        Outcome::Limit
    } else {
        if left > 0 {
            let count = units::plural(left, "claim needs", "claims need");
            note(format!("{count} more time than --budget allows"));
        }
        Outcome::Answered
    })
}

/// Shows progress and writes down what is settled.
struct Watcher {
    progress: Progress,
    settled: Mutex<Settled>,
    /// The claim begun last.
    doing: Mutex<String>,
    /// Why what is settled cannot be written.
    fault: Mutex<Option<ReproduceError>>,
}

impl Watcher {
    /// Says how far the claim in hand is.
    fn say(&self, how_far: &str) {
        let doing = self.doing.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.progress.doing(format!("{doing}: {how_far}"));
        self.progress.add(0);
    }
}

impl Watch for Watcher {
    fn started(&self, claim: &Claim) {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&claim.id);
        self.progress.doing(claim.id.as_str());
    }

    fn finished(&self, report: &Report) {
        if report.verdict == Verdict::Refuted {
            let ours = report.ours.as_deref().unwrap_or_default();
            self.progress.say(&format!("{} refuted: published {}, found {ours}", report.id, report.published));
        }
        self.progress.add(1);
        let written = self.settled.lock().unwrap_or_else(PoisonError::into_inner).add(report);
        if let Err(error) = written {
            self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

impl From<ReproduceError> for Failure {
    fn from(error: ReproduceError) -> Failure {
        let kind = match error {
            ReproduceError::Solver(error) => return error.into(),
            ReproduceError::Build(error) => return error.into(),
            ReproduceError::Unknown { .. } => Kind::Usage,
            ReproduceError::Journal(JournalError::DiskFull { .. }) => Kind::Limit,
            _ => Kind::Database,
        };
        Failure::new(kind, error.to_string(), error.help())
    }
}

/// Prints the claims.
fn list(claims: &[&Claim], output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return claims.iter().try_for_each(|claim| {
            output.object(&json!({
                "id": claim.id, "source": claim.source, "place": claim.place, "game": claim.game, "rules": claim.rules,
                "pits": claim.pits, "seeds": claim.seeds, "position": claim.position,
                "quantity": claim.quantity.to_string(), "published": claim.published(), "cost": claim.cost.word(),
                "kind": claim.kind.word(), "misprint": claim.is_misprint(),
                "correct": claim.correct.as_ref().map(|(text, _)| text), "note": claim.note,
            }))
        });
    }
    let rows = claims.iter().map(|claim| {
        vec![
            claim.id.clone(),
            claim.cost.word().to_owned(),
            claim.kind.word().to_owned(),
            claim.rules.clone(),
            cut(&claim.board()),
            cut(&claim.quantity.to_string()),
            cut(&claim.published()),
        ]
    });
    output.text(table(&["claim", "takes", "kind", "rules", "board", "quantity", "published"], &[], rows))?;
    output.text(units::plural(claims.len() as u64, "claim", "claims"))
}

/// Prints the reports in the form that was asked for.
fn show(arguments: &Arguments, reports: &[Report], output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return reports.iter().try_for_each(|report| output.object(report));
    }
    if arguments.csv {
        return show_csv(reports, output);
    }
    if arguments.markdown {
        return output.lines(&page(reports, &sources()?));
    }
    let rows = reports.iter().map(|report| {
        vec![
            report.id.clone(),
            cut(&report.board),
            cut(&report.quantity),
            cut(&report.published),
            cut(report.ours.as_deref().unwrap_or_default()),
            report.verdict.word().to_owned(),
            units::count(report.work),
            units::time(report.seconds),
        ]
    });
    let head = ["claim", "board", "quantity", "published", "ours", "verdict", "work", "time"];
    output.text(table(&head, &[6, 7], rows))?;
    for report in reports.iter().filter(|report| matches!(report.verdict, Verdict::Misprint | Verdict::Refuted)) {
        output.text(format!("\n{}", wrong(report)))?;
    }
    output.text(format!("\n{}", summary(reports)))
}

/// Why a number is wrong, in a paragraph.
fn wrong(report: &Report) -> String {
    let Report { id, verdict, quantity, board, published, explanation, .. } = report;
    let ours = report.ours.as_deref().unwrap_or_default();
    let why = if explanation.is_empty() { String::new() } else { format!(" Reason: {explanation}.") };
    format!("{id} ({}): {quantity} of {board}. Printed: {published}. Found: {ours}.{why}", verdict.word())
}

/// A text short enough for a cell.
fn cut(text: &str) -> String {
    match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn show_csv(reports: &[Report], output: &mut Output) -> Result<(), Failure> {
    output.lines("id,source,rules,board,quantity,published,correct,ours,verdict,explanation,work,seconds,version")?;
    reports.iter().try_for_each(|report| {
        let ours = report.ours.as_deref().unwrap_or_default();
        let (work, seconds) = (report.work.to_string(), format!("{:.3}", report.seconds));
        let cells = [
            report.id.as_str(),
            &report.source,
            &report.rules,
            &report.board,
            &report.quantity,
            &report.published,
            report.correct.as_deref().unwrap_or_default(),
            ours,
            report.verdict.word(),
            &report.explanation,
            &work,
            &seconds,
            &report.version,
        ];
        output.lines(&cells.map(quoted).join(","))
    })
}

/// A cell of comma-separated values.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_borders() {
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(cut(&"ä".repeat(CELL)), "ä".repeat(CELL));
        assert_eq!(cut(&"ä".repeat(CELL + 1)), format!("{}…", "ä".repeat(CELL)));
    }
}
