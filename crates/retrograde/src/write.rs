//! Solved values on their way into a layer's file, piece by piece.

use crate::sweep::Pair;
use crate::{BuildError, Observer};
use kalah_database::LayerWriter;
use rayon::prelude::*;

/// Bytes written at once.
const PIECE: u64 = 1 << 20;

/// Writes both sections of a pair.
///
/// # Errors
/// If the file cannot be written, or the observer asks to stop.
pub(crate) fn write_pair(pair: &Pair, writer: &LayerWriter, observer: &dyn Observer) -> Result<(), BuildError> {
    let pieces = |mover_seeds: u32| {
        let section = *writer.layer().section(mover_seeds);
        let (lines, end) = ((PIECE / section.columns).max(8) as usize, section.lines as usize);
        let starts = (0..end).into_par_iter().step_by(lines);
        (section, starts.map(move |start| start..(start + lines).min(end)))
    };
    if !writer.is_done(pair.high() as usize) {
        writer.redo(pair.high() as usize)?;
        let (section, pieces) = pieces(pair.high());
        pieces.try_for_each(|lines| {
            go_on(observer)?;
            let bytes = lines.start * section.columns as usize..lines.end * section.columns as usize;
            Ok::<(), BuildError>(writer.write_part(pair.high() as usize, pair.high_mover(), bytes)?)
        })?;
    }
    if pair.low() < pair.high() && !writer.is_done(pair.low() as usize) {
        writer.redo(pair.low() as usize)?;
        let (section, pieces) = pieces(pair.low());
        pieces.try_for_each_init(Vec::new, |piece, lines| {
            go_on(observer)?;
            let first = section.first + lines.start as u64 * section.columns;
            pair.low_mover_tile(lines, piece);
            Ok::<(), BuildError>(writer.write(first, piece)?)
        })?;
    }
    Ok(())
}

/// Writes every section of a layer that is not done from the values of the whole layer, in the order of ranks.
///
/// # Errors
/// If the file cannot be written, or the observer asks to stop.
pub(crate) fn write_sections(values: &[i8], writer: &LayerWriter, observer: &dyn Observer) -> Result<(), BuildError> {
    for (place, section) in writer.sections().iter().enumerate().filter(|(place, _)| !writer.is_done(*place)) {
        writer.redo(place)?;
        let ranks = section.first as usize..section.ranks().end as usize;
        let pieces = values[ranks].par_chunks(PIECE as usize).enumerate();
        pieces.try_for_each(|(piece, values)| {
            go_on(observer)?;
            Ok::<(), BuildError>(writer.write(section.first + piece as u64 * PIECE, values)?)
        })?;
    }
    Ok(())
}

fn go_on(observer: &dyn Observer) -> Result<(), BuildError> {
    if observer.should_stop() { Err(BuildError::Stopped) } else { Ok(()) }
}
