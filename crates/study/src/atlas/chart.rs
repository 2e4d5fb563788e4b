//! What there is to know about one start: its value, its first moves, a line of play, and what the pie rule would change.

use crate::atlas::cell::Cell;
use crate::atlas::row::{Line, Row, State};
use kalah::{Limits, Options, Solver, SolverError};
use kalah_database::Database;
use kalah_rules::{Game, LayerKind, Next, Position, Repetition, SowingGame};
use kalah_search::Bounds;
use std::sync::Arc;
use std::time::Instant;

/// First turns beyond this are too many to ask about each.
const MOST_TURNS: usize = 20_000;

/// What charting a cell may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means<'a> {
    /// The solved layers of the cell's rules and board, if there are any.
    pub database: Option<&'a Arc<Database>>,
    /// The table and the threads of the search.
    pub options: Options,
    /// When to stop. What is proved by then is kept as bounds.
    pub limits: Limits<'a>,
}

/// Finds out what there is to know about a cell within the limits.
///
/// Where positions can repeat, only solved layers answer: without enough of them the row says nothing.
///
/// # Errors
/// If there is no such start, a layer is damaged, or the search cannot be set up.
pub fn chart(cell: &Cell, means: &Means<'_>) -> Result<Row, SolverError> {
    let clock = Instant::now();
    let (start, game) = (cell.start()?.position(), cell.rules.game(cell.pits)?);
    let database = means.database;
    let reach = database.map_or(0, |database| database.layers());
    let mut row = Row {
        layers: reach.checked_sub(1),
        limit: means.limits.time.map(|time| milliseconds(time.as_secs_f64())),
        threads: means.options.threads,
        ..Row::unknown(*cell)
    };
    let cyclic = game.layer_kind() == LayerKind::Cyclic;
    if game.repetition() == Repetition::OwnRows {
        row.state = State::History;
    } else if !cyclic || start.seeds() < reach {
        // The value is that of the position; what the pie rule would change is asked apart.
        let solver = Solver::without_layers(cell.rules.for_positions(), cell.pits, means.options)?;
        let solver = match database {
            Some(database) => solver.with_database(database.clone())?,
            None => solver,
        };
        ask(&solver, &game, &means.limits, &mut row)?;
    }
    let exact = |bounds: &Bounds| bounds.exact().is_some();
    let complete = exact(&row.value)
        && row.moves.iter().all(|(_, own)| exact(own))
        && row.pie.as_ref().is_none_or(exact)
        && (cyclic || row.line.is_some());
    if complete && row.state == State::Open {
        row.state = State::Exact;
    }
    row.seconds = milliseconds(clock.elapsed().as_secs_f64());
    Ok(row)
}

/// Seconds as finely as a table has them: a row is the same before it is written and after it is read.
fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Asks about everything, the most wanted first, should time run out.
fn ask(solver: &Solver, game: &Game, limits: &Limits<'_>, row: &mut Row) -> Result<(), SolverError> {
    let (clock, session, start) = (Instant::now(), solver.session(), row.cell.start()?);
    let answer = session.analyse(&start, limits)?;
    row.value = answer.worth.mover;
    row.moves = answer.moves.iter().map(|found| (found.pit, found.worth.mover)).collect();
    row.moves.sort_by_key(|&(pit, _)| pit);
    if answer.pv_final.is_some() {
        let turns = answer.pv_turns.iter().map(ToString::to_string).collect();
        row.line = Some(Line { moves: answer.pv.len() as u32, turns });
    }
    (row.nodes, row.probes) = (answer.nodes, answer.database_probes);
    if first_turns(game, start.position(), MOST_TURNS).is_some() {
        let pie = session.pie_value(&start, &limits.left(clock, answer.nodes))?;
        row.pie = Some(pie.bounds);
        row.nodes += pie.stats.nodes;
        row.probes += pie.stats.oracle_probes;
    }
    Ok(())
}

