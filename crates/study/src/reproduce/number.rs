//! Printed numbers: how they are written, and when a result of ours is the same number.

use kalah_rules::Margin;
use kalah_search::Bounds;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
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

/// What we found where somebody else printed a number.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// A count.
    Count(u128),
    /// A measure that is no whole number.
    Real(f64),
    /// What is proved about a margin of the player to move.
    Margin(Bounds),
    /// Numbers of won, lost and drawn nodes.
    Outcomes([u64; 3]),
    /// A set of pits.
    Pits(Vec<u8>),
    /// Seeds in the pits of a row, from the store outwards.
    Row(Vec<u8>),
    /// Whether something exists or can be done.
    Yes(bool),
    /// A line that cannot be played as printed: where and why.
    Broken(String),
    /// How many positions have each value.
    Histogram(BTreeMap<i16, u64>),
    /// Nothing, because a limit came first.
    Nothing,
}

/// A whole number with a comma after every third digit.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let parts = digits.as_bytes().rchunks(3).rev();
    parts.map(|part| String::from_utf8_lossy(part)).collect::<Vec<_>>().join(",")
}

/// A histogram in a few words.
pub(crate) fn histogram_size(values: &BTreeMap<i16, u64>) -> String {
    format!("{} values of {} positions", values.len(), grouped(values.values().map(|&n| u128::from(n)).sum()))
}

/// The first entry in which two histograms differ, in words.
pub(crate) fn histogram_difference(printed: &BTreeMap<i16, u64>, found: &BTreeMap<i16, u64>) -> Option<String> {
    let values = printed.keys().chain(found.keys()).collect::<BTreeSet<_>>();
    let count = |values: &BTreeMap<i16, u64>, value| u128::from(values.get(value).copied().unwrap_or_default());
    values.into_iter().map(|value| (value, count(printed, value), count(found, value))).find(|(_, a, b)| a != b).map(
        |(value, printed, found)| {
            format!("value {value} has {} positions in print, {} here", grouped(printed), grouped(found))
        },
    )
}

/// Parts joined by a separator.
fn joined<T: fmt::Display>(parts: impl IntoIterator<Item = T>, separator: &str) -> String {
    parts.into_iter().map(|part| part.to_string()).collect::<Vec<_>>().join(separator)
}

/// Won, lost and drawn nodes in percent of all, with one decimal place.
pub(crate) fn shares(outcomes: [u64; 3]) -> [f64; 3] {
    let all = outcomes.iter().sum::<u64>().max(1) as f64;
    outcomes.map(|nodes| 100.0 * nodes as f64 / all)
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Finding::Count(count) => grouped(*count),
            Finding::Real(real) => format!("{real:.3}"),
            Finding::Margin(bounds) => match bounds.exact() {
                Some(value) => value.to_string(),
                None => format!("{} to {}", bounds.lower, bounds.upper),
            },
            Finding::Outcomes(outcomes) => {
                let percent = joined(shares(*outcomes).map(|share| format!("{share:.1}")), "/");
                format!("{} ({percent} %)", joined(outcomes, "/"))
            }
            Finding::Pits(list) | Finding::Row(list) => joined(list, ","),
            Finding::Yes(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            Finding::Broken(why) => why.clone(),
            Finding::Histogram(values) => histogram_size(values),
            Finding::Nothing => String::new(),
        };
        f.pad(&text)
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

/// What a finding says about a printed number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The same number.
    Same,
    /// The same number with digits cut off in print where they should have been rounded.
    CutOff,
    /// The printed bound is true.
    Consistent,
    /// Another number.
    Different,
    /// Not enough is known.
    Open,
}

