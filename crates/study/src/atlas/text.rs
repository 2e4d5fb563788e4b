//! A row of the atlas as a line of comma-separated values and back; what is read is checked before it is believed.

use crate::atlas::cell::Cell;
use crate::atlas::row::{Line, Row, State};
use crate::check::{CHECK, checked, sealed};
use kalah_rules::{Game, Margin, Side, SowingGame, State as Board, parse_turn};
use kalah_search::Bounds;
use std::fmt;
use std::str::FromStr;

impl Row {
    /// The columns of a table, in the order of a row's text.
    pub const COLUMNS: [&str; 21] = [
        "rules",
        "pits",
        "seeds",
        "state",
        "outcome",
        "lower",
        "upper",
        "best_moves",
        "moves",
        "pie_lower",
        "pie_upper",
        "line_moves",
        "line",
        "nodes",
        "probes",
        "layers",
        "seconds",
        "limit",
        "threads",
        "version",
        CHECK,
    ];
}

/// `8`, or `-4..8` if it is between these.
fn interval(bounds: Bounds) -> String {
    match bounds.exact() {
        Some(value) => value.0.to_string(),
        None => format!("{}..{}", bounds.lower.0, bounds.upper.0),
    }
}

fn or_nothing<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn moves_text(moves: &[(u8, Bounds)]) -> String {
    moves.iter().map(|&(pit, bounds)| format!("{pit}:{}", interval(bounds))).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Row {
    /// The cells of [`Row::COLUMNS`] with commas between them. None holds a comma or a quotation mark.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        self.cells(&mut line)?;
        f.write_str(&sealed(&line))
    }
}

impl Row {
    /// Writes all cells but the checksum.
    fn cells(&self, f: &mut impl fmt::Write) -> fmt::Result {
        let Row { cell, state, value, moves, line, pie, nodes, probes, layers, seconds, limit, threads, version } =
            self;
        let turns = line.as_ref().map_or_else(String::new, |line| line.turns.join(" "));
        write!(f, "{},{},{},{},{},", cell.rules, cell.pits, cell.seeds, state.word(), self.outcome().word())?;
        write!(f, "{},{},{},{},", value.lower.0, value.upper.0, or_nothing(self.best_moves()), moves_text(moves))?;
        write!(f, "{},{},", or_nothing(pie.map(|pie| pie.lower.0)), or_nothing(pie.map(|pie| pie.upper.0)))?;
        write!(f, "{},{turns},", or_nothing(line.as_ref().map(|line| line.moves)))?;
        write!(f, "{nodes},{probes},{},{seconds:.3},", or_nothing(*layers))?;
        write!(f, "{},{threads},{version}", or_nothing(limit.map(|limit| format!("{limit:.3}"))))
    }
}

fn number<T: FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{name} is '{text}', expected a number"))
}

fn maybe<T: FromStr>(name: &str, text: &str) -> Result<Option<T>, String> {
    if text.is_empty() { Ok(None) } else { number(name, text).map(Some) }
}

fn read_interval(text: &str) -> Result<Bounds, String> {
    let (lower, upper) = text.split_once("..").unwrap_or((text, text));
    Ok(Bounds { lower: Margin(number("a value", lower)?), upper: Margin(number("a value", upper)?) })
}

fn read_moves(text: &str) -> Result<Vec<(u8, Bounds)>, String> {
    let read = |text: &str| {
        let (pit, bounds) = text.split_once(':').ok_or_else(|| format!("'{text}' is no pit with a value"))?;
        Ok((number("a pit", pit)?, read_interval(bounds)?))
    };
    text.split_whitespace().map(read).collect()
}

impl FromStr for Row {
    /// What is wrong with the line.
    type Err = String;

