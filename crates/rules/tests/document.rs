//! docs/rules.md says nothing that the code does not do: its tables are read and played, its drawings are drawn again.
//!
//! After a wanted change of a drawing: `KALAH_REWRITE=1 cargo test -p kalah-rules --test document`, then read the difference.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_brute_force::{Minimax, start_value};
use kalah_rules::{
    MoveError, Next, POSITION_FORMS, PictureStyle, RuleSet, SowingGame, State, explain_end, parse_turn, perft,
    perft_turns, picture,
};
use std::collections::BTreeSet;

/// The cells of all table lines with so many columns, quotes removed.
fn rows(document: &str, columns: usize) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let inner = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect::<Vec<_>>())
    };
    document.lines().filter_map(cells).filter(|cells| cells.len() == columns).collect()
}

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");

/// The words of a text, single spaces between them.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn document() -> String {
    std::fs::read_to_string(PATH).unwrap_or_else(|error| panic!("{PATH}: {error}"))
}

/// The board after moves under one rule set, drawn; or the board and why the moves cannot be played.
fn drawn_after(state: State, pits: &[u8], rules: &RuleSet) -> String {
    if let Some(ending) = explain_end(rules, &state) {
        return picture(&ending.state, PictureStyle::Boxes);
    }
    let game = rules.game(state.pits()).unwrap();
    let played = pits.iter().try_fold(state, |state, &pit| Ok(state.play(&game, pit)?.state));
    match played {
        Ok(after) => picture(&after, PictureStyle::Boxes),
        Err(MoveError::Starves { pit, .. }) => {
            let drawn = picture(&state, PictureStyle::Boxes);
            let (board, _) = drawn.rsplit_once('\n').unwrap();
            format!("{board}\nPit {pit} is illegal.")
        }
        Err(error) => panic!("{state}, {pits:?}, {rules}: {error}"),
    }
}

