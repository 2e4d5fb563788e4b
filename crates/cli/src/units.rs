//! Numbers with units: sizes such as `2GiB` and times such as `10m` in, readable numbers out.

use kalah_rules::Margin;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The units of sizes. A single letter is binary, as memory and files are.
const SIZES: [(&str, u64); 14] = [
    ("", 1),
    ("b", 1),
    ("k", 1 << 10),
    ("kib", 1 << 10),
    ("kb", 1000),
    ("m", 1 << 20),
    ("mib", 1 << 20),
    ("mb", 1_000_000),
    ("g", 1 << 30),
    ("gib", 1 << 30),
    ("gb", 1_000_000_000),
    ("t", 1 << 40),
    ("tib", 1 << 40),
    ("tb", 1_000_000_000_000),
];

/// The units of times, in seconds.
const TIMES: [(&str, f64); 5] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0)];

/// Why a number on the command line cannot be read, and how to write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unreadable {
    /// The fault.
    what: String,
    /// How to write it, in a sentence.
    pub(crate) help: &'static str,
}

impl Unreadable {
    fn new(what: impl Into<String>, help: &'static str) -> Unreadable {
        Unreadable { what: what.into(), help }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unreadable {}

/// The number at the beginning of a text and the text after it.
fn number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((number.parse().ok()?, rest))
}

/// Reads a number of bytes such as `2GiB`, `512M` or `1.5 GB`.
pub(crate) fn parse_size(text: &str) -> Result<u64, Unreadable> {
    let fault = |what: &str| Unreadable::new(what, "Write a size such as 512MiB, 2GiB or 1.5GB.");
    let (count, unit) = number(text.trim()).ok_or_else(|| fault("expected a number of bytes"))?;
    let unit = unit.trim().to_ascii_lowercase();
    let (_, bytes) =
        SIZES.iter().find(|(name, _)| *name == unit).ok_or_else(|| fault(&format!("there is no unit '{unit}'")))?;
    let total = count * *bytes as f64;
    if total >= u64::MAX as f64 { Err(fault("the size is larger than any memory")) } else { Ok(total as u64) }
}

/// Reads a time such as `90s`, `10m` or `1h30m`. A number alone counts seconds.
pub(crate) fn parse_time(text: &str) -> Result<Duration, Unreadable> {
    let fault = |what: &str| Unreadable::new(what, "Write a time such as 90s, 10m or 1h30m.");
    let mut rest = text.trim();
    let mut seconds = 0.0;
    while let Some((count, tail)) = number(rest) {
        let end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(end);
        let unit = if tail.is_empty() && unit.is_empty() && rest == text.trim() { "s" } else { unit };
        let (_, length) =
            TIMES.iter().find(|(name, _)| *name == unit).ok_or_else(|| fault(&format!("there is no unit '{unit}'")))?;
        seconds += count * length;
        rest = tail.trim_start();
        if rest.is_empty() {
            return Duration::try_from_secs_f64(seconds).map_err(|_| fault("the time is longer than can be counted"));
        }
    }
    Err(fault("expected a number and a unit"))
}

/// How a whole number is written.
const WHOLE: &str = "Write digits only, such as 6.";

/// How a range is written.
const RANGE: &str = "Write one number such as 6, or the first and the last such as 1..6.";

/// How a margin is written.
const MARGIN: &str = "Write seeds such as +8, 0 or -2.";

/// Reads a whole number.
pub(crate) fn parse_number<T: TryFrom<u64>>(text: &str) -> Result<T, Unreadable> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Unreadable::new("expected a whole number", WHOLE));
    }
    let number = text.parse::<u64>().ok().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| Unreadable::new("the number is too large", "Give a smaller number."))
}

/// Reads a whole number from `least` to `most`.
pub(crate) fn between<T: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, Unreadable> + Clone + Send + Sync + 'static {
    move |text| {
        let outside = || Unreadable::new(format!("expected a number from {least} to {most}"), WHOLE);
        let number = parse_number::<u64>(text)?;
        let inside = Some(number).filter(|number| (least..=most).contains(number));
        inside.and_then(|number| T::try_from(number).ok()).ok_or_else(outside)
    }
}

/// Reads a whole number, or the first and the last of several, such as `1..6`.
pub(crate) fn parse_range<T: TryFrom<u64> + PartialOrd + Copy>(text: &str) -> Result<RangeInclusive<T>, Unreadable> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let fault = |error: Unreadable| Unreadable { help: RANGE, ..error };
    let (first, last) = (parse_number(first).map_err(fault)?, parse_number(last).map_err(fault)?);
    if last < first { Err(Unreadable::new("the last comes before the first", RANGE)) } else { Ok(first..=last) }
}

/// Reads a margin such as `+8`, `0` or `-2`.
pub(crate) fn parse_margin(text: &str) -> Result<Margin, Unreadable> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let fault = || Unreadable::new("expected a margin of seeds", MARGIN);
    let number: u16 = parse_number(digits).map_err(|_| fault())?;
    i16::try_from(number).map(|number| Margin(sign * number)).map_err(|_| fault())
}

/// A whole number with a comma after every third digit.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A large number in three digits: `9,999`, `12.3 k`, `131 M`.
pub(crate) fn short(number: u64) -> String {
    if number < 10_000 { count(number) } else { rate(number as f64).trim_end_matches("/s").to_owned() }
}

