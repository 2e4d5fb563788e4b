//! Which rules a game is played by, as a value, as canonical text and as a stable hash.

use crate::{
    Avalanche, Dakon, DakonRules, Game, Kalah, MAX_PITS, Mikul, Oware, OwareRules, PositionError, RoundEnd,
    RuleSetError, Slam, Take,
};
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
    /// Oware and Awari.
    Oware(OwareRules),
    /// Dakon and Congkak.
    Dakon(DakonRules),
    /// Avalanche, which has no options.
    Avalanche,
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
    /// The named rule sets with one sentence each: Kalah's four first, the default at their head, then the other games.
    pub const PRESETS: [(&str, &str); 9] = [
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
        (
            "oware",
            "Sow round the pits past the origin; twos and threes on the other side are captured, but a grand slam captures nothing; feed the opponent if you can; at a repetition each keeps his row.",
        ),
        (
            "awari",
            "The solved game: as oware, but a move that starves the opponent is illegal unless every move does; a repetition splits what is left.",
        ),
        (
            "dakon",
            "Sow through the own store and on from every filled pit; a capture takes the facing pit and the last seed; the round ends when the mover has no seeds.",
        ),
        (
            "congkak",
            "As dakon, but a capture leaves the last seed in its pit and the round ends as soon as either row is empty.",
        ),
        (
            "avalanche",
            "Sow as in kalah and on from every filled pit; nothing is captured; the game ends as soon as either row is empty.",
        ),
    ];

    /// The options that can follow a preset, with one sentence each. Each belongs to one game, but for `+pie`.
    pub const OPTIONS: [(&str, &str); 17] = [
        ("+leftover=out", "Kalah: leftover seeds go to the player whose row is empty, not to the owner of their row."),
        ("+leftover=last", "Kalah: leftover seeds go to the player who moved last."),
        ("+leftover=none", "Kalah: leftover seeds go to nobody."),
        ("+slam=illegal", "Oware: a move that would capture all of the opponent's seeds is illegal."),
        ("+slam=takes", "Oware: such a move captures them all."),
        ("+slam=forfeit", "Oware: such a move captures them all, and the opponent gets everything else."),
        ("+origin=sown", "Oware, Awari: a sowing that comes round drops a seed into its origin too."),
        ("+full=skipped", "Oware, Awari: pits with twelve seeds or more are passed over while sowing."),
        ("+cycle=split", "Oware: a repeated position splits the seeds in pits evenly."),
        ("+cycle=own", "Awari: at a repeated position each player keeps his own row."),
        (
            "+take=facing",
            "Dakon: a capture takes the facing pit's seeds only; the last seed stays (with +end=row: congkak).",
        ),
        ("+alone=bank", "Dakon, Congkak: the last seed in an own empty pit is banked if the facing pit is empty."),
        ("+mikul=take", "Dakon, Congkak: the last seed in an opponent's empty pit takes both neighbouring pits."),
        ("+mikul=equal", "Dakon, Congkak: the same, if the two neighbours hold the same number."),
        ("+end=row", "Dakon: the round ends as soon as either row is empty."),
        ("+end=pass", "Dakon, Congkak: a player without seeds passes; the round ends when all pits are empty."),
        (
            "+pie",
            "The second player may swap sides after the first player's complete first turn; it changes the value of a start only.",
        ),
    ];

    /// The preset with this name, which must be one of [`RuleSet::PRESETS`].
    fn preset(name: &str) -> Option<RuleSet> {
        let kalah = |empty_capture, end| GameRules::Kalah(KalahRules { empty_capture, end, leftover: Leftover::Owner });
        let game = match name {
            "kalah" => kalah(false, GameEnd::RowEmpty),
            "kalah-empty" => kalah(true, GameEnd::RowEmpty),
            "kalah-stuck" => kalah(false, GameEnd::MoverStuck),
            "kalah-empty-stuck" => kalah(true, GameEnd::MoverStuck),
            "oware" => GameRules::Oware(OwareRules::default()),
            "awari" => GameRules::Oware(AWARI),
            "dakon" => GameRules::Dakon(DakonRules::default()),
            "congkak" => GameRules::Dakon(CONGKAK),
            "avalanche" => GameRules::Avalanche,
            _ => return None,
        };
        Some(RuleSet { game, pie: false })
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
        Ok(self.game.on_board(pits))
    }
}

