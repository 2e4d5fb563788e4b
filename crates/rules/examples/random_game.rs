//! Plays a random game under any rule set and draws the board after every move.
//!
//! `cargo run -p kalah-rules --example random_game -- [RULES] [PITS] [SEEDS] [NUMBER]`, for example `-- dakon 7 7 42`. The same
//! number gives the same game.

use kalah_rules::{Next, PictureStyle, RuleSet, SowingGame, State, explain, explain_end, picture};
use std::error::Error;

/// After so many moves the game is left unfinished: under some rules it can go on for ever.
const MOST_MOVES: u32 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let rules: RuleSet = argument("kalah").parse()?;
    let mut state = State::start(argument("6").parse()?, argument("4").parse()?)?;
    let mut random = Random(argument("1").parse()?);

    let game = rules.game(state.pits())?;
    println!("{rules}\n\n{}", picture(&state, PictureStyle::Boxes));
    for number in 1..=MOST_MOVES {
        let legal: Vec<u8> = game.legal(state.position()).collect();
        let pit = legal[random.below(legal.len())];
        let told = explain(&rules, &state, pit)?;
        println!("\n{number}. {} plays pit {pit}\n{}", told.mover, picture(&told.state, PictureStyle::Boxes));
        state = told.state;
        if told.next == Next::Over {
            let [south, north] = told.final_score.unwrap_or_default();
            println!("\nSouth {south}, North {north}");
            return Ok(());
        }
        debug_assert_eq!(explain_end(&rules, &state), None);
    }
    println!("\nNot finished after {MOST_MOVES} moves.");
    Ok(())
}

/// A small generator of numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    /// A number from 0 to `end` − 1.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}
