//! Proofs taken out of one search and put into another: all of them true, and they save the work. Proofs for those who do not
//! search: they hold without it.

mod support;

use kalah_brute_force::Minimax;
use kalah_rules::{Game, Margin, Next, Position, Row, SowingGame, State};
use kalah_search::{Bounds, Choice, Goal, Limits, NoOracle, Options, Proof, Search, Stopped};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use support::{RULES, game};

#[test]
fn every_proof_is_true_and_saves_work() {
    for rules in [RULES[0], RULES[3], RULES[4]] {
        // The smaller table has one-word entries on three pits; set up for 255 seeds on eight pits, entries need two.
        let three = State::start(3, 3).unwrap().position();
        let eight = Position::new(Row::from_pits(&[0, 1, 1, 0, 2, 0, 1, 0]), Row::from_pits(&[1, 0, 1, 0, 0, 2, 0, 0]));
        for (pits, start, set_up_for) in [(3, three, 18), (3, three, 200), (8, eight, 255)] {
            let game = game(rules, pits);
            let options = Options { table_bytes: 1 << 18, threads: 1 };
            let mut search = Search::new(game, &NoOracle, set_up_for, options).unwrap();
            let answer = search.solve(start, Goal::EveryMove, Some(Margin(0)), Limits::default()).unwrap();
            let proofs = search.heaviest(usize::MAX);
            assert!(!proofs.is_empty(), "{rules} {pits} {set_up_for}");
            let mut minimax = Minimax::new(game);
            for proof in &proofs {
                let value = minimax.value(proof.position);
                assert!(proof.bounds.contains(value), "{rules}: {proof:?}, but the value is {value}");
            }
            let few = search.heaviest(proofs.len() / 2);
            assert_eq!(few, proofs[..few.len()], "the heaviest come first");
            assert!(few.len() <= (proofs.len() / 2).max(proofs.iter().filter(|p| p.work == proofs[0].work).count()));

            let mut second = Search::new(game, &NoOracle, set_up_for, options).unwrap();
            proofs.iter().for_each(|proof| second.learn(proof).unwrap());
            let again = second.solve(start, Goal::EveryMove, Some(Margin(0)), Limits::default()).unwrap();
            assert_eq!((again.bounds, &again.moves), (answer.bounds, &answer.moves));
            // Light nodes are not worth keeping, so a small tree is searched again in good part.
            let most = if answer.stats.nodes > 1000 { answer.stats.nodes / 2 } else { answer.stats.nodes };
            assert!(again.stats.nodes < most, "{} against {}", again.stats.nodes, answer.stats.nodes);
        }
    }
}

#[test]
fn proofs_are_read_as_they_were_written_where_only_the_large_table_could_be_narrow() {
    // Codes of 57 bits: an entry of a table of 64 MiB would fit one word, one of a thread's small table needs two.
    let start = Position::new(Row::from_pits(&[1, 1, 0, 1, 1, 1, 1]), Row::from_pits(&[1, 1, 1, 0, 1, 1, 1]));
    let game = game("kalah", 7);
    let mut search = Search::new(game, &NoOracle, 92, Options { table_bytes: 64 << 20, ..Options::default() }).unwrap();
    search.solve(start, Goal::Value, None, Limits::default()).unwrap();
    let proofs = search.heaviest(usize::MAX);
    assert!(!proofs.is_empty());
    let mut minimax = Minimax::new(game);
    for proof in proofs {
        let most = Margin(proof.position.seeds() as i16);
        assert!(proof.bounds != Bounds { lower: -most, upper: most }, "{proof:?} says nothing: it is no proof");
        let value = minimax.value(proof.position);
        assert!(proof.bounds.contains(value), "{proof:?}, but the value is {value}");
    }
}

#[test]
fn impossible_proofs_are_refused() {
    let mut search =
        Search::new(game("kalah", 3), &NoOracle, 12, Options { table_bytes: 1 << 12, threads: 1 }).unwrap();
    let position = State::start(3, 1).unwrap().position();
    let bounds = Bounds { lower: Margin(-2), upper: Margin(4) };
    let good = Proof { position, bounds, pit: Some(3), work: 9 };
    assert_eq!(search.learn(&good), Ok(()));
    assert_eq!(search.heaviest(10), vec![good]);
    let stray = Position::new(Row::from_pits(&[1, 1, 1, 1]), position.opponent);
    for bad in [
        Proof { bounds: Bounds { lower: Margin(4), upper: Margin(-2) }, ..good },
        Proof { bounds: Bounds { lower: Margin(-2), upper: Margin(8) }, ..good },
        Proof { bounds: Bounds { lower: Margin(-1), upper: Margin(4) }, ..good },
        Proof { pit: Some(4), ..good },
        Proof { position: stray, bounds: Bounds { lower: Margin(-1), upper: Margin(1) }, ..good },
        Proof { position: State::start(3, 4).unwrap().position(), ..good },
    ] {
        assert!(search.learn(&bad).is_err(), "{bad:?}");
    }
}

