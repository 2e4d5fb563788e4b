//! Statistics, checksums and comparisons of whole layers against plain counting, position by position.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::database::{Access, Codec, Database, DirectoryLock, Encoding, LayerWriter, Parity};
use kalah::retrograde::{BuildOptions, Unwatched, build, stamp};
use kalah_rules::{Position, Row, RuleSet, SowingGame, State};
use kalah_study::{compare_layers, layer_checksums, layer_statistics};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

const RULES: [&str; 5] = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck", "kalah+leftover=none"];

fn database(directory: &Path, rules: &RuleSet, pits: u8, seeds: u32) -> Database {
    build(directory, rules, pits, seeds, &BuildOptions::default(), &Unwatched).unwrap();
    Database::open_with(directory, &stamp(rules, pits), Access::Map).unwrap()
}

/// Writes all layers anew with some values changed.
fn altered(from: &Database, directory: &Path, seeds: u32, changes: &[(u64, i8)]) {
    let lock = DirectoryLock::acquire(directory).unwrap();
    let file = from.layer(seeds).unwrap();
    let mut values = vec![0; file.header().positions as usize];
    file.read(0, &mut values).unwrap();
    for &(rank, change) in changes {
        values[rank as usize] += change;
    }
    let encoding = Encoding { parity: Parity::Known, codec: Codec::Raw };
    let writer = LayerWriter::create(&lock, from.stamp(), seeds, encoding).unwrap();
    writer.write(0, &values).unwrap();
    writer.finish().unwrap();
}

#[test]
fn statistics_are_what_counting_gives() {
    for rules in RULES {
        let rules: RuleSet = rules.parse().unwrap();
        for (pits, seeds) in [(1, 20), (2, 12), (3, 9), (6, 5)] {
            let directory = tempfile::tempdir().unwrap();
            let database = database(directory.path(), &rules, pits, seeds);
            let game = rules.game(pits).unwrap();
            for n in 0..=seeds {
                let file = database.layer(n).unwrap();
                let done = AtomicU64::new(0);
                let count = |more| {
                    done.fetch_add(more, Ordering::Relaxed);
                    true
                };
                let found = layer_statistics(&rules, file, &count).unwrap().unwrap();
                assert_eq!(done.into_inner(), found.positions);

                let mut all: BTreeMap<i16, (u64, u64)> = BTreeMap::new();
                let mut playing: BTreeMap<i16, Vec<State>> = BTreeMap::new();
                for rank in 0..file.header().positions {
                    let (mover, opponent) = file.layer().unrank(rank);
                    let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                    let value = i16::from(file.value(rank).unwrap());
                    let entry = all.entry(value).or_default();
                    entry.0 += 1;
                    match game.over(position) {
                        Some(margin) => {
                            assert_eq!(margin.0, value);
                            entry.1 += 1;
                        }
                        None => playing.entry(value).or_default().push(State::new(pits, position)),
                    }
                }
                let name = format!("{rules}, {pits} pits, {n} seeds");
                let values: BTreeMap<i16, (u64, u64)> =
                    found.values.iter().map(|count| (count.value.0, (count.positions, count.over))).collect();
                assert_eq!(values, all, "{name}");
                let sum = |wanted: fn(i16) -> bool| -> u64 {
                    all.iter().filter(|(value, _)| wanted(**value)).map(|(_, counts)| counts.0).sum()
                };
                assert_eq!(found.positions, file.header().positions, "{name}");
                assert_eq!(found.over, all.values().map(|counts| counts.1).sum::<u64>(), "{name}");
                assert_eq!(
                    (found.wins, found.draws, found.losses),
                    (sum(|value| value > 0), sum(|value| value == 0), sum(|value| value < 0)),
                    "{name}"
                );
                let total: i64 = all.iter().map(|(&value, counts)| i64::from(value) * counts.0 as i64).sum();
                assert!((found.mean * found.positions as f64 - total as f64).abs() < 1e-6, "{name}: {}", found.mean);
                for (extreme, expected) in
                    [(found.lowest, playing.first_key_value()), (found.highest, playing.last_key_value())]
                {
                    let found = extreme.map(|extreme| (extreme.value.0, extreme.positions, extreme.example));
                    let expected = expected.map(|(value, states)| (*value, states.len() as u64, states[0]));
                    assert_eq!(found, expected, "{name}");
                }
            }
        }
    }
}

