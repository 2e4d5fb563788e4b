//! A claim: one published number, what it is about, and how much work it takes to find it again.

use crate::reproduce::number::{Form, Number, Relation, histogram_size};
use kalah_rules::{RuleSet, State, parse_turn};
use serde::Deserialize;
use std::fmt;
use std::time::Duration;

/// Where a number comes from.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Short name, the beginning of the ids of its claims.
    pub id: String,
    /// Who published it.
    pub author: String,
    /// When; `None` if it is not known.
    pub year: Option<u16>,
    /// Title and place.
    pub title: String,
    /// Whether the text itself was read, or in whose words it is known.
    pub seen: String,
}

/// How a number came to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Read in the source itself.
    Published,
    /// Read in another text that quotes the source.
    SecondHand,
    /// Computed by independent programs to find out which rules a published number belongs to; a second opinion, not
    /// literature.
    Recomputed,
}

impl Kind {
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Published => "published",
            Kind::SecondHand => "second hand",
            Kind::Recomputed => "recomputed",
        }
    }
}

/// About how long a claim takes on two cores of a machine of 2025.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// Under a tenth of a second.
    Instant,
    /// Under a minute.
    Seconds,
    /// Under an hour.
    Minutes,
    /// Under a day.
    Hours,
    /// A day or more.
    Days,
}

impl Cost {
    /// All classes, cheapest first.
    pub const ALL: [Cost; 5] = [Cost::Instant, Cost::Seconds, Cost::Minutes, Cost::Hours, Cost::Days];

    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Cost::Instant => "instant",
            Cost::Seconds => "seconds",
            Cost::Minutes => "minutes",
            Cost::Hours => "hours",
            Cost::Days => "days",
        }
    }

    /// The time below which a claim of this class is not begun: it would not come to its end.
    pub fn at_least(self) -> Duration {
        Duration::from_secs(match self {
            Cost::Instant | Cost::Seconds => 0,
            Cost::Minutes => 20,
            Cost::Hours => 3600,
            Cost::Days => 86_400,
        })
    }
}

/// Which nodes of a game graph are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct GraphKind {
    /// Whether play stops as soon as a store holds more than half of all seeds.
    pub cut: bool,
    /// Whether a sowing that goes round the board skips the pit it began from.
    pub skip_origin: bool,
}

/// What a number is about.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Quantity {
    /// All ways to spread the seeds over pits and stores, times two for the side to move.
    StateSpace,
    /// Different nodes (pits, stores, side to move) that can be reached from the start, finished games included.
    GraphNodes(GraphKind),
    /// Different nodes that can be reached and in which the game is not over; play does not stop at more than half.
    GraphInner,
    /// Graph nodes in percent of the state space.
    GraphShare,
    /// Nodes won, lost and drawn for the first player.
    GraphOutcomes(GraphKind),
    /// Nodes won, lost and drawn for the first player, by the seeds in both stores together and in the first player's.
    GraphCell {
        /// Seeds in both stores.
        captured: u32,
        /// Seeds in the first player's store.
        first: u32,
    },
    /// Nodes with this many seeds in both stores.
    GraphCaptured {
        /// Seeds in both stores.
        captured: u32,
    },
    /// The margin of the player to move at the end of perfect play, stores included.
    Margin,
    /// Who wins under perfect play.
    Letter,
    /// The margin of the player to move if he plays this turn, or begins it with these moves.
    FirstMove(Vec<u8>),
    /// The pits with which perfect play can begin.
    BestFirstMoves,
    /// The margin at the end of a line of play; pits from 0, a dash passes the turn.
    PerfectLine(String),
    /// Whether a line of play can be played: a turn, then single moves in the numbering that goes round the board.
    LegalLine {
        /// The first turn.
        turn: Vec<u8>,
        /// Bins of both players, numbered on through the stores.
        bins: Vec<u8>,
    },
    /// Seeds in the first player's store after these moves, which must make up his first turn.
    OpeningLine(Vec<u8>),
    /// Whether a first turn can bank so many seeds that the opponent cannot fill a pit again: 2·m² − m on m pits.
    WinningOpening,
    /// Positions with at most this many seeds in pits and no row empty.
    DatabaseSize {
        /// Seeds in pits.
        seeds: u32,
    },
    /// Megabytes of those positions at four bits each.
    DatabaseMegabytes {
        /// Seeds in pits.
        seeds: u32,
    },
    /// Lines of play of this many moves.
    Perft {
        /// Moves.
        depth: u32,
    },
    /// Lines of play of this many turns.
    PerftTurns {
        /// Turns.
        depth: u32,
    },
    /// All positions with this many seeds in pits.
    LayerConfigurations {
        /// Seeds in pits.
        seeds: u32,
    },
    /// How many positions with this many seeds in pits have each value.
    LayerHistogram {
        /// Seeds in pits.
        seeds: u32,
    },
    /// Positions with up to the start's seeds, but not all but one of them, in which the waiting row has an empty pit.
    OpenBoards {
        /// Whether the start, in which it has none, counts too.
        with_start: bool,
    },
    /// Positions with this many seeds in which the waiting row has an empty pit.
    OpenLayerBoards {
        /// Seeds in pits.
        seeds: u32,
    },
    /// The most moves with which one turn clears a row if every move ends in the own store and none goes past it.
    LongestChain,
    /// The row that one turn clears with one move a seed, from the store outwards.
    ChainRow {
        /// Seeds in the row.
        seeds: u32,
    },
    /// Boards worth exactly 0 that differ from the start by at most this many moved seeds, the start itself not counted.
    FairStarts {
        /// Seeds moved.
        moved: u32,
    },
}

