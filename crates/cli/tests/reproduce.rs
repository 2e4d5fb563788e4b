//! `kalah reproduce`: what it prints, what it remembers, and whether the committed page is about the claims as they are.

mod program;

use kalah_study::reproduce::{Claim, claims};
use program::{answer, home, run};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The cells of every table row of a page of claims, by id.
fn rows(page: &str) -> BTreeMap<String, Vec<String>> {
    let table =
        page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| claim") && !line.contains("---"));
    let cells = |line: &str| {
        let line = line.trim_start_matches("| ").trim_end_matches(" |").replace("\\|", "\u{1}");
        line.split(" | ").map(|cell| cell.replace('\u{1}', "|").replace("&lt;", "<")).collect::<Vec<String>>()
    };
    let mut rows = BTreeMap::new();
    for row in table.map(cells) {
        if row.len() != 9 {
            // Misprints have a table of their own first.
            continue;
        }
        assert!(rows.insert(row[0].clone(), row.clone()).is_none(), "{row:?} is there twice");
    }
    rows
}

#[test]
fn the_committed_page_is_about_these_claims() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproduction/claims.md");
    let page = fs::read_to_string(path).unwrap();
    let rows = rows(&page);
    let claims = claims().unwrap();
    let again = "write it again: kalah reproduce --markdown > docs/reproduction/claims.md";
    for claim in &claims {
        let row = rows.get(&claim.id).unwrap_or_else(|| panic!("{} is not in the page; {again}", claim.id));
        let expected = [claim.rules.clone(), claim.board(), claim.quantity.to_string(), claim.published()];
        assert_eq!(row[1..5], expected, "{}; {again}", claim.id);
        assert_ne!(row[6], "refuted", "{}", claim.id);
        assert!(!claim.is_misprint() || ["misprint", "out of budget"].contains(&row[6].as_str()), "{row:?}");
    }
    assert_eq!(rows.len(), claims.len(), "the page has claims that are gone; {again}");
}

#[test]
fn the_summary_says_what_the_page_says() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let summary = fs::read_to_string(docs.join("reproduction.md")).unwrap();
    let rows = rows(&fs::read_to_string(docs.join("reproduction/claims.md")).unwrap());
    let claims = claims().unwrap();
    let count = |source: &str, verdict: &str| {
        let of_source = claims.iter().filter(|claim| source == "all" || claim.source == source);
        of_source.filter(|claim| verdict.is_empty() || rows[&claim.id][6] == verdict).count()
    };
    let mut sources: BTreeSet<&str> = claims.iter().map(|claim| claim.source.as_str()).collect();
    sources.insert("all");
    for source in sources {
        let head = if source == "all" { "| all | ".to_owned() } else { format!("| `{source}`: ") };
        let line = summary.lines().find(|line| line.starts_with(&head)).unwrap_or_else(|| panic!("{source}"));
        let counts =
            ["", "reproduced", "consistent", "misprint", "out of budget"].map(|verdict| count(source, verdict));
        let counts = counts.map(|count| count.to_string()).join(" | ");
        assert!(line.ends_with(&format!("| {counts} |")), "{line}: {counts}");
    }
    for claim in &claims {
        let Some((correct, _)) = &claim.correct else { continue };
        let head = format!("| `{}` | ", claim.id);
        let line = summary.lines().find(|line| line.starts_with(&head)).unwrap_or_else(|| panic!("{}", claim.id));
        assert!(line.ends_with(&format!("| {} | {correct} |", claim.published())), "{line}");
    }
}

