//! What became of a claim.

use crate::reproduce::claim::Claim;
use crate::reproduce::evaluate::{Evaluation, needs_no_game, playable};
use crate::reproduce::number::{Finding, Judgement, Number, histogram_difference, judge};
use serde::{Deserialize, Serialize};

/// What became of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same number came out.
    Reproduced,
    /// The printed bound is true.
    Consistent,
    /// Another number came out, and the data say why the printed one is wrong.
    Disputed,
    /// Another number came out and nobody knows why; or a number that the data call wrong came out right.
    Refuted,
    /// Not enough came out within the limits.
    OutOfBudget,
    /// The game or board is not played by this version.
    NotPlayed,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 6] = [
        Verdict::Reproduced,
        Verdict::Consistent,
        Verdict::Disputed,
        Verdict::Refuted,
        Verdict::OutOfBudget,
        Verdict::NotPlayed,
    ];

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Consistent => "consistent",
            Verdict::Disputed => "wrong in print",
            Verdict::Refuted => "refuted",
            Verdict::OutOfBudget => "out of budget",
            Verdict::NotPlayed => "not played",
        }
    }

    /// Whether the claim is settled: another run would find the same.
    pub fn is_final(self) -> bool {
        !matches!(self, Verdict::OutOfBudget | Verdict::NotPlayed)
    }
}

/// A claim, what we found, and what that says about it. Serialises to the JSON of `--json`, field by field in this order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The claim's id.
    pub id: String,
    /// Where it comes from.
    pub source: String,
    /// The rules it is true under.
    pub rules: String,
    /// The board or position.
    pub board: String,
    /// What the number is about.
    pub quantity: String,
    /// The number as printed, with `at least` or `at most` before a bound.
    pub published: String,
    /// What we found; `None` if nothing.
    pub ours: Option<String>,
    /// What that says.
    pub verdict: Verdict,
    /// Our explanation, or what else is to be said; may be empty.
    pub explanation: String,
    /// Positions searched, nodes counted or boards looked at; 0 if an earlier claim did all the work.
    pub work: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The version of the program that found it.
    pub version: String,
}

impl Report {
    /// A claim that was not evaluated because its game is not played or the budget does not allow it.
    pub(crate) fn not_evaluated(claim: &Claim) -> Report {
        let unplayed = if needs_no_game(claim) { None } else { playable(claim).err() };
        Report::new(claim, &Evaluation { unplayed, ..Evaluation::new(Finding::Nothing, 0) }, 0.0)
    }

    pub(crate) fn new(claim: &Claim, evaluation: &Evaluation, seconds: f64) -> Report {
        let Evaluation { finding, work, note, unplayed } = evaluation;
        let judgement = judge(&claim.number, claim.relation, finding);
        let verdict = match judgement {
            _ if unplayed.is_some() => Verdict::NotPlayed,
            Judgement::Open => Verdict::OutOfBudget,
            Judgement::Different if claim.misprint => Verdict::Disputed,
            Judgement::Different => Verdict::Refuted,
            Judgement::Same | Judgement::CutOff | Judgement::Consistent if claim.misprint => Verdict::Refuted,
            Judgement::Same | Judgement::CutOff => Verdict::Reproduced,
            Judgement::Consistent => Verdict::Consistent,
        };
        let mut parts = vec![unplayed.clone().unwrap_or_default()];
        match verdict {
            Verdict::Refuted if claim.misprint => {
                parts.push("our own note on this number calls it wrong, but it came out:".to_owned());
            }
            Verdict::OutOfBudget => parts.push(format!("takes {}", claim.cost.word())),
            Verdict::Reproduced if judgement == Judgement::CutOff => {
                parts.push("cut off in print, not rounded".to_owned());
            }
            _ => {}
        }
        parts.extend([claim.note.clone(), note.clone()]);
        if let (Number::Histogram(printed), Finding::Histogram(found)) = (&claim.number, finding) {
            parts.extend(histogram_difference(printed, found));
        }
        parts.retain(|part| !part.is_empty());
        Report {
            id: claim.id.clone(),
            source: claim.source.clone(),
            rules: claim.rules.clone(),
            board: claim.board(),
            quantity: claim.quantity.to_string(),
            published: claim.published(),
            ours: Some(finding.to_string()).filter(|text| !text.is_empty()),
            verdict,
            explanation: parts.join("; "),
            work: *work,
            seconds,
            version: kalah::VERSION.to_owned(),
        }
    }

    /// Whether this report, made by an earlier run, settles the claim as it reads now.
    pub fn settles(&self, claim: &Claim) -> bool {
        let same = self.id == claim.id
            && self.published == claim.published()
            && self.rules == claim.rules
            && self.board == claim.board()
            && self.quantity == claim.quantity.to_string()
            && self.explanation.contains(&claim.note);
        // What is refuted is worth another look, and a note that calls a number wrong may have come or gone since.
        let holds = self.verdict.is_final() && self.verdict != Verdict::Refuted;
        same && holds && (self.verdict == Verdict::Disputed) == claim.misprint && self.version == kalah::VERSION
    }
}