impl Quantity {
    /// Reads the quantity with this name and detail.
    fn parse(name: &str, detail: Option<&str>) -> Result<Quantity, String> {
        let plain = GraphKind { cut: true, skip_origin: false };
        let text = || detail.ok_or_else(|| format!("'{name}' needs a detail"));
        let number = || {
            let text = text()?;
            text.parse::<u32>().map_err(|_| format!("the detail of '{name}' is a whole number, found '{text}'"))
        };
        let turn = |text: &str| parse_turn(text).map_err(|error| error.to_string());
        let bare = |quantity: Quantity| match detail {
            None => Ok(quantity),
            Some(detail) => Err(format!("'{name}' has no detail, found '{detail}'")),
        };
        match name {
            "state_space" => bare(Quantity::StateSpace),
            "graph_nodes" => bare(Quantity::GraphNodes(plain)),
            "graph_nodes_uncut" => bare(Quantity::GraphNodes(GraphKind { cut: false, ..plain })),
            "graph_nodes_skipping" => bare(Quantity::GraphNodes(GraphKind { skip_origin: true, ..plain })),
            "graph_inner" => bare(Quantity::GraphInner),
            "graph_share" => bare(Quantity::GraphShare),
            "graph_outcomes" => bare(Quantity::GraphOutcomes(plain)),
            "graph_outcomes_skipping" => bare(Quantity::GraphOutcomes(GraphKind { skip_origin: true, ..plain })),
            "graph_cell" => {
                let text = text()?;
                let cell = text.split_once(',').and_then(|(all, own)| Some((all.parse().ok()?, own.parse().ok()?)));
                let (captured, first) = cell.ok_or_else(|| format!("a cell is two numbers, found '{text}'"))?;
                Ok(Quantity::GraphCell { captured, first })
            }
            "graph_captured" => Ok(Quantity::GraphCaptured { captured: number()? }),
            "margin" => bare(Quantity::Margin),
            "letter" => bare(Quantity::Letter),
            "first_move" => Ok(Quantity::FirstMove(turn(text()?)?)),
            "best_first_moves" => bare(Quantity::BestFirstMoves),
            "perfect_line" => Ok(Quantity::PerfectLine(text()?.to_owned())),
            "legal_line" => {
                let text = text()?;
                let (first, rest) =
                    text.split_once(':').ok_or_else(|| format!("a line is TURN: BINS, found '{text}'"))?;
                let bins = rest.split_whitespace().map(str::parse).collect::<Result<_, _>>();
                Ok(Quantity::LegalLine { turn: turn(first)?, bins: bins.map_err(|_| format!("bad bins '{rest}'"))? })
            }
            "opening_line" => Ok(Quantity::OpeningLine(turn(&text()?.replace(' ', "-"))?)),
            "winning_opening" => bare(Quantity::WinningOpening),
            "database_size" => Ok(Quantity::DatabaseSize { seeds: number()? }),
            "database_megabytes" => Ok(Quantity::DatabaseMegabytes { seeds: number()? }),
            "perft" => Ok(Quantity::Perft { depth: number()? }),
            "perft_turns" => Ok(Quantity::PerftTurns { depth: number()? }),
            "layer_configurations" => Ok(Quantity::LayerConfigurations { seeds: number()? }),
            "layer_histogram" => Ok(Quantity::LayerHistogram { seeds: number()? }),
            "open_boards" => bare(Quantity::OpenBoards { with_start: false }),
            "open_boards_and_start" => bare(Quantity::OpenBoards { with_start: true }),
            "open_layer_boards" => Ok(Quantity::OpenLayerBoards { seeds: number()? }),
            "longest_chain" => bare(Quantity::LongestChain),
            "chain_row" => Ok(Quantity::ChainRow { seeds: number()? }),
            "fair_starts" => Ok(Quantity::FairStarts { moved: number()? }),
            _ => Err(format!("there is no quantity '{name}'")),
        }
    }

