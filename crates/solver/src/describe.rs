//! Puts what was found out about a position into an [`Answer`], whoever found it out: layers, search or a kept solution.

use crate::answer::{EndMargin, MoveAnswer, Step, Worth, every};
use crate::ask::Ask;
use crate::ask::after;
use crate::line::{Line, replay};
use crate::{Answer, Record, Solver, SolverError, Source, Stopped, VERSION, pie};
use kalah_rules::{Game, Margin, Next, Side, SowingGame, State, explain};
use kalah_search::{Bounds, Proof, Stats};

/// Above the work of any search: what a line of perfect play knows stays.
const MOST_WORK: u8 = 63;

/// An answer that knows nothing yet.
pub(crate) fn blank(solver: &Solver, state: &State) -> Answer {
    Answer {
        rules: solver.rules(),
        rules_hash: solver.rules().hash64(),
        position: *state,
        to_move: state.to_move(),
        worth: Worth::unknown(state),
        final_totals: None,
        source: Source::Finished,
        stopped: None,
        moves: Vec::new(),
        best_moves: Vec::new(),
        pv: Vec::new(),
        pv_turns: Vec::new(),
        pv_final: None,
        nodes: 0,
        database_probes: 0,
        table_hits: 0,
        seconds: 0.0,
        database_layers: solver.layers(),
        threads: solver.options().threads,
        version: VERSION,
    }
}

/// The answer for a position in which the game is over: the sweep.
pub(crate) fn finish(game: &Game, answer: &mut Answer, value: Margin) {
    let (state, mover) = (answer.position, answer.to_move);
    // The player who waits counts as the one who moved last.
    let share = game.leftovers(state.position().flipped());
    let swept = |side: Side| state.store(side) + u32::from(if side == mover { share.opponent } else { share.mover });
    answer.worth = Worth::new(&state, Bounds::just(value));
    answer.final_totals = Some([swept(Side::South), swept(Side::North)]);
    answer.pv_final = answer.final_totals;
}

/// Asks everything about a position, whoever knows the answers.
pub(crate) fn ask(solver: &Solver, means: &mut dyn Ask, state: &State, answer: &mut Answer) -> Result<(), SolverError> {
    if solver.rules().pie && pie::is_start(state) {
        ask_with_pie(solver, means, state, answer)?;
    } else {
        ask_plainly(solver, means, state, answer)?;
    }
    let Stats { nodes, oracle_probes, table_hits, .. } = means.stats();
    (answer.nodes, answer.database_probes, answer.table_hits) = (nodes, oracle_probes, table_hits);
    Ok(())
}

fn ask_plainly(solver: &Solver, means: &mut dyn Ask, state: &State, answer: &mut Answer) -> Result<(), SolverError> {
    let position = state.position();
    let (bounds, moves) = means.every_move(position, lead(state))?;
    let mut stopped = means.stopped();
    fill(&solver.game, answer, bounds, &moves);
    if let Some(value) = bounds.exact() {
        match means.line(position, value, lead(state))? {
            Some(pits) => set_line(answer, replay(&solver.rules(), &solver.game, *state, &pits, value)?),
            None => stopped = stopped.or(means.stopped()),
        }
    }
    answer.stopped = stopped;
    Ok(())
}

fn ask_with_pie(solver: &Solver, means: &mut dyn Ask, start: &State, answer: &mut Answer) -> Result<(), SolverError> {
    let game = &solver.game;
    let turns = pie::first_turns(means, game, *start)?;
    let best = |bounds: &mut dyn Iterator<Item = Bounds>| {
        bounds.reduce(|a, b| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) })
    };
    let mut moves: Vec<(u8, Bounds)> = game
        .legal(start.position())
        .filter_map(|pit| {
            let mut own = turns.iter().filter(|turn| turn.pits.first() == Some(&pit)).map(|turn| turn.bounds);
            best(&mut own).map(|bounds| (pit, bounds))
        })
        .collect();
    moves.sort_by_key(|&(pit, bounds)| std::cmp::Reverse((bounds.lower, bounds.upper, pit)));
    let Some(bounds) = best(&mut moves.iter().map(|&(_, bounds)| bounds)) else { return Ok(()) };
    fill(game, answer, bounds, &moves);
    let settled = moves.iter().all(|(_, own)| own.exact().is_some());
    answer.stopped = if settled { None } else { means.stopped() };
    // Only a turn whose worth is known on either seat can begin a line that ends where it should.
    let keeps = turns.iter().filter(|turn| turn.bounds == bounds && bounds.exact().is_some());
    let Some((first, kept)) = keeps.filter_map(|turn| Some((turn, turn.kept.exact()?))).next() else {
        return Ok(());
    };
    let won = |side: Side| Margin(first.state.store(side) as i16);
    // What North, to move after the turn, still gets.
    let rest = won(Side::South) - won(Side::North) - kept;
    match means.line(first.state.position(), rest, lead(&first.state))? {
        Some(pits) => {
            let line = replay(&solver.rules(), game, first.state, &pits, rest)?;
            set_line(answer, pie::with_first_turn(first, kept > Margin(0), line));
        }
        None => answer.stopped = answer.stopped.or(means.stopped()),
    }
    Ok(())
}

