//! `kalah stats`: how the values of whole layers are spread.

use crate::chosen::{Chosen, positions};
use crate::failure::{Failure, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::table::table;
use crate::{stop, units};
use clap::Args;
use kalah_study::{Extreme, LayerStatistics, layer_statistics};

/// Count the values of whole layers: how many positions the player to move wins, draws and loses, how often each value
/// occurs, and which positions are worth most and least.
///
/// Values are those of the player to move. The seeds in the stores do not count.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah stats --pits 6 --seeds 20\n  \
    kalah stats --pits 6 --from 12 --seeds 12 --values\n  \
    kalah stats --rules kalah-empty --csv > layers.csv")]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Show how many positions have each value, instead of one line per layer. JSON always has both.
    #[arg(long)]
    values: bool,
    /// Print comma-separated values with full counts.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// The columns of one line a layer.
const LAYERS: &str = "rules,pits,seeds,positions,over,wins,draws,losses,mean,\
    lowest,lowest_positions,lowest_example,highest,highest_positions,highest_example";

/// The columns of one line a value.
const VALUES: &str = "rules,pits,seeds,value,positions,over";

/// Counts layer by layer.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let (database, seeds) = arguments.chosen.open(&rules, &global.directory())?;
    stop::listen();
    let progress = Progress::new(positions(&database, seeds.clone()), "positions");
    let advanced = |positions| {
        progress.add(positions);
        !stop::requested()
    };
    let mut found: Vec<LayerStatistics> = Vec::new();
    if arguments.csv {
        output.lines(if arguments.values { VALUES } else { LAYERS })?;
    }
    for file in seeds.filter_map(|n| database.layer(n)) {
        progress.doing(format!("counting layer {}", file.header().seeds));
        let count = || layer_statistics(&rules, file, &advanced);
        let Some(layer) = kalah::with_threads(global.threads(), count)?? else {
            note("stopped by hand; the layers that were counted are shown");
            show(arguments, &found, output)?;
            return Ok(Outcome::Limit);
        };
        if output.json {
            output.object(&layer)?;
        }
        found.push(layer);
    }
    drop(progress);
    show(arguments, &found, output)?;
    Ok(Outcome::Answered)
}

fn show(arguments: &Arguments, layers: &[LayerStatistics], output: &mut Output) -> Result<(), Failure> {
    match (output.json, arguments.csv, arguments.values) {
        (true, ..) => Ok(()),
        (_, true, false) => layers.iter().try_for_each(|layer| output.lines(&csv_layer(layer))),
        (_, true, true) => layers.iter().flat_map(csv_values).try_for_each(|line| output.lines(&line)),
        (_, false, false) => output.text(layers_table(layers)),
        (_, false, true) => layers.iter().try_for_each(|layer| output.text(values_table(layer))),
    }
}

fn csv_layer(layer: &LayerStatistics) -> String {
    let extreme = |extreme: Option<Extreme>| {
        // The board has commas in it.
        extreme.map_or_else(
            || ",,".to_owned(),
            |extreme| format!("{},{},\"{}\"", extreme.value.0, extreme.positions, extreme.example),
        )
    };
    let LayerStatistics { rules, pits, seeds, positions, over, wins, draws, losses, mean, .. } = layer;
    format!(
        "{rules},{pits},{seeds},{positions},{over},{wins},{draws},{losses},{mean:.9},{},{}",
        extreme(layer.lowest),
        extreme(layer.highest)
    )
}

fn csv_values(layer: &LayerStatistics) -> impl Iterator<Item = String> + '_ {
    let LayerStatistics { rules, pits, seeds, .. } = layer;
    let line = move |count: &kalah_study::ValueCount| {
        format!("{rules},{pits},{seeds},{},{},{}", count.value.0, count.positions, count.over)
    };
    layer.values.iter().map(line)
}

/// A part of a whole in percent.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.2} %", 100.0 * part as f64 / whole as f64)
}

fn layers_table(layers: &[LayerStatistics]) -> String {
    let extreme = |extreme: Option<Extreme>| extreme.map_or("–".to_owned(), |extreme| extreme.value.to_string());
    let rows = layers.iter().map(|layer| {
        let share = |part| percent(part, layer.positions);
        vec![
            layer.seeds.to_string(),
            units::count(layer.positions),
            share(layer.wins),
            share(layer.draws),
            share(layer.losses),
            format!("{:+.3}", layer.mean),
            extreme(layer.highest),
            extreme(layer.lowest),
        ]
    });
    let head = ["seeds", "positions", "wins", "draws", "losses", "mean", "highest", "lowest"];
    table(&head, &[0, 1, 2, 3, 4, 5, 6, 7], rows)
}

fn values_table(layer: &LayerStatistics) -> String {
    let rows = layer.values.iter().map(|count| {
        vec![
            count.value.to_string(),
            units::count(count.positions),
            percent(count.positions, layer.positions),
            units::count(count.over),
        ]
    });
    let title = format!(
        "{}, {} pits, {}, {}:",
        layer.rules,
        layer.pits,
        units::plural(u64::from(layer.seeds), "seed", "seeds"),
        units::plural(layer.positions, "position", "positions")
    );
    let mut text =
        format!("{title}\n{}\n", table(&["value", "positions", "share", "over already"], &[0, 1, 2, 3], rows));
    for (name, extreme) in [("highest", layer.highest), ("lowest", layer.lowest)] {
        if let Some(Extreme { value, example, .. }) = extreme {
            text.push_str(&format!("{name} value of a game that goes on: {value}, for example {example}\n"));
        }
    }
    text
}
