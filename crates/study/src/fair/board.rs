//! Boards near a start, one after the other: nothing is listed before it is asked for.

use kalah_rules::{Position, Row, Side, State};
use std::ops::RangeInclusive;

/// A board near a start, South to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Board {
    /// The board.
    pub state: State,
    /// How many seeds lie elsewhere than in the start.
    pub moved: u32,
}

/// The boards that differ from `start` by so many seeds put elsewhere, stores included, without the start itself.
///
/// Boards with fewer moved seeds come first. Beyond that the order is fixed, and neighbours have much in common. Every board
/// counts by itself: turned round, with North's pits for South's, it is another one, because South moves first on either.
pub fn boards(start: State, moved: RangeInclusive<u32>) -> impl Iterator<Item = Board> + Clone + Send {
    let (pits, origin) = (start.pits(), places(&start));
    let moved = (*moved.start()).max(1)..=(*moved.end()).min(start.seeds());
    moved.flat_map(move |moved| {
        let walk = Walk::new(origin.clone(), moved);
        walk.map(move |places| Board { state: board(pits, &places), moved })
    })
}

/// How many boards [`boards`] lists, without listing them.
pub fn count_boards(start: State, moved: RangeInclusive<u32>) -> u64 {
    let moved = (*moved.start()).max(1)..=(*moved.end()).min(start.seeds());
    moved.map(|moved| count(&places(&start), moved as usize)).fold(0, u64::saturating_add)
}

/// Ways to take `moved` seeds from some places and to add as many to others.
fn count(origin: &[u8], moved: usize) -> u64 {
    // By seeds taken and added so far.
    let mut ways = vec![vec![0u64; moved + 1]; moved + 1];
    ways[0][0] = 1;
    for &seeds in origin {
        let before = ways.clone();
        for (taken, row) in before.iter().enumerate() {
            for (added, &so_far) in row.iter().enumerate().filter(|(_, so_far)| **so_far > 0) {
                for more in 1..=moved {
                    if more <= usize::from(seeds) && taken + more <= moved {
                        ways[taken + more][added] = ways[taken + more][added].saturating_add(so_far);
                    }
                    if added + more <= moved {
                        ways[taken][added + more] = ways[taken][added + more].saturating_add(so_far);
                    }
                }
            }
        }
    }
    ways[moved][moved]
}

/// Seeds of every pit and store: South's pits, their store, North's pits, their store.
pub(crate) fn places(state: &State) -> Vec<u8> {
    let half = |side: Side| state.row(side).pits(state.pits()).chain([state.store(side) as u8]);
    half(Side::South).chain(half(Side::North)).collect()
}

/// The board with these seeds in its places.
fn board(pits: u8, places: &[u32]) -> State {
    let m = usize::from(pits);
    let row = |places: &[u32]| Row::from_pits(&places.iter().map(|&seeds| seeds as u8).collect::<Vec<u8>>());
    let rows = Position::new(row(&places[..m]), row(&places[m + 1..=2 * m]));
    State::new(pits, rows).with_stores(places[m], places[2 * m + 1])
}

/// How many seeds of a start lie elsewhere on another board with as many seeds.
pub(crate) fn elsewhere(start: &State, state: &State) -> u32 {
    places(start).iter().zip(places(state)).map(|(&before, now)| u32::from(before.saturating_sub(now))).sum()
}

/// All ways to spread the seeds with exactly so many elsewhere, in lexicographic order: place by place the fewest seeds first.
#[derive(Clone)]
struct Walk {
    origin: Vec<u8>,
    moved: u32,
    /// Seeds of the first places, as far as they are chosen.
    chosen: Vec<u32>,
    /// Seeds taken and added up to every chosen place, and before the first.
    sums: Vec<(u32, u32)>,
    /// Seeds that could still be taken from every place on.
    rest: Vec<u32>,
    begun: bool,
}

impl Walk {
    fn new(origin: Vec<u8>, moved: u32) -> Walk {
        let mut rest = vec![0; origin.len() + 1];
        for at in (0..origin.len()).rev() {
            rest[at] = rest[at + 1] + u32::from(origin[at]);
        }
        Walk { origin, moved, chosen: Vec::new(), sums: vec![(0, 0)], rest, begun: false }
    }

    /// Seeds of the start in the next place, and seeds taken and added so far.
    fn next_place(&self) -> (u32, u32, u32) {
        let at = self.chosen.len();
        let (taken, added) = self.sums[at];
        (u32::from(self.origin[at]), taken, added)
    }

