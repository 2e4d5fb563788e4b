//! Text for people: board literals such as `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N`, starts such as `start:6x4`, turns such as `3-6`.

use crate::{MAX_PITS, MAX_SEEDS, MAX_STORE, MoveError, Position, PositionError, Row, RuleSet, Side, State};
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A number of a board literal and the character it begins at.
struct Number {
    at: usize,
    value: u64,
}

/// The characters of a text and how far they are read.
struct Reader<'a> {
    chars: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Reads `wanted` if it comes next, spaces before it included.
    fn take(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The characters up to the next space, comma, bracket or end, with the place of the first.
    fn word(&mut self) -> (usize, String) {
        self.skip_spaces();
        let from = self.at;
        while self.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, ',' | '<' | '>')) {
            self.at += 1;
        }
        (from, self.chars[from..self.at].iter().collect())
    }

    /// What comes next, short enough to be quoted in a message.
    fn quote_next(&self) -> String {
        match self.peek() {
            None => "the end of the text".to_owned(),
            Some(_) => quote(&self.chars[self.at..].iter().collect::<String>()),
        }
    }
}

/// A text in quotes, cut after twenty characters.
fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(20).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("'{}'", shown.escape_debug())
}

/// The number a word stands for. Numbers too large for 64 bits count as the largest.
fn number(at: usize, word: &str) -> Result<Number, PositionError> {
    if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Number { at, value: word.parse().unwrap_or(u64::MAX) });
    }
    let digits = word.strip_prefix(['-', '−']).unwrap_or_default();
    Err(PositionError::new(
        at,
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("numbers of seeds cannot be negative, found {}", quote(word))
        } else {
            format!("expected a whole number, found {}", quote(word))
        },
    ))
}

/// The side a word names.
fn side(word: &str) -> Option<Side> {
    match word.to_lowercase().as_str() {
        "s" | "south" => Some(Side::South),
        "n" | "north" => Some(Side::North),
        _ => None,
    }
}

/// The range of characters between outer spaces and, if there are any, between the quotes around the whole text.
fn unquoted(chars: &[char]) -> Result<std::ops::Range<usize>, PositionError> {
    let trimmed = |from: usize, to: usize| {
        let lead = chars[from..to].iter().take_while(|c| c.is_whitespace()).count();
        let trail = chars[from + lead..to].iter().rev().take_while(|c| c.is_whitespace()).count();
        from + lead..to - trail
    };
    let mut inner = trimmed(0, chars.len());
    let is_quote = |c: &char| matches!(c, '\'' | '"' | '`' | '‘' | '’' | '“' | '”');
    if inner.len() > 1 && is_quote(&chars[inner.start]) {
        if !is_quote(&chars[inner.end - 1]) {
            return Err(PositionError::new(inner.start, "the quote that opens here is never closed"));
        }
        inner = trimmed(inner.start + 1, inner.end - 1);
    }
    if inner.is_empty() {
        return Err(PositionError::new(inner.start, "expected a board or a start, found an empty text"));
    }
    Ok(inner)
}

/// The digits that come next in a start, which must be there.
fn start_number(reader: &mut Reader<'_>) -> Result<Number, PositionError> {
    reader.skip_spaces();
    let at = reader.at;
    while reader.peek().is_some_and(|c| c.is_ascii_digit()) {
        reader.at += 1;
    }
    if at == reader.at {
        let found = reader.quote_next();
        return Err(PositionError::new(at, format!("a start is start:PITSxSEEDS: expected a number, found {found}")));
    }
    number(at, &reader.chars[at..reader.at].iter().collect::<String>())
}

/// Reads what stands behind `start:`.
fn read_start(reader: &mut Reader<'_>) -> Result<State, PositionError> {
    let pits = start_number(reader)?;
    if !['x', 'X', '×'].into_iter().any(|times| reader.take(times)) {
        let found = reader.quote_next();
        return Err(PositionError::new(reader.at, format!("a start is start:PITSxSEEDS: expected 'x', found {found}")));
    }
    let seeds = start_number(reader)?;
    reader.skip_spaces();
    if reader.at < reader.chars.len() {
        let found = reader.quote_next();
        return Err(PositionError::new(reader.at, format!("expected nothing behind the start, found {found}")));
    }
    let m = pits_a_side(&pits)?;
    let total = seeds.value.saturating_mul(2 * u64::from(m));
    if total > u64::from(MAX_SEEDS) {
        return Err(PositionError::too_many_seeds(total, seeds.at));
    }
    State::start(m, seeds.value as u32)
}

