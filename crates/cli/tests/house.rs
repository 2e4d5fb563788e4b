//! The house is in order: every dependency is used and described, and every crate can be packaged on its own.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// What cargo knows about the crates of the workspace.
fn packages() -> Vec<Value> {
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    told["packages"].as_array().unwrap().clone()
}

/// The crates that other people can depend on.
fn published() -> Vec<Value> {
    let mut all = packages();
    all.retain(|package| package["publish"].is_null());
    assert!(all.len() >= 9, "only {} crates found", all.len());
    all
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_else(|| panic!("{}: {key} is missing in its Cargo.toml", package["name"]))
}

fn folder(package: &Value) -> PathBuf {
    Path::new(text(package, "manifest_path")).parent().unwrap().to_owned()
}

/// All Rust files below a folder; none if there is no such folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            let rust = path.extension().is_some_and(|extension| extension == "rs");
            if path.is_dir() { sources(&path) } else { Vec::from_iter(rust.then_some(path)) }
        })
        .collect()
}

/// The names on the left of `=` in one section of a manifest.
fn section(manifest: &str, title: &str) -> BTreeSet<String> {
    let (_, after) = manifest.split_once(&format!("\n[{title}]\n")).unwrap();
    let lines = after.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.to_owned()).collect()
}

/// Every dependency of every crate: the crate, the dependency, and whether only its tests use it.
fn uses() -> Vec<(Value, String, bool)> {
    let of = |package: Value| {
        let dependencies = package["dependencies"].as_array().unwrap().clone();
        dependencies.into_iter().map(move |dependency| {
            let development = dependency["kind"] == "dev";
            (package.clone(), text(&dependency, "name").to_owned(), development)
        })
    };
    packages().into_iter().flat_map(of).collect()
}

fn used() -> BTreeSet<String> {
    uses().into_iter().map(|(_, name, _)| name).collect()
}

#[test]
fn every_dependency_of_the_workspace_is_used_by_a_crate() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let stated = section(&manifest, "workspace.dependencies");
    let unused: Vec<_> = stated.difference(&used()).cloned().collect();
    assert!(unused.is_empty(), "Cargo.toml states dependencies that no crate uses: {unused:?}");
}

#[test]
fn every_dependency_of_a_crate_appears_in_its_code() {
    for (package, name, development) in uses() {
        let folder = folder(&package);
        let places = if development { &["src", "tests", "examples"][..] } else { &["src"] };
        let mut files: Vec<_> = places.iter().flat_map(|place| sources(&folder.join(place))).collect();
        if package["name"] == "kalah-benches" {
            files = sources(&folder);
        }
        let identifier = name.replace('-', "_");
        let appears = |file: &PathBuf| {
            let text = fs::read_to_string(file).unwrap();
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == identifier)
        };
        assert!(files.iter().any(appears), "{} depends on {name} and never uses it", package["name"]);
    }
}

#[test]
fn every_dependency_is_described_and_every_description_is_of_one() {
    let page = fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let first_cells = page.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').nth(1).unwrap());
    let described: BTreeSet<String> = first_cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let used: BTreeSet<String> = used().into_iter().filter(|name| !name.starts_with("kalah")).collect();
    let missing: Vec<_> = used.difference(&described).collect();
    assert!(missing.is_empty(), "docs/dependencies.md says nothing about {missing:?}");
    let gone: Vec<_> = described.difference(&used).collect();
    assert!(gone.is_empty(), "docs/dependencies.md describes {gone:?}, which no crate uses");
}

#[test]
fn every_published_crate_says_what_it_is() {
    for package in published() {
        let name = text(&package, "name");
        for key in ["description", "license", "repository", "rust_version", "readme"] {
            assert!(!text(&package, key).is_empty(), "{name}: {key}");
        }
        if name != "kalah-cli" {
            assert_eq!(text(&package, "documentation"), format!("https://docs.rs/{name}"));
        }
        let count = |key: &str| package[key].as_array().unwrap().len();
        assert!((1..=5).contains(&count("keywords")) && (1..=5).contains(&count("categories")), "{name}");
        let page = folder(&package).join(text(&package, "readme"));
        let page = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        assert!(page.starts_with("# ") && page.contains("```"), "{name}: its README has no title or no example");
    }
}

#[test]
fn nothing_outside_a_crate_is_compiled_into_it() {
    let mut found = 0;
    for package in published() {
        let folder = folder(&package);
        for file in sources(&folder.join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            for rest in
                ["include_str!(\"", "include_bytes!(\"", "#[path = \""].iter().flat_map(|open| text.split(open).skip(1))
            {
                let embedded = file.parent().unwrap().join(rest.split('"').next().unwrap());
                let embedded =
                    embedded.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", embedded.display()));
                assert!(
                    embedded.starts_with(folder.canonicalize().unwrap()),
                    "{} embeds {}, which its package does not contain",
                    file.display(),
                    embedded.display()
                );
                found += 1;
            }
        }
    }
    assert!(found > 0, "no embedded file found: this test looks in the wrong place");
}

#[test]
fn the_example_of_the_readme_is_that_of_the_library() {
    let example = |page: &str| {
        let text = fs::read_to_string(root().join(page)).unwrap().replace("\r\n", "\n");
        let (_, after) = text.split_once("```rust\n").unwrap_or_else(|| panic!("{page} has no example in Rust"));
        after.split_once("```").unwrap().0.to_owned()
    };
    assert_eq!(example("README.md"), example("crates/solver/README.md"), "the latter is compiled and run");
}
