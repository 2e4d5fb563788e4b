//! Tiles to bytes and back: errors of a simple prediction, one byte each, compressed by zstd.

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

/// Errors repeat by chance only, so all the gain is in Huffman codes. Where zstd looks for repetitions as long as these settings
/// let it, tiles come out a tenth longer, and slower to decode.
const SETTINGS: [CParameter; 5] = [
    CParameter::CompressionLevel(1),
    CParameter::MinMatch(7),
    CParameter::HashLog(6),
    // Both are known without the frame's help.
    CParameter::ContentSizeFlag(false),
    CParameter::ChecksumFlag(false),
];

/// Encodes tiles, one after the other.
pub(crate) struct Encoder {
    zstd: Compressor<'static>,
    errors: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Encoder {
        let mut zstd = Compressor::default();
        for setting in SETTINGS {
            zstd.set_parameter(setting).expect("settings that zstd has, in its ranges");
        }
        Encoder { zstd, errors: Vec::new() }
    }

    /// The bytes of the tile with these numbers. `middle` is the prediction where there is no neighbour.
    pub(crate) fn encode(&mut self, numbers: &[u8], columns: usize, middle: u8) -> Vec<u8> {
        self.errors.clear();
        let mut above: &[u8] = &[];
        for line in numbers.chunks_exact(columns) {
            let (mut left, mut corner) = (above.first().copied().unwrap_or(middle), middle);
            for (column, &number) in line.iter().enumerate() {
                let over = above.get(column).copied();
                let prediction = match over {
                    Some(over) if column > 0 => median(left.into(), over.into(), corner.into()) as u8,
                    _ => left,
                };
                self.errors.push(fold(number.wrapping_sub(prediction)));
                (left, corner) = (number, over.unwrap_or(middle));
            }
            above = line;
        }
        self.zstd.compress(&self.errors).expect("room for what zstd makes of a tile")
    }
}

/// Decodes tiles, one after the other.
pub(crate) struct Decoder {
    zstd: Decompressor<'static>,
    errors: Vec<u8>,
}

impl Decoder {
    pub(crate) fn new() -> Decoder {
        Decoder { zstd: Decompressor::default(), errors: Vec::new() }
    }

    /// The numbers of the first `lines` lines of a tile of so many positions; `false` if the bytes are not that tile's.
    pub(crate) fn decode(
        &mut self,
        bytes: &[u8],
        (positions, columns): (usize, usize),
        lines: usize,
        middle: u8,
        numbers: &mut Vec<u8>,
    ) -> bool {
        self.errors.resize(positions, 0);
        if !self.zstd.decompress_to_buffer(bytes, &mut self.errors[..]).is_ok_and(|size| size == positions) {
            return false;
        }
        // By themselves, so that they become vector instructions.
        self.errors.iter_mut().for_each(|error| *error = unfold(*error));
        numbers.resize(lines * columns, 0);
        let (mut errors, mut lines) = (self.errors.chunks_exact(columns), numbers.chunks_exact_mut(columns));
        let (Some(first_errors), Some(first)) = (errors.next(), lines.next()) else { return true };
        let mut left = middle;
        for (number, &error) in first.iter_mut().zip(first_errors) {
            left = left.wrapping_add(error);
            *number = left;
        }
        let mut above = &*first;
        for (line, errors) in lines.zip(errors) {
            restore(line, above, errors);
            above = line;
        }
        true
    }
}

/// The numbers of a line below another.
fn restore(line: &mut [u8], above: &[u8], errors: &[u8]) {
    let columns = line.len();
    let (above, errors) = (&above[..columns], &errors[..columns]);
    line[0] = above[0].wrapping_add(errors[0]);
    let (mut left, mut corner) = (i32::from(line[0]), i32::from(above[0]));
    for ((number, &above), &error) in line[1..].iter_mut().zip(&above[1..]).zip(&errors[1..]) {
        left = (median(left, above.into(), corner) + i32::from(error)) & 0xff;
        corner = above.into();
        *number = left as u8;
    }
}

/// The median of left, above, and left + above − corner.
#[inline(always)]
fn median(left: i32, above: i32, corner: i32) -> i32 {
    (left + above - corner).max(left.min(above)).min(left.max(above))
}

/// Small numbers for small errors of either sign: 0, −1, 1, −2, … become 0, 1, 2, 3, …
fn fold(error: u8) -> u8 {
    (error << 1) ^ ((error as i8) >> 7) as u8
}

fn unfold(folded: u8) -> u8 {
    (folded >> 1) ^ (folded & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(lines: usize, columns: usize, value: impl Fn(usize, usize) -> u8) -> Vec<u8> {
        (0..lines).flat_map(|line| (0..columns).map(move |column| (line, column))).map(|(l, c)| value(l, c)).collect()
    }

    fn decode(bytes: &[u8], shape: (usize, usize), lines: usize) -> Option<Vec<u8>> {
        let mut numbers = Vec::new();
        Decoder::new().decode(bytes, shape, lines, 12, &mut numbers).then_some(numbers)
    }

    #[test]
    fn every_shape_and_kind_of_values_comes_back() {
        type Kind = (&'static str, fn(usize, usize) -> u8);
        let kinds: [Kind; 5] = [
            ("equal", |_, _| 7),
            ("smooth", |line, column| (line / 3 + column / 5) as u8 % 90),
            ("steps", |line, column| if line % 7 < 3 { 20 } else { (column % 3) as u8 + 40 }),
            ("wild", |line, column| (line * 91 + column * column * 57 + line * column) as u8),
            ("extremes", |line, column| if (line + column) % 2 == 0 { 0 } else { 254 }),
        ];
        let mut encoder = Encoder::new();
        for (lines, columns) in [(1, 1), (1, 64), (8192, 1), (2, 3), (128, 64), (5, 63), (40, 21)] {
            for (name, value) in kinds {
                let numbers = tile(lines, columns, value);
                let bytes = encoder.encode(&numbers, columns, 12);
                assert!(bytes.len() < usize::from(u16::MAX));
                for some in [1, lines / 2, lines] {
                    let decoded = decode(&bytes, (lines * columns, columns), some);
                    assert!(decoded.as_deref() == Some(&numbers[..some * columns]), "{name} {lines}×{columns}");
                }
            }
        }
    }

    #[test]
    fn errors_are_folded_one_to_one() {
        assert!((0..=255).all(|error| unfold(fold(error)) == error));
        assert_eq!([0u8, 255, 1, 254, 128].map(fold), [0, 1, 2, 3, 255]);
    }

    #[test]
    fn changed_and_cut_bytes_never_panic() {
        let numbers = tile(100, 64, |line, column| (line / 9 + column / 5 + line * column % 3) as u8);
        let bytes = Encoder::new().encode(&numbers, 64, 12);
        assert!(bytes.len() < numbers.len() / 2);
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            let _ = decode(&changed, (6400, 64), 100);
            assert_eq!(decode(&bytes[..place], (6400, 64), 100), None, "what is missing at the end is noticed");
        }
        assert_eq!(decode(&bytes, (6464, 64), 100), None, "so is a tile of another size");
        assert_eq!(decode(&bytes, (6336, 64), 99), None);
    }
}
