//! One question, one answer: is the value of a position at least so much? Fail-soft null-window alpha-beta.
//!
//! Before any child is expanded, all are looked at: finished games, the oracle, the table, and the seeds that are left
//! to win. Often that answers the question at once. What is left is expanded in a fixed order: the table's move, extra
//! moves from the pit nearest the store, then by seeds gained, then the pit nearest the store. A fixed order makes the
//! proofs of different positions share subtrees; every cleverer order of quiet moves that was tried made trees larger.

use crate::Oracle;
use crate::code::Coder;
use crate::limits::{Control, Stats, Stopped};
use crate::table::{Entry, Table, work};
use kalah_rules::{Margin, Next, Position, SowingGame};

/// Nodes between two looks at the limits.
const CHECK_EVERY: u64 = 512;

/// The longest line that is followed. No game of a board that fits memory comes near; the stack holds it.
pub(crate) const MAX_DEPTH: u32 = 100_000;

/// What the threads of one call share.
pub(crate) struct Shared<'a, G, T, O: ?Sized> {
    pub(crate) game: G,
    pub(crate) oracle: &'a O,
    pub(crate) coder: Coder,
    pub(crate) table: &'a T,
    pub(crate) control: &'a Control<'a>,
}

/// One thread at work.
pub(crate) struct Worker<'a, G, T: Table, O: ?Sized> {
    shared: &'a Shared<'a, G, T, O>,
    /// The oracle knows positions with fewer seeds.
    reach: u32,
    /// The distance of two neighbouring values of a position.
    step: i16,
    /// Work that is not yet counted in the control.
    stats: Stats,
    /// All nodes of this worker.
    nodes: u64,
    /// Whether answers mean nothing any more because the search was halted.
    halted: bool,
    depth: u32,
}

/// A move whose outcome is not known without search.
#[derive(Clone, Copy, Default)]
struct Child<C> {
    position: Position,
    code: C,
    /// Won by the player who sowed.
    gain: i16,
    seeds: u32,
    /// The child's window, from its own mover's view.
    window: i16,
    again: bool,
    pit: u8,
    /// The table's move of the child.
    table_move: u8,
    order: i32,
}

