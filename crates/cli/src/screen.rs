//! The reader's screen: its width, and whether it shows colours and characters beyond ASCII.

use console::Term;
use kalah_rules::{PictureStyle, State};
use std::env;
use std::sync::OnceLock;

/// Columns if the width is not known.
const COLUMNS: usize = 80;

/// Smaller widths count as this one.
const FEWEST: usize = 40;

/// The space that holds two words on one line.
pub(crate) const GLUE: char = '\u{a0}';

/// Characters beyond ASCII in texts for people, and what stands for them.
const PLAIN: [(char, &str); 11] = [
    ('–', "-"),
    ('−', "-"),
    ('—', "-"),
    ('─', "-"),
    ('…', "..."),
    ('×', "x"),
    ('·', "."),
    ('²', "^2"),
    ('≤', "<="),
    ('≥', ">="),
    ('’', "'"),
];

/// A kind of text that has a colour of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Paint {
    /// A result that is good for the player to move.
    Win,
    /// A level result.
    Draw,
    /// A result that is bad for the player to move.
    Loss,
    /// The best move, and heads.
    Strong,
    /// The lines of tables.
    Quiet,
}

impl Paint {
    /// The terminal's code of the colour.
    fn code(self) -> &'static str {
        match self {
            Paint::Win => "32",
            Paint::Draw => "33",
            Paint::Loss => "31",
            Paint::Strong => "1",
            Paint::Quiet => "2",
        }
    }
}

/// Properties of a screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Screen {
    /// Characters in a line.
    pub(crate) columns: usize,
    /// Whether colours are shown.
    pub(crate) colour: bool,
    /// Whether characters beyond ASCII are replaced.
    pub(crate) ascii: bool,
}

/// The screen of this process, decided once.
static SCREEN: OnceLock<Screen> = OnceLock::new();

impl Screen {
    /// Looks at standard output and the environment, once. `ascii` is whether the option --ascii is given.
    pub(crate) fn decide(ascii: bool) {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let terminal = Term::stdout();
        let columns = terminal.size_checked().map(|(_, columns)| usize::from(columns));
        SCREEN.get_or_init(|| Screen::of(&variable, columns.filter(|_| terminal.is_term()), ascii));
    }

    /// The screen of this process, or a plain one before [`Screen::decide`].
    pub(crate) fn get() -> Screen {
        SCREEN.get().copied().unwrap_or(Screen { columns: COLUMNS, colour: false, ascii: false })
    }

    /// The screen for these environment variables and a terminal with so many columns. `variable` returns `None` for
    /// variables that are empty; `terminal` is `None` if the output is not a terminal.
    fn of(variable: &dyn Fn(&str) -> Option<String>, terminal: Option<usize>, ascii: bool) -> Screen {
        let given = variable("COLUMNS").and_then(|text| text.trim().parse::<usize>().ok());
        let columns = given.or(terminal).unwrap_or(COLUMNS).max(FEWEST);
        let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let able = terminal.is_some() && variable("TERM").is_none_or(|value| value != "dumb");
        let wanted = variable("NO_COLOR").is_none() && variable("CLICOLOR").is_none_or(|value| value != "0");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        // Other systems do not use these variables and print UTF-8.
        let unicode = !cfg!(unix) || locale.contains("utf-8") || locale.contains("utf8");
        Screen { columns, colour: wanted && (able || forced), ascii: ascii || !unicode }
    }

    /// A text in its colour, or as it is where no colours are shown.
    pub(crate) fn paint(self, paint: Paint, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{}m{text}\x1b[0m", paint.code()) } else { text.to_owned() }
    }

    /// A text for people as this screen shows it. Letters beyond ASCII stay, because they belong to names of files.
    pub(crate) fn shown(self, text: &str) -> std::borrow::Cow<'_, str> {
        if !self.ascii || text.is_ascii() {
            return text.into();
        }
        let mut plain = String::with_capacity(text.len());
        for char in text.chars() {
            match PLAIN.iter().find(|(from, _)| *from == char) {
                Some((_, to)) => plain.push_str(to),
                None => plain.push(char),
            }
        }
        plain.into()
    }

    /// The board as a picture.
    pub(crate) fn picture(self, state: &State) -> String {
        kalah_rules::picture(state, if self.ascii { PictureStyle::Ascii } else { PictureStyle::Boxes })
    }

