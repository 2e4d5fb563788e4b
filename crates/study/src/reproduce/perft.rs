//! Lines of play counted so that a limit can stop the count.

use kalah_rules::{Game, Next, Position, SowingGame, perft, perft_turns};

/// Sows counted in one go: thousands of lines, well under a millisecond.
const SOWS: u32 = 4;

/// How many ways there are to play `depth` sows; `None` if `go_on` says no first.
pub(crate) fn sows(game: &Game, position: Position, depth: u32, go_on: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= SOWS {
        return go_on().then(|| perft(game, position, depth));
    }
    game.legal(position).try_fold(0, |count: u64, pit| {
        let sown = game.sow(position, pit);
        let behind = match sown.next {
            Next::Again | Next::Pass => sows(game, sown.position, depth - 1, go_on)?,
            Next::Over => 0,
        };
        count.checked_add(behind)
    })
}

/// How many ways there are to play `depth` whole turns; `None` if `go_on` says no first.
pub(crate) fn turns(game: &Game, position: Position, depth: u32, go_on: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= 1 {
        return go_on().then(|| perft_turns(game, position, depth));
    }
    game.legal(position).try_fold(0, |count: u64, pit| {
        let sown = game.sow(position, pit);
        let behind = match sown.next {
            Next::Again => turns(game, sown.position, depth, go_on)?,
            Next::Pass => turns(game, sown.position, depth - 1, go_on)?,
            Next::Over => 0,
        };
        count.checked_add(behind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::{RuleSet, State};

    #[test]
    fn counts_are_those_of_the_rules_and_can_be_stopped() {
        for name in ["kalah", "kalah-empty-stuck", "awari"] {
            let rules: RuleSet = name.parse().unwrap();
            for (pits, seeds) in [(2, 1), (3, 2), (4, 3)] {
                let (game, start) = (rules.game(pits).unwrap(), State::start(pits, seeds).unwrap().position());
                for depth in 0..=7 {
                    assert_eq!(sows(&game, start, depth, &|| true), Some(perft(&game, start, depth)), "{name}");
                }
                for depth in 0..=3 {
                    assert_eq!(turns(&game, start, depth, &|| true), Some(perft_turns(&game, start, depth)), "{name}");
                }
                assert_eq!(sows(&game, start, 3, &|| false), None);
                assert_eq!(turns(&game, start, 3, &|| false), None);
            }
        }
    }
}
