//! Explains every legal move of a position: `cargo run -p kalah-rules --example moves -- '<3,0,0,0,1,0,0,0,2>' kalah-empty`.

use kalah_rules::{RuleSet, State, explain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let state: State = arguments.next().as_deref().unwrap_or("start:6x4").parse()?;
    let rules: RuleSet = arguments.next().as_deref().unwrap_or("kalah").parse()?;
    let game = rules.game(state.pits())?;
    for pit in (1..=state.pits()).filter(|&pit| state.play(&game, pit).is_ok()) {
        println!("{}\n", explain(&rules, &state, pit)?);
    }
    Ok(())
}
