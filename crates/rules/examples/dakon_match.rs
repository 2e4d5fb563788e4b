//! Plays a match of Dakon over several rounds with random moves, and prints how each round ended.
//!
//! `cargo run -p kalah-rules --example dakon_match -- [PITS] [NUMBER]`, for example `-- 7 42`. The same number gives the same match.

use kalah_rules::{MatchRules, Next, Round, Side};
use std::error::Error;

/// After so many rounds the match is left unfinished.
const MOST_ROUNDS: u32 = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let pits: u8 = arguments.next().map_or(Ok(7), |text| text.parse())?;
    let mut random: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let (rules, seeds) = (MatchRules::default(), u32::from(pits));
    let (mut owned, mut first) = ([seeds * seeds; 2], Side::South);
    for number in 1..=MOST_ROUNDS {
        let Some(mut round) = Round::refilled(&rules, pits, seeds, owned, first)? else {
            println!("A player cannot fill a pit: the match is over after {} rounds.", number - 1);
            return Ok(());
        };
        let burnt = |side| (1..=pits).filter(|&pit| round.is_burnt(side, pit)).count();
        let burnt = [burnt(Side::South), burnt(Side::North)];
        let last = loop {
            // A generator of numbers that look random (Knuth's MMIX).
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mover = round.to_move();
            let filled: Vec<u8> = (1..)
                .zip(round.row(mover))
                .filter(|(_, seeds)| seeds.is_some_and(|seeds| seeds > 0))
                .map(|(pit, _)| pit)
                .collect();
            let pit = filled.get((random >> 33) as usize % filled.len().max(1)).copied().unwrap_or(1);
            if round.play(pit)? == Next::Over {
                break mover;
            }
        };
        owned = [round.store(Side::South), round.store(Side::North)];
        println!(
            "Round {number}: {first} began; South {} (burnt pits: {}), North {} (burnt pits: {})",
            owned[0], burnt[0], owned[1], burnt[1]
        );
        first = round.next_to_begin(&rules, first, last);
    }
    println!("Not finished after {MOST_ROUNDS} rounds.");
    Ok(())
}
