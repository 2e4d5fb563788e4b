//! What became of a claim.

use crate::reproduce::claim::Claim;
use crate::reproduce::evaluate::unplayed;
use crate::reproduce::evaluator::Evaluation;
use crate::reproduce::finding::{Finding, Judgement, histogram_difference, judge};
use crate::reproduce::number::Number;
use serde::Serialize;

/// What became of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// We find the same number.
    Reproduced,
    /// The printed bound is true.
    Consistent,
    /// We find another number, and it is the one that the data call correct.
    Misprint,
    /// We find a number that is neither the printed one nor a known correction; or the data call a number a misprint that
    /// is right.
    Refuted,
    /// The limits did not allow a verdict.
    OutOfBudget,
    /// The game or board is not played by this version.
    NotPlayed,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 6] = [
        Verdict::Reproduced,
        Verdict::Consistent,
        Verdict::Misprint,
        Verdict::Refuted,
        Verdict::OutOfBudget,
        Verdict::NotPlayed,
    ];

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Consistent => "consistent",
            Verdict::Misprint => "misprint",
            Verdict::Refuted => "refuted",
            Verdict::OutOfBudget => "out of budget",
            Verdict::NotPlayed => "not played",
        }
    }

    /// So many claims with this verdict, in words: "14 are misprints".
    pub fn count(self, claims: u64) -> String {
        let are = if claims == 1 { "is" } else { "are" };
        match self {
            Verdict::Misprint if claims == 1 => "1 is a misprint".to_owned(),
            Verdict::Misprint => format!("{claims} are misprints"),
            Verdict::Consistent if claims == 1 => "1 printed bound is consistent".to_owned(),
            Verdict::Consistent => format!("{claims} printed bounds are consistent"),
            Verdict::Reproduced | Verdict::Refuted | Verdict::OutOfBudget | Verdict::NotPlayed => {
                format!("{claims} {are} {}", self.word())
            }
        }
    }

    /// Whether the claim is settled, so that another run would find the same. What is refuted is worth another look.
    pub fn is_final(self) -> bool {
        match self {
            Verdict::Reproduced | Verdict::Consistent | Verdict::Misprint => true,
            Verdict::Refuted | Verdict::OutOfBudget | Verdict::NotPlayed => false,
        }
    }
}

/// A claim, what we found, and what that says about it. Serialises to the JSON of `--json`, field by field in this order.
#[derive(Clone, PartialEq, Debug, Serialize)]
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
    /// For a misprint: the number that should have been printed.
    pub correct: Option<String>,
    /// What we found; `None` if nothing.
    pub ours: Option<String>,
    /// What that says.
    pub verdict: Verdict,
    /// Our explanation, or what else is to be said; may be empty.
    pub explanation: String,
    /// Positions searched, nodes counted or boards looked at; 0 if an earlier claim did all the work.
    pub work: u64,
    /// How long it took, in seconds with three decimals.
    pub seconds: f64,
    /// The version of the program that found it.
    pub version: String,
    /// From what the verdict follows: enough to derive it again.
    #[serde(skip)]
    pub(crate) evaluation: Evaluation,
}

impl Report {
    /// A claim that was not evaluated because its game is not played or the budget does not allow it.
    pub(crate) fn not_evaluated(claim: &Claim) -> Report {
        let nothing = Evaluation::new(Finding::Nothing, 0);
        Report::new(claim, Evaluation { unplayed: unplayed(claim), ..nothing }, 0.0)
    }

    /// Judges what was found.
    pub(crate) fn new(claim: &Claim, evaluation: Evaluation, seconds: f64) -> Report {
        let finding = &evaluation.finding;
        let printed = judge(&claim.number, claim.relation, finding);
        let correct = claim.correct.as_ref().map(|(_, correct)| correct.judge(finding));
        let verdict = match (printed, correct) {
            _ if evaluation.unplayed.is_some() => Verdict::NotPlayed,
            (Judgement::Open, _) | (Judgement::Different, Some(Judgement::Open)) => Verdict::OutOfBudget,
            (Judgement::Different, Some(Judgement::Same)) => Verdict::Misprint,
            (Judgement::Same | Judgement::CutOff, None) => Verdict::Reproduced,
            (Judgement::Consistent, None) => Verdict::Consistent,
            (Judgement::Different, None | Some(Judgement::Different | Judgement::CutOff | Judgement::Consistent))
            | (Judgement::Same | Judgement::CutOff | Judgement::Consistent, Some(_)) => Verdict::Refuted,
        };
        let mut parts = vec![evaluation.unplayed.clone().unwrap_or_default()];
        match (verdict, &claim.correct) {
            (Verdict::Refuted, Some((text, _))) if printed == Judgement::Different => {
                parts.push(format!("the data correct the misprint to {text}, which is not what we find either"));
            }
            (Verdict::Refuted, Some(_)) => {
                parts.push("the data call this number a misprint, but it is what we find".to_owned());
            }
            (Verdict::OutOfBudget, _) => parts.push(format!("takes {}", claim.cost.word())),
            (Verdict::Reproduced, _) if printed == Judgement::CutOff => {
                parts.push("cut off in print, not rounded".to_owned());
            }
            _ => {}
        }
        parts.extend([claim.note.clone(), evaluation.note.clone()]);
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
            correct: claim.correct.as_ref().map(|(text, _)| text.clone()),
            ours: Some(finding.to_string()).filter(|text| !text.is_empty()),
            verdict,
            explanation: parts.join("; "),
            work: evaluation.work,
            // As finely as a file has them: a report is the same before it is written and after it is read.
            seconds: (seconds * 1000.0).round() / 1000.0,
            version: kalah::VERSION.to_owned(),
            evaluation,
        }
    }
}
