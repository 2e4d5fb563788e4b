//! Statements about positions, checked against the rules, against each other and against solved layers.

use kalah_database::{Database, DatabaseError};
use kalah_rules::{Game, MAX_SEEDS, Margin, Next, Position, SowingGame, State};
use kalah_search::Bounds;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Positions between two looks at the stop flag: well under a millisecond of work.
const SLICE: usize = 1024;

/// Positions of one web that are compared with solved layers, at most. Each takes one read from disk, and each of its moves
/// one more.
const MOST_PROBES: usize = 2000;

/// Why statements cannot be believed.
#[derive(Debug)]
pub(crate) enum Doubt {
    /// They contradict something; the text says what.
    False(String),
    /// A layer cannot be read.
    Database(DatabaseError),
    /// Somebody asked to stop.
    Stopped,
}

impl From<DatabaseError> for Doubt {
    fn from(error: DatabaseError) -> Doubt {
        Doubt::Database(error)
    }
}

/// Statements about positions of one game whose positions never repeat.
#[derive(Debug)]
pub(crate) struct Web {
    game: Game,
    stated: Vec<(Position, Bounds)>,
    places: HashMap<Position, u32>,
}

impl Web {
    /// A web without statements.
    pub(crate) fn new(game: Game) -> Web {
        Web { game, stated: Vec::new(), places: HashMap::new() }
    }

    /// Adds the statement that the value of `position`, for its mover, lies within `bounds`.
    ///
    /// # Errors
    /// What is wrong with it, if it cannot be a statement about this game or contradicts an earlier one.
    pub(crate) fn state(&mut self, position: Position, bounds: Bounds) -> Result<(), String> {
        check_position(self.game.pits(), position)?;
        check_bounds(&self.game, position, bounds)?;
        match self.places.entry(position) {
            Entry::Vacant(place) => {
                place.insert(self.stated.len() as u32);
                self.stated.push((position, bounds));
            }
            Entry::Occupied(place) => {
                let known = &mut self.stated[*place.get() as usize].1;
                *known = both(&self.game, position, *known, bounds, "another statement says")?;
            }
        }
        Ok(())
    }