    /// The fewest and the most seeds that the next place can hold.
    fn range(&self) -> (u32, u32) {
        let (seeds, taken, added) = self.next_place();
        (seeds.saturating_sub(self.moved - taken), seeds + self.moved - added)
    }

    /// Puts so many seeds into the next place, if the rest can still be taken and added behind it.
    fn choose(&mut self, seeds: u32) -> bool {
        let (before, taken, added) = self.next_place();
        let (taken, added) = (taken + before.saturating_sub(seeds), added + seeds.saturating_sub(before));
        let (take, add) = (self.moved - taken, self.moved - added);
        let behind = self.chosen.len() + 1;
        if take > self.rest[behind] || (add > 0 && behind == self.origin.len()) {
            return false;
        }
        self.chosen.push(seeds);
        self.sums.push((taken, added));
        true
    }

    /// Takes the last choice back: what to try instead of it.
    fn back(&mut self) -> Option<u32> {
        self.sums.truncate(self.chosen.len());
        self.chosen.pop().map(|seeds| seeds + 1)
    }
}

impl Iterator for Walk {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let mut seeds = if std::mem::replace(&mut self.begun, true) { self.back()? } else { self.range().0 };
        loop {
            if seeds > self.range().1 {
                seeds = self.back()?;
            } else if !self.choose(seeds) {
                seeds += 1;
            } else if self.chosen.len() == self.origin.len() {
                return Some(self.chosen.clone());
            } else {
                seeds = self.range().0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The same boards by putting one seed elsewhere again and again.
    fn stepwise(start: State, moved: u32) -> BTreeSet<Vec<u8>> {
        let origin = places(&start);
        let (mut all, mut edge) = (BTreeSet::new(), BTreeSet::from([origin.clone()]));
        for _ in 0..moved {
            let mut next = BTreeSet::new();
            for board in &edge {
                for from in (0..board.len()).filter(|&from| board[from] > 0) {
                    for to in (0..board.len()).filter(|&to| to != from) {
                        let mut board = board.clone();
                        board[from] -= 1;
                        board[to] += 1;
                        next.insert(board);
                    }
                }
            }
            all.extend(next.iter().cloned());
            edge = next;
        }
        all.remove(&origin);
        all
    }

    #[test]
    fn boards_are_those_found_step_by_step_in_a_fixed_order() {
        for (start, most) in [
            (State::start(2, 1).unwrap(), 3),
            (State::start(2, 2).unwrap(), 4),
            (State::start(3, 2).unwrap(), 3),
            ("<2,3,0,0,5,1,0>".parse().unwrap(), 4),
        ] {
            for most in 0..=most {
                let taken = |board: &[u8]| -> u32 {
                    places(&start).iter().zip(board).map(|(&before, &now)| u32::from(before.saturating_sub(now))).sum()
                };
                let mut expected: Vec<(u32, Vec<u8>)> =
                    stepwise(start, most).into_iter().map(|board| (taken(&board), board)).collect();
                expected.sort();
                let found: Vec<(u32, Vec<u8>)> =
                    boards(start, 0..=most).map(|board| (board.moved, places(&board.state))).collect();
                assert_eq!(found, expected, "{start}, up to {most}");
                assert_eq!(count_boards(start, 0..=most), found.len() as u64, "{start}, up to {most}");
                assert!(boards(start, 1..=most).all(|board| elsewhere(&start, &board.state) == board.moved));
            }
        }
    }

    #[test]
    fn boards_are_counted_by_the_seeds_that_moved() {
        let start = State::start(6, 4).unwrap();
        // Twelve pits give a seed to any of thirteen other places.
        assert_eq!(boards(start, 1..=1).count(), 12 * 13);
        // Two seeds of one pit, to one or two of 13 places; or one each of two pits, to one or two of the 12 others.
        let two = 12 * (13 + 13 * 12 / 2) + 66 * (12 + 12 * 11 / 2);
        assert_eq!(boards(start, 2..=2).count(), two);
        assert_eq!(boards(start, 1..=2).count(), 12 * 13 + two);
        assert!(boards(start, 1..=2).all(|board| board.state.seeds() == 48 && board.state.to_move() == Side::South));
        assert_eq!(boards(start, 0..=0).next(), None);
    }

    #[test]
    fn the_first_of_very_many_boards_is_there_at_once() {
        let start = State::start(8, 15).unwrap();
        assert!(count_boards(start, 1..=100) > 1 << 60);
        let first = boards(start, 4..=240).next().unwrap();
        assert_eq!((first.moved, elsewhere(&start, &first.state)), (4, 4));
        assert_eq!(boards(start, 3..=3).take(1000).count(), 1000);
    }
}
