//! Replacing a file as a whole, and removing what killed processes left beside it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// How a half-written file ends, before it has its name.
const SUFFIX: &str = ".tmp";

/// Random letters in the name of a half-written file.
const RANDOM: usize = 6;

/// What a half-written file of an earlier version begins with: its name did not say what it was.
const HEAD: &[u8] = b"{\"kalah_record\":";

/// The directory that a file lies in.
pub(super) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Gives a file this content. Under its name there is never half a file, also after a power cut.
///
/// The bytes are written to a file of another name first. That file is locked, so that [`tidy`] of another process leaves
/// it alone.
pub(super) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = directory_of(path);
    let prefix = prefix(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
    // Others may read it, as any file that is made in the usual way.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory)?;
    // Without locks the file is at most tidied away by another process, and the rename then fails.
    let _ = file.as_file().try_lock();
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync(directory)
}

/// Removes half-written files that killed processes left beside `path`. What cannot be removed stays: it does no harm.
pub(super) fn tidy(path: &Path) {
    let prefix = prefix(path);
    for entry in std::fs::read_dir(directory_of(path)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let ours = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
        let ours = ours.is_some_and(|random| random.len() == RANDOM) || is_old(name, &entry.path());
        if ours && is_left_alone(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// What the names of half-written files of `path` begin with.
fn prefix(path: &Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Whether it is a half-written record of an earlier version.
fn is_old(name: &str, path: &PathBuf) -> bool {
    let named = name.strip_prefix(".tmp").is_some_and(|random| random.len() == RANDOM);
    let regular = || std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let begins = || -> io::Result<bool> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD.len() as u64).read_to_end(&mut head)?;
        Ok(head == HEAD)
    };
    named && regular() && begins().unwrap_or(false)
}

/// Whether no process is writing the file.
fn is_left_alone(path: &Path) -> bool {
    let regular = std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    regular && OpenOptions::new().write(true).open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Makes the names in a directory last through a power cut.
fn sync(directory: &Path) -> io::Result<()> {
    // Windows has no such call for directories; its file systems log renames themselves.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_dead_processes_left_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let path = at("start.checkpoint");
        for name in [".start.checkpoint.aBc123.tmp", ".start.checkpoint.live00.tmp", ".other.checkpoint.aBc123.tmp"] {
            std::fs::write(at(name), "half").unwrap();
        }
        std::fs::write(at(".start.checkpoint.notes.tmp"), "mine").unwrap();
        std::fs::write(at(".tmpAbCdEf"), "{\"kalah_record\":1,").unwrap();
        std::fs::write(at(".tmpFedCbA"), "of another program").unwrap();
        let live = File::options().write(true).open(at(".start.checkpoint.live00.tmp")).unwrap();
        live.lock().unwrap();
        tidy(&path);
        replace(&path, b"whole").unwrap();
        let mut left: Vec<String> = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(
            left,
            [
                ".other.checkpoint.aBc123.tmp",
                ".start.checkpoint.live00.tmp",
                ".start.checkpoint.notes.tmp",
                ".tmpFedCbA",
                "start.checkpoint"
            ]
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
    }
}