    /// Goes through all statements, from positions near the end of the game to those far from it. Each is compared with what
    /// is known of the positions that its moves lead to, and sharpened by it. `stop` is asked often.
    ///
    /// # Errors
    /// The first statement that cannot be true if the rest are; or that `stop` says so.
    pub(crate) fn climb(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Doubt> {
        self.climb_with(stop, &mut |_| Ok(None))
    }

    /// Compares statements with solved layers, where they reach: every statement inside them, and the moves of others that
    /// lead into them; of many about [`MOST_PROBES`], evenly spread.
    ///
    /// # Errors
    /// The first statement that the layers contradict, or that a layer cannot be read.
    pub(crate) fn compare(&mut self, database: &Database, stop: &dyn Fn() -> bool) -> Result<(), Doubt> {
        let step = (self.stated.len() / MOST_PROBES).max(1) as u64;
        let mut turn = 0;
        let mut within = |position: Position| {
            if position.seeds() >= database.layers() {
                return Ok(None);
            }
            turn += 1;
            if turn % step != 0 {
                return Ok(None);
            }
            Ok(database.value(position.mover.bits(), position.opponent.bits())?.map(|value| Margin(value.into())))
        };
        self.climb_with(stop, &mut within)
    }

    fn climb_with(
        &mut self,
        stop: &dyn Fn() -> bool,
        layers: &mut dyn FnMut(Position) -> Result<Option<Margin>, DatabaseError>,
    ) -> Result<(), Doubt> {
        let pits = self.game.pits();
        // A move takes seeds out of play, or brings them nearer to the stores, or passes.
        let key = |position: Position| {
            let distance = position.mover.distance(pits) + position.opponent.distance(pits);
            (position.seeds(), distance, position.mover.is_empty())
        };
        let mut order: Vec<u32> = (0..self.stated.len() as u32).collect();
        order.sort_by_cached_key(|&place| key(self.stated[place as usize].0));
        for (done, place) in order.into_iter().enumerate() {
            if done % SLICE == 0 && stop() {
                return Err(Doubt::Stopped);
            }
            let (position, mut bounds) = self.stated[place as usize];
            if let Some(value) = layers(position)? {
                bounds = both(&self.game, position, bounds, Bounds::just(value), "the solved layers say")
                    .map_err(Doubt::False)?;
            }
            let moves = self.moves(position, layers)?;
            bounds = both(&self.game, position, bounds, moves, "its moves give").map_err(Doubt::False)?;
            self.stated[place as usize].1 = bounds;
        }
        Ok(())
    }

    /// What the positions that can follow say about a position's value.
    fn moves(
        &self,
        position: Position,
        layers: &mut dyn FnMut(Position) -> Result<Option<Margin>, DatabaseError>,
    ) -> Result<Bounds, DatabaseError> {
        if let Some(value) = self.game.over(position) {
            return Ok(Bounds::just(value));
        }
        let least = Margin(i16::MIN);
        let mut best = Bounds { lower: least, upper: least };
        for pit in self.game.legal(position) {
            let sown = self.game.sow(position, pit);
            let own = match self.game.final_margin(&sown) {
                Some(value) => Bounds::just(value),
                None => {
                    let child = match self.places.get(&sown.position) {
                        Some(&place) => self.stated[place as usize].1,
                        None => match layers(sown.position)? {
                            Some(value) => Bounds::just(value),
                            None => of_all(sown.position),
                        },
                    };
                    (if sown.next == Next::Again { child } else { -child }) + sown.gain()
                }
            };
            best = Bounds { lower: best.lower.max(own.lower), upper: best.upper.max(own.upper) };
        }
        Ok(best)
    }
}

/// What is true of every position with so many seeds.
pub(crate) fn of_all(position: Position) -> Bounds {
    let all = Margin(position.seeds() as i16);
    Bounds { lower: -all, upper: all }
}

/// The position as text.
pub(crate) fn text(game: &Game, position: Position) -> String {
    State::new(game.pits(), position).to_string()
}

/// Refuses what is no position of the board.
pub(crate) fn check_position(pits: u8, position: Position) -> Result<(), String> {
    let (mover, opponent) = (position.mover.bits(), position.opponent.bits());
    if (mover | opponent).checked_shr(8 * u32::from(pits)).unwrap_or(0) != 0 {
        return Err(format!("a position has seeds beyond pit {pits}"));
    }
    // Rows with more seeds than a board holds cannot be counted by word tricks.
    let bytes = mover.to_le_bytes().into_iter().chain(opponent.to_le_bytes());
    let seeds: u32 = bytes.map(u32::from).sum();
    if seeds > MAX_SEEDS {
        Err(format!("a position has {seeds} seeds, a board holds at most {MAX_SEEDS}"))
    } else {
        Ok(())
    }
}

/// Refuses bounds that no position of the game with so many seeds can have.
pub(crate) fn check_bounds(game: &Game, position: Position, bounds: Bounds) -> Result<(), String> {
    let Bounds { lower, upper } = bounds;
    let (seeds, all) = (position.seeds(), of_all(position));
    let parity = |bound: Margin| !game.keeps_parity() || (i32::from(bound.0) ^ seeds as i32) & 1 == 0;
    if all.lower <= lower && lower <= upper && upper <= all.upper && parity(lower) && parity(upper) {
        return Ok(());
    }
    Err(format!(
        "the value of {} is given as {lower} to {upper}, which no position with {seeds} seeds has",
        text(game, position)
    ))
}

/// What two statements about one position leave.
fn both(game: &Game, position: Position, one: Bounds, other: Bounds, who: &str) -> Result<Bounds, String> {
    let left = Bounds { lower: one.lower.max(other.lower), upper: one.upper.min(other.upper) };
    if left.lower > left.upper {
        return Err(format!("the value of {} is given as {one}, but {who} {other}", text(game, position)));
    }
    Ok(left)
}
