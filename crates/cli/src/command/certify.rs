//! `kalah certify`: a proof of a value that others can check, and the check.

use crate::board::start;
use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::forms;
use crate::global::{Global, SearchLimits};
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::{gap, layers, question, report, search, stop, units};
use clap::Args;
use kalah::certificate::{Certificate, Checked, Refusal};
use kalah::database::{Access, Database};
use kalah::{Certified, Goal, Preparation, Proving, SearchError};
use kalah_rules::{LayerKind, Margin, SowingGame, State};
use serde::Serialize;
use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solve a start or a position and write a proof of its value that can be checked without search; or check such a proof.
///
/// A proof holds one move for each position where a player needs one, against all moves of the other player, down to the
/// solved layers and finished games. With --check, the exit code is 1 if the proof does not hold.
#[derive(Args, Debug)]
#[command(
    override_usage = "kalah certify <PITS> <SEEDS> --output <FILE> [OPTIONS]\n       \
        kalah certify --position <POSITION> --output <FILE> [OPTIONS]\n       \
        kalah certify --check <FILE> [OPTIONS]",
    after_help = forms::positions("Examples:\n  \
    kalah certify 4 4 --layers 8 --output 4x4.proof\n  \
    kalah certify --check 4x4.proof\n  \
    kalah certify --position '<6,20,12,0,1,0,2,0,1,3,0,0,4,1,4>' --layers 12 --output here.proof\n\n\
    The check uses only the rules and the layers that the proof names. 'kalah verify --values' checks the\n\
    layers.")
)]
pub(crate) struct Arguments {
    /// Pits on each side, 1 to 8.
    #[arg(value_parser = units::parse_number::<u8>, requires = "seeds", required_unless_present_any = ["position", "check"])]
    pits: Option<u8>,
    /// Seeds in every pit.
    #[arg(value_parser = units::parse_number::<u32>)]
    seeds: Option<u32>,
    /// Prove this position instead of a start. The seeds in the stores do not count.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true, conflicts_with_all = ["pits", "check"])]
    position: Option<String>,
    /// File to write the proof to.
    #[arg(long, short, value_name = "FILE", required_unless_present = "check", conflicts_with = "check")]
    output: Option<PathBuf>,
    /// Check the proof in this file. The file names its rules, its board and the layers that it relies on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pits", "layers"])]
    check: Option<PathBuf>,
    /// Let the proof rely on layers with up to this many seeds and build them first. Fewer layers make the proof longer
    /// [default: as many as make the total time shortest].
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u32>)]
    layers: Option<u32>,
    #[command(flatten)]
    limits: SearchLimits,
}

/// A proof and its check, as JSON.
#[derive(Serialize)]
struct Object<'a> {
    file: String,
    proved: bool,
    reason: Option<String>,
    rules: String,
    rules_hash: String,
    position: String,
    /// The player to move gets at least so much.
    lower: Margin,
    /// And at most so much.
    upper: Margin,
    /// The most seeds of the layers the proof relies on.
    layers: Option<u32>,
    lemmas: usize,
    file_bytes: u64,
    /// Positions that the check visited, and values that it looked up.
    replies: Option<u64>,
    probes: Option<u64>,
    check_seconds: f64,
    version: &'a str,
}

/// Proves or checks.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    match (&arguments.check, &arguments.output) {
        (Some(file), _) => {
            stop::listen();
            let until = arguments.limits.time.and_then(|time| Instant::now().checked_add(time));
            check(file, until, &global.directory(), output)
        }
        (None, Some(file)) => prove(arguments, file, global, output),
        (None, None) => Err(Failure::new(Kind::Usage, "no file is named", "Give --output FILE or --check FILE.")),
    }
}

/// Solves, writes the proof, and checks what was written.
fn prove(arguments: &Arguments, file: &Path, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    if rules.pie {
        let message = format!("a proof is about a position, and {rules} changes what a start is worth only");
        return Err(Failure::new(Kind::Rules, message, "Leave +pie out."));
    }
    let state: State = match (&arguments.position, arguments.pits, arguments.seeds) {
        (Some(text), ..) => text.parse()?,
        (None, Some(pits), Some(seeds)) => start(pits, seeds)?,
        _ => return Err(Failure::new(Kind::Usage, "no start is named", "Give pits and seeds, or --position.")),
    };
    let (pits, seeds) = (state.pits(), state.position().seeds());
    // Before any layer is built: under rules with repetitions there is no proof.
    if rules.game(pits)?.layer_kind() == LayerKind::Cyclic {
        return Err(SearchError::Cyclic { rules, pits, seeds }.into());
    }
    let directory = global.directory();
    let (clock, limits) = (Instant::now(), arguments.limits);
    let until = limits.time.and_then(|time| clock.checked_add(time));
    let wanted = Preparation { until, ..Preparation::new(&directory.path, rules, pits, global.threads()) };
    stop::listen();
    let prepared = layers::prepare(&wanted, arguments.layers, seeds, Goal::Value)?;
    if prepared.stopped {
        return Ok(Outcome::Limit);
    }
    let solver = question::open(&directory, rules, pits, search::options(global, arguments.limits, seeds), true)?;
    let rest = SearchLimits { time: until.map(|until| until.saturating_duration_since(Instant::now())), ..limits };
    let (choosing, ordering) = (Phase::new("choosing moves", "positions"), Phase::new("sorting lemmas", "lemmas"));
    let tell = |step| match step {
        Proving::Choosing { chosen, waiting } => choosing.show(chosen, chosen + waiting),
        Proving::Ordering { done, all } => ordering.show(done, all),
    };
    let Certified { certificate, bounds, stats } = search::with_progress(rest, kalah::Limits::default(), |limits| {
        solver.certify_and_tell(&state, prepared.most, limits, &tell)
    })?;
    drop((choosing, ordering, solver));
    let Some(certificate) = certificate else {
        let why = search::why(limits, clock);
        let message = format!("the value of {} is not proved: {why}; known is {bounds}", report::name(&state));
        return Err(Failure::new(Kind::Limit, message, "No file was written. Allow more time or more positions."));
    };
    let writing = Phase::new("writing the proof", "lemmas");
    certificate.write_while(file, &|done, all| {
        // Every lemma is gone through twice.
        writing.show(done / 2, all / 2);
        goes_on(until)
    })?;
    // The check reads what was written, and needs the room.
    drop((writing, certificate));
    note(format!(
        "{} searched, {}",
        units::plural(stats.nodes, "position", "positions"),
        units::time(clock.elapsed().as_secs_f64())
    ));
    check(file, until, &directory, output)
}

