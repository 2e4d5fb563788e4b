//! What a record states, checked by the rules before anybody uses it.

use super::Record;
use super::web::{Doubt, Web, check_bounds, of_all, text};
use crate::ask::after;
use kalah_database::Database;
use kalah_rules::{Game, LayerKind, Margin, Next, Position, SowingGame};
use kalah_search::{Bounds, Goal, Limits, NoOracle, Options, Search};
use std::cmp::Reverse;

/// The positions of a line are searched again from its end on, as far as so many positions of search reach: a few hundredths of
/// a second.
const SEARCHED_NODES: u64 = 20_000;

/// No counter of work, and no time in seconds, is larger.
const MOST_WORK: u64 = 1 << 56;

/// Checks everything in a record that the rules can tell.
///
/// # Errors
/// What is wrong, or that `stop` says so.
pub(super) fn check(record: &Record, stop: &dyn Fn() -> bool) -> Result<(), Doubt> {
    web(record, stop)?.climb(stop)
}

/// Compares a record with solved layers.
///
/// # Errors
/// What they contradict, that a layer is damaged, or that `stop` says so.
pub(super) fn compare(record: &Record, database: &Database, stop: &dyn Fn() -> bool) -> Result<(), Doubt> {
    web(record, stop)?.compare(database, stop)
}

/// Everything that a record states.
fn web(record: &Record, stop: &dyn Fn() -> bool) -> Result<Web, Doubt> {
    let game = game(record).map_err(Doubt::False)?;
    let mut web = Web::new(game);
    header(record, &game, &mut web).map_err(Doubt::False)?;
    for (number, proof) in record.proofs.iter().enumerate() {
        if number % 4096 == 0 && stop() {
            return Err(Doubt::Stopped);
        }
        if proof.pit.is_some_and(|pit| !is_legal(&game, proof.position, pit)) {
            let what = format!("pit {} cannot be sown in {}", proof.pit.unwrap_or(0), text(&game, proof.position));
            return Err(Doubt::False(what));
        }
        web.state(proof.position, proof.bounds).map_err(Doubt::False)?;
    }
    Ok(web)
}

/// The game of the record, if records of it can be.
fn game(record: &Record) -> Result<Game, String> {
    let game = record.rules.game(record.pits).map_err(|error| error.to_string())?;
    if game.layer_kind() == LayerKind::Cyclic || record.rules.pie {
        return Err(format!("no proofs are kept under {}", record.rules));
    }
    Ok(game)
}

/// Everything but the proofs.
fn header(record: &Record, game: &Game, web: &mut Web) -> Result<(), String> {
    let Record { position, bounds, moves, stats, .. } = record;
    let counters = [stats.nodes, stats.oracle_probes, stats.table_hits];
    let time = 0.0..=MOST_WORK as f64;
    if counters.iter().any(|&counter| counter > MOST_WORK) || !time.contains(&record.seconds) {
        return Err("nobody ever did so much work".to_owned());
    }
    if game.over(*position).is_some() {
        return Err(format!("the game is over in {}", text(game, *position)));
    }
    web.state(*position, *bounds)?;
    let mut seen = 0u8;
    for &(pit, own) in moves {
        if !is_legal(game, *position, pit) || seen & (1 << (pit - 1)) != 0 {
            return Err(format!("pit {pit} is named twice or cannot be sown in {}", text(game, *position)));
        }
        seen |= 1 << (pit - 1);
        check_bounds(game, *position, own)?;
        let sown = game.sow(*position, pit);
        match game.final_margin(&sown) {
            Some(value) if own.contains(value) => {}
            Some(value) => return Err(format!("pit {pit} is given {own}, but ends the game at {value}")),
            None => {
                let child = own + -sown.gain();
                let child = if sown.next == Next::Again { child } else { -child };
                let all = of_all(sown.position);
                let child = Bounds { lower: child.lower.max(all.lower), upper: child.upper.min(all.upper) };
                if child.lower > child.upper {
                    return Err(format!("pit {pit} is given {own}, which the seeds after it do not allow"));
                }
                web.state(sown.position, child)?;
            }
        }
    }
    let Some(line) = &record.line else { return Ok(()) };
    let Some(value) = bounds.exact() else { return Err("it has a line of play, but no value".to_owned()) };
    let all = game.legal(*position).len() as usize == moves.len();
    let exact = moves.iter().all(|(_, own)| own.exact().is_some());
    let sorted = moves.is_sorted_by_key(|&(_, own)| Reverse(own.lower));
    let best = moves.iter().any(|&(pit, own)| Some(&pit) == line.first() && own == Bounds::just(value));
    if !(all && exact && sorted && best) || moves.first().is_none_or(|&(_, own)| own != Bounds::just(value)) {
        return Err("its moves do not belong to its value and its line of play".to_owned());
    }
    replay(game, *position, value, line, web)
}

/// Replays a line of play: it must be legal and end the game at the stated value.
fn replay(game: &Game, position: Position, value: Margin, line: &[u8], web: &mut Web) -> Result<(), String> {
    let (mut now, mut value, mut passed) = (position, value, Vec::with_capacity(line.len()));
    for (number, &pit) in line.iter().enumerate() {
        if !is_legal(game, now, pit) {
            return Err(format!("sow {} of its line, pit {pit}, cannot be played in {}", number + 1, text(game, now)));
        }
        web.state(now, Bounds::just(value))?;
        passed.push((now, value));
        let sown = game.sow(now, pit);
        if let Some(end) = game.final_margin(&sown) {
            return if end == value && number + 1 == line.len() {
                search_again(game, &passed)
            } else {
                Err(format!("its line ends at {end} instead of {value} after {} sows", number + 1))
            };
        }
        (value, _) = after(&sown, value, Margin(0));
        now = sown.position;
    }
    Err("its line does not end the game".to_owned())
}

/// Searches the last positions of a line again.
fn search_again(game: &Game, line: &[(Position, Margin)]) -> Result<(), String> {
    let Some(&(first, _)) = line.first() else { return Ok(()) };
    let options = Options { table_bytes: 1 << 20, threads: 1 };
    let mut search = Search::new(*game, &NoOracle, first.seeds(), options).map_err(|error| error.to_string())?;
    let mut nodes = SEARCHED_NODES;
    for &(position, value) in line.iter().rev() {
        let limits = Limits::default().nodes(nodes);
        let answer = search.solve(position, Goal::Value, Some(value), limits).map_err(|error| error.to_string())?;
        if !answer.bounds.contains(value) {
            let position = text(game, position);
            return Err(format!("the value of {position} is given as {value}, a search says {}", answer.bounds));
        }
        nodes = nodes.saturating_sub(answer.stats.nodes);
        if answer.stopped.is_some() || nodes == 0 {
            break;
        }
    }
    Ok(())
}

fn is_legal(game: &Game, position: Position, pit: u8) -> bool {
    game.legal(position).any(|legal| legal == pit)
}
