//! Lines of comma-separated values that end with their own checksum, so that a changed digit is noticed.

use xxhash_rust::xxh3::xxh3_64;

/// The name of the last column.
pub(crate) const CHECK: &str = "check";

/// The line with its last cell: the XXH3-64 of everything before the last comma, as 16 hexadecimal digits.
pub(crate) fn sealed(line: &str) -> String {
    format!("{line},{:016x}", xxh3_64(line.as_bytes()))
}

/// The line without its last cell.
///
/// # Errors
/// If that cell is not the line's checksum: what is wrong, without naming the place.
pub(crate) fn checked(line: &str) -> Result<&str, String> {
    let rest = line.rsplit_once(',').map_or("", |(rest, _)| rest);
    if sealed(rest) == line {
        Ok(rest)
    } else {
        Err(format!("it does not end with its checksum, so it was changed; the last cell should be '{CHECK}'"))
    }
}
