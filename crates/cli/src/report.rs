//! Answers as people read them: a headline, the board, a table of moves, the line of play, and where it all comes from.

use crate::directory::Directory;
use crate::screen::{GLUE, Paint, Screen};
use crate::table::{drawn, natural};
use crate::units;
use kalah::{Answer, Bound, Bounds, MoveAnswer, SearchError, Source, Stopped, Worth};
use kalah_rules::{Side, State};

/// A value as far as it is known: `+8`, `at least +4`, `+2 to +6`, `unknown`.
pub(crate) fn known(bounds: Bounds, bound: Bound) -> String {
    match bound {
        Bound::Exact => bounds.lower.to_string(),
        Bound::AtLeast => format!("at least {}", bounds.lower),
        Bound::AtMost => format!("at most {}", bounds.upper),
        Bound::Window => bounds.to_string(),
        Bound::Unknown => "unknown".to_owned(),
    }
}

/// The end of the game as far as it is known: `South +8`, `draw`, `North +2 or more`, `North +2 to South +4`, `unknown`. The
/// stores count. `mover` is the player in whose view `worth.bound` is.
pub(crate) fn end(worth: &Worth, mover: Side) -> String {
    let score = |margin: i64| match margin {
        0 => "draw".to_owned(),
        1.. => format!("South +{margin}"),
        _ => format!("North +{}", -margin),
    };
    let (lower, upper) = (worth.end_south.lower, worth.end_south.upper);
    // Whether each end says something, in South's view.
    let (low, high) = match (worth.bound, mover) {
        (Bound::Exact, _) => return score(lower),
        (Bound::Unknown, _) => return "unknown".to_owned(),
        (Bound::Window, _) => (true, true),
        (Bound::AtLeast, Side::South) | (Bound::AtMost, Side::North) => (true, false),
        (Bound::AtMost, Side::South) | (Bound::AtLeast, Side::North) => (false, true),
    };
    match (low, high) {
        (true, true) if lower > 0 => format!("South +{lower} to +{upper}"),
        (true, true) if upper < 0 => format!("North +{} to +{}", -upper, -lower),
        (true, true) => format!("{} to {}", score(lower), score(upper)),
        (true, false) if lower == 0 => "draw or South wins".to_owned(),
        (true, false) if lower < 0 => format!("at most {}", score(lower)),
        (true, false) => format!("{} or more", score(lower)),
        (false, _) if upper == 0 => "draw or North wins".to_owned(),
        (false, _) if upper > 0 => format!("at most {}", score(upper)),
        (false, _) => format!("{} or more", score(upper)),
    }
}

