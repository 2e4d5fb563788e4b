//! `kalah reproduce`: are published numbers true?

use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::table::table;
use crate::{machine, stop, units};
use clap::{Args, ValueEnum};
use kalah::{Options, suggested_table};
use kalah_study::reproduce::{
    Claim, Cost, Evaluator, Means, Report, ReproduceError, Source, Verdict, Watch, claims, run as evaluate, select,
    sources,
};
use serde_json::json;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The file in the database directory that remembers what earlier runs settled.
const STATE: &str = "reproduce.jsonl";

/// Characters of a cell up to which a table of text shows it.
const CELL: usize = 44;

/// Compute published numbers again and say which are true.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah reproduce --list\n  \
    kalah reproduce irving2000-t3 --budget 1m\n  \
    kalah reproduce irving2000 rawlings2015 --budget 30m\n  \
    kalah reproduce --up-to seconds --fresh --markdown > reproduction.md\n\n\
    Says claim by claim what came out: reproduced, consistent with a bound, wrong in print (a\n\
    known misprint, found again), refuted, out of budget, or not played by this version. The\n\
    cheapest claims come first. Layers that help are built in the database directory, where what\n\
    is settled is remembered too: a run that was stopped, or that ran out of its budget, goes on\n\
    where it was. Exit code 1 if anything is refuted, 5 after a signal to stop.")]
pub(crate) struct Arguments {
    /// Claims by id, by source, or by the beginning of their ids up to a dash. Without any: all.
    #[arg(value_name = "CLAIM")]
    names: Vec<String>,
    /// Stop after this time, for example 90s or 10m. Claims that surely take longer than what is left are not begun.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = units::parse_time)]
    budget: Duration,
    /// Only claims that take no longer than this.
    #[arg(long, value_enum, value_name = "CLASS", default_value = "days")]
    up_to: Class,
    /// List the claims instead.
    #[arg(long)]
    list: bool,
    /// Print a page of Markdown, sorted by source.
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    markdown: bool,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// The file that remembers what is settled. Without it: reproduce.jsonl in the database directory.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Begin anew: do not use what earlier runs settled.
    #[arg(long)]
    fresh: bool,
}

/// Classes of cost by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Class {
    /// Under a tenth of a second.
    Instant,
    /// Under a minute.
    Seconds,
    /// Under an hour.
    Minutes,
    /// Under a day.
    Hours,
    /// A day or more.
    Days,
}

/// Evaluates and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let all = claims().map_err(failure)?;
    let most = Cost::ALL[arguments.up_to as usize];
    let wanted: Vec<&Claim> =
        select(&all, &arguments.names).map_err(failure)?.into_iter().filter(|claim| claim.cost <= most).collect();
    if arguments.list {
        return list(&wanted, output).map(|()| Outcome::Answered);
    }
    let directory = global.directory();
    let state = arguments.state.clone().unwrap_or_else(|| directory.path.join(STATE));
    let settled = if arguments.fresh { HashMap::new() } else { read_state(&state)? };
    let settles = |claim: &&Claim| settled.get(&claim.id).is_some_and(|report| report.settles(claim));
    let (old, open): (Vec<&Claim>, Vec<&Claim>) = wanted.iter().copied().partition(settles);
    if !old.is_empty() {
        let count = units::plural(old.len() as u64, "claim", "claims");
        note(format!("{count} settled by earlier runs in {}; --fresh begins anew", state.display()));
    }
    stop::listen();
    let watcher = Watcher {
        progress: Progress::new(open.len() as u64, "claims"),
        state: Mutex::new(append(&state, arguments.fresh)?),
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
    let new = evaluate(&Evaluator::new(means), &open, &watcher).map_err(failure)?;
    if let Some(error) = watcher.fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        note(format!("{} cannot be written ({error}), so this run is not remembered", state.display()));
    }
    drop(watcher.progress);
    let mut new: HashMap<String, Report> = new.into_iter().map(|report| (report.id.clone(), report)).collect();
    let reports: Vec<Report> =
        wanted.iter().filter_map(|claim| new.remove(&claim.id).or_else(|| settled.get(&claim.id).cloned())).collect();
    show(arguments, &reports, output)?;
    Ok(if reports.iter().any(|report| report.verdict == Verdict::Refuted) {
        Outcome::Negative
    } else if stop::requested() {
        note("stopped; what is settled is remembered, and the same command goes on from there");
        Outcome::Limit
    } else {
        Outcome::Answered
    })
}

