//! Builders that end suddenly: killed at random moments, two at once, a file that may not grow, a disk that is full. What is
//! finished stays, and the end is byte by byte what an undisturbed build gives.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use program::{Ran, answer, contents, home, kalah, run};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// Both directories have the same files with the same bytes.
fn must_be_the_same(directory: &Path, undisturbed: &Path) {
    let (found, expected) = (contents(directory), contents(undisturbed));
    assert!(found.keys().eq(expected.keys()), "{:?} and {:?}", found.keys(), expected.keys());
    for (name, bytes) in expected {
        assert!(found[&name] == bytes, "{name} differs");
    }
}

/// What a killed build leaves of its work.
#[derive(Debug, Default)]
struct Left {
    /// Finished layers by name, each with the number of its file: a file written anew would have another.
    layers: BTreeMap<String, u64>,
    /// The journals of layers without a name, one or two, their whole lines without their hashes: while one layer is in work,
    /// the file of the one before is synced.
    journals: BTreeMap<PathBuf, Vec<(String, usize)>>,
}

impl Left {
    fn in_directory(directory: &Path) -> Left {
        let mut left = Left::default();
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if name.ends_with(".layer") {
                left.layers.insert(name, fs::metadata(&path).unwrap().ino());
            } else if let Some(layer) = name.strip_suffix(".journal") {
                // A kill between naming a layer and removing its journal leaves both; the journal then means nothing.
                if directory.join(layer).exists() {
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
                let steps = whole.skip(1).map(|line| {
                    let mut words = line.split(' ');
                    (words.next().unwrap().to_owned(), words.next().unwrap().parse().unwrap())
                });
                left.journals.insert(path, steps.collect());
            }
        }
        left
    }

    /// Sections that are done, and sections that were begun but are not done.
    fn sections(steps: &[(String, usize)]) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut done, mut begun) = (BTreeSet::new(), BTreeSet::new());
        for (verb, section) in steps {
            match verb.as_str() {
                "done" => {
                    begun.remove(section);
                    done.insert(*section);
                }
                _ => {
                    begun.insert(*section);
                    done.remove(section);
                }
            }
        }
        (done, begun)
    }
}

/// What was seen of all kills of one database.
#[derive(Debug, Default)]
struct Seen {
    /// Kills that found the build at work.
    kills: usize,
    /// Of these, how many with a layer half done.
    inside_a_layer: usize,
    /// Sections whose writing was begun again, the most after one kill.
    repeated: usize,
}

/// Builds in `directory` with a kill after a random part of `whole` each time, until a build comes to its end.
fn build_with_kills(
    home: &TempDir,
    directory: &Path,
    arguments: &[&str],
    threads: usize,
    whole: Duration,
    random: &mut impl FnMut() -> f64,
) -> Seen {
    let place = directory.to_str().unwrap();
    let threads_text = threads.to_string();
    let mut seen = Seen::default();
    let mut before = Left::default();
    loop {
        let mut command = kalah(home, arguments);
        command.args(["--database", place, "--threads", &threads_text]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // From the very start of the process to its end.
        std::thread::sleep(whole.mul_f64(random()));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.signal().is_none() {
            assert_eq!(status.code(), Some(0), "a build that was not killed in time succeeds");
            return seen;
        }
        assert_eq!(status.signal(), Some(9));
        seen.kills += 1;
        let left = Left::in_directory(directory);
        for (name, file) in &before.layers {
            assert_eq!(left.layers.get(name), Some(file), "the finished layer {name} was touched again");
        }
        assert!(left.journals.len() <= 2, "{:?}", left.journals);
        let at_work = |steps: &Vec<(String, usize)>| !steps.is_empty();
        seen.inside_a_layer += usize::from(left.journals.values().any(at_work));
        for (path, steps) in &left.journals {
            let (_, begun) = Left::sections(steps);
            // Every thread works at one pair of sections at most.
            assert!(begun.len() <= 2 * threads, "{begun:?} were begun by {threads} threads");
            if let Some(earlier) = before.journals.get(path) {
                assert!(steps.starts_with(earlier), "the journal goes on: {earlier:?}, {steps:?}");
                let (earlier_done, earlier_begun) = Left::sections(earlier);
                let later = &steps[earlier.len()..];
                let again = |sections: &BTreeSet<usize>| {
                    let later: BTreeSet<usize> = later.iter().map(|(_, section)| *section).collect();
                    later.intersection(sections).count()
                };
                assert_eq!(again(&earlier_done), 0, "finished sections are not done again: {earlier:?}, {later:?}");
                seen.repeated = seen.repeated.max(again(&earlier_begun));
            }
        }
        before = left;
    }
}

#[test]
fn a_build_killed_at_any_moment_ends_with_the_same_bytes() {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("random seed {seed}");
    let mut state = seed;
    // SplitMix64.
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) as f64 / u64::MAX as f64
    };
    let home = home();
    // Arguments, the layer that comes next after those that are there before, and the least number of kills.
    let plans: [(&[&str], u32, usize); 4] = [
        (&["build", "--pits", "6", "--seeds", "13"], 13, 30),
        (&["build", "--pits", "6", "--seeds", "11"], 0, 10),
        (&["build", "--pits", "4", "--seeds", "18", "--rules", "kalah-empty"], 15, 10),
        (&["build", "--pits", "5", "--seeds", "9", "--rules", "kalah-stuck", "--builder", "reference"], 8, 10),
    ];
    let (mut kills, mut inside) = (0, 0);
    for (number, (arguments, next, least)) in plans.iter().enumerate() {
        let undisturbed = home.path().join(format!("undisturbed-{number}"));
        let build = |seeds: u32| {
            let (seeds, place) = (seeds.to_string(), undisturbed.to_str().unwrap());
            let given = arguments.iter().position(|argument| *argument == "--seeds").unwrap() + 1;
            let mut arguments = arguments.to_vec();
            arguments[given] = &seeds;
            answer(&home, &[&arguments, &["--database", place][..]].concat());
        };
        if *next > 0 {
            build(next - 1);
        }
        let before = if *next > 0 { contents(&undisturbed) } else { BTreeMap::new() };
        let clock = Instant::now();
        build(arguments.iter().filter_map(|argument| argument.parse().ok()).next_back().unwrap());
        let whole = clock.elapsed();
        let mut here = 0;
        for round in 0.. {
            let directory = home.path().join(format!("killed-{number}-{round}"));
            fs::create_dir(&directory).unwrap();
            before.iter().for_each(|(name, bytes)| fs::write(directory.join(name), bytes).unwrap());
            let threads = 1 + round % 2;
            let seen = build_with_kills(&home, &directory, arguments, threads, whole, &mut random);
            must_be_the_same(&directory, &undisturbed);
            fs::remove_dir_all(&directory).unwrap();
            if threads == 1 {
                // One thread writes one section at a time: no more than that can be begun again.
                assert!(seen.repeated <= 1, "{seen:?}");
            }
            here += seen.kills;
            inside += seen.inside_a_layer;
            if here >= *least {
                break;
            }
            assert!(round < 200, "builds are never killed in time");
        }
        println!("{}: {here} kills, {whole:?} for an undisturbed build", arguments.join(" "));
        kills += here;
    }
    println!("{kills} kills, {inside} of them inside a layer");
    assert!(kills >= 50, "{kills} kills");
    assert!(inside >= 5, "only {inside} of {kills} kills were inside a layer");
}

