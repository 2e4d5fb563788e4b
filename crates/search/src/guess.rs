//! A first guess of a value: a search of a few turns that proves nothing.
//!
//! The work for a value depends on where its windows begin: every window below the value costs a proof that is not needed.

use crate::Oracle;
use kalah_rules::{Margin, Next, Position, SowingGame};

/// Entries of the small table of moves and values, a power of two.
const ENTRIES: usize = 1 << 16;

#[derive(Clone, Copy, Default)]
struct Entry {
    position: Position,
    turns: u8,
    pit: u8,
    lower: i16,
    upper: i16,
}

/// Nodes between two questions whether to go on, a power of two.
const ASK_EVERY: u64 = 64;

struct Guesser<'a, G, O: ?Sized> {
    game: G,
    /// Whether to go on.
    going: &'a dyn Fn() -> bool,
    oracle: &'a O,
    table: Vec<Entry>,
    nodes: u64,
    most: u64,
}

/// A guess of the value of a position in which the game is not over, from at most `nodes` nodes, and how many it took. The
/// same every time, unless `going` says that there is no time for more.
pub(crate) fn guess<G: SowingGame, O: Oracle + ?Sized>(
    game: G,
    oracle: &O,
    position: Position,
    nodes: u64,
    going: &dyn Fn() -> bool,
) -> (Margin, u64) {
    let mut guesser = Guesser { game, going, oracle, table: vec![Entry::default(); ENTRIES], nodes: 0, most: nodes };
    let seeds = position.seeds() as i16;
    let (mut last, mut before) = (0, 0);
    for turns in 1..=u8::MAX {
        let Some(value) = guesser.search(position, turns, -seeds, seeds) else { break };
        (before, last) = (last, value);
    }
    // Deeper searches of starts think more of the mover; of two neighbouring depths the higher value is the better guess.
    (Margin(last.max(before)), guesser.nodes)
}

impl<G: SowingGame, O: Oracle + ?Sized> Guesser<'_, G, O> {
    /// The value at `turns` more turns, fail-soft between `alpha` and `beta`; `None` once the nodes are used up.
    fn search(&mut self, position: Position, turns: u8, alpha: i16, beta: i16) -> Option<i16> {
        let seeds = position.seeds();
        if seeds < self.oracle.reach()
            && let Some(value) = self.oracle.value(position, seeds)
        {
            return Some(value.0);
        }
        if turns == 0 {
            // Seeds tend to be won by the player on whose side they lie; half of the surplus fits starts best.
            return Some((position.mover.seeds() as i16 - position.opponent.seeds() as i16) / 2);
        }
        self.nodes += 1;
        if self.nodes > self.most || (self.nodes.is_multiple_of(ASK_EVERY) && !(self.going)()) {
            return None;
        }
        let key = position.mover.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ position.opponent.bits();
        let place = (key.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize % ENTRIES;
        let entry = self.table[place];
        let mut first = 0;
        if entry.position == position {
            first = entry.pit;
            if entry.turns == turns {
                if entry.lower >= beta {
                    return Some(entry.lower);
                }
                if entry.upper <= alpha {
                    return Some(entry.upper);
                }
            }
        }
        let mut moves = [(0i32, 0u8); 8];
        let mut count = 0;
        for pit in self.game.legal(position) {
            let sown = self.game.sow(position, pit);
            let order = match sown.next {
                _ if pit == first => 1 << 20,
                Next::Again => 1 << 16,
                _ => i32::from(sown.gain().0) << 4,
            };
            moves[count] = (order | i32::from(pit), pit);
            count += 1;
        }
        moves[..count].sort_unstable_by_key(|m| std::cmp::Reverse(m.0));
        let (mut best, mut best_pit) = (i16::MIN, 0);
        for &(_, pit) in &moves[..count] {
            let sown = self.game.sow(position, pit);
            let gain = sown.gain().0;
            let floor = alpha.max(best);
            let value = match (self.game.final_margin(&sown), sown.next) {
                (Some(value), _) => value.0,
                // Extra moves belong to the same turn.
                (None, Next::Again) => gain + self.search(sown.position, turns, floor - gain, beta - gain)?,
                (None, _) => gain - self.search(sown.position, turns - 1, gain - beta, gain - floor)?,
            };
            if value > best {
                (best, best_pit) = (value, pit);
                if best >= beta {
                    break;
                }
            }
        }
        let (lower, upper) = (if best > alpha { best } else { i16::MIN }, if best < beta { best } else { i16::MAX });
        self.table[place] = Entry { position, turns, pit: best_pit, lower, upper };
        Some(best)
    }
}