/// Shows progress and writes down what is settled.
struct Watcher {
    progress: Progress,
    state: Mutex<File>,
    /// The claim begun last.
    doing: Mutex<String>,
    /// Why the state cannot be written.
    fault: Mutex<Option<io::Error>>,
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
        if report.verdict.is_final() {
            let written = serde_json::to_string(report).map_err(io::Error::from).and_then(|line| {
                let mut file = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                file.write_all(format!("{line}\n").as_bytes())
            });
            if let Err(error) = written {
                self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    }
}

/// What earlier runs settled, by id. A line that was torn when a run was killed is passed over.
fn read_state(path: &Path) -> Result<HashMap<String, Report>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let reports = text.lines().filter_map(|line| serde_json::from_str::<Report>(line).ok());
            Ok(reports.map(|report| (report.id.clone(), report)).collect())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashMap::new()),
        Err(error) => Err(state_failure(path, "read", &error)),
    }
}

/// The state opened for more lines, emptied first if `fresh`.
fn append(path: &Path, fresh: bool) -> Result<File, Failure> {
    let open = || {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let torn = !fresh && fs::read(path).is_ok_and(|bytes| bytes.last().is_some_and(|&last| last != b'\n'));
        let mut options = OpenOptions::new();
        let mut file =
            if fresh { options.write(true).truncate(true) } else { options.append(true) }.create(true).open(path)?;
        if torn {
            file.write_all(b"\n")?;
        }
        Ok(file)
    };
    open().map_err(|error: io::Error| state_failure(path, "written", &error))
}

fn state_failure(path: &Path, what: &str, error: &io::Error) -> Failure {
    let message = format!("{}, which remembers what is settled, cannot be {what}: {error}", path.display());
    Failure::new(Kind::Usage, message, "Choose another file with --state.")
}

