//! One question, one answer: is the value of a position at least so much? Depth-first proof-number search, with fail-soft
//! alpha-beta below it.
//!
//! Before any child is expanded, all are looked at: finished games, the oracle, the table, and the seeds that are left
//! to win. Often that answers the question at once.
//!
//! Near the oracle's reach what is left is expanded in a fixed order, each child to its answer. Further away nodes are
//! heavy: a child is searched only until another one looks easier, by proof and disproof numbers (Allis 1994) kept on the way
//! down and up (df-pn, Nagai 2002). They begin with what the position is probably worth, see
//! [`estimate`](crate::estimate). A child's limit lies half above the next best, so that the walk does not jump to
//! and fro (Pawlewicz and Lew 2006).
//!
//! The tree is walked on an explicit stack, a [`Lane`], one a thread, so that no line of play is too long for it. A step of the
//! walk ends when a node's children have been generated and their cache lines asked for; the next step reads them.

use crate::Oracle;
use crate::code::Coder;
use crate::limits::{Control, Stats, Stopped};
use crate::numbers::{Effort, Numbers, Prior};
use crate::room::Pages;
use crate::table::{Entry, Table, work};
use crate::team::Team;
use kalah_rules::{Next, Position, SowingGame};

/// The longest line that is followed: far longer than any game of a board that fits memory.
const MAX_DEPTH: usize = 100_000;

/// Positions with fewer seeds than this above the oracle's reach are not remembered: of a hundred questions one or two would
/// meet an answer, and searching anew is cheaper than asking.
const NEAR: u32 = 2;

/// Positions with fewer seeds than this above the oracle's reach are remembered in the thread's local table only: reading the
/// shared one costs more than searching most of them again. Others have numbers and are worth telling other lanes about. A search
/// that begins `gap` seeds above the reach fills more memory the larger that is, and its heavy nodes cost more time.
fn far(gap: u32) -> u32 {
    if gap < 30 { 4 } else { 6 }
}

/// How much harder than its best brother a child may become before that one is turned to.
const PATIENCE: f32 = 1.5;

/// Only a child with at least this work so far, as in table entries, is worth telling other lanes about.
const WORTH_A_WORD: u8 = 6;

/// A node this many nodes of the lane ago may have been answered by another lane meanwhile.
const LONG_AGO: u64 = 256;

/// How much harder a child looks while another lane is at work there.
const BUSY: f32 = 4.0;

/// Everything that the threads of one call share.
pub(crate) struct Shared<'a, G, T, O: ?Sized> {
    pub(crate) game: G,
    pub(crate) oracle: &'a O,
    pub(crate) coder: Coder,
    pub(crate) table: T,
    /// The memory behind the table and the numbers.
    pub(crate) pages: Pages<'a>,
    pub(crate) numbers: Numbers<'a>,
    pub(crate) prior: &'a Prior,
    pub(crate) control: &'a Control<'a>,
    pub(crate) team: &'a Team,
}

/// A move whose outcome is not known without search.
#[derive(Clone, Copy, Default)]
struct Child<C> {
    position: Position,
    code: C,
    /// Where the oracle has its value, if it is within the oracle's reach.
    place: u64,
    /// Won by the player who sowed.
    gain: i16,
    /// The child's window, from its own mover's view.
    window: i16,
    seeds: u8,
    pit: u8,
    /// The table's move of the child.
    table_move: u8,
    again: bool,
    order: i32,
    /// The work left to prove that this move reaches its parent's window, or that it does not. Only for heavy nodes.
    effort: Effort,
}

/// A node that is being searched.
#[derive(Clone, Copy)]
struct Frame<C> {
    code: C,
    seeds: u8,
    best_pit: u8,
    /// Whether its children are chosen by their numbers.
    heavy: bool,
    /// Children that are to be looked at.
    open: u8,
    /// The child that is being searched.
    current: u8,
    /// Children that have no answer yet: bit by place.
    waiting: u8,
    /// Children that are not heavy: bit by place.
    light: u8,
    /// Nodes of earlier visits, as in table entries.
    work: u8,
    window: i16,
    best: i16,
    /// The node is left unanswered when the effort to prove its window is no longer below this,
    proof_limit: f32,
    /// or that to disprove it no longer below this.
    disproof_limit: f32,
    /// Nodes of the lane when it came here.
    before: u64,
    children: [Child<C>; 8],
}

/// One walk through the tree.
pub(crate) struct Lane<C> {
    frames: Vec<Frame<C>>,
    depth: usize,
    nodes: u64,
}

