//! The table of small starts whose values independent programs and the literature agree on.

use kalah_rules::{Margin, RuleSet};

/// What a start costs to solve, so that each test takes the ones it can afford.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Plain minimax takes seconds at most.
    Minimax,
    /// A search without layers takes seconds at most.
    Search,
    /// A search without layers takes up to a minute.
    LongSearch,
}

/// A start and its value.
#[derive(Debug, Clone, Copy)]
pub struct SmallStart {
    /// The rules it is played by.
    pub rules: RuleSet,
    /// Pits in a row.
    pub pits: u8,
    /// Seeds in each pit.
    pub seeds: u32,
    /// The margin of the first player under perfect play.
    pub value: Margin,
    /// What it costs to solve.
    pub needs: Needs,
}

/// All starts of the table, in the order of the file.
///
/// # Panics
///
/// If `small_starts.csv` has a line that cannot be read.
pub fn small_starts() -> impl Iterator<Item = SmallStart> {
    include_str!("../small_starts.csv").lines().skip(1).map(|line| {
        parse(line).unwrap_or_else(|| panic!("small_starts.csv: expected rules,pits,seeds,value,needs, found {line:?}"))
    })
}

fn parse(line: &str) -> Option<SmallStart> {
    let cells: Vec<&str> = line.split(',').collect();
    let [rules, pits, seeds, value, needs] = cells[..] else { return None };
    Some(SmallStart {
        rules: rules.parse().ok()?,
        pits: pits.parse().ok()?,
        seeds: seeds.parse().ok()?,
        value: Margin(value.parse().ok()?),
        needs: match needs {
            "minimax" => Needs::Minimax,
            "search" => Needs::Search,
            "long search" => Needs::LongSearch,
            _ => return None,
        },
    })
}