/// Enters the value and the moves, which come best first.
fn fill(game: &Game, answer: &mut Answer, bounds: Bounds, moves: &[(u8, Bounds)]) {
    let state = answer.position;
    let position = state.position();
    // A move that brings some seeds is worth these and what is left, more or less, whatever follows.
    let trivial = |pit: u8| {
        let sown = game.sow(position, pit);
        every(sown.position.seeds()) + sown.gain()
    };
    let best = |a: Bounds, b: Bounds| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) };
    let with_pie = answer.rules.pie && pie::is_start(&state);
    let known = game.legal(position).map(trivial).reduce(best).filter(|_| !with_pie);
    answer.worth = Worth::within(&state, bounds, known.unwrap_or(every(position.seeds())));
    if let Some(value) = bounds.exact() {
        answer.final_totals = totals(game, &state, Worth::new(&state, Bounds::just(value)).end_south);
    }
    let rules = answer.rules;
    answer.moves = moves
        .iter()
        .filter_map(|&(pit, own)| {
            let played = state.play(game, pit).ok()?;
            let told = explain(&rules, &state, pit).ok()?;
            Some(MoveAnswer {
                step: Step::Pit(pit),
                pit,
                extra: played.next == Next::Again,
                captured: told.captured,
                banked: told.banked,
                position: played.state,
                to_move: played.state.to_move(),
                worth: Worth::within(&state, own, if with_pie { every(position.seeds()) } else { trivial(pit) }),
                loss: None,
                best: None,
            })
        })
        .collect();
    compare(answer);
}

/// Says of each move what it loses and whether it is best.
fn compare(answer: &mut Answer) {
    let all = answer.worth.mover;
    for found in &mut answer.moves {
        let own = found.worth.mover;
        found.loss = own.exact().zip(all.exact()).map(|(own, all)| all - own);
        found.best = if own.lower >= all.upper {
            Some(true)
        } else if own.upper < all.lower {
            Some(false)
        } else {
            None
        };
    }
    let best = answer.moves.iter().filter(|found| found.best == Some(true));
    answer.best_moves = best.map(|found| found.step).collect();
}

/// South's and North's totals at the end of a game from `state` that South ends with `margin`; `None` if it is not one number,
/// or does not tell because some leftovers go to nobody.
fn totals(game: &Game, state: &State, margin: EndMargin) -> Option<[u32; 2]> {
    let seeds = i64::from(state.seeds());
    let half = |twice: i64| u32::try_from(twice / 2).ok();
    let known = game.keeps_parity() && margin.lower == margin.upper;
    known.then_some([half(seeds + margin.lower)?, half(seeds - margin.lower)?])
}

/// What the store of the player to move holds more than the other one, as far as what lies in pits could change who is ahead.
fn lead(state: &State) -> Margin {
    let store = |side: Side| i64::from(state.store(side));
    let lead = store(state.to_move()) - store(state.to_move().other());
    Margin(lead.clamp(-1000, 1000) as i16)
}

fn set_line(answer: &mut Answer, line: Line) {
    (answer.pv, answer.pv_turns, answer.pv_final) = (line.steps, line.turns, Some(line.totals));
    // Where some leftovers go to nobody, only a line of play tells the totals.
    answer.final_totals = answer.final_totals.or(answer.pv_final);
}

