//! Proofs made from plain minimax values: true ones are accepted, falsified ones are not, damaged files are refused.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_brute_force::{Minimax, positions};
use kalah_certificate::{Certificate, CertificateError, Lemma, Refusal};
use kalah_database::{Codec, Database, DirectoryLock, Encoding, LayerWriter, Parity, Stamp};
use kalah_index::Layer;
use kalah_rules::{Game, Margin, Position, Row, RuleSet, SowingGame, State};
use proptest::prelude::*;
use std::path::Path;

/// Every Kalah preset, every kind of leftovers, and a game with relays and passes.
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

/// A lemma for every position that play from `root` can reach: its value and a move that keeps it.
fn lemmas(game: Game, root: Position) -> Vec<Lemma> {
    let mut minimax = Minimax::new(game);
    minimax.value(root);
    let mut again = Minimax::new(game);
    let lemma = |(position, window)| Lemma { position, window, pit: again.best_pits(position)[0] };
    minimax.into_values().into_iter().map(lemma).collect()
}

fn rules(text: &str) -> RuleSet {
    text.parse().unwrap()
}

/// The proof of the value of a position, and that value.
fn proof(text: &str, pits: u8, root: Position) -> (Certificate, Margin) {
    let game = rules(text).game(pits).unwrap();
    let value = Minimax::new(game).value(root);
    (Certificate::new(rules(text), pits, root, [value; 2], 0, lemmas(game, root)).unwrap(), value)
}

fn start(pits: u8, seeds: u32) -> Position {
    State::start(pits, seeds).unwrap().position()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn true_claims_hold_and_sharper_ones_do_not(which in 0..RULES.len(), root in positions(3, 10), step in 1i16..=2) {
        let (certificate, value) = proof(RULES[which], 3, root);
        prop_assert!(certificate.check(None).is_ok());
        let claim = |bounds| Certificate::new(rules(RULES[which]), 3, root, bounds, 0, certificate.lemmas().to_vec());
        // One bound alone, or a weaker one, needs no more than the same lemmas.
        let most = Margin(root.seeds() as i16);
        for bounds in [[-most, value], [value, most], [-most, most]] {
            prop_assert!(claim(bounds).unwrap().check(None).is_ok());
        }
        // The bounds cross or leave what is true; a claim of more seeds than there are cannot even be made.
        for bounds in [[value + Margin(step), most], [-most, value - Margin(step)]] {
            if let Ok(false_claim) = claim(bounds) {
                prop_assert!(false_claim.check(None).unwrap_err().is_refuted());
            }
        }
    }

    #[test]
    fn no_lemma_can_promise_more(which in 0..RULES.len(), root in positions(3, 8), place in any::<prop::sample::Index>()) {
        let (certificate, value) = proof(RULES[which], 3, root);
        prop_assume!(!certificate.lemmas().is_empty());
        let mut lemmas = certificate.lemmas().to_vec();
        place.get_mut(&mut lemmas).window.0 += 1;
        match Certificate::new(rules(RULES[which]), 3, root, [value; 2], 0, lemmas) {
            Ok(certificate) => prop_assert!(certificate.check(None).unwrap_err().is_refuted()),
            Err(error) => prop_assert!(matches!(error, CertificateError::Impossible { .. }), "{}", error),
        }
    }

    #[test]
    fn another_move_is_accepted_only_if_it_keeps_the_promise(root in positions(3, 8), place in any::<prop::sample::Index>(), pit in 1u8..=3) {
        let (certificate, value) = proof("kalah", 3, root);
        prop_assume!(!certificate.lemmas().is_empty());
        let mut lemmas = certificate.lemmas().to_vec();
        let changed = place.get_mut(&mut lemmas);
        changed.pit = pit;
        let game = rules("kalah").game(3).unwrap();
        let keeps = game.legal(changed.position).contains(pit)
            && Minimax::new(game).move_value(changed.position, pit) >= changed.window;
        let checked = Certificate::new(rules("kalah"), 3, root, [value; 2], 0, lemmas).unwrap().check(None);
        prop_assert_eq!(checked.is_ok(), keeps, "{:?}", checked);
    }

    #[test]
    fn files_come_back(which in 0..RULES.len(), root in positions(3, 9)) {
        let (certificate, _) = proof(RULES[which], 3, root);
        let bytes = certificate.to_bytes();
        prop_assert_eq!(Certificate::from_bytes(&bytes, Path::new("proof")).unwrap(), certificate);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), head in any::<bool>()) {
        let good = proof("kalah", 2, start(2, 2)).0.to_bytes();
        let bytes = if head { [&good[..64], &bytes].concat() } else { bytes };
        prop_assert!(Certificate::from_bytes(&bytes, Path::new("proof")).is_err());
        // Past the checksum too: whatever the fields then say, the answer is an error or a certificate.
        let mut bytes = bytes;
        if bytes.len() > 72 {
            let text = bytes.len() - 72;
            bytes[12..16].copy_from_slice(&5u32.to_le_bytes());
            bytes[16..24].copy_from_slice(&(text as u64).wrapping_sub(5).to_le_bytes());
            let end = bytes.len() - 8;
            let check = xxhash_rust::xxh3::xxh3_64(&bytes[..end]);
            bytes[end..].copy_from_slice(&check.to_le_bytes());
            let _ = Certificate::from_bytes(&bytes, Path::new("proof"));
        }
    }
}

