//! From results of sub-problems back to the root, with every contradiction refused.

use super::list::{Task, WorkList};
use super::tree::{Key, Query, Unfolded, unfold};
use super::{SplitError, TaskResult};
use crate::hash_text;
use kalah_rules::{Game, Margin, Next, Position, RuleSet, SowingGame, State};
use kalah_search::Bounds;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A result and where it was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// What errors call it, such as a file and a line.
    pub from: String,
    /// The result.
    pub result: TaskResult,
}

/// What all lists and results together prove.
#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    /// The rules.
    pub rules: RuleSet,
    /// The position in question.
    pub root: State,
    /// What is proved about its value, for its mover.
    pub bounds: Bounds,
    /// How it stands with each list, in their order.
    pub rounds: Vec<Round>,
    /// How to get nearer to the value; `None` if it is known.
    pub next: Option<NextStep>,
}

/// How it stands with one list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The list's name.
    pub list: String,
    /// What it asks of the root.
    pub window: Margin,
    /// The answer, if it is known.
    pub reached: Option<bool>,
    /// How many sub-problems it has.
    pub tasks: usize,
    /// The numbers of the sub-problems that no result of any list answers.
    pub missing: Vec<u64>,
    /// Those of them whose answer may still matter for the root's.
    pub needed: Vec<u64>,
}

/// How to get nearer to the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStep {
    /// Solve the sub-problems that are missing in the list of this number, counted from 0.
    Work(usize),
    /// Ask whether the root's value is at least this.
    Ask(Margin),
}

/// What is known of a position, and which results say so.
#[derive(Clone, Copy)]
struct Known {
    bounds: Bounds,
    /// Numbers of evidence; `None` where the rules alone say so.
    lower_from: Option<usize>,
    upper_from: Option<usize>,
}

impl Known {
    /// What is true of every position with so many seeds.
    fn of_all(position: Position) -> Known {
        let all = Margin(position.seeds() as i16);
        Known { bounds: Bounds { lower: -all, upper: all }, lower_from: None, upper_from: None }
    }

    fn turned(self) -> Known {
        Known { bounds: -self.bounds, lower_from: self.upper_from, upper_from: self.lower_from }
    }

    /// Both, where they are sharper.
    fn and(self, other: Known) -> Known {
        let (lower, lower_from) = if other.bounds.lower > self.bounds.lower {
            (other.bounds.lower, other.lower_from)
        } else {
            (self.bounds.lower, self.lower_from)
        };
        let (upper, upper_from) = if other.bounds.upper < self.bounds.upper {
            (other.bounds.upper, other.upper_from)
        } else {
            (self.bounds.upper, self.upper_from)
        };
        Known { bounds: Bounds { lower, upper }, lower_from, upper_from }
    }

    /// The better of two moves.
    fn or(self, other: Known) -> Known {
        let (lower, lower_from) = if other.bounds.lower > self.bounds.lower {
            (other.bounds.lower, other.lower_from)
        } else {
            (self.bounds.lower, self.lower_from)
        };
        let (upper, upper_from) = if other.bounds.upper > self.bounds.upper {
            (other.bounds.upper, other.upper_from)
        } else {
            (self.bounds.upper, self.upper_from)
        };
        Known { bounds: Bounds { lower, upper }, lower_from, upper_from }
    }
}

