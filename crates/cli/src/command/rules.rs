//! `kalah rules`: the list of rule sets, or what each makes of a position.

use crate::failure::{Failure, Outcome};
use crate::forms;
use crate::global::{Global, SearchLimits};
use crate::output::{Output, note};
use crate::question::Questions;
use crate::report::{join, known, result};
use crate::screen::Screen;
use crate::table::table;
use crate::{search, stop};
use clap::Args;
use kalah::Answer;
use kalah_rules::{RuleOption, RuleSet, State};
use serde::Serialize;

/// Explain the rule sets and their options, or compare the value of one position under Kalah's four rule sets.
#[derive(Args, Debug)]
#[command(after_help = forms::positions(
    "Examples:\n  kalah rules\n  kalah rules awari\n  kalah rules '<3,0,0,0,1,0,0,0,2>'\n  kalah rules start:4x3"
))]
pub(crate) struct Arguments {
    /// Rule set to explain, or position or start to compare, e.g. start:4x3 [default: explain all rule sets and options].
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    limits: SearchLimits,
}

/// A rule set or option, as JSON.
#[derive(Serialize)]
struct Explained {
    name: &'static str,
    option: bool,
    /// The rule sets that the option can follow; the rule set itself.
    rule_sets: Vec<&'static str>,
    meaning: &'static str,
}

/// Lists or compares.
pub(crate) fn run(arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    match &arguments.position {
        None => list(None, output),
        Some(name) if RuleSet::PRESETS.iter().any(|(preset, _)| preset == name) => list(Some(name), output),
        Some(text) => compare(&text.parse()?, arguments, global, output),
    }
}

/// Lists all rule sets and options, or one rule set with its options.
fn list(only: Option<&str>, output: &mut Output) -> Result<Outcome, Failure> {
    let rule_sets = || RuleSet::PRESETS.into_iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
    let follows = |option: &RuleOption| only.is_none_or(|only| option.presets.contains(&only));
    let options = || RuleSet::OPTIONS.into_iter().filter(follows);
    if output.json {
        for (name, meaning) in rule_sets() {
            output.object(&Explained { name, option: false, rule_sets: vec![name], meaning })?;
        }
        for RuleOption { text, presets, meaning } in options() {
            output.object(&Explained { name: text, option: true, rule_sets: presets.to_vec(), meaning })?;
        }
        return Ok(Outcome::Answered);
    }
    output.text(if only.is_some() { "Rule set (--rules NAME):" } else { "Rule sets (--rules NAME):" })?;
    for (name, meaning) in rule_sets() {
        output.text(format!("  {name:17}  {meaning}"))?;
    }
    output.text("\nOptions, written after the name, for example kalah-empty+leftover=none+pie:")?;
    let mut told: Vec<&[&str]> = Vec::new();
    for RuleOption { presets, .. } in options() {
        if told.contains(&presets) {
            continue;
        }
        told.push(presets);
        let all = presets.len() == RuleSet::PRESETS.len();
        output.text(format!("{}:", if all { "every rule set".to_owned() } else { presets.join(", ") }))?;
        for option in RuleSet::OPTIONS.iter().filter(|option| option.presets == presets) {
            output.text(format!("  {:17}  {}", option.text, option.meaning))?;
        }
    }
    output.text("\nThe page docs/rules.md draws an example of every rule and option.")?;
    Ok(Outcome::Answered)
}

fn compare(state: &State, arguments: &Arguments, global: &Global, output: &mut Output) -> Result<Outcome, Failure> {
    let directory = global.directory();
    let seeds = state.position().seeds();
    stop::listen();
    let mut answers: Vec<Answer> = Vec::new();
    // The other games share the board, but nobody compares a position of Kalah with one of Oware.
    for (name, _) in RuleSet::PRESETS.into_iter().filter(|(name, _)| name.starts_with("kalah")) {
        let answer = Questions::new(&directory, name.parse()?, global, arguments.limits, seeds).ask(state)?;
        if output.json {
            output.object(&answer)?;
        }
        answers.push(answer);
    }
    if output.json {
        note(format!("layers: {}", directory.path.display()));
    } else {
        let mover = state.to_move();
        let value = format!("value for {mover}");
        let rows = answers.iter().map(|answer| {
            vec![
                answer.rules.to_string(),
                known(answer.worth.mover, answer.worth.bound),
                answer.final_totals.map_or_else(String::new, |totals| result(totals, None)),
                join(&answer.best_moves, " "),
                answer.source.word().to_owned(),
            ]
        });
        output.text(state.to_string())?;
        output.text(Screen::get().picture(state))?;
        output.text("")?;
        output.text(table(&["rules", &value, "ends with", "best pits", "source"], &[1], rows))?;
        output.text(format!("layers: those in {}", directory.path.display()))?;
    }
    let open =
        answers.iter().map(|answer| search::outcome(answer, false)).find(|outcome| *outcome != Outcome::Answered);
    Ok(open.unwrap_or(Outcome::Answered))
}
