//! `kalah opening`: first turns of Dakon that win before the opponent moves.

use crate::failure::{Failure, Kind, Outcome};
use crate::output::Output;
use crate::{stop, units};
use clap::Args;
use kalah::{Opening, OpeningError, OpeningSearch, hash_text, replay_opening, seeds_to_win, winning_opening};
use kalah_rules::{RuleSet, turn_text};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Find a first turn that wins Dakon before the opponent moves.
///
/// Dakon-n has n pits on each side with n seeds each. A turn of relays and extra moves wins at once if it brings 2n^2-n seeds
/// or more into the store: the opponent can then not fill a pit for the next round. The exit code is 1 if there is no such
/// turn, which is then proved, or if the given line does not win.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    kalah opening 8\n  \
    kalah opening 3             proves that there is no such turn\n  \
    kalah opening 7 --line 1-7  shows what this line brings")]
pub(crate) struct Arguments {
    /// Pits on each side and seeds in every pit, 1 to 64.
    #[arg(value_name = "N", value_parser = units::parse_number::<u8>)]
    pits: u8,
    /// Instead of searching, play this line, e.g. 1-8-8-6, and show what it brings.
    #[arg(long, value_name = "PITS")]
    line: Option<String>,
    /// Stop after this time, e.g. 90s or 10m (exit code 5).
    #[arg(long, value_name = "TIME", value_parser = units::parse_time)]
    time: Option<Duration>,
    /// Rule set; only dakon is supported.
    #[arg(long, value_name = "NAME", default_value = "dakon")]
    rules: String,
}

/// The result, as JSON.
#[derive(Serialize)]
struct Told<'a> {
    rules: RuleSet,
    rules_hash: String,
    pits: u8,
    seeds: u8,
    result: &'static str,
    turn: Option<&'a [u8]>,
    moves: Option<usize>,
    laps: Option<u32>,
    store: Option<u32>,
    store_to_win: u32,
    own_left: Option<u32>,
    opponent_left: Option<u32>,
    turn_over: Option<bool>,
    boards: u64,
    seconds: f64,
    version: &'static str,
}

/// Searches or replays, and prints.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome, Failure> {
    let rules: RuleSet = arguments.rules.parse()?;
    if rules.for_positions() != "dakon".parse()? {
        let message = format!("winning openings are searched for under the rules dakon, not {rules}");
        return Err(Failure::new(Kind::Rules, message, "Leave out --rules."));
    }
    let pits = arguments.pits;
    let clock = Instant::now();
    stop::listen();
    let (result, opening, boards) = match &arguments.line {
        Some(line) => {
            let opening = replay_opening(pits, &parse_line(line)?).map_err(failure)?;
            (if opening.store >= seeds_to_win(pits) { "wins" } else { "does_not_win" }, Some(opening), 0)
        }
        None => {
            let in_time = || arguments.time.is_none_or(|time| clock.elapsed() < time);
            let found = winning_opening(pits, u64::MAX, &|| in_time() && !stop::requested());
            match found.ok_or_else(|| failure(OpeningError::Board { pits }))? {
                OpeningSearch::Found(opening, boards) => ("found", Some(opening), boards),
                OpeningSearch::Impossible(boards) => ("impossible", None, boards),
                OpeningSearch::Undecided(boards) => ("unknown", None, boards),
            }
        }
    };
    let seconds = clock.elapsed().as_secs_f64();
    let outcome = match result {
        "found" | "wins" => Outcome::Answered,
        "unknown" => Outcome::Limit,
        _ => Outcome::Negative,
    };
    if output.json {
        let opening = opening.as_ref();
        output.object(&Told {
            rules,
            rules_hash: hash_text(&rules),
            pits,
            seeds: pits,
            result,
            turn: opening.map(|opening| &opening.turn[..]),
            moves: opening.map(|opening| opening.turn.len()),
            laps: opening.map(|opening| opening.laps),
            store: opening.map(|opening| opening.store),
            store_to_win: seeds_to_win(pits),
            own_left: opening.map(|opening| opening.own_left),
            opponent_left: opening.map(|opening| opening.opponent_left),
            turn_over: opening.map(|opening| !opening.again),
            boards,
            seconds,
            version: kalah::VERSION,
        })?;
        return Ok(outcome);
    }
    let looked_at = format!("{} looked at in {}", units::plural(boards, "board", "boards"), units::time(seconds));
    match (result, &opening) {
        ("found", Some(opening)) => {
            output.text(format!("Dakon-{pits}, rules {rules}: a winning first turn of {}", lengths(opening)))?;
            output.text(format!("  {}", turn_text(&opening.turn)))?;
            output.text(afterwards(pits, opening))?;
            output.text(looked_at)?;
        }
        (_, Some(opening)) => {
            let wins = if result == "wins" { "wins" } else { "does not win" };
            output.text(format!("Dakon-{pits}, rules {rules}: the line of {} {wins}", lengths(opening)))?;
            output.text(afterwards(pits, opening))?;
        }
        ("impossible", None) => {
            output.text(format!(
                "Dakon-{pits}, rules {rules}: no first turn wins; every board that one can reach was looked at"
            ))?;
            output.text(looked_at)?;
        }
        _ => {
            let why = if stop::requested() { "it was stopped by hand" } else { "the time limit was reached" };
            output.text(format!("Dakon-{pits}, rules {rules}: unknown, {why}; {looked_at}"))?;
        }
    }
    Ok(outcome)
}

/// The pits of a line.
fn parse_line(line: &str) -> Result<Vec<u8>, Failure> {
    let help = "Write the pits with dashes between them, for example 1-8-8-6.";
    let pit = |text: &str| {
        let fault = |why: units::Unreadable| {
            Failure::new(Kind::Move, format!("'{text}' in the line is not a pit: {why}"), help)
        };
        units::parse_number::<u8>(text).map_err(fault)
    };
    line.split(['-', ' ', ',']).filter(|text| !text.is_empty()).map(pit).collect()
}

fn failure(error: OpeningError) -> Failure {
    let kind = if matches!(error, OpeningError::Board { .. }) { Kind::Position } else { Kind::Move };
    Failure::new(kind, error.to_string(), error.help())
}

fn lengths(opening: &Opening) -> String {
    let moves = units::plural(opening.turn.len() as u64, "move", "moves");
    format!("{moves} and {}", units::plural(u64::from(opening.laps), "lap", "laps"))
}

fn afterwards(pits: u8, opening: &Opening) -> String {
    let seeds = 2 * u32::from(pits) * u32::from(pits);
    format!(
        "in the store afterwards: {} of {seeds} seeds, {} are enough; {} left in the own pits, {} in the opponent's; the turn {}",
        opening.store,
        seeds_to_win(pits),
        opening.own_left,
        opening.opponent_left,
        if opening.again { "could go on" } else { "is over" }
    )
}
