//! Counts of all lines of play and of all reachable boards, against numbers from an independent program.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_rules::{Next, RuleSet, Side, SowingGame, State, divide, divide_turns, explain, perft, perft_turns};
use std::collections::HashSet;

fn game(rules: &str, pits: u8) -> kalah_rules::Game {
    rules.parse::<RuleSet>().unwrap().game(pits).unwrap()
}

#[test]
fn counts_by_sows() {
    #[rustfmt::skip]
    let published: [(&str, u32, &[u64]); 6] = [
        ("kalah", 4, &[6, 35, 185, 942, 4690, 23233, 114430, 563055, 2763490]),
        ("kalah-empty", 4, &[6, 35, 185, 942, 4685, 23169, 113959, 559885, 2743126]),
        ("kalah", 6, &[6, 35, 190, 1056, 5882, 32243, 177827, 962153, 5197521]),
        ("kalah-empty", 6, &[6, 35, 190, 1056, 5882, 32243, 177804, 961846, 5194136]),
        ("kalah", 3, &[6, 35, 182, 904, 4243, 19418, 87103, 387726, 1715619]),
        ("kalah-empty", 3, &[6, 35, 182, 904, 4231, 19276, 85955]),
    ];
    for (rules, seeds, counts) in published {
        let start = State::start(6, seeds).unwrap().position();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&game(rules, 6), start, depth), count, "{rules}, (6,{seeds}), depth {depth}");
        }
    }
}

#[test]
fn counts_of_oware() {
    let start = State::start(6, 4).unwrap().position();
    for (depth, count) in (1..).zip([6, 36, 190, 1014, 5219, 27332]) {
        assert_eq!(perft(&game("oware", 6), start, depth), count, "depth {depth}");
        // Without extra moves a turn is a sow.
        assert_eq!(perft_turns(&game("oware", 6), start, depth), count, "{depth} turns");
    }
}

#[test]
fn counts_by_turns() {
    let published: [(&str, u32, &[u64]); 3] = [
        ("kalah", 4, &[10, 116, 1022, 9682, 125843]),
        ("kalah-empty", 4, &[10, 116, 1022, 9682, 125678]),
        ("kalah", 6, &[10, 60, 329, 1907, 12441]),
    ];
    for (rules, seeds, counts) in published {
        let start = State::start(6, seeds).unwrap().position();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft_turns(&game(rules, 6), start, depth), count, "{rules}, (6,{seeds}), depth {depth}");
        }
    }
}

