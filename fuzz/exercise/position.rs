//! Reads text as a board, a start or a turn, and plays what can be played.

use super::must_be_readable;
use kalah_rules::{RuleSet, State, explain, parse_turn};

const RULES: [&str; 9] =
    ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck", "oware", "awari", "dakon", "congkak", "avalanche"];

/// What is read is written and read again as the same; every legal move can be played and explained, and both agree.
pub(crate) fn exercise(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = parse_turn(text) {
        must_be_readable(&error.to_string(), &error.help(), bytes);
    }
    let state: State = match text.parse() {
        Ok(state) => state,
        Err(error) => return must_be_readable(&error.to_string(), &error.help(), bytes),
    };
    assert_eq!(state.to_string().parse::<State>().as_ref(), Ok(&state), "{text:?}");
    for rules in RULES {
        let rules: RuleSet = rules.parse().expect("a rule set");
        let game = match rules.game(state.pits()) {
            Ok(game) => game,
            Err(error) => {
                must_be_readable(&error.to_string(), &error.help(), bytes);
                continue;
            }
        };
        for pit in 0..=9 {
            match (state.play(&game, pit), explain(&rules, &state, pit)) {
                (Ok(played), Ok(told)) => {
                    assert_eq!((played.state, played.next), (told.state, told.next), "{rules} {state} pit {pit}");
                    assert!(played.state.seeds() <= state.seeds(), "{rules} {state} pit {pit} makes seeds");
                }
                (Err(error), Err(_)) => must_be_readable(&error.to_string(), &error.help(), bytes),
                (played, told) => panic!("{rules} {state} pit {pit}: {played:?}, but {told:?}"),
            }
        }
    }
}
