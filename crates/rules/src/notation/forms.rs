//! The forms in which a position can be written: which one a text looks like, and how each is read.

use super::reader::{Number, Reader, Word, quote};
use crate::{MAX_PITS, MAX_SEEDS, MAX_STORE, Position, PositionError, Row, Side, State};
use std::fmt;

/// A form in which a position can be written. Prints as a name with its article, such as "a start".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PositionForm {
    /// `start:6x4`.
    Start,
    /// `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N`: pits a side, South's store, North's store, South's pits, North's pits, the side to move.
    Literal,
    /// `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`: South's pits, North's pits, South's store, North's store, the side to move.
    Dashes,
    /// `0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4`, as OpenSpiel's `oware` prints it: the player to move (South is 0), South's store,
    /// North's store, South's pits, North's pits.
    Bars,
    /// `[0,4,4,4,4,4,4,0,4,4,4,4,4,4]`, in the order of OpenSpiel's `mancala`: North's store, South's pits, South's store, North's
    /// pits.
    List,
    /// Three lines as OpenSpiel's `mancala` prints them: North's pits from right to left, both stores, South's pits.
    Lines,
}

impl PositionForm {
    /// How the form is written, in one sentence.
    pub(crate) fn help(self) -> &'static str {
        match self {
            PositionForm::Start => "Write a start as start:PITSxSEEDS, for example start:6x4.",
            PositionForm::Literal => {
                "Write a board as <pits,store South,store North,South's pits…,North's pits…>, each row in its owner's sowing \
                 order, for example '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>', followed by ' N' if North is to move."
            }
            PositionForm::Dashes => {
                "Write a board with dashes as South's pits, North's pits, South's store, North's store and the side to move, \
                 for example 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S."
            }
            PositionForm::Bars => {
                "Write a board with bars as the player to move (South is 0), the stores of South and North, then South's and \
                 North's pits, for example '0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4'."
            }
            PositionForm::List => {
                "Write a list as North's store, South's pits, South's store, North's pits, for example \
                 '[0,4,4,4,4,4,4,0,4,4,4,4,4,4]', followed by ' N' if North is to move."
            }
            PositionForm::Lines => {
                "Write three lines as North's pits from right to left, both stores, South's pits, for example \
                 '-4-4-4-4-4-4- 0-----------0 -4-4-4-4-4-4-', followed by 'Current player: 1' if North is to move."
            }
        }
    }

    /// The form that a text without outer spaces looks like.
    fn of(text: &str) -> Option<PositionForm> {
        let first = text.chars().next()?;
        let word = text.split_whitespace().next()?;
        let starts = |prefix: &str| text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix));
        Some(match first {
            _ if text.contains('|') => PositionForm::Bars,
            '[' => PositionForm::List,
            '<' | '>' | ',' => PositionForm::Literal,
            '-' if word.matches('-').count() > 1 => PositionForm::Lines,
            '-' | '−' | '+' => PositionForm::Literal,
            _ if starts("start") || is_bare_start(word) => PositionForm::Start,
            c if c.is_ascii_digit() && word.contains('-') && !word.contains(['<', '>', ',']) => PositionForm::Dashes,
            c if c.is_ascii_digit() => PositionForm::Literal,
            _ => return None,
        })
    }
}

impl fmt::Display for PositionForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PositionForm::Start => "a start",
            PositionForm::Literal => "a board in angle brackets",
            PositionForm::Dashes => "a board with dashes",
            PositionForm::Bars => "a board with bars",
            PositionForm::List => "a list in square brackets",
            PositionForm::Lines => "a board in three lines",
        })
    }
}

/// Reads a position in any form.
pub(super) fn read(text: &str) -> Result<State, PositionError> {
    let chars: Vec<char> = text.chars().collect();
    let reader = Reader::new(&chars)?;
    let Some(form) = PositionForm::of(&reader.rest()) else {
        return Err(reader.expected("a start such as start:6x4 or a board"));
    };
    let read = match form {
        PositionForm::Start => read_start,
        PositionForm::Literal => read_literal,
        PositionForm::Dashes => read_dashes,
        PositionForm::Bars => read_bars,
        PositionForm::List => read_list,
        PositionForm::Lines => read_lines,
    };
    read(reader).map_err(|error| PositionError { form: Some(form), ..error })
}

