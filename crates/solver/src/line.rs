//! A line of play, replayed move by move: what it says by turns and where it ends.

use crate::SolverError;
use crate::answer::{Step, Turn};
use kalah_rules::{Game, Margin, Next, RuleSet, Side, State};

/// A line that was replayed to the end of the game.
pub(crate) struct Line {
    /// Every sow.
    pub(crate) steps: Vec<Step>,
    /// Every whole turn.
    pub(crate) turns: Vec<Turn>,
    /// South's and North's totals at the end.
    pub(crate) totals: [u32; 2],
}

/// Replays `pits` from `state`, which must end the game and leave the side to move with exactly `value`.
///
/// # Errors
/// [`SolverError::Contradiction`] if it does not.
pub(crate) fn replay(
    rules: &RuleSet,
    game: &Game,
    state: State,
    pits: &[u8],
    value: Margin,
) -> Result<Line, SolverError> {
    let contradiction = || SolverError::Contradiction { rules: *rules, position: state.to_string(), value };
    let (mut now, mut turn, mut turns) = (state, Vec::new(), Vec::new());
    for &pit in pits {
        let played = now.play(game, pit).map_err(|_| contradiction())?;
        turn.push(pit);
        if played.next != Next::Again {
            turns.push(Turn { side: now.to_move(), pits: std::mem::take(&mut turn) });
        }
        now = played.state;
    }
    let mover = state.to_move();
    let won = |side: Side| i64::from(now.store(side)) - i64::from(state.store(side));
    let over = now.position().seeds() == 0 && turn.is_empty();
    if !over || won(mover) - won(mover.other()) != i64::from(value.0) {
        return Err(contradiction());
    }
    let totals = [now.store(Side::South), now.store(Side::North)];
    Ok(Line { steps: pits.iter().copied().map(Step::Pit).collect(), turns, totals })
}
