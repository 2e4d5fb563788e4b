//! Moves and turns as text: `3`, `C`, `3-6`, and several turns such as `3-6 5`.

use super::reader::quote;
use crate::MoveError;

/// The forms in which moves can be written, one per line, with an example first. Every example is read by [`parse_turns`].
pub const TURN_FORMS: &str = "\
3          pit 3, counted from 1 towards the mover's store
C          the same pit by its letter, A to H or a to h
3-6        a turn: pit 3, then pit 6 after an extra move
3,6        the same; '3 6' too
3-6 5 2-1  several turns of both players, where a line of play is read";

/// Reads a move or one whole turn: pit numbers joined by dashes, commas or spaces. A pit may be named by a letter too, `A` or
/// `a` for pit 1. Whether the turn can be played is another question, see [`State::play_turn`](crate::State::play_turn).
///
/// ```
/// assert_eq!(kalah_rules::parse_turn("3-6")?, [3, 6]);
/// assert_eq!(kalah_rules::parse_turn("3, 6")?, [3, 6]);
/// assert_eq!(kalah_rules::parse_turn("F")?, [6]);
/// # Ok::<(), kalah_rules::MoveError>(())
/// ```
///
/// # Errors
/// If the text is anything else, or a number is above 255.
pub fn parse_turn(text: &str) -> Result<Vec<u8>, MoveError> {
    Ok(parse_turns(text)?.concat())
}

/// Reads a line of play: turns separated by spaces or commas. Moves joined by dashes are one turn; a turn may also be
/// spread over several parts, because only the rules say when it passes.
///
/// ```
/// assert_eq!(kalah_rules::parse_turns("3-6 5, 2")?, [vec![3, 6], vec![5], vec![2]]);
/// # Ok::<(), kalah_rules::MoveError>(())
/// ```
///
/// # Errors
/// If the text is anything else, or a number is above 255.
pub fn parse_turns(text: &str) -> Result<Vec<Vec<u8>>, MoveError> {
    let chars: Vec<char> = text.chars().collect();
    let mut turns: Vec<Vec<u8>> = Vec::new();
    let (mut at, mut joined) = (0, false);
    let skip_spaces = |at: &mut usize| {
        while chars.get(*at).is_some_and(|c| c.is_whitespace()) {
            *at += 1;
        }
    };
    loop {
        skip_spaces(&mut at);
        let from = at;
        while chars.get(at).is_some_and(|c| !c.is_whitespace() && !matches!(c, '-' | ',')) {
            at += 1;
        }
        let pit = pit(&chars[from..at]).ok_or_else(|| MoveError::Syntax {
            at: from,
            found: match &chars[from..] {
                [] => "the end of the text".to_owned(),
                rest => quote(&rest[..(at - from).max(1)].iter().collect::<String>()),
            },
        })?;
        match turns.last_mut() {
            Some(turn) if joined => turn.push(pit),
            _ => turns.push(vec![pit]),
        }
        skip_spaces(&mut at);
        joined = chars.get(at) == Some(&'-');
        match chars.get(at) {
            None => return Ok(turns),
            Some('-' | ',') => at += 1,
            Some(_) => {}
        }
    }
}

/// The pit that a number from 0 to 255 or a letter names.
fn pit(word: &[char]) -> Option<u8> {
    match word {
        [letter @ ('a'..='h' | 'A'..='H')] => Some(letter.to_ascii_lowercase() as u8 - b'a' + 1),
        [] => None,
        digits if digits.iter().all(char::is_ascii_digit) => digits.iter().collect::<String>().parse().ok(),
        _ => None,
    }
}

/// The pits of a turn joined by dashes, as [`parse_turn`] reads them.
pub fn turn_text(turn: &[u8]) -> String {
    turn.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}
