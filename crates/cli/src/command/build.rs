//! `kalah build`: all positions with up to so many seeds.

use crate::board;
use crate::command::convert::CodecName;
use crate::failure::{Failure, Outcome};
use crate::global::Global;
use crate::output::{Output, note};
use crate::table::table;
use crate::{gap, layers, stop, units};
use clap::{Args, ValueEnum};
use kalah::retrograde::{BuildOptions, Builder, LayerReport};
use kalah::{Costs, Preparation, machine};
use serde::Serialize;

/// Build layers: the values of all positions with up to a number of seeds in pits.
///
/// Layers that exist already are not built again. You can stop a build and resume it with the same command.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah build --pits 6 --seeds 24 --dry-run\n  \
    kalah build --pits 6 --seeds 24\n  \
    kalah build --pits 4 --seeds 20 --rules kalah-empty --database /data/layers")]
pub(crate) struct Arguments {
    /// Pits on each side, 1 to 8.
    #[arg(long, default_value_t = 6, value_parser = units::parse_number::<u8>)]
    pits: u8,
    /// Largest number of seeds in pits.
    #[arg(long, value_parser = units::parse_number::<u32>)]
    seeds: u32,
    /// Only print what would be built and what it would take.
    #[arg(long)]
    dry_run: bool,
    /// Program that computes the values. Both write the same bytes: 'sweep' is fast, 'reference' is simple.
    #[arg(long, value_enum, default_value = "sweep")]
    builder: BuilderName,
    /// How the files store their values. Building reads the lower layers all the time and unpacks codecs other than 'raw'
    /// into memory, so build a large database raw and convert it afterwards.
    #[arg(long, value_enum, default_value = "raw")]
    codec: CodecName,
    /// With the builder 'pattern': first layer that gets numbers without meaning; the layers below get their true values.
    #[arg(long, hide = true, value_name = "SEEDS", default_value_t = 0, value_parser = units::parse_number::<u32>)]
    pattern_from: u32,
    /// Most memory for the build's own tables, e.g. 2GiB [default: nine tenths of what is free now].
    #[arg(long, value_name = "BYTES", value_parser = units::parse_size)]
    memory: Option<u64>,
}

/// The builders by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BuilderName {
    /// Whole rows of positions at a time.
    Sweep,
    /// One position after another.
    Reference,
    /// Numbers that mean nothing, in files of their own: to try everything around values at any size.
    #[value(hide = true)]
    Pattern,
}

/// What would be done, as JSON.
#[derive(Serialize)]
struct Planned<'a> {
    rules: String,
    rules_hash: String,
    pits: u8,
    seeds: u32,
    database: String,
    layers_present: u32,
    layers_missing: usize,
    positions: u64,
    disk_bytes: u64,
    memory_bytes: u64,
    seconds: f64,
    threads: usize,
    version: &'a str,
}

/// A finished layer, as JSON.
#[derive(Serialize)]
struct Finished {
    rules: String,
    rules_hash: String,
    pits: u8,
    seeds: u32,
    positions: u64,
    file_bytes: u64,
    compute_seconds: f64,
    seconds: f64,
    positions_per_second: f64,
    memory_bytes: u64,
}

/// Plans and builds.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let directory = global.directory();
    let builder = match arguments.builder {
        BuilderName::Sweep => Builder::Sweep,
        BuilderName::Reference => Builder::Reference,
        BuilderName::Pattern => Builder::Pattern { from: arguments.pattern_from },
    };
    let wanted = Preparation {
        directory: &directory.path,
        rules,
        pits: board::pits(arguments.pits)?,
        seeds: arguments.seeds,
        options: BuildOptions {
            builder,
            codec: arguments.codec.into(),
            memory: Some(arguments.memory.unwrap_or_else(machine::spare_memory)),
            ..BuildOptions::default()
        },
        threads: global.threads(),
        until: None,
    };
    stop::listen();
    gap::look(wanted.directory, &wanted.options.stamp(&wanted.rules, wanted.pits))?;
    let costs = layers::costs(&wanted)?;
    if arguments.dry_run {
        show_plan(&wanted, &costs, output)?;
        wanted.check(&costs)?;
        return Ok(Outcome::Answered);
    }
    if costs.plan.layers.is_empty() {
        note(format!(
            "layers 0 to {} of {} are in {} already",
            wanted.seeds,
            wanted.options.stamp(&wanted.rules, wanted.pits),
            directory.path.display()
        ));
        wanted.tidy()?;
        return Ok(Outcome::Answered);
    }
    note(layers::plan_text(&wanted, &costs));
    wanted.check(&costs)?;
    let built = layers::build(&wanted, &costs)?;
    show_layers(&wanted, &built.layers, output)?;
    if built.stopped {
        note("stopped by hand; everything finished is kept, and the same command resumes");
        return Ok(Outcome::Limit);
    }
    Ok(Outcome::Answered)
}

fn show_plan(wanted: &Preparation<'_>, costs: &Costs, output: &mut Output) -> Result<(), Failure> {
    if !output.json {
        return output.text(layers::plan_text(wanted, costs));
    }
    let stamp = wanted.options.stamp(&wanted.rules, wanted.pits);
    output.object(&Planned {
        rules_hash: format!("{:016x}", stamp.rules_hash),
        rules: stamp.rules,
        pits: wanted.pits,
        seeds: wanted.seeds,
        database: wanted.directory.display().to_string(),
        layers_present: costs.present,
        layers_missing: costs.plan.layers.len(),
        positions: costs.plan.positions,
        disk_bytes: costs.plan.disk_bytes,
        memory_bytes: costs.plan.memory_bytes,
        seconds: costs.seconds,
        threads: wanted.threads,
        version: kalah::VERSION,
    })
}

fn show_layers(wanted: &Preparation<'_>, layers: &[LayerReport], output: &mut Output) -> Result<(), Failure> {
    let rate = |layer: &LayerReport| layer.positions as f64 / layer.compute_seconds.max(1e-9);
    if output.json {
        let stamp = wanted.options.stamp(&wanted.rules, wanted.pits);
        for layer in layers {
            output.object(&Finished {
                rules: stamp.rules.clone(),
                rules_hash: format!("{:016x}", stamp.rules_hash),
                pits: wanted.pits,
                seeds: layer.seeds,
                positions: layer.positions,
                file_bytes: layer.file_bytes,
                compute_seconds: layer.compute_seconds,
                seconds: layer.seconds,
                positions_per_second: rate(layer).round(),
                memory_bytes: layer.memory_bytes,
            })?;
        }
        return Ok(());
    }
    let rows = layers.iter().map(|layer| {
        vec![
            layer.seeds.to_string(),
            units::count(layer.positions),
            units::bytes(layer.file_bytes),
            units::time(layer.seconds),
            units::rate(rate(layer)),
        ]
    });
    output.text(table(&["seeds", "positions", "file", "time", "positions per second"], &[0, 1, 2, 3, 4], rows))?;
    let positions = layers.iter().map(|layer| layer.positions).sum();
    let seconds: f64 = layers.iter().map(|layer| layer.seconds).sum();
    output.text(format!(
        "{} of {}, built in {} in {}",
        units::plural(positions, "position", "positions"),
        wanted.options.stamp(&wanted.rules, wanted.pits),
        units::time(seconds),
        wanted.directory.display()
    ))
}
