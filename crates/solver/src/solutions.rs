//! Solved starts that were kept: positions in them and along their lines of perfect play are answered at once.

use crate::record::{Record, RecordError};
use kalah_rules::{Game, Margin, Next, Position, RuleSet, SowingGame};
use kalah_search::{Bounds, Proof};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How a file of a solved start ends.
const EXTENSION: &str = "solution";

/// All solutions that a directory holds for one rule set and board.
#[derive(Clone, Debug, Default)]
pub struct Solutions {
    solved: HashMap<Position, Record>,
    proofs: HashMap<Position, Proof>,
}

/// Where the solution of a start with so many seeds in every pit lies in a directory of solutions.
pub fn solution_path(directory: &Path, rules: &RuleSet, pits: u8, seeds: u32) -> PathBuf {
    directory.join(format!("{rules}_{pits}x{seeds}.{EXTENSION}"))
}

impl Solutions {
    /// Reads the solutions in `directory` for `rules` and boards of `pits` pits a side; none if there is no such directory.
    ///
    /// # Errors
    /// If the directory or a file in it cannot be read, or a file is damaged or about something else than its name says.
    pub fn open(directory: &Path, rules: &RuleSet, pits: u8) -> Result<Solutions, RecordError> {
        let mut solutions = Solutions::default();
        for seeds in 1..=u32::from(u8::MAX) / (2 * u32::from(pits.max(1))) {
            let path = solution_path(directory, rules, pits, seeds);
            if let (Some(record), Ok(start)) = (Record::load(&path)?, kalah_rules::State::start(pits, seeds)) {
                record.must_be(&path, rules, pits, start.position())?;
                solutions.add(record);
            }
        }
        Ok(solutions)
    }

    /// A guess of a start's value: that of the start with one seed fewer in every pit, if its solution was kept. A guess needs no
    /// checks, so a file that cannot be read is no guess.
    pub fn guess(directory: &Path, rules: &RuleSet, pits: u8, seeds: u32) -> Option<Margin> {
        let smaller = Record::load(&solution_path(directory, rules, pits, seeds.checked_sub(1)?)).ok().flatten()?;
        smaller.bounds.exact()
    }

    /// Takes in a record.
    pub fn add(&mut self, record: Record) {
        for proof in &record.proofs {
            let known = self.proofs.entry(proof.position).or_insert(*proof);
            known.bounds.lower = known.bounds.lower.max(proof.bounds.lower);
            known.bounds.upper = known.bounds.upper.min(proof.bounds.upper);
        }
        self.solved.insert(record.position, record);
    }

    /// The record of a position that was solved as a whole.
    pub fn solved(&self, position: Position) -> Option<&Record> {
        self.solved.get(&position)
    }

    /// What is proved about a position.
    pub fn known(&self, position: Position) -> Option<Bounds> {
        self.proofs.get(&position).map(|proof| proof.bounds)
    }

    /// All proofs, in no order.
    pub fn proofs(&self) -> impl Iterator<Item = &Proof> {
        self.proofs.values()
    }

    /// The exact value of a position and the pits of a line of perfect play from it, if both were kept.
    pub(crate) fn line(&self, game: &Game, position: Position) -> Option<(Margin, Vec<u8>)> {
        let value = self.known(position)?.exact()?;
        let (mut now, mut pits) = (position, Vec::new());
        loop {
            // A line visits no position twice: no move adds seeds, and layers without cycles are all that is kept.
            let proof = self.proofs.get(&now).filter(|proof| proof.bounds.exact().is_some())?;
            let pit = proof.pit.filter(|&pit| game.legal(now).any(|legal| legal == pit))?;
            let sown = game.sow(now, pit);
            pits.push(pit);
            if game.final_margin(&sown).is_some() {
                return Some((value, pits));
            }
            now = sown.position;
        }
    }

    /// What the proofs say of each move of a position of exact value `value`, best first.
    pub(crate) fn moves(&self, game: &Game, position: Position, best: u8, value: Margin) -> Vec<(u8, Bounds)> {
        let most = Margin(position.seeds() as i16);
        let mut moves: Vec<(u8, Bounds)> = game
            .legal(position)
            .map(|pit| {
                let sown = game.sow(position, pit);
                let child = match game.final_margin(&sown) {
                    Some(end) => Bounds::just(end),
                    None => {
                        let left = Margin(sown.position.seeds() as i16);
                        let after = self.known(sown.position).unwrap_or(Bounds { lower: -left, upper: left });
                        (if sown.next == Next::Again { after } else { -after }) + sown.gain()
                    }
                };
                let own = Bounds { lower: child.lower.max(-most), upper: child.upper.min(value) };
                (pit, if pit == best { Bounds::just(value) } else { own })
            })
            .collect();
        moves.sort_by_key(|&(pit, bounds)| std::cmp::Reverse((bounds.lower, bounds.upper, pit)));
        moves
    }
}
