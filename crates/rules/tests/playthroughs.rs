//! One whole game of every preset, written out move by move. `KALAH_REWRITE=1 cargo test -p kalah-rules` writes the files anew.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_rules::{Next, RuleSet, SowingGame, State, explain};
use std::fmt::Write;
use std::path::Path;

/// The game in which the mover at ply k takes the legal pit number k² modulo their count.
fn playthrough(rules: &RuleSet) -> String {
    let mut state = State::start(4, 3).unwrap();
    let game = rules.game(state.pits()).unwrap();
    let mut text = format!("rules {rules}\n");
    // A game with repetitions need not end by itself.
    for ply in 1..=40 {
        let legal: Vec<u8> = game.legal(state.position()).collect();
        let shown: Vec<String> = legal.iter().map(u8::to_string).collect();
        writeln!(text, "\nply {ply}\nboard {state}\nto move {}\nlegal {}", state.to_move(), shown.join(" ")).unwrap();
        let pit = legal[ply * ply % legal.len()];
        let played = state.play(&game, pit).unwrap();
        let told = explain(rules, &state, pit).unwrap();
        let next = match played.next {
            Next::Again => "again",
            Next::Pass => "pass",
            Next::Over => "over",
        };
        writeln!(text, "plays {pit}\ngains {}\nnext {next}\n{told}", played.mover_gain).unwrap();
        state = played.state;
        if played.next == Next::Over {
            writeln!(text, "\nend\nboard {state}").unwrap();
            break;
        }
    }
    text
}

#[test]
fn every_preset_plays_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    let mut names = Vec::new();
    for (preset, _) in RuleSet::PRESETS {
        let option = match preset {
            "oware" => "+slam=takes",
            "awari" => "+cycle=own",
            "dakon" => "+end=pass",
            "congkak" => "+alone=bank",
            "avalanche" => "+pie",
            _ => "+leftover=out",
        };
        for rules in [preset.to_owned(), format!("{preset}{option}")] {
            let text = playthrough(&rules.parse().unwrap());
            let name = format!("{rules}.txt");
            if std::env::var_os("KALAH_REWRITE").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join(&name), &text).unwrap();
            }
            let recorded = std::fs::read_to_string(folder.join(&name)).unwrap_or_else(|error| {
                panic!("{rules} has no playthrough {name}: {error}; set KALAH_REWRITE=1 to write it")
            });
            let first_difference = (1..).zip(recorded.lines().zip(text.lines())).find(|(_, (old, new))| old != new);
            assert!(recorded == text, "{name} differs, first at line {first_difference:?} (recorded, played)");
            names.push(name);
        }
    }
    // A file that no rule set owns would never be compared with anything.
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(names.contains(&name), "{name} belongs to no rule set that is played here");
    }
}