/// The first number of a literal as pits a side.
fn pits_a_side(number: &Number) -> Result<u8, PositionError> {
    match u8::try_from(number.value) {
        Ok(pits @ 1..=MAX_PITS) => Ok(pits),
        _ => Err(PositionError::pits(number.value, number.at)),
    }
}

/// Reads the numbers of a literal up to its closing bracket or, without brackets, up to a side word or the end.
fn read_numbers(reader: &mut Reader<'_>) -> Result<Vec<Number>, PositionError> {
    let open = reader.at;
    let bracketed = reader.take('<');
    let mut numbers = Vec::new();
    let mut after_comma = false;
    loop {
        reader.skip_spaces();
        match reader.peek() {
            Some('>') if bracketed && !after_comma => {
                reader.at += 1;
                return Ok(numbers);
            }
            Some('>') if !bracketed => {
                return Err(PositionError::new(reader.at, "the bracket that closes here was never opened with '<'"));
            }
            Some('<') => return Err(PositionError::new(reader.at, "expected one board, found a second '<'")),
            None if bracketed => {
                return Err(PositionError::new(open, "the bracket that opens here is never closed with '>'"));
            }
            None if !after_comma => return Ok(numbers),
            None | Some(',' | '>') => {
                let place = if after_comma { " behind the comma" } else { "" };
                let found = reader.quote_next();
                return Err(PositionError::new(reader.at, format!("expected a number{place}, found {found}")));
            }
            // The side to move, or what should have been it: only where no bracket says that the board goes on.
            Some(c) if !bracketed && c.is_alphabetic() && !after_comma && !numbers.is_empty() => return Ok(numbers),
            Some(_) => {}
        }
        let (at, word) = reader.word();
        numbers.push(number(at, &word)?);
        after_comma = reader.take(',');
    }
}

/// Checks the numbers of a literal, whose last one ends before character `end`.
fn board(numbers: &[Number], end: usize) -> Result<State, PositionError> {
    let Some((first, rest)) = numbers.split_first() else {
        return Err(PositionError::new(end, "expected the number of pits a side, found no number at all"));
    };
    let pits = pits_a_side(first)?;
    let m = usize::from(pits);
    if numbers.len() != 3 + 2 * m {
        let at = numbers.get(3 + 2 * m).map_or(end, |extra| extra.at);
        return Err(PositionError::new(
            at,
            format!(
                "a board of {m} pits a side has {} numbers (pits, two stores, {m} and {m} pits), found {}",
                3 + 2 * m,
                numbers.len()
            ),
        ));
    }
    let (stores, holes) = rest.split_at(2);
    for store in stores {
        if store.value > u64::from(MAX_STORE) {
            let found = store.value;
            return Err(PositionError::new(
                store.at,
                format!("a store holds at most {MAX_STORE} seeds, found {found}"),
            ));
        }
    }
    let mut total = 0;
    for hole in holes {
        if hole.value > 255 {
            return Err(PositionError::new(hole.at, format!("a pit holds at most 255 seeds, found {}", hole.value)));
        }
        total += hole.value;
        if total > u64::from(MAX_SEEDS) {
            let all = holes.iter().fold(0, |sum: u64, hole| sum.saturating_add(hole.value));
            return Err(PositionError::too_many_seeds(all, hole.at));
        }
    }
    let bytes: Vec<u8> = holes.iter().map(|hole| hole.value as u8).collect();
    let position = Position::new(Row::from_pits(&bytes[..m]), Row::from_pits(&bytes[m..]));
    Ok(State::new(pits, position).with_stores(stores[0].value as u32, stores[1].value as u32))
}

