//! Every input of the fuzzer's corpora, and mutants of each, go through what the fuzzer does; so do files written just now.
//!
//! `KALAH_FUZZ_ROUNDS=10000 cargo test -p kalah --test corpus` makes more mutants. The ignored test writes the
//! files of `inputs` into the corpora; run it when a format gains something that the corpora lack.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../../fuzz/exercise/mod.rs"]
mod exercise;
mod inputs;

use exercise::{TARGETS, exercise};
use inputs::{Mutator, real};
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

/// The files of a corpus, by name.
fn committed(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(corpus(target)).unwrap_or_else(|error| panic!("the corpus of {target}: {error}"));
    let file = |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
    let mut files: Vec<_> = entries.map(|entry| file(entry.unwrap().path())).collect();
    files.sort();
    files
}

/// Exercises one input; one that fails is kept as a file whose name the message has.
fn run(target: &str, name: &str, bytes: &[u8]) {
    if let Err(panic) = catch_unwind(|| exercise(target, bytes)) {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("crash-{target}-{name}"));
        fs::write(&kept, bytes).unwrap();
        eprintln!("{target}, {name}: the input is kept in {}", kept.display());
        std::panic::resume_unwind(panic);
    }
}

#[test]
#[ignore = "writes into the corpora; run with: cargo test -p kalah --test corpus -- --ignored"]
fn update_the_corpora() {
    for (target, _) in TARGETS {
        fs::create_dir_all(corpus(target)).unwrap();
        let real = real(target);
        let mut mutator = Mutator::new(target);
        let mut mutant = |number: usize| {
            let (_, bytes) = &real[number % real.len()];
            (format!("mutant_{number}"), mutator.mutate(bytes, &real[0].1))
        };
        let mutants: Vec<_> = (0..if real.is_empty() { 0 } else { 10 }).map(&mut mutant).collect();
        for (name, bytes) in real.iter().chain(&mutants) {
            fs::write(corpus(target).join(name), bytes).unwrap();
        }
    }
}

#[test]
fn every_target_has_a_corpus_and_a_program() {
    let folders = |place: &str| {
        let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(place)).unwrap();
        let names = entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let targets = TARGETS.map(|(name, _)| name);
    assert_eq!(folders("corpus"), targets);
    assert_eq!(folders("fuzz_targets"), targets);
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/Cargo.toml")).unwrap();
    for target in targets {
        assert!(manifest.contains(&format!("name = \"{target}\"\npath = \"fuzz_targets/{target}.rs\"")), "{target}");
    }
}

#[test]
fn corpora_go_through() {
    for (target, _) in TARGETS {
        let files = committed(target);
        assert!(files.len() >= 10, "{target} has {} files", files.len());
        for (name, bytes) in files.iter().chain(&real(target)) {
            run(target, name, bytes);
        }
    }
}

#[test]
fn mutants_go_through() {
    let rounds = std::env::var("KALAH_FUZZ_ROUNDS").map_or(100, |rounds| rounds.parse().expect("a number of rounds"));
    for (target, _) in TARGETS {
        let files = [committed(target), real(target)].concat();
        let mut mutator = Mutator::new(target);
        for (name, bytes) in &files {
            for round in 0..rounds {
                let (_, other) = &files[mutator.below(files.len())];
                run(target, &format!("{name}-{round}"), &mutator.mutate(bytes, other));
            }
        }
    }
}
