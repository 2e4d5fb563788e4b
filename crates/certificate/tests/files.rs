//! Files of proofs: written whole or not at all, read as they say they are, and every piece of long work can be stopped.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_brute_force::Minimax;
use kalah_certificate::{Certificate, CertificateError, Lemma, Refusal};
use kalah_rules::{Margin, Position, Row, RuleSet, State};
use std::cell::Cell;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The proof of a small start, with a lemma for every position that play can reach.
fn proof() -> Certificate {
    let root = State::start(3, 2).unwrap().position();
    let game = RuleSet::default().game(3).unwrap();
    let mut minimax = Minimax::new(game);
    let value = minimax.value(root);
    let mut again = Minimax::new(game);
    let lemma = |(position, window)| Lemma { position, window, pit: again.best_pits(position)[0] };
    let lemmas = minimax.into_values().into_iter().map(lemma).collect();
    Certificate::new(RuleSet::default(), 3, root, [value; 2], 0, lemmas).unwrap()
}

/// The bytes of a proof whose only lemma is written as `lemma`, everything else sound.
fn with_body(lemma: &[u8]) -> Vec<u8> {
    let root = Position::new(Row::from_pits(&[0, 1]), Row::from_pits(&[2, 0]));
    let lemmas = vec![Lemma { position: root, window: Margin(-1), pit: 2 }];
    let sound = Certificate::new(RuleSet::default(), 2, root, [Margin(-1); 2], 0, lemmas).unwrap().to_bytes();
    let mut bytes = sound[..64 + "kalah".len()].to_vec();
    bytes[16..24].copy_from_slice(&(lemma.len() as u64).to_le_bytes());
    bytes.extend(lemma);
    let check = xxh3_64(&bytes);
    bytes.extend(check.to_le_bytes());
    bytes
}

#[test]
fn numbers_have_one_form() {
    let root = Position::new(Row::from_pits(&[0, 1]), Row::from_pits(&[2, 0]));
    let lemmas = vec![Lemma { position: root, window: Margin(-1), pit: 2 }];
    let sound = Certificate::new(RuleSet::default(), 2, root, [Margin(-1); 2], 0, lemmas).unwrap().to_bytes();
    let body = &sound[69..sound.len() - 8];
    let [number, what] = body else { panic!("{body:?}") };
    assert_eq!(with_body(body), sound);
    // The same numbers with a byte of nothing behind them, and with more bits than a number can have.
    let mut long = vec![0x80; 17];
    long.push(0x7f);
    for body in [&[number | 0x80, 0, *what][..], &[*number, what | 0x80, 0x80, 0], &[*number, what | 0x80], &long] {
        let error = Certificate::from_bytes(&with_body(body), Path::new("proof")).unwrap_err();
        assert!(error.to_string().contains("lemma 1 cannot be read"), "{body:?}: {error}");
    }
}

#[test]
fn numbers_of_large_boards_have_more_than_64_bits() {
    // 111 seeds on eight pits a side: the largest numbers take ten bytes of seven bits.
    let root = Position::new(Row::from_pits(&[0; 8]), Row::from_pits(&[8, 13, 15, 15, 15, 15, 15, 15]));
    let rules: RuleSet = "kalah-stuck".parse().unwrap();
    let other = root.flipped();
    let lemmas = vec![Lemma { position: other, window: Margin(-111), pit: 8 }];
    let large = Certificate::new(rules, 8, other, [Margin(-111), Margin(111)], 0, lemmas).unwrap();
    let lemmas = vec![Lemma { position: root, window: Margin(-111), pit: 8 }];
    let larger = Certificate::new(rules, 8, root, [Margin(-111), Margin(111)], 0, lemmas).unwrap();
    let bytes = [&large, &larger].map(kalah_certificate::Certificate::to_bytes);
    let head = 64 + "kalah-stuck".len() + 8;
    assert_eq!(bytes.each_ref().map(|bytes| bytes.len() - head).into_iter().max(), Some(11), "ten and one");
    for (bytes, proof) in bytes.iter().zip([large, larger]) {
        assert_eq!(Certificate::from_bytes(bytes, Path::new("proof")).unwrap(), proof);
    }
}

