//! The public face of the search: set up once for a board and an oracle, asked many times.

use crate::code::{Coder, positions_up_to};
use crate::driver::{Driver, Ties, line};
use crate::estimate::Estimate;
use crate::guess::guess;
use crate::limits::Control;
use crate::numbers::Prior;
use crate::room::{LOCAL_BYTES, Room};
use crate::table::{LINE, Memory, PAIR, Plan, Shape};
use crate::{Bounds, Limits, Oracle, SearchError, Stats, Stopped};
use kalah_rules::{Game, LayerKind, MAX_SEEDS, Margin, Position, RuleSet, SowingGame, Sown};

/// A guess takes at most two to this power nodes.
const GUESS_BITS: u32 = 18;

/// Bytes of the table for positions within the oracle's reach. For every four seeds beyond it twice as many are enough.
const TABLE_UNIT: u128 = 2 << 20;

/// How much of the machine a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bytes of the table, at most; a search that will not fill them takes fewer. More saves repeated work, but is slower to
    /// reach.
    pub table_bytes: usize,
    /// Threads that search, at least 1. Values and bounds that are proved exact do not depend on it; node counts do.
    pub threads: usize,
}

impl Default for Options {
    /// A table of 256 MiB and one thread.
    fn default() -> Options {
        Options { table_bytes: 256 << 20, threads: 1 }
    }
}

/// The question asked about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Goal {
    /// Its value and one best move.
    Value,
    /// Its value and that of every move.
    EveryMove,
}

/// One move of the position that was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue {
    /// The pit that is sown.
    pub pit: u8,
    /// What sowing it does.
    pub sown: Sown,
    /// The bounds proved for the margin from before the move, for the player who makes it.
    pub bounds: Bounds,
}

/// What a search found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The bounds proved for the value, for the mover.
    pub bounds: Bounds,
    /// Every legal move: those with the larger lower bound first, then those with the larger upper bound, then the pit
    /// nearest the store. Empty if the game is over.
    pub moves: Vec<MoveValue>,
    /// The work.
    pub stats: Stats,
    /// Why the goal was not reached; `None` if it was.
    pub stopped: Option<Stopped>,
}

impl Answer {
    /// The best move as far as it is proved: the first of [`moves`](Answer::moves). `None` if the game is over.
    pub fn best(&self) -> Option<&MoveValue> {
        self.moves.first()
    }
}

/// The line of play a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The pits, one sow each, to the end of the game. `None` if the search was stopped.
    pub pits: Option<Vec<u8>>,
    /// The work.
    pub stats: Stats,
    /// Why there is no line; `None` if there is.
    pub stopped: Option<Stopped>,
}

/// A search of positions on one board, with its memory of proofs. What one call proves, the next one uses.
///
/// ```
/// use kalah_rules::{Margin, RuleSet, State};
/// use kalah_search::{Goal, Limits, NoOracle, Options, Search};
///
/// let game = RuleSet::default().game(4)?;
/// let start = State::start(4, 3)?.position();
/// let mut search = Search::new(game, &NoOracle, start.seeds(), Options { table_bytes: 1 << 20, threads: 1 })?;
/// let answer = search.solve(start, Goal::Value, None, Limits::default())?;
/// assert_eq!(answer.bounds.exact(), Some(Margin(6)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search<O> {
    pub(crate) game: Game,
    pub(crate) oracle: O,
    pub(crate) coder: Coder,
    pub(crate) room: Room,
    pub(crate) prior: Prior,
    /// Whether the prior has been learnt from the oracle; it is when it is first worth it.
    pub(crate) learnt: bool,
    pub(crate) local_plan: Plan,
    /// One for each thread.
    pub(crate) local_memory: Vec<Memory>,
    seeds: u32,
}

