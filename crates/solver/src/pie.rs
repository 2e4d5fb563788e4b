//! The pie rule: after the first player's complete first turn the second player may change seats. It concerns starts only.

use crate::SolverError;
use crate::answer::{Step, Turn};
use crate::ask::Ask;
use crate::line::Line;
use kalah_rules::{Game, Margin, Next, Position, Side, SowingGame, State};
use kalah_search::Bounds;
use std::collections::HashMap;

/// A complete first turn and what it is worth.
pub(crate) struct FirstTurn {
    /// Its sows.
    pub(crate) pits: Vec<u8>,
    /// The board afterwards.
    pub(crate) state: State,
    /// What is proved about the first player's margin if nobody changes seats.
    pub(crate) kept: Bounds,
    /// What is left to the first player once the other has chosen the better seat.
    pub(crate) bounds: Bounds,
}

/// Whether the rule applies: nothing in the stores, as many seeds in every pit, South to move.
pub(crate) fn is_start(state: &State) -> bool {
    State::start(state.pits(), u32::from(state.row(Side::South).pit(1))).is_ok_and(|start| start == *state)
}

/// The value of minus the absolute value: what remains when the other player takes the better seat.
pub(crate) fn with_choice(kept: Bounds) -> Bounds {
    let (low, high) = (-kept.lower.max(-kept.lower), -kept.upper.max(-kept.upper));
    let spans_zero = kept.lower < Margin(0) && kept.upper > Margin(0);
    Bounds { lower: low.min(high), upper: if spans_zero { Margin(0) } else { low.max(high) } }
}

/// All complete first turns of a start with what can be proved about each.
pub(crate) fn first_turns(question: &mut dyn Ask, game: &Game, start: State) -> Result<Vec<FirstTurn>, SolverError> {
    let mut turns = Vec::new();
    collect(game, start.position(), Margin(0), &mut Vec::new(), &mut turns);
    let mut known: HashMap<Position, Bounds> = HashMap::new();
    let mut guess = None;
    turns
        .into_iter()
        .map(|(pits, end, gain)| {
            let state = start.play_turn(game, &pits).map(|played| played.state).unwrap_or(start);
            let kept = match end {
                // Over with the turn: there is nothing to choose between but the seats, as at any other time.
                None => Bounds::just(gain),
                Some(position) => {
                    let after = match known.get(&position) {
                        Some(&bounds) => bounds,
                        None => {
                            let bounds = question.value(position, guess)?;
                            guess = bounds.exact();
                            *known.entry(position).or_insert(bounds)
                        }
                    };
                    -after + gain
                }
            };
            Ok(FirstTurn { pits, state, kept, bounds: with_choice(kept) })
        })
        .collect()
}

/// What is left to the first player of a start if the other may change seats, as far as it can be proved. Asks less than
/// [`first_turns`]: once one turn's worth is known, of any other only whether it is worth more.
pub(crate) fn value(question: &mut dyn Ask, game: &Game, start: Position) -> Result<Bounds, SolverError> {
    let mut turns = Vec::new();
    collect(game, start, Margin(0), &mut Vec::new(), &mut turns);
    // After turns of one sow, whoever asks has mostly asked about the first moves already.
    turns.sort_by_key(|(pits, ..)| pits.len());
    let all = -Margin(start.seeds() as i16);
    let mut best = Bounds { lower: all, upper: all };
    for (_, end, gain) in turns {
        if best.lower == Margin(0) {
            // Nothing is better than a level game.
            break;
        }
        let kept = match end {
            None => Bounds::just(gain),
            Some(position) => -after_turn(question, position, gain, best.lower)? + gain,
        };
        let bounds = with_choice(kept);
        best = Bounds { lower: best.lower.max(bounds.lower), upper: best.upper.max(bounds.upper) };
    }
    Ok(best)
}

/// What can be proved about the position after a turn that banked `gain`, at least whether the turn leaves the first player
/// more than `beat`, which is 0 or less: it does if their margin lies between `beat` and `-beat`.
fn after_turn(question: &mut dyn Ask, position: Position, gain: Margin, beat: Margin) -> Result<Bounds, SolverError> {
    let most = gain - beat;
    let bounds = question.reaches(position, most)?;
    if bounds.lower >= most || bounds.exact().is_some() {
        return Ok(bounds);
    }
    let least = gain + beat;
    let above = question.reaches(position, least + Margin(1))?;
    if above.upper <= least {
        return Ok(above);
    }
    question.value(position, Some(gain))
}

/// Every sequence of sows that completes the turn: the sows, the position the opponent then sees (`None` if the game is
/// over), and the margin won so far (the whole margin if the game is over).
type FullTurn = (Vec<u8>, Option<Position>, Margin);

fn collect(game: &Game, position: Position, gain: Margin, begun: &mut Vec<u8>, turns: &mut Vec<FullTurn>) {
    for pit in game.legal(position).rev() {
        begun.push(pit);
        let sown = game.sow(position, pit);
        match sown.next {
            Next::Again => collect(game, sown.position, gain + sown.gain(), begun, turns),
            Next::Pass => turns.push((begun.clone(), Some(sown.position), gain + sown.gain())),
            Next::Over => {
                let end = gain + sown.gain() + game.leftovers(sown.position).margin();
                turns.push((begun.clone(), None, end));
            }
        }
        begun.pop();
    }
}

/// Puts the first turn and, if the second player gains by it, a swap before the line that follows. Totals are the
/// players': after a swap the first player has North's seat.
pub(crate) fn with_first_turn(first: &FirstTurn, swapped: bool, rest: Line) -> Line {
    let [south, north] = rest.totals;
    let opening = Turn { side: Side::South, pits: first.pits.clone() };
    let swap = swapped.then_some(Turn { side: Side::North, pits: Vec::new() });
    // After a swap the players keep their names but not their seats.
    let named = |turn: Turn| Turn { side: if swapped { turn.side.other() } else { turn.side }, ..turn };
    let steps = first.pits.iter().copied().map(Step::Pit);
    Line {
        steps: steps.chain(swapped.then_some(Step::Swap)).chain(rest.steps).collect(),
        turns: std::iter::once(opening).chain(swap).chain(rest.turns.into_iter().map(named)).collect(),
        totals: if swapped { [north, south] } else { [south, north] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_tight_on_every_interval() {
        for low in -4..=4 {
            for high in low..=4 {
                let left: Vec<i16> = (low..=high).map(|value: i16| -value.abs()).collect();
                let bounds = with_choice(Bounds { lower: Margin(low), upper: Margin(high) });
                assert_eq!(Some(bounds.lower.0), left.iter().min().copied(), "{low} to {high}");
                assert_eq!(Some(bounds.upper.0), left.iter().max().copied(), "{low} to {high}");
            }
        }
    }

    #[test]
    fn only_uniform_boards_with_empty_stores_are_starts() {
        for (text, expected) in [
            ("start:6x4", true),
            ("<2,0,0,3,3,3,3>", true),
            ("<2,0,0,3,3,3,3> N", false),
            ("<2,1,0,3,3,3,3>", false),
            ("<2,0,0,3,3,3,4>", false),
        ] {
            assert_eq!(is_start(&text.parse().unwrap()), expected, "{text}");
        }
    }
}