#[test]
fn a_proof_relies_on_128_layers_at_most() {
    let root = State::start(3, 2).unwrap().position();
    let with = |layers| Certificate::new(RuleSet::default(), 3, root, [Margin(-12), Margin(12)], layers, Vec::new());
    assert!(with(128).is_ok());
    let error = with(129).unwrap_err();
    assert!(error.to_string().contains("128 layers at most, found 129"), "{error}");
}

#[test]
fn stopped_work_leaves_no_trace() {
    let proof = proof();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("proof");
    std::fs::write(&file, "earlier").unwrap();
    let asked = Cell::new(0);
    let going = |most: u32| {
        asked.set(0);
        let asked = &asked;
        move |done: u64, all: u64| {
            assert!(done <= all);
            asked.replace(asked.get() + 1) < most
        }
    };
    let error = proof.write_while(&file, &going(0)).unwrap_err();
    assert!(matches!(error, CertificateError::Stopped) && asked.get() == 1, "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "earlier");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);

    proof.write(&file).unwrap();
    assert_eq!(Certificate::read(&file).unwrap(), proof);
    let mut most = 0;
    while let Err(error) = Certificate::read_while(&file, &going(most)) {
        assert!(matches!(error, CertificateError::Stopped), "{error}");
        most += 1;
    }
    assert!(most >= 4, "hashed, read, ordered: asked {most} times");
    let lemmas = proof.lemmas().len() as u32;
    assert!(proof.check_while(None, &going(u32::MAX)).is_ok());
    assert!(asked.get() >= lemmas / 16, "{} questions for {lemmas} lemmas", asked.get());
    for most in [0, 1, lemmas / 16] {
        assert!(matches!(proof.check_while(None, &going(most)), Err(Refusal::Stopped)), "{most}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_left_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("proof");
    std::fs::write(&file, "earlier").unwrap();
    // Where the temporary file should be lies a directory.
    std::fs::create_dir(directory.path().join("proof.new")).unwrap();
    let error = proof().write(&file).unwrap_err();
    assert!(matches!(&error, CertificateError::Io { file: named, .. } if *named == file), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "earlier");
}

#[test]
fn only_regular_files_are_read() {
    let directory = tempfile::tempdir().unwrap();
    for path in [directory.path(), Path::new("/dev/zero")] {
        let error = Certificate::read(path).unwrap_err();
        assert!(matches!(error, CertificateError::NotAFile { .. }), "{error}");
    }
}

#[test]
fn boards_are_shown_as_boards() {
    let root = State::start(3, 2).unwrap().position();
    let lemmas = vec![Lemma { position: root, window: Margin(99), pit: 1 }];
    let error = Certificate::new(RuleSet::default(), 3, root, [Margin(0); 2], 0, lemmas).unwrap_err();
    assert!(error.to_string().contains("<3,0,0,2,2,2,2,2,2>") && !error.to_string().contains("Position"), "{error}");
    assert!(!error.help().is_empty());
}

#[test]
fn the_format_page_shows_a_file_byte_for_byte() {
    let root = Position::new(Row::from_pits(&[0, 1]), Row::from_pits(&[2, 0]));
    let lemmas = vec![Lemma { position: root, window: Margin(-1), pit: 2 }];
    let bytes = Certificate::new(RuleSet::default(), 2, root, [Margin(-1); 2], 0, lemmas).unwrap().to_bytes();
    let line = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = bytes.chunks(16).map(line).collect();
    let page = include_str!("../FORMAT.md");
    assert!(page.contains(&lines.join("\n")), "FORMAT.md should show\n{}", lines.join("\n"));
}
