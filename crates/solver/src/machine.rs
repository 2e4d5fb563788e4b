//! What the machine has: free memory, and free room on the disk a directory lies on.

use std::path::Path;
use sysinfo::System;

/// Bytes of memory that can be taken without pushing anything out; 0 where the system does not tell.
pub fn free_memory() -> u64 {
    let Ok(mut system) = System::new() else { return 0 };
    system.refresh_memory();
    let whole = system.available_memory();
    // A container may have less than its machine.
    system.cgroup_limits().map_or(whole, |limits| limits.free_memory.min(whole))
}

/// What a build may take for itself when nobody says otherwise: free memory less a tenth, or everything where the system does
/// not tell.
pub fn spare_memory() -> u64 {
    match free_memory() {
        0 => u64::MAX,
        free => free - free / 10,
    }
}

/// Bytes that can be written to the file system `directory` lies on, or would lie on once it exists; `None` where the system
/// does not tell.
pub fn free_disk(directory: &Path) -> Option<u64> {
    let absolute = std::path::absolute(directory).ok()?;
    let existing = absolute.ancestors().find_map(|path| path.canonicalize().ok())?;
    fs4::available_space(&existing).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_this_has_memory() {
        assert!(free_memory() > 1 << 20);
    }

    #[test]
    fn a_directory_yet_to_be_made_lies_on_its_parents_disk() {
        let root = tempfile::tempdir().unwrap();
        let later = root.path().join("not").join("there").join("yet");
        // Free room changes while other programs run, but not by half.
        if let (Some(now), Some(then)) = (free_disk(root.path()), free_disk(&later)) {
            assert!(then > now / 2 && then < now.saturating_mul(2).max(1));
        }
    }

    /// A file system in memory is no disk, but has a size of its own.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_system_in_memory_counts_for_itself() {
        let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
        let memory = mounts.lines().find_map(|line| {
            let mut words = line.split(' ').skip(1);
            let (place, kind) = (words.next()?, words.next()?);
            (kind == "tmpfs" && std::fs::read_dir(place).is_ok()).then_some(place)
        });
        let Some(place) = memory else { return };
        let df = std::process::Command::new("df").args(["--output=avail", "-B1", place]).output();
        let Some(expected) = df.ok().and_then(|ran| {
            String::from_utf8_lossy(&ran.stdout).lines().nth(1).and_then(|line| line.trim().parse::<u64>().ok())
        }) else {
            return;
        };
        let found = free_disk(&Path::new(place).join("not there yet")).unwrap();
        assert!(found.abs_diff(expected) <= expected / 10 + (64 << 20), "{place}: {found}, df says {expected}");
    }
}
