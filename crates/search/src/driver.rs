//! From questions to values: windows around a guess until the bounds meet, for a position and for each of its moves.

use crate::limits::{Control, Stopped};
use crate::table::Entry;
use crate::{Bounds, MoveValue};
use kalah_rules::{Game, Margin, Next, Position, SowingGame};

/// Something that answers null-window questions: one worker, or a team of them.
pub(crate) trait Ask {
    /// The bounds of a position that are known without search; exact if the game is over.
    fn known(&mut self, position: Position) -> Entry;
    /// Whether the value of `position`, in which the game is not over, is at least `window`: an answer of `window` or
    /// more is a lower bound, a smaller one is an upper bound. `None` if the search was halted.
    fn ask(&mut self, position: Position, window: i16) -> Option<i16>;
    /// Counts the work that is not counted yet.
    fn done(&mut self);
}

/// The moves of one position, with what is proved about each.
pub(crate) struct Driver<'a> {
    ask: &'a mut dyn Ask,
    control: &'a Control<'a>,
    step: i16,
    seeds: i16,
    pub(crate) moves: Vec<MoveValue>,
}

impl<'a> Driver<'a> {
    /// A driver for a position in which the game is not over.
    pub(crate) fn new(ask: &'a mut dyn Ask, control: &'a Control<'a>, game: &Game, position: Position) -> Driver<'a> {
        let mut moves: Vec<MoveValue> = game
            .legal(position)
            .rev()
            .map(|pit| {
                let sown = game.sow(position, pit);
                let bounds = match game.final_margin(&sown) {
                    Some(value) => Bounds::just(value),
                    None => from_child(&sown_view(&sown), ask.known(sown.position)),
                };
                MoveValue { pit, sown, bounds }
            })
            .collect();
        // The same order as inside the tree; pits come from the one nearest the store.
        moves.sort_by_key(|m| std::cmp::Reverse((m.sown.next == Next::Again, m.sown.gain())));
        let step = if game.keeps_parity() { 2 } else { 1 };
        Driver { ask, control, step, seeds: position.seeds() as i16, moves }
    }

    /// The bounds of the position that all moves together prove.
    pub(crate) fn bounds(&self) -> Bounds {
        let most = |bound: fn(&MoveValue) -> Margin| self.moves.iter().map(bound).max().unwrap_or_default();
        Bounds { lower: most(|m| m.bounds.lower), upper: most(|m| m.bounds.upper) }
    }

    /// Narrows the position's bounds until they meet or the search is halted.
    pub(crate) fn value(&mut self, guess: i16) {
        let mut guess = guess;
        loop {
            let bounds = self.bounds();
            let Some(window) = next_window(bounds, guess, self.step, self.seeds) else { return };
            self.control.enter(None, window, bounds);
            // The move that did best so far first, then the order of the tree.
            let best = self.moves.iter().map(|m| m.bounds.lower).max();
            if let Some(at) = self.moves.iter().position(|m| Some(m.bounds.lower) == best) {
                self.moves[..=at].rotate_right(1);
            }
            for index in 0..self.moves.len() {
                if self.moves[index].bounds.upper.0 >= window && !self.test(index, window) {
                    return;
                }
                if self.moves[index].bounds.lower.0 >= window {
                    break;
                }
            }
            let bounds = self.bounds();
            guess = if bounds.lower.0 >= window { bounds.lower.0 } else { bounds.upper.0 };
        }
    }

    /// Narrows the bounds of every move until they meet or the search is halted.
    pub(crate) fn each_move(&mut self, guess: i16) {
        // The best moves first: they are the likeliest to be wanted if time runs out.
        self.moves.sort_by_key(|m| std::cmp::Reverse(m.bounds.lower));
        let mut guess = guess;
        for index in 0..self.moves.len() {
            while let Some(window) = next_window(self.moves[index].bounds, guess, self.step, self.seeds) {
                self.control.enter(Some(self.moves[index].pit), window, self.moves[index].bounds);
                if !self.test(index, window) {
                    return;
                }
                let bounds = self.moves[index].bounds;
                guess = if bounds.lower.0 >= window { bounds.lower.0 } else { bounds.upper.0 };
            }
        }
    }

    /// Asks whether one move reaches `window` and notes the answer; false if the search was halted.
    fn test(&mut self, index: usize, window: i16) -> bool {
        let m = &self.moves[index];
        if m.bounds.lower.0 >= window || m.bounds.upper.0 < window {
            return true;
        }
        let gain = m.sown.gain().0;
        let again = m.sown.next == Next::Again;
        let child = if again { window - gain } else { gain - window + self.step };
        let Some(answer) = self.ask.ask(m.sown.position, child) else { return false };
        let m = &mut self.moves[index];
        let value = Margin(if again { gain + answer } else { gain - answer });
        // An answer that reaches its window is a lower bound for the child's mover.
        if (answer >= child) == again {
            m.bounds.lower = m.bounds.lower.max(value);
        } else {
            m.bounds.upper = m.bounds.upper.min(value);
        }
        true
    }
}

/// The next question within bounds: the guess if it is inside, else just above what is proved; `None` if they meet.
fn next_window(bounds: Bounds, guess: i16, step: i16, seeds: i16) -> Option<i16> {
    let (lower, upper) = (bounds.lower.0, bounds.upper.0);
    // A guess of the wrong parity is no value; the next higher one may be.
    let guess = if step == 2 && (guess ^ seeds) & 1 != 0 { guess + 1 } else { guess };
    (lower < upper).then(|| guess.clamp(lower + step, upper))
}

/// How a child's margin becomes its parent's.
struct ChildView {
    gain: Margin,
    again: bool,
}

fn sown_view(sown: &kalah_rules::Sown) -> ChildView {
    ChildView { gain: sown.gain(), again: sown.next == Next::Again }
}

fn from_child(view: &ChildView, entry: Entry) -> Bounds {
    let bounds = Bounds { lower: Margin(entry.lower), upper: Margin(entry.upper) };
    (if view.again { bounds } else { -bounds }) + view.gain
}

/// Which of several moves that keep the value a line of play takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The pit nearest the store: the same line every time. At every step the search must prove that no nearer pit keeps the
    /// value.
    Nearest,
    /// The pit nearest the store among those whose moves are known to keep it, if there are any: fast, and with several threads not
    /// always the same line.
    Known,
}

