//! Where layers are kept when nobody says otherwise.

use crate::failure::{Failure, Kind};
use std::env;
use std::path::{Path, PathBuf};

/// The directory of layers and why it is this one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Directory {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Whether the user named it, by option or environment.
    pub(crate) chosen: bool,
}

impl Directory {
    /// `--database` if given, else `KALAH_DATABASE`, else `solver-db/layers` of the working copy around the current
    /// directory, else the platform's place for data.
    pub(crate) fn find(option: Option<&Path>) -> Directory {
        if let Some(path) = option {
            return Directory { path: path.to_owned(), chosen: true };
        }
        if let Some(path) = env::var_os("KALAH_DATABASE").filter(|path| !path.is_empty()) {
            return Directory { path: PathBuf::from(path), chosen: true };
        }
        let path = env::current_dir().ok().and_then(|here| in_working_copy(&here)).unwrap_or_else(platform);
        Directory { path, chosen: false }
    }

    /// Makes sure that a directory the user named can be one: a file is in the way of it, or of a directory above it, otherwise.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let mut above = self.path.ancestors();
        match above.find(|path| path.exists()).filter(|path| self.chosen && !path.is_dir()) {
            None => Ok(()),
            Some(file) => {
                let message = format!("{} cannot be a directory: {} is a file", self.path.display(), file.display());
                Err(Failure::new(Kind::Database, message, "Name another directory with --database."))
            }
        }
    }

    /// Where solved starts are kept: in the folder `solutions` among the layers.
    pub(crate) fn solutions(&self) -> PathBuf {
        self.path.join("solutions")
    }

    /// The folders in which solved starts are looked for, the first one first: the user's own, then, inside a working copy,
    /// the committed ones in `solver-db/solutions`, which the program never writes.
    pub(crate) fn solution_folders(&self) -> Vec<PathBuf> {
        let committed = (!self.chosen).then(|| self.path.with_file_name("solutions"));
        let committed = committed.filter(|_| self.path.ends_with("solver-db/layers"));
        std::iter::once(self.solutions()).chain(committed).collect()
    }

    /// Those of them that are there: a folder that is not, or cannot be, holds nothing.
    pub(crate) fn present_solution_folders(&self) -> Vec<PathBuf> {
        self.solution_folders().into_iter().filter(|folder| folder.is_dir()).collect()
    }
}

/// `solver-db/NAME` of the working copy around the current directory, else `NAME` in the platform's place for data.
pub(crate) fn usual(name: &str) -> PathBuf {
    let layers = env::current_dir().ok().and_then(|here| in_working_copy(&here)).unwrap_or_else(platform);
    layers.with_file_name(name)
}

/// `solver-db/layers` of the working copy that `here` lies in.
fn in_working_copy(here: &Path) -> Option<PathBuf> {
    let is_ours = |root: &&Path| root.join("solver-db").is_dir() && root.join("crates/rules/Cargo.toml").is_file();
    here.ancestors().find(is_ours).map(|root| root.join("solver-db").join("layers"))
}

/// The place for data of a user who has none. Nothing can be written below it, so that nothing appears in the current directory
/// unasked; every message that shows it says why.
const NOWHERE: &str = "/dev/null/HOME-is-not-set";

/// The platform's place for a user's data.
fn platform() -> PathBuf {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")))
    };
    data.unwrap_or_else(|| PathBuf::from(NOWHERE)).join("kalah").join("layers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_copy_is_found_from_inside_only() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("crates").join("rules");
        std::fs::create_dir_all(&inside).unwrap();
        assert_eq!(in_working_copy(&inside), None);
        std::fs::create_dir(root.path().join("solver-db")).unwrap();
        std::fs::write(inside.join("Cargo.toml"), "").unwrap();
        assert_eq!(in_working_copy(&inside), Some(root.path().join("solver-db").join("layers")));
        assert_eq!(in_working_copy(root.path()), Some(root.path().join("solver-db").join("layers")));
    }

    #[test]
    fn only_a_working_copy_has_committed_solutions() {
        let directory = |path: &str, chosen| Directory { path: PathBuf::from(path), chosen }.solution_folders();
        assert_eq!(
            directory("copy/solver-db/layers", false),
            [Path::new("copy/solver-db/layers/solutions"), Path::new("copy/solver-db/solutions")]
        );
        assert_eq!(directory("copy/solver-db/layers", true), [Path::new("copy/solver-db/layers/solutions")]);
        assert_eq!(directory("data/kalah/layers", false), [Path::new("data/kalah/layers/solutions")]);
    }

    #[test]
    fn an_option_goes_first() {
        let directory = Directory::find(Some(Path::new("somewhere")));
        assert_eq!(directory, Directory { path: PathBuf::from("somewhere"), chosen: true });
    }
}
