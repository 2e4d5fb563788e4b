//! A claim: one published number, what it is about, and how much work it takes to find it again.

use crate::reproduce::finding::{Finding, Judgement, histogram_size, judge};
use crate::reproduce::number::{Form, Number, Relation};
use crate::reproduce::quantity::Quantity;
use kalah_rules::{Game, MAX_PITS, PositionError, RuleSet, State};
use serde::Deserialize;
use std::str::FromStr;
use std::time::Duration;

/// Where a number comes from.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Short name, the beginning of the ids of its claims.
    pub id: String,
    /// Who published it.
    pub author: String,
    /// When; `None` if it is not known.
    pub year: Option<u16>,
    /// Title and place.
    pub title: String,
    /// Whether the text itself was read, or in whose words it is known.
    pub seen: String,
}

/// How a number came to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Read in the source itself.
    Published,
    /// Read in another text that quotes the source.
    SecondHand,
    /// Computed by independent programs to find out which rules a published number belongs to; a second opinion, not
    /// literature.
    Recomputed,
}

impl Kind {
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Published => "published",
            Kind::SecondHand => "second hand",
            Kind::Recomputed => "recomputed",
        }
    }
}

/// About how long a claim takes on two cores of a machine of 2025.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// Under a tenth of a second.
    Instant,
    /// Under a minute.
    Seconds,
    /// Under an hour.
    Minutes,
    /// Under a day.
    Hours,
    /// A day or more.
    Days,
}

impl Cost {
    /// All classes, cheapest first.
    pub const ALL: [Cost; 5] = [Cost::Instant, Cost::Seconds, Cost::Minutes, Cost::Hours, Cost::Days];

    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Cost::Instant => "instant",
            Cost::Seconds => "seconds",
            Cost::Minutes => "minutes",
            Cost::Hours => "hours",
            Cost::Days => "days",
        }
    }

    /// How long that is, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Cost::Instant => "Under a tenth of a second",
            Cost::Seconds => "Under a minute",
            Cost::Minutes => "Under an hour",
            Cost::Hours => "Under a day",
            Cost::Days => "A day or more",
        }
    }

    /// With less time than this, a claim of the class is not begun: it would not be finished.
    pub fn at_least(self) -> Duration {
        Duration::from_secs(match self {
            Cost::Instant | Cost::Seconds => 0,
            Cost::Minutes => 20,
            Cost::Hours => 3600,
            Cost::Days => 86_400,
        })
    }
}

impl FromStr for Cost {
    type Err = String;

    fn from_str(text: &str) -> Result<Cost, String> {
        let found = Cost::ALL.into_iter().find(|cost| cost.word() == text);
        found.ok_or_else(|| format!("'{text}' is none of {}", Cost::ALL.map(Cost::word).join(", ")))
    }
}

/// What should have been printed in the place of a misprint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Correct {
    /// This number.
    Number(Number),
    /// Nothing: the printed line of play breaks at this turn, counted from 1.
    BreaksAt(u32),
}

impl Correct {
    /// Reads what should stand for a number about `quantity`. Shares are corrected by the counts behind them.
    fn parse(quantity: &Quantity, text: &str) -> Result<Correct, String> {
        if let Some(turn) = text.strip_prefix("breaks at turn ") {
            return match (quantity, turn.parse()) {
                (Quantity::PerfectLine(_), Ok(turn)) => Ok(Correct::BreaksAt(turn)),
                _ => Err(format!("'{text}' corrects nothing but a line of play")),
            };
        }
        let form = match quantity.form() {
            Form::Shares => Form::Outcomes,
            form => form,
        };
        Number::parse(form, text).map(Correct::Number)
    }

    /// Whether a finding is what should have been printed.
    pub(crate) fn judge(&self, found: &Finding) -> Judgement {
        match (self, found) {
            (Correct::Number(number), found) => judge(number, Relation::Exact, found),
            (Correct::BreaksAt(turn), Finding::Broken { at, .. }) if turn == at => Judgement::Same,
            (Correct::BreaksAt(_), Finding::Nothing) => Judgement::Open,
            (Correct::BreaksAt(_), _) => Judgement::Different,
        }
    }
}