/// Whether a word is a start without its `start:`, such as `6x4`.
fn is_bare_start(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once(['x', 'X', '×']).is_some_and(|(pits, seeds)| digits(pits) && digits(seeds))
}

fn read_start(mut reader: Reader<'_>) -> Result<State, PositionError> {
    if reader.peek().is_some_and(|c| c.is_ascii_digit()) {
        return Err(reader.expected("'start:'"));
    }
    reader.at += "start".len();
    if !reader.take(':') {
        return Err(reader.expected("':'"));
    }
    let pits = start_number(&mut reader)?;
    if !['x', 'X', '×'].into_iter().any(|times| reader.take(times)) {
        return Err(reader.expected("'x'"));
    }
    let seeds = start_number(&mut reader)?;
    reader.skip_spaces();
    if reader.peek().is_some() {
        return Err(reader.expected("nothing after the start"));
    }
    let m = pits_a_side(pits)?;
    let seeds_each = u32::try_from(seeds.value).unwrap_or(u32::MAX);
    State::start(m, seeds_each).map_err(|error| error.found_at(seeds.at))
}

/// The digits that come next in a start, which must be there.
fn start_number(reader: &mut Reader<'_>) -> Result<Number, PositionError> {
    reader.skip_spaces();
    let here = reader.clone();
    let digits = reader.word(|c| c.is_ascii_digit());
    if digits.text.is_empty() { Err(here.expected("a number")) } else { digits.number() }
}

fn read_literal(mut reader: Reader<'_>) -> Result<State, PositionError> {
    let open = reader.at;
    let bracketed = reader.take('<');
    let (numbers, end) = read_numbers(&mut reader, bracketed.then_some(('<', '>', open)))?;
    let Some((&first, rest)) = numbers.split_first() else {
        return Err(PositionError::at(end, "expected the number of pits a side, found no number at all"));
    };
    let m = usize::from(pits_a_side(first)?);
    if rest.len() != 2 + 2 * m {
        let at = rest.get(2 + 2 * m).map_or(end, |extra| extra.at);
        return Err(PositionError::at(
            at,
            format!(
                "a board of {m} pits a side has {} numbers (pits, two stores, {m} and {m} pits), found {}",
                3 + 2 * m,
                numbers.len()
            ),
        ));
    }
    let state = board([rest[0], rest[1]], &rest[2..])?;
    read_side(&mut reader, state)
}

/// Reads North's store, South's pits, South's store, North's pits.
fn read_list(mut reader: Reader<'_>) -> Result<State, PositionError> {
    let open = reader.at;
    reader.take('[');
    let (numbers, end) = read_numbers(&mut reader, Some(('[', ']', open)))?;
    let count = numbers.len();
    if count < 4 || !count.is_multiple_of(2) {
        let reason =
            format!("a list has 14 numbers for 6 pits a side and two more for every further pit, found {count}");
        return Err(PositionError::at(end, reason));
    }
    let half = count / 2;
    let in_pits = [&numbers[1..half], &numbers[half + 1..]].concat();
    let state = board([numbers[half], numbers[0]], &in_pits)?;
    read_side(&mut reader, state)
}

/// Reads numbers up to the closing bracket or, without brackets, up to a side word or the end. The numbers, and the character
/// after the last.
fn read_numbers(
    reader: &mut Reader<'_>,
    brackets: Option<(char, char, usize)>,
) -> Result<(Vec<Number>, usize), PositionError> {
    let mut numbers = Vec::new();
    let mut after_comma = false;
    loop {
        reader.skip_spaces();
        match (reader.peek(), brackets) {
            (Some(c), Some((_, close, _))) if c == close && !after_comma => {
                reader.at += 1;
                return Ok((numbers, reader.at - 1));
            }
            (Some('>'), None) => {
                return Err(PositionError::at(reader.at, "the bracket that closes here was never opened with '<'"));
            }
            (Some(c @ ('<' | '[')), _) => {
                return Err(PositionError::at(reader.at, format!("expected one board, found a second '{c}'")));
            }
            (None, Some((_, close, open))) => {
                let reason = format!("the bracket that opens here is never closed with '{close}'");
                return Err(PositionError::at(open, reason));
            }
            (None, None) if !after_comma => return Ok((numbers, reader.at)),
            (None | Some(',' | '>' | ']'), _) => {
                return Err(reader.expected(if after_comma { "a number after the comma" } else { "a number" }));
            }
            // The side to move, or what should have been it: only where no bracket says that the board goes on.
            (Some(c), None) if c.is_alphabetic() && !after_comma && !numbers.is_empty() => {
                return Ok((numbers, reader.at));
            }
            (Some(_), _) => {}
        }
        numbers.push(reader.word(|c| !c.is_whitespace() && !matches!(c, ',' | '<' | '>' | '[' | ']')).number()?);
        after_comma = reader.take(',');
    }
}

