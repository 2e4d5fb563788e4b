//! Boards near a start.

use crate::reproduce::fair::boards as within;
use kalah_rules::{Side, State};
use std::ops::RangeInclusive;

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
}
