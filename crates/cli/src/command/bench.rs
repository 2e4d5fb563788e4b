//! `kalah bench`: a fixed set of searches, their speed, and the fingerprint of the search's behaviour.

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::{table, units};
use clap::Args;
use kalah::{BENCH, SolverError};
use kalah_rules::Margin;
use serde::Serialize;
use std::time::Instant;

/// Measure the search: search a fixed set of starts, without layers and with one thread, and print the number of positions
/// and the speed.
///
/// The total number of positions is the same on every machine; it changes only if the search changes. The exit code is 1 if a
/// value is wrong.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah bench\n  \
    kalah bench --json")]
pub(crate) struct Arguments {}

/// One search, as JSON.
#[derive(Serialize)]
struct Search {
    rules: &'static str,
    pits: u8,
    seeds: u32,
    /// The first player's margin as it was found; `null` if none was.
    value: Option<Margin>,
    /// What it should be.
    expected: Margin,
    right: bool,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

/// All searches, as JSON: the last object.
#[derive(Serialize)]
struct Total<'a> {
    right: bool,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    version: &'a str,
}

/// Searches and prints.
pub(crate) fn run(_: &Arguments, output: &mut Output) -> Result<Outcome, Failure> {
    let mut searches = Vec::new();
    for bench in BENCH {
        let clock = Instant::now();
        let (value, stats) = bench.run().map_err(SolverError::from)?;
        let seconds = clock.elapsed().as_secs_f64();
        let search = Search {
            rules: bench.rules,
            pits: bench.pits,
            seeds: bench.seeds,
            value,
            expected: bench.value,
            right: value == Some(bench.value),
            nodes: stats.nodes,
            seconds,
            nodes_per_second: rate(stats.nodes, seconds),
        };
        if output.json {
            output.object(&search)?;
        }
        searches.push(search);
    }
    let (nodes, seconds) = (searches.iter().map(|search| search.nodes).sum(), searches.iter().map(|s| s.seconds).sum());
    let right = searches.iter().all(|search| search.right);
    if output.json {
        let version = kalah::VERSION;
        output.object(&Total { right, nodes, seconds, nodes_per_second: rate(nodes, seconds), version })?;
    } else {
        output.text(table(&searches))?;
        output.text(format!("{} nodes, {}", units::count(nodes), units::rate(rate(nodes, seconds) as f64)))?;
    }
    Ok(if right { Outcome::Answered } else { Outcome::Negative })
}

fn rate(nodes: u64, seconds: f64) -> u64 {
    (nodes as f64 / seconds.max(1e-9)) as u64
}

fn table(searches: &[Search]) -> String {
    let row = |search: &Search| {
        let value = search.value.map_or_else(|| "none".to_owned(), |value| value.to_string());
        vec![
            format!("Kalah({},{})", search.pits, search.seeds),
            search.rules.to_owned(),
            if search.right { value } else { format!("{value}, expected {}", search.expected) },
            units::count(search.nodes),
            units::rate(search.nodes_per_second as f64),
        ]
    };
    table::table(&["start", "rules", "value", "nodes", "speed"], &[2, 3, 4], searches.iter().map(row))
}