/// Reads the side to move after a board, if there is one.
fn read_side(reader: &mut Reader<'_>, state: State) -> Result<State, PositionError> {
    reader.skip_spaces();
    if reader.peek().is_none() {
        return Ok(state);
    }
    let here = reader.clone();
    let word = reader.word(|c| !c.is_whitespace() && !matches!(c, ',' | '<' | '>'));
    let Some(to_move) = side(&word.text) else {
        return Err(here.expected("the side to move (S, N, South or North) or nothing after the board"));
    };
    reader.skip_spaces();
    if reader.peek().is_some() {
        return Err(reader.expected("nothing after the side to move"));
    }
    Ok(state.with_to_move(to_move))
}

/// Reads South's pits, North's pits, South's store, North's store, the side to move.
fn read_dashes(mut reader: Reader<'_>) -> Result<State, PositionError> {
    let end = reader.end();
    let mut words = reader.split('-');
    let last = words.pop().unwrap_or(Word { at: end, text: String::new() });
    let Some(to_move) = side(last.text.trim()) else {
        let found = if last.text.is_empty() { "nothing".to_owned() } else { quote(&last.text) };
        return Err(PositionError::at(
            last.at,
            format!("expected the side to move, S or N, at the end, found {found}"),
        ));
    };
    let numbers = words.iter().map(Word::number).collect::<Result<Vec<_>, _>>()?;
    let [in_pits @ .., south, north] = &numbers[..] else {
        let reason = format!("expected pits, two stores and the side to move, found {} numbers", numbers.len());
        return Err(PositionError::at(last.at, reason));
    };
    if in_pits.is_empty() || !in_pits.len().is_multiple_of(2) {
        let found = in_pits.len();
        let reason = format!("expected as many pits for North as for South, then two stores, found {found} pits");
        return Err(PositionError::at(last.at, reason));
    }
    Ok(board([*south, *north], in_pits)?.with_to_move(to_move))
}

/// Reads the player to move, South's store, North's store, South's pits, North's pits.
fn read_bars(mut reader: Reader<'_>) -> Result<State, PositionError> {
    let (begin, end) = (reader.at, reader.end());
    let whole = reader.clone();
    let parts = reader.split('|');
    let [mover, stores, in_pits] = &parts[..] else {
        return Err(PositionError::at(begin, format!("expected three parts between bars, found {}", parts.len())));
    };
    let words = |part| whole.part(part).words();
    let to_move = match words(mover)[..] {
        [Word { ref text, .. }] if text == "0" => Side::South,
        [Word { ref text, .. }] if text == "1" => Side::North,
        _ => return Err(PositionError::at(mover.at, "expected the player to move, 0 or 1, before the first bar")),
    };
    let numbers = |part| words(part).iter().map(Word::number).collect::<Result<Vec<_>, _>>();
    let (both, in_pits) = (numbers(stores)?, numbers(in_pits)?);
    let &[south, north] = &both[..] else {
        let reason = format!("expected two stores between the bars, found {} numbers", both.len());
        return Err(PositionError::at(stores.at, reason));
    };
    if in_pits.is_empty() || !in_pits.len().is_multiple_of(2) {
        let reason = format!("expected as many pits for North as for South, found {} pits in all", in_pits.len());
        return Err(PositionError::at(end, reason));
    }
    Ok(board([south, north], &in_pits)?.with_to_move(to_move))
}

