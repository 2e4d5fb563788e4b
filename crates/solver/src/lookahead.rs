//! Positions of games that can go in circles, beyond the solved layers: true bounds from looking some moves ahead.
//!
//! A leaf of the look ahead is worth between minus and plus the seeds in its pits, whatever happens from there on; inside the
//! layers it is worth what they say. Minimax over such intervals gives true bounds of the root at every depth, and deeper looks
//! only narrow them. What is never done is to call a repetition by a value: a line that comes back to a position is cut off by
//! the depth, not decided.
//!
//! Where a repetition is worth what lies in the rows, the value of a position depends on how the game came to it, and the game may be
//! over by a repetition one move from here. There only what holds in every history is said: the seeds gained by a move, and the
//! seeds left.

use crate::ask::{Ask, Interrupt, after};
use crate::layers::Layers;
use crate::limits::Limits;
use crate::{SolverError, Stopped};
use kalah_rules::{Game, Margin, Next, Position, Repetition, SowingGame, Sown};
use kalah_search::{Bounds, Oracle, Stats};
use std::collections::HashSet;
use std::time::Instant;

/// As many positions are looked at where no limit is given: about a second.
const MOST_NODES: u64 = 3_000_000;

/// Deeper than this nothing is gained that the nodes would allow.
const MOST_DEPTH: u32 = 200;

/// A look ahead from positions of one game.
pub(crate) struct Lookahead<'a> {
    game: Game,
    layers: &'a Layers,
    limits: Limits<'a>,
    interrupt: Interrupt<'a>,
    until: Option<Instant>,
    stats: Stats,
    /// Why the last look ended before it had settled everything.
    stopped: Option<Stopped>,
}

impl<'a> Lookahead<'a> {
    pub(crate) fn new(game: Game, layers: &'a Layers, limits: Limits<'a>, interrupt: Interrupt<'a>) -> Lookahead<'a> {
        let until = limits.time.and_then(|time| Instant::now().checked_add(time));
        Lookahead { game, layers, limits, interrupt, until, stats: Stats::default(), stopped: None }
    }

    /// Whether a limit has come, or what one may spend without one.
    fn over(&mut self) -> bool {
        let most = match (self.limits.nodes, self.limits.time) {
            (Some(nodes), _) => nodes,
            (None, Some(_)) => u64::MAX,
            (None, None) => MOST_NODES,
        };
        if self.stats.nodes >= most {
            self.stopped = Some(if self.limits.nodes.is_some() { Stopped::Nodes } else { Stopped::Repetition });
        } else if self.stats.nodes.is_multiple_of(256) {
            if self.until.is_some_and(|until| Instant::now() >= until) {
                self.stopped = Some(Stopped::Time);
            } else if self.interrupt.is_set() {
                self.stopped = Some(Stopped::Cancelled);
            }
        }
        self.stopped.is_some()
    }

    /// How many moves ahead it pays to look.
    fn deepest(&self) -> u32 {
        if self.game.repetition() == Repetition::OwnRows { 0 } else { MOST_DEPTH }
    }

    /// A move to a new position that keeps `value`, if one is found within the limits.
    fn keeping(&mut self, position: Position, value: Margin, seen: &HashSet<Position>) -> Option<(u8, Sown)> {
        let game = self.game;
        for depth in 0..=self.deepest() {
            for pit in game.legal(position).rev() {
                let sown = game.sow(position, pit);
                let new = sown.next == Next::Over || !seen.contains(&sown.position);
                if new && self.of(&sown, depth)?.exact() == Some(value) {
                    return Some((pit, sown));
                }
            }
        }
        None
    }

    /// Bounds of a position from `depth` more moves; `None` once a limit has come.
    fn bounds(&mut self, position: Position, depth: u32) -> Option<Bounds> {
        if let Some(value) = self.game.over(position) {
            return Some(Bounds::just(value));
        }
        let seeds = position.seeds();
        if seeds < self.layers.reach() {
            self.stats.oracle_probes += 1;
            if let Some(value) = self.layers.value(position, seeds) {
                return Some(Bounds::just(value));
            }
        }
        if depth == 0 {
            return Some(all(position));
        }
        self.stats.nodes += 1;
        if self.over() {
            return None;
        }
        let game = self.game;
        let moves = game.legal(position).map(|pit| game.sow(position, pit));
        let mut best: Option<Bounds> = None;
        for sown in moves {
            let own = self.of(&sown, depth - 1)?;
            best = Some(
                best.map_or(own, |best| Bounds { lower: best.lower.max(own.lower), upper: best.upper.max(own.upper) }),
            );
        }
        Some(best.unwrap_or_else(|| all(position)))
    }

    /// Bounds of a move for the player who makes it.
    fn of(&mut self, sown: &Sown, depth: u32) -> Option<Bounds> {
        if let Some(value) = self.game.final_margin(sown) {
            return Some(Bounds::just(value));
        }
        let after = self.bounds(sown.position, depth)?;
        Some((if sown.next == Next::Again { after } else { -after }) + sown.gain())
    }
}

/// What is true of every position.
fn all(position: Position) -> Bounds {
    let seeds = Margin(position.seeds() as i16);
    Bounds { lower: -seeds, upper: seeds }
}

impl Ask for Lookahead<'_> {
    fn value(&mut self, position: Position, _guess: Option<Margin>) -> Result<Bounds, SolverError> {
        Ok(self.every_move(position, Margin(0))?.0)
    }