impl<C> Lane<C> {
    pub(crate) fn new() -> Lane<C> {
        Lane { frames: Vec::new(), depth: 0, nodes: 0 }
    }
}

/// What one lane's step found out.
pub(crate) enum Step {
    /// The walk goes on.
    More,
    /// The answer for the root.
    Answer(i16),
}

/// What comes back from a node.
#[derive(Clone, Copy)]
enum Outcome {
    /// A bound that answers its question.
    Value(i16),
    /// No answer yet: others look easier now.
    Open(Effort),
}

/// One thread's side of the search.
pub(crate) struct Worker<'a, G, T: Table, O: ?Sized> {
    pub(crate) shared: &'a Shared<'a, G, T, O>,
    /// A small table of this thread alone, near enough to be read without waiting.
    local: T,
    /// Positions with fewer seeds are in no table.
    near: u32,
    /// Positions with fewer seeds are looked for in the local table only.
    far: u32,
    /// The oracle knows positions with fewer seeds.
    reach: u32,
    /// The distance of two neighbouring values of a position.
    step: i16,
    /// Counts questions, so that the numbers of old ones give way first.
    pub(crate) age: u64,
    /// Whether other lanes walk the same tree.
    pub(crate) company: bool,
    /// Work that is not yet counted in the control.
    stats: Stats,
}

