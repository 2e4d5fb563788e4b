//! Counts over whole layers: how many positions have which value, and which positions are worth most and least.

use crate::layer_values::{Piece, map_pieces};
use kalah_database::{DatabaseError, LayerFile};
use kalah_index::{first_row, next_row, unrank_row};
use kalah_rules::{Game, Margin, Position, Row, RuleSet, SowingGame, State};
use serde::{Serialize, Serializer};

/// What the values of one layer are like, from the view of the player to move.
///
/// It serialises to the object that `kalah stats --json` prints.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LayerStatistics {
    /// The rules.
    pub rules: RuleSet,
    /// Pits a side.
    pub pits: u8,
    /// Seeds in pits.
    pub seeds: u32,
    /// How many positions the layer has.
    pub positions: u64,
    /// How many of them are over: there is nothing to play, the value is what the leftover seeds give.
    pub over: u64,
    /// Positions in which the mover wins what is left: values above 0.
    pub wins: u64,
    /// Positions with the value 0.
    pub draws: u64,
    /// Values below 0.
    pub losses: u64,
    /// The mean of all values, in seeds.
    pub mean: f64,
    /// The smallest value of a position that is not over; `None` if all are.
    pub lowest: Option<Extreme>,
    /// The largest value of a position that is not over; `None` if all are.
    pub highest: Option<Extreme>,
    /// Every value that occurs, in ascending order.
    pub values: Vec<ValueCount>,
}

/// How often one value occurs in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ValueCount {
    /// The value, for the mover.
    pub value: Margin,
    /// How many positions have it.
    pub positions: u64,
    /// How many of these are over.
    pub over: u64,
}

/// A value that no position still in play surpasses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Extreme {
    /// The value, for the mover.
    pub value: Margin,
    /// How many positions still in play have it.
    pub positions: u64,
    /// The first of them in the order of ranks, as a board with South to move and empty stores.
    #[serde(serialize_with = "as_text")]
    pub example: State,
}

fn as_text<S: Serializer>(state: &State, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(state)
}

/// Counts the values of a layer of `rules` in the current rayon pool; `None` if `advanced` asked to stop.
///
/// `advanced` is told how many more positions are done, from any thread, and stops the work by answering `false`.
///
/// # Errors
/// If a block of the file is damaged.
///
/// # Panics
/// If the file is for other rules.
#[track_caller]
pub fn layer_statistics(
    rules: &RuleSet,
    file: &LayerFile,
    advanced: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Option<LayerStatistics>, DatabaseError> {
    let (rules, header) = (rules.for_positions(), file.header());
    assert_eq!(header.stamp.rules, rules.to_string(), "a layer of other rules");
    let game = rules.game(header.stamp.pits).expect("a layer's board exists");
    let count = |piece: &Piece<'_>, values: &[i8]| {
        let mut tally = Tally::default();
        tally.count(&game, header.stamp.pits, piece, values);
        Ok(tally)
    };
    let Some(tallies) = map_pieces(file, advanced, count)? else { return Ok(None) };
    let tally = tallies.iter().fold(Tally::default(), Tally::and);

    let values: Vec<ValueCount> = (i8::MIN..=i8::MAX)
        .map(|value| {
            let [playing, over] = tally.counts[slot(value)];
            ValueCount { value: Margin(i16::from(value)), positions: playing + over, over }
        })
        .filter(|count| count.positions > 0)
        .collect();
    let sum = |wanted: fn(&ValueCount) -> bool| {
        values.iter().filter(|count| wanted(count)).map(|count| count.positions).sum()
    };
    let total: i128 = values.iter().map(|count| i128::from(count.value.0) * i128::from(count.positions)).sum();
    let extreme = |first: Option<(i8, u64)>| {
        first.map(|(value, rank)| {
            let (mover, opponent) = file.layer().unrank(rank);
            let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
            Extreme {
                value: Margin(i16::from(value)),
                positions: tally.counts[slot(value)][0],
                example: State::new(header.stamp.pits, position),
            }
        })
    };
    Ok(Some(LayerStatistics {
        rules,
        pits: header.stamp.pits,
        seeds: header.seeds,
        positions: header.positions,
        over: values.iter().map(|count| count.over).sum(),
        wins: sum(|count| count.value.0 > 0),
        draws: sum(|count| count.value.0 == 0),
        losses: sum(|count| count.value.0 < 0),
        mean: total as f64 / header.positions as f64,
        lowest: extreme(tally.lowest),
        highest: extreme(tally.highest),
        values,
    }))
}

/// Where a value's counts are kept.
fn slot(value: i8) -> usize {
    usize::from(value as u8)
}

/// Counts of some positions.
struct Tally {
    /// By [`slot`]: positions in play, positions that are over.
    counts: Box<[[u64; 2]; 256]>,
    /// The smallest value in play and the first rank that has it.
    lowest: Option<(i8, u64)>,
    /// The largest value in play and the first rank that has it.
    highest: Option<(i8, u64)>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { counts: Box::new([[0; 2]; 256]), lowest: None, highest: None }
    }
}

impl Tally {
    fn count(&mut self, game: &Game, pits: u8, piece: &Piece<'_>, values: &[i8]) {
        let section = piece.section;
        let movers: Vec<Row> = std::iter::successors(Some(first_row(section.mover_seeds)), |&row| next_row(pits, row))
            .map(Row::from_bits)
            .collect();
        debug_assert_eq!(movers.len() as u64, section.columns);
        let mut opponent = unrank_row(pits, section.opponent_seeds, piece.lines.start);
        let mut rank = piece.ranks().start;
        for line in values.chunks_exact(movers.len()) {
            for (&mover, &value) in movers.iter().zip(line) {
                let over = game.legal(Position::new(mover, Row::from_bits(opponent))).is_empty();
                self.counts[slot(value)][usize::from(over)] += 1;
                if !over {
                    if self.lowest.is_none_or(|(lowest, _)| value < lowest) {
                        self.lowest = Some((value, rank));
                    }
                    if self.highest.is_none_or(|(highest, _)| value > highest) {
                        self.highest = Some((value, rank));
                    }
                }
                rank += 1;
            }
            // Behind the section's last line there is none.
            opponent = next_row(pits, opponent).unwrap_or_default();
        }
    }

    /// Both together; `later` holds higher ranks.
    fn and(mut self, later: &Tally) -> Tally {
        for (here, there) in self.counts.iter_mut().zip(later.counts.iter()) {
            here[0] += there[0];
            here[1] += there[1];
        }
        if let Some((value, _)) = later.lowest
            && self.lowest.is_none_or(|(lowest, _)| value < lowest)
        {
            self.lowest = later.lowest;
        }
        if let Some((value, _)) = later.highest
            && self.highest.is_none_or(|(highest, _)| value > highest)
        {
            self.highest = later.highest;
        }
        self
    }
}
