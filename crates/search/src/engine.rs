//! One question, one answer: is the value of a position at least so much? Fail-soft null-window alpha-beta.
//!
//! Before any child is expanded, all are looked at: finished games, the oracle, the table, and the seeds that are left
//! to win. Often that answers the question at once. What is left is expanded in a fixed order: the table's move, extra
//! moves from the pit nearest the store, then by seeds gained, then pits near the store and with few seeds. A fixed order
//! makes the proofs of different positions share subtrees; every cleverer order of quiet moves that was tried made trees larger.
//!
//! The tree is walked on an explicit stack, a [`Lane`], one a thread, so that no line of play is too long for it. A step of the
//! walk ends when a node's children have been generated and their cache lines asked for; the next step reads them.

use crate::Oracle;
use crate::code::Coder;
use crate::limits::{Control, Stats, Stopped};
use crate::table::{Entry, Table, work};
use crate::team::Team;
use kalah_rules::{Next, Position, SowingGame};

/// The longest line that is followed: far longer than any game of a board that fits memory.
const MAX_DEPTH: usize = 100_000;

/// Positions with fewer seeds than this above the oracle's reach are not remembered: of a hundred questions one or two would
/// meet an answer, and searching anew is cheaper than asking.
const NEAR: u32 = 2;

/// Positions with fewer seeds than this above the oracle's reach are remembered in the thread's local table only: reading the
/// shared one costs more than searching most of them again. Others are worth telling other lanes about.
const FAR: u32 = 4;

/// Nodes whose subtree has fewer nodes than this are remembered in the local table only, too.
const LIGHT: u64 = 8;

/// What the threads of one call share.
pub(crate) struct Shared<'a, G, T, O: ?Sized> {
    pub(crate) game: G,
    pub(crate) oracle: &'a O,
    pub(crate) coder: Coder,
    pub(crate) table: T,
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
}

