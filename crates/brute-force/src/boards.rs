//! Random boards for property tests.

use kalah_rules::{Position, Row};
use proptest::prelude::Strategy;

/// Positions of `pits` pits a side with 1 to `seeds` seeds; every seed falls into any pit with equal chance.
pub fn positions(pits: u8, seeds: usize) -> impl Strategy<Value = Position> {
    let side = usize::from(pits);
    proptest::collection::vec(0..2 * side, 1..=seeds).prop_map(move |places| {
        let mut board = vec![0; 2 * side];
        places.into_iter().for_each(|place| board[place] += 1);
        let (mover, opponent) = board.split_at(side);
        Position::new(Row::from_pits(mover), Row::from_pits(opponent))
    })
}
