//! Records that come back, records that are damaged, and records that somebody forged with every checksum right.

use super::format::{from_bytes, to_bytes};
use super::*;
use crate::{Limits, Options, Solver};
use kalah_rules::{Margin, Row, SowingGame, State};
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

fn bounds(lower: i16, upper: i16) -> Bounds {
    Bounds { lower: Margin(lower), upper: Margin(upper) }
}

/// The solution of a small start, with many proofs.
fn solution(rules: &str, pits: u8, seeds: u32) -> Record {
    let options = Options { table_bytes: 1 << 20, threads: 1 };
    let solver = Solver::without_layers(rules.parse().unwrap(), pits, options).unwrap();
    let start = State::start(pits, seeds).unwrap();
    solver.session().analyse_and_keep(&start, &Limits::default(), 2000).unwrap().1.unwrap()
}

/// What loading the record says after it was saved.
fn loaded(record: &Record) -> Result<Record, RecordError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("record");
    record.save(&path).unwrap();
    Record::load(&path).map(Option::unwrap)
}

#[test]
fn a_record_comes_back() {
    for (rules, pits, seeds) in [
        ("kalah", 4, 3),
        ("kalah-empty+leftover=none", 3, 4),
        ("kalah-stuck", 3, 3),
        ("kalah-empty-stuck+leftover=out", 3, 3),
        ("dakon", 3, 3),
        ("kalah", 1, 5),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("below").join("record");
        assert!(Record::load(&path).unwrap().is_none());
        let mut record = solution(rules, pits, seeds);
        record.save(&path).unwrap();
        let back = Record::load(&path).unwrap().unwrap();
        record.proofs.sort_by_key(|proof| proof.position);
        assert_eq!(back, record);
        back.must_be(&path, &record.rules, pits, record.position).unwrap();
        let other = back.must_be(&path, &"kalah-empty".parse().unwrap(), pits, record.position).unwrap_err();
        let text = other.to_string();
        assert!(text.contains(&format!("under {rules} ")) && text.contains("kalah-empty"), "{text}");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no temporary file stays");
    }
}

#[test]
fn the_committed_solutions_are_believed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver-db/solutions");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(Record::load(&path).unwrap().unwrap().line.is_some());
        count += 1;
    }
    assert!(count >= 4);
}

#[test]
fn every_cut_and_every_flipped_byte_is_noticed() {
    let mut record = solution("kalah", 3, 2);
    record.proofs.truncate(20);
    let bytes = to_bytes(&record).unwrap();
    let never = || false;
    assert!(from_bytes(&bytes, &never).is_ok());
    for length in 0..bytes.len() {
        assert!(from_bytes(&bytes[..length], &never).is_err(), "cut to {length}");
    }
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x10;
        assert!(from_bytes(&bytes, &never).is_err(), "byte {at}");
    }
}

/// Bytes with their checksum.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &xxh3_64(bytes).to_le_bytes()].concat()
}

#[test]
fn a_right_checksum_over_nonsense_is_no_record() {
    let never = || false;
    for text in [&b""[..], b"\n", b"{}\n", b"no line feed", b"{\"kalah_record\":2}\n"] {
        assert!(from_bytes(&sealed(text), &never).is_err());
    }
    let mut record = solution("kalah-empty", 3, 2);
    record.proofs.truncate(2);
    let whole = to_bytes(&record).unwrap();
    let end = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let text = String::from_utf8(whole[..end].to_vec()).unwrap();
    let header = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        let mut bytes = text.replace(from, to).into_bytes();
        bytes.extend(&whole[end..whole.len() - 8]);
        from_bytes(&sealed(&bytes), &never)
    };
    assert!(header("", "").is_ok());
    for (from, to) in [
        ("\"proofs\":2", "\"proofs\":3"),
        ("\"proofs\":2", "\"proofs\":1"),
        ("\"proofs\":2", "\"proofs\":4194305"),
        ("\"proofs\":2", "\"proofs\":18446744073709551615"),
        ("\"pits\":3", "\"pits\":9"),
        ("\"pits\":3", "\"pits\":2"),
        ("\"mover\":[2,2,2,0", "\"mover\":[255,255,255,0"),
        ("\"mover\":[2,2,2,0", "\"mover\":[2,2,2,2"),
        ("kalah-empty", "kalah"),
        ("kalah-empty", "kallah"),
        ("\"kalah_record\":1", "\"kalah_record\":2"),
    ] {
        assert!(header(from, to).is_err(), "{to}");
    }
}

