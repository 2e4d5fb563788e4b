//! `kalah atlas`: what every start of a grid of boards is worth, as far as a budget of time allows.

use crate::board;
use crate::directory::Directory;
use crate::failure::{Failure, Kind, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::table::table;
use crate::{directory, gap, layers, stop, units};
use clap::Args;
use kalah::database::{Access, Database};
use kalah::retrograde::{BuildError, Observer, stamp};
use kalah::{Bounds, Goal, Limits, Options};
use kalah::{Costs, Preparation, SolverError, machine};
use kalah_rules::{LayerKind, RuleSet, SowingGame};
use kalah_study::atlas::{AtlasError, Cell, Means, State, Table, chart, grid, most_seeds};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The rule sets that are meant when nobody says otherwise.
const PRESETS: [&str; 4] = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];

/// Boards with fewer seeds are searched without layers: building them would take longer.
const NO_LAYERS: u32 = 20;

/// Solve the starts of many boards: who wins by how much, the value of every first move, a line of perfect play, and what
/// the pie rule would change.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah atlas --pits 1..6 --seeds 1..6 --budget 2h\n  \
    kalah atlas --pits 6 --seeds 4..5 --rules kalah,kalah-empty --limit 20m --no-leftovers\n  \
    kalah atlas --pits 2..4 --seeds 1..4 --rules awari,dakon,congkak\n\n\
    The cheapest starts come first. Each solved start becomes a line of RULES.csv in the output directory\n\
    at once, so you can stop a run and resume it. A start that has only bounds is tried again when --limit\n\
    is longer than before. solver-db/atlas/README.md explains the columns. Games whose positions can repeat\n\
    need all layers of the board: the command builds them all, or leaves the start open. The exit code is 5\n\
    if you stop the run; open starts are no failure.")]
pub(crate) struct Arguments {
    /// Pits on each side: a number, or the first and the last, e.g. 1..6.
    #[arg(long, value_name = "A..B", default_value = "1..6", value_parser = units::parse_range::<u8>)]
    pits: RangeInclusive<u8>,
    /// Seeds in every pit: a number, or the first and the last.
    #[arg(long, value_name = "A..B", default_value = "1..6", value_parser = units::parse_range::<u32>)]
    seeds: RangeInclusive<u32>,
    /// Stop after this time, e.g. 90s, 10m or 2h.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = units::parse_time)]
    budget: Duration,
    /// Longest time for one start, without its layers.
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = units::parse_time)]
    limit: Duration,
    /// Leave out the variants in which the leftover seeds go to the other player or to nobody.
    #[arg(long)]
    no_leftovers: bool,
    /// Build layers with up to this many seeds; 0 builds none [default: as 'kalah solve' does].
    #[arg(long, value_name = "N", value_parser = units::parse_number::<u32>)]
    layers: Option<u32>,
    /// Size of the search table [default: depends on the board, at most a third of the free memory].
    #[arg(long, value_name = "BYTES", value_parser = units::parse_size)]
    table: Option<u64>,
    /// Directory of the tables [default: solver-db/atlas if you are inside a working copy, else atlas in your data
    /// directory].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Charts and prints.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let until = Instant::now().checked_add(arguments.budget);
    let names = global.rules.as_deref().map_or_else(|| PRESETS.to_vec(), |names| names.split(',').collect());
    let rules = names.iter().map(|name| name.parse()).collect::<Result<Vec<RuleSet>, _>>()?;
    if let Some(pie) = rules.iter().find(|rules| rules.pie) {
        let message =
            format!("the atlas says of every start what the pie rule changes, so {pie} has no rows of its own");
        return Err(Failure::new(Kind::Usage, message, "Leave out +pie."));
    }
    board::pits(*arguments.pits.start())?;
    board::pits(*arguments.pits.end())?;
    let (pits, seeds) = (arguments.pits.clone(), arguments.seeds.clone());
    let most = most_seeds(*pits.start());
    if *seeds.start() < 1 || *seeds.end() > most {
        let message = format!(
            "a board with {} a side begins with 1 to {}, found --seeds {}..{}",
            units::plural(u64::from(*pits.start()), "pit", "pits"),
            units::plural(u64::from(most), "seed in every pit", "seeds in every pit"),
            seeds.start(),
            seeds.end()
        );
        let help = "Give seeds that the smallest board can hold; larger boards with too many seeds are left out.";
        return Err(Failure::new(Kind::Position, message, help));
    }
    let cells = grid(&rules, pits, seeds, !arguments.no_leftovers);
    let folder = arguments.output.clone().unwrap_or_else(|| directory::usual("atlas"));
    let mut run = Run {
        arguments,
        global,
        directory: global.directory(),
        until,
        tables: HashMap::new(),
        progress: Progress::new(cells.len() as u64, "cells"),
    };
    for cell in &cells {
        if let Entry::Vacant(place) = run.tables.entry(cell.rules) {
            place.insert(Table::open(&folder, &cell.rules)?);
        }
    }
    stop::listen();
    for cell in &cells {
        run.cell(cell)?;
        run.progress.add(1);
    }
    let out_of_time = until.is_some_and(|until| Instant::now() >= until);
    let Run { tables, progress, .. } = run;
    drop(progress);
    show(&cells, &tables, output)?;
    tables.into_values().try_for_each(Table::finish)?;
    note(format!("the tables are in {}", folder.display()));
    Ok(if stop::requested() {
        note("stopped by hand; the same command resumes");
        Outcome::Limit
    } else {
        if out_of_time {
            note("the time given with --budget is over; the same command goes on with what is open");
        }
        Outcome::Answered
    })
}

