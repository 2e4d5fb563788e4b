//! What we find where somebody else printed a number, and whether both are the same number.

use crate::reproduce::number::{Letter, Number, Relation, Rounding};
use kalah_rules::Margin;
use kalah_search::Bounds;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What we found where somebody else printed a number.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Finding {
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
    /// A line that cannot be played as printed.
    Broken {
        /// The turn, or the move of a line without turns, at which it breaks, from 1.
        at: u32,
        /// Why.
        why: String,
    },
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

impl Finding {
    /// As a word and a text that [`Finding::read`] reads.
    pub(crate) fn written(&self) -> String {
        match self {
            Finding::Count(count) => format!("count {count}"),
            // The shortest text that reads as the same number.
            Finding::Real(real) => format!("real {real}"),
            Finding::Margin(Bounds { lower, upper }) => format!("margin {} {}", lower.0, upper.0),
            Finding::Outcomes(outcomes) => format!("outcomes {}", joined(outcomes, " ")),
            Finding::Pits(pits) => format!("pits {}", joined(pits, " ")),
            Finding::Row(row) => format!("row {}", joined(row, " ")),
            Finding::Yes(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            Finding::Broken { at, why } => format!("broken {at} {why}"),
            Finding::Histogram(values) => {
                format!("histogram {}", joined(values.iter().map(|(value, count)| format!("{value}:{count}")), " "))
            }
            Finding::Nothing => "nothing".to_owned(),
        }
    }

    /// Reads what [`Finding::written`] wrote.
    pub(crate) fn read(text: &str) -> Result<Finding, String> {
        fn list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
            text.split_whitespace().map(|part| part.parse().ok()).collect()
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let read = match word {
            "count" => rest.parse().ok().map(Finding::Count),
            "real" => rest.parse().ok().map(Finding::Real),
            "margin" => list(rest).and_then(|bounds| match bounds[..] {
                [lower, upper] if lower <= upper => {
                    Some(Finding::Margin(Bounds { lower: Margin(lower), upper: Margin(upper) }))
                }
                _ => None,
            }),
            "outcomes" => list(rest).and_then(|counts| counts.try_into().ok()).map(Finding::Outcomes),
            "pits" => list(rest).map(Finding::Pits),
            "row" => list(rest).map(Finding::Row),
            "yes" if rest.is_empty() => Some(Finding::Yes(true)),
            "no" if rest.is_empty() => Some(Finding::Yes(false)),
            "broken" => rest.split_once(' ').and_then(|(at, why)| {
                let at = at.parse().ok()?;
                Some(Finding::Broken { at, why: why.to_owned() })
            }),
            "histogram" => rest
                .split_whitespace()
                .map(|entry| {
                    let (value, count) = entry.split_once(':')?;
                    Some((value.parse().ok()?, count.parse().ok()?))
                })
                .collect::<Option<BTreeMap<i16, u64>>>()
                .map(Finding::Histogram),
            "nothing" if rest.is_empty() => Some(Finding::Nothing),
            _ => None,
        };
        read.ok_or_else(|| format!("'{text}' is not what a run finds"))
    }
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
            Finding::Broken { why, .. } => why.clone(),
            Finding::Histogram(values) => histogram_size(values),
            Finding::Nothing => String::new(),
        };
        f.pad(&text)
    }
}

/// What a finding says about a printed number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
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
pub(crate) fn judge(printed: &Number, relation: Relation, found: &Finding) -> Judgement {
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
            (Relation::Exact, Finding::Broken { at: 3, why: "at move 3".to_owned() }, Judgement::Different),
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
    fn findings_read_well() {
        assert_eq!(Finding::Count(4_604_996).to_string(), "4,604,996");
        assert_eq!(Finding::Count(24).to_string(), "24");
        assert_eq!(Finding::Outcomes([44, 4, 0]).to_string(), "44/4/0 (91.7/8.3/0.0 %)");
        let open = Bounds { lower: Margin(-2), upper: Margin(8) };
        assert_eq!(Finding::Margin(open).to_string(), "-2 to +8");
    }

    #[test]
    fn findings_survive_their_text() {
        for finding in [
            Finding::Count(u128::MAX),
            Finding::Real(100.0 / 3.0),
            Finding::Margin(Bounds { lower: Margin(-2), upper: Margin(8) }),
            Finding::Outcomes([1, 2, 3]),
            Finding::Pits(vec![1, 4]),
            Finding::Row(vec![]),
            Finding::Yes(false),
            Finding::Broken { at: 10, why: "turn 10 of 21: why".to_owned() },
            Finding::Histogram(BTreeMap::from([(-2, 4), (2, 5)])),
            Finding::Nothing,
        ] {
            assert_eq!(Finding::read(&finding.written()), Ok(finding));
        }
        for text in ["", "count", "count -1", "margin 3 2", "margin 1", "outcomes 1 2", "yes 1", "broken x y", "more 1"]
        {
            assert!(Finding::read(text).is_err(), "{text}");
        }
    }
}
