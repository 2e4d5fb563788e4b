//! Proofs that can be checked without search: one move for the player who proves a bound, all moves of the other player.
//!
//! Claims are kept by levels, and a level is settled after all higher ones. So every claim about a position is known when the
//! position is settled, and the sharpest one serves all. Every claim leads to lower levels: seeds in pits never become more,
//! and a sow that keeps them all brings some nearer to a store. A pass moves nothing, but leaves the player without seeds
//! waiting.

use crate::driver::Ask;
use crate::limits::{Control, Stopped};
use crate::pace::Pace;
use crate::{Bounds, Limits, Oracle, Search, SearchError, Stats};
use kalah_rules::{Game, Margin, Next, Position, SowingGame, Sown};
use std::collections::{BTreeMap, HashMap};

/// A step of a proof: by sowing `pit` the mover of `position` gets at least `window`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The position.
    pub position: Position,
    /// The margin its mover gets at least, from here to the end.
    pub window: Margin,
    /// The pit the mover sows.
    pub pit: u8,
}

/// What taking a proof out of a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// The work.
    pub stats: Stats,
    /// Why the choices are not all of a proof; `None` if they are.
    pub stopped: Option<Stopped>,
}

impl<O: Oracle> Search<O> {
    /// Takes the choices that prove `bounds` of a position, one for every position at which a side that proves something is
    /// to move, and the number of positions that are known to be left. They prove that its mover gets at least the lower one, and the other player at
    /// least minus the upper one. A bound as far away as there are seeds in pits needs no proof and gets none.
    ///
    /// Positions with fewer seeds than `reach`, or than the oracle's reach if that is smaller, are left to the oracle. A search that
    /// has just found the value answers nearly everything from its table. With one thread the same calls give the same choices.
    /// If the bounds are not true, there is no proof, and the answer says [`Stopped::Untrue`].
    ///
    /// # Errors
    /// If the position has too many seeds.
    pub fn choices(
        &mut self,
        position: Position,
        bounds: Bounds,
        reach: u32,
        limits: Limits<'_>,
        take: &mut dyn FnMut(Choice, u64),
    ) -> Result<Choices, SearchError> {
        self.check(position)?;
        let control = Control::new(limits);
        let game = *self.game();
        let reach = reach.min(self.oracle().reach());
        // Where all values are even or all odd, what lies between them means the next sharper one.
        let odd = |bound: Margin| i16::from(game.keeps_parity() && (bound.0 ^ position.seeds() as i16) & 1 != 0);
        let lower = bounds.lower + Margin(odd(bounds.lower));
        let bounds = Bounds { lower, upper: bounds.upper - Margin(odd(bounds.upper)) };
        self.session(position, &control, |ask| {
            control.enter(None, bounds.lower.0, bounds);
            let step = if game.keeps_parity() { 2 } else { 1 };
            let mut proof = Extraction { ask, control: &control, game, step, reach, claims: Claims::new(), take };
            if proof.run(position, bounds).is_none() {
                // If it was not halted, what was to be proved is not true.
                control.halt(Stopped::Untrue);
            }
        });
        Ok(Choices { stats: control.stats(), stopped: control.stopped() })
    }
}

/// Seeds in pits, the pits they still have to travel, and whether the mover has none: what falls with every move.
type Level = (u32, u32, bool);

/// A claim about a position: its mover gets at least, or at most, a margin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Claim {
    AtLeast,
    AtMost,
}

/// Claims that still have to be proved.
struct Claims {
    /// In parts, so that none takes long when it has to grow.
    windows: Vec<HashMap<(Position, Claim), i16>>,
    levels: BTreeMap<Level, Vec<(Position, Claim)>>,
    /// How many there are.
    waiting: u64,
}

impl Claims {
    fn new() -> Claims {
        Claims { windows: vec![HashMap::new(); 256], levels: BTreeMap::new(), waiting: 0 }
    }

    /// The windows of claims about this position and others.
    fn part(&mut self, position: Position) -> &mut HashMap<(Position, Claim), i16> {
        let word = position.mover.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ position.opponent.bits();
        &mut self.windows[(word.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 56) as usize]
    }
}

struct Extraction<'a> {
    ask: &'a mut dyn Ask,
    control: &'a Control<'a>,
    game: Game,
    step: i16,
    reach: u32,
    claims: Claims,
    take: &'a mut dyn FnMut(Choice, u64),
}

