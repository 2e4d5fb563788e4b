//! One question instead of a whole value: does a position reach a margin?

use crate::driver::Ask;
use crate::limits::Control;
use crate::{Answer, Bounds, Limits, NoOracle, Options, Oracle, Search, SearchError, Stats};
use kalah_rules::{Game, Margin, Position, SowingGame};

impl<O: Oracle> Search<O> {
    /// Searches until it is proved whether the value of a position, for its mover, is at least `window`.
    ///
    /// The answer's bounds then have their lower one at `window` or above, or their upper one below it, often further away than
    /// `window`. It has no moves. If a limit came first, [`Answer::stopped`] says so.
    ///
    /// ```
    /// use kalah_rules::{Margin, RuleSet, State};
    /// use kalah_search::{Limits, NoOracle, Options, Search};
    ///
    /// let game = RuleSet::default().game(4)?;
    /// let start = State::start(4, 3)?.position();
    /// let mut search = Search::new(game, &NoOracle, start.seeds(), Options { table_bytes: 1 << 20, threads: 1 })?;
    /// // The value is +6.
    /// assert!(search.at_least(start, Margin(6), Limits::default())?.bounds.lower >= Margin(6));
    /// assert!(search.at_least(start, Margin(8), Limits::default())?.bounds.upper < Margin(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the position has too many seeds.
    pub fn at_least(&mut self, position: Position, window: Margin, limits: Limits<'_>) -> Result<Answer, SearchError> {
        self.check(position)?;
        let all = Margin(position.seeds() as i16);
        // A margin of the wrong parity is no value: to reach it is to reach the next one.
        let odd = self.game().keeps_parity() && (window.0 ^ all.0) & 1 != 0;
        let window = if odd { window + Margin(1) } else { window };
        let blank = |bounds| Answer { bounds, moves: Vec::new(), stats: Stats::default(), stopped: None };
        if let Some(value) = self.game().over(position) {
            return Ok(blank(Bounds::just(value)));
        }
        let control = Control::new(limits);
        let bounds = self.session(position, &control, |ask: &mut dyn Ask| {
            let known = ask.known(position);
            let mut bounds = Bounds { lower: (-all).max(Margin(known.lower)), upper: all.min(Margin(known.upper)) };
            control.enter(None, window.0, bounds);
            // Bounds that decide need no search, and a search could only repeat one of them.
            if bounds.lower < window
                && bounds.upper >= window
                && let Some(answer) = ask.ask(position, window.0)
            {
                if answer >= window.0 {
                    bounds.lower = bounds.lower.max(Margin(answer));
                } else {
                    bounds.upper = bounds.upper.min(Margin(answer));
                }
            }
            bounds
        });
        Ok(Answer { stats: control.stats(), stopped: control.stopped(), ..blank(bounds) })
    }
}

/// The value of a position as a shallow search sees it, which proves nothing: where to ask first. Of a finished game, what it
/// is worth.
///
/// # Errors
/// If positions of the game can repeat, or a board cannot hold so many seeds.
pub fn suggested_window(game: Game, position: Position) -> Result<Margin, SearchError> {
    let options = Options { table_bytes: 1 << 10, threads: 1 };
    let search = Search::new(game, &NoOracle, position.seeds(), options)?;
    if let Some(value) = game.over(position) {
        return Ok(value);
    }
    Ok(Margin(search.guess(position, &Control::new(Limits::default()))))
}

#[cfg(test)]
mod tests {
    use crate::{Goal, Limits, NoOracle, Options, Search};
    use kalah_rules::{Margin, RuleSet, State};

    #[test]
    fn every_window_agrees_with_the_value() {
        let options = Options { table_bytes: 1 << 20, threads: 1 };
        for name in ["kalah", "kalah-empty", "kalah-stuck", "kalah+leftover=none", "dakon"] {
            let game = name.parse::<RuleSet>().unwrap().game(3).unwrap();
            for text in ["start:3x2", "start:3x3", "<3,0,0,1,0,3,2,2,0>", "<3,0,0,0,0,1,1,0,0>", "<3,0,0,0,0,0,1,2,3>"]
            {
                let position = text.parse::<State>().unwrap().position();
                let mut search = Search::new(game, &NoOracle, position.seeds(), options).unwrap();
                let value =
                    search.solve(position, Goal::Value, None, Limits::default()).unwrap().bounds.exact().unwrap();
                for window in -20..=20 {
                    let mut search = Search::new(game, &NoOracle, position.seeds(), options).unwrap();
                    let bounds = search.at_least(position, Margin(window), Limits::default()).unwrap().bounds;
                    let told = format!("{name} {text} worth {value}, {window}: {bounds}");
                    assert!(bounds.contains(value), "{told}");
                    assert_eq!(bounds.lower.0 >= window, value.0 >= window, "{told}");
                    assert_eq!(bounds.upper.0 < window, value.0 < window, "{told}");
                }
            }
        }
    }
}
