//! Which rules a game is played by, as a value, as canonical text and as a stable hash.

use crate::{Game, Kalah, MAX_PITS, PositionError, RuleSetError};
use std::fmt;
use std::str::FromStr;

/// When a game of Kalah ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameEnd {
    /// As soon as either row is empty after any sow, extra moves included.
    #[default]
    RowEmpty,
    /// Only when the player to move has no seeds.
    MoverStuck,
}

/// Who gets the seeds that still lie in pits at the end of a game of Kalah.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Leftover {
    /// The owner of the row they lie in.
    #[default]
    Owner,
    /// The player whose own row is empty.
    Out,
    /// The player who moved last.
    Last,
    /// Nobody; they count for neither side.
    Nobody,
}

/// The points on which sources of Kalah differ and the engine lets you choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KalahRules {
    /// Whether the last seed in an own empty pit is banked even if the facing pit is empty.
    pub empty_capture: bool,
    /// When the game ends.
    pub end: GameEnd,
    /// Who gets the leftover seeds.
    pub leftover: Leftover,
}

/// The rules of one of the games, without options that concern the start only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameRules {
    /// Kalah and its variations.
    Kalah(KalahRules),
}

/// Everything that decides what a start is worth. Part of every file and every answer.
///
/// The text form is canonical: a preset name, then the options that differ from the defaults in a fixed order.
///
/// ```
/// use kalah_rules::RuleSet;
/// let rules: RuleSet = "kalah-empty+pie+leftover=none".parse()?;
/// assert_eq!(rules.to_string(), "kalah-empty+leftover=none+pie");
/// assert_eq!(rules.for_positions().to_string(), "kalah-empty+leftover=none");
/// # Ok::<(), kalah_rules::RuleSetError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleSet {
    /// What a move does and when the game ends.
    pub game: GameRules,
    /// Whether the second player may swap sides after the first player's complete first turn. It changes the value of a
    /// start, never the value of a position, so databases do not carry it.
    pub pie: bool,
}

impl Default for RuleSet {
    /// `kalah`.
    fn default() -> RuleSet {
        RuleSet { game: GameRules::Kalah(KalahRules::default()), pie: false }
    }
}

impl RuleSet {
    /// The four named rule sets of Kalah with one sentence each, default first.
    pub const PRESETS: [(&str, &str); 4] = [
        (
            "kalah",
            "A capture needs seeds in the facing pit; the game ends as soon as either row is empty; leftover seeds go to the owner of their row.",
        ),
        ("kalah-empty", "As kalah, but the last seed in an own empty pit is banked even if the facing pit is empty."),
        ("kalah-stuck", "As kalah, but the game ends only when the player to move has no seeds."),
        (
            "kalah-empty-stuck",
            "Both: captures without seeds in the facing pit, and the end only when the mover is stuck.",
        ),
    ];

    /// The options that can follow a preset, with one sentence each.
    pub const OPTIONS: [(&str, &str); 4] = [
        ("+leftover=out", "Leftover seeds go to the player whose row is empty, not to the owner of their row."),
        ("+leftover=last", "Leftover seeds go to the player who moved last."),
        ("+leftover=none", "Leftover seeds go to nobody."),
        (
            "+pie",
            "The second player may swap sides after the first player's complete first turn; it changes the value of a start only.",
        ),
    ];

    /// The preset with this name, which must be one of [`RuleSet::PRESETS`].
    fn preset(name: &str) -> Option<RuleSet> {
        let (empty_capture, end) = match name {
            "kalah" => (false, GameEnd::RowEmpty),
            "kalah-empty" => (true, GameEnd::RowEmpty),
            "kalah-stuck" => (false, GameEnd::MoverStuck),
            "kalah-empty-stuck" => (true, GameEnd::MoverStuck),
            _ => return None,
        };
        let rules = KalahRules { empty_capture, end, leftover: Leftover::Owner };
        Some(RuleSet { game: GameRules::Kalah(rules), pie: false })
    }

