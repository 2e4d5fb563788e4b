//! Solved starts that were kept: positions in them and along their lines of perfect play are answered at once.

use crate::SolverError;
use crate::record::web::{Doubt, Web};
use crate::record::{Record, RecordError};
use kalah_database::Database;
use kalah_rules::{Game, Margin, Next, Position, RuleSet, SowingGame};
use kalah_search::{Bounds, Proof};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// No game takes so many sows: each takes seeds out of play or brings some of at most 255 nearer to their store.
const MOST_SOWS: usize = 255 * 8 * 2;

/// How a file of a solved start ends.
const EXTENSION: &str = "solution";

/// All solutions that are at hand for one rule set and board.
///
/// They come from files that anybody can have written. Each was checked by the rules when it was loaded ([`Record::load`]);
/// [`Solver::with_solutions`](crate::Solver::with_solutions) compares them with each other and with the solved layers.
#[derive(Clone, Debug, Default)]
pub struct Solutions {
    solved: HashMap<Position, Record>,
    proofs: HashMap<Position, Proof>,
    files: Vec<PathBuf>,
}

/// Where the solution of a start with so many seeds in every pit lies in a directory of solutions.
pub fn solution_path(directory: &Path, rules: &RuleSet, pits: u8, seeds: u32) -> PathBuf {
    directory.join(format!("{rules}_{pits}x{seeds}.{EXTENSION}"))
}

impl Solutions {
    /// Reads the solutions in `directories` for `rules` and boards of `pits` pits a side. A directory that does not exist
    /// holds none. Where several hold a solution of the same start, the first one counts.
    ///
    /// # Errors
    /// If a directory or a file in it cannot be read, or a file is damaged, states what cannot be true, or is about
    /// something else than its name says.
    pub fn open(directories: &[PathBuf], rules: &RuleSet, pits: u8) -> Result<Solutions, RecordError> {
        let mut solutions = Solutions::default();
        for seeds in 1..=u32::from(u8::MAX) / (2 * u32::from(pits.max(1))) {
            solutions.read(directories, rules, pits, seeds)?;
        }
        Ok(solutions)
    }

    /// A guess of a start's value: that of the start with one seed fewer in every pit, if its solution was kept. A guess that is
    /// false costs time only, so a file that cannot be read is no guess.
    pub fn guess(directories: &[PathBuf], rules: &RuleSet, pits: u8, seeds: u32) -> Option<Margin> {
        let smaller = seeds.checked_sub(1)?;
        let solutions = Solutions::of_start(directories, rules, pits, smaller).ok()??;
        solutions.solved(kalah_rules::State::start(pits, smaller).ok()?.position())?.bounds.exact()
    }

    /// Reads the solution of one start, with `seeds` seeds in every pit; `None` if there is none.
    ///
    /// # Errors
    /// As [`Solutions::open`].
    pub fn of_start(
        directories: &[PathBuf],
        rules: &RuleSet,
        pits: u8,
        seeds: u32,
    ) -> Result<Option<Solutions>, RecordError> {
        let mut solutions = Solutions::default();
        Ok(solutions.read(directories, rules, pits, seeds)?.then_some(solutions))
    }

    /// Reads one start's solution from the first directory that has it; whether one has.
    fn read(&mut self, directories: &[PathBuf], rules: &RuleSet, pits: u8, seeds: u32) -> Result<bool, RecordError> {
        let Ok(start) = kalah_rules::State::start(pits, seeds) else { return Ok(false) };
        for directory in directories {
            let path = solution_path(directory, rules, pits, seeds);
            if let Some(record) = Record::load(&path)? {
                record.must_be(&path, rules, pits, start.position())?;
                self.add(record);
                self.files.push(path);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes in a record.
    pub fn add(&mut self, record: Record) {
        for proof in &record.proofs {
            let known = self.proofs.entry(proof.position).or_insert(*proof);
            // If this leaves no value, the check says so.
            known.bounds.lower = known.bounds.lower.max(proof.bounds.lower);
            known.bounds.upper = known.bounds.upper.min(proof.bounds.upper);
        }
        self.solved.insert(record.position, record);
    }

    /// Compares all proofs with each other, and with the layers where they reach.
    ///
    /// # Errors
    /// If they contradict each other or the layers, or a layer is damaged.
    pub(crate) fn check(&self, game: &Game, database: Option<&Database>) -> Result<(), SolverError> {
        let doubt = |doubt| match doubt {
            Doubt::False(what) => RecordError::False { files: self.files.clone(), what }.into(),
            Doubt::Database(error) => SolverError::Database(error),
            Doubt::Stopped => RecordError::Stopped { file: self.files.first().cloned().unwrap_or_default() }.into(),
        };
        let mut web = Web::new(*game);
        let roots = self.solved.values().map(|record| (record.position, record.bounds));
        let proofs = self.proofs.values().map(|proof| (proof.position, proof.bounds));
        // In an order of their own, so that the same files always give the same message.
        let mut all: Vec<(Position, Bounds)> = roots.chain(proofs).collect();
        all.sort_unstable_by_key(|&(position, bounds)| (position, bounds.lower, bounds.upper));
        all.into_iter()
            .try_for_each(|(position, bounds)| web.state(position, bounds))
            .map_err(Doubt::False)
            .map_err(doubt)?;
        let never = || false;
        match database {
            Some(database) if database.layers() > 0 => web.compare(database, &never),
            _ if self.solved.len() > 1 => web.climb(&never),
            // Alone it was checked when it was loaded.
            _ => Ok(()),
        }
        .map_err(doubt)
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
            // No position comes twice under rules that records are kept of. A line that went on for ever would be no line.
            if pits.len() > MOST_SOWS {
                return None;
            }
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
