//! The board that a command is about, checked in one place, so that every command refuses a bad one in the same words.

use crate::failure::{Failure, Kind};
use kalah_rules::{PositionError, State};

/// What to do about a board that does not exist.
const HELP: &str = "Give 1 to 8 pits a side, and no more seeds than 255 on the board, for example 6 and 4.";

/// The same number of pits a side, if a board can have so many.
pub(crate) fn pits(pits: u8) -> Result<u8, Failure> {
    State::start(pits, 0).map(|_| pits).map_err(failure)
}

/// The start with so many pits a side and seeds in every pit.
pub(crate) fn start(pits: u8, seeds: u32) -> Result<State, Failure> {
    State::start(pits, seeds).map_err(failure)
}

/// Numbers on the command line are no text that a place could point into.
#[expect(clippy::needless_pass_by_value, reason = "the signature that map_err wants")]
fn failure(error: PositionError) -> Failure {
    Failure::new(Kind::Position, error.to_string(), HELP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_pits_are_refused_in_the_same_words_everywhere() {
        assert_eq!(pits(8), Ok(8));
        for bad in [0, 9, 255] {
            let told = pits(bad).unwrap_err();
            assert_eq!((told.kind, told.at), (Kind::Position, None));
            assert!(told.message.contains("1 to 8 pits") && told.message.contains(&bad.to_string()), "{told}");
            assert_eq!(start(bad, 4).unwrap_err(), told);
        }
        assert!(start(6, 22).unwrap_err().message.contains("255"));
    }
}