/// What kept solutions know of a position, if they know its exact value and a line of play.
pub(crate) fn recall(solver: &Solver, state: &State) -> Result<Option<Answer>, SolverError> {
    let (position, solutions) = (state.position(), &solver.solutions);
    let mut answer = blank(solver, state);
    let (value, moves, pits) = if let Some(record) = solutions.solved(position)
        && let (Some(value), Some(line)) = (record.bounds.exact(), &record.line)
    {
        let Stats { nodes, oracle_probes, table_hits, .. } = record.stats;
        (answer.nodes, answer.database_probes, answer.table_hits) = (nodes, oracle_probes, table_hits);
        (answer.seconds, answer.database_layers, answer.threads) = (record.seconds, record.layers, record.threads);
        (value, record.moves.clone(), line.clone())
    } else if let Some((value, line)) = solutions.line(&solver.game, position) {
        let best = line.first().copied().unwrap_or_default();
        (value, solutions.moves(&solver.game, position, best, value), line)
    } else {
        return Ok(None);
    };
    answer.source = Source::Solution;
    fill(&solver.game, &mut answer, Bounds::just(value), &moves);
    set_line(&mut answer, replay(&solver.rules(), &solver.game, *state, &pits, value)?);
    Ok(Some(answer))
}

/// Adds to the answer of a search what a kept solution knew before.
pub(crate) fn unite(solver: &Solver, answer: &mut Answer, known: Answer) -> Result<(), SolverError> {
    let both = |a: Bounds, b: Bounds| Bounds { lower: a.lower.max(b.lower), upper: a.upper.min(b.upper) };
    let mut moves: Vec<(u8, Bounds)> = known
        .moves
        .iter()
        .map(|old| (old.pit, answer.pit(old.pit).map_or(old.worth.mover, |new| both(new.worth.mover, old.worth.mover))))
        .collect();
    let bounds = both(answer.worth.mover, known.worth.mover);
    // One of the two would have to be wrong.
    if bounds.lower > bounds.upper || moves.iter().any(|(_, own)| own.lower > own.upper) {
        return Err(solver.contradiction(&known.position, known.worth.mover.lower));
    }
    // A search that was not stopped has put equal moves in their order.
    if answer.stopped.is_some() {
        moves.sort_by_key(|&(pit, own)| std::cmp::Reverse((own.lower, own.upper, pit)));
    } else {
        let order: Vec<u8> = answer.moves.iter().map(|found| found.pit).collect();
        moves.sort_by_key(|(pit, _)| order.iter().position(|other| other == pit));
    }
    let stopped: Option<Stopped> = answer.stopped;
    fill(&solver.game, answer, bounds, &moves);
    if answer.pv.is_empty() {
        (answer.pv, answer.pv_turns, answer.pv_final) = (known.pv, known.pv_turns, known.pv_final);
        answer.final_totals = answer.final_totals.or(known.final_totals);
    }
    let open = answer.moves.iter().any(|found| found.worth.value_mover.is_none());
    answer.stopped = if open { stopped } else { None };
    Ok(())
}

/// The record of an answer that is complete.
pub(crate) fn record(solver: &Solver, answer: &Answer, mut proofs: Vec<Proof>) -> Option<Record> {
    let bounds = Bounds::just(answer.exact()?);
    let line = answer.pv.iter().map(|step| step.pit()).collect::<Option<Vec<u8>>>()?;
    let position = answer.position.position();
    let (mut now, mut value) = (position, bounds.lower);
    for &pit in &line {
        proofs.retain(|proof| proof.position != now);
        proofs.push(Proof { position: now, bounds: Bounds::just(value), pit: Some(pit), work: MOST_WORK });
        let sown = solver.game.sow(now, pit);
        (value, _) = after(&sown, value, Margin(0));
        now = sown.position;
    }
    let moves = answer.moves.iter().map(|found| Some((found.pit, Bounds::just(found.worth.value_mover?))));
    Some(Record {
        rules: solver.rules(),
        pits: solver.pits(),
        position,
        bounds,
        moves: moves.collect::<Option<_>>()?,
        line: Some(line),
        stats: Stats { nodes: answer.nodes, oracle_probes: answer.database_probes, table_hits: answer.table_hits },
        seconds: answer.seconds,
        layers: answer.database_layers,
        threads: answer.threads,
        program: VERSION.to_owned(),
        proofs,
    })
}