    /// The same rules without options that concern only starts: what a database of positions is built for.
    #[must_use]
    pub fn for_positions(self) -> RuleSet {
        RuleSet { pie: false, ..self }
    }

    /// A 64-bit hash of the canonical text (XXH3), the same on every machine and in every version.
    pub fn hash64(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64(self.to_string().as_bytes())
    }

    /// The game on a board with `pits` pits a side.
    ///
    /// # Errors
    /// If `pits` is not 1 to 8.
    pub fn game(&self, pits: u8) -> Result<Game, PositionError> {
        if !(1..=MAX_PITS).contains(&pits) {
            return Err(PositionError::pits(u64::from(pits), 0));
        }
        Ok(match self.game {
            GameRules::Kalah(rules) => Game::Kalah(Kalah::new(pits, rules)),
        })
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameRules::Kalah(rules) = self.game;
        let name = match (rules.empty_capture, rules.end) {
            (false, GameEnd::RowEmpty) => "kalah",
            (true, GameEnd::RowEmpty) => "kalah-empty",
            (false, GameEnd::MoverStuck) => "kalah-stuck",
            (true, GameEnd::MoverStuck) => "kalah-empty-stuck",
        };
        let leftover = match rules.leftover {
            Leftover::Owner => "",
            Leftover::Out => "+leftover=out",
            Leftover::Last => "+leftover=last",
            Leftover::Nobody => "+leftover=none",
        };
        f.pad(&format!("{name}{leftover}{}", if self.pie { "+pie" } else { "" }))
    }
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        let mut parts = text.trim().split('+');
        let name = parts.next().unwrap_or_default();
        let mut rules = RuleSet::preset(name).ok_or_else(|| RuleSetError::UnknownName { found: name.to_owned() })?;
        let GameRules::Kalah(kalah) = &mut rules.game;
        let mut leftover = None;
        for option in parts {
            match option.split_once('=') {
                None if option == "pie" => {
                    if std::mem::replace(&mut rules.pie, true) {
                        return Err(RuleSetError::Repeated { option: "pie" });
                    }
                }
                Some(("leftover", who)) => {
                    let who = match who {
                        "owner" => Leftover::Owner,
                        "out" => Leftover::Out,
                        "last" => Leftover::Last,
                        "none" => Leftover::Nobody,
                        _ => return Err(RuleSetError::UnknownLeftover { found: who.to_owned() }),
                    };
                    if leftover.replace(who).is_some() {
                        return Err(RuleSetError::Repeated { option: "leftover" });
                    }
                }
                _ => return Err(RuleSetError::UnknownOption { found: option.to_owned() }),
            }
        }
        kalah.leftover = leftover.unwrap_or_default();
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_its_own_text_and_hash() {
        let mut hashes = std::collections::HashSet::new();
        for (preset, _) in RuleSet::PRESETS {
            for leftover in ["", "+leftover=out", "+leftover=last", "+leftover=none"] {
                for pie in ["", "+pie"] {
                    let text = format!("{preset}{leftover}{pie}");
                    let rules: RuleSet = text.parse().unwrap();
                    assert_eq!(rules.to_string(), text);
                    assert!(hashes.insert(rules.hash64()), "{text} shares its hash");
                }
            }
        }
    }

    #[test]
    fn hashes_never_change() {
        // Files carry these numbers: a change here makes every existing database unreadable.
        assert_eq!(RuleSet::default().hash64(), 5_416_348_024_063_616_201);
    }

    #[test]
    fn defaults_are_not_written_and_mistakes_are_named() {
        assert_eq!("kalah+leftover=owner".parse::<RuleSet>().unwrap().to_string(), "kalah");
        for (text, part) in [
            ("", "name"),
            ("kalah-foo", "kalah-foo"),
            ("kalah+leftover=me", "me"),
            ("kalah+pie+pie", "twice"),
            ("kalah+leftover=out+leftover=last", "twice"),
            ("kalah+majority", "majority"),
            ("kalah+pie=yes", "pie=yes"),
        ] {
            let message = text.parse::<RuleSet>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
