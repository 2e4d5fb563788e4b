//! `kalah explain`: what a move does, sentence by sentence.

use crate::failure::{Failure, Outcome};
use crate::global::Global;
use crate::output::Output;
use clap::Args;
use kalah::hash_text;
use kalah_rules::{Explanation, RuleSet, State, explain, parse_turn};
use serde::Serialize;

/// Tell what a move does: where the seeds fall, what is captured and why, who is next, and the score when the game is
/// over.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah explain '<6,0,0,0,0,1,0,0,2,3,0,4,0,0,1>' 3\n  \
    kalah explain start:6x4 3-6 --rules kalah-empty")]
pub(crate) struct Arguments {
    /// The position, such as '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>', or a start such as start:6x4. A side to move other than
    /// South stands behind it: '<…> N'.
    position: String,
    /// The pit to sow, counted from 1 in the mover's own sowing order; or a whole turn such as 3-6.
    #[arg(value_name = "MOVE")]
    turn: String,
}

/// One explained move, as JSON.
#[derive(Serialize)]
struct Told<'a> {
    rules: RuleSet,
    rules_hash: String,
    position: State,
    #[serde(flatten)]
    explanation: &'a Explanation,
}

/// Explains each move of the turn.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let mut state: State = arguments.position.parse()?;
    let turn = parse_turn(&arguments.turn)?;
    // The whole turn is checked before the first word of it is printed.
    state.play_turn(&rules.game(state.pits())?, &turn)?;
    for pit in turn {
        let explanation = explain(&rules, &state, pit)?;
        if output.json {
            let rules_hash = hash_text(&rules);
            output.object(&Told { rules, rules_hash, position: state, explanation: &explanation })?;
        } else {
            output.text(format!("{state}, {} sows pit {pit} (rules {rules})", explanation.mover))?;
            for sentence in &explanation.sentences {
                output.text(format!("  {sentence}"))?;
            }
            output.text(explanation.state.to_string())?;
        }
        state = explanation.state;
    }
    Ok(Outcome::Answered)
}
