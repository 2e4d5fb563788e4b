//! Lines of play as others print them: replayed move by move, and where they break.

use kalah_rules::{Game, Next, Side, SowingGame, State};
use std::collections::{BTreeSet, HashSet};

/// Where a line of play breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Break {
    /// The turn, or the move of a line without turns, from 1.
    pub(crate) turn: u32,
    /// Why, with the position.
    pub(crate) why: String,
}

/// Replays a line in which every digit is a pit counted from 0 and every dash passes the turn. The margin of the player who
/// moves first at the end of the game; or the word and move at which the line breaks, and why.
pub(crate) fn perfect_line(game: &Game, start: State, line: &str) -> Result<i64, Break> {
    let turns: Vec<&str> = line.split('-').collect();
    let mut state = start;
    for (at, turn) in turns.iter().enumerate() {
        let here = |why: String| {
            let why = format!("turn {} of {}, '{turn}', played on {state}: {why}", at + 1, turns.len());
            Break { turn: at as u32 + 1, why }
        };
        if turn.is_empty() {
            return Err(here("there is no move".to_owned()));
        }
        let mut after = state;
        for (index, digit) in turn.chars().enumerate() {
            let pit = digit.to_digit(10).ok_or_else(|| here(format!("'{digit}' is no pit")))?;
            let played = after.play(game, pit as u8 + 1).map_err(|error| {
                let move_number = index + 1;
                here(format!("move {move_number} is not possible, {error} (the line counts pits from 0)"))
            })?;
            let last_move = index + 1 == turn.len();
            let last_turn = at + 1 == turns.len();
            match played.next {
                Next::Pass if !last_move => return Err(here(format!("the turn passes after move {}", index + 1))),
                Next::Again if last_move && !last_turn => {
                    return Err(here("the last seed falls into the store, so the turn does not pass".to_owned()));
                }
                Next::Over if !(last_move && last_turn) => {
                    return Err(here(format!("the game is over after move {}", index + 1)));
                }
                Next::Again | Next::Pass if last_move && last_turn => {
                    return Err(here("the line stops here, the game is not over".to_owned()));
                }
                _ => {}
            }
            after = played.state;
        }
        state = after;
    }
    let first = start.to_move();
    Ok(i64::from(state.store(first)) - i64::from(state.store(first.other())))
}

/// Lines that can be played to this margin and differ from a broken one by at most `changes` characters changed, left out or
/// put in; the fewest changes that do, and all lines with so many.
pub(crate) fn repairs(game: &Game, start: State, line: &str, margin: i64, changes: u32) -> Option<(u32, Vec<String>)> {
    (1..=changes).find_map(|changes| {
        let chars: Vec<char> = line.chars().collect();
        let mut repair = Repair { game, first: start.to_move(), line: &chars, margin, found: BTreeSet::new() };
        repair.play(0, start, Next::Again, changes, &mut String::new());
        (!repair.found.is_empty()).then(|| (changes, repair.found.into_iter().collect()))
    })
}

/// The search for a line that was meant: plays the printed characters, and others where a change is allowed.
struct Repair<'a> {
    game: &'a Game,
    first: Side,
    line: &'a [char],
    margin: i64,
    found: BTreeSet<String>,
}

impl Repair<'_> {
    /// Goes on from `state`, reached by `played`, with the characters from `at` on and so many changes left.
    fn play(&mut self, at: usize, state: State, next: Next, changes: u32, played: &mut String) {
        let rest = self.line.len() - at;
        if next == Next::Over {
            let margin = i64::from(state.store(self.first)) - i64::from(state.store(self.first.other()));
            if rest <= changes as usize && margin == self.margin {
                self.found.insert(played.clone());
            }
            return;
        }
        if rest > 0 {
            self.take(self.line[at], at + 1, state, next, changes, played);
        }
        if changes > 0 {
            for c in (b'0'..b'0' + state.pits()).map(char::from).chain(['-']) {
                self.take(c, at, state, next, changes - 1, played);
                if rest > 0 {
                    self.take(c, at + 1, state, next, changes - 1, played);
                }
            }
            if rest > 0 {
                self.play(at + 1, state, next, changes - 1, played);
            }
        }
    }

    /// Plays one character if it can be played: a dash where the turn passes, else a pit.
    fn take(&mut self, c: char, at: usize, state: State, next: Next, changes: u32, played: &mut String) {
        let after = match (next, c.to_digit(10)) {
            (Next::Pass, None) if c == '-' => Some((state, Next::Again)),
            (Next::Again, Some(pit)) => {
                state.play(self.game, pit as u8 + 1).ok().map(|played| (played.state, played.next))
            }
            _ => None,
        };
        if let Some((state, next)) = after {
            played.push(c);
            self.play(at, state, next, changes, played);
            played.pop();
        }
    }
}

/// Plays `turn` and then single moves in the numbering that goes round the board: South's bins 1 to m, their store m + 1, North's
/// bins from m + 2 on. What breaks it, if anything does.
pub(crate) fn legal_line(game: &Game, start: State, turn: &[u8], bins: &[u8]) -> Result<(), Break> {
    let mut state =
        start.play_turn(game, turn).map_err(|error| Break { turn: 1, why: format!("first turn: {error}") })?.state;
    for (at, &bin) in bins.iter().enumerate() {
        let m = state.pits();
        let (side, pit) = if bin <= m { (Side::South, bin) } else { (Side::North, bin.saturating_sub(m + 1)) };
        let here = |why: String| {
            let why = format!("move {} of the continuation, bin {bin}, on {state}: {why}", at + 1);
            Break { turn: at as u32 + 1, why }
        };
        if side != state.to_move() {
            return Err(here(format!("{} is to move", state.to_move())));
        }
        state = state.play(game, pit).map_err(|error| here(error.to_string()))?.state;
    }
    Ok(())
}

