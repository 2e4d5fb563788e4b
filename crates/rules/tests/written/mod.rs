//! Boards written in the forms of other programs, for tests that read them back.
#![allow(dead_code, reason = "each test file uses its part")]
#![expect(unreachable_pub, reason = "a module of a test is never reached from outside")]

use kalah_rules::{Side, State};

/// South's pits, then North's.
fn in_pits(state: &State) -> Vec<String> {
    let sides = [Side::South, Side::North].into_iter();
    sides.flat_map(|side| state.row(side).pits(state.pits())).map(|seeds| seeds.to_string()).collect()
}

/// South's store, then North's.
fn stores(state: &State) -> [String; 2] {
    [Side::South, Side::North].map(|side| state.store(side).to_string())
}

/// `4-4-…-4-0-0-S`.
pub fn dashes(state: &State) -> String {
    format!("{}-{}-{}", in_pits(state).join("-"), stores(state).join("-"), state.to_move().letter())
}

/// `0 | 0 0 | 4 4 … 4`, as OpenSpiel's oware prints it.
pub fn bars(state: &State) -> String {
    let player = u8::from(state.to_move() == Side::North);
    format!("{player} | {} | {}", stores(state).join(" "), in_pits(state).join(" "))
}

/// `[0, 4, …, 0, 4, …]`, with the side to move after it.
pub fn list(state: &State) -> String {
    let (pits, [south, north]) = (in_pits(state), stores(state));
    let (souths, norths) = pits.split_at(usize::from(state.pits()));
    format!("[{north}, {}, {south}, {}] {}", souths.join(", "), norths.join(", "), state.to_move())
}

/// What OpenSpiel's mancala prints, move number included.
pub fn lines(state: &State) -> String {
    let (mut pits, [south, north]) = (in_pits(state), stores(state));
    let m = usize::from(state.pits());
    pits[m..].reverse();
    let player = u8::from(state.to_move() == Side::North);
    format!(
        "-{}-\n{north}{}{south}\n-{}-\nCurrent player: {player}\nMove number: 7",
        pits[m..].join("-"),
        "-".repeat(2 * m - 1),
        pits[..m].join("-")
    )
}
