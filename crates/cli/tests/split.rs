//! A solve split over processes: the list, its parts in any order, killed and cut short, and what is merged at the end.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use kalah::Bounds;
use kalah::database::Journal;
use kalah::split::{RESULTS_TITLE, read_results};
use kalah_rules::Margin;
use program::{Ran, answer, build, home, kalah, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Writes a work list.
fn split(home: &TempDir, name: &str, arguments: &[&str]) {
    let list = answer(home, &[&["solve"], arguments].concat());
    assert_eq!(list, answer(home, &[&["solve"], arguments].concat()), "the same command gives the same bytes");
    fs::write(home.path().join(name), list).unwrap();
}

/// What is merged from files, as JSON, with its exit code.
fn merged(home: &TempDir, files: &[&str]) -> (i32, Value) {
    let ran = run(home, &[&["merge", "--json"], files].concat());
    (ran.code.unwrap(), serde_json::from_str(&ran.out).unwrap())
}

/// How many results a file has: its whole lines without the title.
fn results_in(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1))
}

/// An error of `code` whose text holds all of `words`.
fn refused(ran: &Ran, code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{ran:?}");
    assert!(ran.out.is_empty(), "{ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "{word} in {ran:?}");
    }
}

#[test]
fn rounds_of_parts_end_at_the_value_of_a_direct_solve() {
    for (rules, pits, seeds, parts, layers) in [
        ("kalah", "4", "3", "40", "8"),
        ("kalah-empty", "5", "2", "5", "0"),
        ("kalah+leftover=none", "3", "4", "12", "10"),
        ("kalah-empty", "3", "4", "1", "6"),
    ] {
        let home = home();
        let direct: Value =
            serde_json::from_str(&answer(&home, &["solve", pits, seeds, "--rules", rules, "--json"])).unwrap();
        build(&home, &home.path().join("few"), rules, pits.parse().unwrap(), 6);
        let mut files = Vec::new();
        let mut command =
            ["solve", pits, seeds, "--rules", rules, "--split", parts, "--layers", layers].map(str::to_owned).to_vec();
        loop {
            let list = format!("round{}.jsonl", files.len());
            let arguments: Vec<&str> = command[1..].iter().map(String::as_str).collect();
            split(&home, &list, &arguments);
            for (take, threads, more) in [
                ("3/3", "2", &["--database", "few"][..]),
                ("1/3", "1", &["--rules", rules][..]),
                ("2/3", "3", &["--table", "64KiB"][..]),
            ] {
                let out = answer(&home, &[&["work", &list, "--take", take, "--threads", threads], more].concat());
                assert!(out.starts_with(&format!("part {take}: ")), "{out}");
                files.push(format!("{list}.{}.results", take.replace('/', "-of-")));
            }
            files.push(list);
            let all: Vec<&str> = files.iter().map(String::as_str).collect();
            let (code, found) = merged(&home, &all);
            assert_eq!(found["rules"], rules);
            assert!(found["lists"].as_array().unwrap().iter().all(|list| list["missing"] == Value::Array(vec![])));
            if code == 0 {
                assert_eq!(found["value_mover"], direct["value_mover"], "{found}");
                assert_eq!((&found["lower"], &found["upper"]), (&found["value_mover"], &found["value_mover"]));
                assert_eq!(found["next"], Value::Null);
                let text = answer(&home, &[&["merge"], &all[..]].concat());
                assert!(text.contains(": exactly "), "{text}");
                break;
            }
            assert_eq!(code, 5);
            // The next command as it stands there, without the redirection.
            let next = found["next"]["command"].as_str().unwrap().to_owned();
            let text = run(&home, &[&["merge"], &all[..]].concat()).out;
            assert!(text.ends_with(&format!("next: {next}\n")), "{text}");
            let (next, _) = next.split_once(" > ").unwrap();
            command = next.split(' ').skip(1).map(str::to_owned).collect();
            assert!(files.len() < 100, "no end: {found}");
        }
    }
}

