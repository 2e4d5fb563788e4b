//! Whole game graphs, counted node by node: pits, both stores and the side to move.

use crate::reproduce::board::{Board, Turn};
use crate::reproduce::number::Letter;
use crate::reproduce::quantity::GraphKind;
use kalah_rules::{KalahRules, Margin};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What there is to count in a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GraphCounts {
    /// All nodes.
    pub(crate) nodes: u64,
    /// Nodes in which the game is not over.
    pub(crate) inner: u64,
    /// Nodes won, lost and drawn for the first player, by the seeds in both stores and in their own, row by row.
    cells: Vec<[u64; 3]>,
    seeds: u32,
}

impl GraphCounts {
    /// Nodes won, lost and drawn for the first player with so many seeds in both stores and in their own.
    pub(crate) fn cell(&self, captured: u32, first: u32) -> [u64; 3] {
        let index = captured * (self.seeds + 1) + first;
        self.cells.get(index as usize).copied().unwrap_or_default()
    }

    /// Nodes won, lost and drawn for the first player.
    pub(crate) fn outcomes(&self) -> [u64; 3] {
        self.cells.iter().fold([0; 3], |sum, cell| [0, 1, 2].map(|i| sum[i] + cell[i]))
    }

    /// Nodes with so many seeds in both stores.
    pub(crate) fn captured(&self, captured: u32) -> u64 {
        (0..=captured).flat_map(|first| self.cell(captured, first)).sum()
    }
}

/// Keys are mixed already but for their high bits.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, key: u64) {
        let product = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }
}

/// A walk through a graph.
struct Walk<'a> {
    rules: KalahRules,
    kind: GraphKind,
    seeds: u32,
    /// Who wins, by node.
    known: HashMap<u64, Letter, BuildHasherDefault<Mix>>,
    counts: GraphCounts,
    go_on: &'a dyn Fn() -> bool,
}

/// Counts the nodes that can be reached from a start; leftover seeds go to the owner of their row. `go_on` is asked now and then; if it says no, there is no answer.
/// `None` also if a node's number does not fit a machine word: a graph of that size could not be held anyway.
pub(crate) fn count(
    pits: u8,
    seeds: u8,
    rules: KalahRules,
    kind: GraphKind,
    go_on: &dyn Fn() -> bool,
) -> Option<GraphCounts> {
    let all = 2 * u32::from(pits) * u32::from(seeds);
    // Every place but the last holds 0 to all seeds, the last one the rest; one factor two for the side.
    u64::from(all + 1).checked_pow(2 * u32::from(pits) + 1)?.checked_mul(2)?;
    let side = all as usize + 1;
    let counts = GraphCounts { nodes: 0, inner: 0, cells: vec![[0; 3]; side * side], seeds: all };
    let mut walk = Walk { rules, kind, seeds: all, known: HashMap::default(), counts, go_on };
    walk.visit(&Board::start(pits, seeds), true)?;
    Some(walk.counts)
}

impl Walk<'_> {
    /// Who wins from here, seen by the first player; notes the node and everything behind it. `None` to give up.
    fn visit(&mut self, board: &Board, first_to_move: bool) -> Option<Letter> {
        let stores = board.stores();
        let places = board.own().iter().chain(board.other()).chain(&stores[..1]);
        let key = places.fold(u64::from(first_to_move), |key, &n| key * u64::from(self.seeds + 1) + u64::from(n));
        if let Some(&letter) = self.known.get(&key) {
            return Some(letter);
        }
        let mut stores = stores.map(i32::from);
        if !first_to_move {
            stores.reverse();
        }
        let [first, other] = stores;
        let over = board.is_over(self.rules);
        let letter = if over {
            let seeds = |row: &[u8]| row.iter().map(|&pit| i32::from(pit)).sum::<i32>();
            let swept = seeds(board.own()) - seeds(board.other());
            Letter::of(Margin((first - other + if first_to_move { swept } else { -swept }) as i16))
        } else if self.kind.cut && 2 * first.max(other) > self.seeds as i32 {
            Letter::of(Margin((first - other) as i16))
        } else {
            let mut best = None;
            for index in (0..board.own().len()).filter(|&index| board.own()[index] > 0) {
                let (next, turn) = board.sow(index, self.rules, self.kind.skip_origin);
                let letter = self.visit(&next, first_to_move == (turn == Turn::Same))?;
                best = Some(best.map_or(letter, |best| better(best, letter, first_to_move)));
            }
            best?
        };
        self.known.insert(key, letter);
        self.counts.nodes += 1;
        self.counts.inner += u64::from(!over);
        let cell = ((first + other) * (self.seeds as i32 + 1) + first) as usize;
        self.counts.cells[cell][letter as usize] += 1;
        let pause = self.counts.nodes.is_multiple_of(1 << 14);
        (!pause || (self.go_on)()).then_some(letter)
    }
}

/// The letter that the player to move prefers, both seen by the first player.
fn better(a: Letter, b: Letter, first_to_move: bool) -> Letter {
    let worth = |letter: Letter| match letter {
        Letter::Win => 1,
        Letter::Draw => 0,
        Letter::Loss => -1,
    };
    if (worth(a) >= worth(b)) == first_to_move { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::RuleSet;

    fn counted(rules: &str, pits: u8, seeds: u8, cut: bool) -> GraphCounts {
        let kalah_rules::GameRules::Kalah(rules) = rules.parse::<RuleSet>().unwrap().game else { panic!("{rules}") };
        count(pits, seeds, rules, GraphKind { cut, skip_origin: false }, &|| true).unwrap()
    }

    #[test]
    fn a_graph_small_enough_to_draw() {
        // One pit, one seed each: the first player banks their seed and has none left, which ends the game.
        let graph = counted("kalah-empty", 1, 1, true);
        assert_eq!((graph.nodes, graph.inner, graph.outcomes()), (2, 1, [0, 0, 2]));
        assert_eq!((graph.cell(0, 0), graph.cell(1, 1), graph.captured(1)), ([0, 0, 1], [0, 0, 1], 1));
    }

    #[test]
    fn parts_make_up_the_whole() {
        for rules in ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"] {
            for cut in [false, true] {
                let graph = counted(rules, 3, 2, cut);
                assert_eq!(graph.outcomes().iter().sum::<u64>(), graph.nodes);
                assert_eq!((0..=12).map(|captured| graph.captured(captured)).sum::<u64>(), graph.nodes);
                assert!(graph.inner < graph.nodes);
                assert!(cut == (graph.nodes < counted(rules, 3, 2, false).nodes), "{rules}");
            }
        }
    }

    #[test]
    fn it_can_be_stopped_and_refuses_what_is_too_large() {
        let kalah = KalahRules::default();
        let kind = GraphKind { cut: false, skip_origin: false };
        assert_eq!(count(4, 3, kalah, kind, &|| false), None);
        assert_eq!(count(8, 4, kalah, kind, &|| true), None);
    }
}
