//! What a result claims, as questions that can be asked again.

use super::{Evidence, Task, TaskResult};
use kalah_rules::{Game, Margin, SowingGame};

/// One bound of a result, as a question with the answer that the result gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Which piece of evidence claims it, counted from 0.
    pub evidence: usize,
    /// The question: is the value of the position, for its mover, at least the window?
    pub question: Task,
    /// The answer that is claimed.
    pub reached: bool,
}

impl Claim {
    /// Whether a proof of the same question confirms the claim.
    pub fn is_confirmed_by(&self, proof: &TaskResult) -> bool {
        let Task { state, window, .. } = self.question;
        let same = (proof.state.position(), proof.window) == (state.position(), window);
        same && if self.reached { proof.bounds.lower >= window } else { proof.bounds.upper < window }
    }
}

/// All that results claim: the lower bound of each unless it is true of every position with so many seeds, then the upper
/// bound.
pub fn claims(game: &Game, evidence: &[Evidence]) -> Vec<Claim> {
    let step = Margin(if game.keeps_parity() { 2 } else { 1 });
    let of_one = |(evidence, Evidence { result, .. }): (usize, &Evidence)| {
        let all = Margin(result.state.position().seeds() as i16);
        let question = |window| Task { id: result.id, state: result.state, window };
        let (lower, upper) = (result.bounds.lower, result.bounds.upper);
        let lower = (lower > -all).then(|| Claim { evidence, question: question(lower), reached: true });
        let upper = (upper < all).then(|| Claim { evidence, question: question(upper + step), reached: false });
        [lower, upper].into_iter().flatten()
    };
    evidence.iter().enumerate().flat_map(of_one).collect()
}