/// Whether the choices prove that the value of the position lies between the bounds, by plain recursion over all replies.
fn holds(game: &Game, choices: &[Choice], position: Position, at_least: Option<i16>, at_most: Option<i16>) -> bool {
    let (least, most) = match game.over(position) {
        Some(value) => (value.0, value.0),
        None => (-(position.seeds() as i16), position.seeds() as i16),
    };
    let choice = |window| choices.iter().find(|choice| choice.position == position && choice.window.0 >= window);
    let after = |pit: u8, window: i16, at_least: bool| {
        let sown = game.sow(position, pit);
        let gain = sown.gain().0;
        match (game.final_margin(&sown), sown.next, at_least) {
            (Some(end), _, true) => end.0 >= window,
            (Some(end), _, false) => end.0 <= window,
            (None, Next::Again, true) => holds(game, choices, sown.position, Some(window - gain), None),
            (None, Next::Again, false) => holds(game, choices, sown.position, None, Some(window - gain)),
            (None, _, true) => holds(game, choices, sown.position, None, Some(gain - window)),
            (None, _, false) => holds(game, choices, sown.position, Some(gain - window), None),
        }
    };
    at_least.is_none_or(|window| least >= window || choice(window).is_some_and(|c| after(c.pit, window, true)))
        && at_most.is_none_or(|window| {
            most <= window || least <= window && game.legal(position).all(|pit| after(pit, window, false))
        })
}

#[test]
fn choices_prove_true_bounds_and_there_are_none_for_others() {
    let start = State::start(3, 2).unwrap().position();
    for rules in RULES {
        let game = game(rules, 3);
        let value = Minimax::new(game).value(start).0;
        let options = Options { table_bytes: 1 << 12, threads: 1 };
        let mut search = Search::new(game, &NoOracle, 12, options).unwrap();
        for (lower, upper) in [(value, value), (value - 1, value + 1), (-12, value), (value, 12), (-12, 12)] {
            let bounds = Bounds { lower: Margin(lower), upper: Margin(upper) };
            let mut choices = Vec::new();
            let take = &mut |choice, _| choices.push(choice);
            let found = search.choices(start, bounds, 0, Limits::default(), take).unwrap();
            assert_eq!(found.stopped, None, "{rules}: {bounds}");
            assert!(holds(&game, &choices, start, Some(lower), Some(upper)), "{rules}: {bounds}");
            assert_eq!(choices.is_empty(), bounds == Bounds { lower: Margin(-12), upper: Margin(12) });
        }
        for (lower, upper) in [(value + 1, value + 1), (value - 1, value - 1), (value + 2, 12), (-12, value - 2)] {
            let bounds = Bounds { lower: Margin(lower), upper: Margin(upper) };
            let found = search.choices(start, bounds, 0, Limits::default(), &mut |_, _| ()).unwrap();
            assert_eq!(found.stopped, Some(Stopped::Untrue), "{rules}: {bounds}");
        }
        let mut search = Search::new(game, &NoOracle, 12, options).unwrap();
        let bounds = Bounds::just(Margin(value));
        let found = search.choices(start, bounds, 0, Limits::default().nodes(0), &mut |_, _| ()).unwrap();
        assert_eq!(found.stopped, Some(Stopped::Nodes), "{rules}");
        // The flag is set at the third choice, of a proof that needs no search any more.
        search.solve(start, Goal::Value, None, Limits::default()).unwrap();
        let (stop, mut taken) = (AtomicBool::new(false), 0);
        let take = &mut |_, _| {
            taken += 1;
            stop.store(taken >= 3, Relaxed);
        };
        let found = search.choices(start, bounds, 0, Limits::default().stop(&stop), take).unwrap();
        assert_eq!((found.stopped, taken <= 3 + 512), (Some(Stopped::Asked), true), "{rules}");
    }
}