/// Whether `mover` wins, draws or loses the game, if that is known.
fn paint(worth: &Worth, mover: Side) -> Option<Paint> {
    let (lower, upper) = match mover {
        Side::South => (worth.end_south.lower, worth.end_south.upper),
        Side::North => (-worth.end_south.upper, -worth.end_south.lower),
    };
    match (lower, upper) {
        (1.., _) => Some(Paint::Win),
        (_, ..=-1) => Some(Paint::Loss),
        (0, 0) => Some(Paint::Draw),
        _ => None,
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

/// The name of a position: `Kalah(6,4)` for a start, else its text.
pub(crate) fn name(state: &State) -> String {
    match start_seeds(state) {
        Some(seeds) => format!("Kalah({},{seeds})", state.pits()),
        None => state.to_string(),
    }
}

/// How many seeds every pit holds, if the position is a start.
fn start_seeds(state: &State) -> Option<u32> {
    let seeds = u32::from(state.row(Side::South).pit(1));
    State::start(state.pits(), seeds).is_ok_and(|start| start == *state).then_some(seeds)
}

/// The answer in one sentence.
pub(crate) fn headline(answer: &Answer) -> String {
    let (subject, verdict) = told(answer);
    format!("{subject}: {verdict}")
}

/// The subject of the answer, and the verdict on it.
fn told(answer: &Answer) -> (String, String) {
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
        // Under rules where leftovers go to nobody, only a line of play tells the totals, and there is none.
        (Some(value), None) => format!("exactly {value}{from_here} for {mover}, to move"),
        (None, _) if answer.worth.bound == Bound::Unknown => {
            format!("unknown for {mover}, to move: nothing is proved")
        }
        (None, _) => format!("{}{from_here} for {mover}, to move", known(answer.worth.mover, answer.worth.bound)),
    };
    (format!("{}, rules {}", name(&answer.position), answer.rules), what)
}

/// Everything that an answer says, on the reader's screen.
pub(crate) fn answer(answer: &Answer, directory: &Directory) -> String {
    on(Screen::get(), answer, directory)
}

/// The same on any screen.
fn on(screen: Screen, answer: &Answer, directory: &Directory) -> String {
    let (subject, verdict) = told(answer);
    let mut headline = format!("{subject}: {verdict}");
    if console::measure_text_width(&headline) > screen.columns {
        headline = format!("{}:\n{}", screen.wrapped(&subject, 2), screen.indented(&verdict, 2));
    }
    let headline = screen.paint(Paint::Strong, &headline);
    let mut parts = vec![headline, screen.picture(&answer.position)];
    if !answer.moves.is_empty() {
        parts.push(moves(screen, answer));
    }
    if !answer.pv_turns.is_empty() {
        parts.push(line_of_play(screen, answer));
    }
    parts.push(origin(answer, directory));
    parts.join("\n\n")
}

/// The moves, best first. Where the screen is wide enough, each with the position after it.
fn moves(screen: Screen, answer: &Answer) -> String {
    let mover = answer.to_move;
    let row = |found: &MoveAnswer| {
        let strong = |text: &str| {
            if found.best == Some(true) { screen.paint(Paint::Strong, text) } else { text.to_owned() }
        };
        let painted = |text: &str| match paint(&found.worth, mover) {
            Some(kind) => screen.paint(kind, text),
            None => text.to_owned(),
        };
        let verdict = match (found.best, found.loss) {
            (Some(true), _) => strong("best"),
            (_, Some(loss)) => format!("loses {}", loss.0),
            _ => String::new(),
        };
        vec![
            strong(&found.step.to_string()),
            painted(&known(found.worth.mover, found.worth.bound)),
            painted(&end(&found.worth, mover)),
            verdict,
            found.banked.to_string(),
            found.captured.to_string(),
            if found.extra { "again" } else { "" }.to_owned(),
            found.position.to_string(),
        ]
    };
    let from_here = format!("{mover}, from here");
    let mut head = vec!["pit", &from_here, "at the end", "", "banked", "captured", "extra", "position after the move"];
    let mut rows: Vec<Vec<String>> = answer.moves.iter().map(row).collect();
    if natural(&head, &rows) > screen.columns {
        head.pop();
        for row in &mut rows {
            row.pop();
        }
    }
    drawn(screen, &head, &[0, 1, 4, 5], rows)
}

/// A line of perfect play, turn by turn with the player's name.
fn line_of_play(screen: Screen, answer: &Answer) -> String {
    let turn = |turn: &kalah::Turn| {
        let what = if turn.pits.is_empty() { "swaps".to_owned() } else { turn.to_string() };
        format!("{}{GLUE}{what}", turn.side)
    };
    let end = answer.pv_final.map_or_else(String::new, |totals| format!(" (ends with {})", result(totals, None)));
    let turns = answer.pv_turns.iter().map(turn).collect::<Vec<_>>().join(", ");
    format!("line of play{end}:\n{}", screen.indented(&turns, 2))
}

/// The source of the answer and the work it took.
fn origin(answer: &Answer, directory: &Directory) -> String {
    let kept = answer.source == Source::Solution;
    let source = match answer.source {
        Source::Finished => "the finished game".to_owned(),
        Source::Database => "the solved layers".to_owned(),
        Source::Search => "search".to_owned(),
        Source::Solution => {
            let folders = directory.solution_folders();
            let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            format!("a kept solution in {} (--again searches anew)", folders.join(" or "))
        }
    };
    let why = answer.stopped.map_or_else(String::new, |stopped: Stopped| format!(": {}", stopped.words()));
    let all_exact = answer.moves.iter().all(|found| found.worth.bound == Bound::Exact);
    let value = match answer.worth.bound {
        Bound::Exact if all_exact && answer.stopped.is_none() => format!("exact, from {source}"),
        Bound::Exact if all_exact => format!("exact, from {source}; without a line of play{why}"),
        Bound::Exact => format!("exact, from {source}; some moves have bounds only{why}"),
        Bound::Unknown => format!("unknown{why}"),
        _ => format!("bounds, from {source}{why}"),
    };
    let then = if kept { " when it was solved" } else { "" };
    let place = directory.path.display();
    let layers = match answer.database_layers {
        Some(most) if kept => format!("0 to {}{then}", units::plural(u64::from(most), "seed", "seeds")),
        None if kept => format!("none{then}"),
        Some(most) => format!("0 to {} in {place}", units::plural(u64::from(most), "seed", "seeds")),
        None if directory.path.exists() => format!("none in {place}"),
        None => format!("none in {place}, which does not exist"),
    };
    let then = if kept && start_seeds(&answer.position).is_some() { then } else { "" };
    let hint = match answer.stopped {
        Some(Stopped::Repetition) => {
            let (pits, seeds) = (answer.position.pits(), answer.position.position().seeds());
            format!("\nhint:   {}", SearchError::Cyclic { rules: answer.rules, pits, seeds }.help())
        }
        _ => String::new(),
    };
    format!(
        "rules:  {} (hash {})\nvalue:  {value}\nlayers: {layers}\nwork:   {} searched, {} looked up, {} met again, {}{then}{hint}",
        answer.rules,
        kalah::hash_text(&answer.rules),
        units::plural(answer.nodes, "position", "positions"),
        units::plural(answer.database_probes, "value", "values"),
        units::count(answer.table_hits),
        units::time(answer.seconds),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah::{Limits, Options, Solver};
    use kalah_rules::Margin;
    use std::path::PathBuf;

    const PLAIN: Screen = Screen { columns: 80, colour: false, ascii: true };

    /// The worth of a position with 10 seeds in pits and stores of 3 and 1; the bounds are its mover's.
    fn worth(mover: Side, lower: i16, upper: i16) -> Worth {
        let state: State = format!("<2,3,1,4,1,1,4> {}", mover.letter()).parse().unwrap();
        Worth::new(&state, Bounds { lower: Margin(lower), upper: Margin(upper) })
    }

    #[test]
    fn the_end_is_told_as_the_lead_of_a_player() {
        for (lower, upper, expected) in [
            (4, 4, "South +6"),
            (-2, -2, "draw"),
            (-4, -4, "North +2"),
            (0, 4, "South +2 to +6"),
            (-8, -4, "North +2 to +6"),
            (-4, 2, "North +2 to South +4"),
            (2, 10, "South +4 or more"),
            (-2, 10, "draw or South wins"),
            (-4, 10, "at most North +2"),
            (-10, 2, "at most South +4"),
            (-10, -2, "draw or North wins"),
            (-10, -4, "North +2 or more"),
            (-10, 10, "unknown"),
        ] {
            assert_eq!(end(&worth(Side::South, lower, upper), Side::South), expected, "{lower} to {upper}");
            // The same knowledge with North to move.
            assert_eq!(end(&worth(Side::North, -upper, -lower), Side::North), expected, "{lower} to {upper} for South");
        }
    }

    #[test]
    fn colours_are_those_of_the_player_to_move() {
        assert_eq!(paint(&worth(Side::South, 0, 0), Side::South), Some(Paint::Win));
        assert_eq!(paint(&worth(Side::North, 0, 0), Side::North), Some(Paint::Loss));
        assert_eq!(paint(&worth(Side::North, 2, 2), Side::North), Some(Paint::Draw));
        assert_eq!(paint(&worth(Side::South, -4, 4), Side::South), None);
    }

    /// The answer about Kalah(3,2) on a screen.
    fn shown(screen: Screen) -> String {
        let solver = Solver::without_layers("kalah".parse().unwrap(), 3, Options { table_bytes: 1 << 20, threads: 1 });
        let answer = solver.unwrap().session().solve(2, &Limits::default()).unwrap();
        on(screen, &answer, &Directory { path: PathBuf::from("nowhere"), chosen: true })
    }

    #[test]
    fn an_answer_fits_the_screen_and_uses_it() {
        // Characters beyond ASCII are replaced when the text is printed.
        let narrow = PLAIN.shown(&shown(PLAIN)).into_owned();
        assert!(narrow.lines().all(|line| line.len() <= 80) && narrow.is_ascii(), "{narrow}");
        assert!(narrow.starts_with("Kalah(3,2), rules kalah: South (to move) wins"), "{narrow}");
        assert!(narrow.contains("South, from here") && narrow.contains("at the end"), "{narrow}");
        assert!(narrow.contains("North   3   2   1\n+--"), "{narrow}");
        assert!(narrow.contains("layers: none in nowhere, which does not exist"), "{narrow}");
        let wide = shown(Screen { columns: 120, ..PLAIN });
        assert!(wide.contains("position after the move") && !narrow.contains("position after the move"), "{wide}");
    }

    #[test]
    fn a_line_of_play_says_who_moves() {
        let text = shown(PLAIN);
        let line = text.split("line of play (ends with South wins").nth(1).unwrap();
        assert!(line.contains("):\n  South ") && line.contains(", North "), "{text}");
    }

    #[test]
    fn colours_are_there_only_if_they_can_be_shown() {
        let colour = shown(Screen { colour: true, ..PLAIN });
        assert!(colour.contains("\x1b[32m") && colour.contains("\x1b[1mbest\x1b[0m"), "{colour:?}");
        assert!(!shown(PLAIN).contains('\x1b'));
    }
}