/// A node that is being searched.
#[derive(Clone, Copy)]
struct Frame<C> {
    code: C,
    seeds: u8,
    table_move: u8,
    best_pit: u8,
    /// Whether one good move is expected to answer the question; other lanes then do not try the next ones meanwhile.
    cut: bool,
    /// Children that are open.
    open: u8,
    /// The child that is being searched.
    current: u8,
    /// Children that wait because other lanes are busy with them: bit by place.
    waiting: u8,
    window: i16,
    best: i16,
    /// Nodes of the lane when it came here.
    before: u64,
    /// In the order of expansion once they have been looked at.
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
            far: reach + FAR,
            reach,
            step,
            company: false,
            stats: Stats::default(),
        }
    }

    /// What is known about a position without search.
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
        match self.enter(lane, &root, true) {
            Some(answer) => Step::Answer(answer),
            None => Step::More,
        }
    }

    /// Looks at the children of the node on top and goes on from there.
    pub(crate) fn step(&mut self, lane: &mut Lane<T::Code>) -> Step {
        let answer = self.look(lane);
        self.go_on(lane, answer)
    }

    /// Goes on until the children of a new node are generated. `answer` is that of the node on top, if it has one.
    fn go_on(&mut self, lane: &mut Lane<T::Code>, mut answer: Option<i16>) -> Step {
        loop {
            if let Some(value) = answer {
                lane.depth -= 1;
                if lane.depth == 0 {
                    return Step::Answer(value);
                }
                answer = self.absorb(lane, value);
                continue;
            }
            answer = match self.choose(lane) {
                None => Some(self.finish(lane)),
                Some(child) => {
                    // After a move that is expected to answer the question, all answers of the opponent must be refuted.
                    let cut = lane.frames[lane.depth - 1].cut == child.again;
                    let answer = self.enter(lane, &child, cut);
                    if answer.is_none() {
                        return Step::More;
                    }
                    answer
                }
            };
        }
    }

    /// Puts a node on top and generates its children without waiting for memory. Answers at once if the seeds that are
    /// left or a finished game decide.
    fn enter(&mut self, lane: &mut Lane<T::Code>, node: &Child<T::Code>, cut: bool) -> Option<i16> {
        let &Child { position, code, seeds, window, table_move, .. } = node;
        let Shared { game, oracle, coder, table, control, .. } = self.shared;
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
                table_move,
                best_pit: 0,
                cut,
                open: 0,
                current: 0,
                waiting: 0,
                window,
                best: 0,
                before: 0,
                children: [Child::default(); 8],
            });
        }
        let frame = &mut lane.frames[lane.depth];
        lane.depth += 1;
        frame.before = lane.nodes;
        lane.nodes += 1;
        self.stats.nodes += 1;
        (frame.code, frame.seeds, frame.window, frame.cut, frame.table_move) = (code, seeds, window, cut, table_move);
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
                }
                self.local.prefetch(child.code);
            }
        }
        (frame.best, frame.best_pit, frame.open) = (best, best_pit, count as u8);
        None
    }

    /// Asks the oracle and the table about the children of the node on top, and puts those that stay open in order.
    fn look(&mut self, lane: &mut Lane<T::Code>) -> Option<i16> {
        let oracle = self.shared.oracle;
        let frame = &mut lane.frames[lane.depth - 1];
        let mut open = 0;
        for index in 0..usize::from(frame.open) {
            let mut child = frame.children[index];
            let seeds = u32::from(child.seeds);
            let entry = if seeds < self.reach {
                self.stats.oracle_probes += 1;
                let value = oracle.value_at(child.place, child.position, seeds);
                value.map_or(Entry::trivial(seeds), |value| Entry::exact(value.0))
            } else if seeds < self.near {
                Entry::trivial(seeds)
            } else {
                self.remembered(child.code, seeds, child.window)
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
            // Insertion into the order of expansion; there are few.
            let mut place = open;
            while place > 0 && frame.children[place - 1].order < child.order {
                frame.children[place] = frame.children[place - 1];
                place -= 1;
            }
            frame.children[place] = child;
            open += 1;
        }
        (frame.open, frame.waiting, frame.current) = (open as u8, ((1u32 << open) - 1) as u8, u8::MAX);
        None
    }

    /// What the tables know of a position about which `window` is asked.
    #[inline]
    fn remembered(&self, code: T::Code, seeds: u32, window: i16) -> Entry {
        let near = self.local.probe(code, seeds);
        if seeds < self.far || near.decides(window).is_some() {
            return near;
        }
        near.and(self.shared.table.probe(code, seeds))
    }

    /// Takes the value of the child that was searched into the node on top; answers if that or another lane decided it.
    fn absorb(&mut self, lane: &mut Lane<T::Code>, value: i16) -> Option<i16> {
        let frame = &mut lane.frames[lane.depth - 1];
        let child = &frame.children[usize::from(frame.current)];
        let value = if child.again { child.gain + value } else { child.gain - value };
        if self.company && u32::from(child.seeds) >= self.far {
            self.shared.team.leave(child.code);
        }
        if value > frame.best {
            (frame.best, frame.best_pit) = (value, child.pit);
            if value >= frame.window {
                return Some(self.finish(lane));
            }
        }
        if self.company { self.decided(lane.depth - 1, lane) } else { None }
    }

    /// The answer for the node at a depth if other lanes have found it meanwhile.
    fn decided(&self, depth: usize, lane: &Lane<T::Code>) -> Option<i16> {
        let frame = &lane.frames[depth];
        if u32::from(frame.seeds) < self.far {
            return None;
        }
        self.shared.table.probe(frame.code, u32::from(frame.seeds)).decides(frame.window)
    }

    /// The next child to expand of the node on top.
    fn choose(&mut self, lane: &mut Lane<T::Code>) -> Option<Child<T::Code>> {
        let frame = &mut lane.frames[lane.depth - 1];
        if !self.company {
            if frame.waiting == 0 {
                return None;
            }
            frame.current = frame.waiting.trailing_zeros() as u8;
            frame.waiting &= frame.waiting - 1;
            return Some(frame.children[usize::from(frame.current)]);
        }
        let mut skip_busy = true;
        loop {
            let mut left = frame.waiting;
            if left == 0 {
                return None;
            }
            while left != 0 {
                let place = left.trailing_zeros();
                left &= left - 1;
                let child = frame.children[place as usize];
                let heavy = u32::from(child.seeds) >= self.far;
                // The first move of a node that expects a cut is worth everybody's help.
                let first = frame.cut && frame.current == u8::MAX;
                if heavy && skip_busy && !first && self.shared.team.is_busy(child.code) {
                    continue;
                }
                frame.waiting &= !(1 << place);
                frame.current = place as u8;
                if heavy {
                    // Another lane may have answered since the look.
                    let entry = self.shared.table.probe(child.code, u32::from(child.seeds));
                    if let Some(value) = entry.decides(child.window) {
                        let value = if child.again { child.gain + value } else { child.gain - value };
                        if value > frame.best {
                            (frame.best, frame.best_pit) = (value, child.pit);
                            if value >= frame.window {
                                frame.waiting = 0;
                                return None;
                            }
                        }
                        continue;
                    }
                    self.shared.team.enter(child.code);
                }
                return Some(child);
            }
            skip_busy = false;
        }
    }

    /// Remembers what is proved about the node on top.
    fn finish(&mut self, lane: &Lane<T::Code>) -> i16 {
        let frame = &lane.frames[lane.depth - 1];
        let seeds = u32::from(frame.seeds);
        let mut entry = Entry { pit: frame.best_pit, work: work(lane.nodes - frame.before), ..Entry::trivial(seeds) };
        *(if frame.best >= frame.window { &mut entry.lower } else { &mut entry.upper }) = frame.best;
        if seeds < self.near {
            // Of no use to anybody else.
        } else if seeds < self.far || lane.nodes - frame.before < LIGHT {
            self.local.store(frame.code, seeds, entry);
        } else {
            self.shared.table.store(frame.code, seeds, entry);
        }
        frame.best
    }

    /// Cuts the walk short where other lanes have answered a node on its path. The answer, if that is the root.
    pub(crate) fn catch_up(&mut self, lane: &mut Lane<T::Code>) -> Step {
        for depth in 0..lane.depth.saturating_sub(1) {
            if let Some(value) = self.decided(depth, lane) {
                for frame in &lane.frames[depth..lane.depth - 1] {
                    let child = &frame.children[usize::from(frame.current)];
                    if u32::from(child.seeds) >= self.far {
                        self.shared.team.leave(child.code);
                    }
                }
                lane.depth = depth;
                if depth == 0 {
                    return Step::Answer(value);
                }
                let answer = self.absorb(lane, value);
                return self.go_on(lane, answer);
            }
        }
        Step::More
    }
}
