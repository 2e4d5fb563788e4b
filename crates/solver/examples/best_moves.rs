//! The best moves of a position: `cargo run --release -p kalah --example best_moves -- '<4,0,0,2,2,0,3,3,2,2,2>' kalah-empty`.

use kalah::{Limits, Options, Solver};
use kalah_rules::{RuleSet, State};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let state: State = arguments.next().as_deref().unwrap_or("start:4x3").parse()?;
    let rules: RuleSet = arguments.next().as_deref().unwrap_or("kalah").parse()?;
    let solver = Solver::without_layers(rules, state.pits(), Options::default())?;
    let answer = solver.analyse(&state, &Limits::default())?;
    for found in &answer.moves {
        let loss = found.loss.map_or("?".to_owned(), |loss| loss.0.to_string());
        println!("pit {}: loses {loss} against the best move", found.pit);
    }
    println!("line of play: {}", answer.pv_turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    Ok(())
}