/// Pictures side by side, each with a title above it.
fn side_by_side(pictures: &[(String, String)]) -> String {
    let columns: Vec<Vec<&str>> =
        pictures.iter().map(|(title, drawn)| std::iter::once(title.as_str()).chain(drawn.lines()).collect()).collect();
    let width = |lines: &[&str]| lines.iter().map(|line| line.chars().count()).max().unwrap();
    let lines = (0..columns[0].len()).map(|line| {
        let cells = columns.iter().map(|lines| format!("{:1$}", lines[line], width(lines) + 4));
        cells.collect::<String>().trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The drawing that belongs to a line such as `<3,0,0,1,0,1,1,3,0> pit 1: kalah, kalah-empty`, and its rule sets.
fn drawing(head: &str) -> (String, Vec<String>) {
    let (what, rule_sets) = head.rsplit_once(": ").unwrap_or_else(|| panic!("{head}"));
    let (board, pits) = what.split_once(" pit").unwrap_or((what, ""));
    let state: State = board.parse().unwrap_or_else(|error| panic!("{head}: {error}"));
    let pits = if pits.is_empty() { Vec::new() } else { parse_turn(pits.trim_start_matches('s')).unwrap() };
    let rule_sets: Vec<String> = rule_sets.split(", ").map(str::to_owned).collect();
    let before = ("before".to_owned(), picture(&state, PictureStyle::Boxes));
    let after = rule_sets.iter().map(|rules| (rules.clone(), drawn_after(state, &pits, &rules.parse().unwrap())));
    let pictures: Vec<_> = std::iter::once(before).chain(after).collect();
    (side_by_side(&pictures), rule_sets)
}

#[test]
fn drawings_are_what_the_rules_do() {
    let document = document();
    let mut again = String::new();
    let mut drawn: BTreeSet<String> = BTreeSet::new();
    let mut blocks = document.split("```text\n<");
    again.push_str(blocks.next().unwrap());
    for block in blocks {
        let (inside, rest) = block.split_once("```").unwrap();
        let head = format!("<{}", inside.lines().next().unwrap());
        // The list of forms begins with a start, so every block that begins with a board is a drawing.
        let (picture, rule_sets) = drawing(&head);
        assert!(picture.lines().all(|line| line.chars().count() <= 100), "{head} is too wide");
        drawn.extend(rule_sets);
        again.push_str(&format!("```text\n{head}\n\n{picture}\n```{rest}"));
    }
    if std::env::var_os("KALAH_REWRITE").is_some() {
        std::fs::write(PATH, &again).unwrap();
    }
    let differs = document.lines().zip(again.lines()).find(|(agreed, now)| agreed != now);
    assert!(again == document, "the first line that differs (in the document, now): {differs:?}");

    // Every rule set and every option is drawn, but for those that change no single move.
    for (preset, _) in RuleSet::PRESETS {
        assert!(drawn.contains(preset), "{preset} is not drawn");
    }
    for option in RuleSet::OPTIONS.iter().filter(|option| option.text != "+pie" && !option.text.starts_with("+cycle")) {
        assert!(drawn.iter().any(|rules| rules.ends_with(option.text)), "{} is not drawn", option.text);
    }
    for option in RuleSet::OPTIONS {
        assert!(document.contains(option.text), "{} is not explained", option.text);
    }
    assert!(document.contains(POSITION_FORMS), "the forms of a position are out of date");
}

#[test]
fn every_link_of_the_contents_leads_to_a_title() {
    let document = document();
    let anchors: BTreeSet<String> = document
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .map(|title| title.trim_start_matches('#').trim().to_lowercase().replace(' ', "-").replace([',', '.'], ""))
        .collect();
    let links: Vec<&str> = document.split("](#").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(links.len() > 15);
    for link in links {
        assert!(anchors.contains(link), "#{link} leads nowhere: {anchors:?}");
    }
}

#[test]
fn examples_of_oware_come_out_as_documented() {
    let document = document().replace("\\|", "¦");
    let mut played = 0;
    for row in rows(&document, 5).iter().filter(|row| row[0].starts_with("O-")) {
        let [name, rule_sets, board, pit, after] = &row[..] else { panic!("{row:?}") };
        for rules in rule_sets.replace('`', "").split(", ") {
            let [state, after] = [board, after].map(|text| text.replace('¦', "|").parse::<State>().unwrap());
            let game = rules.parse::<RuleSet>().unwrap().game(state.pits()).unwrap();
            let pit = parse_turn(pit).unwrap()[0];
            assert_eq!(state.play(&game, pit).unwrap().state, after, "{name}, {rules}");
            played += 1;
        }
    }
    assert_eq!(played, 9);
    let game = "oware".parse::<RuleSet>().unwrap().game(6).unwrap();
    let start = State::start(6, 4).unwrap().position();
    assert!(!game.legal(start).is_empty());
    let counts: Vec<String> = (1..=6).map(|depth| perft(&game, start, depth).to_string()).collect();
    let sentence = format!("`oware` has {} lines", counts.join(" "));
    assert!(flat(&document).contains(&sentence), "{sentence}");
}

#[test]
fn examples_come_out_as_documented() {
    let mut played = 0;
    for row in rows(&document(), 6).iter().filter(|row| row[0].starts_with("K-")) {
        let [name, rule_sets, board, pit, after, next] = &row[..] else { panic!("{row:?}") };
        let all = "kalah,kalah-empty,kalah-stuck,kalah-empty-stuck".to_owned();
        for rules in if rule_sets == "all" { &all } else { rule_sets }.split(',') {
            let state: State = board.parse().unwrap();
            let game = rules.parse::<RuleSet>().unwrap().game(state.pits()).unwrap();
            let result = state.play(&game, pit.parse().unwrap()).unwrap();
            let found = match result.next {
                Next::Again => "again",
                Next::Pass => "pass",
                Next::Over => "over",
            };
            assert_eq!((result.state.to_string().as_str(), found), (after.as_str(), next.as_str()), "{name}, {rules}");
            played += 1;
        }
    }
    assert!(played > 40, "only {played} examples were found");
}

#[test]
fn boards_that_change_winner_have_the_documented_values() {
    let mut checked = 0;
    for row in rows(&document(), 3).iter().filter(|row| row[0].starts_with("K-")) {
        let state: State = row[1].parse().unwrap();
        for part in row[2].split(", ") {
            let (rules, value) = part.split_once(' ').unwrap();
            let game = rules.parse::<RuleSet>().unwrap().game(state.pits()).unwrap();
            assert_eq!(Minimax::new(game).value(state.position()).to_string(), value, "{}, {rules}", row[0]);
            checked += 1;
        }
    }
    assert_eq!(checked, 6);
}

#[test]
fn fingerprints_are_true() {
    let document = document();
    let mut checked = 0;
    for row in rows(&document, 8).iter().filter(|row| row[0].starts_with("kalah")) {
        for (seeds, value) in (1..).zip(&row[2..]).filter(|(_, value)| !value.is_empty()) {
            let found = start_value(&row[0].parse().unwrap(), row[1].parse().unwrap(), seeds);
            assert_eq!(&found.to_string(), value, "{}, ({},{seeds})", row[0], row[1]);
            checked += 1;
        }
    }
    assert_eq!(checked, 40);
    let start = State::start(6, 4).unwrap().position();
    let game = |rules: &str| rules.parse::<RuleSet>().unwrap().game(6).unwrap();
    for rules in ["kalah", "kalah-empty"] {
        let counts: Vec<_> = (1..=9).map(|depth| perft(&game(rules), start, depth).to_string()).collect();
        assert!(document.contains(&format!("    {rules:12} {}\n", counts.join(" "))), "{rules}: {counts:?}");
    }
    let turns = |rules, depths: std::ops::RangeInclusive<u32>| {
        depths.map(|depth| perft_turns(&game(rules), start, depth).to_string()).collect::<Vec<_>>().join(" ")
    };
    let sentence = format!("{}, and {} at the fifth turn", turns("kalah", 1..=5), turns("kalah-empty", 5..=5));
    assert!(flat(&document).contains(&sentence), "{sentence}");
}

#[test]
fn the_code_of_adding_a_game_is_that_of_avalanche() {
    let read = |path: &str| {
        let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let bare = |text: &str| text.replace("#[inline]", "").split_whitespace().collect::<String>();
    let page = read("../../docs/adding-a-game.md");
    let shown = page.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(bare(&read("src/avalanche.rs")).contains(&bare(shown)), "the page shows other code");
    // Files that the page names exist.
    for name in ["perft.rs", "properties.rs", "playthroughs.rs", "explanations.rs"] {
        assert!(page.contains(&format!("`{name}`")) && !read(&format!("tests/{name}")).is_empty());
    }
}
