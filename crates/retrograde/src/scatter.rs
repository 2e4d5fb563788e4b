//! Numbers spread like random ones, the same in every run.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same positions in every run, spread like random ones.
pub(crate) fn scatter(seed: u64) -> u64 {
    let mut word = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