#[test]
fn a_second_run_goes_on_where_the_first_was() {
    let home = home();
    let first = run(&home, &["reproduce", "irving2000-t2", "irving2000-t9-line-4-6", "--json"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    let reports: Vec<serde_json::Value> = first.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 37);
    let wrong: Vec<&str> = reports
        .iter()
        .filter(|report| report["verdict"] == "misprint")
        .map(|report| report["id"].as_str().unwrap())
        .collect();
    assert_eq!(wrong, ["irving2000-t2-2-5", "irving2000-t2-6-2", "irving2000-t9-line-4-6"]);
    let broken = reports.last().unwrap()["ours"].as_str().unwrap();
    assert!(broken.contains("turn 10 of 21, '201'"), "{broken}");

    let second = run(&home, &["reproduce", "irving2000-t2", "irving2000-t9-line-4-6", "--json"]);
    assert_eq!((second.code, &second.out), (Some(0), &first.out));
    assert!(second.err.contains("37 claims settled by earlier runs"), "{second:?}");
    let fresh = run(&home, &["reproduce", "irving2000-t2-1", "--fresh", "--state", "other.journal"]);
    assert!(fresh.code == Some(0) && !fresh.err.contains("earlier") && home.path().join("other.journal").is_file());
    assert!(fresh.out.contains("6 claims: 6 are reproduced"), "{fresh:?}");
}

#[test]
fn forms_agree() {
    let home = home();
    let names = ["reproduce", "irving2000-t9-line", "recomputed-position"];
    let with = |option: &str| answer(&home, &[&names[..], &[option]].concat());
    let (csv, page) = (with("--csv"), with("--markdown"));
    let rows = rows(&page);
    assert_eq!(csv.lines().count(), 1 + rows.len());
    assert!(csv.starts_with("id,source,rules,board,"), "{csv}");
    assert!(page.contains("## Misprints") && page.contains("## irving2000"), "{page}");
    assert!(
        csv.contains("recomputed-position-1,recomputed,kalah,\"<3,0,0,0,1,0,0,0,2>\",value,+1,,+1,reproduced"),
        "{csv}"
    );
    assert_eq!(rows["recomputed-position-1"][2], "<3,0,0,0,1,0,0,0,2>");
}

#[test]
fn claims_are_listed_and_unknown_ones_named() {
    let home = home();
    let listed = answer(&home, &["reproduce", "--list", "--json"]);
    let all = claims().unwrap();
    assert_eq!(listed.lines().count(), all.len());
    let seconds = answer(&home, &["reproduce", "--list", "--up-to", "instant", "rawlings2015"]);
    let instant: Vec<&Claim> =
        all.iter().filter(|claim| claim.source == "rawlings2015" && claim.cost.word() == "instant").collect();
    assert!(instant.iter().all(|claim| seconds.contains(&claim.id)) && !seconds.contains("rawlings2015-empty-6-5"));
    let unknown = run(&home, &["reproduce", "irving1999"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("'irving1999'") && unknown.err.contains("--list"), "{unknown:?}");
    let strange = run(&home, &["reproduce", "x; é"]);
    let told = "there is no claim and no source 'x; é'. 'kalah reproduce --list' shows all claims.";
    assert!(strange.code == Some(2) && strange.err.contains(told), "{strange:?}");
    let near = run(&home, &["reproduce", "t2-2-5"]);
    assert!(near.err.contains("Did you mean irving2000-t2-2-5?"), "{near:?}");
}

#[test]
fn what_the_budget_does_not_allow_is_left() {
    let home = home();
    let ran = run(&home, &["reproduce", "carstensen2011", "rawlings2015-standard-6-6-6", "--budget", "5s", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out.matches("\"out_of_budget\"").count(), 2, "{ran:?}");
    // Nothing of that is remembered as settled.
    let again = run(&home, &["reproduce", "carstensen2011", "--budget", "1s"]);
    assert!(!again.err.contains("earlier"), "{again:?}");
}

#[test]
fn a_damaged_or_foreign_state_is_refused_and_left_as_it_is() {
    let home = home();
    let state = home.path().join("state");
    let arguments = ["reproduce", "irving2000-t2-1", "--state", "state"];
    answer(&home, &arguments);
    let whole = fs::read_to_string(&state).unwrap();
    let line = whole.lines().nth(3).unwrap();
    // Claims are settled side by side, so their lines come in any order.
    let changed = 1 + whole.lines().position(|line| line.contains("count 168")).unwrap();
    for (text, told) in [
        (whole.replacen("count 168", "count 169", 1), &format!("line {changed} of state is damaged")[..]),
        (format!("{whole}{line}\n"), "line 8 of state: it repeats line 4"),
        ("my notes\n".to_owned(), "state is not a file that this program keeps"),
    ] {
        fs::write(&state, &text).unwrap();
        let ran = run(&home, &arguments);
        assert!(ran.code == Some(4) && ran.err.contains(told) && ran.out.is_empty(), "{ran:?}");
        assert_eq!(fs::read_to_string(&state).unwrap(), text);
    }
    fs::write(&state, whole.trim_end()).unwrap();
    assert!(run(&home, &arguments).err.contains("6 claims settled by earlier runs"));
    let device = run(&home, &["reproduce", "irving2000-t2-1", "--state", "/dev/zero"]);
    assert!(device.code == Some(4) && device.err.contains("expected a regular file"), "{device:?}");
}
