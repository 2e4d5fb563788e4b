//! What the machine has: free memory, and free room on the disk a directory lies on.

use std::path::Path;
use sysinfo::{Disks, System};

/// Bytes of memory that can be taken without pushing anything out; 0 where the system does not tell.
pub(crate) fn free_memory() -> u64 {
    let Ok(mut system) = System::new() else { return 0 };
    system.refresh_memory();
    let whole = system.available_memory();
    // A container may have less than its machine.
    system.cgroup_limits().map_or(whole, |limits| limits.free_memory.min(whole))
}

/// What a build may take for itself when nobody says otherwise: free memory less a tenth, or everything where the system does
/// not tell.
pub(crate) fn spare_memory() -> u64 {
    match free_memory() {
        0 => u64::MAX,
        free => free - free / 10,
    }
}

/// Bytes free on the disk that `directory` lies on, or would lie on once it exists; `None` where the system does not tell.
pub(crate) fn free_disk(directory: &Path) -> Option<u64> {
    let absolute = std::path::absolute(directory).ok()?;
    let existing = absolute.ancestors().find_map(|path| path.canonicalize().ok())?;
    let disks = Disks::new_with_refreshed_list().ok()?;
    let under = disks.iter().filter(|disk| existing.starts_with(disk.mount_point()));
    under.max_by_key(|disk| disk.mount_point().as_os_str().len()).map(sysinfo::Disk::available_space)
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
}