/// Seeds in the store of the player to move after these moves, which must be their whole turn.
pub(crate) fn opening_line(game: &Game, start: State, turn: &[u8]) -> Result<u32, String> {
    let played = start.play_turn(game, turn).map_err(|error| error.to_string())?;
    if played.next == Next::Again {
        return Err("the turn is not over after the last move".to_owned());
    }
    Ok(played.state.store(start.to_move()))
}

/// Whether the player to move can bank at least `target` seeds in one turn, and how many boards were met to find out; `None`
/// if `go_on` says no first.
pub(crate) fn can_bank(game: &Game, start: State, target: u32, go_on: &dyn Fn() -> bool) -> Option<(bool, u64)> {
    let mover = start.to_move();
    let (mut met, mut open) = (HashSet::from([start]), vec![start]);
    while let Some(state) = open.pop() {
        for pit in game.legal(state.position()) {
            let Ok(played) = state.play(game, pit) else { continue };
            // Leftovers that the end of the game brings do not count.
            if state.store(mover) - start.store(mover) + u32::from(played.mover_gain) >= target {
                return Some((true, met.len() as u64));
            }
            if played.next == Next::Again && met.insert(played.state) {
                open.push(played.state);
                if met.len().is_multiple_of(4096) && !go_on() {
                    return None;
                }
            }
        }
    }
    Some((false, met.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_rules::RuleSet;

    fn game(pits: u8) -> Game {
        "kalah-empty".parse::<RuleSet>().unwrap().game(pits).unwrap()
    }

    #[test]
    fn breaks_are_named_by_turn_and_move() {
        let (game, start) = (game(4), State::start(4, 1).unwrap());
        assert_eq!(perfect_line(&game, start, "32-32-1"), Ok(2));
        for (line, turn, why) in [
            ("32-32-", "turn 3 of 3", "no move"),
            ("32-32", "turn 2 of 2", "stops here"),
            ("3-32-1", "turn 1 of 3", "does not pass"),
            ("324-32-1", "turn 1 of 3", "passes after move 2"),
            ("32-x-1", "turn 2 of 3", "'x' is no pit"),
            ("32-9-1", "turn 2 of 3", "there is no pit 10"),
            ("32-32-1-0", "turn 3 of 4", "the game is over after move 1"),
        ] {
            let error = perfect_line(&game, start, line).unwrap_err();
            assert!(error.why.contains(turn) && error.why.contains(why), "{line}: {error:?}");
            assert!(turn.starts_with(&format!("turn {} ", error.turn)), "{line}: {error:?}");
        }
    }

    #[test]
    fn a_broken_line_is_repaired_by_the_fewest_changes() {
        let (game, start) = (game(4), State::start(4, 1).unwrap());
        for (broken, changes) in [("32-30-1", 1), ("32-2-1", 1), ("32-332-1", 1), ("3-2-32-1", 1), ("30-30-1", 2)] {
            let (found, lines) = repairs(&game, start, broken, 2, 3).unwrap();
            assert_eq!((found, lines.contains(&"32-32-1".to_owned())), (changes, true), "{broken}: {lines:?}");
            for line in lines {
                assert_eq!(perfect_line(&game, start, &line), Ok(2), "{line}");
            }
        }
        assert_eq!(repairs(&game, start, "00-00-00", 2, 2), None);
        assert_eq!(repairs(&game, start, "32-30-1", 3, 3), None);
    }

    #[test]
    fn the_numbering_goes_round_the_board() {
        let (game, start) = (game(6), State::start(6, 6).unwrap());
        assert_eq!(legal_line(&game, start, &[1, 2], &[10, 3]), Ok(()));
        assert!(legal_line(&game, start, &[1, 2], &[3]).unwrap_err().why.contains("North is to move"));
        assert!(legal_line(&game, start, &[1, 2], &[7]).is_err());
        assert!(legal_line(&game, start, &[2, 2], &[]).unwrap_err().why.contains("first turn"));
    }

    #[test]
    fn the_most_that_a_turn_can_bank() {
        // Only the chain from the pit next to the store outwards clears this row: five seeds and no more.
        let state: State = "<3,0,0,2,2,1,1,0,0>".parse().unwrap();
        let game = game(3);
        let most = (0..20).take_while(|&n| can_bank(&game, state, n, &|| true).unwrap().0).last();
        let all: Vec<u32> = every_turn(&game, state).into_iter().map(|turn| turn.store(Side::South)).collect();
        assert_eq!(most, all.into_iter().max());
        assert_eq!(opening_line(&game, state, &[3]), Err("the turn is not over after the last move".to_owned()));
    }

    /// The boards behind every sequence of moves of one turn.
    fn every_turn(game: &Game, state: State) -> Vec<State> {
        let mut boards = vec![state];
        for pit in game.legal(state.position()) {
            let mut played = state.play(game, pit).unwrap();
            // The sweep at the end of the game does not count as banked by the move.
            if played.next == Next::Over {
                played.state = state.with_stores(state.store(Side::South) + u32::from(played.mover_gain), 0);
            }
            match played.next {
                Next::Again => boards.extend(every_turn(game, played.state)),
                _ => boards.push(played.state),
            }
        }
        boards
    }
}
