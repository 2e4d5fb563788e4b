//! The inner loops of the sweep: each takes the best of what is there and what one move offers, for a line of positions.

/// What stands in a line before any move was tried: less than every margin.
pub(super) const NOTHING: i8 = i8::MIN;

/// Extra move: the same player goes on from `from` with `gain` more.
pub(super) fn again(best: &mut [i8], from: &[i8], gain: i8) {
    for (best, &value) in best.iter_mut().zip(from) {
        *best = (*best).max(value.wrapping_add(gain));
    }
}

/// Every position gets at least this margin.
pub(super) fn constant(best: &mut [i8], margin: i8) {
    for best in best {
        *best = (*best).max(margin);
    }
}

/// The turn passes inside the row: the other player goes on from `from`.
pub(super) fn pass(best: &mut [i8], from: &[i8]) {
    for (best, &value) in best.iter_mut().zip(from) {
        *best = (*best).max(value.wrapping_neg());
    }
}

/// As [`pass`], but only where `mask` is all ones; elsewhere it is zero.
pub(super) fn pass_where(best: &mut [i8], from: &[i8], mask: &[i8]) {
    for ((best, &value), &mask) in best.iter_mut().zip(from).zip(mask) {
        *best = (*best).max((value.wrapping_neg() & mask) | (NOTHING & !mask));
    }
}

/// The turn passes to a position that an index list names: `best[i]` may become `gain − from[index[i]]`.
pub(super) fn gather(best: &mut [i8], from: &[i8], index: &[u32], gain: i8) {
    for (best, &index) in best.iter_mut().zip(index) {
        *best = (*best).max(gain.wrapping_sub(from[index as usize]));
    }
}

/// As [`gather`] for listed positions only: `best[to[k] − first]` may become `gain − from[index[k]]`.
pub(super) fn gather_at(best: &mut [i8], first: u32, to: &[u32], from: &[i8], index: &[u32], gain: i8) {
    for (&to, &index) in to.iter().zip(index) {
        let best = &mut best[(to - first) as usize];
        *best = (*best).max(gain.wrapping_sub(from[index as usize]));
    }
}

/// `to[c · to_stride + r] = from[r · from_stride + c]` for `lines` lines of `columns` columns.
pub(super) fn transpose(
    from: &[i8],
    from_stride: usize,
    lines: usize,
    columns: usize,
    to: &mut [i8],
    to_stride: usize,
) {
    let (whole_lines, whole_columns) = (lines & !7, columns & !7);
    for line in (0..whole_lines).step_by(8) {
        for column in (0..whole_columns).step_by(8) {
            let mut block: [u64; 8] = std::array::from_fn(|i| load(&from[(line + i) * from_stride + column..]));
            transpose_8x8(&mut block);
            for (i, word) in block.into_iter().enumerate() {
                store(&mut to[(column + i) * to_stride + line..], word);
            }
        }
    }
    let rest =
        |line: usize, column: usize, to: &mut [i8]| to[column * to_stride + line] = from[line * from_stride + column];
    for line in 0..lines {
        for column in (if line < whole_lines { whole_columns } else { 0 })..columns {
            rest(line, column, to);
        }
    }
}

#[inline]
fn load(from: &[i8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| from[..8][i] as u8))
}

#[inline]
fn store(to: &mut [i8], word: u64) {
    for (to, byte) in to[..8].iter_mut().zip(word.to_le_bytes()) {
        *to = byte as i8;
    }
}

/// Transposes an 8 × 8 block of bytes, one line a word, by swapping ever smaller quarters.
#[inline]
fn transpose_8x8(block: &mut [u64; 8]) {
    for (half, mask) in [(4, 0x0000_0000_ffff_ffffu64), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)] {
        for i in (0..8).filter(|i| i & half == 0) {
            let swap = ((block[i] >> (8 * half)) ^ block[i + half]) & mask;
            block[i] ^= swap << (8 * half);
            block[i + half] ^= swap;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_any_shape_swaps_lines_and_columns() {
        for (lines, columns) in [(1, 1), (8, 8), (7, 9), (16, 24), (33, 17), (64, 100)] {
            let from: Vec<i8> = (0..lines * columns).map(|i| (i * 7 % 251) as i8).collect();
            let mut to = vec![0; lines * columns];
            transpose(&from, columns, lines, columns, &mut to, lines);
            for line in 0..lines {
                for column in 0..columns {
                    assert_eq!(to[column * lines + line], from[line * columns + column], "{lines} x {columns}");
                }
            }
        }
    }
}