/// Whether a text is a board in the form with dashes: numbers, and the side to move at the end, all joined by dashes.
fn is_dashed(text: &str) -> bool {
    let mut parts = text.split('-').rev();
    let last = parts.next().is_some_and(|last| matches!(last, "S" | "N" | "s" | "n"));
    last && text.contains('-') && parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The literal that says the same as rows, stores and a side: pits a side, stores, pits, side.
fn literal(pits: usize, stores: [&str; 2], rows: &[&str], side: Side) -> String {
    format!("<{pits},{},{},{}> {}", stores[0], stores[1], rows.join(","), side.letter())
}

/// Reads a board with dashes: South's pits, North's pits, South's store, North's store, the side to move.
fn read_dashed(text: &str) -> Result<State, PositionError> {
    let parts: Vec<&str> = text.split('-').collect();
    let [holes @ .., south, north, to_move] = &parts[..] else {
        return Err(PositionError::new(
            text.len(),
            "a board with dashes has at least one pit a side, two stores and a side",
        ));
    };
    if holes.is_empty() || holes.len() % 2 != 0 {
        let found = holes.len();
        let reason = format!(
            "a board with dashes has as many pits on both sides, then two stores and a side, found {found} pits"
        );
        return Err(PositionError::new(text.len(), reason));
    }
    literal(holes.len() / 2, [south, north], holes, side(to_move).unwrap_or_default()).parse().map_err(in_other_form)
}

/// Reads `mover | score0 score1 | A … F a … f`, player 0 being South.
fn read_bars(text: &str) -> Result<State, PositionError> {
    let parts: Vec<Vec<&str>> = text.split('|').map(|part| part.split_whitespace().collect()).collect();
    let [mover, scores, holes] = &parts[..] else {
        return Err(PositionError::new(0, format!("a board with bars has three parts, found {}", parts.len())));
    };
    let to_move = match mover[..] {
        ["0"] => Side::South,
        ["1"] => Side::North,
        _ => return Err(PositionError::new(0, "a board with bars begins with the player to move, 0 or 1")),
    };
    let &[south, north] = &scores[..] else {
        let found = scores.len();
        return Err(PositionError::new(
            0,
            format!("a board with bars has two scores in its second part, found {found}"),
        ));
    };
    if holes.is_empty() || holes.len() % 2 != 0 {
        let found = holes.len();
        return Err(PositionError::new(
            0,
            format!("a board with bars has as many pits on both sides, found {found} in all"),
        ));
    }
    literal(holes.len() / 2, [south, north], holes, to_move).parse().map_err(in_other_form)
}

/// A fault in a board that was rewritten as a literal: its place means nothing to the writer.
fn in_other_form(error: PositionError) -> PositionError {
    PositionError { at: 0, ..error }
}

impl State {
    /// The board with dashes: South's pits, North's pits, South's store, North's store, `S` or `N`.
    ///
    /// ```
    /// # use kalah_rules::State;
    /// assert_eq!(State::start(6, 4)?.dashed(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    /// # Ok::<(), kalah_rules::PositionError>(())
    /// ```
    pub fn dashed(&self) -> String {
        let mut parts: Vec<String> = self.holes().map(|seeds| seeds.to_string()).collect();
        parts.extend([Side::South, Side::North].map(|side| self.store(side).to_string()));
        parts.push(self.to_move().letter().to_owned());
        parts.join("-")
    }

    /// The board in the form OpenSpiel prints: player to move (South is 0), scores, all pits.
    ///
    /// ```
    /// # use kalah_rules::State;
    /// assert_eq!(State::start(6, 4)?.openspiel(), "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4");
    /// # Ok::<(), kalah_rules::PositionError>(())
    /// ```
    pub fn openspiel(&self) -> String {
        let holes: Vec<String> = self.holes().map(|seeds| seeds.to_string()).collect();
        let [south, north] = [Side::South, Side::North].map(|side| self.store(side));
        format!("{} | {south} {north} | {}", u8::from(self.to_move() == Side::North), holes.join(" "))
    }

    /// South's pits, then North's.
    fn holes(&self) -> impl Iterator<Item = u8> {
        [Side::South, Side::North].into_iter().flat_map(|side| self.row(side).pits(self.pits()))
    }
}

impl FromStr for State {
    type Err = PositionError;

    /// Reads a board literal `<m,store South,store North,S1,…,Sm,N1,…,Nm>`, each row in its owner's own sowing order, with
    /// the side to move behind it (`S`, `N`, `South`, `North` in any case; South if nothing is said); or a start such as
    /// `start:6x4`.
    ///
    /// Spaces may stand anywhere between numbers and may replace commas, both brackets may be left out, and the whole
    /// text may stand in quotes.
    ///
    /// Two other forms are read as well: with dashes, `4-4-…-4-0-0-S` ([`State::dashed`]), and with bars,
    /// `0 | 0 0 | 4 4 … 4` ([`State::openspiel`]).
    ///
    /// # Errors
    /// With the character at which the fault was noticed and the reason, if the text is none of these or the board
    /// is impossible: pits a side outside 1 to 8, the wrong count of numbers, more than 255 seeds in all pits together, or
    /// more than [`MAX_STORE`] in a store.
    fn from_str(text: &str) -> Result<State, PositionError> {
        let chars: Vec<char> = text.chars().collect();
        let inner = unquoted(&chars)?;
        let bare: String = chars[inner.clone()].iter().collect();
        if is_dashed(&bare) {
            return read_dashed(&bare);
        }
        if bare.contains('|') {
            return read_bars(&bare);
        }
        let mut reader = Reader { chars: &chars[..inner.end], at: inner.start };
        if chars[inner.start].is_alphabetic() {
            let (at, word) = (reader.at, reader.chars[reader.at..].iter().take_while(|c| c.is_alphabetic()));
            let word: String = word.collect();
            reader.at += word.chars().count();
            if !word.eq_ignore_ascii_case("start") || !reader.take(':') {
                reader.at = at;
                let found = reader.quote_next();
                return Err(PositionError::new(at, format!("expected '<', a number or 'start:', found {found}")));
            }
            return read_start(&mut reader);
        }
        let numbers = read_numbers(&mut reader)?;
        let end = if reader.at > 0 && chars[reader.at - 1] == '>' { reader.at - 1 } else { reader.at };
        let state = board(&numbers, end)?;
        let (at, word) = reader.word();
        if word.is_empty() && reader.at == reader.chars.len() {
            return Ok(state);
        }
        let Some(to_move) = side(&word) else {
            reader.at = at;
            let found = reader.quote_next();
            return Err(PositionError::new(
                at,
                format!("expected the side to move (S, N, South or North) or nothing behind the board, found {found}"),
            ));
        };
        reader.skip_spaces();
        if reader.at < reader.chars.len() {
            let found = reader.quote_next();
            return Err(PositionError::new(
                reader.at,
                format!("expected nothing behind the side to move, found {found}"),
            ));
        }
        Ok(state.with_to_move(to_move))
    }
}

impl fmt::Display for State {
    /// The board literal without spaces, and ` N` behind it if North is to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [u32::from(self.pits()), self.store(Side::South), self.store(Side::North)];
        let pits = [Side::South, Side::North].into_iter().flat_map(|side| self.row(side).pits(self.pits()));
        let numbers: Vec<String> =
            numbers.into_iter().chain(pits.map(u32::from)).map(|number| number.to_string()).collect();
        let side = if self.to_move() == Side::North { " N" } else { "" };
        f.pad(&format!("<{}>{side}", numbers.join(",")))
    }
}