/// Ends a trial build when a signal asks for it.
struct Signals;

impl Observer for Signals {
    fn should_stop(&self) -> bool {
        stop::requested()
    }
}

/// One run through the cells.
struct Run<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    directory: Directory,
    until: Option<Instant>,
    tables: HashMap<RuleSet, Table>,
    progress: Progress,
}

impl Run<'_> {
    /// How long the next cell may take; `None` if it should not be begun.
    fn allowed(&self) -> Option<Duration> {
        let left = self.until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        let allowed = left.min(self.arguments.limit);
        (!stop::requested() && !allowed.is_zero()).then_some(allowed)
    }

    /// Charts a cell if that can bring something new.
    fn cell(&mut self, cell: &Cell) -> Result<(), Failure> {
        let known = self.tables.get(&cell.rules).and_then(|table| table.row(cell)).cloned();
        let worth = |time: Duration| known.as_ref().is_none_or(|row| row.deserves(Some(time.as_secs_f64())));
        if !self.allowed().is_some_and(worth) {
            return Ok(());
        }
        let name = format!("{} ({},{})", cell.rules, cell.pits, cell.seeds);
        self.progress.doing(&name);
        let database = self.layers(cell)?;
        // Building may have used up what was left of the budget.
        let Some(allowed) = self.allowed().filter(|&time| worth(time)) else { return Ok(()) };
        let report = |progress: &kalah::Progress| {
            let (bounds, nodes) = (progress.bounds, units::count(progress.stats.nodes));
            self.progress.doing(format!("{name}: {bounds} proved, {nodes} positions"));
            self.progress.add(0);
        };
        let limits =
            Limits { time: Some(allowed), stop: Some(stop::flag()), report: Some(&report), ..Limits::default() };
        let means = Means { database: database.as_ref(), options: self.options(cell), limits };
        let mut row = chart(cell, &means)?;
        if stop::requested() && row.state == State::Open {
            // It was not given the time it was allowed.
            row.limit = Some(row.seconds);
        }
        if let Some(known) = &known {
            row = row.with(known);
        }
        let text = format!("{name}: {}, {}, {}", value(row.value), row.state.word(), units::time(row.seconds));
        if row.state == State::Open || row.seconds > 10.0 {
            self.progress.say(&text);
        }
        if let Some(table) = self.tables.get_mut(&cell.rules) {
            table.add(row)?;
        }
        Ok(())
    }

    /// The layers of a cell, built first as far as that pays and the limits allow; `None` if there are none.
    fn layers(&self, cell: &Cell) -> Result<Option<Arc<Database>>, Failure> {
        let game = cell.rules.game(cell.pits)?;
        let cyclic = game.layer_kind() == LayerKind::Cyclic;
        let all = cell.all_seeds();
        let room = machine::free_disk(&self.directory.path).map_or(u64::MAX, |disk| disk / 2);
        let wanted = if cyclic {
            // Nothing less than all of them is of any use.
            all.min(kalah::most_layers(cell.pits, room.min(machine::free_memory() / 4)))
        } else {
            let rates = kalah::Rates::of_threads(self.global.threads());
            let room = room.min(machine::free_memory() / 2);
            kalah::suggested_layers(cell.pits, all, Goal::EveryMove, room, 0, f64::INFINITY, &rates)
        };
        let wanted = wanted.min(self.arguments.layers.unwrap_or(u32::MAX));
        let useless = if cyclic { wanted < all } else { all < NO_LAYERS };
        if !useless && game.repetition() != kalah_rules::Repetition::OwnRows {
            self.build(cell, wanted)?;
        }
        if !self.directory.path.exists() {
            return Ok(None);
        }
        let database = Database::open_with(&self.directory.path, &stamp(&cell.rules, cell.pits), Access::Map)?;
        gap::warn(&database)?;
        Ok(Some(Arc::new(database)))
    }

    /// Builds layers with up to `seeds` seeds, or as many as can be built in the time a cell may take.
    fn build(&self, cell: &Cell, seeds: u32) -> Result<(), Failure> {
        let allowed = self.allowed().unwrap_or_default();
        let mut wanted = Preparation {
            seeds,
            until: Instant::now().checked_add(allowed),
            ..Preparation::new(&self.directory.path, cell.rules, cell.pits, self.global.threads())
        };
        if wanted.present()? > seeds {
            return Ok(());
        }
        let Preparation { rules, pits, options, threads, .. } = wanted.clone();
        let plan = |seeds, present| kalah::retrograde::plan(&rules, pits, seeds, present, &options, threads);
        let mut costs = match wanted.costs(&Signals) {
            Err(SolverError::Build(BuildError::Stopped)) => return Ok(()),
            costs => costs?,
        };
        let rate = costs.plan.positions as f64 / costs.seconds.max(1e-9);
        // What memory or disk do not hold is left out, and where fewer layers are of use too, what leaves no time to search.
        let cyclic = cell.rules.game(cell.pits)?.layer_kind() == LayerKind::Cyclic;
        let long = |costs: &Costs| !cyclic && costs.seconds > allowed.as_secs_f64() / 2.0;
        while wanted.seeds > costs.present && (wanted.check(&costs).is_err() || long(&costs)) {
            let plan = plan(wanted.seeds - 1, costs.present)?;
            wanted.seeds -= 1;
            costs = Costs { present: costs.present, seconds: plan.positions as f64 / rate, plan };
        }
        if wanted.check(&costs).is_ok() {
            layers::build(&wanted, &costs)?;
        }
        Ok(())
    }

    /// The table and threads for a cell: small boards need little.
    fn options(&self, cell: &Cell) -> Options {
        let free = machine::free_memory();
        let most = kalah::suggested_table(cell.all_seeds(), if free > 0 { free / 3 } else { u64::MAX });
        let enough = (cell.size() * 16.0) as u64;
        let bytes = self.arguments.table.unwrap_or(most).min(enough.max(1 << 20));
        Options { table_bytes: usize::try_from(bytes).unwrap_or(usize::MAX), threads: self.global.threads() }
    }
}

