//! The published numbers, compiled into the program.

use crate::reproduce::claim::{Claim, Cost, Kind, Row, Source};
use crate::reproduce::error::ReproduceError;
use crate::reproduce::number::{Number, Relation};
use crate::reproduce::quantity::Quantity;
use kalah_rules::{Margin, State};
use std::collections::BTreeMap;

const SOURCES: &str = include_str!("../../data/sources.jsonl");
const CLAIMS: &str = include_str!("../../data/claims.jsonl");
const FAIR: &str = include_str!("../../data/fairkalah_254.txt");
const RANGES: &str = include_str!("../../data/awari_ranges.json");
const HISTOGRAMS: &str = include_str!("../../data/awari_histograms.json");

/// Values of a layer are exact up to this many seeds; above, the source prints ranges.
const EXACT_HISTOGRAMS: u32 = 34;

/// A fault in a line, counted from 1.
fn fault(file: &'static str, line: usize, reason: &impl ToString) -> ReproduceError {
    ReproduceError::Data { file, line, reason: reason.to_string() }
}

/// The lines of a file that hold something, numbered from 1.
fn lines(text: &'static str) -> impl Iterator<Item = (usize, &'static str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    numbered.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

/// Every source that a claim comes from.
///
/// # Errors
/// If the data that were compiled in cannot be read.
pub fn sources() -> Result<Vec<Source>, ReproduceError> {
    lines(SOURCES)
        .map(|(line, text)| serde_json::from_str(text).map_err(|error| fault("sources.jsonl", line, &error)))
        .collect()
}

/// Every published number: those of `claims.jsonl`, a claim for every fair start, and one for every layer of the histograms.
///
/// # Errors
/// If the data that were compiled in cannot be read.
pub fn claims() -> Result<Vec<Claim>, ReproduceError> {
    let mut claims = Vec::new();
    for (line, text) in lines(CLAIMS) {
        let row: Row = serde_json::from_str(text).map_err(|error| fault("claims.jsonl", line, &error))?;
        claims.push(row.claim().map_err(|reason| fault("claims.jsonl", line, &reason))?);
    }
    fair_starts(&mut claims)?;
    histograms(&mut claims)?;
    Ok(claims)
}

/// The 254 starts worth exactly 0, one a line as a board literal.
fn fair_starts(claims: &mut Vec<Claim>) -> Result<(), ReproduceError> {
    for (index, (line, text)) in lines(FAIR).enumerate() {
        let position: State = text.parse().map_err(|error| fault("fairkalah_254.txt", line, &error))?;
        claims.push(Claim {
            id: format!("neller2022-fair-{:03}", index + 1),
            source: "neller2022".to_owned(),
            place: "list of fair starting positions".to_owned(),
            game: "kalah".to_owned(),
            rules: "kalah-empty".to_owned(),
            pits: position.pits(),
            seeds: 4,
            position: Some(position),
            quantity: Quantity::Margin,
            printed: "0".to_owned(),
            number: Number::Margin(Margin(0)),
            relation: Relation::Exact,
            cost: Cost::Seconds,
            kind: Kind::Published,
            correct: None,
            note: String::new(),
        });
    }
    Ok(())
}

/// Lincke's value histograms: how many positions have each value, by layer.
fn histograms(claims: &mut Vec<Claim>) -> Result<(), ReproduceError> {
    let mut layers: BTreeMap<u32, BTreeMap<i16, u64>> = BTreeMap::new();
    for (file, text) in [("awari_histograms.json", HISTOGRAMS), ("awari_ranges.json", RANGES)] {
        let read: BTreeMap<String, BTreeMap<String, u64>> =
            serde_json::from_str(text).map_err(|error| fault(file, error.line(), &error))?;
        for (seeds, values) in read {
            let bad = |text: &str| fault(file, 1, &format!("expected a whole number, found '{text}'"));
            let layer = layers.entry(seeds.parse().map_err(|_| bad(&seeds))?).or_default();
            for (value, positions) in values {
                layer.insert(value.parse().map_err(|_| bad(&value))?, positions);
            }
        }
    }
    for (seeds, values) in layers {
        let printed: Vec<String> = values.iter().map(|(value, positions)| format!("{value}:{positions}")).collect();
        let note = if seeds > EXACT_HISTOGRAMS {
            "the source prints values beyond its range at the ends of the range"
        } else {
            ""
        };
        claims.push(Claim {
            id: format!("lincke2002-histogram-{seeds:02}"),
            source: "lincke2002".to_owned(),
            place: "Appendix B".to_owned(),
            game: "awari".to_owned(),
            rules: "awari".to_owned(),
            pits: 6,
            seeds: 4,
            position: None,
            quantity: Quantity::LayerHistogram { seeds },
            printed: printed.join(" "),
            number: Number::Histogram(values),
            relation: Relation::Exact,
            cost: match seeds {
                0..=8 => Cost::Instant,
                9..=14 => Cost::Seconds,
                15..=26 => Cost::Minutes,
                27..=28 => Cost::Hours,
                _ => Cost::Days,
            },
            kind: Kind::Published,
            correct: None,
            note: note.to_owned(),
        });
    }
    Ok(())
}

/// The claims with one of these ids, of one of these sources, or with an id that begins with one of them and a dash; all
/// of them if `names` is empty.
///
/// # Errors
/// If a name fits no claim.
pub fn select<'a>(claims: &'a [Claim], names: &[String]) -> Result<Vec<&'a Claim>, ReproduceError> {
    let fits = |claim: &Claim, name: &str| {
        claim.id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    for name in names {
        if !claims.iter().any(|claim| fits(claim, name)) {
            let near = claims.iter().filter(|claim| claim.id.contains(name.as_str())).map(|claim| claim.id.clone());
            return Err(ReproduceError::Unknown { name: name.clone(), near: near.take(3).collect() });
        }
    }
    let wanted = |claim: &&Claim| names.is_empty() || names.iter().any(|name| fits(claim, name));
    Ok(claims.iter().filter(wanted).collect())
}
