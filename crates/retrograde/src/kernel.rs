//! The inner loops of the builders that treat whole rows: each takes the best of what is there and what one move offers, for a line of positions.

use crate::steps::{Run, Steps};

/// The content of a line before any move was tried: less than every margin.
pub(crate) const NOTHING: i8 = i8::MIN;

/// Extra move: the same player continues from `from`, with `gain` more.
#[inline(always)]
pub(crate) fn again(best: &mut [i8], from: &[i8], gain: i8) {
    let from = &from[..best.len()];
    let mut i = 0;
    while i < best.len() {
        best[i] = best[i].max(from[i].wrapping_add(gain));
        i += 1;
    }
}

/// Every position gets at least this margin.
#[inline(always)]
pub(crate) fn constant(best: &mut [i8], margin: i8) {
    let mut i = 0;
    while i < best.len() {
        best[i] = best[i].max(margin);
        i += 1;
    }
}

/// The turn passes and all seeds stay in the row: the other player continues from `from`.
#[inline(always)]
pub(crate) fn pass(best: &mut [i8], from: &[i8]) {
    let from = &from[..best.len()];
    let mut i = 0;
    while i < best.len() {
        best[i] = best[i].max(from[i].wrapping_neg());
        i += 1;
    }
}

/// As [`pass`], but only where `mask` is all ones; elsewhere it is zero.
#[inline(always)]
pub(crate) fn pass_where(best: &mut [i8], from: &[i8], mask: &[i8]) {
    let (from, mask) = (&from[..best.len()], &mask[..best.len()]);
    let mut i = 0;
    while i < best.len() {
        best[i] = best[i].max((from[i].wrapping_neg() & mask[i]) | (NOTHING & !mask[i]));
        i += 1;
    }
}

/// The turn passes and the waiting row follows `steps`: `best[to]` may become `gain − from[from]`.
#[inline(always)]
pub(crate) fn follow(best: &mut [i8], from: &[i8], steps: &Steps, gain: i8) {
    let mut i = 0;
    while i < steps.runs.len() {
        let Run { to, from: start, len } = steps.runs[i];
        let len = len as usize;
        take_run(&mut best[to as usize..][..len], &from[start as usize..][..len], gain);
        i += 1;
    }
    let (to, start) = (&steps.to[..], &steps.from[..steps.to.len()]);
    let mut i = 0;
    while i < to.len() {
        let best = &mut best[to[i] as usize];
        *best = (*best).max(gain.wrapping_sub(from[start[i] as usize]));
        i += 1;
    }
}

/// One run of at least eight positions. Taking the better of two is idempotent, so blocks may overlap and no run has a tail.
#[inline(always)]
fn take_run(best: &mut [i8], from: &[i8], gain: i8) {
    let len = best.len();
    if len >= 64 {
        let mut start = 0;
        while start + 64 < len {
            take_block::<64>(&mut best[start..], &from[start..], gain);
            start += 64;
        }
        take_block::<64>(&mut best[len - 64..], &from[len - 64..], gain);
    } else if len >= 32 {
        take_block::<32>(best, from, gain);
        take_block::<32>(&mut best[len - 32..], &from[len - 32..], gain);
    } else if len >= 16 {
        take_block::<16>(best, from, gain);
        take_block::<16>(&mut best[len - 16..], &from[len - 16..], gain);
    } else {
        take_block::<8>(best, from, gain);
        take_block::<8>(&mut best[len - 8..], &from[len - 8..], gain);
    }
}

#[inline(always)]
fn take_block<const SIZE: usize>(best: &mut [i8], from: &[i8], gain: i8) {
    let (best, from) = (&mut best[..SIZE], &from[..SIZE]);
    let mut i = 0;
    while i < SIZE {
        best[i] = best[i].max(gain.wrapping_sub(from[i]));
        i += 1;
    }
}

/// `to[c · to_stride + r] = from[r · from_stride + c]` for `lines` lines of `columns` columns.
#[inline(always)]
pub(crate) fn transpose(
    from: &[i8],
    from_stride: usize,
    lines: usize,
    columns: usize,
    to: &mut [i8],
    to_stride: usize,
) {
    let (whole_lines, whole_columns) = (lines & !7, columns & !7);
    let mut line = 0;
    while line < whole_lines {
        let mut column = 0;
        while column < whole_columns {
            let mut block = [0; 8];
            let mut i = 0;
            while i < 8 {
                block[i] = load(&from[(line + i) * from_stride + column..]);
                i += 1;
            }
            transpose_8x8(&mut block);
            let mut i = 0;
            while i < 8 {
                store(&mut to[(column + i) * to_stride + line..], block[i]);
                i += 1;
            }
            column += 8;
        }
        line += 8;
    }
    let mut line = 0;
    while line < lines {
        let mut column = if line < whole_lines { whole_columns } else { 0 };
        while column < columns {
            to[column * to_stride + line] = from[line * from_stride + column];
            column += 1;
        }
        line += 1;
    }
}

#[inline(always)]
fn load(from: &[i8]) -> u64 {
    let from = &from[..8];
    let mut bytes = [0; 8];
    let mut i = 0;
    while i < 8 {
        bytes[i] = from[i] as u8;
        i += 1;
    }
    u64::from_le_bytes(bytes)
}

#[inline(always)]
fn store(to: &mut [i8], word: u64) {
    let to = &mut to[..8];
    let bytes = word.to_le_bytes();
    let mut i = 0;
    while i < 8 {
        to[i] = bytes[i] as i8;
        i += 1;
    }
}

/// Transposes an 8 × 8 block of bytes, one line a word, by swapping ever smaller quarters.
#[inline(always)]
fn transpose_8x8(block: &mut [u64; 8]) {
    swap_quarters(block, 4, 0x0000_0000_ffff_ffff);
    swap_quarters(block, 2, 0x0000_ffff_0000_ffff);
    swap_quarters(block, 1, 0x00ff_00ff_00ff_00ff);
}

#[inline(always)]
fn swap_quarters(block: &mut [u64; 8], half: usize, mask: u64) {
    let mut i = 0;
    while i < 8 {
        if i & half == 0 {
            let swap = ((block[i] >> (8 * half)) ^ block[i + half]) & mask;
            block[i] ^= swap << (8 * half);
            block[i + half] ^= swap;
        }
        i += 1;
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
