//! Proofs taken out of the search and checked without it, whole and falsified.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::certificate::{Certificate, Lemma, Refusal};
use kalah::database::Database;
use kalah::retrograde::{BuildOptions, Unwatched, build, stamp};
use kalah::{Limits, Options, Solver};
use kalah_rules::{Margin, Position, Row, RuleSet, SowingGame, State};
use proptest::prelude::*;
use std::path::Path;

const OPTIONS: Options = Options { table_bytes: 16 << 20, threads: 1 };

fn layers(directory: &Path, rules: &str, pits: u8, seeds: u32) -> (RuleSet, Database) {
    let rules: RuleSet = rules.parse().unwrap();
    build(directory, &rules, pits, seeds, &BuildOptions::default(), &Unwatched).unwrap();
    (rules, Database::open(directory, &stamp(&rules, pits)).unwrap())
}

/// The certificate's parts, some of them changed.
fn with(certificate: &Certificate, bounds: [Margin; 2], layers: u32, lemmas: Vec<Lemma>) -> Certificate {
    Certificate::new(certificate.rules(), certificate.pits(), certificate.root(), bounds, layers, lemmas).unwrap()
}

/// Solves a start, checks the proof and every kind of false one made of it.
fn certify(pits: u8, seeds: u32, most: u32, values: [(&str, i16); 2]) {
    let directory = tempfile::tempdir().unwrap();
    let opened = values.map(|(rules, _)| layers(directory.path(), rules, pits, most));
    for (which, (_, value)) in values.into_iter().enumerate() {
        let (rules, database) = &opened[which];
        let solver = Solver::open(directory.path(), *rules, pits, OPTIONS).unwrap();
        let start = State::start(pits, seeds).unwrap();
        let place = format!("({pits},{seeds}) under {rules}");
        let found = solver.certify(&start, Some(most), &Limits::default()).unwrap().certificate.unwrap();
        assert_eq!(found.value(), Some(Margin(value)), "{place}");
        assert_eq!((found.layers(), found.root()), (most + 1, start.position()), "{place}");

        // Through a file and back, then checked.
        let file = directory.path().join("proof");
        found.write(&file).unwrap();
        let proof = Certificate::read(&file).unwrap();
        assert_eq!(proof, found, "{place}");
        let checked = proof.check(Some(database)).unwrap();
        assert_eq!(checked.lemmas, proof.lemmas().len() as u64, "{place}");
        assert!(checked.lemmas > 10 && checked.replies > 10 && checked.probes > 10, "{place}: {checked:?}");

        // One step too high, one step too low.
        let lemmas = || proof.lemmas().to_vec();
        let refuted = |proof: Certificate| {
            let refusal = proof.check(Some(database)).unwrap_err();
            assert!(refusal.is_refuted(), "{place}: {refusal}");
        };
        for bounds in [[value + 2, value + 2], [value - 2, value - 2], [value + 1, value + 1]] {
            refuted(with(&proof, bounds.map(Margin), most + 1, lemmas()));
        }
        // Every lemma is needed, with its window; a few of them are tried.
        let step = lemmas().len().div_ceil(5);
        for number in (0..lemmas().len()).step_by(step) {
            let mut fewer = lemmas();
            fewer.remove(number);
            refuted(with(&proof, [Margin(value); 2], most + 1, fewer));
            let mut weaker = lemmas();
            weaker[number].window.0 -= 2;
            if weaker[number].window.0 >= -(weaker[number].position.seeds() as i16) {
                refuted(with(&proof, [Margin(value); 2], most + 1, weaker));
            }
        }
        // Not without the last layer, nor with another rule set's layers.
        refuted(with(&proof, [Margin(value); 2], most, lemmas()));
        let refusal = proof.check(Some(&opened[1 - which].1)).unwrap_err();
        assert!(matches!(refusal, Refusal::OtherLayers { .. }), "{place}: {refusal}");
        assert!(matches!(proof.check(None), Err(Refusal::MissingLayers { .. })), "{place}");
    }
}

#[test]
fn four_pits_four_seeds() {
    certify(4, 4, 10, [("kalah", 2), ("kalah-empty", 2)]);
}

#[test]
fn five_pits_four_seeds() {
    certify(5, 4, 14, [("kalah", 10), ("kalah-empty", 12)]);
}