impl GameRules {
    /// The game on a board with `pits` pits a side, 1 to 8.
    #[track_caller]
    pub(crate) fn on_board(self, pits: u8) -> Game {
        match self {
            GameRules::Kalah(rules) => Game::Kalah(Kalah::new(pits, rules)),
            GameRules::Oware(rules) => Game::Oware(Oware::new(pits, rules)),
            GameRules::Dakon(rules) => Game::Dakon(Dakon::new(pits, rules)),
            GameRules::Avalanche => Game::Avalanche(Avalanche::new(pits)),
        }
    }
}

/// What `awari` stands for.
const AWARI: OwareRules =
    OwareRules { slam: Slam::UnlessForced, origin_sown: false, full_skipped: false, cycle_split: true };

/// What `congkak` stands for: Skeat's *Malay Magic* (1900) as later rule books read it.
const CONGKAK: DakonRules =
    DakonRules { take: Take::Facing, bank_alone: false, mikul: Mikul::Nothing, end: RoundEnd::RowEmpty };

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, options) = match &self.game {
            GameRules::Kalah(rules) => kalah_text(rules),
            GameRules::Oware(rules) => oware_text(rules),
            GameRules::Dakon(rules) => dakon_text(rules),
            GameRules::Avalanche => ("avalanche", String::new()),
        };
        f.pad(&format!("{name}{options}{}", if self.pie { "+pie" } else { "" }))
    }
}

fn kalah_text(rules: &KalahRules) -> (&'static str, String) {
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
    (name, leftover.to_owned())
}

fn oware_text(rules: &OwareRules) -> (&'static str, String) {
    let slam = match rules.slam {
        Slam::Nothing | Slam::UnlessForced => "",
        Slam::Illegal => "+slam=illegal",
        Slam::Takes => "+slam=takes",
        Slam::Forfeit => "+slam=forfeit",
    };
    let awari = rules.slam == Slam::UnlessForced;
    let origin = if rules.origin_sown { "+origin=sown" } else { "" };
    let full = if rules.full_skipped { "+full=skipped" } else { "" };
    let cycle = match (awari, rules.cycle_split) {
        (false, true) => "+cycle=split",
        (true, false) => "+cycle=own",
        _ => "",
    };
    (if awari { "awari" } else { "oware" }, [slam, origin, full, cycle].concat())
}

fn dakon_text(rules: &DakonRules) -> (&'static str, String) {
    // Every rule set has one name: congkak where both of its choices are made.
    let congkak = rules.take == CONGKAK.take && rules.end == CONGKAK.end;
    let take = if rules.take == Take::Facing && !congkak { "+take=facing" } else { "" };
    let alone = if rules.bank_alone { "+alone=bank" } else { "" };
    let mikul = match rules.mikul {
        Mikul::Nothing => "",
        Mikul::Neighbours => "+mikul=take",
        Mikul::Equal => "+mikul=equal",
    };
    let end = match rules.end {
        RoundEnd::RowEmpty if !congkak => "+end=row",
        RoundEnd::AllEmpty => "+end=pass",
        _ => "",
    };
    (if congkak { "congkak" } else { "dakon" }, [take, alone, mikul, end].concat())
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        let mut parts = text.trim().split('+');
        let name = parts.next().unwrap_or_default();
        let mut rules = RuleSet::preset(name).ok_or_else(|| RuleSetError::UnknownName { found: name.to_owned() })?;
        let mut given: Vec<&'static str> = Vec::new();
        for option in parts {
            let unknown = || RuleSetError::UnknownOption { found: option.to_owned(), name: name.to_owned() };
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let key = match (&mut rules.game, key) {
                (_, "pie") if option == "pie" => {
                    rules.pie = true;
                    "pie"
                }
                (GameRules::Kalah(kalah), "leftover") => {
                    let who = [
                        ("owner", Leftover::Owner),
                        ("out", Leftover::Out),
                        ("last", Leftover::Last),
                        ("none", Leftover::Nobody),
                    ];
                    chosen(&mut kalah.leftover, "leftover", value, &who)?
                }
                // A grand slam is what defines awari.
                (GameRules::Oware(oware), "slam") if oware.slam != Slam::UnlessForced => {
                    let slams = [
                        ("none", Slam::Nothing),
                        ("illegal", Slam::Illegal),
                        ("takes", Slam::Takes),
                        ("forfeit", Slam::Forfeit),
                    ];
                    chosen(&mut oware.slam, "slam", value, &slams)?
                }
                (GameRules::Oware(oware), "origin") => {
                    chosen(&mut oware.origin_sown, "origin", value, &[("skipped", false), ("sown", true)])?
                }
                (GameRules::Oware(oware), "full") => {
                    chosen(&mut oware.full_skipped, "full", value, &[("sown", false), ("skipped", true)])?
                }
                (GameRules::Oware(oware), "cycle") => {
                    chosen(&mut oware.cycle_split, "cycle", value, &[("own", false), ("split", true)])?
                }
                (GameRules::Dakon(dakon), "take") => {
                    chosen(&mut dakon.take, "take", value, &[("both", Take::Both), ("facing", Take::Facing)])?
                }
                (GameRules::Dakon(dakon), "alone") => {
                    chosen(&mut dakon.bank_alone, "alone", value, &[("stay", false), ("bank", true)])?
                }
                (GameRules::Dakon(dakon), "mikul") => {
                    let mikuls = [("none", Mikul::Nothing), ("take", Mikul::Neighbours), ("equal", Mikul::Equal)];
                    chosen(&mut dakon.mikul, "mikul", value, &mikuls)?
                }
                (GameRules::Dakon(dakon), "end") => {
                    let ends =
                        [("stuck", RoundEnd::MoverStuck), ("row", RoundEnd::RowEmpty), ("pass", RoundEnd::AllEmpty)];
                    chosen(&mut dakon.end, "end", value, &ends)?
                }
                _ => return Err(unknown()),
            };
            if given.contains(&key) {
                return Err(RuleSetError::Repeated { option: key });
            }
            given.push(key);
        }
        Ok(rules)
    }
}

