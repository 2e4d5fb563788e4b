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

/// An option of a rule set as it is written, with the presets that have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleOption {
    /// The option as it follows the preset, such as `+leftover=out`.
    pub text: &'static str,
    /// The presets that it can follow.
    pub presets: &'static [&'static str],
    /// What it changes, in one line.
    pub meaning: &'static str,
}

impl RuleOption {
    /// The part between the plus sign and the equals sign.
    pub(crate) fn key(&self) -> &'static str {
        self.text.trim_start_matches('+').split('=').next().unwrap_or_default()
    }
}

const KALAHS: &[&str] = &["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];
const OWARES: &[&str] = &["oware", "awari"];
const DAKONS: &[&str] = &["dakon", "congkak"];
const EVERY_PRESET: &[&str] =
    &["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck", "oware", "awari", "dakon", "congkak", "avalanche"];

impl Default for RuleSet {
    /// `kalah`.
    fn default() -> RuleSet {
        RuleSet { game: GameRules::Kalah(KalahRules::default()), pie: false }
    }
}

impl RuleSet {
    /// The named rule sets with a line each: Kalah's four first, the default at their head, then the other games.
    pub const PRESETS: [(&str, &str); 9] = [
        ("kalah", "Captures need seeds opposite; an empty row ends the game."),
        ("kalah-empty", "As kalah, but the capturing seed is banked even alone."),
        ("kalah-stuck", "As kalah, but it ends when the player to move has no seeds."),
        ("kalah-empty-stuck", "Both changes together."),
        ("oware", "No stores on the way; twos and threes are captured."),
        ("awari", "As oware; starving the opponent is illegal unless forced."),
        ("dakon", "Sowing goes on from every filled pit, until an empty one."),
        ("congkak", "As dakon; the capturing seed stays; an empty row ends it."),
        ("avalanche", "As kalah, sowing on from every filled pit; no captures."),
    ];

    /// The options that can follow a preset, game by game, in the order of the canonical text.
    pub const OPTIONS: [RuleOption; 17] = [
        RuleOption {
            text: "+leftover=out",
            presets: KALAHS,
            meaning: "Leftover seeds go to the player whose row is empty.",
        },
        RuleOption {
            text: "+leftover=last",
            presets: KALAHS,
            meaning: "Leftover seeds go to the player who moved last.",
        },
        RuleOption { text: "+leftover=none", presets: KALAHS, meaning: "Leftover seeds go to nobody." },
        RuleOption {
            text: "+slam=illegal",
            presets: &["oware"],
            meaning: "A grand slam (taking all their seeds) is illegal.",
        },
        RuleOption {
            text: "+slam=takes",
            presets: &["oware"],
            meaning: "A grand slam captures; by default it takes nothing.",
        },
        RuleOption {
            text: "+slam=forfeit",
            presets: &["oware"],
            meaning: "A grand slam captures; the opponent gets all the rest.",
        },
        RuleOption {
            text: "+origin=sown",
            presets: OWARES,
            meaning: "A sow that comes round drops a seed into its origin.",
        },
        RuleOption {
            text: "+full=skipped",
            presets: OWARES,
            meaning: "Pits with twelve seeds or more are passed over.",
        },
        RuleOption {
            text: "+cycle=split",
            presets: &["oware"],
            meaning: "A repeated position splits the seeds in pits evenly.",
        },
        RuleOption {
            text: "+cycle=own",
            presets: &["awari"],
            meaning: "At a repeated position both players keep their rows.",
        },
        RuleOption {
            text: "+take=facing",
            presets: &["dakon"],
            meaning: "A capture takes the facing pit; the last seed stays.",
        },
        RuleOption {
            text: "+alone=bank",
            presets: DAKONS,
            meaning: "With the facing pit empty, the last seed is banked alone.",
        },
        RuleOption {
            text: "+mikul=take",
            presets: DAKONS,
            meaning: "Ending in their empty pit takes the pits on both sides.",
        },
        RuleOption {
            text: "+mikul=equal",
            presets: DAKONS,
            meaning: "The same, if both of these pits hold the same number.",
        },
        RuleOption { text: "+end=row", presets: &["dakon"], meaning: "The round ends as soon as either row is empty." },
        RuleOption {
            text: "+end=pass",
            presets: DAKONS,
            meaning: "Players without seeds pass; it ends with all pits empty.",
        },
        RuleOption {
            text: "+pie",
            presets: EVERY_PRESET,
            meaning: "The second player may swap sides after the first turn.",
        },
    ];

    /// The options that can follow the preset with this name.
    pub fn options(preset: &str) -> impl Iterator<Item = &'static RuleOption> {
        const OPTIONS: &[RuleOption] = &RuleSet::OPTIONS;
        OPTIONS.iter().filter(move |option| option.presets.contains(&preset))
    }

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
            return Err(PositionError::pits(u64::from(pits)));
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

impl Game {
    /// The rules that the game is played by.
    pub fn rules(&self) -> GameRules {
        match self {
            Game::Kalah(kalah) => GameRules::Kalah(kalah.rules()),
            Game::Oware(oware) => GameRules::Oware(oware.rules()),
            Game::Dakon(dakon) => GameRules::Dakon(dakon.rules()),
            Game::Avalanche(_) => GameRules::Avalanche,
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
        let unknown = || RuleSetError::UnknownName { found: name.to_owned() };
        let mut rules = RuleSet::preset(name).ok_or_else(unknown)?;
        let (name, _) = RuleSet::PRESETS.into_iter().find(|&(preset, _)| preset == name).ok_or_else(unknown)?;
        let mut given: Vec<&'static str> = Vec::new();
        for option in parts {
            let (key, found) = option.split_once('=').unwrap_or((option, ""));
            let choice = Choice { name, found };
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
                    choice.set(&mut kalah.leftover, "leftover", &who)?
                }
                // A grand slam is what defines awari.
                (GameRules::Oware(oware), "slam") if oware.slam != Slam::UnlessForced => {
                    let slams = [
                        ("none", Slam::Nothing),
                        ("illegal", Slam::Illegal),
                        ("takes", Slam::Takes),
                        ("forfeit", Slam::Forfeit),
                    ];
                    choice.set(&mut oware.slam, "slam", &slams)?
                }
                (GameRules::Oware(oware), "origin") => {
                    choice.set(&mut oware.origin_sown, "origin", &[("skipped", false), ("sown", true)])?
                }
                (GameRules::Oware(oware), "full") => {
                    choice.set(&mut oware.full_skipped, "full", &[("sown", false), ("skipped", true)])?
                }
                (GameRules::Oware(oware), "cycle") => {
                    choice.set(&mut oware.cycle_split, "cycle", &[("own", false), ("split", true)])?
                }
                (GameRules::Dakon(dakon), "take") => {
                    choice.set(&mut dakon.take, "take", &[("both", Take::Both), ("facing", Take::Facing)])?
                }
                (GameRules::Dakon(dakon), "alone") => {
                    choice.set(&mut dakon.bank_alone, "alone", &[("stay", false), ("bank", true)])?
                }
                (GameRules::Dakon(dakon), "mikul") => {
                    let mikuls = [("none", Mikul::Nothing), ("take", Mikul::Neighbours), ("equal", Mikul::Equal)];
                    choice.set(&mut dakon.mikul, "mikul", &mikuls)?
                }
                (GameRules::Dakon(dakon), "end") => {
                    let ends =
                        [("stuck", RoundEnd::MoverStuck), ("row", RoundEnd::RowEmpty), ("pass", RoundEnd::AllEmpty)];
                    choice.set(&mut dakon.end, "end", &ends)?
                }
                _ => return Err(RuleSetError::UnknownOption { found: option.to_owned(), name }),
            };
            if given.contains(&key) {
                return Err(RuleSetError::Repeated { option: key });
            }
            given.push(key);
        }
        Ok(rules)
    }
}

