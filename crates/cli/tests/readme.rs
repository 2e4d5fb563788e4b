//! The README and the tour say what is true: their commands are run and must print what is shown, their results come out,
//! the test command is the one that continuous integration runs, and links lead somewhere.
//!
//! After a wanted change of what the program prints: `KALAH_UPDATE_README=1 cargo test -p kalah-cli --test readme`, then read
//! the difference.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use program::{home, run};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap().replace("\r\n", "\n")
}

fn readme() -> String {
    page("README.md")
}

/// A shell line of plain words and single quotes as the arguments after `kalah`. A comment at its end is left out.
fn arguments(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (i, part) in line.split("  #").next().unwrap().split('\'').enumerate() {
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

/// What changes from run to run and from machine to machine becomes a word.
fn masked(text: &str) -> String {
    let mask = |line: &str| {
        if line.starts_with("work: ") {
            "work:   …".to_owned()
        } else if let Some((layers, _)) = line.split_once(" in /").filter(|(layers, _)| layers.starts_with("layers: "))
        {
            format!("{layers} in …")
        } else {
            without_times(line)
        }
    };
    text.lines().map(mask).collect::<Vec<_>>().join("\n")
}

/// The line with `in …` for times such as `in 3 ms` and `in under 1 ms`.
fn without_times(line: &str) -> String {
    let is_time = |words: &[&str]| match words {
        ["in", number, unit, ..] => {
            number.starts_with(|first: char| first.is_ascii_digit())
                && matches!(unit.trim_end_matches([';', ',', '.']), "ms" | "s" | "min")
        }
        _ => false,
    };
    let mut words: Vec<&str> = line.split(' ').collect();
    let mut at = 0;
    while at < words.len() {
        if words[at..].starts_with(&["in", "under"]) {
            words.remove(at + 1);
        }
        if is_time(&words[at..]) {
            words[at + 1] = match words.remove(at + 2).chars().next_back() {
                Some(';') => "…;",
                Some(',') => "…,",
                Some('.') => "….",
                _ => "…",
            };
        }
        at += 1;
    }
    words.join(" ")
}

/// A block of commands on a page: what comes after its three backticks, and its lines.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (info, after) = after.split_once('\n').unwrap();
        let (body, after) = match after.strip_prefix("```") {
            Some(after) => ("", after),
            None => after.split_once("\n```").unwrap(),
        };
        found.push((info, body));
        rest = after;
    }
    found
}

/// Runs one command line in `home`; `> FILE` at its end writes what it prints to a file. Returns what else it prints.
fn run_line(home: &TempDir, line: &str, code: i32) -> String {
    let (command, file) = line.split_once(" > ").map_or((line, None), |(command, file)| (command, Some(file)));
    let arguments = arguments(command);
    let ran = run(home, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.code, Some(code), "{line}: {ran:?}");
    match file {
        Some(file) => {
            fs::write(home.path().join(file), &ran.out).unwrap();
            String::new()
        }
        None => ran.out,
    }
}

/// Runs the `$ kalah …` line of every `console` block and compares; `console exit=5` expects that exit code. On a page that is
/// followed from its top (`together`) all commands share a directory, and the lines of `sh` blocks are run too.
fn check_commands(name: &str, together: bool, at_least: usize) {
    let text = page(name);
    let update = std::env::var_os("KALAH_UPDATE_README").is_some();
    let mut updated = text.clone();
    let mut count = 0;
    let shared = home();
    for (info, body) in blocks(&text) {
        if info == "sh" && together {
            for line in body.lines().filter(|line| line.starts_with("kalah ")) {
                run_line(&shared, line, 0);
                count += 1;
            }
        }
        let Some(line) = body.lines().next().and_then(|line| line.strip_prefix("$ ")) else { continue };
        if !info.starts_with("console") || !line.starts_with("kalah ") {
            continue;
        }
        let code = info.split_once("exit=").map_or(0, |(_, code)| code.parse().unwrap());
        let shown = body.split_once('\n').map_or("", |(_, shown)| shown);
        let own = home();
        let now = masked(&run_line(if together { &shared } else { &own }, line, code));
        updated = updated
            .replace(&format!("```{info}\n{body}\n```"), &format!("```{info}\n$ {line}\n{}\n```", now.trim_end()));
        if !update {
            assert_eq!(now.trim_end(), masked(shown), "{name}: {line}");
        }
        count += 1;
    }
    assert!(count >= at_least, "only {count} commands found in {name}");
    if updated != text && update {
        fs::write(root().join(name), updated).unwrap();
    }
}