/// Sets an option to the choice with this name; gives the option's own name back.
fn chosen<T: Copy>(
    option: &mut T,
    name: &'static str,
    found: &str,
    choices: &[(&'static str, T)],
) -> Result<&'static str, RuleSetError> {
    let choice = choices.iter().find(|(choice, _)| *choice == found);
    let Some(&(_, value)) = choice else {
        let choices = choices.iter().map(|(choice, _)| *choice).collect::<Vec<_>>().join(", ");
        return Err(RuleSetError::UnknownChoice { option: name, found: found.to_owned(), choices });
    };
    *option = value;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to take one text of each group, joined.
    fn product(groups: &[&[&str]]) -> Vec<String> {
        groups.iter().fold(vec![String::new()], |texts, group| {
            texts.iter().flat_map(|text| group.iter().map(move |part| format!("{text}{part}"))).collect()
        })
    }

    #[test]
    fn every_combination_is_its_own_text_and_hash() {
        let mut hashes = std::collections::HashSet::new();
        let mut texts: Vec<String> = Vec::new();
        for (preset, _) in RuleSet::PRESETS {
            let options: Vec<String> = match preset {
                "oware" | "awari" => {
                    let slams: &[&str] =
                        if preset == "oware" { &["", "+slam=illegal", "+slam=takes", "+slam=forfeit"] } else { &[""] };
                    let cycle = if preset == "oware" { "+cycle=split" } else { "+cycle=own" };
                    product(&[slams, &["", "+origin=sown"], &["", "+full=skipped"], &["", cycle]])
                }
                "dakon" => product(&[
                    &["", "+take=facing"],
                    &["", "+alone=bank"],
                    &["", "+mikul=take", "+mikul=equal"],
                    &["", "+end=row", "+end=pass"],
                ]),
                "avalanche" => vec![String::new()],
                "congkak" => product(&[&["", "+alone=bank"], &["", "+mikul=take", "+mikul=equal"]]),
                _ => product(&[&["", "+leftover=out", "+leftover=last", "+leftover=none"]]),
            };
            texts.extend(options.iter().flat_map(|options| ["", "+pie"].map(|pie| format!("{preset}{options}{pie}"))));
        }
        for text in texts {
            let rules: RuleSet = text.parse().unwrap();
            // The one rule set with two names is written by the shorter.
            let canonical = if text.contains("+take=facing") && text.contains("+end=row") {
                text.replace("dakon", "congkak").replace("+take=facing", "").replace("+end=row", "")
            } else {
                assert!(hashes.insert(rules.hash64()), "{text} shares its hash");
                text
            };
            assert_eq!(rules.to_string(), canonical);
            assert_eq!(canonical.parse::<RuleSet>().unwrap(), rules);
        }
        // Kalah 4·4, oware 4·2·2·2, awari 2·2·2, dakon and congkak 2·2·3·3 together, avalanche 1; each with and without the pie rule.
        assert_eq!(hashes.len(), 2 * (16 + 32 + 8 + 36 + 1));
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
            ("kalah+slam=takes", "slam"),
            ("awari+slam=takes", "slam"),
            ("oware+slam=maybe", "none, illegal, takes, forfeit"),
            ("oware+leftover=out", "leftover"),
            ("dakon+end", "stuck, row, pass"),
            ("avalanche+end=row", "end=row"),
        ] {
            let message = text.parse::<RuleSet>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