/// Reads North's pits from right to left, North's store and South's, South's pits, and after them who is to move.
fn read_lines(mut reader: Reader<'_>) -> Result<State, PositionError> {
    let whole = reader.clone();
    let mut words = reader.words().into_iter();
    let mut next = |what: &str| {
        words
            .next()
            .ok_or_else(|| PositionError::at(whole.end(), format!("expected {what}, found the end of the text")))
    };
    let row = |line: &Word| {
        let mut parts = whole.part(line).split('-');
        let outer = [parts.remove(0), parts.pop().unwrap_or(Word { at: line.at, text: String::new() })];
        match outer.iter().find(|part| !part.text.is_empty()) {
            Some(part) => Err(PositionError::at(part.at, format!("expected '-' here, found {}", quote(&part.text)))),
            None => parts.iter().map(Word::number).collect::<Result<Vec<_>, _>>(),
        }
    };
    let mut norths = row(&next("North's pits")?)?;
    norths.reverse();
    let stores = next("the line with both stores")?;
    let parts = whole.part(&stores).split('-');
    let (Some(north), Some(south), true) = (parts.first(), parts.last(), parts.len() > 1) else {
        let found = quote(&stores.text);
        return Err(PositionError::at(stores.at, format!("expected two stores joined by dashes, found {found}")));
    };
    let (north, south) = (north.number()?, south.number()?);
    if let Some(part) = parts[1..parts.len() - 1].iter().find(|part| !part.text.is_empty()) {
        let reason = format!("expected only dashes between the stores, found {}", quote(&part.text));
        return Err(PositionError::at(part.at, reason));
    }
    let line = next("South's pits")?;
    let souths = row(&line)?;
    if souths.len() != norths.len() {
        let reason =
            format!("expected as many pits for South as for North, found {} and {}", souths.len(), norths.len());
        return Err(PositionError::at(line.at, reason));
    }
    let state = board([south, north], &[souths, norths].concat())?;
    let rest: Vec<Word> = words.collect();
    let texts: Vec<String> = rest.iter().map(|word| word.text.to_ascii_lowercase()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    // OpenSpiel says −4 for the player to move once the game is over, and then the number of moves played.
    let (to_move, after) = match texts[..] {
        ["current", "player:", "0" | "-4", ..] => (Side::South, 3),
        ["current", "player:", "1", ..] => (Side::North, 3),
        _ => (Side::South, 0),
    };
    match (&texts[after..], rest.get(after)) {
        ([], _) | (["move", "number:", _], _) => Ok(state.with_to_move(to_move)),
        (_, word) => {
            let at = word.map_or(whole.end(), |word| word.at);
            let found = word.map_or_else(String::new, |word| quote(&word.text));
            let reason = format!("expected 'Current player: 0' or 1, or nothing, after the board, found {found}");
            Err(PositionError::at(at, reason))
        }
    }
}

/// The side a word names.
fn side(word: &str) -> Option<Side> {
    match word.to_lowercase().as_str() {
        "s" | "south" => Some(Side::South),
        "n" | "north" => Some(Side::North),
        _ => None,
    }
}

/// The first number of a literal or start as pits a side.
fn pits_a_side(number: Number) -> Result<u8, PositionError> {
    match u8::try_from(number.value) {
        Ok(pits @ 1..=MAX_PITS) => Ok(pits),
        _ => Err(PositionError::pits(number.value).found_at(number.at)),
    }
}

/// The board with South's and North's store, South's pits and then as many of North's.
fn board(stores: [Number; 2], in_pits: &[Number]) -> Result<State, PositionError> {
    let m = in_pits.len() / 2;
    let Ok(pits @ 1..=MAX_PITS) = u8::try_from(m) else {
        return Err(PositionError::pits(m as u64).found_at(in_pits.first().map_or(0, |first| first.at)));
    };
    for store in stores {
        if store.value > u64::from(MAX_STORE) {
            let reason = format!("a store holds at most {MAX_STORE} seeds, found {}", store.value);
            return Err(PositionError::at(store.at, reason));
        }
    }
    let mut total = 0;
    for pit in in_pits {
        if pit.value > 255 {
            return Err(PositionError::at(pit.at, format!("a pit holds at most 255 seeds, found {}", pit.value)));
        }
        total += pit.value;
        if total > u64::from(MAX_SEEDS) {
            let all = in_pits.iter().fold(0, |sum: u64, pit| sum.saturating_add(pit.value));
            return Err(PositionError::too_many_seeds(all).found_at(pit.at));
        }
    }
    let bytes: Vec<u8> = in_pits.iter().map(|pit| pit.value as u8).collect();
    let position = Position::new(Row::from_pits(&bytes[..m]), Row::from_pits(&bytes[m..]));
    Ok(State::new(pits, position).with_stores(stores[0].value as u32, stores[1].value as u32))
}
