//! The README says what is true: its commands are run and must print what it shows, its results come out, its test command
//! is the one that continuous integration runs, and its links lead somewhere.
//!
//! After a wanted change: `KALAH_UPDATE_README=1 cargo test -p kalah-cli --test readme`, then read the difference.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use program::{home, run};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap().replace("\r\n", "\n")
}

/// A shell line of plain words and single quotes as the arguments behind `kalah`.
fn arguments(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.last_mut().unwrap().push_str(part);
            continue;
        }
        let mut pieces = part.split(' ');
        words.last_mut().unwrap().push_str(pieces.next().unwrap());
        words.extend(pieces.map(str::to_owned));
    }
    words.retain(|word| !word.is_empty());
    assert_eq!(words.remove(0), "kalah", "{line}");
    words
}

/// What changes from machine to machine becomes a word.
fn masked(text: &str) -> String {
    let mask = |line: &str| {
        if line.starts_with("work: ") {
            "work:   …".to_owned()
        } else if let Some((layers, _)) = line.split_once(" in /").filter(|(layers, _)| layers.starts_with("layers: "))
        {
            format!("{layers} in …")
        } else {
            line.to_owned()
        }
    };
    text.lines().map(mask).collect::<Vec<_>>().join("\n")
}

#[test]
fn commands_print_what_is_shown() {
    let text = readme();
    let mut updated = text.clone();
    let mut count = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split_once("```").unwrap().0;
        let Some((line, shown)) = block.strip_prefix("$ kalah").and_then(|_| block[2..].split_once('\n')) else {
            continue;
        };
        let home = home();
        let arguments = arguments(line);
        let ran = run(&home, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
        let now = masked(&ran.out);
        updated = updated.replace(&format!("$ {line}\n{shown}```"), &format!("$ {line}\n{now}\n```"));
        if std::env::var_os("KALAH_UPDATE_README").is_none() {
            assert_eq!(now, masked(shown), "{line}");
        }
        count += 1;
    }
    assert!(count >= 3, "only {count} commands found");
    if updated != text && std::env::var_os("KALAH_UPDATE_README").is_some() {
        fs::write(root().join("README.md"), updated).unwrap();
    }
}

#[test]
fn results_come_out() {
    let text = readme();
    let mut count = 0;
    for row in text.lines().filter(|line| line.starts_with("| Kalah(")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [start, rules, value, command] = cells[..] else { panic!("{row}") };
        let command = command.trim_matches('`');
        if command.contains("6 4") {
            // Run by the ignored tests of the library.
            continue;
        }
        let stated: i64 = value.split(" (").next().unwrap().parse().unwrap();
        let mut arguments = arguments(command);
        arguments.push("--json".to_owned());
        // What takes long comes from the solutions that are committed.
        let home = home();
        let kept = home.path().join("kalah/solutions");
        fs::create_dir_all(&kept).unwrap();
        for solution in fs::read_dir(root().join("solver-db/solutions")).unwrap() {
            let solution = solution.unwrap();
            fs::copy(solution.path(), kept.join(solution.file_name())).unwrap();
        }
        let ran = run(&home, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["value_mover"], stated, "{row}");
        assert_eq!(answer["rules"], rules.trim_matches('`'), "{row}");
        let numbers = start.trim_start_matches("Kalah(").trim_end_matches(')').replace(',', " ");
        assert!(command.starts_with(&format!("kalah solve {numbers}")), "{row}");
        count += 1;
    }
    assert!(count >= 5, "only {count} results found");
}

#[test]
fn the_test_command_is_what_continuous_integration_runs() {
    let text = readme();
    let (_, behind) = text.split_once("<!-- test command -->\n```sh\n").expect("the README marks its test command");
    let command = behind.split_once("\n```").unwrap().0;
    assert_eq!(command, "cargo test --workspace");
    let script = fs::read_to_string(root().join(".ci/run")).unwrap();
    assert!(script.contains("README.md") && script.contains("bash -c \"$test_command\""));
    assert!(!script.contains(command), "the command is stated once, in the README");
}

#[test]
fn links_lead_somewhere() {
    for name in ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/dependencies.md", "solver-db/README.md"]
    {
        let file = root().join(name);
        let text = fs::read_to_string(&file).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if !link.starts_with("http") {
                let path = file.parent().unwrap().join(link.split('#').next().unwrap());
                assert!(path.exists(), "{name} links to {link}");
            }
        }
    }
}
