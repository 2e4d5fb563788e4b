//! Help texts as they are committed in `tests/help`, completion scripts and manual pages.
//!
//! After a wanted change: `KALAH_UPDATE_HELP=1 cargo test -p kalah-cli --test help`, then read the difference.

mod program;

use program::{answer, home};
use std::fs;
use std::path::Path;

const COMMANDS: &[&str] = &[
    "solve",
    "query",
    "certify",
    "work",
    "merge",
    "build",
    "list",
    "verify",
    "convert",
    "stats",
    "checksums",
    "explain",
    "perft",
    "opening",
    "reproduce",
    "atlas",
    "bench",
    "fair",
    "rules",
    "completions",
    "man",
];

#[test]
fn help_is_what_was_agreed_on() {
    let home = home();
    let texts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("help");
    let pages =
        std::iter::once(("kalah", vec!["--help"])).chain(COMMANDS.iter().map(|&name| (name, vec![name, "--help"])));
    for (name, arguments) in pages {
        let file = texts.join(format!("{name}.txt"));
        let now = answer(&home, &arguments);
        if std::env::var_os("KALAH_UPDATE_HELP").is_some() {
            fs::create_dir_all(&texts).unwrap();
            fs::write(&file, &now).unwrap();
        }
        let agreed = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
        assert_eq!(now, agreed, "kalah {} differs from {}", arguments.join(" "), file.display());
        assert!(now.lines().all(|line| line.chars().count() <= 100), "{name} has long lines");
        assert!(now.is_ascii(), "{name} cannot be read where the locale is not UTF-8");
    }
}

#[test]
fn every_command_is_in_the_general_help_and_the_scripts() {
    let home = home();
    let help = answer(&home, &["--help"]);
    let bash = answer(&home, &["completions", "bash"]);
    let page = answer(&home, &["man"]);
    for &name in COMMANDS {
        assert!(help.contains(&format!("  {name} ")), "{name} is not in the help");
        assert!(bash.contains(name), "{name} is not in the completions");
        assert!(page.contains(&format!("kalah\\-{name}")), "{name} is not in the manual page");
        let own = answer(&home, &["man", name]);
        assert!(
            own.starts_with(".ie") && own.contains(&format!("kalah\\-{name}")),
            "{name} has no page of its own: {own}"
        );
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(answer(&home, &["completions", shell]).contains("solve"), "{shell}");
    }
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(answer(&home(), &["--version"]), format!("kalah {}\n", env!("CARGO_PKG_VERSION")));
}