/// Puts results together. `lists` are rounds of one question, each with its name; the results may be of any of them.
///
/// # Errors
/// If the lists are not about the same root and rules, or results exclude each other, the rules or the lists.
pub fn merge(lists: &[(String, WorkList)], evidence: &[Evidence]) -> Result<Merged, SplitError> {
    let Some(((first_name, first), others)) = lists.split_first() else { return Err(SplitError::NoList) };
    for (name, list) in others {
        if (list.rules(), list.root()) != (first.rules(), first.root()) {
            let about = |list: &WorkList| format!("{} under {}", list.root(), list.rules());
            return Err(SplitError::OtherRoot {
                first: first_name.clone(),
                expected: about(first),
                second: name.clone(),
                found: about(list),
            });
        }
    }
    let merging = Merging { game: first.rules().game(first.root().pits())?, lists, evidence };
    let known = merging.climb(merging.take()?)?;
    let look = |position: Position| known.get(&position).map_or_else(|| Known::of_all(position).bounds, |k| k.bounds);
    let bounds = look(first.root().position());
    let rounds: Vec<Round> = lists.iter().map(|(name, list)| merging.round(name, list, &look)).collect();
    let next = merging.next(bounds, &rounds);
    Ok(Merged { rules: first.rules(), root: first.root(), bounds, rounds, next })
}

struct Merging<'a> {
    game: Game,
    lists: &'a [(String, WorkList)],
    evidence: &'a [Evidence],
}