#[test]
fn a_small_file_does_not_unpack_to_a_large_one() {
    let record = solution("kalah", 3, 2);
    let whole = to_bytes(&record).unwrap();
    let end = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let text = String::from_utf8(whole[..end].to_vec()).unwrap();
    let was = format!("\"proofs\":{}}}", record.proofs.len());
    assert!(text.contains(&was), "{text}");
    for announced in [4_194_304usize, 400_000_000] {
        let zeros = zstd::encode_all(std::io::repeat(0).take(announced as u64 * 22), 3).unwrap();
        let mut bytes = text.replace(&was, &format!("\"proofs\":{announced}}}")).into_bytes();
        bytes.extend(zeros);
        let started = std::time::Instant::now();
        let error = from_bytes(&sealed(&bytes), &|| false).unwrap_err();
        assert!(error.contains(&format!("it announces {announced} proofs")), "{error}");
        assert!(started.elapsed().as_secs() < 5);
    }
    // A file beyond any size, and one that never ends.
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("record");
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(Record::load(&path), Err(RecordError::Damaged { .. })));
    #[cfg(unix)]
    assert!(matches!(Record::load(Path::new("/dev/zero")), Err(RecordError::NotAFile { .. })));
    assert!(matches!(Record::load(directory.path()), Err(RecordError::NotAFile { .. })));
}