    /// A paragraph broken at spaces so that it fits the screen; the lines after the first are indented by `indent` spaces.
    /// No-break spaces hold words together and are shown as spaces.
    pub(crate) fn wrapped(self, text: &str, indent: usize) -> String {
        self.broken(text, 0, indent)
    }

    /// The same with all lines indented.
    pub(crate) fn indented(self, text: &str, indent: usize) -> String {
        self.broken(text, indent, indent)
    }

    fn broken(self, text: &str, first: usize, rest: usize) -> String {
        let mut lines = vec![" ".repeat(first)];
        let mut used = first;
        let mut begun = false;
        for word in text.split(' ') {
            let width = console::measure_text_width(word);
            if begun && used + 1 + width > self.columns {
                lines.push(" ".repeat(rest));
                (used, begun) = (rest, false);
            }
            if let Some(line) = lines.last_mut() {
                if begun {
                    line.push(' ');
                    used += 1;
                }
                line.push_str(word);
            }
            used += width;
            begun = true;
        }
        lines.join("\n").replace(GLUE, " ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(variables: &[(&str, &str)], terminal: Option<usize>, ascii: bool) -> Screen {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Screen::of(&variable, terminal, ascii)
    }

    #[test]
    fn the_width_is_the_terminals_unless_someone_knows_better() {
        assert_eq!(screen(&[], None, false).columns, 80);
        assert_eq!(screen(&[], Some(132), false).columns, 132);
        assert_eq!(screen(&[("COLUMNS", "100")], Some(132), false).columns, 100);
        assert_eq!(screen(&[("COLUMNS", "many")], None, false).columns, 80);
        assert_eq!(screen(&[("COLUMNS", "0")], None, false).columns, FEWEST);
    }

    #[test]
    fn colours_need_a_terminal_and_no_objection() {
        assert!(screen(&[], Some(80), false).colour);
        assert!(!screen(&[], None, false).colour);
        assert!(!screen(&[("NO_COLOR", "1")], Some(80), false).colour);
        assert!(!screen(&[("CLICOLOR", "0")], Some(80), false).colour);
        assert!(!screen(&[("TERM", "dumb")], Some(80), false).colour);
        assert!(screen(&[("CLICOLOR_FORCE", "1")], None, false).colour);
        assert!(!screen(&[("CLICOLOR_FORCE", "0")], None, false).colour);
        assert!(!screen(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], Some(80), false).colour);
    }

    #[test]
    #[cfg(unix)]
    fn a_locale_without_utf8_gets_ascii() {
        assert!(screen(&[], Some(80), false).ascii, "no locale at all is C");
        assert!(screen(&[("LANG", "C")], Some(80), false).ascii);
        assert!(!screen(&[("LANG", "C.UTF-8")], Some(80), false).ascii);
        assert!(!screen(&[("LANG", "C"), ("LC_CTYPE", "de_DE.utf8")], Some(80), false).ascii);
        assert!(screen(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "POSIX")], Some(80), false).ascii);
        assert!(screen(&[("LANG", "C.UTF-8")], Some(80), true).ascii, "the option works in every locale");
    }

    #[test]
    fn texts_are_shown_as_the_screen_can() {
        let plain = Screen { columns: 80, colour: false, ascii: true };
        assert_eq!(plain.shown("South wins 28–20 … ≥ 2n²−n"), "South wins 28-20 ... >= 2n^2-n");
        assert_eq!(plain.shown("/home/ä"), "/home/ä", "a path has to stay what it is");
        assert_eq!(Screen { ascii: false, ..plain }.shown("28–20"), "28–20");
        assert_eq!(plain.paint(Paint::Win, "+8"), "+8");
        assert_eq!(Screen { colour: true, ..plain }.paint(Paint::Win, "+8"), "\x1b[32m+8\x1b[0m");
    }

    #[test]
    fn paragraphs_are_broken_at_spaces() {
        let narrow = Screen { columns: 12, colour: false, ascii: false };
        assert_eq!(narrow.wrapped("one two three four", 2), "one two\n  three four");
        assert_eq!(narrow.wrapped("averyveryverylongword b", 2), "averyveryverylongword\n  b");
        assert_eq!(narrow.wrapped("", 2), "");
        assert_eq!(narrow.wrapped("South\u{a0}3-6, North\u{a0}2", 2), "South 3-6,\n  North 2");
        assert_eq!(narrow.indented("one two three four", 2), "  one two\n  three four");
    }
}
