//! Answers of the program: the fields of its JSON, answers line by line, lines of play that hold, and bounds that are true.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use kalah_rules::{RuleSet, Side, State};
use program::{Ran, answer, build, home, kalah, run};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

/// Fields of an answer in their order.
const ANSWER: [&str; 25] = [
    "rules",
    "rules_hash",
    "position",
    "to_move",
    "mover",
    "south",
    "end_south",
    "value_mover",
    "value_south",
    "bound",
    "final",
    "source",
    "stopped",
    "moves",
    "best_moves",
    "pv",
    "pv_turns",
    "pv_final",
    "nodes",
    "database_probes",
    "table_hits",
    "seconds",
    "database_layers",
    "threads",
    "version",
];

/// Fields of a move in their order.
const MOVE: [&str; 15] = [
    "move",
    "pit",
    "extra",
    "captured",
    "banked",
    "position",
    "to_move",
    "mover",
    "south",
    "end_south",
    "value_mover",
    "value_south",
    "bound",
    "loss",
    "best",
];

/// The names of an object's fields in the order of the text, which parsing forgets.
fn fields(text: &str) -> Vec<String> {
    let (mut depth, mut names, mut rest) = (0, Vec::new(), text);
    while let Some(at) = rest.find(['{', '[', '}', ']', '"']) {
        let found = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match found {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {
                let (string, behind) = rest.split_once('"').unwrap();
                if depth == 1 && behind.starts_with(':') {
                    names.push(string.to_owned());
                }
                rest = behind;
            }
        }
    }
    names
}

/// Checks that a line is an answer with every field, and returns it.
fn checked(line: &str) -> Value {
    assert_eq!(fields(line), ANSWER, "{line}");
    let value: Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| value[name].as_str().unwrap_or_else(|| panic!("{name} is text: {line}"));
    assert!(text("rules").parse::<RuleSet>().is_ok());
    assert_eq!(text("rules_hash").len(), 16);
    let state: State = text("position").parse().unwrap();
    assert_eq!(state.to_string(), text("position"), "canonical out");
    assert_eq!(text("to_move"), state.to_move().letter());
    assert!(["exact", "at_least", "at_most", "window", "unknown"].contains(&text("bound")));
    assert!(["finished", "database", "search", "solution"].contains(&text("source")));
    assert_eq!(text("version"), env!("CARGO_PKG_VERSION"));
    for name in ["nodes", "database_probes", "table_hits", "threads"] {
        assert!(value[name].is_u64(), "{name}: {line}");
    }
    assert!(value["seconds"].is_f64());
    let sign = if state.to_move() == Side::South { 1 } else { -1 };
    let lead = i64::from(state.store(Side::South)) - i64::from(state.store(Side::North));
    let turned = |value: &Value, line: &str| {
        let [mover, south] = ["value_mover", "value_south"].map(|name| value[name].as_i64());
        assert_eq!(mover.map(|mover| sign * mover), south, "{line}");
        let ends = |name: &str| ["lower", "upper"].map(|end| value[name][end].as_i64().unwrap());
        let [lower, upper] = ends("mover");
        let seen = if sign > 0 { [lower, upper] } else { [-upper, -lower] };
        assert_eq!(ends("south"), seen, "{line}");
        assert_eq!(ends("end_south"), seen.map(|end| lead + end), "{line}");
        assert_eq!(mover, (lower == upper).then_some(lower), "{line}");
        assert_eq!(value["bound"] == "exact", lower == upper, "{line}");
    };
    turned(&value, line);
    for found in value["moves"].as_array().unwrap() {
        turned(found, line);
        assert!(found["extra"].is_boolean());
        assert_eq!(found["move"].as_str().unwrap(), found["pit"].to_string());
        let after: State = found["position"].as_str().unwrap().parse().unwrap();
        assert_eq!(found["to_move"].as_str().unwrap(), after.to_move().letter());
    }
    if let Some(moves) = line.split_once("\"moves\":[{") {
        let first = moves.1.split_once("},{\"move\"").or_else(|| moves.1.split_once("}]")).unwrap().0;
        assert_eq!(fields(&format!("{{{first}}}")), MOVE, "{line}");
    }
    value
}

