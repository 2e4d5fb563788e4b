//! What a published number is about.

use crate::reproduce::number::Form;
use kalah_rules::parse_turn;
use std::fmt;

/// Which nodes of a game graph are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct GraphKind {
    /// Whether play stops as soon as a store holds more than half of all seeds.
    pub cut: bool,
    /// Whether a sowing that goes round the board skips the pit it began from.
    pub skip_origin: bool,
}

/// How a quantity is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// From a formula, on boards of any size.
    Formula,
    /// By playing the game: graphs, lines of play, whole layers.
    Game,
    /// By searching positions for their values.
    Search,
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
    /// The margin of the player to move if they play this turn, or begin it with these moves.
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
    /// Seeds in the first player's store after these moves, which must make up their first turn.
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
    pub(crate) fn parse(name: &str, detail: Option<&str>) -> Result<Quantity, String> {
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

    /// How it is computed.
    pub(crate) fn way(&self) -> Way {
        match self {
            Quantity::StateSpace
            | Quantity::DatabaseSize { .. }
            | Quantity::DatabaseMegabytes { .. }
            | Quantity::LayerConfigurations { .. }
            | Quantity::OpenBoards { .. }
            | Quantity::OpenLayerBoards { .. }
            | Quantity::ChainRow { .. } => Way::Formula,
            Quantity::Margin | Quantity::Letter | Quantity::FirstMove(_) | Quantity::BestFirstMoves => Way::Search,
            Quantity::GraphNodes(_)
            | Quantity::GraphInner
            | Quantity::GraphShare
            | Quantity::GraphOutcomes(_)
            | Quantity::GraphCell { .. }
            | Quantity::GraphCaptured { .. }
            | Quantity::PerfectLine(_)
            | Quantity::LegalLine { .. }
            | Quantity::OpeningLine(_)
            | Quantity::WinningOpening
            | Quantity::Perft { .. }
            | Quantity::PerftTurns { .. }
            | Quantity::LayerHistogram { .. }
            | Quantity::LongestChain
            | Quantity::FairStarts { .. } => Way::Game,
        }
    }

    /// How its numbers are written.
    pub(crate) fn form(&self) -> Form {
        match self {
            Quantity::Margin | Quantity::FirstMove(_) | Quantity::PerfectLine(_) => Form::Margin,
            Quantity::Letter => Form::Letter,
            Quantity::GraphOutcomes(_) => Form::Shares,
            Quantity::GraphCell { .. } => Form::Outcomes,
            Quantity::BestFirstMoves => Form::Pits,
            Quantity::ChainRow { .. } => Form::Row,
            Quantity::LegalLine { .. } | Quantity::WinningOpening => Form::Yes,
            Quantity::LayerHistogram { .. } => Form::Histogram,
            Quantity::StateSpace
            | Quantity::GraphNodes(_)
            | Quantity::GraphInner
            | Quantity::GraphShare
            | Quantity::GraphCaptured { .. }
            | Quantity::OpeningLine(_)
            | Quantity::DatabaseSize { .. }
            | Quantity::DatabaseMegabytes { .. }
            | Quantity::Perft { .. }
            | Quantity::PerftTurns { .. }
            | Quantity::LayerConfigurations { .. }
            | Quantity::OpenBoards { .. }
            | Quantity::OpenLayerBoards { .. }
            | Quantity::LongestChain
            | Quantity::FairStarts { .. } => Form::Decimal,
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
