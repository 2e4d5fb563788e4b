//! Rows of a given number of seeds, grouped by distance: the order in which a layer can be computed.

use kalah_index::{first_row, next_row, rank_row, rows};

/// Rows grouped by distance; the group's place in the vector is its distance.
pub(crate) type RowsByDistance = Vec<Vec<u64>>;

/// All rows of `seeds` seeds on `pits` pits in the order of their ranks.
pub(crate) fn all_rows(pits: u8, seeds: u32) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first_row(seeds)), move |&row| next_row(pits, row))
}

/// The distance of a row: the sum, over its seeds, of the pits still to travel to the owner's store.
pub(crate) fn distance(pits: u8, row: u64) -> usize {
    row.to_le_bytes()[..usize::from(pits)]
        .iter()
        .enumerate()
        .map(|(pit, &seeds)| usize::from(seeds) * (usize::from(pits) - pit))
        .sum()
}

/// All rows of `seeds` seeds on `pits` pits by their distance.
pub(crate) fn rows_by_distance(pits: u8, seeds: u32) -> RowsByDistance {
    let mut groups = vec![Vec::new(); seeds as usize * usize::from(pits) + 1];
    for row in all_rows(pits, seeds) {
        groups[distance(pits, row)].push(row);
    }
    debug_assert_eq!(groups.iter().map(Vec::len).sum::<usize>() as u64, rows(pits, seeds));
    groups
}

/// The numbers of all rows of `seeds` seeds, grouped by distance from near to far; groups without rows are left out.
pub(crate) fn ranks_by_distance(pits: u8, seeds: u32) -> Vec<Vec<u32>> {
    rows_by_distance(pits, seeds)
        .into_iter()
        .filter(|group| !group.is_empty())
        .map(|group| group.into_iter().map(|row| rank_row(pits, row) as u32).collect())
        .collect()
}