    fn from_str(text: &str) -> Result<Row, String> {
        let cells: Vec<&str> = text.split(',').collect();
        if cells.len() != Row::COLUMNS.len() {
            return Err(format!("expected {} cells, found {}", Row::COLUMNS.len(), cells.len()));
        }
        let cells: Vec<&str> = checked(text)?.split(',').collect();
        let cells: [&str; 20] = cells.try_into().map_err(|_| "expected 20 cells and a checksum".to_owned())?;
        let [rules, pits, seeds, state, outcome, lower, upper, best, moves, pie_lower, pie_upper, rest @ ..] = cells;
        let [sows, turns, nodes, probes, layers, seconds, limit, threads, version] = rest;
        let cell = Cell {
            rules: rules.parse().map_err(|error: kalah_rules::RuleSetError| error.to_string())?,
            pits: number("pits", pits)?,
            seeds: number("seeds", seeds)?,
        };
        cell.start().map_err(|error| error.to_string())?;
        let known = [State::Exact, State::Open, State::History].into_iter().find(|known| known.word() == state);
        let pie: (Option<i16>, Option<i16>) = (maybe("pie_lower", pie_lower)?, maybe("pie_upper", pie_upper)?);
        let sows: Option<u32> = maybe("line_moves", sows)?;
        let row = Row {
            cell,
            state: known.ok_or_else(|| format!("state is '{state}', expected exact, open or history"))?,
            value: Bounds { lower: Margin(number("lower", lower)?), upper: Margin(number("upper", upper)?) },
            moves: read_moves(moves)?,
            line: sows.map(|moves| Line { moves, turns: turns.split_whitespace().map(str::to_owned).collect() }),
            pie: pie.0.zip(pie.1).map(|(lower, upper)| Bounds { lower: Margin(lower), upper: Margin(upper) }),
            nodes: number("nodes", nodes)?,
            probes: number("probes", probes)?,
            layers: maybe("layers", layers)?,
            seconds: number("seconds", seconds)?,
            limit: maybe("limit", limit)?,
            threads: number("threads", threads)?,
            version: version.to_owned(),
        };
        row.check()?;
        if row.outcome().word() != outcome || or_nothing(row.best_moves()) != best {
            return Err(format!("outcome '{outcome}' and '{best}' best moves are not what the values say"));
        }
        Ok(row)
    }
}

impl Row {
    /// Whether the numbers of this row agree with each other and with the rules: the moves can be played, their values fit
    /// the start's value, and the line ends with it.
    ///
    /// # Errors
    /// What does not agree.
    fn check(&self) -> Result<(), String> {
        let all = Margin(self.cell.all_seeds() as i16);
        let fits = |own: Bounds| -all <= own.lower && own.lower <= own.upper && own.upper <= all;
        let own = self.moves.iter().map(|&(_, own)| own);
        if !own.clone().chain([self.value]).chain(self.pie).all(fits) {
            return Err("a lower bound is above its upper bound, or beyond the seeds of the board".to_owned());
        }
        let start = self.cell.start().map_err(|error| error.to_string())?;
        let game = self.cell.rules.game(self.cell.pits).map_err(|error| error.to_string())?;
        if !self.moves.is_empty() {
            let pits: Vec<u8> = self.moves.iter().map(|&(pit, _)| pit).collect();
            let mut legal: Vec<u8> = game.legal(start.position()).collect();
            legal.sort_unstable();
            if pits != legal {
                return Err(format!("moves names the pits {pits:?}, expected {legal:?}"));
            }
            // The value is that of the best move.
            let (lower, upper) = (own.clone().map(|own| own.lower).max(), own.clone().map(|own| own.upper).max());
            if Some(self.value.upper) < lower || Some(self.value.lower) > upper {
                return Err("the value is not that of the best move".to_owned());
            }
        }
        if self.is_exact() && own.chain([self.value]).chain(self.pie).any(|own| own.exact().is_none()) {
            return Err("it is called exact and holds bounds".to_owned());
        }
        match &self.line {
            Some(line) => self.replay(&game, start, line),
            None => Ok(()),
        }
    }