/// Whether neither a signal nor the time ends the work.
fn goes_on(until: Option<Instant>) -> bool {
    !stop::requested() && until.is_none_or(|until| Instant::now() < until)
}

/// A part of the work and how far it is, shown from its first step on.
struct Phase {
    name: &'static str,
    unit: &'static str,
    progress: OnceCell<Progress>,
    done: Cell<u64>,
}

impl Phase {
    fn new(name: &'static str, unit: &'static str) -> Phase {
        Phase { name, unit, progress: OnceCell::new(), done: Cell::new(0) }
    }

    fn show(&self, done: u64, all: u64) {
        let progress = self.progress.get_or_init(|| {
            let progress = Progress::new(all, self.unit);
            progress.doing(self.name);
            progress
        });
        progress.advance_to(self.done.replace(done), done, all);
    }
}

/// Reads a proof, checks it, and says what it proves.
fn check(file: &Path, until: Option<Instant>, directory: &Directory, output: &mut Output) -> Result<Outcome, Failure> {
    let reading = Phase::new("reading the proof", "bytes");
    let certificate = Certificate::read_while(file, &|done, all| {
        reading.show(done / 2, all / 2);
        goes_on(until)
    })?;
    drop(reading);
    let bytes = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    let clock = Instant::now();
    let database = match certificate.layers() {
        0 => None,
        _ => Some(Database::open_with(&directory.path, &certificate.stamp(), Access::Map)?),
    };
    database.as_ref().map(gap::warn).transpose()?;
    let checking = Phase::new("checking", "lemmas");
    let checked = certificate.check_while(database.as_ref(), &|done, all| {
        checking.show(done, all);
        goes_on(until)
    });
    drop(checking);
    let checked = match checked {
        Err(refusal) if !refusal.is_refuted() => return Err(refusal.into()),
        checked => checked,
    };
    let seconds = clock.elapsed().as_secs_f64();
    if output.json {
        let [lower, upper] = certificate.bounds();
        output.object(&Object {
            file: file.display().to_string(),
            proved: checked.is_ok(),
            reason: checked.as_ref().err().map(Refusal::to_string),
            rules: certificate.rules().to_string(),
            rules_hash: kalah::hash_text(&certificate.rules()),
            position: State::new(certificate.pits(), certificate.root()).to_string(),
            lower,
            upper,
            layers: certificate.layers().checked_sub(1),
            lemmas: certificate.lemmas().len(),
            file_bytes: bytes,
            replies: checked.as_ref().ok().map(|checked| checked.replies),
            probes: checked.as_ref().ok().map(|checked| checked.probes),
            check_seconds: seconds,
            version: kalah::VERSION,
        })?;
    } else {
        let what = match &checked {
            Ok(checked) => proved(&certificate, checked, seconds),
            Err(refusal) => format!("not proved: {} does not hold; {refusal}", claim(&certificate)),
        };
        output.text(format!("{}, {}\n{what}", file.display(), units::bytes(bytes)))?;
    }
    Ok(if checked.is_ok() { Outcome::Answered } else { Outcome::Negative })
}

/// The statement that the proof proves, in the view of the player to move.
fn claim(certificate: &Certificate) -> String {
    let state = State::new(certificate.pits(), certificate.root());
    let [lower, upper] = certificate.bounds();
    let seeds = state.position().seeds() as i16;
    let mut parts = Vec::new();
    if lower.0 > -seeds || upper.0 < seeds {
        if lower.0 > -seeds {
            parts.push(format!("the player to move gets at least {lower}"));
        }
        if upper.0 < seeds {
            parts.push(format!("the other player at least {}", -upper));
        }
    } else {
        parts.push("nothing that is not true of every position".to_owned());
    }
    format!("{} under {}: {}", report::name(&state), certificate.rules(), parts.join(", "))
}

fn proved(certificate: &Certificate, checked: &Checked, seconds: f64) -> String {
    let value = certificate.value().map_or_else(String::new, |value| format!("; its value is {value}"));
    let rest = match certificate.layers() {
        0 => "it relies on no layers".to_owned(),
        layers => format!(
            "it relies on the layers with up to {}, in which {} looked up",
            units::plural(u64::from(layers - 1), "seed", "seeds"),
            units::plural(checked.probes, "value was", "values were"),
        ),
    };
    format!(
        "proved: {}{value}\nchecked {} and all moves of {} in {}; {rest}",
        claim(certificate),
        units::plural(checked.lemmas, "chosen move", "chosen moves"),
        units::plural(checked.replies, "position", "positions"),
        units::time(seconds),
    )
}