    /// How its numbers are written.
    fn form(&self) -> Form {
        match self {
            Quantity::Margin | Quantity::FirstMove(_) | Quantity::PerfectLine(_) => Form::Margin,
            Quantity::Letter => Form::Letter,
            Quantity::GraphOutcomes(_) => Form::Shares,
            Quantity::GraphCell { .. } => Form::Outcomes,
            Quantity::BestFirstMoves => Form::Pits,
            Quantity::ChainRow { .. } => Form::Row,
            Quantity::LegalLine { .. } | Quantity::WinningOpening => Form::Yes,
            Quantity::LayerHistogram { .. } => Form::Histogram,
            _ => Form::Decimal,
        }
    }
}

impl fmt::Display for Quantity {
    /// A few words for tables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = |turn: &[u8]| kalah_rules::turn_text(turn);
        let graph = |what: &str, kind: GraphKind| {
            let cut = if kind.cut { "" } else { ", played on beyond half" };
            let skip = if kind.skip_origin { ", origin skipped" } else { "" };
            format!("{what}{cut}{skip}")
        };
        let text = match self {
            Quantity::StateSpace => "state space".to_owned(),
            Quantity::GraphNodes(kind) => graph("game graph, nodes", *kind),
            Quantity::GraphInner => "game graph, unfinished nodes, played on beyond half".to_owned(),
            Quantity::GraphShare => "game graph, % of state space".to_owned(),
            Quantity::GraphOutcomes(kind) => graph("game graph, % won/lost/drawn", *kind),
            Quantity::GraphCell { captured, first } => {
                format!("game graph, won/lost/drawn with {captured} captured, {first} of them by South")
            }
            Quantity::GraphCaptured { captured } => format!("game graph, nodes with {captured} captured"),
            Quantity::Margin => "value".to_owned(),
            Quantity::Letter => "win, loss or draw".to_owned(),
            Quantity::FirstMove(moves) => format!("value after {}", turn(moves)),
            Quantity::BestFirstMoves => "best first pits".to_owned(),
            Quantity::PerfectLine(line) => format!("perfect game {line}"),
            Quantity::LegalLine { turn: first, bins } => {
                let bins: Vec<String> = bins.iter().map(u8::to_string).collect();
                format!("playable: {} then {}", turn(first), bins.join(" "))
            }
            Quantity::OpeningLine(moves) => format!("store after an opening turn of {} moves", moves.len()),
            Quantity::WinningOpening => "winning opening turn".to_owned(),
            Quantity::DatabaseSize { seeds } => format!("positions with at most {seeds} seeds, no row empty"),
            Quantity::DatabaseMegabytes { seeds } => format!("megabytes for at most {seeds} seeds"),
            Quantity::Perft { depth } => format!("perft {depth}"),
            Quantity::PerftTurns { depth } => format!("perft {depth} by turns"),
            Quantity::LayerConfigurations { seeds } => format!("positions of layer {seeds}"),
            Quantity::LayerHistogram { seeds } => format!("values of layer {seeds}"),
            Quantity::OpenBoards { with_start: true } => "positions that can occur, and the start".to_owned(),
            Quantity::OpenBoards { with_start: false } => "positions that can occur".to_owned(),
            Quantity::OpenLayerBoards { seeds } => format!("positions of layer {seeds} that can occur"),
            Quantity::LongestChain => "longest turn that clears a row".to_owned(),
            Quantity::ChainRow { seeds } => format!("row of {seeds} seeds cleared in one turn"),
            Quantity::FairStarts { moved } => format!("fair starts with at most {moved} seeds moved"),
        };
        f.pad(&text)
    }
}

