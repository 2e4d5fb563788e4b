//! Packed blocks: a few bits a position, the same for all of a block, read in constant time.
//!
//! A block's codes lie one after the other, lowest bits first. Code `c` stands for `base + step · c`, with step 2 where the
//! parity of values is known. If few values of a block lie outside the range of its codes, the highest code says "look
//! among the exceptions", which follow the codes.

use crate::header::Block;

/// The flag in a block's width that says that it has exceptions.
const EXCEPTIONS: u16 = 0x100;

/// Zeros behind the codes.
const PADDING: usize = 2;

/// Packs the values of a block; returns the block's base and width.
pub(crate) fn encode(values: &[i8], step: i16, bytes: &mut Vec<u8>) -> (i16, u16) {
    let lowest = values.iter().copied().min().unwrap_or(0);
    let place = |value: i8| usize::from((i16::from(value) - i16::from(lowest)) as u16 >> step.trailing_zeros());
    let mut counts = [0u64; 256];
    values.iter().for_each(|&value| counts[place(value)] += 1);
    let highest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);

    // Without exceptions the codes reach all values. With them one code less is free, and each exception takes 24 bits.
    let width = (highest + 1).next_power_of_two().ilog2() as u16;
    let mut best = (values.len() as u64 * u64::from(width), width, 0);
    for narrow in 1..width {
        let codes = (1 << narrow) - 1;
        let inside = |start: usize| counts[start..start + codes].iter().sum::<u64>();
        let (most, start) = (0..=highest + 1 - codes)
            .map(|start| (inside(start), start))
            .max_by_key(|&(most, _)| most)
            .unwrap_or((0, 0));
        let outside = values.len() as u64 - most;
        let bits = values.len() as u64 * u64::from(narrow) + 24 * outside + 16;
        // More would make many probes slow for a little room.
        if bits < best.0 && outside * 256 <= values.len() as u64 {
            best = (bits, narrow | EXCEPTIONS, start);
        }
    }
    let (_, flags, start) = best;
    let width = flags & 0xff;
    let codes = if flags & EXCEPTIONS == 0 { 1 << width } else { (1usize << width) - 1 };
    let (mut exceptions, mut bits, mut filled) = (Vec::new(), 0u64, 0);
    for (position, &value) in values.iter().enumerate() {
        let code = place(value).wrapping_sub(start);
        if code >= codes {
            exceptions.push((position as u16, value));
        }
        bits |= (code.min(codes) as u64) << filled;
        filled += u32::from(width);
        while filled >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        bytes.push(bits as u8);
    }
    // So that two bytes can be read wherever a code begins.
    bytes.extend([0; PADDING]);
    if flags & EXCEPTIONS != 0 {
        bytes.extend((exceptions.len() as u16).to_le_bytes());
        exceptions.iter().for_each(|(position, _)| bytes.extend(position.to_le_bytes()));
        exceptions.iter().for_each(|&(_, value)| bytes.push(value as u8));
    }
    (i16::from(lowest) + step * start as i16, flags)
}

/// Whether an entry of the index can belong to a packed block of so many positions.
pub(crate) fn fits(block: &Block, positions: u64) -> bool {
    let width = u64::from(block.width & 0xff);
    let codes = (positions * width).div_ceil(8) + PADDING as u64;
    let bytes = u64::from(block.bytes);
    match block.width & !0xff {
        0 => width <= 8 && bytes == codes,
        EXCEPTIONS => (1..=8).contains(&width) && bytes >= codes + 2 && (bytes - codes - 2).is_multiple_of(3),
        _ => false,
    }
}

/// What a probe needs of a block that [`fits`]: as little as can be, so that all blocks' stay in the processor's cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// Where its codes begin in what holds it.
    start: usize,
    mask: u16,
    /// The code that says "look among the exceptions"; no code at all where there are none.
    exception: u16,
    width: u8,
    base: i8,
}

impl Run {
    /// The block that begins at a place.
    pub(crate) fn new(block: &Block, start: usize) -> Run {
        let mask = (1u16 << (block.width & 0xff)) - 1;
        let exception = if block.width & EXCEPTIONS != 0 { mask } else { u16::MAX };
        Run { start, mask, exception, width: block.width as u8, base: block.base as i8 }
    }

