//! Inputs as people and the program write them, and mutants of inputs.

use crate::exercise::journal_title;
use kalah::database::Journal;
use kalah::split::{TaskResult, WorkList};
use kalah::{Bounds, Proof, Record, Stats};
use kalah_brute_force::Minimax;
use kalah_certificate::{Certificate, Lemma};
use kalah_rules::{Margin, Position, RuleSet, State};
use std::fs;

/// Named inputs of one target, each of which is accepted. Layer files are written by the tests of `kalah-database`.
pub(crate) fn real(target: &str) -> Vec<(String, Vec<u8>)> {
    match target {
        "certificate" => ["kalah", "kalah-empty-stuck+leftover=none", "dakon"].map(certificate).into(),
        "journal" => vec![("three_lines".to_owned(), journal())],
        "position" => texts(&POSITIONS),
        "record" => ["kalah", "kalah-empty+leftover=none"].map(record).into(),
        "rule_set" => texts(&RULE_SETS),
        "work_list" => ["kalah", "kalah-empty", "dakon"].into_iter().flat_map(lists).collect(),
        _ => Vec::new(),
    }
}

const POSITIONS: [&str; 12] = [
    "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
    "<3,4,1,2,0,1,1,0,3> N",
    "<6,22,23,0,0,0,0,1,0,0,0,0,0,0,2>",
    "<1,0,0,1,0>",
    "<8,0,0,31,32,0,0,0,0,0,0,0,0,0,0,0,0,0,1>",
    "<3,0,0,0,0,0,0,0,0>",
    "start:6x4",
    "start:8x15",
    "0-0-0-0-0-1-1-0-0-0-0-0-24-22-S",
    "3-6-1",
    "<6, 0, 0, 4,4,4,4,4,4, 4,4,4,4,4,4> S",
    "[4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]",
];

const RULE_SETS: [&str; 12] = [
    "kalah",
    "kalah-empty",
    "kalah-stuck+pie",
    "kalah-empty-stuck+leftover=none",
    "kalah+leftover=out+pie",
    "oware+slam=takes+cycle=split",
    "awari+full=skipped",
    "awari+cycle=own",
    "dakon+end=pass",
    "congkak+alone=bank",
    "avalanche+pie",
    "kalah+end=pass",
];

fn texts(texts: &[&str]) -> Vec<(String, Vec<u8>)> {
    let named = texts.iter().enumerate().map(|(index, text)| (format!("text_{}", index + 1), text.as_bytes().to_vec()));
    named.collect()
}

fn start(pits: u8, seeds: u32) -> State {
    State::start(pits, seeds).unwrap()
}

/// A proof of the value of the start with two pits and two seeds in each.
fn certificate(rules: &str) -> (String, Vec<u8>) {
    let parsed: RuleSet = rules.parse().unwrap();
    let (game, root) = (parsed.game(2).unwrap(), start(2, 2).position());
    let mut minimax = Minimax::new(game);
    let value = minimax.value(root);
    let mut again = Minimax::new(game);
    let lemma = |(position, window)| Lemma { position, window, pit: again.best_pits(position)[0] };
    let lemmas = minimax.into_values().into_iter().map(lemma).collect();
    let certificate = Certificate::new(parsed, 2, root, [value; 2], 0, lemmas).unwrap();
    certificate.check(None).unwrap();
    (format!("proof_{rules}"), certificate.to_bytes())
}

fn journal() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let (mut journal, _) = Journal::open(&path, journal_title()).unwrap();
    ["first", "", "a line with ümlauts; and \"quotes\""].iter().for_each(|line| journal.append(line).unwrap());
    drop(journal);
    fs::read(path).unwrap()
}

/// A record of a small start whose proofs are true.
fn record(rules: &str) -> (String, Vec<u8>) {
    let parsed: RuleSet = rules.parse().unwrap();
    let position = start(2, 2).position();
    let mut minimax = Minimax::new(parsed.game(2).unwrap());
    let exactly = |value| Bounds { lower: value, upper: value };
    let (value, pits) = (minimax.value(position), minimax.best_pits(position));
    let moves = pits.iter().map(|&pit| (pit, exactly(value))).collect();
    let proof = |(position, value): (Position, Margin)| Proof { position, bounds: exactly(value), pit: None, work: 3 };
    let record = Record {
        rules: parsed,
        pits: 2,
        position,
        bounds: exactly(value),
        moves,
        line: None,
        stats: Stats::default(),
        seconds: 0.25,
        layers: None,
        threads: 1,
        program: "0".to_owned(),
        proofs: minimax.into_values().into_iter().map(proof).collect(),
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("record");
    record.save(&path).unwrap();
    (format!("record_{rules}"), fs::read(path).unwrap())
}

/// A work list and results of it.
fn lists(rules: &str) -> [(String, Vec<u8>); 2] {
    let parsed: RuleSet = rules.parse().unwrap();
    let list = WorkList::split(parsed, &start(3, 2), Margin(1), 5, None).unwrap();
    let mut minimax = Minimax::new(parsed.game(3).unwrap());
    let results = list.tasks().iter().map(|task| {
        let value = minimax.value(task.state.position());
        let result = TaskResult {
            id: task.id,
            state: task.state,
            window: task.window,
            bounds: Bounds { lower: value, upper: value },
            nodes: 7,
            seconds: 0.5,
            rules_hash: kalah::hash_text(&parsed),
            version: "0".to_owned(),
        };
        result.to_line() + "\n"
    });
    [
        (format!("results_{rules}"), results.collect::<String>().into_bytes()),
        (format!("list_{rules}"), list.to_text().into_bytes()),
    ]
}

/// Changes inputs in ways that look random and are the same in every run.
pub(crate) struct Mutator(u64);

impl Mutator {
    /// A source of changes that depends on a name only.
    pub(crate) fn new(name: &str) -> Mutator {
        Mutator(xxhash_rust::xxh3::xxh3_64(name.as_bytes()) | 1)
    }

    /// A number from 0 to `end` − 1; 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    fn part(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(bytes.len() + 1);
        from..from + self.below((bytes.len() - from).min(24) + 1)
    }

    /// One to three changes; `other` lends parts.
    pub(crate) fn mutate(&mut self, bytes: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let place = self.part(&bytes);
            let one = place.start.min(bytes.len().saturating_sub(1));
            match self.below(6) {
                _ if bytes.is_empty() => bytes.extend_from_slice(&other[..other.len().min(8)]),
                0 => bytes[one] ^= 1 << self.below(8),
                1 => bytes[one] = [0, 1, 0x7f, 0x80, 0xff, b'0', b'9', b'-', b'\n', b',', b'"', b' '][self.below(12)],
                2 => drop(bytes.drain(place)),
                3 => {
                    let part = self.part(other);
                    bytes.splice(place, other[part].iter().copied());
                }
                4 => {
                    let number = [0, 1, 255, 256, 65_535, 1 << 32, u64::MAX][self.below(7)];
                    number.to_le_bytes().iter().zip(&mut bytes[one..]).for_each(|(new, old)| *old = *new);
                }
                _ => bytes.truncate(one),
            }
        }
        bytes
    }
}