fn failure(error: ReproduceError) -> Failure {
    match error {
        ReproduceError::Solver(error) => error.into(),
        ReproduceError::Build(error) => error.into(),
        other => {
            let text = other.to_string();
            let (message, help) = text.split_once("; ").unwrap_or((&text, ""));
            let help = match help {
                "" => String::new(),
                help => format!("{}{}.", help[..1].to_uppercase(), help[1..].trim_end_matches('?')),
            };
            Failure::new(Kind::Usage, message, help)
        }
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
                "kind": claim.kind.word(), "misprint": claim.misprint, "note": claim.note,
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
        let sources = sources().map_err(failure)?;
        return output.lines(&markdown(reports, &sources));
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
    for report in reports.iter().filter(|report| matches!(report.verdict, Verdict::Disputed | Verdict::Refuted)) {
        output.text(format!("\n{}", wrong(report)))?;
    }
    output.text(format!("\n{}", summary(reports)))
}

/// Why a number is wrong, in a paragraph.
fn wrong(report: &Report) -> String {
    let ours = report.ours.as_deref().unwrap_or_default();
    let mut text = format!(
        "{} ({}): {} of {}: published {}, found {ours}",
        report.id,
        report.verdict.word(),
        report.quantity,
        report.board,
        report.published
    );
    if !report.explanation.is_empty() {
        text += &format!("; {}", report.explanation);
    }
    text + "."
}

/// How many claims ended how.
fn summary(reports: &[Report]) -> String {
    let count = |verdict: Verdict| reports.iter().filter(|report| report.verdict == verdict).count() as u64;
    let parts = Verdict::ALL.into_iter().filter(|&verdict| count(verdict) > 0);
    let parts: Vec<String> =
        parts.map(|verdict| format!("{} {}", units::count(count(verdict)), verdict.word())).collect();
    format!("{}: {}", units::plural(reports.len() as u64, "claim", "claims"), parts.join(", "))
}

/// A text short enough for a cell.
fn cut(text: &str) -> String {
    match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn show_csv(reports: &[Report], output: &mut Output) -> Result<(), Failure> {
    output.lines("id,source,rules,board,quantity,published,ours,verdict,explanation,work,seconds,version")?;
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

/// The page of all claims, sorted by source.
fn markdown(reports: &[Report], sources: &[Source]) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
    let mut page = format!(
        "# Published numbers, computed again\n\n\
         Written by `kalah reproduce --markdown`, version {}; do not edit. The numbers as printed are in `crates/study/data`, \
         each with its source; every one of them is computed by a way of its own. *Consistent* means that a printed bound is \
         true. *Wrong in print* means that another number came out and we can say why. *Recomputed* numbers come from two \
         independent programs and tell which rules a printed number belongs to. Time is that of the run that settled a claim; \
         work that claims share counts for the first of them.\n\n{}\n",
        kalah::VERSION,
        summary(reports)
    );
    let mut section = |title: &str, verdict: Verdict| {
        let lines: Vec<String> = reports
            .iter()
            .filter(|report| report.verdict == verdict)
            .map(|report| format!("* {}", cell(&wrong(report))))
            .collect();
        if !lines.is_empty() {
            page += &format!("\n## {title}\n\n{}\n", lines.join("\n"));
        }
    };
    section("Refuted", Verdict::Refuted);
    section("Wrong in print", Verdict::Disputed);
    for source in sources {
        let of_source: Vec<&Report> = reports.iter().filter(|report| report.source == source.id).collect();
        if of_source.is_empty() {
            continue;
        }
        let year = source.year.map_or_else(String::new, |year| format!(" {year}"));
        page += &format!("\n## {}\n\n{}{year}: {}. Seen: {}.\n\n", source.id, source.author, source.title, source.seen);
        page += "| claim | rules | board | quantity | published | ours | verdict | work | time |\n";
        page += "| --- | --- | --- | --- | --- | --- | --- | ---: | ---: |\n";
        for report in of_source {
            let cells = [
                &report.id,
                &report.rules,
                &report.board,
                &report.quantity,
                &report.published,
                report.ours.as_deref().unwrap_or_default(),
                report.verdict.word(),
                &units::count(report.work),
                &units::time(report.seconds),
            ];
            page += &format!("| {} |\n", cells.map(cell).join(" | "));
        }
    }
    page
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

    #[test]
    fn a_torn_line_costs_one_claim_only() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep").join(STATE);
        let claims = claims().unwrap();
        let wanted = select(&claims, &["irving2000-t2-1".to_owned()]).unwrap();
        let reports = evaluate(&Evaluator::new(Means::default()), &wanted, &kalah_study::reproduce::Unwatched).unwrap();
        let line = |report: &Report| serde_json::to_string(report).unwrap() + "\n";
        let mut file = append(&path, false).unwrap();
        file.write_all(line(&reports[0]).as_bytes()).unwrap();
        file.write_all(&line(&reports[1]).as_bytes()[..40]).unwrap();
        append(&path, false).unwrap().write_all(line(&reports[2]).as_bytes()).unwrap();
        let read = read_state(&path).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((read.get(&reports[0].id), read.get(&reports[2].id)), (Some(&reports[0]), Some(&reports[2])));
        assert!(read[&reports[0].id].settles(wanted[0]) && !read[&reports[0].id].settles(wanted[1]));
        append(&path, true).unwrap();
        assert!(read_state(&path).unwrap().is_empty());
    }
}
