//! The inner loops of the row-wise fixpoint builder.

/// What stands in a line before any move was tried: less than every margin.
pub(super) const NOTHING: i8 = i8::MIN;

/// A run of rows that stay side by side: ranks `to..to + len` become `from..from + len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    to: u32,
    from: u32,
    len: u32,
}

/// Where rows go when something is added to or taken from some of their pits: ranks before and afterwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    runs: Vec<Run>,
    /// Ranks before and afterwards of rows that are not part of a run.
    singles: Vec<(u32, u32)>,
}

/// Shorter runs are taken apart: a loop over so few bytes costs more than it saves.
const SHORTEST_RUN: u32 = 12;

impl Steps {
    /// The steps from pairs (rank before, rank afterwards) in rising order.
    pub(super) fn new(pairs: &[(u32, u32)]) -> Steps {
        let mut steps = Steps::default();
        let mut open: Option<Run> = None;
        for &(to, from) in pairs {
            match &mut open {
                Some(run) if run.to + run.len == to && run.from + run.len == from => run.len += 1,
                _ => {
                    let done = open.replace(Run { to, from, len: 1 });
                    steps.push(done);
                }
            }
        }
        steps.push(open);
        steps
    }

    pub(super) fn bytes(&self) -> usize {
        self.runs.len() * size_of::<Run>() + self.singles.len() * size_of::<(u32, u32)>()
    }

    fn push(&mut self, run: Option<Run>) {
        match run {
            Some(run) if run.len >= SHORTEST_RUN => self.runs.push(run),
            Some(run) => self.singles.extend((0..run.len).map(|i| (run.to + i, run.from + i))),
            None => {}
        }
    }
}

/// The turn passes and the waiting row follows `steps`: `best[to]` may become `gain − from[from]`.
#[inline]
pub(super) fn follow(best: &mut [i8], from: &[i8], steps: &Steps, gain: i8) {
    for run in &steps.runs {
        let (to, start, len) = (run.to as usize, run.from as usize, run.len as usize);
        for (best, from) in best[to..to + len].iter_mut().zip(&from[start..start + len]) {
            *best = (*best).max(gain.wrapping_sub(*from));
        }
    }
    for &(to, start) in &steps.singles {
        let best = &mut best[to as usize];
        *best = (*best).max(gain.wrapping_sub(from[start as usize]));
    }
}

/// The turn passes and the waiting row stays as it is.
#[inline]
pub(super) fn pass(best: &mut [i8], from: &[i8]) {
    for (best, from) in best.iter_mut().zip(from) {
        *best = (*best).max(from.wrapping_neg());
    }
}

/// `to[column][line] = from[line][column]` for `lines` lines of `from`, `from_stride` apart, and `columns` columns; lines of
/// `to` are `columns_stride` apart.
#[inline]
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
            let mut block = [0u64; 8];
            for (i, word) in block.iter_mut().enumerate() {
                let bytes = &from[(line + i) * from_stride + column..][..8];
                *word = u64::from_le_bytes(std::array::from_fn(|k| bytes[k] as u8));
            }
            for (half, mask) in [(4, 0xffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)] {
                for i in (0..8).filter(|i| i & half == 0) {
                    let swap = ((block[i] >> (8 * half)) ^ block[i + half]) & mask;
                    block[i] ^= swap << (8 * half);
                    block[i + half] ^= swap;
                }
            }
            for (i, word) in block.iter().enumerate() {
                let bytes = word.to_le_bytes();
                let out = &mut to[(column + i) * to_stride + line..][..8];
                for (out, byte) in out.iter_mut().zip(bytes) {
                    *out = byte as i8;
                }
            }
        }
    }
    for line in 0..lines {
        for column in if line < whole_lines { whole_columns..columns } else { 0..columns } {
            to[column * to_stride + line] = from[line * from_stride + column];
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

    #[test]
    fn steps_take_every_pair_once() {
        let pairs: Vec<(u32, u32)> = (0..40).map(|i| (i, if i < 25 { i + 3 } else { i + 9 })).collect();
        let steps = Steps::new(&pairs);
        let from: Vec<i8> = (0..60).collect();
        let mut best = vec![NOTHING; 40];
        follow(&mut best, &from, &steps, 100);
        let expected: Vec<i8> = pairs.iter().map(|&(_, from)| 100 - from as i8).collect();
        assert_eq!(best, expected);
    }
}