#[test]
fn commands_of_the_readme_print_what_is_shown() {
    check_commands("README.md", false, 3);
}

#[test]
fn commands_of_the_tour_print_what_is_shown() {
    check_commands("docs/tour.md", true, 10);
}

/// The pits of a row such as `0 3`.
fn row(text: &str) -> [u64; 2] {
    let mut pits = text.split_whitespace().map(|pit| pit.parse().unwrap());
    [pits.next().unwrap(), pits.next().unwrap()]
}

/// What the program says a position with these rows, the mover's first, is worth to its mover.
fn value(home: &TempDir, mover: [u64; 2], opponent: [u64; 2]) -> i64 {
    let position = format!("<2,0,0,{},{},{},{}>", mover[0], mover[1], opponent[0], opponent[1]);
    let ran = run(home, &["query", &position, "--json"]);
    assert_eq!(ran.code, Some(0), "{position}: {ran:?}");
    serde_json::from_str::<serde_json::Value>(&ran.out).unwrap()["value_mover"].as_i64().unwrap()
}

/// A margin as the tour writes it, with a sign that is as wide as a plus.
fn margin(text: &str) -> i64 {
    text.trim().replace('−', "-").parse().unwrap()
}

#[test]
fn the_layer_of_the_tour_is_the_one_the_program_numbers() {
    let text = page("docs/tour.md");
    let home = home();
    let layer = kalah_index::Layer::new(2, 2).unwrap();
    let pits = |row: u64| [row & 255, row >> 8];
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ") && line.contains(" + ")).collect();
    assert_eq!(rows.len() as u64, layer.positions());
    for (rank, line) in rows.into_iter().enumerate() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [section, stated, position, distance, worth] = cells[..] else { panic!("{line}") };
        let (mover, opponent) = position.trim_matches('`').split_once(" / ").unwrap();
        let (mover, opponent) = (row(mover), row(opponent));
        let (first, second) = layer.unrank(rank as u64);
        assert_eq!((pits(first), pits(second)), (mover, opponent), "{line}");
        assert_eq!(stated, rank.to_string(), "{line}");
        assert_eq!(section, format!("{} + {}", mover[0] + mover[1], opponent[0] + opponent[1]));
        assert_eq!(distance, (2 * mover[0] + mover[1] + 2 * opponent[0] + opponent[1]).to_string(), "{line}");
        assert_eq!(margin(worth), value(&home, mover, opponent), "{line}");
    }
}

#[test]
fn the_game_of_the_tour_has_the_values_the_program_finds() {
    let text = page("docs/tour.md");
    let home = home();
    let mut count = 0;
    for line in text.lines().skip_while(|line| !line.contains("seeds  value")).skip(1).take_while(|line| *line != "```")
    {
        let (left, right) = line.split_once(" / ").unwrap();
        let mover = row(&left[left.len() - 3..]);
        let opponent = row(&right[..3]);
        let mut numbers = right[3..].trim_start().trim_start_matches("over").split_whitespace();
        let seeds: u64 = numbers.next().unwrap().parse().unwrap();
        assert_eq!(seeds, mover.iter().chain(&opponent).sum::<u64>(), "{line}");
        assert_eq!(margin(numbers.next().unwrap()), value(&home, mover, opponent), "{line}");
        count += 1;
    }
    assert_eq!(count, 19);
}

/// A row of the README's table of results.
struct Row {
    line: String,
    start: String,
    rules: String,
    value: i64,
    command: String,
    made: String,
}