impl<'a, G: SowingGame, T: Table, O: Oracle + ?Sized> Worker<'a, G, T, O> {
    pub(crate) fn new(shared: &'a Shared<'a, G, T, O>) -> Worker<'a, G, T, O> {
        let step = if shared.game.keeps_parity() { 2 } else { 1 };
        let reach = shared.oracle.reach();
        Worker { shared, reach, step, stats: Stats::default(), nodes: 0, halted: false, depth: 0 }
    }

    /// What is known about a position without search.
    pub(crate) fn known(&mut self, position: Position) -> Entry {
        let exact = |value: Margin| Entry { lower: value.0, upper: value.0, pit: 0, work: 0 };
        if let Some(value) = self.shared.game.over(position) {
            return exact(value);
        }
        let seeds = position.seeds();
        if seeds < self.reach {
            self.stats.oracle_probes += 1;
            if let Some(value) = self.shared.oracle.value(position, seeds) {
                return exact(value);
            }
        }
        self.shared.table.probe(self.shared.coder.mixed(position), seeds)
    }

    /// Whether the value of `position`, in which the game is not over, is at least `window`: an answer of `window` or
    /// more is a lower bound, a smaller one is an upper bound. `None` if the search was halted.
    pub(crate) fn ask(&mut self, position: Position, window: i16) -> Option<i16> {
        let seeds = position.seeds();
        let entry = self.known(position);
        if entry.lower >= window {
            return Some(entry.lower);
        }
        if entry.upper < window {
            return Some(entry.upper);
        }
        let answer = self.expand(position, seeds, self.shared.coder.mixed(position), window, entry.pit);
        self.flush();
        (!self.halted).then_some(answer)
    }

    /// The distance of two neighbouring values of a position.
    pub(crate) fn step(&self) -> i16 {
        self.step
    }

    pub(crate) fn flush(&mut self) {
        self.shared.control.count(std::mem::take(&mut self.stats));
        self.shared.control.check();
        self.halted |= self.shared.control.halted();
    }

    /// The answer for a position about which neither the oracle nor the table knows enough. Meaningless once halted.
    fn expand(&mut self, position: Position, seeds: u32, code: T::Code, window: i16, table_move: u8) -> i16 {
        let Shared { game, oracle, coder, table, control } = *self.shared;
        let before = self.nodes;
        self.nodes += 1;
        self.stats.nodes += 1;
        if self.stats.nodes >= CHECK_EVERY {
            self.flush();
        }
        if self.depth >= MAX_DEPTH {
            control.halt(Stopped::Depth);
            self.halted = true;
        }
        if self.halted {
            return window;
        }

        let mut best = i16::MIN;
        let mut best_pit = 0;
        let mut children = [Child::<T::Code>::default(); 8];
        let mut count = 0;
        // The first look costs no memory access; it only asks for what the second look will read.
        for pit in game.legal(position).rev() {
            let sown = game.sow(position, pit);
            let gain = sown.gain().0;
            if sown.next == Next::Over {
                let value = gain + game.leftovers(sown.position).margin().0;
                if value >= window {
                    return value;
                }
                if value > best {
                    (best, best_pit) = (value, pit);
                }
                continue;
            }
            let left = seeds - u32::from(sown.mover_gain) - u32::from(sown.opponent_gain);
            if gain - left as i16 >= window {
                return gain - left as i16;
            }
            if gain + (left as i16) < window {
                if gain + left as i16 > best {
                    (best, best_pit) = (gain + left as i16, pit);
                }
                continue;
            }
            let again = sown.next == Next::Again;
            let mut child = Child {
                position: sown.position,
                code: T::Code::default(),
                gain,
                seeds: left,
                window: if again { window - gain } else { gain - window + self.step },
                again,
                pit,
                table_move: 0,
                order: if pit == table_move {
                    i32::MAX
                } else if again {
                    1 << 16 | i32::from(pit)
                } else {
                    i32::from(gain) << 4 | i32::from(pit)
                },
            };
            if left < self.reach {
                oracle.prefetch(child.position, left);
            } else {
                child.code = coder.mixed(child.position);
                std::hint::black_box(table.touch(child.code));
            }
            children[count] = child;
            count += 1;
        }

        // The second look asks the oracle and the table.
        let mut open = 0;
        for index in 0..count {
            let mut child = children[index];
            let entry = if child.seeds < self.reach {
                self.stats.oracle_probes += 1;
                match oracle.value(child.position, child.seeds) {
                    Some(value) => Entry { lower: value.0, upper: value.0, pit: 0, work: 0 },
                    None => {
                        child.code = coder.mixed(child.position);
                        table.probe(child.code, child.seeds)
                    }
                }
            } else {
                table.probe(child.code, child.seeds)
            };
            let (lower, upper) = if child.again {
                (child.gain + entry.lower, child.gain + entry.upper)
            } else {
                (child.gain - entry.upper, child.gain - entry.lower)
            };
            if lower >= window {
                self.stats.table_hits += u64::from(child.seeds >= self.reach);
                return lower;
            }
            if upper < window {
                self.stats.table_hits += u64::from(child.seeds >= self.reach);
                if upper > best {
                    (best, best_pit) = (upper, child.pit);
                }
                continue;
            }
            child.table_move = entry.pit;
            // Insertion into the order of expansion; there are few.
            let mut place = open;
            while place > 0 && children[place - 1].order < child.order {
                children[place] = children[place - 1];
                place -= 1;
            }
            children[place] = child;
            open += 1;
        }

        for child in &children[..open] {
            self.depth += 1;
            let answer = self.expand(child.position, child.seeds, child.code, child.window, child.table_move);
            self.depth -= 1;
            if self.halted {
                return window;
            }
            let value = if child.again { child.gain + answer } else { child.gain - answer };
            if value > best {
                (best, best_pit) = (value, child.pit);
                if best >= window {
                    break;
                }
            }
        }

        let trivial = Entry::trivial(seeds);
        let (lower, upper) = if best >= window { (best, trivial.upper) } else { (trivial.lower, best) };
        table.store(code, seeds, Entry { lower, upper, pit: best_pit, work: work(self.nodes - before) });
        best
    }
}