/// Plays the line of an exact answer by the rules; it must end the game at the stated value.
fn line_of_play_holds(value: &Value) {
    let rules: RuleSet = value["rules"].as_str().unwrap().parse().unwrap();
    let state: State = value["position"].as_str().unwrap().parse().unwrap();
    let game = rules.game(state.pits()).unwrap();
    let mut now = state;
    for pit in value["pv"].as_array().unwrap() {
        now = now.play(&game, pit.as_str().unwrap().parse().unwrap()).unwrap().state;
    }
    let turns: Vec<String> = strings(&value["pv_turns"]);
    assert_eq!(turns.join("-").split('-').map(str::to_owned).collect::<Vec<_>>(), strings(&value["pv"]));
    let totals = [now.store(Side::South), now.store(Side::North)].map(i64::from);
    let stated = |name: &str| value[name].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect::<Vec<_>>();
    assert_eq!(stated("pv_final"), totals, "{value}");
    assert_eq!(stated("final"), totals, "{value}");
    let before = i64::from(state.store(Side::South)) - i64::from(state.store(Side::North));
    assert_eq!(totals[0] - totals[1] - before, value["value_south"].as_i64().unwrap(), "{value}");
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn solve_says_everything_it_should() {
    let home = home();
    let text = answer(&home, &["solve", "4", "3", "--layers", "12", "--json"]);
    let value = checked(text.trim_end());
    line_of_play_holds(&value);
    assert_eq!(value["value_mover"], 6);
    assert_eq!(value["final"], serde_json::json!([15, 9]));
    assert_eq!(value["bound"], "exact");
    assert_eq!(value["best_moves"], serde_json::json!(["2"]));
    assert_eq!(value["database_layers"], 12);
    let moves = value["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    for found in moves {
        let value_of = |found: &Value| found["value_mover"].as_i64().unwrap();
        assert_eq!(found["loss"].as_i64().unwrap(), 6 - value_of(found));
        assert_eq!(found["best"].as_bool().unwrap(), value_of(found) == 6);
    }
    // The layers stay, so that the next question needs none.
    assert!(home.path().join("kalah/layers/kalah_4_12.layer").is_file());
    let text = answer(&home, &["query", "<4,1,0,3,0,4,4,3,3,3,3>", "--json"]);
    assert_eq!(checked(text.trim_end())["value_mover"], 5, "one seed is banked already");
}

#[test]
fn the_four_rule_sets_disagree() {
    let home = home();
    for (rules, value) in [("kalah", 6), ("kalah-empty", 8)] {
        let text = answer(&home, &["solve", "4", "3", "--rules", rules, "--json"]);
        assert_eq!(checked(text.trim_end())["value_mover"], value, "{rules}");
    }
    let text = answer(&home, &["rules", "<3,0,0,0,0,2,3,0,0>", "--json"]);
    let values: Vec<i64> = text.lines().map(|line| checked(line)["value_mover"].as_i64().unwrap()).collect();
    assert_eq!(values, [-3, -3, 1, 1]);
}

#[test]
fn every_printed_position_can_be_asked_again() {
    let home = home();
    let directory = home.path().join("layers");
    build(&home, &directory, "kalah", 4, 16);
    let place = directory.to_str().unwrap();
    let text = answer(&home, &["query", "<4,2,1,2,0,3,1,1,4,0,2>", "--database", place, "--json"]);
    let root = checked(text.trim_end());
    assert_eq!(root["source"], "database");
    line_of_play_holds(&root);
    let sign = |value: &Value| if value["to_move"] == root["to_move"] { 1 } else { -1 };
    for found in root["moves"].as_array().unwrap() {
        let position = found["position"].as_str().unwrap();
        let text = answer(&home, &["query", position, "--database", place, "--json"]);
        let child = checked(text.trim_end());
        line_of_play_holds(&child);
        assert_eq!(child["position"], position);
        // A child after an extra move belongs to the same player; the seeds banked on the way are added.
        let state: State = root["position"].as_str().unwrap().parse().unwrap();
        let after: State = position.parse().unwrap();
        let mover = state.to_move();
        let won = |side| i64::from(after.store(side)) - i64::from(state.store(side));
        let expected = won(mover) - won(mover.other()) + sign(&child) * child["value_mover"].as_i64().unwrap();
        assert_eq!(found["value_mover"].as_i64().unwrap(), expected, "{position}");
    }
}

#[test]
fn positions_are_read_line_by_line() {
    let home = home();
    let directory = home.path().join("layers");
    build(&home, &directory, "kalah", 3, 9);
    let mut child = kalah(&home, &["query", "-", "--database", directory.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(
            b"\xef\xbb\xbf<3,0,0,1,1,1,1,1,1>\r\n\n# a comment\nnonsense\nstart:2x2\n\xff\xfe\n3 0 0 0 1 0 0 0 2 N",
        )
        .unwrap();
    drop(input);
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5, "{ran:?}");
    assert_eq!(lines[0]["source"], "database");
    assert_eq!(lines[1]["error"]["kind"], "position");
    assert_eq!((lines[2]["source"].as_str(), lines[2]["value_mover"].as_i64()), (Some("search"), Some(-2)));
    assert_eq!(lines[3]["error"]["kind"], "position");
    assert_eq!(lines[4]["to_move"], "N");
    for line in [0, 2, 4] {
        line_of_play_holds(&lines[line]);
    }
}

/// Whether what is said of a value is true.
fn holds(found: &Value, truth: i64) -> bool {
    let [lower, upper] = ["lower", "upper"].map(|end| found["mover"][end].as_i64().unwrap());
    lower <= truth && truth <= upper
}

#[test]
fn a_limit_gives_true_bounds_and_its_exit_code() {
    let home = home();
    let nodes = (["--nodes", "100000"], "the limit of searched positions was reached");
    let time = (["--time", "400ms"], "the time limit was reached");
    for (limit, why) in [nodes, time] {
        let ran = run(&home, &["query", "start:6x4", limit[0], limit[1], "--json"]);
        assert_eq!(ran.code, Some(5), "{ran:?}");
        let value = checked(ran.out.trim_end());
        assert!(holds(&value, 8), "{value}");
        assert_ne!(value["bound"], "exact", "no machine solves it so soon without layers");
        assert_eq!((&value["pv"], &value["final"]), (&serde_json::json!([]), &Value::Null));
        for (pit, truth) in [(1, -14), (2, -10), (3, 8), (4, -2), (5, -8), (6, 4)] {
            let moves = value["moves"].as_array().unwrap();
            let found = moves.iter().find(|found| found["pit"] == pit).unwrap();
            assert!(holds(found, truth), "pit {pit}: {value}");
            assert_eq!(found["loss"], Value::Null);
        }
        let ran = run(&home, &["query", "start:6x4", limit[0], limit[1]]);
        assert_eq!(ran.code, Some(5));
        assert!(ran.out.contains(why), "{ran:?}");
    }
}

#[test]
fn a_finished_game_is_answered_with_its_sweep() {
    let home = home();
    let text = answer(&home, &["query", "<6,10,8,0,0,0,0,0,0,2,0,3,0,0,1>", "--json"]);
    let value = checked(text.trim_end());
    assert_eq!(value["source"], "finished");
    assert_eq!(value["value_south"], -6);
    assert_eq!(value["final"], serde_json::json!([10, 14]));
    assert_eq!(value["moves"], serde_json::json!([]));
    let text = answer(&home, &["query", "<6,10,8,0,0,0,0,0,0,2,0,3,0,0,1>"]);
    assert!(text.contains("the game is over: North wins 14–10"), "{text}");
}

#[test]
fn more_than_eighteen_seeds_in_a_pit_are_fine() {
    let home = home();
    let text = answer(&home, &["query", "<1,0,0,100,27>", "--json"]);
    line_of_play_holds(&checked(text.trim_end()));
}

#[test]
fn looking_up_a_position_searches_nothing() {
    let home = home();
    let directory = home.path().join("layers");
    build(&home, &directory, "kalah", 6, 12);
    let place = directory.to_str().unwrap();
    let position = "<6,0,0,1,1,1,1,1,1,1,1,1,1,1,1>";
    let value = checked(answer(&home, &["query", position, "--database", place, "--json"]).trim_end());
    assert_eq!((&value["source"], &value["nodes"]), (&Value::from("database"), &Value::from(0)), "{value}");
}

#[test]
fn the_answer_for_people_says_rules_source_and_bound() {
    let home = home();
    let text = answer(&home, &["solve", "3", "2", "--layers", "6", "--rules", "kalah-empty"]);
    for words in [
        "Kalah(3,2), rules kalah-empty: South (to move) wins 8–4 (+4)",
        "South, from here",
        "at the end",
        "line of play (ends with South wins 8–4):\n  South ",
        "exact, from search",
        "0 to 6 seeds in ",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
}

#[test]
fn explanations_and_counts() {
    let home = home();
    let text = answer(&home, &["explain", "<6,0,0,0,0,1,0,0,2,3,0,4,0,0,1>", "3"]);
    assert!(text.contains("<6,5,0,0,0,0,0,0,2,3,0,0,0,0,1> N"), "{text}");
    let text = answer(&home, &["explain", "start:6x4", "3-6", "--json"]);
    let told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.len(), 2);
    assert_eq!((&told[0]["pit"], &told[0]["banked"]), (&3.into(), &1.into()));
    // A line of play: both players' turns, the board drawn before the first move and after each.
    let text = answer(&home, &["explain", "start:6x4", "3-6", "5", "2,1"]);
    assert_eq!(text.matches(" to move\n").count(), 6, "{text}");
    assert!(text.contains("North sows the 4 seeds of pit 5.") && text.contains("│ 4 │"), "{text}");
    // A finished game tells its result, whatever move is asked for.
    for arguments in [&["explain", "<3,1,0,0,0,0,1,1,1>", "1"][..], &["explain", "<3,1,0,0,0,0,1,1,1>"]] {
        let text = answer(&home, arguments);
        assert!(text.contains("South's row is empty") && text.contains("North wins by 2."), "{text}");
        let told: Value = serde_json::from_str(&answer(&home, &[arguments, &["--json"]].concat())).unwrap();
        assert_eq!(told["final"], json!([1, 3]));
    }
    let text = answer(&home, &["explain", "<3,0,0,0,2,1,1,1,1>"]);
    assert!(text.contains("South can play pits 2, 3."), "{text}");
    for (arguments, count) in [
        (["perft", "6", "4", "6", "--rules", "kalah"], 23_233),
        (["perft", "6", "4", "6", "--rules", "kalah-empty"], 23_169),
    ] {
        let text = answer(&home, &[&arguments[..], &["--json", "--divide"]].concat());
        let counted: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(counted["count"], count);
        let shares = counted["divide"].as_array().unwrap().iter().map(|share| share["count"].as_u64().unwrap());
        assert_eq!(shares.sum::<u64>(), count);
    }
    let text = answer(&home, &["perft", "6", "4", "4", "--turns"]);
    assert!(text.contains("9,682 lines of play of 4 turns"), "{text}");
    // An opponent who cannot be fed ends a game of Awari.
    let text = answer(&home, &["perft", "3", "1", "5", "--turns", "--rules", "awari"]);
    assert!(text.contains(": 35 lines of play of 5 turns"), "{text}");
    let text = answer(&home, &["query", "<3,0,0,0,0,0,1,1,0> N", "--rules", "awari", "--json"]);
    let looked: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&looked["moves"], &looked["value_mover"], &looked["bound"]), (&json!([]), &2.into(), &"exact".into()));
}

