//! Printed numbers and how they are written.

use kalah_rules::Margin;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A decimal number as printed, with as many digits as were printed: `4604996`, `4.11e9`, `2.9`. It stands for every number
/// that rounds to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// All printed digits as one whole number.
    digits: u64,
    /// The power of ten of the last digit.
    power: i32,
}

impl Decimal {
    /// The number itself.
    pub fn value(self) -> f64 {
        self.digits as f64 * 10f64.powi(self.power)
    }

    /// How `count` becomes this number; a number printed in full must be equal.
    pub fn of_count(self, count: u128) -> Rounding {
        let Some(power) = u32::try_from(self.power).ok().filter(|&power| power > 0) else {
            // No digit is missing, so nothing can be rounded.
            let whole = self.power == 0 && u128::from(self.digits) == count;
            let equal = whole || (self.power < 0 && self.value() == count as f64);
            return if equal { Rounding::Nearest } else { Rounding::None };
        };
        let printed = 10u128.checked_pow(power).and_then(|unit| Some((unit, unit.checked_mul(self.digits.into())?)));
        let Some((unit, printed)) = printed else { return Rounding::None };
        // Half a unit away may be rounded either way.
        if 2 * printed.abs_diff(count) <= unit {
            Rounding::Nearest
        } else if count > printed && count - printed < unit {
            Rounding::Down
        } else {
            Rounding::None
        }
    }

    /// How `real` becomes this number.
    pub fn of_real(self, real: f64) -> Rounding {
        let (difference, unit) = (real - self.value(), 10f64.powi(self.power));
        if difference.abs() <= 0.5 * unit + 1e-9 {
            Rounding::Nearest
        } else if difference > 0.0 && difference < unit {
            Rounding::Down
        } else {
            Rounding::None
        }
    }
}

/// How a number becomes a printed one with fewer digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// By rounding to the nearest.
    Nearest,
    /// By cutting digits off.
    Down,
    /// Not at all: it is another number.
    None,
}

impl FromStr for Decimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Decimal, String> {
        let fault = || format!("expected a number such as 12376, 4.11e9 or 2.9, found '{text}'");
        let (mantissa, exponent) = match text.split_once('e') {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| fault())?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) || exponent.abs() > 30 {
            return Err(fault());
        }
        Ok(Decimal { digits: digits.parse().map_err(|_| fault())?, power: exponent - fraction.len() as i32 })
    }
}

/// Who wins, seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Letter {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Loss,
    /// Neither.
    Draw,
}

impl Letter {
    /// The letter of a margin.
    pub fn of(margin: Margin) -> Letter {
        match margin.0.signum() {
            1 => Letter::Win,
            -1 => Letter::Loss,
            _ => Letter::Draw,
        }
    }
}

impl fmt::Display for Letter {
    /// `W`, `L` or `D`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Letter::Win => "W",
            Letter::Loss => "L",
            Letter::Draw => "D",
        })
    }
}

/// A published number, read according to what it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// A count or measure.
    Decimal(Decimal),
    /// A margin of the player to move, in seeds.
    Margin(Margin),
    /// Who wins.
    Letter(Letter),
    /// Shares of won, lost and drawn nodes in percent.
    Shares([Decimal; 3]),
    /// Numbers of won, lost and drawn nodes.
    Outcomes([u64; 3]),
    /// A set of pits, counted from 1, upwards.
    Pits(Vec<u8>),
    /// Seeds in the pits of a row, from the store outwards.
    Row(Vec<u8>),
    /// Whether something exists or can be done.
    Yes(bool),
    /// How many positions have each value.
    Histogram(BTreeMap<i16, u64>),
}

/// How a [`Number`] is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Decimal,
    Margin,
    Letter,
    Shares,
    Outcomes,
    Pits,
    Row,
    Yes,
    Histogram,
}

/// Three parts between slashes.
fn three<T: FromStr>(text: &str) -> Option<[T; 3]> {
    let parts: Vec<T> = text.split('/').map(str::parse).collect::<Result<_, _>>().ok()?;
    parts.try_into().ok()
}

/// Small numbers between commas.
fn list(text: &str) -> Option<Vec<u8>> {
    text.split(',').map(|part| part.parse().ok()).collect()
}

