//! Reads text as a rule set.

use super::must_be_readable;
use kalah_rules::{RuleSet, State};

/// What is read is written and read again as the same, with the same hash, and gives a game on every board.
pub(crate) fn exercise(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let rules: RuleSet = match text.parse() {
        Ok(rules) => rules,
        Err(error) => return must_be_readable(&error.to_string(), &error.help(), bytes),
    };
    let again: RuleSet = rules.to_string().parse().expect("what is written can be read");
    assert_eq!((again, again.hash64()), (rules, rules.hash64()), "{text:?}");
    for pits in 0..=9 {
        match rules.game(pits) {
            Ok(game) => {
                let start = State::start(pits, 2).expect("a start");
                let moves = (1..=pits).filter(|&pit| start.play(&game, pit).is_ok()).count();
                assert!(moves > 0, "{rules}: a start of {pits} pits has no move");
            }
            Err(error) => must_be_readable(&error.to_string(), &error.help(), bytes),
        }
    }
}