impl<O: Oracle> Search<O> {
    /// A search of positions with at most `seeds` seeds in their pits.
    ///
    /// # Errors
    /// If positions of the game can repeat, a board cannot hold so many seeds, or memory is short.
    pub fn new(game: Game, oracle: O, seeds: u32, options: Options) -> Result<Search<O>, SearchError> {
        if game.layer_kind() == LayerKind::Cyclic {
            return Err(SearchError::Cyclic { rules: rules_of(&game), pits: game.pits(), seeds });
        }
        if seeds > MAX_SEEDS {
            return Err(SearchError::Seeds { found: seeds });
        }
        let coder = Coder::new(game.pits(), seeds);
        let shape = Shape::new(game.pits(), seeds, game.keeps_parity());
        // Of no position there is more than one entry, and positions near the oracle's reach need few nodes: a table larger than
        // the search can fill takes longer to clear than the search.
        let all = positions_up_to(game.pits(), seeds).saturating_mul(4 * size_of::<u64>() as u128);
        let gap = seeds.saturating_sub(oracle.reach());
        let enough = all.min(TABLE_UNIT << (gap / 4));
        let bytes = options.table_bytes.min(usize::try_from(enough).unwrap_or(usize::MAX));
        // Both tables must have entries of the same kind.
        let narrow = Plan::new(coder, shape, bytes, PAIR).narrow;
        let mut local_plan = Plan::new(coder, shape, LOCAL_BYTES.min(bytes), LINE);
        local_plan.narrow &= narrow;
        let threads = options.threads.max(1);
        let short = || SearchError::Memory { bytes };
        let room = Room::new(coder, shape, bytes, local_plan.narrow, threads).ok_or_else(short)?;
        let local_memory: Option<Vec<Memory>> = (0..threads).map(|_| Memory::new(local_plan.bytes())).collect();
        let local_memory = local_memory.ok_or_else(short)?;
        let prior = Prior::new(Estimate::even());
        Ok(Search { game, oracle, coder, room, prior, learnt: false, local_plan, local_memory, seeds })
    }

    /// The game that is searched.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Searches a position until the goal is reached or a limit is.
    ///
    /// `guess` is where to ask first; a good one saves time and a bad one costs time, neither changes the answer. Without
    /// one, a shallow search makes one up.
    ///
    /// # Errors
    /// If the position has too many seeds.
    pub fn solve(
        &mut self,
        position: Position,
        goal: Goal,
        guess: Option<Margin>,
        limits: Limits<'_>,
    ) -> Result<Answer, SearchError> {
        self.check(position)?;
        if let Some(value) = self.game.over(position) {
            let bounds = Bounds::just(value);
            return Ok(Answer { bounds, moves: Vec::new(), stats: Stats::default(), stopped: None });
        }
        let control = Control::new(limits);
        let game = self.game;
        let first = match guess {
            Some(guess) => guess.0,
            None => self.guess(position, &control),
        };
        let (bounds, moves) = self.session(position, &control, |ask| {
            let mut driver = Driver::new(ask, &control, &game, position);
            driver.value(first);
            let bounds = driver.bounds();
            if goal == Goal::EveryMove {
                driver.each_move(bounds.lower.0);
            }
            (driver.bounds(), driver.moves)
        });
        let mut moves = moves;
        moves.sort_by_key(|m| std::cmp::Reverse((m.bounds.lower, m.bounds.upper, m.pit)));
        Ok(Answer { bounds, moves, stats: control.stats(), stopped: control.stopped() })
    }

    /// The line of best play from a position whose value is known.
    ///
    /// Of several moves that keep the value it takes the one that `ties` says. Played to the end, it gives the mover of
    /// `position` exactly `value`. If `value` is not the position's value, there is no line, and the answer says
    /// [`Stopped::Untrue`].
    ///
    /// # Errors
    /// If the position has too many seeds.
    pub fn line(
        &mut self,
        position: Position,
        value: Margin,
        ties: Ties,
        limits: Limits<'_>,
    ) -> Result<Line, SearchError> {
        self.check(position)?;
        if self.game.over(position).is_some() {
            return Ok(Line { pits: Some(Vec::new()), stats: Stats::default(), stopped: None });
        }
        let control = Control::new(limits);
        let game = self.game;
        let pits = self.session(position, &control, |ask| line(ask, &control, &game, position, value, ties));
        Ok(Line { pits, stats: control.stats(), stopped: control.stopped() })
    }

    /// Where to ask first: a shallow search that takes a small part of the work the value will probably take.
    pub(crate) fn guess(&self, position: Position, control: &Control<'_>) -> i16 {
        let (seeds, pits) = (position.seeds(), u32::from(self.game.pits()));
        let gap = seeds.saturating_sub(self.oracle.reach());
        // About a hundredth of what solving starts of such boards took.
        let nodes = 1 << (4 + gap * pits / 18).min(seeds * pits / 16).min(GUESS_BITS);
        let (guess, nodes) = guess(self.game, &self.oracle, position, control.limit(nodes), &|| control.going());
        control.count(Stats { nodes, ..Stats::default() });
        guess.0
    }

    /// What answers questions about positions with few seeds.
    pub fn oracle(&self) -> &O {
        &self.oracle
    }

    /// The table's memory.
    pub(crate) fn room(&mut self) -> &mut Room {
        &mut self.room
    }

    pub(crate) fn check(&self, position: Position) -> Result<(), SearchError> {
        let found = position.seeds();
        if found > self.seeds { Err(SearchError::TooManySeeds { found, most: self.seeds }) } else { Ok(()) }
    }
}

/// The rules a game is played by.
fn rules_of(game: &Game) -> RuleSet {
    RuleSet { game: game.rules(), pie: false }
}