/// The line of best play: at every position one of the moves that keep the value. `None` if the search was halted first.
pub(crate) fn line(
    ask: &mut dyn Ask,
    control: &Control<'_>,
    game: &Game,
    start: Position,
    value: Margin,
    ties: Ties,
) -> Option<Vec<u8>> {
    let step = if game.keeps_parity() { 2 } else { 1 };
    let (mut position, mut value, mut pits) = (start, value, Vec::new());
    'play: loop {
        let legal = game.legal(position);
        let keeps = |pit: &u8| {
            let sown = game.sow(position, *pit);
            sown.next != Next::Over && from_child(&sown_view(&sown), ask.known(sown.position)).lower >= value
        };
        // Asking about it again finds the same answer at once.
        let known = if ties == Ties::Known { legal.rev().find(keeps) } else { None };
        for pit in known.into_iter().chain(legal.rev()) {
            let sown = game.sow(position, pit);
            let gain = sown.gain();
            match game.final_margin(&sown) {
                Some(end) if end == value => {
                    pits.push(pit);
                    return Some(pits);
                }
                Some(_) => continue,
                None => {}
            }
            let again = sown.next == Next::Again;
            let window = if again { value - gain } else { gain - value + Margin(step) };
            control.enter(pits.first().copied(), window.0, Bounds::just(value));
            let reached = ask.ask(sown.position, window.0)? >= window.0;
            if reached == again {
                pits.push(pit);
                value = if again { value - gain } else { gain - value };
                position = sown.position;
                continue 'play;
            }
        }
        // Only a value that is not the position's brings us here.
        control.halt(Stopped::Untrue);
        return None;
    }
}