/// Writes all layers below `layers` seeds by minimax.
fn build(directory: &Path, text: &str, pits: u8, layers: u32) -> Database {
    let rules = rules(text);
    let mut minimax = Minimax::new(rules.game(pits).unwrap());
    let stamp = Stamp { rules: rules.to_string(), rules_hash: rules.hash64(), pits };
    let lock = DirectoryLock::acquire(directory).unwrap();
    for layer in (0..layers).map(|seeds| Layer::new(pits, seeds).unwrap()) {
        let encoding = Encoding { parity: Parity::Known, codec: Codec::Raw };
        let writer = LayerWriter::create(&lock, &stamp, layer.seeds(), encoding).unwrap();
        let value = |rank| {
            let (mover, opponent) = layer.unrank(rank);
            minimax.value(Position::new(Row::from_bits(mover), Row::from_bits(opponent))).0 as i8
        };
        writer.write(0, &(0..layer.positions()).map(value).collect::<Vec<_>>()).unwrap();
        writer.finish().unwrap();
    }
    Database::open(directory, &stamp).unwrap()
}

#[test]
fn layers_stand_in_for_lemmas_and_must_be_the_right_ones() {
    let [own, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (database, foreign) = (build(own.path(), "kalah", 3, 7), build(other.path(), "kalah-empty", 3, 7));
    let (full, value) = proof("kalah", 3, start(3, 2));
    let large: Vec<Lemma> = full.lemmas().iter().copied().filter(|lemma| lemma.position.seeds() >= 6).collect();
    let with = |layers, lemmas: &[Lemma]| {
        Certificate::new(rules("kalah"), 3, full.root(), [value; 2], layers, lemmas.to_vec()).unwrap()
    };
    let checked = with(6, &large).check(Some(&database)).unwrap();
    assert_eq!(checked.lemmas, large.len() as u64);
    assert!(checked.probes > 0 && checked.replies > 0);
    // Layers that nobody relies on change nothing.
    assert!(full.check(Some(&database)).is_ok());
    assert!(matches!(with(5, &large).check(Some(&database)), Err(Refusal::Gap { .. })));
    let Err(refusal) = with(8, &large).check(Some(&database)) else { panic!("layer 7 is not there") };
    assert!(matches!(refusal, Refusal::MissingLayers { needed: 8, found: 7, .. }) && !refusal.is_refuted());
    assert!(matches!(with(6, &large).check(None), Err(Refusal::MissingLayers { found: 0, .. })));
    let refusal = with(6, &large).check(Some(&foreign)).unwrap_err();
    assert!(matches!(refusal, Refusal::OtherLayers { .. }) && !refusal.is_refuted());
    assert!(refusal.to_string().contains("kalah-empty"), "{refusal}");
}

#[test]
fn every_lemma_of_a_lean_proof_is_needed() {
    // Only what one side's chosen moves and all of the other's can reach.
    let (full, value) = proof("kalah", 2, start(2, 3));
    let certificate = |lemmas: Vec<Lemma>| {
        Certificate::new(rules("kalah"), 2, full.root(), [value; 2], 0, lemmas).unwrap().check(None)
    };
    let mut lean = full.lemmas().to_vec();
    let mut before = usize::MAX;
    // What rests on a lemma that is gone may go next.
    while lean.len() < before {
        before = lean.len();
        for place in (0..before).rev() {
            let mut fewer = lean.clone();
            fewer.remove(place);
            if certificate(fewer.clone()).is_ok() {
                lean = fewer;
            }
        }
    }
    assert_eq!(certificate(lean.clone()).unwrap().lemmas, lean.len() as u64);
    assert!(!lean.is_empty() && lean.len() < full.lemmas().len());
    for place in 0..lean.len() {
        let mut fewer = lean.clone();
        fewer.remove(place);
        assert!(certificate(fewer).unwrap_err().is_refuted());
    }
}

#[test]
fn damaged_files_are_told_apart() {
    let (certificate, _) = proof("kalah-empty", 3, start(3, 2));
    let bytes = certificate.to_bytes();
    let read = |bytes: &[u8]| Certificate::from_bytes(bytes, Path::new("some.proof"));
    assert_eq!(read(&bytes).unwrap(), certificate);
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).unwrap_err();
        assert!(matches!(error, CertificateError::Length { .. }), "{length}: {error}");
        assert!(error.to_string().contains("some.proof is cut short"), "{error}");
    }
    let error = read(&[&bytes[..], b"x"].concat()).unwrap_err();
    assert!(error.to_string().contains("too long"), "{error}");
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[place] ^= 1 << bit;
            let error = read(&bytes).unwrap_err();
            let expected = match place {
                0..8 => matches!(error, CertificateError::NotACertificate { .. }),
                8..12 => matches!(error, CertificateError::NewerVersion { .. } | CertificateError::Damaged { .. }),
                12..24 => matches!(error, CertificateError::Length { .. } | CertificateError::Damaged { .. }),
                _ => matches!(error, CertificateError::Damaged { .. }),
            };
            assert!(expected, "byte {place}: {error}");
        }
    }
    let error = read(b"a text that is no certificate").unwrap_err();
    assert!(error.to_string().contains("some.proof is no certificate"), "{error}");
}