#[test]
fn forged_statements_are_refused() {
    let true_one = solution("kalah", 4, 3);
    assert_eq!(true_one.bounds, bounds(6, 6));
    let line = true_one.line.clone().unwrap();
    type Forgery<'a> = (&'a str, &'a str, Box<dyn Fn(&mut Record) + 'a>);
    let forgeries: Vec<Forgery<'_>> = vec![
        ("value", "its moves", Box::new(|record| record.bounds = bounds(8, 8))),
        (
            "value and best move",
            "its line ends",
            Box::new(|record| {
                record.bounds = bounds(8, 8);
                let best = record.line.as_ref().unwrap()[0];
                record.moves.iter_mut().filter(|found| found.0 == best).for_each(|found| found.1 = bounds(8, 8));
                record.moves.sort_by_key(|&(_, own)| std::cmp::Reverse(own.lower));
                record.proofs.retain(|proof| proof.position != record.position);
            }),
        ),
        (
            "value without proofs",
            "its line ends",
            Box::new(|record| {
                record.bounds = bounds(8, 8);
                let best = record.line.as_ref().unwrap()[0];
                record.moves.iter_mut().filter(|found| found.0 == best).for_each(|found| found.1 = bounds(8, 8));
                record.moves.sort_by_key(|&(_, own)| std::cmp::Reverse(own.lower));
                record.proofs.clear();
            }),
        ),
        ("value of no position", "no position", Box::new(|record| record.bounds = bounds(i16::MIN, i16::MIN))),
        ("value of the wrong parity", "no position", Box::new(|record| record.bounds = bounds(5, 5))),
        ("value upside down", "no position", Box::new(|record| record.bounds = bounds(8, 4))),
        ("a move twice", "twice", Box::new(|record| record.moves.push(record.moves[0]))),
        ("no such move", "twice", Box::new(|record| record.moves[0].0 = 200)),
        ("pit 0", "twice", Box::new(|record| record.moves[0].0 = 0)),
        ("a move left out", "its moves", Box::new(|record| record.moves.truncate(3))),
        ("a move without value", "its moves", Box::new(|record| record.moves[3].1 = bounds(-24, 24))),
        ("another move's value", "", Box::new(|record| record.moves[3].1 = bounds(6, 6))),
        ("the line cut", "does not end", Box::new(|record| record.line.as_mut().unwrap().truncate(5))),
        ("the line empty", "its moves", Box::new(|record| record.line = Some(Vec::new()))),
        ("the line too long", "its line ends", Box::new(|record| record.line.as_mut().unwrap().push(1))),
        ("a pit that is not there", "cannot be played", Box::new(|record| record.line.as_mut().unwrap()[3] = 9)),
        ("other rules", "", Box::new(|record| record.rules = "kalah-empty".parse().unwrap())),
        ("rules with repetitions", "no proofs are kept", Box::new(|record| record.rules = "awari".parse().unwrap())),
        ("rules with a swap", "no proofs are kept", Box::new(|record| record.rules = "kalah+pie".parse().unwrap())),
        ("more work than ever", "so much work", Box::new(|record| record.stats.nodes = u64::MAX)),
        ("time that runs back", "so much work", Box::new(|record| record.seconds = -1.0)),
        ("a proof with a pit that is not there", "cannot be sown", Box::new(|record| record.proofs[0].pit = Some(200))),
        ("a proof beyond its seeds", "no position", Box::new(|record| record.proofs[0].bounds = bounds(-300, 300))),
        (
            "a proof of another board",
            "beyond pit 4",
            Box::new(|record| record.proofs[0].position.mover = Row::from_bits(1 << 40)),
        ),
        (
            "a proof of a larger board",
            "seeds",
            Box::new(|record| record.proofs[0].position.mover = Row::from_pits(&[99])),
        ),
    ];
    for (name, words, forge) in forgeries {
        let mut record = true_one.clone();
        forge(&mut record);
        match loaded(&record) {
            Err(error @ (RecordError::False { .. } | RecordError::Damaged { .. })) => {
                let text = error.to_string();
                assert!(text.contains(words), "{name}: {text}");
                assert!(error.help().ends_with('.'));
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert_eq!(loaded(&true_one).unwrap().line.unwrap(), line);
}

#[test]
fn a_proof_that_its_successors_exclude_is_refused() {
    let true_one = solution("kalah", 4, 3);
    let game = true_one.rules.game(4).unwrap();
    let mut refused = 0;
    for number in (0..true_one.proofs.len()).step_by(5) {
        let Some(value) = true_one.proofs[number].bounds.exact() else { continue };
        for change in [-2, 2] {
            let mut record = true_one.clone();
            let proof = &mut record.proofs[number];
            if u32::from((value.0 + change).unsigned_abs()) > proof.position.seeds() {
                continue;
            }
            proof.bounds = bounds(value.0 + change, value.0 + change);
            // Where all that can follow is over, nothing is left to be believed.
            let position = proof.position;
            let over = |pit| game.final_margin(&game.sow(position, pit)).is_some();
            let certain = game.legal(position).all(over);
            match loaded(&record) {
                Err(RecordError::False { .. }) => refused += 1,
                Ok(_) => assert!(!certain, "{position:?}"),
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(refused > 20, "only {refused} of the changed proofs were refused");
}

#[test]
fn a_line_of_bad_play_is_refused() {
    // Legal to the end of the game, and every number fits the line; but the players do not play well.
    let truth = solution("kalah", 4, 3);
    let game = truth.rules.game(4).unwrap();
    let mut said = Vec::new();
    for policy in 1..=20 {
        let (mut now, mut line, mut value, mut sign) = (truth.position, Vec::new(), 0, 1);
        loop {
            let legal: Vec<u8> = game.legal(now).collect();
            let pit = legal[(line.len() * policy + policy / 3) % legal.len()];
            line.push(pit);
            let sown = game.sow(now, pit);
            if let Some(end) = game.final_margin(&sown) {
                value += sign * end.0;
                break;
            }
            value += sign * sown.gain().0;
            if sown.next == kalah_rules::Next::Pass {
                sign = -sign;
            }
            now = sown.position;
        }
        let mut record = truth.clone();
        record.proofs.clear();
        record.bounds = bounds(value, value);
        for (pit, own) in &mut record.moves {
            *own = if *pit == line[0] { record.bounds } else { bounds(value - 2, value - 2) };
        }
        record.moves.sort_by_key(|&(_, own)| std::cmp::Reverse(own.lower));
        record.line = Some(line);
        said.push(loaded(&record).map_or_else(|error| error.to_string(), |_| format!("{value} is believed")));
    }
    let refused = said.iter().filter(|said| said.contains("a search says")).count();
    assert!(refused >= 15, "only {refused} of 20 false lines were noticed: {said:#?}");
}

#[test]
fn layers_contradict_what_they_know() {
    let directory = tempfile::tempdir().unwrap();
    let rules = "kalah".parse().unwrap();
    crate::retrograde::build(
        directory.path(),
        &rules,
        4,
        10,
        &crate::retrograde::BuildOptions::default(),
        &crate::retrograde::Unwatched,
    )
    .unwrap();
    let options = Options { table_bytes: 1 << 20, threads: 1 };
    let solver = || Solver::open(directory.path(), rules, 4, options).unwrap();
    let true_one = solution("kalah", 4, 3);
    let with = |record: Record| {
        let mut solutions = crate::Solutions::default();
        solutions.add(record);
        solver().with_solutions(solutions)
    };
    with(true_one.clone()).unwrap();
    // A statement without successors in the file, which only the layers know.
    let position = kalah_rules::Position::new(Row::from_pits(&[1, 2, 0, 2]), Row::from_pits(&[0, 3, 1, 1]));
    let state = State::new(4, position);
    let value = solver().session().analyse(&state, &Limits::default()).unwrap().exact().unwrap();
    let mut record = true_one;
    record.proofs = vec![kalah_search::Proof { position, bounds: Bounds::just(value + Margin(2)), pit: None, work: 9 }];
    record.line = None;
    assert!(loaded(&record).is_ok(), "the rules alone cannot tell");
    let error = with(record.clone()).unwrap_err().to_string();
    assert!(error.contains("the solved layers say"), "{error}");
    // The same in a checkpoint.
    let path = directory.path().join("checkpoint");
    record.save(&path).unwrap();
    let checkpoint = crate::Checkpoint { path: &path, every: std::time::Duration::from_secs(60) };
    let limits = Limits { checkpoint: Some(checkpoint), ..Limits::default() };
    let error = solver().session().analyse(&State::start(4, 3).unwrap(), &limits).unwrap_err().to_string();
    assert!(error.contains("the solved layers say") && error.contains("checkpoint"), "{error}");
}

#[test]
fn reading_can_be_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let path: PathBuf = directory.path().join("record");
    solution("kalah", 4, 3).save(&path).unwrap();
    assert!(matches!(Record::load_unless(&path, &|| true), Err(RecordError::Stopped { .. })));
}
