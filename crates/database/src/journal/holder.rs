//! Which process holds the lock on a file, where the system says so.

use std::fs::File;

/// The process that has locked the file, if it can be known.
#[cfg(target_os = "linux")]
pub(super) fn pid(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let metadata = file.metadata().ok()?;
    let (device, inode) = (metadata.dev(), metadata.ino());
    let major = ((device >> 8) & 0xfff) | ((device >> 32) & !0xfff);
    let minor = (device & 0xff) | ((device >> 12) & !0xff);
    holder(&std::fs::read_to_string("/proc/locks").ok()?, &format!("{major:02x}:{minor:02x}:{inode}"))
}

/// The process that has locked the file, if it can be known.
#[cfg(not(target_os = "linux"))]
pub(super) fn pid(_: &File) -> Option<u32> {
    None
}

/// The process of the line for this file in `/proc/locks`.
#[cfg(target_os = "linux")]
fn holder(locks: &str, file: &str) -> Option<u32> {
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // A process that waits for a lock has an arrow in the second place, and so one word more.
            [_, "FLOCK", _, "WRITE", pid, place, ..] if place == file => pid.parse().ok(),
            _ => None,
        }
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn the_holder_is_found_among_waiters_and_other_files() {
        let locks = "1: FLOCK  ADVISORY  WRITE 12 fe:00:17 0 EOF\n\
                     1: -> FLOCK  ADVISORY  WRITE 13 fe:00:18 0 EOF\n\
                     2: POSIX  ADVISORY  WRITE 14 fe:00:18 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 15 fe:00:18 0 EOF\n";
        assert_eq!(super::holder(locks, "fe:00:18"), Some(15));
        assert_eq!(super::holder(locks, "fe:00:1"), None);
        assert_eq!(super::holder("rubbish\n\n", "fe:00:1"), None);
    }
}