#[test]
fn impossible_claims_are_not_made() {
    let root = start(3, 1);
    let good = Lemma { position: root, window: Margin(2), pit: 3 };
    let make = |rules: RuleSet, pits, bounds, layers, lemma| {
        Certificate::new(rules, pits, root, bounds, layers, vec![lemma]).map(|_| ())
    };
    let bounds = [Margin(-2), Margin(2)];
    assert!(make(rules("kalah"), 3, bounds, 4, good).is_ok());
    let beyond = Position::new(Row::from_pits(&[0, 0, 0, 1]), Row::EMPTY);
    for refused in [
        make(rules("kalah+pie"), 3, bounds, 4, good),
        make(rules("kalah"), 2, bounds, 4, good),
        make(rules("kalah"), 0, bounds, 4, good),
        make(rules("kalah"), 3, [Margin(2), Margin(0)], 4, good),
        make(rules("kalah"), 3, [Margin(0), Margin(8)], 4, good),
        make(rules("kalah"), 3, bounds, 300, good),
        make(rules("kalah"), 3, bounds, 4, Lemma { pit: 4, ..good }),
        make(rules("kalah"), 3, bounds, 4, Lemma { pit: 0, ..good }),
        make(rules("kalah"), 3, bounds, 4, Lemma { window: Margin(7), ..good }),
        make(rules("kalah"), 3, bounds, 4, Lemma { position: beyond, ..good }),
        make(rules("kalah"), 3, bounds, 4, Lemma { position: start(3, 2), ..good }),
    ] {
        assert!(matches!(refused, Err(CertificateError::Impossible { .. })));
    }
}

#[test]
fn games_with_cycles_prove_nothing() {
    let certificate = Certificate::new(rules("awari"), 6, start(6, 1), [Margin(-12), Margin(12)], 0, Vec::new());
    assert!(matches!(certificate.unwrap().check(None), Err(Refusal::Cyclic { .. })));
}
