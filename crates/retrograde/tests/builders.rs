//! The builders against plain minimax, against each other, with any number of threads, and after interruptions.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_brute_force::Minimax;
use kalah_database::Codec;
use kalah_index::Layer;
use kalah_retrograde::sweep::{self, Pair, Tables};
use kalah_retrograde::{
    BuildError, BuildOptions, Builder, LayerReport, LayersInMemory, Observer, Unwatched, build, plan, reference, stamp,
    verify_values,
};
use kalah_rules::{Game, Kalah, Position, Row, RuleSet};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// All rule sets of Kalah that a database can be for.
fn rule_sets() -> impl Iterator<Item = RuleSet> {
    let presets = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];
    let leftovers = ["", "+leftover=out", "+leftover=last", "+leftover=none"];
    presets.into_iter().flat_map(move |preset| leftovers.map(|leftover| format!("{preset}{leftover}").parse().unwrap()))
}

fn kalah(rules: &RuleSet, pits: u8) -> Kalah {
    let Game::Kalah(kalah) = rules.game(pits).unwrap() else { panic!("{rules} is not Kalah") };
    kalah
}

/// Every file of a directory by name, manifest and lock left out.
fn files(directory: &Path) -> HashMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    named
        .filter(|(name, _)| name.ends_with(".layer"))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect()
}

#[test]
fn sweep_equals_reference() {
    for rules in rule_sets() {
        for (pits, seeds) in [(1, 30), (2, 24), (3, 13), (4, 9), (5, 7), (6, 6), (7, 5), (8, 4)] {
            let kalah = kalah(&rules, pits);
            let tables = Tables::new(kalah);
            let mut lower = LayersInMemory::default();
            for n in 0..=seeds {
                let layer = Layer::new(pits, n).unwrap();
                let plain = reference::build_layer(&kalah, &layer, &lower, &|_| true).unwrap();
                let swept = sweep::build_layer(&tables, &layer, &lower);
                let place = plain.iter().zip(&swept).position(|(plain, swept)| plain != swept);
                assert_eq!(place, None, "{rules}, {pits} pits, {n} seeds");
                lower.push(layer, plain);
            }
        }
    }
}

#[test]
fn both_builders_equal_minimax_on_every_position() {
    for rules in rule_sets() {
        for (pits, seeds) in [(1, 12), (2, 9), (3, 7), (4, 5), (6, 4), (8, 3)] {
            let game = kalah(&rules, pits);
            let tables = Tables::new(game);
            let (mut minimax, mut lower) = (Minimax::new(game), LayersInMemory::default());
            for n in 0..=seeds {
                let layer = Layer::new(pits, n).unwrap();
                let plain = reference::build_layer(&game, &layer, &lower, &|_| true).unwrap();
                let swept = sweep::build_layer(&tables, &layer, &lower);
                for rank in 0..layer.positions() {
                    let (mover, opponent) = layer.unrank(rank);
                    let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
                    let value = minimax.value(position).0;
                    let built = (i16::from(plain[rank as usize]), i16::from(swept[rank as usize]));
                    assert_eq!(built, (value, value), "{rules} {position:?}");
                }
                lower.push(layer, swept);
            }
        }
    }
}

#[test]
fn any_number_of_threads_and_lanes_writes_the_same_bytes() {
    for (rules, codec) in [("kalah", Codec::Raw), ("kalah-empty-stuck+leftover=none", Codec::Raw)] {
        let rules: RuleSet = rules.parse().unwrap();
        let mut expected = None;
        for builder in [Builder::Sweep, Builder::Reference] {
            for threads in [1, 2, 7] {
                let directory = tempfile::tempdir().unwrap();
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                // Seven threads get the memory of one pair only.
                let memory = (threads == 7 && builder == Builder::Sweep)
                    .then(|| {
                        plan(
                            &RuleSet::default(),
                            6,
                            12,
                            0,
                            &BuildOptions { memory: Some(0), ..BuildOptions::default() },
                            7,
                        )
                        .unwrap()
                    })
                    .map(|plan| plan.memory_bytes);
                let options = BuildOptions { builder, codec, memory, ..BuildOptions::default() };
                pool.install(|| build(directory.path(), &rules, 6, 12, &options, &Unwatched)).unwrap();
                let found = files(directory.path());
                assert_eq!(found.len(), 13);
                assert!(
                    expected.get_or_insert_with(|| found.clone()) == &found,
                    "{rules} {builder:?} {threads} threads"
                );
            }
        }
    }
}

#[test]
fn a_pair_asks_at_every_line_whether_to_go_on() {
    let game = kalah(&RuleSet::default(), 6);
    let (tables, mut lower) = (Tables::new(game), LayersInMemory::default());
    for seeds in 0..9 {
        let layer = Layer::new(6, seeds).unwrap();
        let values = sweep::build_layer(&tables, &layer, &lower);
        lower.push(layer, values);
    }
    let asked = AtomicU32::new(0);
    let solve = |most: u32| {
        asked.store(0, Ordering::SeqCst);
        Pair::solve(&tables, &lower, 4, 5, &|| asked.fetch_add(1, Ordering::SeqCst) < most)
    };
    assert!(solve(u32::MAX).is_some());
    // 126 rows of four seeds, and some lines of tiles.
    let all = asked.load(Ordering::SeqCst);
    assert!(all > 126, "asked {all} times");
    for most in [0, 1, 20, all / 2, all - 1] {
        assert!(solve(most).is_none(), "a pair after {most} of {all} questions");
        let asked = asked.load(Ordering::SeqCst) as usize;
        assert!(asked <= most as usize + 1 + rayon::current_num_threads(), "{asked} questions, no after {most}");
    }
    // What was left half done does no harm.
    assert_eq!(sweep::build_layer(&tables, &Layer::new(6, 9).unwrap(), &lower), {
        let fresh = Tables::new(game);
        sweep::build_layer(&fresh, &Layer::new(6, 9).unwrap(), &lower)
    });
}

