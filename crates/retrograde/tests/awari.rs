//! The published exam of awari: the value histogram of every layer, to the last position.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_database::{Codec, DirectoryLock, Encoding, LayerWriter, Parity};
use kalah_index::Layer;
use kalah_retrograde::fixpoint::{RowTables, level_layer, plain_layer};
use kalah_retrograde::reference::Unfinished;
use kalah_retrograde::{
    BuildError, BuildOptions, Builder, LayersInMemory, Observer, SolvedLayers, Unwatched, build, stamp, verify_values,
};
use kalah_rules::{Game, Position, Row, RuleSet, SowingGame};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Lincke's histograms, value to positions, by layer.
fn published() -> BTreeMap<u32, BTreeMap<i8, u64>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../study/data/awari_histograms.json");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let layers: BTreeMap<String, BTreeMap<String, u64>> = serde_json::from_str(&text).unwrap();
    let number = |(value, count): (String, u64)| (value.parse().unwrap(), count);
    layers.into_iter().map(|(n, values)| (n.parse().unwrap(), values.into_iter().map(number).collect())).collect()
}

fn histogram(values: &[i8]) -> BTreeMap<i8, u64> {
    let mut counts = [0u64; 256];
    for &value in values {
        counts[usize::from(value as u8)] += 1;
    }
    (i8::MIN..=i8::MAX).map(|value| (value, counts[usize::from(value as u8)])).filter(|&(_, count)| count > 0).collect()
}

fn exam(seeds: u32) {
    let published = published();
    let Game::Oware(awari) = "awari".parse::<RuleSet>().unwrap().game(6).unwrap() else { panic!() };
    let mut tables = RowTables::new(awari).unwrap();
    let mut lower = LayersInMemory::default();
    for n in 0..=seeds {
        let layer = Layer::new(6, n).unwrap();
        let clock = Instant::now();
        let solved = level_layer(&mut tables, &layer, &lower, &|| true).unwrap();
        let seconds = clock.elapsed().as_secs_f64();
        println!(
            "{n} seeds: {} positions, {} sweeps, {seconds:.3} s, {:.1} M/s",
            layer.positions(),
            solved.sweeps,
            layer.positions() as f64 / seconds / 1e6
        );
        assert_eq!(histogram(&solved.values), published[&n], "{n} seeds");
        lower.push(layer, solved.values);
    }
}

#[test]
fn histograms_equal_the_published_ones() {
    exam(12);
}

#[test]
#[ignore = "half a minute and 500 MB; run with: cargo test --release -p kalah-retrograde --test awari -- --ignored --nocapture"]
fn histograms_of_larger_layers_equal_the_published_ones() {
    exam(20);
}

#[test]
fn row_by_row_equals_position_by_position() {
    for rules in [
        "awari",
        "awari+origin=sown",
        "oware+cycle=split",
        "oware+slam=illegal+cycle=split",
        "oware+slam=takes+cycle=split",
        "oware+slam=forfeit+origin=sown+cycle=split",
    ] {
        for (pits, seeds) in [(1, 30), (2, 26), (3, 14), (4, 9), (5, 7), (6, 6), (7, 4), (8, 4)] {
            let Game::Oware(oware) = rules.parse::<RuleSet>().unwrap().game(pits).unwrap() else { panic!() };
            let mut tables = RowTables::new(oware).unwrap();
            let mut lower = LayersInMemory::default();
            for n in 0..=seeds {
                let layer = Layer::new(pits, n).unwrap();
                let plain = plain_layer(&oware, &layer, &lower, &|| true).unwrap();
                let fast = level_layer(&mut tables, &layer, &lower, &|| true).unwrap();
                for (rank, (plain, fast)) in plain.values.iter().zip(&fast.values).enumerate() {
                    assert_eq!(plain, fast, "{rules}, {pits} pits, {n} seeds: {:?}", layer.unrank(rank as u64));
                }
                lower.push(layer, plain.values);
            }
        }
    }
}

/// All files of a directory, by name.
fn files(directory: &std::path::Path) -> BTreeMap<String, Vec<u8>> {
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap())
    };
    std::fs::read_dir(directory).unwrap().map(read).filter(|(name, _)| !name.contains("lock")).collect()
}

fn build_with(threads: usize, builder: Builder, rules: &str, pits: u8, seeds: u32) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let options = BuildOptions { builder, ..BuildOptions::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| build(directory.path(), &rules.parse().unwrap(), pits, seeds, &options, &Unwatched)).unwrap();
    directory
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    for (rules, pits, seeds) in
        [("awari", 6, 9), ("oware+slam=takes+cycle=split", 3, 12), ("awari+full=skipped", 2, 26)]
    {
        let one = files(build_with(1, Builder::Sweep, rules, pits, seeds).path());
        assert!(one.len() > seeds as usize);
        for threads in [2, 7] {
            assert!(
                files(build_with(threads, Builder::Sweep, rules, pits, seeds).path()) == one,
                "{rules}, {threads} threads"
            );
        }
        assert!(
            files(build_with(2, Builder::Reference, rules, pits, seeds).path()) == one,
            "{rules}, the plain builder"
        );
    }
}

