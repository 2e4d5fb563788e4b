//! Boards near a start.

use kalah_rules::{Position, Row, Side, State};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Seeds of every pit and store: South's pits, his store, North's pits, his store.
type Places = Vec<u8>;

/// A board near a start, South to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Board {
    /// The board.
    pub state: State,
    /// How many seeds lie elsewhere than in the start.
    pub moved: u32,
}

/// The boards that differ from `start` by so many seeds put elsewhere, stores included: those with fewer moved seeds first, and
/// beyond that in a fixed order in which neighbours have much in common. Every board counts by itself: turned round, with North's pits for South, it is another one,
/// because South moves first on either.
pub fn boards(start: State, moved: RangeInclusive<u32>) -> Vec<Board> {
    let all = within(start, *moved.end()).into_iter().map(|state| Board { state, moved: elsewhere(&start, &state) });
    let mut boards: Vec<Board> = all.filter(|board| moved.contains(&board.moved)).collect();
    boards.sort_by_key(|board| board.moved);
    boards
}

/// The boards that differ from `start` by at least one and at most `moved` seeds put elsewhere, stores included.
fn within(start: State, moved: u32) -> Vec<State> {
    let pits = start.pits();
    let half = |side: Side| start.row(side).pits(pits).chain([start.store(side) as u8]);
    let origin: Places = half(Side::South).chain(half(Side::North)).collect();
    let (mut all, mut edge) = (BTreeSet::new(), BTreeSet::from([origin.clone()]));
    for _ in 0..moved {
        let step = |board: &Places| {
            let mut next = Vec::new();
            for from in (0..board.len()).filter(|&from| board[from] > 0) {
                for to in (0..board.len()).filter(|&to| to != from) {
                    let mut board = board.clone();
                    board[from] -= 1;
                    board[to] += 1;
                    next.push(board);
                }
            }
            next
        };
        edge = edge.iter().flat_map(step).filter(|board| !all.contains(board)).collect();
        all.extend(edge.iter().cloned());
    }
    all.remove(&origin);
    let m = usize::from(pits);
    let state = |board: &Places| {
        let rows = Position::new(Row::from_pits(&board[..m]), Row::from_pits(&board[m + 1..=2 * m]));
        State::new(pits, rows).with_stores(u32::from(board[m]), u32::from(board[2 * m + 1]))
    };
    all.iter().map(state).collect()
}

/// How many seeds of a start lie elsewhere on another board with as many seeds.
fn elsewhere(start: &State, state: &State) -> u32 {
    let places = |state: &State| -> Vec<u32> {
        let half = |side: Side| {
            let row = state.row(side);
            (1..=state.pits()).map(move |pit| u32::from(row.pit(pit))).chain([state.store(side)])
        };
        half(Side::South).chain(half(Side::North)).collect()
    };
    places(start).iter().zip(places(state)).map(|(before, now)| before.saturating_sub(now)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_counted_by_the_seeds_that_moved() {
        let start = State::start(6, 4).unwrap();
        let one = boards(start, 1..=1);
        // Twelve pits give a seed to any of thirteen other places.
        assert_eq!(one.len(), 12 * 13);
        let two = boards(start, 2..=2);
        // Two seeds of one pit, to one or two of 13 places; or one each of two pits, to one or two of the 12 others.
        assert_eq!(two.len(), 12 * (13 + 13 * 12 / 2) + 66 * (12 + 12 * 11 / 2));
        let both = boards(start, 1..=2);
        assert_eq!(both.len(), one.len() + two.len());
        assert!(both.iter().all(|board| board.state.seeds() == 48 && board.state.to_move() == Side::South));
        assert_eq!(boards(start, 0..=0), []);
    }

    #[test]
    fn seeds_are_moved_between_all_places() {
        // Four pits with a seed each and two empty stores: every seed to each of five other places.
        assert_eq!(boards(State::start(2, 1).unwrap(), 1..=1).len(), 20);
        for most in 1..=3 {
            for board in boards(State::start(2, 2).unwrap(), 1..=most) {
                assert_eq!(board.state.seeds(), 8, "{}", board.state);
                let rows = [Side::South, Side::North].map(|side| board.state.row(side).pits(2).collect::<Vec<_>>());
                let taken: u32 = rows.concat().iter().map(|&pit| u32::from(2u8.saturating_sub(pit))).sum();
                assert_eq!(taken, board.moved, "{}", board.state);
            }
        }
    }
}