/// The choice that an option of a rule set makes.
#[derive(Clone, Copy)]
struct Choice<'a> {
    /// The preset.
    name: &'static str,
    /// The text behind the equals sign.
    found: &'a str,
}

impl Choice<'_> {
    /// Sets an option to this choice and gives its name back.
    fn set<T: Copy>(
        self,
        option: &mut T,
        name: &'static str,
        choices: &[(&'static str, T)],
    ) -> Result<&'static str, RuleSetError> {
        let Some(&(_, value)) = choices.iter().find(|(choice, _)| *choice == self.found) else {
            let choices = choices.iter().map(|(choice, _)| *choice).collect();
            let found = self.found.to_owned();
            return Err(RuleSetError::UnknownChoice { option: name, found, choices, name: self.name });
        };
        *option = value;
        Ok(name)
    }
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
        for (text, part, help) in [
            ("", "''", "Choose one of kalah, kalah-empty,"),
            ("kalah-foo", "'kalah-foo'", "congkak or avalanche. Options"),
            (
                "kalah+leftover=me",
                "'+leftover=' of the rule set kalah has no choice 'me'",
                "+leftover=owner, +leftover=out,",
            ),
            ("kalah+pie+pie", "twice", "Keep one"),
            ("kalah+leftover=out+leftover=last", "twice", "Keep one"),
            (
                "kalah+majority",
                "kalah has no option '+majority'",
                "kalah has the options +leftover=out, +leftover=last, +leftover=none and +pie.",
            ),
            ("kalah+pie=yes", "'+pie=yes'", "+leftover=none and +pie."),
            ("kalah+end=pass", "kalah has no option '+end=pass'", "+pie. '+end' is an option of dakon and congkak."),
            ("kalah+slam=takes", "slam", "'+slam' is an option of oware."),
            (
                "awari+slam=takes",
                "slam",
                "awari has the options +origin=sown, +full=skipped, +cycle=own and +pie. '+slam' is an option of oware.",
            ),
            ("oware+slam=maybe", "'maybe'", "+slam=none, +slam=illegal, +slam=takes or +slam=forfeit."),
            ("oware+leftover=out", "leftover", "oware has the options +slam=illegal,"),
            ("dakon+end", "no choice ''", "+end=stuck, +end=row or +end=pass."),
            ("avalanche+end=row", "end=row", "avalanche has the option +pie. '+end' is"),
        ] {
            let error = text.parse::<RuleSet>().unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
            assert!(error.help().contains(help) && error.help().ends_with('.'), "{text}: {}", error.help());
        }
    }

    #[test]
    fn every_option_is_accepted_where_it_is_listed_and_nowhere_else() {
        for (preset, _) in RuleSet::PRESETS {
            for option in RuleSet::OPTIONS {
                let text = format!("{preset}{}", option.text);
                let listed = RuleSet::options(preset).any(|listed| *listed == option);
                match text.parse::<RuleSet>() {
                    Ok(rules) => assert_eq!(listed, rules != preset.parse().unwrap(), "{text}"),
                    Err(error) => {
                        assert!(!listed && matches!(error, RuleSetError::UnknownOption { .. }), "{text}: {error}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_line_of_the_list_fits_a_terminal() {
        let lines = RuleSet::PRESETS.into_iter().chain(RuleSet::OPTIONS.map(|option| (option.text, option.meaning)));
        for (name, meaning) in lines {
            assert!(name.len() <= 17 && meaning.len() <= 59 && meaning.ends_with('.'), "{name}: {}", meaning.len());
        }
    }
}
