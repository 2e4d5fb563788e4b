//! Counts that have a closed form.

use kalah_index::binomial;

/// A binomial coefficient as wide as the largest state space needs; `None` if it does not fit.
fn choose(n: u64, k: u64) -> Option<u128> {
    if let Some(small) = binomial(n, k) {
        return Some(u128::from(small));
    }
    let k = k.min(n - k);
    (1..=k).try_fold(1u128, |product, i| Some(product.checked_mul(u128::from(n - k + i))? / u128::from(i)))
}

/// All ways to spread the seeds of a start over pits and stores, times two for the side to move: 2·C(2mn + 2m + 1, 2m + 1)
/// with m pits a side and n seeds a pit.
pub(crate) fn state_space(pits: u8, seeds: u32) -> Option<u128> {
    let places = 2 * u64::from(pits) + 2;
    let all = 2 * u64::from(pits) * u64::from(seeds);
    choose(all + places - 1, places - 1)?.checked_mul(2)
}

/// Positions with at most `seeds` seeds in pits and no row empty: C(n + 2m, 2m) − 2·C(n + m, m) + 1.
pub(crate) fn database_size(pits: u8, seeds: u32) -> Option<u128> {
    let (m, n) = (u64::from(pits), u64::from(seeds));
    (choose(n + 2 * m, 2 * m)? + 1).checked_sub(2 * choose(n + m, m)?)
}

/// Positions with exactly `seeds` seeds in pits: C(n + 2m − 1, 2m − 1).
pub(crate) fn configurations(pits: u8, seeds: u32) -> Option<u128> {
    let places = 2 * u64::from(pits);
    choose(u64::from(seeds) + places - 1, places - 1)
}

/// Positions with exactly `seeds` seeds in pits in which the waiting row has an empty pit: in a game in which the origin stays
/// empty no others are reached. All positions less those with a seed in each of its pits.
pub(crate) fn open_boards(pits: u8, seeds: u32) -> Option<u128> {
    let full = match seeds.checked_sub(u32::from(pits)) {
        Some(rest) => configurations(pits, rest)?,
        None => 0,
    };
    configurations(pits, seeds)?.checked_sub(full)
}

/// [`open_boards`] of all layers up to `seeds` but for the last but one: a capture takes more than one seed.
pub(crate) fn open_boards_up_to(pits: u8, seeds: u32) -> Option<u128> {
    let layers = (0..=seeds).filter(|layer| layer + 1 != seeds);
    layers.map(|layer| open_boards(pits, layer)).try_fold(0u128, |sum, boards| sum.checked_add(boards?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All boards with `seeds` seeds on `places` places, one by one.
    fn boards(places: usize, seeds: u32) -> Vec<Vec<u32>> {
        if places == 1 {
            return vec![vec![seeds]];
        }
        let first = |n: u32| boards(places - 1, seeds - n).into_iter().map(move |rest| [vec![n], rest].concat());
        (0..=seeds).flat_map(first).collect()
    }

    #[test]
    fn formulas_count_what_lists_hold() {
        for pits in 1..=3u8 {
            let m = usize::from(pits);
            for seeds in 0..=6 {
                let layer = boards(2 * m, seeds);
                assert_eq!(configurations(pits, seeds), Some(layer.len() as u128));
                let open = layer.iter().filter(|board| board[m..].contains(&0)).count();
                assert_eq!(open_boards(pits, seeds), Some(open as u128), "{pits} pits, {seeds} seeds");
                let both = |board: &Vec<u32>| board[..m].iter().any(|&n| n > 0) && board[m..].iter().any(|&n| n > 0);
                let size: usize = (0..=seeds).map(|n| boards(2 * m, n).iter().filter(|b| both(b)).count()).sum();
                assert_eq!(database_size(pits, seeds), Some(size as u128), "{pits} pits, {seeds} seeds");
            }
            assert_eq!(state_space(pits, 1), Some(2 * boards(2 * m + 2, 2 * u32::from(pits)).len() as u128));
        }
    }

    #[test]
    fn wide_numbers_do_not_wrap() {
        assert_eq!(choose(68, 34), Some(28_453_041_475_240_576_740));
        assert_eq!(choose(300, 150), None);
    }
}
