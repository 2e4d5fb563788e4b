//! The tree of play between a root and the positions that are handed out.
//!
//! Positions that play reaches in several ways are one node. The next node to be unfolded is always the one with the most seeds
//! in pits, then with the most pits still to travel: every position that leads to it has been unfolded by then, so all windows
//! that are asked about it are known.

use super::SplitError;
use kalah_rules::{Game, Margin, Next, Position, RuleSet, Side, SowingGame, State};
use std::collections::{BTreeMap, BTreeSet};

/// The order of unfolding, the greatest first. What can follow a position is smaller than it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key {
    seeds: u32,
    /// Pits that all seeds together have still to travel to their owners' stores.
    distance: u32,
    /// A player without seeds who passes changes nothing but whose turn it is.
    passes: bool,
    pub(super) position: Position,
}

impl Key {
    pub(super) fn new(pits: u8, position: Position) -> Key {
        Key {
            seeds: position.seeds(),
            distance: position.mover.distance(pits) + position.opponent.distance(pits),
            passes: position.mover.is_empty(),
            position,
        }
    }
}

/// What is asked about a position, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Asked {
    to_move: Side,
    windows: BTreeSet<Margin>,
}

/// One question of the tree: is the value of `position`, for its mover, at least `window`?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) struct Query {
    pub(super) position: Position,
    pub(super) window: Margin,
}

/// What a question comes down to one sow later.
pub(super) enum Unfolded {
    /// The moves themselves answer it: a finished game, or too few seeds left to change it.
    Answered,
    /// It depends on these; the flag tells whether the same player moves again.
    Open(Vec<(Query, bool)>),
}

/// The questions that a question about a position depends on.
pub(super) fn unfold(game: &Game, query: Query) -> Unfolded {
    let step = Margin(if game.keeps_parity() { 2 } else { 1 });
    let Query { position, window } = query;
    let mut open = Vec::new();
    for pit in game.legal(position).rev() {
        let sown = game.sow(position, pit);
        if let Some(value) = game.final_margin(&sown) {
            if value >= window {
                return Unfolded::Answered;
            }
            continue;
        }
        let (gain, left) = (sown.gain(), Margin(sown.position.seeds() as i16));
        if gain - left >= window {
            return Unfolded::Answered;
        }
        if gain + left < window {
            continue;
        }
        let again = sown.next == Next::Again;
        let window = if again { window - gain } else { gain - window + step };
        open.push((Query { position: sown.position, window }, again));
    }
    if open.is_empty() { Unfolded::Answered } else { Unfolded::Open(open) }
}

/// The unfolded part of a tree and its edge.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    rules: RuleSet,
    game: Game,
    /// In the order of unfolding.
    pub(super) unfolded: Vec<Position>,
    edge: BTreeMap<Key, Asked>,
    /// Positions with up to so many seeds are known elsewhere.
    layers: Option<u32>,
    /// Questions at the edge about positions beyond the layers.
    open: usize,
}

impl Tree {
    /// The tree that is only its root.
    pub(super) fn new(rules: RuleSet, root: &State, window: Margin, layers: Option<u32>) -> Result<Tree, SplitError> {
        let game = rules.game(root.pits())?;
        let asked = Asked { to_move: root.to_move(), windows: BTreeSet::from([window]) };
        let edge = BTreeMap::from([(Key::new(root.pits(), root.position()), asked)]);
        let open = usize::from(layers.is_none_or(|layers| root.position().seeds() > layers));
        Ok(Tree { rules, game, unfolded: Vec::new(), edge, layers, open })
    }

    /// Whether nothing is left at the edge.
    pub(super) fn is_done(&self) -> bool {
        self.edge.is_empty()
    }

    /// Questions at the edge about positions that are not in the layers.
    pub(super) fn open(&self) -> usize {
        self.open
    }

    fn is_beyond(&self, key: Key) -> bool {
        self.layers.is_none_or(|layers| key.seeds > layers)
    }

    /// Unfolds the next position, if there is one.
    pub(super) fn grow(&mut self) -> Result<(), SplitError> {
        let Some((key, asked)) = self.edge.pop_last() else { return Ok(()) };
        if self.is_beyond(key) {
            self.open -= asked.windows.len();
        }
        for &window in &asked.windows {
            let Unfolded::Open(children) = unfold(&self.game, Query { position: key.position, window }) else {
                continue;
            };
            for (child, again) in children {
                let child_key = Key::new(self.game.pits(), child.position);
                if child_key >= key {
                    return Err(SplitError::Cyclic { rules: self.rules });
                }
                let to_move = if again { asked.to_move } else { asked.to_move.other() };
                let entry = self.edge.entry(child_key).or_insert_with(|| Asked { to_move, windows: BTreeSet::new() });
                if entry.windows.insert(child.window) && self.is_beyond(child_key) {
                    self.open += 1;
                }
            }
        }
        self.unfolded.push(key.position);
        Ok(())
    }

    /// The questions at the edge, those with the most seeds first, with who is to move.
    pub(super) fn edge(&self) -> impl Iterator<Item = (Query, Side)> + '_ {
        self.edge.iter().rev().flat_map(|(key, asked)| {
            asked.windows.iter().map(|&window| (Query { position: key.position, window }, asked.to_move))
        })
    }
}