/// Reads a move: one pit number, or the pits of a whole turn joined by dashes. Pits may be named by letters too, `A` or `a` for
/// pit 1. Whether they can be played is another question, see [`State::play_turn`].
///
/// ```
/// assert_eq!(kalah_rules::parse_turn("3-6")?, [3, 6]);
/// assert_eq!(kalah_rules::parse_turn("F")?, [6]);
/// # Ok::<(), kalah_rules::MoveError>(())
/// ```
///
/// # Errors
/// If the text is anything else than that, or a number is above 255.
pub fn parse_turn(text: &str) -> Result<Vec<u8>, MoveError> {
    text.split('-')
        .map(|pit| {
            let pit = pit.trim();
            if let [letter @ (b'a'..=b'h' | b'A'..=b'H')] = pit.as_bytes() {
                return Ok(letter.to_ascii_lowercase() - b'a' + 1);
            }
            let digits = !pit.is_empty() && pit.bytes().all(|byte| byte.is_ascii_digit());
            pit.parse().ok().filter(|_| digits).ok_or_else(|| MoveError::Syntax { text: text.to_owned() })
        })
        .collect()
}

/// The letter that names a pit in the notation of Oware: `A` to `H` for South, `a` to `h` for North.
///
/// # Panics
/// If `pit` is not 1 to 8.
#[track_caller]
pub fn pit_letter(side: Side, pit: u8) -> char {
    assert!((1..=MAX_PITS).contains(&pit), "a row has pits 1 to {MAX_PITS}, found {pit}");
    char::from(pit - 1 + if side == Side::South { b'A' } else { b'a' })
}

/// The pits of a turn joined by dashes, as [`parse_turn`] reads them.
pub fn turn_text(turn: &[u8]) -> String {
    turn.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}

impl Serialize for State {
    /// As its text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Side {
    /// As `"S"` or `"N"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.letter())
    }
}

impl Serialize for RuleSet {
    /// As its canonical text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
