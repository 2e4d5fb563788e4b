//! Every command's JSON is what `docs/json.schema.json` says, and every object there is printed by a command here.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use jsonschema::Validator;
use program::{home, run};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const SCHEMA: &str = include_str!("../../../docs/json.schema.json");
const PAGE: &str = include_str!("../../../docs/json.md");

/// Commands in the order in which they run in one directory: the object that each line must be, the exit code, the arguments.
const COMMANDS: &[(&[&str], i32, &str)] = &[
    (&["plan"], 0, "build --pits 3 --seeds 6 --dry-run"),
    (&["built"], 0, "build --pits 3 --seeds 6"),
    (&["file"], 0, "list"),
    (&["verified"], 0, "verify"),
    (&["verified", "derived"], 0, "verify --values --pits 3"),
    (&["statistics"], 0, "stats --pits 3"),
    (&["checksum"], 0, "checksums --pits 3"),
    (&["answer"], 0, "solve 3 2"),
    (&["answer"], 0, "solve 3 2"),
    (&["answer"], 0, "solve 3 2 --rules kalah+pie"),
    (&["answer"], 0, "solve 4 3 --value --again"),
    (&["answer"], 0, "query start:3x1"),
    (&["answer"], 0, "query <3,0,0,0,0,0,1,1,1>"),
    (&["answer"], 5, "query start:6x5 --layers 0 --nodes 1000"),
    (&["answer"], 5, "query start:6x4 --rules oware"),
    (&["answer"], 0, "query <6,24,22,0,0,0,0,0,1,1,0,0,0,0,0> --rules oware"),
    (&["answer"], 0, "rules <3,0,0,0,0,2,3,0,0>"),
    (&["rule"], 0, "rules"),
    (&["explanation"], 0, "explain start:6x4 3-6"),
    (&["explanation"], 0, "explain start:4x4 2 --rules dakon"),
    (&["ending"], 0, "explain <3,1,0,0,0,0,1,1,1>"),
    (&["legal"], 0, "explain start:6x4"),
    (&["perft"], 0, "perft 4 3 3 --divide"),
    (&["perft"], 0, "perft 4 3 3 --turns"),
    (&["certificate"], 0, "certify 3 2 --output proof --layers 4"),
    (&["certificate"], 0, "certify --check proof"),
    (&["opening"], 0, "opening 5"),
    (&["opening"], 1, "opening 3"),
    (&["cell"], 0, "atlas --pits 1..2 --seeds 1..2 --no-leftovers --budget 5s --output atlas"),
    (&["fair"], 0, "fair --pits 3 --seeds 2 --moved 1 --state fair.journal"),
    (&["claim"], 0, "reproduce --list"),
    (&["report"], 0, "reproduce --up-to instant --state reproduce.journal"),
    (&["work"], 0, "work list --output results"),
    (&["merged"], 5, "merge list results"),
    (&["converted"], 0, "convert --pits 3 --codec packed"),
    (&["error"], 3, "query nonsense"),
    (&["error"], 2, "solve 6 4 --rules nonsense"),
    (&["error"], 2, "solve"),
    (&["error"], 4, "verify --database nowhere"),
];

/// One validator for each object of the schema.
fn validators() -> BTreeMap<String, Validator> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let names = schema["$defs"].as_object().unwrap().keys();
    names
        .map(|name| {
            let one =
                json!({"$schema": schema["$schema"], "$ref": format!("#/$defs/{name}"), "$defs": schema["$defs"]});
            (name.clone(), jsonschema::validator_for(&one).unwrap())
        })
        .collect()
}

/// Which of the objects a line is, and what is wrong with it if it is none of them.
fn object<'a>(line: &str, allowed: &[&'a str], validators: &BTreeMap<String, Validator>) -> Result<&'a str, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let mut wrong = String::new();
    for &name in allowed {
        let errors: Vec<String> = validators[name].iter_errors(&value).map(|error| error.to_string()).collect();
        if errors.is_empty() {
            return Ok(name);
        }
        wrong += &format!("{name}: {}\n", errors.join("\n"));
    }
    Err(wrong)
}

#[test]
fn every_command_prints_what_the_schema_says() {
    let (home, validators) = (home(), validators());
    let mut seen = BTreeSet::from(["bench_search", "bench_total", "compared"]);
    let list = run(&home, &["solve", "3", "3", "--split", "4", "--layers", "3"]);
    assert_eq!(list.code, Some(0), "{list:?}");
    std::fs::write(home.path().join("list"), list.out).unwrap();
    for (allowed, code, arguments) in COMMANDS {
        let arguments: Vec<&str> = arguments.split(' ').chain(["--json"]).collect();
        let ran = run(&home, &arguments);
        assert_eq!(ran.code, Some(*code), "{arguments:?}: {ran:?}");
        assert!(!ran.out.is_empty(), "{arguments:?}: {ran:?}");
        for line in ran.out.lines() {
            match object(line, allowed, &validators) {
                Ok(name) => _ = seen.insert(name),
                Err(wrong) => panic!("{arguments:?} printed\n{line}\n{wrong}"),
            }
        }
    }
    // Parts of other objects are printed with them; 'bench' takes a minute and is compared below.
    let parts = ["window", "move", "extreme"];
    let all: BTreeSet<&str> = validators.keys().map(String::as_str).filter(|name| !parts.contains(name)).collect();
    assert_eq!(seen, all, "every object of the schema is printed by some command");
}

#[test]
fn a_wrong_answer_is_noticed() {
    let (home, validators) = (home(), validators());
    let whole: Value = serde_json::from_str(&run(&home, &["solve", "3", "1", "--json"]).out).unwrap();
    let check = |value: &Value| object(&value.to_string(), &["answer"], &validators);
    assert_eq!(check(&whole), Ok("answer"));
    for name in whole.as_object().unwrap().keys() {
        let mut without = whole.clone();
        without.as_object_mut().unwrap().remove(name);
        assert!(check(&without).is_err(), "{name} may not be left out");
    }
    for (path, value) in [
        ("/bound", json!("about")),
        ("/mover", json!(4)),
        ("/mover/lower", json!("4")),
        ("/moves/0/value_south", json!("at least 4")),
        ("/rules_hash", json!("12")),
        ("/surplus", json!(1)),
    ] {
        let mut other = whole.clone();
        match other.pointer_mut(path) {
            Some(place) => *place = value,
            None => _ = other.as_object_mut().unwrap().insert("surplus".to_owned(), value),
        }
        assert!(check(&other).is_err(), "{path}");
    }
}

#[test]
fn the_page_names_every_object() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for name in schema["$defs"].as_object().unwrap().keys() {
        let part = ["window", "move", "extreme", "answer", "error"].contains(&name.as_str());
        assert!(part || PAGE.contains(&format!("`{name}`")), "docs/json.md does not name `{name}`");
    }
}