/// Compares what we found with what was printed.
pub fn judge(printed: &Number, relation: Relation, found: &Finding) -> Judgement {
    let same = |yes: bool| if yes { Judgement::Same } else { Judgement::Different };
    let rounded = |rounding: Rounding| match rounding {
        Rounding::Nearest => Judgement::Same,
        Rounding::Down => Judgement::CutOff,
        Rounding::None => Judgement::Different,
    };
    match (printed, found) {
        (_, Finding::Nothing) => Judgement::Open,
        (Number::Margin(printed), Finding::Margin(bounds)) => judge_margin(*printed, relation, *bounds),
        (Number::Letter(letter), Finding::Margin(bounds)) => {
            let (lower, upper) = (Letter::of(bounds.lower), Letter::of(bounds.upper));
            let excluded = match letter {
                Letter::Win => bounds.upper.0 <= 0,
                Letter::Loss => bounds.lower.0 >= 0,
                Letter::Draw => bounds.lower.0 > 0 || bounds.upper.0 < 0,
            };
            match (lower == upper, excluded) {
                (true, _) => same(*letter == lower),
                (false, true) => Judgement::Different,
                (false, false) => Judgement::Open,
            }
        }
        (Number::Decimal(printed), Finding::Count(count)) => match relation {
            Relation::Exact => rounded(printed.of_count(*count)),
            Relation::AtLeast if *count as f64 >= printed.value() => Judgement::Consistent,
            Relation::AtMost if *count as f64 <= printed.value() => Judgement::Consistent,
            _ => Judgement::Different,
        },
        (Number::Decimal(printed), Finding::Real(real)) => rounded(printed.of_real(*real)),
        (Number::Shares(printed), Finding::Outcomes(outcomes)) => same(
            printed.iter().zip(shares(*outcomes)).all(|(printed, share)| printed.of_real(share) == Rounding::Nearest),
        ),
        (Number::Outcomes(printed), Finding::Outcomes(outcomes)) => same(printed == outcomes),
        (Number::Pits(printed), Finding::Pits(found)) | (Number::Row(printed), Finding::Row(found)) => {
            same(printed == found)
        }
        (Number::Yes(printed), Finding::Yes(found)) => same(printed == found),
        (Number::Histogram(printed), Finding::Histogram(found)) => same(printed == found),
        // A line that cannot be played refutes whatever it should show, and so does anything of another kind.
        _ => Judgement::Different,
    }
}

fn judge_margin(printed: Margin, relation: Relation, bounds: Bounds) -> Judgement {
    let Bounds { lower, upper } = bounds;
    let (proved, excluded) = match relation {
        Relation::Exact => (lower == printed && upper == printed, lower > printed || upper < printed),
        Relation::AtLeast => (lower >= printed, upper < printed),
        Relation::AtMost => (upper <= printed, lower > printed),
    };
    match (proved, excluded) {
        (true, _) if relation == Relation::Exact => Judgement::Same,
        (true, _) => Judgement::Consistent,
        (false, true) => Judgement::Different,
        (false, false) => Judgement::Open,
    }
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
    fn bounds_are_compared_by_what_they_exclude() {
        let bounds = |lower, upper| Finding::Margin(Bounds { lower: Margin(lower), upper: Margin(upper) });
        let four = Number::Margin(Margin(4));
        let cases = [
            (Relation::Exact, bounds(4, 4), Judgement::Same),
            (Relation::Exact, bounds(2, 8), Judgement::Open),
            (Relation::Exact, bounds(6, 8), Judgement::Different),
            (Relation::Exact, bounds(-8, 2), Judgement::Different),
            (Relation::AtLeast, bounds(4, 72), Judgement::Consistent),
            (Relation::AtLeast, bounds(2, 72), Judgement::Open),
            (Relation::AtLeast, bounds(-72, 2), Judgement::Different),
            (Relation::AtMost, bounds(-72, 4), Judgement::Consistent),
            (Relation::AtMost, bounds(6, 6), Judgement::Different),
            (Relation::Exact, Finding::Nothing, Judgement::Open),
            (Relation::Exact, Finding::Broken("at move 3".to_owned()), Judgement::Different),
        ];
        for (relation, found, expected) in cases {
            assert_eq!(judge(&four, relation, &found), expected, "{relation:?} {found:?}");
        }
        let letter = |letter, lower, upper| judge(&Number::Letter(letter), Relation::Exact, &bounds(lower, upper));
        assert_eq!(letter(Letter::Win, 2, 8), Judgement::Same);
        assert_eq!(letter(Letter::Win, -2, 0), Judgement::Different);
        assert_eq!(letter(Letter::Win, 0, 8), Judgement::Open);
        assert_eq!(letter(Letter::Draw, 0, 0), Judgement::Same);
        assert_eq!(letter(Letter::Draw, 2, 8), Judgement::Different);
        assert_eq!(letter(Letter::Loss, -8, -2), Judgement::Same);
        assert_eq!(letter(Letter::Loss, 0, 4), Judgement::Different);
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

    #[test]
    fn findings_read_well() {
        assert_eq!(Finding::Count(4_604_996).to_string(), "4,604,996");
        assert_eq!(Finding::Count(24).to_string(), "24");
        assert_eq!(Finding::Outcomes([44, 4, 0]).to_string(), "44/4/0 (91.7/8.3/0.0 %)");
        let open = Bounds { lower: Margin(-2), upper: Margin(8) };
        assert_eq!(Finding::Margin(open).to_string(), "-2 to +8");
    }
}