/// Prints what is known of the cells.
fn show(cells: &[Cell], tables: &HashMap<RuleSet, Table>, output: &mut Output) -> Result<(), Failure> {
    let rows = || cells.iter().filter_map(|cell| tables.get(&cell.rules)?.row(cell));
    if output.json {
        return rows().try_for_each(|row| output.object(row));
    }
    let text = rows().map(|row| {
        let count = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
        vec![
            row.cell.rules.to_string(),
            format!("({},{})", row.cell.pits, row.cell.seeds),
            if row.state == State::History { "depends on history".to_owned() } else { value(row.value) },
            row.outcome().word().to_owned(),
            count(row.best_moves()),
            count(row.line.as_ref().map(|line| line.moves)),
            row.pie.filter(|_| row.state != State::History).map_or_else(String::new, value),
            row.state.word().to_owned(),
            units::count(row.nodes),
            count(row.layers),
            units::time(row.seconds),
        ]
    });
    let head = ["rules", "start", "value", "outcome", "best", "line", "pie", "known", "searched", "layers", "time"];
    output.text(table(&head, &[2, 4, 5, 6, 8, 9, 10], text))?;
    let (all, done) = (cells.len() as u64, rows().count());
    let exact = rows().filter(|row| row.is_exact()).count();
    output.text(format!("\n{}: {done} looked at, {exact} exact", units::plural(all, "cell", "cells")))
}

/// `+8`, or `-4 to +8` if it is between these.
fn value(bounds: Bounds) -> String {
    bounds.to_string()
}

impl From<AtlasError> for Failure {
    fn from(error: AtlasError) -> Failure {
        match error {
            AtlasError::Solver(error) => error.into(),
            full if full.is_disk_full() => Failure::new(Kind::Limit, full.to_string(), full.help()),
            other => Failure::new(Kind::Database, other.to_string(), other.help()),
        }
    }
}