#[test]
fn winning_openings_are_found_replayed_or_denied() {
    let home = home();
    let told = |arguments: &[&str], code: i32| -> Value {
        let ran = run(&home, &[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(code), "{ran:?}");
        serde_json::from_str(&ran.out).unwrap()
    };
    for pits in (4..=18u64).chain([1, 2]) {
        let found = told(&["opening", &pits.to_string()], 0);
        assert_eq!(found["result"], "found", "{found}");
        let [store, own, opponent] = ["store", "own_left", "opponent_left"].map(|name| found[name].as_u64().unwrap());
        assert!(store >= 2 * pits * pits - pits && store + own + opponent == 2 * pits * pits, "{found}");
        let turn: Vec<String> = found["turn"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(found["moves"].as_u64().unwrap(), turn.len() as u64);
        let again = told(&["opening", &pits.to_string(), "--line", &turn.join("-")], 0);
        assert_eq!(again["result"], "wins");
        assert!(
            ["turn", "moves", "laps", "store", "turn_over"].iter().all(|name| found[name] == again[name]),
            "{again}"
        );
    }
    let none = told(&["opening", "3"], 1);
    assert_eq!((&none["result"], &none["turn"], &none["store"]), (&"impossible".into(), &Value::Null, &Value::Null));
    assert_eq!(told(&["opening", "7", "--line", "1-7"], 1)["result"], "does_not_win");
    assert_eq!(told(&["opening", "12", "--time", "0s"], 5)["result"], "unknown");
    let text = answer(&home, &["opening", "8"]);
    assert!(text.starts_with("Dakon-8, rules dakon: a winning first turn of ") && text.contains("  1-8-"), "{text}");
    for (arguments, kind, code) in [
        (&["opening", "8", "--rules", "kalah"][..], "rules", 2),
        (&["--rules", "congkak", "opening", "8"], "rules", 2),
        (&["opening", "65"], "position", 3),
        (&["opening", "8", "--line", "1-9"], "move", 3),
        (&["opening", "8", "--line", "1-x"], "move", 3),
    ] {
        assert_eq!(told(arguments, code)["error"]["kind"], kind, "{arguments:?}");
    }
}

#[test]
fn manual_pages_and_scripts_have_no_json_form() {
    let home = home();
    for arguments in [&["man"][..], &["man", "solve"], &["completions", "bash"]] {
        assert_eq!(run(&home, arguments).code, Some(0));
        let ran = run(&home, &[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let error: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(error["error"]["kind"], "usage", "{ran:?}");
    }
}

#[test]
fn answers_fit_the_screen_whatever_it_is() {
    let home = home();
    let asked = |variables: &[(&str, &str)], more: &[&str]| -> String {
        let mut command = kalah(&home, &[&["query", "start:4x2"][..], more].concat());
        command.envs(variables.iter().copied());
        let ran: Ran = command.output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    let table = |text: &str| -> Vec<String> {
        text.lines().take_while(|line| !line.starts_with("rules: ")).map(str::to_owned).collect()
    };
    let usual = asked(&[], &[]);
    assert!(table(&usual).iter().all(|line| line.chars().count() <= 80), "{usual}");
    assert!(usual.contains('┌') && usual.contains('─') && !usual.contains('\x1b'), "{usual}");
    let wide = asked(&[("COLUMNS", "120")], &[]);
    assert!(wide.contains("position after the move") && !usual.contains("position after the move"), "{wide}");
    // No locale, a locale without UTF-8 and the option all give the same plain text.
    for (variables, more) in [
        (&[("LC_ALL", "C")][..], &[][..]),
        (&[], &["--ascii"]),
        (&[("LC_ALL", ""), ("LC_CTYPE", ""), ("LANG", "")], &[]),
    ] {
        let plain = asked(variables, more);
        assert!(plain.is_ascii() && plain.contains("+---"), "{variables:?} {more:?}: {plain}");
    }
    let colour = asked(&[("CLICOLOR_FORCE", "1")], &[]);
    assert!(colour.contains("\x1b[1mbest\x1b[0m"), "{colour:?}");
    assert!(!asked(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]).contains('\x1b'));
}

#[test]
fn a_kept_solution_says_when_it_had_its_layers() {
    let home = home();
    answer(&home, &["solve", "4", "3", "--layers", "12"]);
    let layers = home.path().join("kalah/layers");
    for entry in std::fs::read_dir(&layers).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
        std::fs::remove_file(entry.path()).unwrap();
    }
    let text = answer(&home, &["solve", "4", "3"]);
    assert!(text.contains("layers: 0 to 12 seeds when it was solved"), "{text}");
    std::fs::remove_dir_all(layers).unwrap();
    let text = answer(&home, &["query", "<3,0,0,1,1,1,1,1,1>"]);
    assert!(text.contains("which does not exist"), "{text}");
}

#[test]
fn a_value_alone_can_be_asked_for() {
    let home = home();
    let text = answer(&home, &["query", "start:4x3", "--value", "--json"]);
    let value = checked(text.trim_end());
    line_of_play_holds(&value);
    assert_eq!((&value["value_mover"], &value["stopped"]), (&6.into(), &Value::Null));
}

#[test]
fn one_rule_set_is_explained_by_its_name() {
    let home = home();
    let text = answer(&home, &["rules", "avalanche"]);
    assert!(text.contains("  avalanche ") && text.contains("  +pie") && !text.contains("  kalah "), "{text}");
    let names: Vec<Value> = answer(&home, &["rules", "avalanche", "--json"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(names[0]["name"], "avalanche");
    assert!(names[1..].iter().all(|found| strings(&found["rule_sets"]).contains(&"avalanche".to_owned())), "{names:?}");
}

#[test]
fn games_that_repeat_say_what_would_help() {
    let home = home();
    for (rules, words) in [
        ("awari", "'kalah build --rules awari --pits 6 --seeds 48' builds them"),
        ("oware", "depends on the moves before it"),
    ] {
        let ran = run(&home, &["query", "start:6x4", "--rules", rules, "--layers", "0", "--nodes", "100000"]);
        assert!(ran.code == Some(5) && !ran.out.contains("limit came first"), "{ran:?}");
        let text = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        if rules == "oware" {
            assert!(text.contains("positions of this game repeat") && text.contains(words), "{ran:?}");
        } else {
            assert!(text.contains("the limit of searched positions was reached"), "{ran:?}");
            let free = run(&home, &["query", "start:6x4", "--rules", rules, "--layers", "0"]);
            let text = free.out.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(free.code == Some(5) && text.contains(words), "{free:?}");
        }
    }
    // One legal move that ends the game is an exact answer with totals, whatever the rules of repetition.
    let text = answer(&home, &["query", "0-0-0-0-0-1-1-0-0-0-0-0-24-22-S", "--rules", "oware", "--json"]);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&value["value_mover"], &value["final"], &value["stopped"]),
        (&(-2).into(), &json!([24, 24]), &Value::Null)
    );
}

#[test]
fn no_place_for_data_is_no_reason_to_fail() {
    for variables in [&[("HOME", "/dev/null"), ("XDG_DATA_HOME", "")][..], &[("HOME", ""), ("XDG_DATA_HOME", "")]] {
        let home = home();
        let mut command = kalah(&home, &["solve", "3", "2", "--layers", "4", "--json"]);
        command.envs(variables.iter().copied());
        let ran: Ran = command.output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(checked(ran.out.trim_end())["value_mover"], 4, "{ran:?}");
        assert!(ran.err.contains("warning: ") && ran.err.contains("searching without new layers"), "{ran:?}");
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0, "nothing is written unasked");
    }
}