impl Extraction<'_> {
    /// Proves everything; `None` if the search was halted or a claim is not true.
    fn run(&mut self, root: Position, bounds: Bounds) -> Option<()> {
        self.claim(root, Claim::AtLeast, bounds.lower.0)?;
        self.claim(root, Claim::AtMost, bounds.upper.0)?;
        let (mut pace, mut steps) = (Pace::new(), 0);
        while let Some((_, claims)) = self.claims.levels.pop_last() {
            for (position, claim) in claims {
                steps += 1;
                if steps >= pace.steps() {
                    steps = 0;
                    pace.look();
                    if !self.control.check() {
                        return None;
                    }
                }
                let window = self.claims.part(position).remove(&(position, claim))?;
                self.claims.waiting -= 1;
                match claim {
                    Claim::AtLeast => {
                        let pit = self.choose(position, window)?;
                        self.follow(position, pit, claim, window)?;
                        (self.take)(Choice { position, window: Margin(window), pit }, self.claims.waiting);
                    }
                    Claim::AtMost => {
                        for pit in self.game.legal(position) {
                            self.follow(position, pit, claim, window)?;
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// Claims of the position after a move what a claim before it needs.
    fn follow(&mut self, position: Position, pit: u8, claim: Claim, window: i16) -> Option<()> {
        let sown = self.game.sow(position, pit);
        if let Some(end) = self.game.final_margin(&sown) {
            return holds(claim, window, end.0, end.0)?.then_some(());
        }
        let (claim, window) = after(&sown, claim, window);
        self.claim(sown.position, claim, window)
    }

    /// Notes a claim unless it is known to be true; `None` if it is known to be false.
    fn claim(&mut self, position: Position, claim: Claim, window: i16) -> Option<()> {
        if let Some(known) = self.known(position, claim, window) {
            return known.then_some(());
        }
        match self.claims.part(position).entry((position, claim)) {
            std::collections::hash_map::Entry::Occupied(mut entry) => {
                let sharper = match claim {
                    Claim::AtLeast => window.max(*entry.get()),
                    Claim::AtMost => window.min(*entry.get()),
                };
                entry.insert(sharper);
            }
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(window);
                let pits = self.game.pits();
                let travel = position.mover.distance(pits) + position.opponent.distance(pits);
                let level = (position.seeds(), travel, position.mover.is_empty());
                self.claims.levels.entry(level).or_default().push((position, claim));
                self.claims.waiting += 1;
            }
        }
        Some(())
    }

    /// Whether a claim is true, if that needs no proof.
    fn known(&mut self, position: Position, claim: Claim, window: i16) -> Option<bool> {
        let seeds = position.seeds();
        if seeds < self.reach || self.game.over(position).is_some() {
            let entry = self.ask.known(position);
            // An oracle that does not know after all leaves its fault to whoever owns it.
            return Some(holds(claim, window, entry.lower, entry.upper).unwrap_or(false));
        }
        holds(claim, window, -(seeds as i16), seeds as i16)
    }

    /// The pit that gets at least `window`: one that needs no further proof, else one whose proof is needed anyway, else what the
    /// search says.
    fn choose(&mut self, position: Position, window: i16) -> Option<u8> {
        let game = self.game;
        let mut open = Vec::with_capacity(8);
        let mut needed = None;
        for pit in game.legal(position).rev() {
            let sown = game.sow(position, pit);
            if let Some(end) = game.final_margin(&sown) {
                if end.0 >= window {
                    return Some(pit);
                }
                continue;
            }
            let (claim, window) = after(&sown, Claim::AtLeast, window);
            match self.known(sown.position, claim, window) {
                Some(true) => return Some(pit),
                Some(false) => continue,
                None => {}
            }
            let claimed = self.claims.part(sown.position).get(&(sown.position, claim)).copied();
            if claimed.is_some_and(|claimed| holds(claim, window, claimed, claimed) == Some(true)) {
                needed.get_or_insert(pit);
            }
            open.push((sown.next == Next::Again, sown.gain(), pit, sown));
        }
        if needed.is_some() {
            return needed;
        }
        if let [(_, _, pit, _)] = open[..] {
            return Some(pit);
        }
        // Asked again, the search leaves the move it found in its table.
        if self.ask.ask(position, window)? < window {
            return None;
        }
        let first = self.ask.known(position).pit;
        open.sort_by_key(|&(again, gain, pit, _)| std::cmp::Reverse((pit == first, again, gain, pit)));
        for (_, _, pit, sown) in open {
            let (claim, window) = after(&sown, Claim::AtLeast, window);
            // At most this much means: not at least the next value above it.
            let asked = if claim == Claim::AtLeast { window } else { window + self.step };
            if (self.ask.ask(sown.position, asked)? >= asked) == (claim == Claim::AtLeast) {
                return Some(pit);
            }
        }
        None
    }
}

/// What a claim before a move comes to after it.
fn after(sown: &Sown, claim: Claim, window: i16) -> (Claim, i16) {
    let gain = sown.gain().0;
    match (sown.next == Next::Again, claim) {
        (true, _) => (claim, window - gain),
        (false, Claim::AtLeast) => (Claim::AtMost, gain - window),
        (false, Claim::AtMost) => (Claim::AtLeast, gain - window),
    }
}

/// Whether a value between `lower` and `upper` makes the claim true; `None` if it depends on which.
fn holds(claim: Claim, window: i16, lower: i16, upper: i16) -> Option<bool> {
    let (sure, impossible) = match claim {
        Claim::AtLeast => (lower >= window, upper < window),
        Claim::AtMost => (upper <= window, lower > window),
    };
    (sure || impossible).then_some(sure)
}
