//! Binomial coefficients, checked.

/// `C(n, k)`, or `None` if it does not fit 64 bits.
///
/// ```
/// assert_eq!(kalah_index::binomial(35, 11), Some(417_225_900));
/// assert_eq!(kalah_index::binomial(300, 150), None);
/// ```
pub const fn binomial(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let k = if k < n - k { k } else { n - k };
    let mut result: u128 = 1;
    let mut i = 1;
    while i <= k {
        // Exact at every step: a product of i consecutive numbers is divisible by i!.
        result = result * ((n - k + i) as u128) / (i as u128);
        if result > u64::MAX as u128 {
            return None;
        }
        i += 1;
    }
    Some(result as u64)
}

#[cfg(test)]
mod tests {
    use super::binomial;

    #[test]
    fn follows_pascals_rule_and_refuses_overflow() {
        for n in 1..90 {
            for k in 1..=n {
                let sum = binomial(n - 1, k - 1).and_then(|a| a.checked_add(binomial(n - 1, k)?));
                assert_eq!(binomial(n, k), sum, "C({n}, {k})");
            }
        }
        assert_eq!(binomial(5, 7), Some(0));
        assert_eq!(binomial(67, 33), Some(14_226_520_737_620_288_370));
        assert_eq!(binomial(68, 34), None);
    }
}
