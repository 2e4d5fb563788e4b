//! Maps of rows that gain or lose seeds in some pits. Such a map never changes the order of two rows.

use std::ops::Range;

/// A run of rows that stay side by side: ranks `to..to + len` become `from..from + len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) to: u32,
    pub(crate) from: u32,
    pub(crate) len: u32,
}

/// A map from ranks before to ranks afterwards that never changes their order: long runs, and single rows for the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    pub(crate) runs: Vec<Run>,
    /// Ranks before of single rows.
    pub(crate) to: Vec<u32>,
    /// Their ranks afterwards.
    pub(crate) from: Vec<u32>,
}

/// Runs shorter than this are stored as single rows: a loop over so few bytes costs more than it saves.
pub(crate) const SHORTEST_RUN: u32 = 8;

impl Steps {
    /// The steps from pairs (rank before, rank afterwards) in rising order.
    pub(crate) fn new(pairs: impl Iterator<Item = (u32, u32)>) -> Steps {
        let mut steps = Steps::default();
        let mut open: Option<Run> = None;
        for (to, from) in pairs {
            match &mut open {
                Some(run) if run.to + run.len == to && run.from + run.len == from => run.len += 1,
                _ => {
                    steps.push(open.replace(Run { to, from, len: 1 }));
                }
            }
        }
        steps.push(open);
        steps.to.shrink_to_fit();
        steps.from.shrink_to_fit();
        steps.runs.shrink_to_fit();
        steps
    }

    fn push(&mut self, run: Option<Run>) {
        let Some(run) = run else { return };
        if run.len >= SHORTEST_RUN {
            self.runs.push(run);
        } else {
            self.to.extend(run.to..run.to + run.len);
            self.from.extend(run.from..run.from + run.len);
        }
    }

    /// The steps whose ranks before lie in `lines`, counted from its start.
    pub(crate) fn within(&self, lines: &Range<usize>) -> Steps {
        let (start, end) = (lines.start as u32, lines.end as u32);
        let mut steps = Steps::default();
        let first = self.runs.partition_point(|run| run.to + run.len <= start);
        for run in self.runs[first..].iter().take_while(|run| run.to < end) {
            let (to, stop) = (run.to.max(start), (run.to + run.len).min(end));
            steps.push(Some(Run { to: to - start, from: run.from + (to - run.to), len: stop - to }));
        }
        let singles = self.to.partition_point(|&to| to < start)..self.to.partition_point(|&to| to < end);
        steps.to.extend(self.to[singles.clone()].iter().map(|&to| to - start));
        steps.from.extend(&self.from[singles]);
        steps
    }

    /// From the first to the last rank afterwards.
    #[inline]
    pub(crate) fn span(&self) -> Range<usize> {
        let first = |run: Option<u32>, single: Option<u32>| run.unwrap_or(u32::MAX).min(single.unwrap_or(u32::MAX));
        let first = first(self.runs.first().map(|run| run.from), self.from.first().copied());
        let end = self.runs.last().map_or(0, |run| run.from + run.len);
        first as usize..end.max(self.from.last().map_or(0, |&from| from + 1)) as usize
    }

    /// Whether no row has a step.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.to.is_empty()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.runs.len() * size_of::<Run>() + 8 * self.to.len()
    }

    /// Every single step as a pair (rank before, rank afterwards).
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let runs = self.runs.iter().flat_map(|run| (0..run.len).map(|i| (run.to + i, run.from + i)));
        runs.chain(self.to.iter().copied().zip(self.from.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel;

    #[test]
    fn spans_hold_every_rank_afterwards() {
        for pairs in
            [vec![], vec![(4, 9)], (0..90).map(|i| (i, i + i / 31)).collect(), (0..9).map(|i| (i, 3 * i)).collect()]
        {
            let span = Steps::new(pairs.iter().copied()).span();
            match (pairs.first(), pairs.last()) {
                (Some(first), Some(last)) => assert_eq!(span, first.1 as usize..last.1 as usize + 1),
                _ => assert!(span.is_empty()),
            }
        }
    }

    #[test]
    fn following_takes_every_pair_once() {
        let pairs: Vec<(u32, u32)> = (0..90).map(|i| (i, if i < 25 { i + 3 } else { i + 9 + i / 31 })).collect();
        let steps = Steps::new(pairs.iter().copied());
        let from: Vec<i8> = (0..120).collect();
        let mut best = vec![kernel::NOTHING; 90];
        kernel::follow(&mut best, &from, &steps, 100);
        let expected: Vec<i8> = pairs.iter().map(|&(_, from)| 100 - from as i8).collect();
        assert_eq!(best, expected);
    }
}
