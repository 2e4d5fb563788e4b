//! The committed tables of the atlas: every line is believed only after its checksum, its numbers and its line of play.

use kalah_rules::RuleSet;
use kalah_study::atlas::Table;
use std::fs;
use std::path::Path;

#[test]
fn every_committed_row_holds_what_its_line_of_play_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver-db/atlas");
    let home = tempfile::tempdir().unwrap();
    let mut tables = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".csv").map(str::to_owned) else {
            continue;
        };
        // A copy: opening a table locks it and may mend its last line.
        let copy = home.path().join(format!("{name}.csv"));
        fs::copy(&path, &copy).unwrap();
        let rules: RuleSet = name.parse().unwrap();
        Table::open(home.path(), &rules).unwrap().finish().unwrap();
        assert!(fs::read(&copy).unwrap() == fs::read(&path).unwrap(), "{name} is not sorted or not whole");
        tables += 1;
    }
    assert_eq!(tables, 21);
}