    fn every_move(&mut self, position: Position, _lead: Margin) -> Result<(Bounds, Vec<(u8, Bounds)>), SolverError> {
        let game = self.game;
        let mut moves: Vec<(u8, Sown, Bounds)> =
            game.legal(position).map(|pit| (pit, game.sow(position, pit), all(position))).collect();
        let settled = |moves: &[(u8, Sown, Bounds)]| moves.iter().all(|(_, _, bounds)| bounds.exact().is_some());
        self.stopped = None;
        'deeper: for depth in 0..=self.deepest() {
            if depth > 0 && settled(&moves) {
                break;
            }
            for (_, sown, known) in &mut moves {
                let Some(found) = self.of(sown, depth) else { break 'deeper };
                known.lower = known.lower.max(found.lower);
                known.upper = known.upper.min(found.upper);
            }
            self.layers.check()?;
        }
        self.layers.check()?;
        self.stopped = if settled(&moves) { None } else { self.stopped.or(Some(Stopped::Repetition)) };
        let most = |bound: fn(&Bounds) -> Margin| moves.iter().map(|(_, _, own)| bound(own)).max().unwrap_or_default();
        let bounds = Bounds { lower: most(|own| own.lower), upper: most(|own| own.upper) };
        let mut moves: Vec<(u8, Bounds)> = moves.into_iter().map(|(pit, _, own)| (pit, own)).collect();
        moves.sort_by_key(|&(pit, own)| std::cmp::Reverse((own.lower, own.upper, pit)));
        Ok((bounds, moves))
    }

    /// Only a line that visits no position twice: another one would have to say how a circle ends.
    fn line(&mut self, position: Position, value: Margin, _lead: Margin) -> Result<Option<Vec<u8>>, SolverError> {
        let (before, mut now, mut value, mut pits) = (self.stopped, position, value, Vec::new());
        let mut seen = HashSet::from([now]);
        let complete = loop {
            if self.game.over(now).is_some() {
                break true;
            }
            let Some((pit, sown)) = self.keeping(now, value, &seen) else { break false };
            pits.push(pit);
            if sown.next == Next::Over {
                break true;
            }
            (value, _) = after(&sown, value, Margin(0));
            now = sown.position;
            seen.insert(now);
        };
        self.layers.check()?;
        // A value is an answer without its line.
        self.stopped = before;
        Ok(complete.then_some(pits))
    }

    fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Options, Solver, Source};
    use kalah_database::Database;
    use kalah_retrograde::{BuildOptions, Unwatched, build, stamp};
    use kalah_rules::{RuleSet, State};

    /// Boards of three pits a side with six to nine seeds, in no order.
    fn boards() -> impl Iterator<Item = State> {
        (0..600u32).map(|number| {
            let mut board = [0u32; 6];
            for seed in 0..6 + number % 4 {
                board[(number.wrapping_mul(2_654_435_761) >> (3 * seed + 1)) as usize % 6] += 1;
            }
            let [a, b, c, d, e, f] = board;
            format!("<3,0,0,{a},{b},{c},{d},{e},{f}>").parse().unwrap()
        })
    }

    #[test]
    fn bounds_are_true_with_few_layers_and_meet_with_all() {
        for name in ["awari", "oware+cycle=split"] {
            let rules: RuleSet = name.parse().unwrap();
            let (few, all) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            build(few.path(), &rules, 3, 4, &BuildOptions::default(), &Unwatched).unwrap();
            build(all.path(), &rules, 3, 9, &BuildOptions::default(), &Unwatched).unwrap();
            let truth = Database::open(all.path(), &stamp(&rules, 3)).unwrap();
            let solver = Solver::open(few.path(), rules, 3, Options::default()).unwrap();
            let (mut exact, mut narrowed) = (0, 0);
            for state in boards() {
                let position = state.position();
                let limits = Limits { nodes: Some(300), ..Limits::default() };
                let answer = solver.analyse(&state, &limits).unwrap();
                if answer.source == Source::Finished {
                    continue;
                }
                assert_eq!(answer.source, Source::Search);
                let value = truth.value(position.mover.bits(), position.opponent.bits()).unwrap().unwrap();
                let (value, said) = (Margin(i16::from(value)), answer.worth.mover);
                assert!(said.contains(value), "{name} {state}: {said}, but {value}");
                assert_eq!(answer.is_complete(), answer.moves.iter().all(|found| found.worth.bound == Bound::Exact));
                exact += usize::from(answer.worth.bound == Bound::Exact);
                narrowed += usize::from(answer.worth.bound != Bound::Unknown);
            }
            assert!(exact > 20 && narrowed > exact, "{name}: {exact} exact, {narrowed} narrowed");
        }
    }

    #[test]
    fn where_history_counts_only_the_seeds_of_a_move_are_promised() {
        let solver = Solver::without_layers("oware".parse().unwrap(), 6, Options::default()).unwrap();
        let state: State = "start:6x4".parse().unwrap();
        let answer = solver.analyse(&state, &Limits::default()).unwrap();
        assert_eq!((answer.worth.bound, answer.exact()), (Bound::Unknown, None));
        assert_eq!(answer.stopped, Some(Stopped::Repetition));
        assert!(answer.moves.iter().all(|found| found.worth.bound == Bound::Unknown));
        // Pit 6 captures two seeds: with the other four at stake the move is worth at least −2 and at most +6.
        let state: State = "<6,0,0,0,0,0,0,0,1,1,0,0,0,0,4>".parse().unwrap();
        let answer = solver.analyse(&state, &Limits::default()).unwrap();
        let found = answer.pit(6).unwrap();
        assert_eq!((found.banked, found.worth.bound), (2, Bound::Unknown));
        assert_eq!(found.worth.mover, Bounds { lower: Margin(-2), upper: Margin(6) });
    }

    #[test]
    fn an_exact_value_that_ends_the_game_has_a_line_and_totals() {
        let solver = Solver::without_layers("oware".parse().unwrap(), 6, Options::default()).unwrap();
        let state: State = "0-0-0-0-0-1-1-0-0-0-0-0-24-22-S".parse().unwrap();
        let answer = solver.analyse(&state, &Limits::default()).unwrap();
        assert_eq!((answer.exact(), answer.is_complete()), (Some(Margin(-2)), true));
        assert_eq!((answer.final_totals, answer.pv_final), (Some([24, 24]), Some([24, 24])));
        assert_eq!(answer.pv, [crate::Step::Pit(6)]);
    }
}
