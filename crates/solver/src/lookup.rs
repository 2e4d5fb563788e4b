//! Positions inside the solved layers: everything is looked up, nothing is searched.

use crate::SolverError;
use crate::question::Ask;
use kalah_database::{Database, DatabaseError};
use kalah_rules::{Game, Margin, Next, Position, SowingGame, Sown};
use kalah_search::{Bounds, Stats};
use std::collections::HashSet;

/// Questions about positions with fewer seeds than the database has layers.
pub(crate) struct Lookup<'a> {
    game: Game,
    database: &'a Database,
    probes: u64,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(game: Game, database: &'a Database) -> Lookup<'a> {
        Lookup { game, database, probes: 0 }
    }

    /// The value for the mover.
    fn probe(&mut self, position: Position) -> Result<Margin, SolverError> {
        if let Some(value) = self.game.over(position) {
            return Ok(value);
        }
        self.probes += 1;
        match self.database.value(position.mover.bits(), position.opponent.bits())? {
            Some(value) => Ok(Margin(i16::from(value))),
            // Moves never add seeds, so this cannot be; if it were, it must not become a number.
            None => Err(missing(self.database, position.seeds()).into()),
        }
    }

    /// The value of a move for the player who makes it.
    fn of(&mut self, sown: &Sown) -> Result<Margin, SolverError> {
        match self.game.final_margin(sown) {
            Some(value) => Ok(value),
            None if sown.next == Next::Again => Ok(sown.gain() + self.probe(sown.position)?),
            None => Ok(sown.gain() - self.probe(sown.position)?),
        }
    }
}

/// The layers end before a position that they should hold.
fn missing(database: &Database, seeds: u32) -> DatabaseError {
    let file = database.stamp().path(database.directory(), seeds);
    DatabaseError::MissingLayer { file, seeds, present: format!("{} layers", database.layers()) }
}

impl Ask for Lookup<'_> {
    fn value(&mut self, position: Position, _guess: Option<Margin>) -> Result<Bounds, SolverError> {
        self.probe(position).map(Bounds::just)
    }

    fn every_move(&mut self, position: Position) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError> {
        let value = self.probe(position)?;
        let game = self.game;
        let mut moves = game
            .legal(position)
            .map(|pit| Ok((pit, Bounds::just(self.of(&game.sow(position, pit))?))))
            .collect::<Result<Vec<_>, SolverError>>()?;
        moves.sort_by_key(|&(pit, bounds)| std::cmp::Reverse((bounds.lower, pit)));
        Ok((Bounds::just(value), moves))
    }

    /// The pit nearest the store among those that keep the value, to the end of the game; where positions can repeat, a move to
    /// a new position goes first, and a line that cannot avoid a repetition is none.
    fn line(&mut self, position: Position, value: Margin) -> Result<Option<Vec<u8>>, SolverError> {
        let (mut now, mut value, mut pits) = (position, value, Vec::new());
        let mut seen = HashSet::from([now]);
        while self.game.over(now).is_none() {
            let mut keeping = Vec::new();
            for pit in self.game.legal(now).rev() {
                let sown = self.game.sow(now, pit);
                if self.of(&sown)? == value {
                    keeping.push((pit, sown));
                }
            }
            if keeping.is_empty() {
                // The replay will say that this line does not keep its value.
                return Ok(Some(pits));
            }
            let new = keeping.iter().find(|(_, sown)| sown.next == Next::Over || !seen.contains(&sown.position));
            let Some(&(pit, sown)) = new else { return Ok(None) };
            pits.push(pit);
            let gain = sown.gain();
            match sown.next {
                Next::Over => break,
                Next::Again => value = value - gain,
                Next::Pass => value = gain - value,
            }
            now = sown.position;
            seen.insert(now);
        }
        Ok(Some(pits))
    }

    fn stats(&self) -> Stats {
        Stats { oracle_probes: self.probes, ..Stats::default() }
    }
}
