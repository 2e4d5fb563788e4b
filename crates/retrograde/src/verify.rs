//! Re-derives finished values from their successors through the rules alone: a second road, sharing nothing with the sweep.

use crate::fixpoint::unproved;
use crate::observer::{LayerPlan, Observer};
use crate::options::stamp;
use crate::reference::best_margin;
use crate::scatter::scatter;
use crate::solved_files::SolvedFiles;
use crate::{BuildError, SolvedLayers};
use kalah_database::{Access, Database};
use kalah_rules::{LayerKind, Position, Row, RuleSet, SowingGame};
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::path::Path;

/// A stored value that is not what the position's moves are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongValue {
    /// Seeds in pits.
    pub seeds: u32,
    /// The position's rank in its layer.
    pub rank: u64,
    /// The position as its mover sees it.
    pub position: Position,
    /// The stored margin, for the mover.
    pub stored: i8,
    /// The margin its successors give, for the mover.
    pub derived: i16,
}

/// What a check of values found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValuesReport {
    /// Positions that were checked.
    pub checked: u64,
    /// How many of them were wrong.
    pub wrong: u64,
    /// The first of them, a hundred at most, in the order of layers and ranks.
    pub examples: Vec<WrongValue>,
}

/// How many wrong values a report names.
const EXAMPLES: usize = 100;

/// Positions between two looks at the observer.
const CHUNK: u64 = 1 << 14;

/// Derives the values of all positions of the layers `seeds`, or of about `sample` of them spread evenly at random over all
/// these layers, and compares them with what is stored. Runs in the current rayon pool.
///
/// By induction over layers and, inside them, distance, a database whose values all follow from their successors is right.
/// In layers with cycles that is not enough: there a check of all positions also looks for a proof, in finitely many
/// moves, of every value other than 0, and reports a value without one as wrong, with 0 as what can be derived. A sample
/// cannot do so.
///
/// # Errors
/// If a layer is missing or damaged, or the observer asked to stop.
pub fn verify_values(
    directory: &Path,
    rules: &RuleSet,
    pits: u8,
    seeds: RangeInclusive<u32>,
    sample: Option<u64>,
    observer: &dyn Observer,
) -> Result<ValuesReport, BuildError> {
    let game = rules.game(pits)?;
    let database = Database::open_with(directory, &stamp(rules, pits), Access::Map)?;
    database.require(*seeds.end())?;
    let solved = SolvedFiles::open(database, observer)?;
    let total: u64 = seeds.clone().map(|n| solved.layer(n).0.positions()).sum();
    let mut report = ValuesReport::default();
    for n in seeds {
        let (layer, values) = solved.layer(n);
        let positions = layer.positions();
        // Every layer gets its share, at least one position.
        let picked = sample.filter(|&sample| sample < total).map(|sample| share(sample, positions, total));
        let count = picked.unwrap_or(positions);
        observer.layer_started(&LayerPlan { seeds: n, positions: count });
        let chunks = count.div_ceil(CHUNK);
        let found: Vec<(u64, Vec<WrongValue>)> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                if observer.should_stop() {
                    return Err(BuildError::Stopped);
                }
                let mut wrong = Vec::new();
                let mut count_wrong = 0;
                let items = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
                observer.advanced(items.end - items.start);
                for item in items {
                    let rank = if picked.is_some() { scatter(u64::from(n) << 48 | item) % positions } else { item };
                    let (mover, opponent) = layer.unrank(rank);
                    let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                    let derived = best_margin(&game, position, |child| solved.value(child));
                    let stored = values[rank as usize];
                    if derived.0 != i16::from(stored) {
                        count_wrong += 1;
                        if wrong.len() < EXAMPLES {
                            wrong.push(WrongValue { seeds: n, rank, position, stored, derived: derived.0 });
                        }
                    }
                }
                Ok((count_wrong, wrong))
            })
            .collect::<Result<_, _>>()?;
        report.checked += count;
        if game.layer_kind() == LayerKind::Cyclic && picked.is_none() && found.iter().all(|(wrong, _)| *wrong == 0) {
            let ranks =
                unproved(&game, layer, &solved, &|| !observer.should_stop()).map_err(|_| BuildError::Stopped)?;
            report.wrong += ranks.len() as u64;
            let room = EXAMPLES - report.examples.len();
            report.examples.extend(ranks.into_iter().take(room).map(|rank| {
                let (mover, opponent) = layer.unrank(rank);
                let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                WrongValue { seeds: n, rank, position, stored: values[rank as usize], derived: 0 }
            }));
        }
        for (count, wrong) in found {
            report.wrong += count;
            let room = EXAMPLES - report.examples.len();
            report.examples.extend(wrong.into_iter().take(room));
        }
    }
    Ok(report)
}

fn share(sample: u64, positions: u64, total: u64) -> u64 {
    ((u128::from(sample) * u128::from(positions)).div_ceil(u128::from(total)) as u64).max(1)
}
