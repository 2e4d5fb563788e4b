//! `kalah solve … --split`: a work list instead of an answer.

use crate::directory::Directory;
use crate::failure::{Failure, Outcome};
use crate::output::{Output, note};
use crate::{gap, report, units};
use kalah::SolverError;
use kalah::database::Database;
use kalah::retrograde::stamp;
use kalah::split::WorkList;
use kalah_rules::{Margin, RuleSet, State};

/// The start to split, and how.
pub(crate) struct Wanted<'a> {
    /// The rules.
    pub(crate) rules: RuleSet,
    /// The start.
    pub(crate) start: &'a State,
    /// How many sub-problems.
    pub(crate) parts: u64,
    /// Whether the value is at least this; a guess if nobody says.
    pub(crate) window: Option<Margin>,
    /// The layers that are expected; those that are in the directory if nobody says.
    pub(crate) layers: Option<u32>,
}

/// Prints the list.
pub(crate) fn run(wanted: &Wanted<'_>, directory: &Directory, output: &mut Output) -> Result<Outcome, Failure> {
    let Wanted { rules, start, parts, .. } = *wanted;
    let layers = match wanted.layers {
        Some(layers) => Some(layers),
        None => present(rules, start.pits(), directory)?,
    };
    let window = match wanted.window {
        Some(window) => window,
        None => {
            let game = rules.game(start.pits())?;
            let guess = kalah::suggested_window(game, start.position()).map_err(SolverError::Search)?;
            // A window at the rim would be no question.
            let most = start.position().seeds() as i16;
            Margin(guess.0.clamp((2 - most).min(most), most))
        }
    };
    let list = WorkList::split(rules, start, window, parts, layers)?;
    note(format!(
        "{}, rules {rules}: is the value {} or more? {}, {} unfolded, layers expected {}",
        report::name(start),
        list.window(),
        units::plural(list.tasks().len() as u64, "sub-problem", "sub-problems"),
        units::plural(list.unfolded() as u64, "position", "positions"),
        list.layers().map_or_else(|| "none".to_owned(), |seeds| format!("up to {seeds} seeds")),
    ));
    output.lines(&list.to_text())?;
    Ok(Outcome::Answered)
}

/// The layers that are in the directory, as the most seeds they reach to.
fn present(rules: RuleSet, pits: u8, directory: &Directory) -> Result<Option<u32>, Failure> {
    if !directory.chosen && !directory.path.exists() {
        return Ok(None);
    }
    let database = Database::open(&directory.path, &stamp(&rules, pits))?;
    gap::warn(&database)?;
    Ok(database.layers().checked_sub(1))
}