/// A published number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Stable name.
    pub id: String,
    /// The source's short name.
    pub source: String,
    /// Table, figure or section of the source.
    pub place: String,
    /// The game: kalah, awari, oware or dakon.
    pub game: String,
    /// The rules it is true under, as text: this version may not play them.
    pub rules: String,
    /// Pits a side; may be more than this version plays.
    pub pits: u8,
    /// Seeds in every pit of the start.
    pub seeds: u32,
    /// The position, if it is not the start.
    pub position: Option<State>,
    /// What the number is about.
    pub quantity: Quantity,
    /// The number as printed.
    pub printed: String,
    /// The number.
    pub number: Number,
    /// How it is meant.
    pub relation: Relation,
    /// How much work it takes.
    pub cost: Cost,
    /// How it came to us.
    pub kind: Kind,
    /// Whether it is known to be wrong: a misprint, or a slip of the source. What is right must come out of the
    /// computation all the same.
    pub misprint: bool,
    /// What else is to be said; for a misprint, why it is one.
    pub note: String,
}

/// A line of `claims.jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) source: String,
    pub(crate) place: String,
    pub(crate) game: String,
    pub(crate) rules: String,
    pub(crate) pits: u8,
    pub(crate) seeds: u32,
    pub(crate) position: Option<String>,
    pub(crate) quantity: String,
    pub(crate) detail: Option<String>,
    pub(crate) number: String,
    pub(crate) relation: Relation,
    pub(crate) cost: Cost,
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) misprint: bool,
    #[serde(default)]
    pub(crate) note: String,
}

impl Row {
    /// The claim it holds, or what is wrong with it.
    pub(crate) fn claim(self) -> Result<Claim, String> {
        let quantity = Quantity::parse(&self.quantity, self.detail.as_deref())?;
        let number = Number::parse(quantity.form(), &self.number)?;
        let position = self.position.map(|text| text.parse::<State>().map_err(|error| error.to_string()));
        let position = position.transpose()?;
        if position.is_some_and(|state| state.pits() != self.pits) {
            return Err(format!("the position is not on a board of {} pits a side", self.pits));
        }
        if self.game == "kalah" {
            let rules: RuleSet = self.rules.parse().map_err(|error| format!("{error}"))?;
            if rules.to_string() != self.rules {
                return Err(format!("the rules are written '{rules}', found '{}'", self.rules));
            }
            State::start(self.pits, self.seeds).map_err(|error| error.to_string())?;
        }
        if !self.id.starts_with(&format!("{}-", self.source)) {
            return Err(format!("an id begins with its source, '{}-'", self.source));
        }
        Ok(Claim {
            id: self.id,
            source: self.source,
            place: self.place,
            game: self.game,
            rules: self.rules,
            pits: self.pits,
            seeds: self.seeds,
            position,
            quantity,
            printed: self.number,
            number,
            relation: self.relation,
            cost: self.cost,
            kind: self.kind,
            misprint: self.misprint,
            note: self.note,
        })
    }
}

impl Claim {
    /// The printed number with its relation: `+8`, `at least +4`, `at most -2`. Of a histogram only its size.
    pub fn published(&self) -> String {
        if let Number::Histogram(values) = &self.number {
            return histogram_size(values);
        }
        let relation = match self.relation {
            Relation::Exact => "",
            Relation::AtLeast => "at least ",
            Relation::AtMost => "at most ",
        };
        format!("{relation}{}", self.printed)
    }

    /// The board: `(6,4)` for a start, else the position.
    pub fn board(&self) -> String {
        match &self.position {
            Some(position) => position.to_string(),
            None => format!("({},{})", self.pits, self.seeds),
        }
    }
}
