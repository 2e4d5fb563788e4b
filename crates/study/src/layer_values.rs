//! All values of a layer, piece by piece, whatever the codec: what statistics, checksums and comparisons go through.

use kalah_database::{DatabaseError, LayerFile};
use kalah_index::Section;
use rayon::prelude::*;
use std::ops::Range;

/// About how many positions a piece has: large enough that a compressed block is decoded once, small enough to share out.
const PIECE: u64 = 1 << 20;

/// Some whole lines of one section: positions whose waiting player has one of a few rows.
pub(crate) struct Piece<'a> {
    /// The section they lie in.
    pub(crate) section: &'a Section,
    /// Which of its lines.
    pub(crate) lines: Range<u64>,
}

impl Piece<'_> {
    /// The ranks of its positions in the layer.
    pub(crate) fn ranks(&self) -> Range<u64> {
        let rank = |line| self.section.first + line * self.section.columns;
        rank(self.lines.start)..rank(self.lines.end)
    }
}

/// The layer cut into pieces, in the order of ranks.
pub(crate) fn pieces(file: &LayerFile) -> Vec<Piece<'_>> {
    let sections = file.layer().sections().iter();
    let pieces = sections.flat_map(|section| {
        let Section { lines, columns, .. } = *section;
        let step = (PIECE / columns).max(1);
        let starts = (0..lines).step_by(step as usize);
        starts.map(move |start| Piece { section, lines: start..(start + step).min(lines) })
    });
    pieces.collect()
}

/// Goes through all pieces in the current rayon pool and returns what `work` made of each, in their order; `None` if
/// `advanced`, which is told of every piece's number of positions, answered `false`.
pub(crate) fn map_pieces<R: Send>(
    file: &LayerFile,
    advanced: &(dyn Fn(u64) -> bool + Sync),
    work: impl Fn(&Piece<'_>, &[i8]) -> Result<R, DatabaseError> + Sync,
) -> Result<Option<Vec<R>>, DatabaseError> {
    let found: Result<Vec<Option<R>>, DatabaseError> = pieces(file)
        .par_iter()
        .map_init(Vec::new, |values, piece| {
            let ranks = piece.ranks();
            let positions = ranks.end - ranks.start;
            if !advanced(0) {
                return Ok(None);
            }
            values.resize(positions as usize, 0);
            if !file.read_while(ranks.start, values, &|| advanced(0))? {
                return Ok(None);
            }
            let result = work(piece, values)?;
            Ok(advanced(positions).then_some(result))
        })
        .collect();
    Ok(found?.into_iter().collect())
}