    /// Plays the line.
    fn replay(&self, game: &Game, start: Board, line: &Line) -> Result<(), String> {
        let (mut now, mut moves) = (start, 0);
        for turn in &line.turns {
            let fault = |error: kalah_rules::MoveError| format!("the line breaks at turn {turn}: {error}");
            let pits = parse_turn(turn).map_err(fault)?;
            now = now.play_turn(game, &pits).map_err(fault)?.state;
            moves += pits.len();
        }
        let margin = i64::from(now.store(Side::South)) - i64::from(now.store(Side::North));
        if now.position().seeds() > 0 || moves != line.moves as usize {
            return Err(format!("the line has {moves} moves and leaves the game unfinished, or not {}", line.moves));
        }
        if self.exact().map(|value| i64::from(value.0)) != Some(margin) {
            return Err(format!("the line ends with a margin of {margin}, which is not the value"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::chart::{Means, chart};

    fn bounds(lower: i16, upper: i16) -> Bounds {
        Bounds { lower: Margin(lower), upper: Margin(upper) }
    }

    fn row() -> Row {
        let cell = Cell { rules: "kalah-empty+leftover=none".parse().unwrap(), pits: 3, seeds: 2 };
        Row {
            value: bounds(2, 6),
            moves: vec![(1, bounds(-12, 0)), (2, bounds(2, 6)), (3, bounds(-4, -4))],
            pie: Some(bounds(-6, 0)),
            layers: Some(7),
            limit: Some(1.5),
            seconds: 1.25,
            ..Row::unknown(cell)
        }
    }

    /// A row about which everything is known.
    fn exact() -> Row {
        let cell = Cell { rules: "kalah-empty".parse().unwrap(), pits: 3, seeds: 2 };
        let row = chart(&cell, &Means::default()).unwrap();
        assert!(row.is_exact() && row.line.is_some());
        row
    }

    #[test]
    fn a_row_survives_its_text() {
        for row in [row(), exact(), Row::unknown(row().cell), Row { pie: None, state: State::History, ..row() }] {
            let text = row.to_string();
            assert_eq!(text.split(',').count(), Row::COLUMNS.len(), "{text}");
            assert_eq!(text.parse::<Row>().as_ref(), Ok(&row), "{text}");
        }
        assert_eq!(
            row().to_string(),
            sealed(&format!(
                "kalah-empty+leftover=none,3,2,open,win,2,6,,1:-12..0 2:2..6 3:-4,-6,0,,,0,0,7,1.250,1.500,1,{}",
                kalah::VERSION
            ))
        );
    }

    #[test]
    fn no_changed_byte_leaves_a_row() {
        let text = exact().to_string().into_bytes();
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone();
                bytes[at] ^= 1 << bit;
                let read =
                    String::from_utf8(bytes).map_err(|error| error.to_string()).and_then(|text| text.parse::<Row>());
                assert!(read.is_err(), "bit {bit} of byte {at}: {read:?}");
            }
        }
    }

    #[test]
    fn damaged_text_is_no_row() {
        for (row, from, to, expected) in [
            (row(), "open,win", "open,loss", "not what the values say"),
            (row(), "open,win", "exact,win", "holds bounds"),
            (row(), "open,win", "maybe,win", "expected exact, open or history"),
            (row(), "kalah-empty", "chess", "chess"),
            (row(), ",3,2,", ",9,2,", "1 to 8 pits"),
            (row(), "3:-4", "3;-4", "no pit"),
            (row(), ",0,0,7", ",0,7", "found 20"),
            (row(), "1.250", "soon", "seconds"),
            (row(), "win,2,6", "win,6,2", "above its upper bound"),
            (row(), "win,2,6", "win,2,26", "beyond the seeds"),
            (row(), " 3:-4", "", "expected [1, 2, 3]"),
            (row(), "2:2..6", "1:2..6", "expected [1, 2, 3]"),
            (row(), "win,2,6", "win,8,10", "not that of the best move"),
        ] {
            let text = row.to_string();
            let changed = checked(&text).unwrap().replacen(from, to, 1);
            assert!(text != changed, "{from}");
            let fault = sealed(&changed).parse::<Row>().unwrap_err();
            assert!(fault.contains(expected), "{from} to {to}: {fault}");
        }
    }

    #[test]
    fn a_line_is_replayed_before_it_is_believed() {
        let exact = exact();
        let other = |change: &dyn Fn(&mut Line)| {
            let mut row = exact.clone();
            row.line.iter_mut().for_each(change);
            row.to_string().parse::<Row>().unwrap_err()
        };
        assert!(other(&|line| line.moves += 1).contains("moves"));
        assert!(other(&|line| line.turns.truncate(1)).contains("unfinished"));
        assert!(other(&|line| line.turns[0] = "7".to_owned()).contains("breaks at turn 7"));
        // Another value for the start and its best moves, while the line stays.
        let wrong = |own: Bounds| if own == exact.value { own + Margin(2) } else { own };
        let moves = exact.moves.iter().map(|&(pit, own)| (pit, wrong(own))).collect();
        let fault = Row { value: wrong(exact.value), moves, ..exact.clone() }.to_string().parse::<Row>().unwrap_err();
        assert!(fault.contains("which is not the value"), "{fault}");
    }
}