/// Starts a build that takes long, and waits until it is at work.
fn at_work(home: &TempDir, directory: &Path) -> std::process::Child {
    let place = directory.to_str().unwrap();
    let arguments = ["build", "--pits", "6", "--seeds", "20", "--builder", "reference", "--database", place];
    let child = kalah(home, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let clock = Instant::now();
    while !directory.join("kalah_6_9.layer").exists() {
        assert!(clock.elapsed() < Duration::from_secs(60), "the build never began");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_second_builder_is_refused_by_name() {
    let home = home();
    let directory = home.path().join("layers");
    let place = directory.to_str().unwrap();
    let mut first = at_work(&home, &directory);
    for more in [&["--rules", "kalah", "--seeds", "20"][..], &["--rules", "kalah-empty", "--pits", "3", "--seeds", "4"]]
    {
        let ran = run(&home, &[&["build", "--database", place], more].concat());
        assert_eq!(ran.code, Some(4), "{ran:?}");
        assert!(ran.err.contains(&format!("process {}", first.id())), "{ran:?}");
        assert_eq!(ran.out, "");
    }
    assert!(!contents(&directory).keys().any(|name| name.starts_with("kalah-empty")));
    // Reading is not building: what is finished answers meanwhile.
    let stats = answer(&home, &["stats", "--seeds", "5", "--database", place]);
    assert!(stats.contains("4,368"), "{stats}");
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock went with its process, however that ended.
    answer(&home, &["build", "--pits", "6", "--seeds", "10", "--database", place]);
    assert!(answer(&home, &["verify", "--values", "--sample", "2000", "--database", place]).contains("all right"));
}

#[test]
fn builders_that_start_at_once_never_mix_their_files() {
    let home = home();
    let arguments = ["build", "--pits", "6", "--seeds", "9", "--database"];
    let undisturbed = home.path().join("undisturbed");
    answer(&home, &[&arguments[..], &[undisturbed.to_str().unwrap()]].concat());
    for round in 0..6 {
        let directory = home.path().join(format!("layers-{round}"));
        let start = || {
            let arguments = [&arguments[..], &[directory.to_str().unwrap()]].concat();
            kalah(&home, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children = [start(), start(), start()];
        let ran = children.map(|child| Ran::from(child.wait_with_output().unwrap()));
        assert!(ran.iter().any(|ran| ran.code == Some(0)), "{ran:?}");
        for ran in ran.iter().filter(|ran| ran.code != Some(0)) {
            assert_eq!(ran.code, Some(4), "{ran:?}");
            assert!(ran.err.contains("process"), "{ran:?}");
        }
        must_be_the_same(&directory, &undisturbed);
    }
}

/// Runs a shell script with the program as `$kalah` and a directory as `$layers`.
fn shell(home: &TempDir, script: &str, directory: &Path, around: &[&str]) -> Ran {
    let program = kalah(home, &[]);
    let mut words = around.iter().copied().chain(["sh", "-c", script]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).current_dir(home.path()).env("HOME", home.path()).env_remove("KALAH_DATABASE");
    command.env("kalah", program.get_program()).env("layers", directory);
    let output: Output = command.output().unwrap();
    output.into()
}

#[test]
fn a_file_that_may_not_grow_is_a_clear_error() {
    let home = home();
    let (directory, undisturbed) = (home.path().join("layers"), home.path().join("undisturbed"));
    let arguments = |place: &Path| {
        let place = place.to_str().unwrap().to_owned();
        ["build", "--pits", "6", "--seeds", "12", "--database"].map(str::to_owned).into_iter().chain([place]).collect()
    };
    let build = |place: &Path| {
        let arguments: Vec<String> = arguments(place);
        run(&home, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(build(&undisturbed).code, Some(0));
    // Files of 1 MiB at most: layer 11 fits, layer 12 does not. The unit is 512 bytes, in bash 1024. Without the trap a
    // signal would end the process.
    let script = "trap '' XFSZ; if [ -n \"${BASH_VERSION:-}\" ]; then ulimit -f 1024; else ulimit -f 2048; fi
        exec \"$kalah\" build --pits 6 --seeds 12 --database \"$layers\"";
    let ran = shell(&home, script, &directory, &[]);
    assert!(matches!(ran.code, Some(4 | 5)), "{ran:?}");
    assert!(ran.err.contains("kalah_6_12.layer.partial"), "the file is named: {ran:?}");
    assert!(!ran.err.contains("panicked"), "{ran:?}");
    let left = Left::in_directory(&directory);
    assert!(left.layers.contains_key("kalah_6_11.layer") && !left.layers.contains_key("kalah_6_12.layer"), "{left:?}");
    assert!(run(&home, &["verify", "--database", directory.to_str().unwrap()]).out.contains("all sound"));
    assert_eq!(build(&directory).code, Some(0));
    must_be_the_same(&directory, &undisturbed);
    let after = Left::in_directory(&directory);
    assert!(left.layers.iter().all(|(name, file)| after.layers.get(name) == Some(file)), "finished layers stay");
}

/// A real small disk, in a namespace of its own.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs leave to mount a small file system (unshare)"]
fn a_full_disk_is_a_clear_error_and_nothing_finished_is_lost() {
    let home = home();
    let undisturbed = home.path().join("undisturbed");
    answer(&home, &["build", "--pits", "6", "--seeds", "18", "--database", undisturbed.to_str().unwrap()]);
    let disk = home.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let around = ["unshare", "--user", "--map-root-user", "--mount"];
    // There is room when the build begins; then something else takes all but 20 MiB while layer 18 is written, which needs 33.
    let script = r#"
        set -u
        mount -t tmpfs -o size=160m none "$layers" || exit 99
        build() { "$kalah" build --pits 6 --seeds 18 --threads 1 --database "$layers/db"; }
        (
            until [ -e "$layers/db/kalah_6_18.layer.partial" ]; do :; done
            free=$(df --output=avail -B1 "$layers" | tail -1)
            fallocate -l $((free - 20971520)) "$layers/other"
        ) &
        build; echo "full: $?"
        wait
        [ -e "$layers/db/kalah_6_18.layer" ] && exit 98
        "$kalah" verify --database "$layers/db"; echo "verify: $?"
        ls -i "$layers/db" | grep 'layer$' > "$HOME/before"
        grep -c '^done' "$layers/db/kalah_6_18.layer.journal" > "$HOME/done"
        rm "$layers/other" || exit 97
        build; echo "again: $?"
        ls -i "$layers/db" | grep 'layer$' > "$HOME/after"
        diff -r --exclude lock "$layers/db" "$HOME/undisturbed"; echo "same: $?"
    "#;
    let ran = shell(&home, script, &disk, &around);
    for line in ["full: 5", "verify: 0", "again: 0", "same: 0"] {
        assert!(ran.out.lines().any(|found| found == line), "{line}: {ran:?}");
    }
    assert!(ran.err.contains("the disk is full: writing") && ran.err.contains("kalah_6_18.layer.partial"), "{ran:?}");
    assert!(ran.err.to_lowercase().contains("make room and start again"), "{ran:?}");
    // Sections that were whole were not lost, nor were layers.
    let done: usize = fs::read_to_string(home.path().join("done")).unwrap().trim().parse().unwrap();
    assert!(done >= 1, "{ran:?}");
    let [before, after] = ["before", "after"].map(|name| fs::read_to_string(home.path().join(name)).unwrap());
    assert!(before.lines().count() == 18 && before.lines().all(|line| after.contains(line)), "{before}{after}");
}
