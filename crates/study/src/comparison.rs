//! Two files of one layer, value by value, whatever their codecs.

use crate::layer_values::map_pieces;
use kalah_database::{DatabaseError, LayerFile};
use kalah_rules::{Margin, Position, Row, State};

/// How the values of two files of one layer differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Positions that were compared.
    pub positions: u64,
    /// Positions whose values differ.
    pub different: u64,
    /// The first of them in the order of ranks.
    pub first: Option<Difference>,
}

/// A position that two files value differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its rank in the layer.
    pub rank: u64,
    /// The board with South to move and empty stores.
    pub position: State,
    /// What the first file says, for South.
    pub here: Margin,
    /// What the second file says, for South.
    pub there: Margin,
}

/// Compares two files in the current rayon pool; `None` if `advanced` asked to stop.
///
/// `advanced` is told how many more positions are done, from any thread, and stops the work by answering `false`.
///
/// # Errors
/// If a block of either file is damaged.
///
/// # Panics
/// If the files are not for the same board and layer.
#[track_caller]
pub fn compare_layers(
    here: &LayerFile,
    there: &LayerFile,
    advanced: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Option<Comparison>, DatabaseError> {
    assert_eq!(here.layer(), there.layer(), "two layers");
    let pits = here.layer().pits();
    let compare = |piece: &crate::layer_values::Piece<'_>, values: &[i8]| {
        let start = piece.ranks().start;
        let mut others = vec![0; values.len()];
        // If it is stopped here, nobody looks at the result.
        if !there.read_while(start, &mut others, &|| advanced(0))? || values == others {
            return Ok((0, None));
        }
        let mut pairs = values.iter().zip(&others).zip(start..).filter(|((value, other), _)| value != other);
        let first = pairs.next().map(|((&here, &there), rank)| (rank, here, there));
        Ok((1 + pairs.count() as u64, first))
    };
    let Some(found) = map_pieces(here, advanced, compare)? else { return Ok(None) };
    let first = found.iter().find_map(|(_, first)| *first).map(|(rank, value, other)| {
        let (mover, opponent) = here.layer().unrank(rank);
        let position = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
        let margin = |value| Margin(i16::from(value));
        Difference { rank, position: State::new(pits, position), here: margin(value), there: margin(other) }
    });
    let different = found.iter().map(|(different, _)| different).sum();
    Ok(Some(Comparison { positions: here.layer().positions(), different, first }))
}