#[test]
fn levels_ask_at_every_row_whether_to_go_on() {
    let Game::Oware(awari) = "awari".parse::<RuleSet>().unwrap().game(4).unwrap() else { panic!() };
    let mut lower = LayersInMemory::default();
    let mut tables = RowTables::new(awari).unwrap();
    for seeds in 0..7 {
        let layer = Layer::new(4, seeds).unwrap();
        let solved = level_layer(&mut tables, &layer, &lower, &|| true).unwrap();
        lower.push(layer, solved.values);
    }
    let layer = Layer::new(4, 7).unwrap();
    let asked = AtomicU32::new(0);
    let mut solve = |most: u32| {
        asked.store(0, Ordering::SeqCst);
        let solved = level_layer(&mut tables, &layer, &lower, &|| asked.fetch_add(1, Ordering::SeqCst) < most);
        (solved.map(|solved| solved.values), asked.load(Ordering::SeqCst))
    };
    let (whole, all) = solve(u32::MAX);
    // 330 rows of the mover with up to seven seeds are begun, and some of them gone through again.
    assert!(whole.is_ok() && all > 400, "asked {all} times");
    for most in [0, 1, 50, 331, all / 2, all - 1] {
        let (solved, asked) = solve(most);
        assert_eq!(solved, Err(Unfinished::Stopped), "after {most} of {all} questions");
        assert!(asked as usize <= most as usize + 1 + 2 * rayon::current_num_threads(), "{asked} after {most}");
    }
    assert_eq!(solve(u32::MAX).0, whole);
}

/// Counts how often it is asked, and asks to stop at the given question.
struct StopAt {
    asked: AtomicU32,
    at: u32,
}

impl StopAt {
    fn question(at: u32) -> StopAt {
        StopAt { asked: AtomicU32::new(0), at }
    }
}

impl Observer for StopAt {
    fn should_stop(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) + 1 >= self.at
    }
}

