//! Positions inside the solved layers: everything is looked up, nothing is searched.
//!
//! Of moves that keep the value, the player who will have more seeds at the end of the game takes the one that ends it in the
//! fewest sows, and their opponent the one that makes it last longest; both count with such play of the other, and neither ever
//! gives up a seed for it. Where that makes no difference, where the game ends level, where positions can repeat, and where a
//! million positions would not tell, the pit nearest the mover's store is taken.

use crate::ask::{Ask, after};
use crate::{SolverError, Stopped};
use kalah_database::{Database, DatabaseError};
use kalah_rules::{Game, LayerKind, Margin, Next, Position, SowingGame, Sown};
use kalah_search::{Bounds, Stats};
use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

/// Lengths are looked for among at most so many positions: many times as many as any board of 24 seeds on six pits was found to need.
const MOST_LENGTHS: usize = 1 << 20;

/// Questions about positions with fewer seeds than the database has layers.
pub(crate) struct Lookup<'a> {
    game: Game,
    database: &'a Database,
    probes: u64,
    /// How many sows the game lasts from a position on if both keep its value and the player who is ahead, who is to move or
    /// not, hurries.
    lengths: HashMap<(Position, bool), u32>,
}

impl<'a> Lookup<'a> {
    /// Asks `database`, which must hold layers of `game`.
    pub(crate) fn new(game: Game, database: &'a Database) -> Lookup<'a> {
        Lookup { game, database, probes: 0, lengths: HashMap::new() }
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

    /// The moves that keep the value, from the pit nearest the store.
    fn keeping(&mut self, position: Position, value: Margin) -> Result<Vec<(u8, Sown)>, SolverError> {
        let mut keeping = Vec::new();
        for pit in self.game.legal(position).rev() {
            let sown = self.game.sow(position, pit);
            if self.of(&sown)? == value {
                keeping.push((pit, sown));
            }
        }
        Ok(keeping)
    }

    /// How many sows the game lasts with this one, which keeps the value of its position, `value`; `ahead` is whether the player
    /// who sows is. `None` if too many positions would have to be looked at.
    fn length(&mut self, sown: &Sown, value: Margin, ahead: bool) -> Result<Option<u32>, SolverError> {
        if sown.next == Next::Over {
            return Ok(Some(1));
        }
        let (position, (value, _)) = (sown.position, after(sown, value, Margin(0)));
        let ahead = ahead == (sown.next == Next::Again);
        if let Some(length) = self.lengths.get(&(position, ahead)) {
            return Ok(Some(1 + length));
        }
        let mut best: Option<u32> = None;
        for (_, next) in self.keeping(position, value)? {
            if self.lengths.len() >= MOST_LENGTHS {
                return Ok(None);
            }
            let Some(length) = self.length(&next, value, ahead)? else { return Ok(None) };
            best = Some(best.map_or(length, |best| if ahead { best.min(length) } else { best.max(length) }));
        }
        if let Some(best) = best {
            self.lengths.insert((position, ahead), best);
        }
        Ok(best.map(|best| 1 + best))
    }

    /// The place of a move among those that keep the value: lower ones are taken first.
    fn rank(&mut self, sown: &Sown, value: Margin, lead: Margin) -> Result<i64, SolverError> {
        let ahead = match (value + lead).cmp(&Margin(0)) {
            _ if self.game.layer_kind() == LayerKind::Cyclic => return Ok(0),
            Ordering::Equal => return Ok(0),
            order => order == Ordering::Greater,
        };
        let length = self.length(sown, value, ahead)?.map(i64::from);
        Ok(length.map_or(i64::MAX, |length| if ahead { length } else { -length }))
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

    fn every_move(&mut self, position: Position, lead: Margin) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError> {
        let value = self.probe(position)?;
        let game = self.game;
        let mut moves = Vec::new();
        for pit in game.legal(position) {
            let sown = game.sow(position, pit);
            let own = self.of(&sown)?;
            let rank = if own == value { self.rank(&sown, value, lead)? } else { 0 };
            moves.push((Reverse(own), rank, Reverse(pit)));
        }
        moves.sort_unstable();
        let moves = moves.into_iter().map(|(Reverse(own), _, Reverse(pit))| (pit, Bounds::just(own)));
        Ok((Bounds::just(value), moves.collect()))
    }

    /// Where positions can repeat, a move to a new position goes first, and a line that cannot avoid a repetition is none.
    fn line(&mut self, position: Position, value: Margin, lead: Margin) -> Result<Option<Vec<u8>>, SolverError> {
        let (mut now, mut value, mut lead, mut pits) = (position, value, lead, Vec::new());
        let mut seen = HashSet::from([now]);
        while self.game.over(now).is_none() {
            let keeping = self.keeping(now, value)?;
            if keeping.is_empty() {
                // The replay will say that this line does not keep its value.
                return Ok(Some(pits));
            }
            let mut best: Option<(i64, u8, Sown)> = None;
            for (pit, sown) in keeping {
                if sown.next != Next::Over && seen.contains(&sown.position) {
                    continue;
                }
                let rank = self.rank(&sown, value, lead)?;
                if best.is_none_or(|(lowest, ..)| rank < lowest) {
                    best = Some((rank, pit, sown));
                }
            }
            let Some((_, pit, sown)) = best else { return Ok(None) };
            pits.push(pit);
            if sown.next == Next::Over {
                break;
            }
            (value, lead) = after(&sown, value, lead);
            now = sown.position;
            seen.insert(now);
        }
        Ok(Some(pits))
    }

    fn stats(&self) -> Stats {
        Stats { oracle_probes: self.probes, ..Stats::default() }
    }

    fn stopped(&self) -> Option<Stopped> {
        None
    }
}