/// A published number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Stable name.
    pub id: String,
    /// The source's short name.
    pub source: String,
    /// Table, figure or section of the source.
    pub place: String,
    /// The game: kalah, awari, oware or dakon.
    pub game: String,
    /// The rules it is true under, as text: this version may not play them.
    pub rules: String,
    /// Pits a side; may be more than this version plays.
    pub pits: u8,
    /// Seeds in every pit of the start.
    pub seeds: u32,
    /// The position, if it is not the start.
    pub position: Option<State>,
    /// What the number is about.
    pub quantity: Quantity,
    /// The number as printed.
    pub printed: String,
    /// The number.
    pub number: Number,
    /// How it is meant.
    pub relation: Relation,
    /// How much work it takes.
    pub cost: Cost,
    /// How it came to us.
    pub kind: Kind,
    /// For a misprint: what should have been printed, as written in the data and read. The computation must find it.
    pub correct: Option<(String, Correct)>,
    /// What else is to be said; for a misprint, why it is one.
    pub note: String,
}

/// A line of `claims.jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) source: String,
    pub(crate) place: String,
    pub(crate) game: String,
    pub(crate) rules: String,
    pub(crate) pits: u8,
    pub(crate) seeds: u32,
    pub(crate) position: Option<String>,
    pub(crate) quantity: String,
    pub(crate) detail: Option<String>,
    pub(crate) number: String,
    pub(crate) relation: Relation,
    pub(crate) cost: Cost,
    pub(crate) kind: Kind,
    pub(crate) correct: Option<String>,
    #[serde(default)]
    pub(crate) note: String,
}

impl Row {
    /// The claim it holds, or what is wrong with it.
    pub(crate) fn claim(self) -> Result<Claim, String> {
        let quantity = Quantity::parse(&self.quantity, self.detail.as_deref())?;
        let number = Number::parse(quantity.form(), &self.number)?;
        let correct = self.correct.map(|text| Ok::<_, String>((text.clone(), Correct::parse(&quantity, &text)?)));
        let correct = correct.transpose()?;
        let position = self.position.map(|text| text.parse::<State>().map_err(|error| error.to_string()));
        let position = position.transpose()?;
        if position.is_some_and(|state| state.pits() != self.pits) {
            return Err(format!("the position is not on a board of {} pits a side", self.pits));
        }
        if self.game == "kalah" {
            let rules: RuleSet = self.rules.parse().map_err(|error| format!("{error}"))?;
            if rules.to_string() != self.rules {
                return Err(format!("the rules are written '{rules}', found '{}'", self.rules));
            }
            State::start(self.pits, self.seeds).map_err(|error| error.to_string())?;
        }
        if !self.id.starts_with(&format!("{}-", self.source)) {
            return Err(format!("an id begins with its source, '{}-'", self.source));
        }
        Ok(Claim {
            id: self.id,
            source: self.source,
            place: self.place,
            game: self.game,
            rules: self.rules,
            pits: self.pits,
            seeds: self.seeds,
            position,
            quantity,
            printed: self.number,
            number,
            relation: self.relation,
            cost: self.cost,
            kind: self.kind,
            correct,
            note: self.note,
        })
    }
}

impl Claim {
    /// Whether the printed number is known to be wrong.
    pub fn is_misprint(&self) -> bool {
        self.correct.is_some()
    }

    /// The position it is about.
    pub(crate) fn start(&self) -> Result<State, PositionError> {
        self.position.map_or_else(|| State::start(self.pits, self.seeds), Ok)
    }

    /// Its rules and game, or why this version does not play them.
    pub(crate) fn playable(&self) -> Result<(RuleSet, Game), String> {
        let rules: RuleSet = self.rules.parse().map_err(|_| format!("{} is not played by this version", self.game))?;
        if self.pits > MAX_PITS {
            return Err(format!("boards of {} pits a side are not played by this version", self.pits));
        }
        let game = rules.game(self.pits).map_err(|error| error.to_string())?;
        State::start(self.pits, self.seeds).map_err(|error| format!("not played by this version: {}", error.reason))?;
        Ok((rules, game))
    }

    /// The printed number with its relation: `+8`, `at least +4`, `at most -2`. Of a histogram only its size.
    pub fn published(&self) -> String {
        if let Number::Histogram(values) = &self.number {
            return histogram_size(values);
        }
        let relation = match self.relation {
            Relation::Exact => "",
            Relation::AtLeast => "at least ",
            Relation::AtMost => "at most ",
        };
        format!("{relation}{}", self.printed)
    }

    /// The board: `(6,4)` for a start, else the position.
    pub fn board(&self) -> String {
        match &self.position {
            Some(position) => position.to_string(),
            None => format!("({},{})", self.pits, self.seeds),
        }
    }
}