#[test]
fn six_pits_three_seeds() {
    certify(6, 3, 14, [("kalah", 2), ("kalah-empty", 2)]);
}

#[test]
fn fewer_layers_than_there_are_make_a_longer_proof() {
    let directory = tempfile::tempdir().unwrap();
    let (rules, database) = layers(directory.path(), "kalah", 4, 12);
    let solver = Solver::open(directory.path(), rules, 4, OPTIONS).unwrap();
    let start = State::start(4, 3).unwrap();
    let mut before = usize::MAX;
    for (most, reach) in [(Some(0), 1), (Some(6), 7), (Some(12), 13), (Some(99), 13), (None, 13)] {
        let proof = solver.certify(&start, most, &Limits::default()).unwrap().certificate.unwrap();
        assert_eq!((proof.value(), proof.layers()), (Some(Margin(6)), reach));
        assert!(proof.check(Some(&database)).is_ok());
        assert!(proof.lemmas().len() <= before, "{most:?}");
        before = proof.lemmas().len();
    }
    // Inside the layers nothing has to be shown; a limit leaves nothing to show.
    let inside = solver.certify(&State::start(4, 1).unwrap(), None, &Limits::default()).unwrap().certificate.unwrap();
    assert!(inside.lemmas().is_empty() && inside.check(Some(&database)).is_ok());
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let alone = Solver::without_layers(rules, 6, OPTIONS).unwrap();
    let stopped = alone.certify(&State::start(6, 4).unwrap(), None, &limits).unwrap();
    assert!(stopped.certificate.is_none() && stopped.bounds.exact().is_none());
}

#[test]
fn threads_and_small_tables_change_proofs_but_not_what_is_proved() {
    let rules: RuleSet = "kalah-stuck".parse().unwrap();
    for (threads, table_bytes) in [(1, 1 << 12), (2, 1 << 12), (7, 1 << 14)] {
        let solver = Solver::without_layers(rules, 3, Options { table_bytes, threads }).unwrap();
        let state = State::start(3, 4).unwrap();
        let proof = solver.certify(&state, None, &Limits::default()).unwrap().certificate.unwrap();
        assert_eq!(proof.value(), solver.solve(4, &Limits::default()).unwrap().exact());
        assert!(proof.check(None).is_ok());
    }
}

/// Games whose positions cannot come again, with every kind of end.
const RULES: [&str; 9] = [
    "kalah",
    "kalah-empty",
    "kalah-stuck",
    "kalah-empty-stuck",
    "kalah+leftover=none",
    "kalah-stuck+leftover=out",
    "kalah-empty+leftover=last",
    "dakon",
    "dakon+end=pass",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_positions(which in 0..RULES.len(), places in proptest::collection::vec(0usize..6, 1..=14), step in 1i16..=2) {
        let rules: RuleSet = RULES[which].parse().unwrap();
        let mut cells = [0; 6];
        places.into_iter().for_each(|place| cells[place] += 1);
        let position = Position::new(Row::from_pits(&cells[..3]), Row::from_pits(&cells[3..]));
        let solver = Solver::without_layers(rules, 3, OPTIONS).unwrap();
        let state = State::new(3, position);
        let proof = solver.certify(&state, None, &Limits::default()).unwrap().certificate.unwrap();
        prop_assert!(proof.check(None).is_ok(), "{:?}", proof.check(None));
        let value = proof.value().unwrap();
        prop_assert_eq!(Some(value), solver.analyse(&state, &Limits::default()).unwrap().exact());
        let game = rules.game(3).unwrap();
        for lemma in proof.lemmas() {
            prop_assert!(game.legal(lemma.position).contains(lemma.pit));
        }
        for bounds in [[value + Margin(step); 2], [value - Margin(step); 2]] {
            if bounds[0].0.unsigned_abs() <= position.seeds() as u16 {
                prop_assert!(with(&proof, bounds, 0, proof.lemmas().to_vec()).check(None).is_err());
            }
        }
        // Every lemma is needed.
        for number in 0..proof.lemmas().len().min(20) {
            let mut fewer = proof.lemmas().to_vec();
            fewer.remove(number);
            prop_assert!(with(&proof, [value; 2], 0, fewer).check(None).is_err());
        }
    }
}
