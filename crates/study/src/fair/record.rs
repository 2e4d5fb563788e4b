//! A verdict as a line of text and back: what a run leaves behind for the next one.

use crate::check::{checked, sealed};
use crate::fair::judge::Verdict;
use kalah_rules::{RuleSet, State};
use std::fmt;
use std::str::FromStr;

/// One board that was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The rules.
    pub rules: RuleSet,
    /// How many seeds lie elsewhere than in the start.
    pub moved: u32,
    /// How the board ends.
    pub verdict: Verdict,
    /// Positions searched for it, by a thread that knew what it had proved of earlier boards.
    pub nodes: u64,
    /// The board.
    pub state: State,
}

impl Record {
    /// The columns, in the order of a record's text.
    pub const COLUMNS: &str = "rules,moved,verdict,nodes,position,check";
}

impl fmt::Display for Record {
    /// Comma-separated values; the position is in quotation marks, and the last value is a checksum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Record { rules, moved, verdict, nodes, state } = self;
        f.write_str(&sealed(&format!("{rules},{moved},{},{nodes},\"{state}\"", verdict.word())))
    }
}

impl FromStr for Record {
    /// What is wrong with the line.
    type Err = String;

    fn from_str(text: &str) -> Result<Record, String> {
        let mut cells = checked(text)?.splitn(5, ',');
        let mut cell = || cells.next().ok_or_else(|| format!("expected the columns {}", Record::COLUMNS));
        let rules = cell()?.parse().map_err(|error: kalah_rules::RuleSetError| error.to_string())?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| format!("'{text}' is no number"));
        let moved = u32::try_from(number(cell()?)?).map_err(|_| "more seeds are moved than there are".to_owned())?;
        let word = cell()?;
        let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word);
        let verdict = verdict.ok_or_else(|| format!("'{word}' is no verdict"))?;
        let nodes = number(cell()?)?;
        let quoted = cell()?;
        let position = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let position = position.ok_or_else(|| format!("{quoted} is not in quotation marks"))?;
        let state = position.parse().map_err(|error: kalah_rules::PositionError| error.to_string())?;
        Ok(Record { rules, moved, verdict, nodes, state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_its_text_and_no_part_of_it_is_one() {
        let record = Record {
            rules: "kalah-empty".parse().unwrap(),
            moved: 2,
            verdict: Verdict::Fair,
            nodes: 12_345,
            state: "<6,0,1,2,4,4,4,4,4,4,4,4,4,4,5>".parse().unwrap(),
        };
        let text = record.to_string();
        assert!(text.starts_with("kalah-empty,2,fair,12345,\"<6,0,1,2,4,4,4,4,4,4,4,4,4,4,5>\","), "{text}");
        assert_eq!(text.parse(), Ok(record));
        for cut in 0..text.len() {
            assert!(text[..cut].parse::<Record>().is_err(), "{}", &text[..cut]);
        }
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(changed.parse::<Record>().is_err(), "{changed}");
        }
    }
}