impl Merging<'_> {
    /// What the results say of their own positions.
    fn take(&self) -> Result<HashMap<Position, Known>, SplitError> {
        let mut asked: HashMap<Query, (usize, &Task)> = HashMap::new();
        for (number, (_, list)) in self.lists.iter().enumerate() {
            for task in list.tasks() {
                asked.entry(query(task)).or_insert((number, task));
            }
        }
        let mut known = HashMap::new();
        for (number, Evidence { from, result }) in self.evidence.iter().enumerate() {
            let position = result.state.position();
            let (list, task) = self.task(&asked, from, result)?;
            let task = || format!("{list} sub-problem {}", task.id);
            let Bounds { lower, upper } = result.bounds;
            let seeds = position.seeds();
            let all = Margin(seeds as i16);
            let parity = |bound: Margin| !self.game.keeps_parity() || (i32::from(bound.0) ^ seeds as i32) & 1 == 0;
            if !(-all <= lower && lower <= upper && upper <= all && parity(lower) && parity(upper)) {
                let (bounds, position) = (result.bounds, result.state.to_string());
                return Err(SplitError::Impossible { place: from.clone(), bounds, position, seeds, task: task() });
            }
            if !result.answers() {
                return Err(SplitError::NoAnswer {
                    place: from.clone(),
                    bounds: result.bounds,
                    position: result.state.to_string(),
                    window: result.window,
                    task: task(),
                });
            }
            let said = Known { bounds: result.bounds, lower_from: Some(number), upper_from: Some(number) };
            let entry = known.entry(position).or_insert_with(|| Known::of_all(position));
            // A bound that is true of every position is nobody's finding.
            *entry = entry.and(said);
            self.check(position, entry)?;
        }
        Ok(known)
    }

    /// The list and the sub-problem that a result belongs to.
    fn task<'b>(
        &self,
        asked: &HashMap<Query, (usize, &'b Task)>,
        from: &str,
        result: &TaskResult,
    ) -> Result<(&str, &'b Task), SplitError> {
        let found = asked.get(&Query { position: result.state.position(), window: result.window });
        let (name, list) = &self.lists[found.map_or(0, |&(number, _)| number)];
        if result.rules_hash != hash_text(&list.rules()) {
            return Err(SplitError::ResultRules {
                place: from.to_owned(),
                found: result.rules_hash.clone(),
                list: name.clone(),
                rules: list.rules(),
                expected: hash_text(&list.rules()),
            });
        }
        match found {
            Some(&(_, task)) if task.state.pits() == result.state.pits() => Ok((name, task)),
            _ => Err(SplitError::NotInList {
                place: from.to_owned(),
                position: result.state.to_string(),
                window: result.window,
                lists: self.lists.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// Takes what is known from the edges of all lists up to the root.
    fn climb(&self, mut known: HashMap<Position, Known>) -> Result<HashMap<Position, Known>, SplitError> {
        let pits = self.game.pits();
        let unfolded = self.lists.iter().flat_map(|(_, list)| list.unfolded_positions());
        let unfolded: BTreeSet<Key> = unfolded.map(|&position| Key::new(pits, position)).collect();
        // What follows a position comes before it.
        for key in unfolded {
            let position = key.position;
            let moves = self.game.legal(position).map(|pit| self.after(position, pit, &known));
            let Some(from_moves) = moves.reduce(Known::or) else { continue };
            let own = known.get(&position).copied().unwrap_or_else(|| Known::of_all(position));
            let both = own.and(from_moves);
            self.check(position, &both)?;
            known.insert(position, both);
        }
        Ok(known)
    }

    /// What is known of a position if one pit is sown, for the player who sows it.
    fn after(&self, position: Position, pit: u8, known: &HashMap<Position, Known>) -> Known {
        let sown = self.game.sow(position, pit);
        if let Some(value) = self.game.final_margin(&sown) {
            return Known { bounds: Bounds::just(value), lower_from: None, upper_from: None };
        }
        let child = known.get(&sown.position).copied().unwrap_or_else(|| Known::of_all(sown.position));
        let child = if sown.next == Next::Again { child } else { child.turned() };
        Known { bounds: child.bounds + sown.gain(), ..child }
    }

    /// Refuses bounds that leave no value.
    fn check(&self, position: Position, known: &Known) -> Result<(), SplitError> {
        let Bounds { lower, upper } = known.bounds;
        if lower <= upper {
            return Ok(());
        }
        let from = |number: Option<usize>| match number.map(|number| &self.evidence[number]) {
            None => "the rules".to_owned(),
            Some(Evidence { from, result }) if result.state.position() == position => from.clone(),
            Some(Evidence { from, result }) => format!("{from} about {} and what goes with it", result.state),
        };
        Err(SplitError::Contradiction {
            position: State::new(self.game.pits(), position).to_string(),
            lower,
            lower_from: from(known.lower_from),
            upper,
            upper_from: from(known.upper_from),
        })
    }

    /// How it stands with one list, if `look` tells what is known of a position.
    fn round(&self, name: &str, list: &WorkList, look: &impl Fn(Position) -> Bounds) -> Round {
        let open = |query: Query| {
            let bounds = look(query.position);
            bounds.lower < query.window && bounds.upper >= query.window
        };
        let missing: HashMap<Query, u64> =
            list.tasks().iter().map(|task| (query(task), task.id)).filter(|&(query, _)| open(query)).collect();
        let root = Query { position: list.root().position(), window: list.window() };
        // Down from the root through everything that is open.
        let (mut seen, mut waiting, mut needed) = (HashSet::from([root]), vec![root], Vec::new());
        while let Some(query) = waiting.pop() {
            if !open(query) {
                continue;
            }
            if let Some(&id) = missing.get(&query) {
                needed.push(id);
            } else if let Unfolded::Open(children) = unfold(&self.game, query) {
                waiting.extend(children.into_iter().map(|(child, _)| child).filter(|&child| seen.insert(child)));
            }
        }
        let mut missing: Vec<u64> = missing.into_values().collect();
        missing.sort_unstable();
        needed.sort_unstable();
        let reached = (!open(root)).then(|| look(root.position).lower >= list.window());
        Round { list: name.to_owned(), window: list.window(), reached, tasks: list.tasks().len(), missing, needed }
    }

    /// How to get nearer to the value.
    fn next(&self, bounds: Bounds, rounds: &[Round]) -> Option<NextStep> {
        if bounds.exact().is_some() {
            return None;
        }
        if let Some(open) = rounds.iter().rposition(|round| round.reached.is_none()) {
            return Some(NextStep::Work(open));
        }
        let step = Margin(if self.game.keeps_parity() { 2 } else { 1 });
        // On in the direction the last answer points to.
        let up = rounds.last().is_some_and(|round| round.reached == Some(true));
        Some(NextStep::Ask(if up { bounds.lower + step } else { bounds.upper }))
    }
}

/// What a sub-problem asks.
fn query(task: &Task) -> Query {
    Query { position: task.state.position(), window: task.window }
}
