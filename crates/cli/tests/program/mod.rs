//! Running the program as a user does, far from any layers that lie about on this machine.
#![allow(dead_code, reason = "each test file uses its part")]
#![expect(unreachable_pub, reason = "a module of a test is never reached from outside")]

use kalah::database::{Codec, Database, DirectoryLock, Stamp, convert};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The program, with the arguments of one call, in an empty directory of its own.
pub fn kalah(home: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("kalah"));
    command.args(arguments).current_dir(home.path()).env("HOME", home.path()).env("XDG_DATA_HOME", home.path());
    command.env("LC_ALL", "C.UTF-8");
    for name in ["KALAH_DATABASE", "COLUMNS", "LINES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// An empty directory.
pub fn home() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// What one call prints and ends with.
#[derive(Debug)]
pub struct Ran {
    /// The exit code.
    pub code: Option<i32>,
    /// Results.
    pub out: String,
    /// Everything else.
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs one call to its end.
pub fn run(home: &TempDir, arguments: &[&str]) -> Ran {
    kalah(home, arguments).output().expect("the program starts").into()
}

/// Runs one call that must answer; returns what it prints.
pub fn answer(home: &TempDir, arguments: &[&str]) -> String {
    let ran = run(home, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
    ran.out
}

/// Builds layers in `directory`.
pub fn build(home: &TempDir, directory: &Path, rules: &str, pits: u8, seeds: u32) {
    let (pits, seeds) = (pits.to_string(), seeds.to_string());
    let directory = directory.to_str().expect("a plain path");
    answer(home, &["build", "--rules", rules, "--pits", &pits, "--seeds", &seeds, "--database", directory]);
}

/// Every file of a directory but the lock, by name.
pub fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(directory).expect("a directory").map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        (name.to_owned(), std::fs::read(&path).expect("a file"))
    });
    files.filter(|(name, _)| name != "lock").collect()
}

/// Writes the layers of `seeds` seeds into another directory in another codec.
pub fn convert_layers(from: &Path, stamp: &Stamp, seeds: RangeInclusive<u32>, codec: Codec, to: &Path) {
    let database = Database::open(from, stamp).expect("layers");
    // A program that another test is about to start holds copies of all open files, locks too, until it has begun.
    let lock = DirectoryLock::wait(to).expect("nobody else writes there");
    for n in seeds {
        let file = database.layer(n).expect("a layer");
        let done = convert(file, &lock, codec, 2, &|_| true).expect("a sound layer");
        assert_eq!(done.expect("nobody stops it").header().encoding.codec, codec);
    }
}
