//! Answers as people read them: a headline, a table of moves, the line of play, and where it all comes from.

use crate::directory::Directory;
use crate::table::table;
use crate::units;
use kalah::{Answer, Bound, Bounds, MoveAnswer, Source, Stopped};
use kalah_rules::{Side, State};

/// What is known of a value: `+8`, `at least +4`, `+2 to +6`, `unknown`.
pub(crate) fn known(bounds: Bounds, bound: Bound) -> String {
    match bound {
        Bound::Exact => bounds.lower.to_string(),
        Bound::AtLeast => format!("at least {}", bounds.lower),
        Bound::AtMost => format!("at most {}", bounds.upper),
        Bound::Window => bounds.to_string(),
        Bound::Unknown => "unknown".to_owned(),
    }
}

/// Steps or turns with a separator between them.
pub(crate) fn join<T: ToString>(items: &[T], separator: &str) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

/// Who wins by how much: `South wins 28–20`, `a draw, 24–24`.
pub(crate) fn result(totals: [u32; 2], mover: Option<Side>) -> String {
    let [south, north] = totals;
    let name = |side: Side| if Some(side) == mover { format!("{side} (to move)") } else { side.to_string() };
    match south.cmp(&north) {
        std::cmp::Ordering::Greater => format!("{} wins {south}–{north}", name(Side::South)),
        std::cmp::Ordering::Less => format!("{} wins {north}–{south}", name(Side::North)),
        std::cmp::Ordering::Equal => format!("a draw, {south}–{north}"),
    }
}

/// What the position is: `Kalah(6,4)` for a start, else its text.
pub(crate) fn name(state: &State) -> String {
    let seeds = u32::from(state.row(Side::South).pit(1));
    match State::start(state.pits(), seeds) {
        Ok(start) if start == *state => format!("Kalah({},{seeds})", state.pits()),
        _ => state.to_string(),
    }
}

/// The answer in one sentence.
pub(crate) fn headline(answer: &Answer) -> String {
    let mover = answer.to_move;
    let begun = answer.position.store(Side::South) + answer.position.store(Side::North) > 0;
    let from_here = if begun { " from here" } else { "" };
    let what = match (answer.exact(), answer.final_totals) {
        _ if answer.source == Source::Finished => {
            format!("the game is over: {}", result(answer.final_totals.unwrap_or_default(), None))
        }
        (Some(value), Some(totals)) => {
            let mover_wins = totals[mover as usize] > totals[mover.other() as usize];
            let whose = if mover_wins { String::new() } else { format!(" for {mover}, to move") };
            format!("{} ({value}{from_here}{whose})", result(totals, Some(mover)))
        }
        // Some leftovers go to nobody, and the line of play that would tell the totals is not there.
        (Some(value), None) => format!("exactly {value}{from_here} for {mover}, to move"),
        (None, _) if answer.worth.bound == Bound::Unknown => {
            format!("unknown for {mover}, to move: nothing was proved")
        }
        (None, _) => format!("{}{from_here} for {mover}, to move", known(answer.worth.mover, answer.worth.bound)),
    };
    format!("{}, rules {}: {what}", name(&answer.position), answer.rules)
}

/// Everything that an answer says.
pub(crate) fn answer(answer: &Answer, directory: &Directory) -> String {
    let mut text = format!("{}\n", headline(answer));
    if !answer.moves.is_empty() {
        text += &format!("\n{}\n", moves(answer));
    }
    if !answer.pv_turns.is_empty() {
        let end = answer.pv_final.map_or_else(String::new, |totals| format!(" (ends with {})", result(totals, None)));
        text += &format!("\nline of play{end}:\n  {}\n", join(&answer.pv_turns, " "));
    }
    text + &format!("\n{}\n", origin(answer, directory))
}

/// The moves, best first.
fn moves(answer: &Answer) -> String {
    let value = format!("value for {}", answer.to_move);
    let row = |found: &MoveAnswer| {
        vec![
            found.step.to_string(),
            known(found.worth.mover, found.worth.bound),
            match (found.best, found.loss) {
                (Some(true), _) => "best".to_owned(),
                (_, Some(loss)) => format!("loses {}", loss.0),
                _ => String::new(),
            },
            found.banked.to_string(),
            found.captured.to_string(),
            if found.extra { "again" } else { "" }.to_owned(),
            found.position.to_string(),
        ]
    };
    let head = ["pit", &value, "", "banked", "captured", "extra", "position afterwards"];
    table(&head, &[0, 1, 3, 4], answer.moves.iter().map(row))
}

/// Where the answer comes from and what it took.
fn origin(answer: &Answer, directory: &Directory) -> String {
    let stopped = answer.stopped.map_or("", Stopped::words);
    let bound = match answer.worth.bound {
        Bound::Exact if answer.is_complete() => "exact".to_owned(),
        Bound::Exact => format!("exact, but not every move's: {stopped}"),
        Bound::Unknown => format!("unknown: {stopped}"),
        _ => format!("a bound: {stopped}"),
    };
    let source = match answer.source {
        Source::Finished => "the finished game",
        Source::Database => "the solved layers",
        Source::Search => "search",
        Source::Solution => "a solution that was kept",
    };
    let layers = match answer.database_layers {
        Some(most) => {
            format!("0 to {} in {}", units::plural(u64::from(most), "seed", "seeds"), directory.path.display())
        }
        None => format!("none in {}", directory.path.display()),
    };
    let source = match answer.source {
        Source::Solution => {
            let folders: Vec<String> =
                directory.solution_folders().iter().map(|folder| folder.display().to_string()).collect();
            format!("{source} in {}; --again searches anew", folders.join(" or "))
        }
        _ => source.to_owned(),
    };
    format!(
        "rules:  {} (hash {})\nvalue:  {bound}, from {source}\nlayers: {layers}\nwork:   {} searched, {} looked up, {} \
         met again, {}",
        answer.rules,
        kalah::hash_text(&answer.rules),
        units::plural(answer.nodes, "position", "positions"),
        units::plural(answer.database_probes, "value", "values"),
        units::count(answer.table_hits),
        units::time(answer.seconds),
    )
}