#[test]
fn shares_add_up() {
    let game = game("kalah", 6);
    let start = State::start(6, 4).unwrap().position();
    let moves = divide(&game, start, 5);
    assert_eq!(moves.iter().map(|&(pit, _)| pit).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(moves.iter().map(|&(_, count)| count).sum::<u64>(), 4690);
    let turns = divide_turns(&game, start, 3);
    assert_eq!(turns.len(), 10);
    assert_eq!(turns.iter().map(|&(_, count)| count).sum::<u64>(), 1022);
    assert!(turns.iter().any(|(turn, _)| turn == &[3, 6]));
    assert!(divide_turns(&game, start, 1).iter().all(|&(_, count)| count == 1));
    assert_eq!((perft(&game, start, 0), perft_turns(&game, start, 0)), (1, 1));
    assert!(divide(&game, start, 0).is_empty() && divide_turns(&game, start, 0).is_empty());
}

/// Lines of play counted with nothing but explanations, which do not use the sow table.
fn perft_by_explaining(rules: &RuleSet, state: &State, depth: u32) -> u64 {
    let told = (1..=state.pits()).filter_map(|pit| explain(rules, state, pit).ok());
    told.map(|told| match (told.next, depth) {
        (_, 1) => 1,
        (Next::Over, _) => 0,
        _ => perft_by_explaining(rules, &told.state, depth - 1),
    })
    .sum()
}

/// Whole turns counted the same way.
fn turns_by_explaining(rules: &RuleSet, state: &State, depth: u32) -> u64 {
    let told = (1..=state.pits()).filter_map(|pit| explain(rules, state, pit).ok());
    told.map(|told| match (told.next, depth) {
        (Next::Again, _) => turns_by_explaining(rules, &told.state, depth),
        (_, 1) => 1,
        (Next::Over, _) => 0,
        _ => turns_by_explaining(rules, &told.state, depth - 1),
    })
    .sum()
}

#[test]
fn two_roads_to_the_rules_count_alike() {
    let options =
        ["oware+slam=illegal", "oware+slam=takes", "oware+slam=forfeit", "dakon+end=pass", "dakon+mikul=take"];
    for preset in RuleSet::PRESETS.map(|(name, _)| name).into_iter().chain(options) {
        let rules: RuleSet = preset.parse().unwrap();
        for (pits, seeds, sows, turns) in
            [(1, 9, 12, 8), (2, 2, 14, 8), (2, 6, 10, 6), (3, 2, 9, 6), (4, 3, 7, 4), (6, 4, 5, 3), (8, 8, 4, 2)]
        {
            let (game, start) = (game(preset, pits), State::start(pits, seeds).unwrap());
            let position = start.position();
            for depth in 1..=sows {
                let count = perft_by_explaining(&rules, &start, depth);
                let shares = divide(&game, position, depth).into_iter().map(|(_, share)| share).sum::<u64>();
                assert_eq!(
                    (perft(&game, position, depth), shares),
                    (count, count),
                    "{rules}, ({pits},{seeds}), depth {depth}"
                );
            }
            // A single turn of relays can have more continuations than can be counted.
            let relay = matches!(rules.game, kalah_rules::GameRules::Dakon(_) | kalah_rules::GameRules::Avalanche);
            for depth in 1..=if relay { 0 } else { turns } {
                let count = turns_by_explaining(&rules, &start, depth);
                let shares = divide_turns(&game, position, depth).into_iter().map(|(_, share)| share).sum::<u64>();
                let found = (perft_turns(&game, position, depth), shares);
                assert_eq!(found, (count, count), "{rules}, ({pits},{seeds}), {depth} turns");
            }
        }
    }
}

/// All boards in which something can be played, stores and side to move included, that can arise from the start.
fn reachable(rules: &str, pits: u8, seeds: u32) -> usize {
    let game = game(rules, pits);
    // 5 bits a pit and for South's store, one for the side; North's store is what is missing.
    assert!(2 * u32::from(pits) * seeds < 32 && u32::from(pits) * 10 + 6 <= 64);
    let pack = |state: &State| {
        [Side::South, Side::North]
            .into_iter()
            .flat_map(|side| state.row(side).pits(pits))
            .map(u64::from)
            .chain([u64::from(state.store(Side::South)), u64::from(state.to_move() == Side::North)])
            .fold(0, |key, part| key << 5 | part)
    };
    let start = State::start(pits, seeds).unwrap();
    let mut seen = HashSet::from([pack(&start)]);
    let mut waiting = vec![start];
    while let Some(state) = waiting.pop() {
        for pit in game.legal(state.position()) {
            let played = state.play(&game, pit).unwrap();
            if played.next != Next::Over && seen.insert(pack(&played.state)) {
                waiting.push(played.state);
            }
        }
    }
    seen.len()
}

#[test]
fn reachable_boards() {
    for (rules, pits, seeds, count) in
        [("kalah", 2, 2, 19), ("kalah-empty", 2, 2, 17), ("kalah", 3, 3, 27_076), ("kalah-empty", 3, 3, 23_090)]
    {
        assert_eq!(reachable(rules, pits, seeds), count, "{rules}, ({pits},{seeds})");
    }
}

#[test]
#[ignore = "takes some seconds and 150 MB a rule set"]
fn reachable_boards_of_four_pits() {
    assert_eq!(reachable("kalah", 4, 3), 5_193_482);
    assert_eq!(reachable("kalah-empty", 4, 3), 4_582_420);
}