impl Number {
    /// Reads a number of this form.
    pub(crate) fn parse(form: Form, text: &str) -> Result<Number, String> {
        let read = match form {
            Form::Decimal => return text.parse().map(Number::Decimal),
            Form::Margin => text.parse().ok().map(|margin| Number::Margin(Margin(margin))),
            Form::Letter => [Letter::Win, Letter::Loss, Letter::Draw]
                .into_iter()
                .find(|letter| letter.to_string() == text)
                .map(Number::Letter),
            Form::Shares => three(text).map(Number::Shares),
            Form::Outcomes => three(text).map(Number::Outcomes),
            Form::Pits => list(text).filter(|pits| pits.is_sorted()).map(Number::Pits),
            Form::Row => list(text).map(Number::Row),
            Form::Yes => [("yes", true), ("no", false)]
                .into_iter()
                .find(|(word, _)| *word == text)
                .map(|(_, yes)| Number::Yes(yes)),
            Form::Histogram => text
                .split(' ')
                .map(|entry| {
                    let (value, positions) = entry.split_once(':')?;
                    Some((value.parse().ok()?, positions.parse().ok()?))
                })
                .collect::<Option<BTreeMap<i16, u64>>>()
                .map(Number::Histogram),
        };
        read.ok_or_else(|| {
            let expected = match form {
                Form::Decimal => "a number",
                Form::Margin => "a margin such as +8 or -2",
                Form::Letter => "W, L or D",
                Form::Shares => "three percentages such as 44/46/10",
                Form::Outcomes => "three counts such as 5/6/1",
                Form::Pits => "pits such as 1,3",
                Form::Row => "seeds such as 1,1,3",
                Form::Yes => "yes or no",
                Form::Histogram => "values and positions such as -2:40 0:13 2:25",
            };
            format!("expected {expected}, found '{text}'")
        })
    }
}

/// How a printed number is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// It is the number.
    Exact,
    /// The number is this or more.
    AtLeast,
    /// The number is this or less.
    AtMost,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn a_rounded_number_stands_for_what_rounds_to_it() {
        use Rounding::{Down, Nearest, None};
        for (printed, count, rounding) in [
            ("4.11e9", 4_112_648_490, Nearest),
            ("4.11e9", 4_115_000_000, Nearest),
            ("4.11e9", 4_115_000_001, Down),
            ("4.11e9", 4_119_999_999, Down),
            ("4.11e9", 4_120_000_000, None),
            ("4.11e9", 4_104_999_999, None),
            ("7.12e10", 7_124_934_600, None),
            ("4604996", 4_604_996, Nearest),
            ("4604996", 4_604_997, None),
            ("24.6", 24, None),
            ("24.0", 24, Nearest),
        ] {
            assert_eq!(decimal(printed).of_count(count), rounding, "{count} as {printed}");
        }
        for (printed, real, rounding) in [
            ("2.9", 2.918, Nearest),
            ("2.9", 2.951, Down),
            ("2.9", 3.001, None),
            ("2.9", 2.84, None),
            ("10", 10.4, Nearest),
            ("10", 9.4, None),
        ] {
            assert_eq!(decimal(printed).of_real(real), rounding, "{real} as {printed}");
        }
        for text in ["", "e9", ".5", "-3", "1e99", "12a", "99999999999999999999"] {
            assert!(text.parse::<Decimal>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_form_reads_what_it_should_and_nothing_else() {
        for (form, good, bad) in [
            (Form::Decimal, "1.31e13", "many"),
            (Form::Margin, "-14", "W"),
            (Form::Letter, "D", "draw"),
            (Form::Shares, "44/46/10", "44/46"),
            (Form::Outcomes, "5/6/1", "5/6/1.5"),
            (Form::Pits, "1,3", "3,1"),
            (Form::Row, "1,1,3,2", "1,,2"),
            (Form::Yes, "yes", "maybe"),
            (Form::Histogram, "-2:40 0:13 2:25", "-2:40,0:13"),
        ] {
            assert!(Number::parse(form, good).is_ok(), "{good}");
            let fault = Number::parse(form, bad).unwrap_err();
            assert!(fault.contains(bad), "{fault}");
        }
    }
}