/// How many complete first turns there are; `None` if more than `most`. Where a sow goes on and on, as in Dakon, there can be
/// more than anybody could ask about.
fn first_turns(game: &Game, position: Position, most: usize) -> Option<usize> {
    fn count(game: &Game, position: Position, found: &mut usize, most: usize) {
        for pit in game.legal(position) {
            if *found > most {
                return;
            }
            let sown = game.sow(position, pit);
            match sown.next {
                Next::Again => count(game, sown.position, found, most),
                Next::Pass | Next::Over => *found += 1,
            }
        }
    }
    let mut found = 0;
    count(game, position, &mut found, most);
    (found <= most).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_brute_force::{Minimax, start_value};
    use kalah_rules::{Margin, RuleSet};
    use std::time::Duration;

    fn cell(rules: &str, pits: u8, seeds: u32) -> Cell {
        Cell { rules: rules.parse().unwrap(), pits, seeds }
    }

    #[test]
    fn small_starts_are_what_trying_everything_says() {
        let presets = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"];
        let leftovers = ["", "+leftover=out", "+leftover=last", "+leftover=none"];
        let mut names: Vec<String> =
            presets.iter().flat_map(|name| leftovers.iter().map(move |option| format!("{name}{option}"))).collect();
        let options = Options { table_bytes: 1 << 20, threads: 1 };
        names.extend(["dakon", "congkak"].map(str::to_owned));
        for name in names {
            for (pits, seeds) in [(1, 1), (1, 2), (1, 5), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)] {
                let cell = cell(&name, pits, seeds);
                let row = chart(&cell, &Means { options, ..Means::default() }).unwrap();
                let (game, start) = (cell.rules.game(pits).unwrap(), cell.start().unwrap().position());
                let mut plain = Minimax::new(game);
                let told = format!("{name} ({pits},{seeds}): {row}");
                assert!(row.is_exact() && row.limit.is_none(), "{told}");
                assert_eq!(row.exact().map(|value| value.0), Some(plain.value(start).0), "{told}");
                let moves: Vec<(u8, Bounds)> =
                    game.legal(start).map(|pit| (pit, Bounds::just(plain.move_value(start, pit)))).collect();
                assert_eq!(row.moves, moves, "{told}");
                let with_pie = RuleSet { pie: true, ..cell.rules };
                assert_eq!(row.pie.and_then(Bounds::exact), Some(start_value(&with_pie, pits, seeds)), "{told}");
                let best = moves.iter().filter(|(_, own)| *own == row.value).count();
                assert_eq!(row.best_moves(), Some(best as u32), "{told}");
                assert!(row.line.as_ref().is_some_and(|line| line.moves as usize >= line.turns.len()), "{told}");
            }
        }
    }

    #[test]
    fn without_layers_nothing_is_said_of_games_that_repeat() {
        let row = chart(&cell("awari", 2, 1), &Means::default()).unwrap();
        assert_eq!(row, Row { seconds: row.seconds, limit: None, ..Row::unknown(row.cell) });
        let row = chart(&cell("oware", 2, 1), &Means::default()).unwrap();
        assert_eq!((row.state, row.exact(), row.moves.len()), (State::History, None, 0));
    }

    #[test]
    fn a_limit_leaves_true_bounds() {
        let cell = cell("kalah", 4, 4);
        let limits = Limits { nodes: Some(3000), time: Some(Duration::from_secs(3600)), ..Limits::default() };
        let row = chart(&cell, &Means { limits, ..Means::default() }).unwrap();
        assert_eq!((row.state, row.limit), (State::Open, Some(3600.0)));
        assert!(row.value.contains(Margin(2)), "{row}");
        assert!(row.to_string().parse::<Row>().is_ok_and(|read| read.value == row.value));
    }

    #[test]
    fn endless_first_turns_are_not_counted_to_the_end() {
        let game = "dakon".parse::<RuleSet>().unwrap().game(8).unwrap();
        let start = cell("dakon", 8, 8).start().unwrap().position();
        assert_eq!(first_turns(&game, start, 1000), None);
        let kalah = RuleSet::default().game(6).unwrap();
        assert_eq!(first_turns(&kalah, cell("kalah", 6, 4).start().unwrap().position(), 1000), Some(10));
    }
}
