//! `kalah explain`: what moves do, sentence by sentence, with the board before and after.

use crate::failure::{Failure, Outcome};
use crate::forms;
use crate::global::Global;
use crate::output::Output;
use crate::screen::Screen;
use clap::Args;
use kalah::hash_text;
use kalah_rules::{
    Ending, Explanation, RuleSet, Side, SowingGame, State, explain, explain_end, parse_turns, turn_text,
};
use serde::Serialize;

/// Explain what moves do: where the seeds fall, what is captured and why, who moves next, and the score at the end of the game.
#[derive(Args, Debug)]
#[command(after_help = forms::positions_and_moves("Examples:\n  \
    kalah explain '<6,0,0,0,0,1,0,0,2,3,0,4,0,0,1>' 3\n  \
    kalah explain start:6x4 3-6 5 2-1 --rules kalah-empty\n  \
    kalah explain start:6x4                                shows what can be played"))]
pub(crate) struct Arguments {
    /// Position or start, e.g. start:6x4.
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// Moves or whole turns, one after the other, e.g. 3-6 5 2-1 [default: show the board and the legal moves].
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
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

/// The end of a game, as JSON.
#[derive(Serialize)]
struct Ended<'a> {
    rules: RuleSet,
    rules_hash: String,
    position: State,
    #[serde(flatten)]
    ending: &'a Ending,
}

/// What can be played, as JSON.
#[derive(Serialize)]
struct Legal {
    rules: RuleSet,
    rules_hash: String,
    position: State,
    to_move: Side,
    legal: Vec<u8>,
}

/// Explains each move, or how the game has ended.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let rules = global.rules()?;
    let state: State = arguments.position.parse()?;
    let moves = match &arguments.moves[..] {
        [] => Vec::new(),
        moves => parse_turns(&moves.join(" "))?,
    };
    let rules_hash = || hash_text(&rules);
    if let Some(ending) = explain_end(&rules, &state) {
        return if output.json {
            output.object(&Ended { rules, rules_hash: rules_hash(), position: state, ending: &ending })
        } else {
            head(&rules, &state, output)?;
            sentences(&ending.sentences, output)
        }
        .map(|()| Outcome::Answered);
    }
    check(&rules, state, &moves)?;
    if !output.json {
        head(&rules, &state, output)?;
    }
    if moves.is_empty() {
        let (to_move, legal) = (state.to_move(), rules.game(state.pits())?.legal(state.position()));
        if output.json {
            let legal = legal.collect();
            output.object(&Legal { rules, rules_hash: rules_hash(), position: state, to_move, legal })?;
        } else {
            let pits = if legal.len() == 1 { "pit" } else { "pits" };
            sentences(&[format!("{to_move} can play {pits} {legal}.")], output)?;
        }
    }
    let mut state = state;
    for pit in moves.concat() {
        let explanation = explain(&rules, &state, pit)?;
        if output.json {
            output.object(&Told { rules, rules_hash: rules_hash(), position: state, explanation: &explanation })?;
        } else {
            sentences(&explanation.sentences, output)?;
            board(&explanation.state, output)?;
        }
        state = explanation.state;
    }
    Ok(Outcome::Answered)
}

/// Plays all moves once before the first word is printed. The error names the part that cannot be played.
fn check(rules: &RuleSet, start: State, moves: &[Vec<u8>]) -> Result<(), Failure> {
    let game = rules.game(start.pits())?;
    let mut state = start;
    for (number, turn) in moves.iter().enumerate() {
        let played = state.play_turn(&game, turn).map_err(|error| {
            let failure = Failure::from(error);
            match moves.len() {
                1 => failure,
                _ => {
                    let (side, turn) = (state.to_move(), turn_text(turn));
                    let place = format!("{turn}, number {} of the turns, for {side} on {state}", number + 1);
                    Failure { message: format!("{place}: {}", failure.message), ..failure }
                }
            }
        })?;
        state = played.state;
    }
    Ok(())
}

/// The position as text and as a picture.
fn head(rules: &RuleSet, state: &State, output: &mut Output) -> Result<(), Failure> {
    output.text(format!("{state}, rules {rules}"))?;
    output.text(Screen::get().picture(state))
}

fn sentences(sentences: &[String], output: &mut Output) -> Result<(), Failure> {
    output.text("")?;
    sentences.iter().try_for_each(|sentence| output.text(format!("  {sentence}")))
}

/// The board after a move.
fn board(state: &State, output: &mut Output) -> Result<(), Failure> {
    output.text(format!("\n{state}"))?;
    output.text(Screen::get().picture(state))
}