    /// The value at a place of the block; `None` if it is among the exceptions. Panics if the block is not whole in `bytes`.
    ///
    /// Few instructions, and no branch that is often guessed wrong: so many probes wait for memory together.
    #[inline(always)]
    pub(crate) fn value(&self, bytes: &[u8], step: i16, place: u64) -> Option<i8> {
        let bit = place as usize * usize::from(self.width);
        let at = self.start + bit / 8;
        let pair = u16::from_le_bytes(*bytes[at..].first_chunk().expect("two bytes of padding"));
        let code = (pair >> (bit % 8)) & self.mask;
        (code != self.exception).then(|| self.base.wrapping_add((code << (step >> 1)) as i8))
    }
}

/// The value at a place of a block of so many positions that is an exception; `None` if its bytes contradict themselves.
#[cold]
pub(crate) fn exception(block: &Block, bytes: &[u8], positions: u64, place: u64) -> Option<i8> {
    let (bits, place) = (positions * u64::from(block.width & 0xff), place as u16);
    let (count, rest) = bytes.get(bits.div_ceil(8) as usize + PADDING..)?.split_first_chunk()?;
    let count = usize::from(u16::from_le_bytes(*count));
    let (places, values) = rest.split_at_checked(2 * count)?;
    let (places, _) = places.as_chunks::<2>();
    let found = places.binary_search_by_key(&place, |&place| u16::from_le_bytes(place)).ok()?;
    values.get(found).map(|&value| value as i8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(block: &Block, bytes: &[u8], positions: u64, step: i16, place: u64) -> Option<i8> {
        Run::new(block, 0).value(bytes, step, place).or_else(|| exception(block, bytes, positions, place))
    }

    fn check(values: &[i8], step: i16) -> (usize, u16) {
        let mut bytes = Vec::new();
        let (base, width) = encode(values, step, &mut bytes);
        let block = Block { offset: 0, bytes: bytes.len() as u32, base, width, check: 0 };
        assert!(fits(&block, values.len() as u64));
        for (place, &expected) in values.iter().enumerate() {
            let found = value(&block, &bytes, values.len() as u64, step, place as u64);
            assert_eq!(found, Some(expected), "place {place}");
        }
        (bytes.len(), width)
    }

    #[test]
    fn widths_are_as_small_as_can_be() {
        assert_eq!(check(&[5; 1000], 2), (2, 0));
        let odd: Vec<i8> = (0..1000).map(|i| (i % 25 * 2 - 24) as i8).collect();
        assert_eq!(check(&odd, 2), (627, 5));
        assert_eq!(check(&odd, 1).1, 6);
        let mut few = odd;
        (few[17], few[999]) = (100, -128);
        assert_eq!(check(&few, 2), (627 + 2 + 6, 5 | EXCEPTIONS));
        assert_eq!(check(&[i8::MIN, i8::MAX, 0], 1).1, 8);
        assert_eq!(check(&[-127, 127, 1], 2).1, 7);
    }

    proptest! {
        #[test]
        fn any_values_come_back(values in prop::collection::vec(any::<i8>(), 1..400)) {
            check(&values, 1);
            let even: Vec<i8> = values.iter().map(|value| value & !1).collect();
            check(&even, 2);
        }

        #[test]
        fn clustered_values_come_back(
            values in prop::collection::vec(-7i8..8, 300..4000),
            far in prop::collection::vec((any::<prop::sample::Index>(), any::<i8>()), 0..20),
        ) {
            let mut values = values;
            far.into_iter().for_each(|(place, value)| *place.get_mut(&mut values) = value);
            check(&values, 1);
        }

        #[test]
        fn arbitrary_blocks_never_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..200), base in any::<i16>(), width in any::<u16>(), positions in 1u64..150,
        ) {
            for width in [width, width & 0x1f, (width & 7) | EXCEPTIONS] {
                let block = Block { offset: 0, bytes: bytes.len() as u32, base, width, check: 0 };
                if fits(&block, positions) {
                    for place in 0..positions {
                        let _ = value(&block, &bytes, positions, 2, place);
                    }
                }
            }
        }
    }
}