#[test]
fn a_worker_killed_at_any_moment_goes_on_where_it_was() {
    let home = home();
    split(&home, "work.jsonl", &["4", "4", "--split", "60", "--window", "2"]);
    let results = home.path().join("mine");
    let arguments = ["work", "work.jsonl", "--output", "mine", "--threads", "1", "--table", "1MiB"];
    let whole = Instant::now();
    answer(&home, &["work", "work.jsonl", "--output", "undisturbed", "--threads", "1", "--table", "1MiB"]);
    let whole = whole.elapsed();
    let mut before = 0;
    for kill in 1..=6u32 {
        let mut child = kalah(&home, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * kill / 12);
        child.kill().unwrap();
        child.wait().unwrap();
        let now = results_in(&results);
        assert!(now >= before, "results were lost: {before}, then {now}");
        before = now;
    }
    // And a last line that is cut in the middle.
    if let Ok(bytes) = fs::read(&results) {
        fs::write(&results, &bytes[..bytes.len() - bytes.len().min(20)]).unwrap();
    }
    let kept = results_in(&results);
    let ran = run(&home, &[&arguments[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(told["before"], kept, "{told}");
    assert_eq!(
        (&told["answered"], told["answered"].as_u64().unwrap()),
        (&told["sub_problems"], results_in(&results) as u64)
    );
    let again = answer(&home, &arguments);
    assert!(again.contains(" before), 0 positions searched"), "{again}");
    let reached = |file: &str| merged(&home, &["work.jsonl", file]).1["lists"][0]["reached"].clone();
    assert_eq!((reached("mine"), reached("undisturbed")), (Value::Bool(true), Value::Bool(true)));
}

#[test]
fn a_limit_or_a_signal_ends_with_5_and_keeps_what_is_done() {
    let home = home();
    // Without layers each of the parts takes hours.
    split(&home, "work.jsonl", &["6", "6", "--split", "3", "--window", "4"]);
    let ran = run(&home, &["work", "work.jsonl", "--time", "100ms", "--table", "1MiB", "--threads", "1"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.out.starts_with("part 1/1: 0 of "), "{ran:?}");
    #[cfg(unix)]
    {
        let mut child = kalah(&home, &["work", "work.jsonl", "--table", "1MiB", "--threads", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(5));
    }
    let (code, found) = merged(&home, &["work.jsonl", "work.jsonl.1-of-1.results"]);
    assert_eq!((code, &found["results"]), (5, &Value::from(0)));
    assert_eq!(found["next"]["command"], "kalah work work.jsonl");
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    let home = home();
    let file = |name: &str| home.path().join(name);
    split(&home, "a", &["3", "3", "--split", "8", "--window", "2"]);
    split(&home, "b", &["3", "3", "--split", "8", "--window", "2", "--rules", "kalah-empty"]);
    split(&home, "c", &["3", "2", "--split", "4", "--window", "2"]);
    for list in ["a", "b", "c"] {
        answer(&home, &["work", list, "--output", &format!("{list}.r")]);
    }
    // Another rule set, another start, no list.
    refused(&run(&home, &["merge", "a", "b.r"]), 4, &["b.r line 2", "a is for kalah"]);
    refused(&run(&home, &["merge", "a", "c.r"]), 4, &["c.r line 2", "which a does not ask"]);
    refused(&run(&home, &["merge", "a", "b", "a.r"]), 4, &["a is about", "b about", "kalah-empty"]);
    refused(&run(&home, &["merge", "a", "c"]), 4, &["a is about", "c about"]);
    refused(&run(&home, &["merge", "a.r"]), 2, &["no work list"]);
    refused(&run(&home, &["work", "a", "--output", "b.r"]), 4, &["b.r line 2"]);
    refused(&run(&home, &["work", "a", "--rules", "kalah-empty"]), 2, &["--rules"]);
    refused(&run(&home, &["work", "a.r"]), 4, &["a.r line 1"]);
    refused(&run(&home, &["work", "missing"]), 4, &["missing cannot be read"]);
    let json = run(&home, &["merge", "a", "b.r", "--json"]);
    assert_eq!(json.code, Some(4));
    let error: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(error["error"]["kind"], "contradiction");

    // A list written under rules that have another hash; one with a damaged line; one that is cut.
    let list = fs::read_to_string(file("a")).unwrap();
    let hash = kalah::hash_text(&"kalah".parse().unwrap());
    fs::write(file("other"), list.replace(&hash, "00000000deadbeef")).unwrap();
    refused(&run(&home, &["work", "other"]), 4, &["other line 1", &hash, "00000000deadbeef"]);
    fs::write(file("damaged"), list.replace("\"id\":3,", "\"id\":4,")).unwrap();
    refused(&run(&home, &["work", "damaged"]), 4, &["damaged line 4", "sub-problem 3"]);
    refused(&run(&home, &["merge", "damaged", "a.r"]), 4, &["damaged line 4"]);
    let cut = list.trim_end().rfind('\n').unwrap();
    fs::write(file("cut"), &list[..=cut]).unwrap();
    refused(&run(&home, &["work", "cut"]), 4, &["cut line ", "the file ends after"]);
    // A damaged result, one that is there twice, and results of an earlier version.
    let results = fs::read_to_string(file("a.r")).unwrap();
    fs::write(file("bad"), results.replacen("\"lower\":", "\"lower\":1", 1)).unwrap();
    refused(&run(&home, &["merge", "a", "bad"]), 4, &["line 2 of bad", "checksum"]);
    refused(&run(&home, &["work", "a", "--output", "bad"]), 4, &["line 2 of bad", "checksum"]);
    let second = results.lines().nth(1).unwrap();
    fs::write(file("twice"), format!("{results}{second}\n")).unwrap();
    refused(&run(&home, &["merge", "a", "twice"]), 4, &["twice line ", "same question as line 2"]);
    refused(&run(&home, &["work", "a", "--output", "twice"]), 4, &["twice line ", "same question as line 2"]);
    fs::write(file("old"), "{\"id\":1,\"position\":\"<3,0,0,1,0,0,0,0,1>\"}\n").unwrap();
    refused(&run(&home, &["merge", "a", "old"]), 4, &["old holds results of an earlier version"]);
    refused(&run(&home, &["merge", "a", "."]), 4, &["a directory, expected a regular file"]);
    // A file somebody else is writing.
    let held = fs::File::open(file("a.r")).unwrap();
    held.lock().unwrap();
    refused(&run(&home, &["work", "a", "--output", "a.r"]), 4, &["a.r is used by"]);
    drop(held);
    answer(&home, &["work", "a", "--output", "a.r"]);
}

#[test]
fn a_forged_result_is_found_by_proving_it_again() {
    let home = home();
    let file = |name: &str| home.path().join(name);
    split(&home, "a", &["4", "2", "--split", "6", "--window", "2"]);
    answer(&home, &["work", "a", "--output", "a.r"]);
    let (code, found) = merged(&home, &["a", "a.r", "--check=2"]);
    assert_eq!((code, &found["checked"]["wanted"], &found["checked"]["confirmed"]), (5, &2.into(), &2.into()));
    assert_eq!(merged(&home, &["a", "a.r"]).1["checked"], Value::Null);
    let text = run(&home, &["merge", "a", "a.r", "--check"]).out;
    assert!(text.contains("proved again: ") && text.contains(", none refuted"), "{text}");
    refused(&run(&home, &["merge", "a", "a.r", "--time", "1s"]), 2, &["--check"]);
    // A result turned round, with a right checksum.
    let lines = Journal::read(&file("a.r"), RESULTS_TITLE).unwrap();
    let evidence = read_results(&lines, "a.r").unwrap();
    let mut believed = 0;
    for forged in 0..evidence.len() {
        let _ = fs::remove_file(file("forged"));
        let (mut journal, _) = Journal::open(&file("forged"), RESULTS_TITLE).unwrap();
        for (number, one) in evidence.iter().enumerate() {
            let mut result = one.result.clone();
            if number == forged {
                let all = Margin(result.state.position().seeds() as i16);
                result.bounds = if result.bounds.lower >= result.window {
                    Bounds { lower: -all, upper: result.window - Margin(2) }
                } else {
                    Bounds { lower: result.window, upper: all }
                };
            }
            journal.append(&result.to_line()).unwrap();
        }
        drop(journal);
        if run(&home, &["merge", "a", "forged"]).code == Some(4) {
            continue;
        }
        believed += 1;
        let line = format!("forged line {} says ", forged + 2);
        refused(&run(&home, &["merge", "a", "forged", "--check=1000"]), 1, &[&line, "a new proof says"]);
    }
    assert!(believed > 0, "without --check a forged result is believed");
}

#[test]
fn what_cannot_be_split_says_so() {
    let home = home();
    refused(&run(&home, &["solve", "3", "3", "--split", "4", "--window", "20"]), 2, &["above -18 and up to 18"]);
    refused(&run(&home, &["solve", "3", "3", "--split", "4", "--rules", "awari"]), 2, &["come again"]);
    refused(&run(&home, &["solve", "3", "3", "--split", "4", "--rules", "kalah+pie"]), 2, &["+pie"]);
    refused(&run(&home, &["solve", "3", "0", "--split", "4"]), 3, &["game is over"]);
    refused(&run(&home, &["solve", "3", "3", "--window", "4"]), 2, &["--split"]);
    refused(&run(&home, &["solve", "3", "3", "--split", "0"]), 2, &["--split"]);
    refused(&run(&home, &["solve", "3", "3", "--split", "4", "--time", "1s"]), 2, &["--time"]);
    refused(&run(&home, &["work", "list", "--take", "5/4"]), 2, &["K/N"]);
}