#[test]
fn a_stopped_layer_goes_on_from_the_last_level() {
    let (rules, pits, seeds) = ("awari".parse::<RuleSet>().unwrap(), 5, 9);
    let options = BuildOptions { keep_every: Duration::ZERO, ..BuildOptions::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    // How it ended, and how often it asked.
    let run = |directory: &Path, options: &BuildOptions, at: u32| {
        let observer = StopAt::question(at);
        let built = pool.install(|| build(directory, &rules, pits, seeds, options, &observer));
        let stopped = matches!(built, Err(BuildError::Stopped));
        assert!(stopped || built.is_ok(), "{built:?}");
        (stopped, observer.asked.into_inner())
    };
    let straight = tempfile::tempdir().unwrap();
    let (_, all) = run(straight.path(), &BuildOptions::default(), u32::MAX);
    let expected = files(straight.path());
    assert!(expected.keys().all(|name| !name.contains("progress")));

    // Stopped again and again: each time it gets a little further.
    let directory = tempfile::tempdir().unwrap();
    let mut runs = 1;
    while run(directory.path(), &options, all / 2).0 {
        runs += 1;
        assert!(runs < 50, "it never ends");
    }
    assert!(runs > 1 && files(directory.path()) == expected, "{runs} runs");

    // Stopped near its end, then continued with its progress, without it, and with progress that is damaged or foreign.
    let directory = tempfile::tempdir().unwrap();
    assert!(run(directory.path(), &options, all - 5).0);
    let kept: Vec<String> = files(directory.path()).into_keys().filter(|name| name.ends_with(".progress")).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let go_on = |change: &dyn Fn(&Path)| {
        let copy = tempfile::tempdir().unwrap();
        for (name, bytes) in files(directory.path()) {
            std::fs::write(copy.path().join(name), bytes).unwrap();
        }
        change(&copy.path().join(&kept[0]));
        let (stopped, asked) = run(copy.path(), &options, u32::MAX);
        assert!(!stopped && files(copy.path()) == expected);
        asked
    };
    let (with, without) = (go_on(&|_| ()), go_on(&|progress| std::fs::remove_file(progress).unwrap()));
    assert!(2 * with < without, "{with} questions with progress, {without} without");
    let damaged = go_on(&|progress| {
        let mut bytes = std::fs::read(progress).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(progress, bytes).unwrap();
    });
    assert_eq!(damaged, without, "damaged progress is none");
    let other = tempfile::tempdir().unwrap();
    let foreign = "oware+slam=takes+cycle=split".parse().unwrap();
    let build_theirs = |at: u32| {
        let observer = StopAt::question(at);
        let built = pool.install(|| build(other.path(), &foreign, pits, seeds, &options, &observer));
        (built.is_ok(), observer.asked.into_inner())
    };
    let (whole, asked) = build_theirs(u32::MAX);
    std::fs::remove_dir_all(other.path()).unwrap();
    assert!(whole && !build_theirs(asked - 5).0);
    let theirs = files(other.path()).into_iter().find(|(name, _)| name.ends_with(".progress")).unwrap().1;
    assert_eq!(
        go_on(&|progress| std::fs::write(progress, &theirs).unwrap()),
        without,
        "progress of other rules is none"
    );
}

/// What the equations settle at when one position is said to be worth something else; `None` if that is the truth, or nothing.
fn other_solution(
    game: &Game,
    layer: &Layer,
    lower: &LayersInMemory,
    true_values: &[i8],
    (rank, value): (u64, i8),
) -> Option<Vec<i8>> {
    let mut values = true_values.to_vec();
    values[rank as usize] = value;
    let follows = |values: &[i8], rank: u64| {
        let (mover, opponent) = layer.unrank(rank);
        let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
        let moves = game.legal(position).map(|pit| {
            let sown = game.sow(position, pit);
            let child = sown.position;
            let inside = || values[layer.rank(child.mover.bits(), child.opponent.bits()) as usize];
            let value = || if child.seeds() < layer.seeds() { lower.value(child) } else { inside() };
            game.final_margin(&sown).map_or_else(|| sown.gain().0 - i16::from(value()), |margin| margin.0)
        });
        moves.max().or(game.over(position).map(|margin| margin.0)).unwrap() as i8
    };
    for _ in 0..100 {
        let next: Vec<i8> = (0..layer.positions()).map(|rank| follows(&values, rank)).collect();
        if next == values {
            return (values != true_values).then_some(values);
        }
        // Undecided positions may be said to be worth what follows, the lie stays.
        values = next;
        values[rank as usize] = value;
    }
    None
}

#[test]
fn a_check_finds_values_that_follow_from_each_other_but_from_nothing_else() {
    let rules: RuleSet = "awari".parse().unwrap();
    let directory = build_with(2, Builder::Sweep, "awari", 2, 7);
    let report = verify_values(directory.path(), &rules, 2, 0..=7, None, &Unwatched).unwrap();
    assert_eq!(report.wrong, 0);

    // Seeds that follow each other round for ever, said to be worth something: every equation holds, nobody can force it.
    let game = rules.game(2).unwrap();
    let mut lower = LayersInMemory::default();
    let (layer, true_values, false_values) = (0..)
        .find_map(|n| {
            let layer = Layer::new(2, n).unwrap();
            let values = plain_layer(&game, &layer, &lower, &|| true).unwrap().values;
            let undecided: Vec<u64> = (0..layer.positions()).filter(|&rank| values[rank as usize] == 0).collect();
            let lies = undecided.into_iter().flat_map(|rank| [1, -1].map(|sign| (rank, sign * n as i8)));
            let forged = lies.into_iter().find_map(|lie| other_solution(&game, &layer, &lower, &values, lie));
            if let Some(forged) = forged {
                return Some((layer, values, forged));
            }
            lower.push(layer, values);
            None
        })
        .unwrap();
    let seeds = layer.seeds();
    let stamp = stamp(&rules, 2);
    let forged = tempfile::tempdir().unwrap();
    let lock = DirectoryLock::acquire(forged.path()).unwrap();
    let encoding = Encoding { parity: Parity::Free, codec: Codec::Raw };
    for n in 0..=seeds {
        let values = if n < seeds { lower.layer(n).1 } else { &false_values[..] };
        let writer = LayerWriter::create(&lock, &stamp, n, encoding).unwrap();
        writer.write(0, values).unwrap();
        writer.finish().unwrap();
    }
    drop(lock);
    let report = verify_values(forged.path(), &rules, 2, 0..=seeds, None, &Unwatched).unwrap();
    let differing = false_values.iter().zip(&true_values).filter(|(forged, true_value)| forged != true_value).count();
    assert_eq!(report.wrong, differing as u64);
    assert!(report.examples.iter().all(|wrong| wrong.seeds == seeds && wrong.derived == 0));
}

#[test]
fn rules_that_look_back_have_no_layers() {
    let directory = tempfile::tempdir().unwrap();
    let error =
        build(directory.path(), &"oware".parse().unwrap(), 6, 3, &BuildOptions::default(), &Unwatched).unwrap_err();
    assert!(matches!(error, BuildError::HistoryDependent { .. }), "{error}");
    assert!(error.help().contains("oware+cycle=split"));
}

#[test]
fn relay_games_have_layers() {
    for rules in ["dakon", "dakon+end=pass", "dakon+take=facing+mikul=take", "congkak", "avalanche"] {
        let directory = build_with(2, Builder::Sweep, rules, 3, 7);
        let report = verify_values(directory.path(), &rules.parse().unwrap(), 3, 0..=7, None, &Unwatched).unwrap();
        assert!(report.checked == 1716 && report.wrong == 0, "{rules}");
    }
}