fn rows() -> Vec<Row> {
    let text = readme();
    let lines = text.lines().filter(|line| line.starts_with("| Kalah("));
    let rows: Vec<Row> = lines
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [start, rules, value, command, made] = cells[..] else { panic!("{line}") };
            Row {
                line: line.to_owned(),
                start: start.to_owned(),
                rules: rules.trim_matches('`').to_owned(),
                value: value.split([' ', ',']).next().unwrap().parse().unwrap(),
                command: command.trim_matches('`').to_owned(),
                made: made.to_owned(),
            }
        })
        .collect();
    assert!(rows.len() >= 5, "only {} results found", rows.len());
    rows
}

/// Runs a command of the table in `home`; its answer must be the row's. Returns where the answer says it came from.
fn check_row(home: &TempDir, row: &Row, command: &str) -> String {
    let mut arguments = arguments(command);
    arguments.push("--json".to_owned());
    let ran = run(home, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["value_mover"], row.value, "{}", row.line);
    assert_eq!(answer["rules"], row.rules, "{}", row.line);
    let numbers = row.start.trim_start_matches("Kalah(").trim_end_matches(')').replace(',', " ");
    assert!(command.starts_with(&format!("kalah solve {numbers}")), "{}", row.line);
    answer["source"].as_str().unwrap().to_owned()
}

/// A directory with the solutions that this repository carries.
fn home_of_a_clone() -> TempDir {
    let home = home();
    let kept = home.path().join("kalah/layers/solutions");
    fs::create_dir_all(&kept).unwrap();
    for solution in fs::read_dir(root().join("solver-db/solutions")).unwrap() {
        let solution = solution.unwrap();
        fs::copy(solution.path(), kept.join(solution.file_name())).unwrap();
    }
    home
}

#[test]
fn results_are_made_as_their_rows_say() {
    for row in rows() {
        assert_eq!(row.made.starts_with("kept;"), row.command.ends_with(" --again"), "{}", row.line);
        assert!(row.made.starts_with("kept;") || row.made.starts_with("searched when you ask"), "{}", row.line);
        if row.start == "Kalah(6,4)" {
            continue; // The slow test below.
        }
        let source = check_row(&home_of_a_clone(), &row, row.command.trim_end_matches(" --again"));
        assert_eq!(row.made.starts_with("kept;"), source == "solution", "{} comes from {source}", row.line);
    }
}

#[test]
#[ignore = "up to some minutes; run with: cargo test -p kalah-cli --test readme -- --ignored kalah_6_4"]
fn kalah_6_4_is_searched_anew() {
    let rows = rows();
    let anew: Vec<&Row> = rows.iter().filter(|row| row.start == "Kalah(6,4)").collect();
    assert_eq!(anew.len(), 2);
    for row in anew {
        assert_eq!(check_row(&home_of_a_clone(), row, &row.command), "search");
    }
    // The first command of the README, whose output is shown up to a line with an ellipsis.
    let text = readme();
    let (_, block) = text.split_once("```console\n$ cargo run --release -- solve 6 4\n").unwrap();
    let shown = block.split_once("\n…\n```").unwrap().0;
    let now = masked(&run_line(&home_of_a_clone(), "kalah solve 6 4", 0));
    let now: Vec<&str> = now.lines().take(shown.lines().count()).collect();
    if std::env::var_os("KALAH_UPDATE_README").is_some() {
        fs::write(root().join("README.md"), text.replace(shown, &now.join("\n"))).unwrap();
    } else {
        assert_eq!(now.join("\n"), shown);
    }
}

#[test]
#[ignore = "an hour, 24 GB of memory, 11 GB of disk; run with: cargo test -p kalah-cli --test readme -- --ignored kept"]
fn kept_results_are_searched_anew() {
    for row in rows().iter().filter(|row| row.made.starts_with("kept;")) {
        assert_eq!(check_row(&home_of_a_clone(), row, &row.command), "search");
    }
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
    let pages = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect::<Vec<_>>()
    };
    let files: Vec<PathBuf> =
        [".", "docs", "docs/log", "solver-db", "crates/database"].into_iter().flat_map(pages).collect();
    assert!(files.len() > 15, "only {} pages found", files.len());
    for file in files {
        let name = file.display();
        let text = fs::read_to_string(&file).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if !link.starts_with("http") {
                let path = file.parent().unwrap().join(link.split('#').next().unwrap());
                assert!(path.exists(), "{name} links to {link}");
            }
        }
    }
}
