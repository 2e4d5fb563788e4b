//! Reads bytes as a layer file.

use kalah_database::LayerFile;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Reads the bytes as a layer file, as they are and with right checksums. Nothing may panic, and what is found sound must give
/// the same values by every road.
pub(crate) fn exercise(bytes: &[u8]) {
    read(bytes.to_vec());
    let mut signed = bytes.to_vec();
    sign(&mut signed);
    read(signed);
}

fn read(bytes: Vec<u8>) {
    let Ok(file) = LayerFile::from_bytes(Path::new("fuzz"), bytes) else { return };
    let positions = file.header().positions;
    if positions > 1 << 20 {
        return;
    }
    let sound = file.verify(&|_| true).is_sound();
    let mut values = vec![0; positions as usize];
    let read = file.read(0, &mut values);
    assert!(!sound || read.is_ok());
    for rank in (0..positions).step_by(1 + positions as usize / 500) {
        match file.value(rank) {
            Ok(value) => assert!(read.is_err() || value == values[rank as usize]),
            Err(_) => assert!(!sound),
        }
    }
}

/// Makes the checksums of blocks, head and prefix right, so that changes reach what lies behind them.
pub(crate) fn sign(bytes: &mut [u8]) {
    let number = |bytes: &[u8], place: usize, size: usize| {
        let mut number = [0; 8];
        number[..size].copy_from_slice(bytes.get(place..place.checked_add(size)?)?);
        usize::try_from(u64::from_le_bytes(number)).ok()
    };
    let signed = (|| {
        let (header, head) = (number(bytes, 12, 4)?, number(bytes, 16, 8)?);
        let length = bytes.len() as u64;
        bytes.get_mut(24..32)?.copy_from_slice(&length.to_le_bytes());
        let text = number(bytes, 48, 8)?;
        let blocks = number(bytes, 56usize.checked_add(text)?.checked_add(8 + 4 + 8 + 8)?, 8)?;
        for block in 0..blocks.min(10_000) {
            let entry = 48usize.checked_add(header)?.checked_add(24 * block)?;
            let (offset, size) = (number(bytes, entry, 8)?, number(bytes, entry + 8, 4)?);
            let start = head.checked_add(offset)?;
            let check = xxh3_64(bytes.get(start..start.checked_add(size)?)?);
            bytes.get_mut(entry + 16..entry + 24)?.copy_from_slice(&check.to_le_bytes());
        }
        Some(())
    })();
    // Where the index makes no sense, prefix and header are signed all the same.
    let _ = signed;
    let Some(head) = number(bytes, 16, 8) else { return };
    if let Some(check) = bytes.get(48..head).map(xxh3_64) {
        bytes[32..40].copy_from_slice(&check.to_le_bytes());
    }
    if let Some(check) = bytes.get(..40).map(xxh3_64)
        && bytes.len() >= 48
    {
        bytes[40..48].copy_from_slice(&check.to_le_bytes());
    }
}
