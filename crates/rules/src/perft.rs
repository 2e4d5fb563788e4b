//! Counting every line of play to a depth: the numbers by which two programs find out whether they play the same game.

use crate::{Next, Position, SowingGame};

/// How many ways there are to play `depth` sows from `position`, an extra move being a sow of its own. Games that end
/// earlier are not counted; depth 0 counts 1.
///
/// ```
/// use kalah_rules::{RuleSet, State, perft};
/// let game = RuleSet::default().game(6)?;
/// assert_eq!(perft(&game, State::start(6, 4)?.position(), 5), 4690);
/// # Ok::<(), kalah_rules::PositionError>(())
/// ```
///
/// # Panics
/// If the count does not fit 64 bits.
pub fn perft<G: SowingGame>(game: &G, position: Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(game.legal(position).len()),
        _ => game.legal(position).fold(0, |count, pit| plus(count, sows_after(game, position, pit, depth))),
    }
}

/// How many ways there are to play `depth` whole turns from `position`: a turn is every sequence of sows up to the one with
/// which the turn passes or the game ends. Different sequences count even if they lead to the same board. Games that
/// end earlier are not counted; depth 0 counts 1.
///
/// # Panics
/// If the count does not fit 64 bits.
pub fn perft_turns<G: SowingGame>(game: &G, position: Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    game.legal(position).fold(0, |count, pit| {
        let sown = game.sow(position, pit);
        let after = match sown.next {
            Next::Again => perft_turns(game, sown.position, depth),
            Next::Pass => perft_turns(game, sown.position, depth - 1),
            Next::Over => u64::from(depth == 1),
        };
        plus(count, after)
    })
}

/// [`perft`] split by the first move: every legal pit, upwards, with its share. Empty at depth 0.
///
/// # Panics
/// If a count does not fit 64 bits.
pub fn divide<G: SowingGame>(game: &G, position: Position, depth: u32) -> Vec<(u8, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    game.legal(position).map(|pit| (pit, sows_after(game, position, pit, depth))).collect()
}

/// [`perft_turns`] split by the first turn: the pits of every turn, in the order of their numbers, with its share. Empty at
/// depth 0.
///
/// # Panics
/// If a count does not fit 64 bits.
pub fn divide_turns<G: SowingGame>(game: &G, position: Position, depth: u32) -> Vec<(Vec<u8>, u64)> {
    let mut turns = Vec::new();
    if depth > 0 {
        collect_turns(game, position, depth, &mut Vec::new(), &mut turns);
    }
    turns
}

/// The lines of play that begin with the sow from `pit`; `depth` counts that sow.
fn sows_after<G: SowingGame>(game: &G, position: Position, pit: u8, depth: u32) -> u64 {
    let sown = game.sow(position, pit);
    match sown.next {
        Next::Over => u64::from(depth == 1),
        _ => perft(game, sown.position, depth - 1),
    }
}

/// Appends every turn that begins with the sows `begun`, which led to `position`.
fn collect_turns<G: SowingGame>(
    game: &G,
    position: Position,
    depth: u32,
    begun: &mut Vec<u8>,
    turns: &mut Vec<(Vec<u8>, u64)>,
) {
    for pit in game.legal(position) {
        begun.push(pit);
        let sown = game.sow(position, pit);
        match sown.next {
            Next::Again => collect_turns(game, sown.position, depth, begun, turns),
            Next::Pass => turns.push((begun.clone(), perft_turns(game, sown.position, depth - 1))),
            Next::Over => turns.push((begun.clone(), u64::from(depth == 1))),
        }
        begun.pop();
    }
}

#[track_caller]
fn plus(count: u64, more: u64) -> u64 {
    count.checked_add(more).expect("a perft count fits 64 bits")
}