/// A number of bytes with the unit that leaves one to four digits before the point.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{number} {}", if number == 1 { "byte" } else { "bytes" }),
        _ if value < 10.0 => format!("{value:.2} {}", UNITS[unit]),
        _ if value < 100.0 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

/// How many of something in a second, in three digits: `950/s`, `13.1 k/s`, `131 M/s`.
pub(crate) fn rate(per_second: f64) -> String {
    const UNITS: [&str; 4] = ["/s", " k/s", " M/s", " G/s"];
    let mut value = per_second;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let unit = UNITS[unit];
    match value {
        v if v < 9.995 && !(unit == "/s" && v.fract() == 0.0) => format!("{v:.2}{unit}"),
        v if v < 99.95 && unit != "/s" => format!("{v:.1}{unit}"),
        v => format!("{v:.0}{unit}"),
    }
}

/// About how long something takes: `about 3.2 s`, `under 1 ms`.
pub(crate) fn about(seconds: f64) -> String {
    if seconds < 0.001 { time(seconds) } else { format!("about {}", time(seconds)) }
}

/// A time in the two units that tell most.
pub(crate) fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match seconds {
        s if s < 0.001 => "under 1 ms".to_owned(),
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 9.95 => format!("{s:.1} s"),
        _ if whole < 60 => format!("{whole} s"),
        _ if whole < 3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ if whole < 172_800 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days {} h", whole / 86400, whole % 86400 / 3600),
    }
}

/// `1 seed`, `2 seeds`.
pub(crate) fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, size) in [
            ("0", 0),
            ("4096", 4096),
            ("2GiB", 2 << 30),
            ("2g", 2 << 30),
            ("512 MiB", 512 << 20),
            ("1.5GB", 1_500_000_000),
            ("1kb", 1000),
        ] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "GiB", "-1GiB", "2XiB", "1..5G", "99999999999TiB"] {
            let fault = parse_size(text).unwrap_err();
            assert!(fault.help.contains("such as"), "{text}: {fault:?}");
        }
    }

    #[test]
    fn times_are_read() {
        for (text, seconds) in
            [("90", 90.0), ("90s", 90.0), ("10m", 600.0), ("1h30m", 5400.0), ("250ms", 0.25), ("1d 2h", 93600.0)]
        {
            assert_eq!(parse_time(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "m", "-5s", "10x", "5m 3", "1e99d", "99999999999999999999999d"] {
            let fault = parse_time(text).unwrap_err();
            assert!(fault.help.contains("such as"), "{text}: {fault:?}");
        }
    }

    #[test]
    fn whole_numbers_are_read() {
        assert_eq!(parse_number::<u8>(" 6"), Ok(6));
        assert_eq!(parse_number::<u8>("256").unwrap_err().to_string(), "the number is too large");
        assert_eq!(between::<u16>(1, 1024)("1024"), Ok(1024));
        assert_eq!(between::<u16>(1, 1024)("0").unwrap_err().to_string(), "expected a number from 1 to 1024");
        for text in ["", "six", "-1", "+1", "1.5", "1e3", "٣"] {
            assert_eq!(parse_number::<u64>(text).unwrap_err().to_string(), "expected a whole number", "{text}");
        }
        assert!(parse_number::<u64>("99999999999999999999").is_err());
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(parse_range::<u8>("6"), Ok(6..=6));
        assert_eq!(parse_range::<u32>("1..12"), Ok(1..=12));
        for text in ["", "..", "1..", "..6", "1...6", "1-6", "1..300", "6..1"] {
            let fault = parse_range::<u8>(text).unwrap_err();
            assert!(fault.help.contains("such as 1..6"), "{text}: {fault:?}");
        }
    }

    #[test]
    fn margins_are_read() {
        for (text, margin) in [("+8", 8), ("8", 8), ("-2", -2), ("−2", -2), ("0", 0), ("-0", 0), ("32767", 32767)] {
            assert_eq!(parse_margin(text), Ok(Margin(margin)), "{text}");
        }
        for text in ["", "+", "-", "+-2", "2.5", "32768", "99999", "eight"] {
            assert!(parse_margin(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_250_490_151), "1,250,490,151");
        assert_eq!(short(9_999), "9,999");
        assert_eq!(short(12_345), "12.3 k");
        assert_eq!(short(131_234_567), "131 M");
        assert_eq!(bytes(1), "1 byte");
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(1 << 20), "1.00 MiB");
        assert_eq!(bytes(1_250_490_151), "1.16 GiB");
        assert_eq!(rate(0.0), "0/s");
        assert_eq!(rate(0.25), "0.25/s");
        assert_eq!(rate(950.0), "950/s");
        assert_eq!(rate(999.6), "1.00 k/s");
        assert_eq!(rate(13_123.0), "13.1 k/s");
        assert_eq!(rate(131_234_567.8), "131 M/s");
        assert_eq!(rate(2.5e12), "2500 G/s");
        assert_eq!(about(0.0), "under 1 ms");
        assert_eq!(about(0.25), "about 250 ms");
        assert_eq!(time(0.0), "under 1 ms");
        assert_eq!(time(0.25), "250 ms");
        assert_eq!(time(9.96), "10 s");
        assert_eq!(time(130.0), "2 min 10 s");
        assert_eq!(time(90_000.0), "25 h 0 min");
        assert_eq!(plural(1, "seed", "seeds"), "1 seed");
    }
}