/// Asks to stop at the given question.
struct StopAt(AtomicU32);

impl Observer for StopAt {
    fn should_stop(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

#[test]
fn a_stopped_build_goes_on_to_the_same_bytes() {
    let rules = RuleSet::default();
    let whole = tempfile::tempdir().unwrap();
    build(whole.path(), &rules, 4, 10, &BuildOptions::default(), &Unwatched).unwrap();
    let stopped = tempfile::tempdir().unwrap();
    let mut stops = 0;
    for questions in [0, 3, 5, 100, 7, 200, 11, 300, 2] {
        let observer = StopAt(AtomicU32::new(questions));
        match build(stopped.path(), &rules, 4, 10, &BuildOptions::default(), &observer) {
            Err(BuildError::Stopped) => stops += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(stops, 9);
    let report = build(stopped.path(), &rules, 4, 10, &BuildOptions::default(), &Unwatched).unwrap();
    assert!(report.present > 2, "nothing was kept");
    assert!(files(whole.path()) == files(stopped.path()));
}

#[test]
fn too_little_memory_is_refused_before_anything_is_built() {
    let directory = tempfile::tempdir().unwrap();
    let options = BuildOptions { memory: Some(1 << 20), ..BuildOptions::default() };
    let error = build(directory.path(), &RuleSet::default(), 6, 12, &options, &Unwatched).unwrap_err();
    assert!(matches!(error, BuildError::Memory { limit: 1_048_576, .. }), "{error}");
    assert!(files(directory.path()).is_empty());
}

/// Remembers the most memory a build has reported.
#[derive(Default)]
struct Memory(std::sync::Mutex<u64>);

impl Observer for Memory {
    fn layer_finished(&self, layer: &LayerReport) {
        let mut most = self.0.lock().unwrap();
        *most = layer.memory_bytes.max(*most);
    }
}

#[test]
fn a_build_takes_no_more_memory_than_planned() {
    for (rules, pits, seeds, threads) in [
        ("kalah", 6, 14, 1),
        ("kalah", 6, 14, 2),
        ("kalah", 6, 13, 7),
        ("kalah", 3, 30, 2),
        ("kalah", 8, 8, 2),
        ("awari", 6, 10, 1),
        ("awari", 6, 9, 7),
        ("awari", 2, 40, 2),
        ("oware+slam=takes+cycle=split", 8, 6, 2),
        ("awari+full=skipped", 3, 8, 2),
        ("dakon", 4, 9, 2),
    ] {
        let rules: RuleSet = rules.parse().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let memory = Memory::default();
        let options = BuildOptions::default();
        let planned = plan(&rules, pits, seeds, 0, &options, threads).unwrap();
        pool.install(|| build(directory.path(), &rules, pits, seeds, &options, &memory)).unwrap();
        let taken = *memory.0.lock().unwrap();
        assert!(
            taken > 0 && taken <= planned.memory_bytes,
            "{rules}, {pits} pits, {seeds} seeds: {taken}, {planned:?}"
        );
        if rules.to_string().starts_with("awari") && pits == 6 {
            // The plan knows the game: no matrices of pairs of sections.
            assert!(planned.memory_bytes < 4 * taken, "{rules}, {seeds} seeds: {taken}, {planned:?}");
        }
    }
}

#[test]
fn a_wrong_value_is_found_by_deriving_it_again() {
    let rules = RuleSet::default();
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &rules, 3, 8, &BuildOptions::default(), &Unwatched).unwrap();
    let report = verify_values(directory.path(), &rules, 3, 0..=8, None, &Unwatched).unwrap();
    assert_eq!((report.wrong, report.checked), (0, (0..=8).map(|n| Layer::new(3, n).unwrap().positions()).sum()));
    // The last value of a layer lies at the end of its raw file; opening does not look at values.
    let path = stamp(&rules, 3).path(directory.path(), 5);
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 2;
    std::fs::write(&path, bytes).unwrap();
    let report = verify_values(directory.path(), &rules, 3, 0..=8, None, &Unwatched).unwrap();
    let rank = Layer::new(3, 5).unwrap().positions() - 1;
    assert!(report.examples.iter().any(|wrong| (wrong.seeds, wrong.rank) == (5, rank)), "{report:?}");
    let sampled = verify_values(directory.path(), &rules, 3, 0..=8, Some(50), &Unwatched).unwrap();
    assert!((50..70).contains(&sampled.checked), "{}", sampled.checked);
}

#[test]
fn nothing_is_built_on_a_damaged_layer() {
    let rules = RuleSet::default();
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &rules, 3, 6, &BuildOptions::default(), &Unwatched).unwrap();
    let path = stamp(&rules, 3).path(directory.path(), 5);
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 2;
    std::fs::write(&path, &bytes).unwrap();
    let error = build(directory.path(), &rules, 3, 7, &BuildOptions::default(), &Unwatched).unwrap_err();
    assert!(matches!(&error, BuildError::Database(error) if error.file() == Some(&path)), "{error}");
    assert!(!stamp(&rules, 3).path(directory.path(), 7).exists());
    bytes[last] ^= 2;
    std::fs::write(&path, &bytes).unwrap();
    build(directory.path(), &rules, 3, 7, &BuildOptions::default(), &Unwatched).unwrap();
}