#[test]
fn large_layers_are_cut_without_loss() {
    // The middle section of layer 16 has more positions than one piece.
    let directory = tempfile::tempdir().unwrap();
    let rules = RuleSet::default();
    let database = database(directory.path(), &rules, 6, 16);
    let file = database.layer(16).unwrap();
    let found = layer_statistics(&rules, file, &|_| true).unwrap().unwrap();
    let values = file.raw().unwrap();
    for count in &found.values {
        let plain = values.iter().filter(|&&value| i16::from(value) == count.value.0).count();
        assert_eq!(plain as u64, count.positions);
    }
    for extreme in [found.lowest.unwrap(), found.highest.unwrap()] {
        let position = extreme.example.position();
        let rank = file.layer().rank(position.mover.bits(), position.opponent.bits());
        assert_eq!(i16::from(values[rank as usize]), extreme.value.0);
    }
    // Under these rules a game is over exactly when a row is empty.
    assert_eq!(found.over, 2 * 20_349);
    let same = compare_layers(file, file, &|_| true).unwrap().unwrap();
    assert_eq!((same.positions, same.different, same.first), (13_037_895, 0, None));
}

#[test]
fn a_run_stops_when_asked() {
    let directory = tempfile::tempdir().unwrap();
    let rules = RuleSet::default();
    let database = database(directory.path(), &rules, 3, 6);
    let file = database.layer(6).unwrap();
    assert_eq!(layer_statistics(&rules, file, &|_| false).unwrap(), None);
    assert_eq!(compare_layers(file, file, &|_| false).unwrap(), None);
    assert_eq!(layer_checksums(&database, 0..=6, &|_| false).unwrap(), None);
}

#[test]
fn the_first_difference_is_named_and_all_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let rules = RuleSet::default();
    let database = database(directory.path(), &rules, 3, 6);
    let file = database.layer(6).unwrap();
    let flip = |rank: u64| if file.value(rank).unwrap() > 0 { -2 } else { 2 };
    let last = file.header().positions - 1;
    for changes in [vec![17], vec![0, 5, 300], vec![last], vec![100, last]] {
        let other = tempfile::tempdir().unwrap();
        altered(&database, other.path(), 6, &changes.iter().map(|&rank| (rank, flip(rank))).collect::<Vec<_>>());
        let path = database.stamp().path(other.path(), 6);
        let changed = kalah::database::LayerFile::open(&path, database.stamp(), 6).unwrap();
        let found = compare_layers(file, &changed, &|_| true).unwrap().unwrap();
        assert_eq!(found.different, changes.len() as u64);
        let first = found.first.unwrap();
        let (mover, opponent) = file.layer().unrank(changes[0]);
        assert_eq!(first.rank, changes[0]);
        assert_eq!(first.position.position(), Position::new(Row::from_bits(mover), Row::from_bits(opponent)));
        let stored = |file: &kalah::database::LayerFile| i16::from(file.value(changes[0]).unwrap());
        assert_eq!((first.here.0, first.there.0), (stored(file), stored(&changed)));
    }
}

#[test]
fn checksums_are_sha256_of_the_values_alone() {
    let directory = tempfile::tempdir().unwrap();
    let database = database(directory.path(), &RuleSet::default(), 1, 2);
    let lines: Vec<String> =
        layer_checksums(&database, 0..=2, &|_| true).unwrap().unwrap().iter().map(ToString::to_string).collect();
    // By hand: no seeds: 0; one seed: the opponent's, the mover's; two seeds: (0, 2), (1, 1), (2, 0). With one pit each the
    // only move of (1, 1) banks the seed and ends the game: 1 − 1 = 0.
    let values: [&[u8]; 3] = [&[0], &[0xff, 1], &[0xfe, 0, 2]];
    for (n, values) in values.iter().enumerate() {
        let raw: Vec<u8> = database.layer(n as u32).unwrap().raw().unwrap().iter().map(|&value| value as u8).collect();
        assert_eq!(raw, *values, "{n} seeds");
    }
    // printf '\0' | sha256sum, printf '\xff\x01' | sha256sum, printf '\xfe\0\x02' | sha256sum
    assert_eq!(
        lines,
        [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d  kalah_1_0.values",
            "437cb43a30226e639b33d84533cfc3ddd970a40055b9c8c0bf7e3795cf184eb6  kalah_1_1.values",
            "9eccc862dc7d2c41a03f7b6cd9ac830bb3a864fdac911b7f6f803d24cc0025ec  kalah_1_2.values",
        ]
    );
}
