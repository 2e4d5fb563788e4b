//! Rows that one turn clears, every sow ending in the store.

use kalah_rules::{Game, Next, Position, Row, SowingGame, State};

/// The row of `seeds` seeds, pit by pit from the store outwards, that is cleared by one move a seed: played backwards, the seed
/// that came last goes back, and with it one seed of every pit nearer the store, into the nearest empty pit.
pub(crate) fn chain_row(seeds: u32) -> Vec<u8> {
    let mut row: Vec<u8> = Vec::new();
    for _ in 0..seeds {
        let at = row.iter().position(|&pit| pit == 0).unwrap_or(row.len());
        row[..at].iter_mut().for_each(|pit| *pit -= 1);
        if at == row.len() {
            row.push(0);
        }
        row[at] = at as u8 + 1;
    }
    row
}

/// The most moves with which one turn can clear a row of `pits` pits if no sowing passes the own store: every move then banks
/// one seed, so that it clears a row of as many seeds. Looks at every row that such moves can clear, by playing them.
pub(crate) fn longest_chain(game: &Game) -> u32 {
    // A pit at distance d from the store is played when it holds d seeds, and never holds more than that: so the rows that
    // can be cleared are among finitely many, and each is cleared by playing the nearest such pit first.
    let m = game.pits();
    let mut rows = vec![Vec::new()];
    for distance in 1..=m {
        rows = rows
            .into_iter()
            .flat_map(|row: Vec<u8>| (0..=distance).map(move |seeds| [&row[..], &[seeds]].concat()))
            .collect();
    }
    rows.iter().filter_map(|row| moves_to_clear(game, row)).max().unwrap_or(0)
}

/// Plays the nearest pit whose last seed reaches the store until the row is empty: how many moves that takes, or `None` if it
/// cannot be done. `row` counts from the store outwards.
pub(crate) fn moves_to_clear(game: &Game, row: &[u8]) -> Option<u32> {
    let m = usize::from(game.pits());
    let mut own = vec![0; m];
    for (place, &seeds) in own.iter_mut().rev().zip(row) {
        *place = seeds;
    }
    // One seed in the other row keeps the game going.
    let mut state = State::new(m as u8, Position::new(Row::from_pits(&own), Row::from_pits(&[1])));
    let side = state.to_move();
    let mut moves = 0;
    loop {
        if state.row(side).is_empty() {
            return Some(moves);
        }
        let reaches = |pit: &u8| usize::from(state.row(side).pit(*pit)) == m + 1 - usize::from(*pit);
        let pit = game.legal(state.position()).rev().find(reaches)?;
        let played = state.play(game, pit).ok()?;
        moves += 1;
        match played.next {
            Next::Again => state = played.state,
            // The last seed of the row reached the store and left the row empty.
            Next::Over => return Some(moves),
            Next::Pass => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::RuleSet;

    #[test]
    fn rows_played_backwards_are_cleared_forwards() {
        let game = RuleSet::default().game(8).unwrap();
        for seeds in 1..=20 {
            let row = chain_row(seeds);
            assert_eq!(row.iter().map(|&n| u32::from(n)).sum::<u32>(), seeds);
            if row.len() <= 8 {
                assert_eq!(moves_to_clear(&game, &row), Some(seeds), "{row:?}");
            }
        }
        assert_eq!(moves_to_clear(&game, &[2]), None);
        assert_eq!(moves_to_clear(&game, &[0, 1]), None);
    }

    #[test]
    fn the_longest_chain_is_the_longest_row_that_fits() {
        for pits in 1..=5 {
            let game = RuleSet::default().game(pits).unwrap();
            let fits = (1..40).take_while(|&seeds| chain_row(seeds).len() <= usize::from(pits)).last();
            assert_eq!(Some(longest_chain(&game)), fits, "{pits} pits");
        }
    }
}