impl<'a, G: SowingGame, T: Table, O: Oracle + ?Sized> Worker<'a, G, T, O> {
    pub(crate) fn new(shared: &'a Shared<'a, G, T, O>, local: T) -> Worker<'a, G, T, O> {
        let step = if shared.game.keeps_parity() { 2 } else { 1 };
        let reach = shared.oracle.reach();
        Worker {
            shared,
            local,
            near: reach + NEAR,
            far: reach + far(shared.coder.seeds().saturating_sub(reach)),
            reach,
            step,
            age: 0,
            company: false,
            stats: Stats::default(),
        }
    }

    /// The bounds of a position that are known without search.
    pub(crate) fn known(&mut self, position: Position) -> Entry {
        if let Some(value) = self.shared.game.over(position) {
            return Entry::exact(value.0);
        }
        let seeds = position.seeds();
        if seeds < self.reach {
            self.stats.oracle_probes += 1;
            if let Some(value) = self.shared.oracle.value(position, seeds) {
                return Entry::exact(value.0);
            }
        }
        let code = self.shared.coder.mixed(position);
        self.local.probe(code, seeds).and(self.shared.table.probe(code, seeds))
    }

    /// Counts the work done since the last time.
    pub(crate) fn flush(&mut self) {
        self.shared.control.count(std::mem::take(&mut self.stats));
    }

    /// Nodes that are not counted yet.
    #[inline]
    pub(crate) fn uncounted(&self) -> u64 {
        self.stats.nodes
    }

    /// Begins a walk at a position in which the game is not over and about which nothing is known that answers the
    /// question.
    pub(crate) fn begin(&mut self, lane: &mut Lane<T::Code>, position: Position, window: i16, table_move: u8) -> Step {
        lane.depth = 0;
        let code = self.shared.coder.mixed(position);
        let root = Child { position, code, seeds: position.seeds() as u8, window, table_move, ..Child::default() };
        match self.enter(lane, &root, f32::INFINITY, f32::INFINITY) {
            Some(answer) => Step::Answer(answer),
            None => Step::More,
        }
    }

    /// Looks at the children of the node on top and goes on from there.
    pub(crate) fn step(&mut self, lane: &mut Lane<T::Code>) -> Step {
        let answer = self.look(lane);
        self.go_on(lane, answer.map(Outcome::Value))
    }

    /// Goes on until the children of a new node are generated. `outcome` is that of the node on top, if it has one.
    fn go_on(&mut self, lane: &mut Lane<T::Code>, mut outcome: Option<Outcome>) -> Step {
        loop {
            if let Some(known) = outcome {
                lane.depth -= 1;
                if lane.depth == 0 {
                    match known {
                        Outcome::Value(value) => return Step::Answer(value),
                        // The root has no limits.
                        Outcome::Open(_) => unreachable!("a root was left unanswered"),
                    }
                }
                outcome = self.absorb(lane, known).map(Outcome::Value);
                continue;
            }
            outcome = match self.choose(lane) {
                Err(outcome) => Some(outcome),
                Ok((child, proof_limit, disproof_limit)) => {
                    match self.enter(lane, &child, proof_limit, disproof_limit) {
                        Some(answer) => Some(Outcome::Value(answer)),
                        None => return Step::More,
                    }
                }
            };
        }
    }

    /// Puts a node on top and generates its children without waiting for memory. Answers at once if the seeds that are
    /// left or a finished game decide.
    fn enter(
        &mut self,
        lane: &mut Lane<T::Code>,
        node: &Child<T::Code>,
        proof_limit: f32,
        disproof_limit: f32,
    ) -> Option<i16> {
        let &Child { position, code, seeds, window, table_move, .. } = node;
        let Shared { game, oracle, coder, table, numbers, control, .. } = self.shared;
        if lane.depth == lane.frames.len() {
            if lane.depth >= MAX_DEPTH {
                control.halt(Stopped::Depth);
                lane.depth += 1;
                lane.frames.push(lane.frames[0]);
                return Some(window);
            }
            lane.frames.push(Frame {
                code,
                seeds,
                best_pit: 0,
                heavy: false,
                open: 0,
                current: 0,
                waiting: 0,
                light: 0,
                work: 0,
                window,
                best: 0,
                proof_limit,
                disproof_limit,
                before: 0,
                children: [Child::default(); 8],
            });
        }
        let frame = &mut lane.frames[lane.depth];
        lane.depth += 1;
        frame.before = lane.nodes;
        lane.nodes += 1;
        self.stats.nodes += 1;
        (frame.code, frame.seeds, frame.window) = (code, seeds, window);
        (frame.proof_limit, frame.disproof_limit) = (proof_limit, disproof_limit);
        frame.heavy = u32::from(seeds) >= self.far;
        frame.work = if frame.heavy { node.effort.work } else { 0 };
        let (mut best, mut best_pit) = (i16::MIN, 0);
        let mut count = 0;
        for pit in game.legal(position).rev() {
            let sown = game.sow(position, pit);
            let gain = sown.gain().0;
            if sown.next == Next::Over {
                let value = gain + game.leftovers(sown.position).margin().0;
                if value >= window {
                    return Some(value);
                }
                if value > best {
                    (best, best_pit) = (value, pit);
                }
                continue;
            }
            let left = seeds - sown.mover_gain - sown.opponent_gain;
            let most = i16::from(left);
            if gain - most >= window {
                return Some(gain - most);
            }
            if gain + most < window {
                if gain + most > best {
                    (best, best_pit) = (gain + most, pit);
                }
                continue;
            }
            let again = sown.next == Next::Again;
            let child = &mut frame.children[count];
            count += 1;
            child.position = sown.position;
            child.gain = gain;
            child.window = if again { window - gain } else { gain - window + self.step };
            child.seeds = left;
            child.pit = pit;
            child.again = again;
            child.order = if pit == table_move {
                i32::MAX
            } else if again {
                1 << 16 | i32::from(pit)
            } else {
                // Weights found by trying: see docs/search.md.
                32 * i32::from(gain) + 2 * i32::from(pit) - i32::from(position.mover.pit(pit))
            };
            if u32::from(left) < self.reach {
                child.place = oracle.locate(child.position, u32::from(left));
            } else if u32::from(left) >= self.near {
                child.code = coder.mixed(child.position);
                if u32::from(left) >= self.far {
                    table.prefetch(child.code);
                    numbers.prefetch(numbers.place(child.code, child.window));
                } else {
                    self.local.prefetch(child.code);
                }
            }
        }
        (frame.best, frame.best_pit, frame.open) = (best, best_pit, count as u8);
        None
    }

    /// Asks the oracle and the table about the children of the node on top.
    fn look(&mut self, lane: &mut Lane<T::Code>) -> Option<i16> {
        let oracle = self.shared.oracle;
        let frame = &mut lane.frames[lane.depth - 1];
        (frame.waiting, frame.light) = (0, 0);
        for index in 0..usize::from(frame.open) {
            let child = &mut frame.children[index];
            let seeds = u32::from(child.seeds);
            let entry = if seeds < self.reach {
                self.stats.oracle_probes += 1;
                let value = oracle.value_at(child.place, child.position, seeds);
                value.map_or(Entry::trivial(seeds), |value| Entry::exact(value.0))
            } else if seeds < self.near {
                Entry::trivial(seeds)
            } else if seeds < self.far {
                self.local.probe(child.code, seeds)
            } else {
                self.shared.table.probe(child.code, seeds)
            };
            let (lower, upper) = if child.again {
                (child.gain + entry.lower, child.gain + entry.upper)
            } else {
                (child.gain - entry.upper, child.gain - entry.lower)
            };
            if lower >= frame.window {
                self.stats.table_hits += u64::from(seeds >= self.reach);
                return Some(lower);
            }
            if upper < frame.window {
                self.stats.table_hits += u64::from(seeds >= self.reach);
                if upper > frame.best {
                    (frame.best, frame.best_pit) = (upper, child.pit);
                }
                continue;
            }
            child.table_move = entry.pit;
            frame.waiting |= 1 << index;
            if seeds < self.far {
                frame.light |= 1 << index;
                child.effort.work = 0;
            } else {
                child.effort = self.effort(child);
            }
        }
        None
    }

    /// The effort of a heavy child's question, seen from its parent.
    #[inline]
    fn effort(&self, child: &Child<T::Code>) -> Effort {
        let Shared { numbers, prior, .. } = self.shared;
        let noted = numbers.get(numbers.place(child.code, child.window));
        let above = u32::from(child.seeds) - self.reach;
        let effort = noted.unwrap_or_else(|| prior.of(child.position, above, child.window));
        if child.again { effort } else { effort.turned() }
    }

    /// Takes the outcome of the child that was searched into the node on top; answers if that or another lane decided it.
    fn absorb(&mut self, lane: &mut Lane<T::Code>, outcome: Outcome) -> Option<i16> {
        let frame = &mut lane.frames[lane.depth - 1];
        let child = &mut frame.children[usize::from(frame.current)];
        if self.company && child.effort.work >= WORTH_A_WORD {
            self.shared.team.leave(child.code);
        }
        let stale = self.company && lane.nodes - frame.before >= LONG_AGO;
        match outcome {
            Outcome::Value(value) => {
                let place = usize::from(frame.current);
                if let Some(answer) = self.settle(lane, place, value) {
                    return Some(answer);
                }
            }
            Outcome::Open(effort) => child.effort = if child.again { effort } else { effort.turned() },
        }
        if stale { self.decided(lane.depth - 1, lane) } else { None }
    }

    /// Takes a child's answer into the node on top; answers if that decides it.
    fn settle(&mut self, lane: &mut Lane<T::Code>, place: usize, value: i16) -> Option<i16> {
        let frame = &mut lane.frames[lane.depth - 1];
        let child = &frame.children[place];
        let value = if child.again { child.gain + value } else { child.gain - value };
        frame.waiting &= !(1 << place);
        if value > frame.best {
            (frame.best, frame.best_pit) = (value, child.pit);
            if value >= frame.window {
                return Some(self.finish(lane));
            }
        }
        None
    }

    /// The answer for the node at a depth if other lanes have found it meanwhile.
    fn decided(&self, depth: usize, lane: &Lane<T::Code>) -> Option<i16> {
        let frame = &lane.frames[depth];
        if !frame.heavy {
            return None;
        }
        self.shared.table.probe(frame.code, u32::from(frame.seeds)).decides(frame.window)
    }

    /// The next child to search of the node on top, with its limits, or what comes back from the node.
    fn choose(&mut self, lane: &mut Lane<T::Code>) -> Result<(Child<T::Code>, f32, f32), Outcome> {
        loop {
            let frame = &mut lane.frames[lane.depth - 1];
            if frame.waiting == 0 {
                return Err(Outcome::Value(self.finish(lane)));
            }
            // Light children cost little, so they come first, in order and each to its end.
            let ready = frame.waiting & frame.light;
            if ready != 0 {
                let first = bits(ready)
                    .reduce(|best, at| if frame.children[at].order > frame.children[best].order { at } else { best });
                frame.current = first.unwrap_or(0) as u8;
                return Ok((frame.children[usize::from(frame.current)], f32::INFINITY, f32::INFINITY));
            }
            let (mut proof, mut disproof) = (f32::INFINITY, 0.0);
            for at in bits(frame.waiting) {
                let effort = &frame.children[at].effort;
                proof = proof.min(effort.proof);
                disproof += effort.disproof;
            }
            // However large the sum, it is less than the root's limit.
            let disproof = f32::min(disproof, f32::MAX);
            if proof >= frame.proof_limit || disproof >= frame.disproof_limit {
                return Err(Outcome::Open(self.leave(lane, proof, disproof)));
            }
            // Where all moves are to be refuted, lanes share them; where one will do, they search it together.
            let apart = self.company && disproof < proof;
            let (mut first, mut second, mut place) = (f32::INFINITY, f32::INFINITY, 0);
            for at in bits(frame.waiting) {
                let child = &frame.children[at];
                let mut looks = child.effort.proof;
                if looks >= frame.proof_limit {
                    // Not to be searched from here.
                    looks = looks.max(f32::MAX / 2.0);
                } else if apart && child.effort.work >= WORTH_A_WORD && self.shared.team.is_busy(child.code) {
                    looks *= BUSY;
                }
                if looks < first {
                    (second, first, place) = (first, looks, at);
                } else if looks < second {
                    second = looks;
                }
            }
            frame.current = place as u8;
            let child = frame.children[place];
            if self.company && lane.nodes - frame.before >= LONG_AGO {
                // Another lane may have answered since the look.
                let entry = self.shared.table.probe(child.code, u32::from(child.seeds));
                if let Some(value) = entry.decides(child.window) {
                    match self.settle(lane, place, value) {
                        Some(answer) => return Err(Outcome::Value(answer)),
                        None => continue,
                    }
                }
                // Or it has come much further there than this lane knows.
                let effort = self.effort(&child);
                if effort.work > child.effort.work {
                    frame.children[place].effort = effort;
                    continue;
                }
            }
            if self.company && child.effort.work >= WORTH_A_WORD {
                self.shared.team.enter(child.code);
            }
            let proof_limit = frame.proof_limit.min(second * PATIENCE);
            let others = disproof - child.effort.disproof;
            // Rounding must not leave the child without room.
            let disproof_limit = (frame.disproof_limit - others).max(child.effort.disproof * 1.001);
            let (proof_limit, disproof_limit) =
                if child.again { (proof_limit, disproof_limit) } else { (disproof_limit, proof_limit) };
            return Ok((child, proof_limit, disproof_limit));
        }
    }

    /// Nodes of all visits to the node on top, as far as they are known.
    fn nodes_of(lane: &Lane<T::Code>) -> u64 {
        let frame = &lane.frames[lane.depth - 1];
        let earlier = 1u64.checked_shl(u32::from(frame.work)).unwrap_or(0) / 2;
        earlier + lane.nodes - frame.before
    }

    /// Notes how far the node on top is, which is left without an answer.
    fn leave(&mut self, lane: &Lane<T::Code>, proof: f32, disproof: f32) -> Effort {
        let frame = &lane.frames[lane.depth - 1];
        let effort = Effort { proof, disproof, work: work(Self::nodes_of(lane)) };
        let numbers = self.shared.numbers;
        numbers.set(numbers.place(frame.code, frame.window), self.age, effort);
        effort
    }

    /// Remembers what is proved about the node on top.
    fn finish(&mut self, lane: &Lane<T::Code>) -> i16 {
        let frame = &lane.frames[lane.depth - 1];
        let seeds = u32::from(frame.seeds);
        let nodes = Self::nodes_of(lane);
        let mut entry = Entry { pit: frame.best_pit, work: work(nodes), ..Entry::trivial(seeds) };
        *(if frame.best >= frame.window { &mut entry.lower } else { &mut entry.upper }) = frame.best;
        if seeds < self.near {
            // Of no use to anybody else.
        } else if seeds < self.far {
            self.local.store(frame.code, seeds, entry);
        } else {
            self.shared.table.store(frame.code, seeds, entry);
        }
        if frame.work != 0 {
            let numbers = self.shared.numbers;
            numbers.forget(numbers.place(frame.code, frame.window));
        }
        frame.best
    }

    /// Cuts the walk short where other lanes have answered a node on its path. The answer, if that is the root.
    pub(crate) fn catch_up(&mut self, lane: &mut Lane<T::Code>) -> Step {
        for depth in 0..lane.depth.saturating_sub(1) {
            if let Some(value) = self.decided(depth, lane) {
                for frame in &lane.frames[depth..lane.depth - 1] {
                    let child = &frame.children[usize::from(frame.current)];
                    if child.effort.work >= WORTH_A_WORD {
                        self.shared.team.leave(child.code);
                    }
                }
                lane.depth = depth;
                if depth == 0 {
                    return Step::Answer(value);
                }
                let answer = self.absorb(lane, Outcome::Value(value));
                return self.go_on(lane, answer.map(Outcome::Value));
            }
        }
        Step::More
    }
}

/// The places of the ones, lowest first.
#[inline]
fn bits(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            place
        })
    })
}
