//! The characters of a position that is being read, with the place of each.

use crate::PositionError;

/// A number and the character it begins at.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) at: usize,
    pub(super) value: u64,
}

/// A piece of the text and the character it begins at.
pub(super) struct Word {
    pub(super) at: usize,
    pub(super) text: String,
}

impl Word {
    /// The number that the word stands for. Numbers too large for 64 bits count as the largest.
    pub(super) fn number(&self) -> Result<Number, PositionError> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits(&self.text) {
            return Ok(Number { at: self.at, value: self.text.parse().unwrap_or(u64::MAX) });
        }
        let found = quote(&self.text);
        Err(PositionError::at(
            self.at,
            match self.text.strip_prefix(['-', '−']) {
                Some(rest) if digits(rest) => format!("numbers of seeds cannot be negative, found {found}"),
                _ if self.text.is_empty() => "expected a whole number, found nothing".to_owned(),
                _ => format!("expected a whole number, found {found}"),
            },
        ))
    }
}

/// The characters of a text and how far they are read.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    chars: &'a [char],
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    /// The text without outer spaces and, if there are any, without the quotes around it.
    pub(super) fn new(chars: &'a [char]) -> Result<Reader<'a>, PositionError> {
        let inner = unquoted(chars)?;
        Ok(Reader { chars: &chars[..inner.end], at: inner.start })
    }

    /// The character after the last one.
    pub(super) fn end(&self) -> usize {
        self.chars.len()
    }

    /// The text that is not read yet.
    pub(super) fn rest(&self) -> String {
        self.chars[self.at..].iter().collect()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Reads `wanted` if it comes next, spaces before it included.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The characters as long as they are wanted.
    pub(super) fn word(&mut self, wanted: impl Fn(char) -> bool) -> Word {
        let at = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        Word { at, text: self.chars[at..self.at].iter().collect() }
    }

    /// The words up to a separator or the end, and from there on; separators are not part of any.
    pub(super) fn split(&mut self, separator: char) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            words.push(self.word(|c| c != separator));
            if self.peek().is_none() {
                return words;
            }
            self.at += 1;
        }
    }

    /// The words between spaces.
    pub(super) fn words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.skip_spaces();
            if self.peek().is_none() {
                return words;
            }
            words.push(self.word(|c| !c.is_whitespace()));
        }
    }

    /// A reader of a part of the text, from one character up to another.
    pub(super) fn part(&self, word: &Word) -> Reader<'a> {
        Reader { chars: &self.chars[..word.at + word.text.chars().count()], at: word.at }
    }

    /// The fault that something else was expected here.
    pub(super) fn expected(&self, what: &str) -> PositionError {
        PositionError::at(self.at, format!("expected {what}, found {}", self.quote_next()))
    }

    /// What comes next, short enough to be quoted in a message.
    fn quote_next(&self) -> String {
        match self.peek() {
            None => "the end of the text".to_owned(),
            Some(_) => quote(&self.rest()),
        }
    }
}

/// A text in quotes, cut after twenty characters.
pub(super) fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(20).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("'{}'", shown.escape_debug())
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
            return Err(PositionError::at(inner.start, "the quote that opens here is never closed"));
        }
        inner = trimmed(inner.start + 1, inner.end - 1);
    }
    if inner.is_empty() {
        return Err(PositionError::at(inner.start, "expected a board or a start, found an empty text"));
    }
    Ok(inner)
}
