//! The page of all claims in Markdown.

use crate::reproduce::claim::Source;
use crate::reproduce::report::{Report, Verdict};

/// How many claims ended how: "3 claims: 2 are reproduced, 1 is a misprint".
pub fn summary(reports: &[Report]) -> String {
    let count = |verdict: Verdict| reports.iter().filter(|report| report.verdict == verdict).count() as u64;
    let parts = Verdict::ALL.into_iter().filter(|&verdict| count(verdict) > 0);
    let parts: Vec<String> = parts.map(|verdict| verdict.count(count(verdict))).collect();
    let claims = if reports.len() == 1 { "claim" } else { "claims" };
    let what = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{} {claims}{what}", reports.len())
}

/// A page in Markdown: what is wrong, then every claim, source by source.
pub fn page(reports: &[Report], sources: &[Source]) -> String {
    let mut page = format!(
        "# Every published number, computed again\n\n\
         For readers who want to check a single number. [The summary](../reproduction.md) says what the verdicts mean.\n\n\
         `kalah reproduce --markdown` of version {} wrote this page; do not edit it.\n\
         Work counts positions searched, nodes counted or boards looked at. Claims that share work have it counted once, for \
         the first of them.\n\n{}.\n",
        kalah::VERSION,
        summary(reports)
    );
    for (title, verdict) in [("Refuted", Verdict::Refuted), ("Misprints", Verdict::Misprint)] {
        let lines: Vec<String> = reports.iter().filter(|report| report.verdict == verdict).map(wrong).collect();
        if !lines.is_empty() {
            page += &format!("\n## {title}\n\n| claim | board | quantity | published | ours | why |\n");
            page += "| --- | --- | --- | --- | --- | --- |\n";
            page += &lines.concat();
        }
    }
    for source in sources {
        let of_source: Vec<&Report> = reports.iter().filter(|report| report.source == source.id).collect();
        if of_source.is_empty() {
            continue;
        }
        let year = source.year.map_or_else(String::new, |year| format!(" {year}"));
        page += &format!("\n## {}\n\n{}{year}: {}. Seen: {}.\n\n", source.id, source.author, source.title, source.seen);
        page += "| claim | rules | board | quantity | published | ours | verdict | work | seconds |\n";
        page += "| --- | --- | --- | --- | --- | --- | --- | ---: | ---: |\n";
        for report in of_source {
            page += &row(&[
                &report.id,
                &report.rules,
                &report.board,
                &report.quantity,
                &report.published,
                report.ours.as_deref().unwrap_or_default(),
                report.verdict.word(),
                &report.work.to_string(),
                &format!("{:.3}", report.seconds),
            ]);
        }
    }
    page
}

/// A claim that is wrong, and why.
fn wrong(report: &Report) -> String {
    let ours = report.ours.as_deref().unwrap_or_default();
    row(&[&report.id, &report.board, &report.quantity, &report.published, ours, &report.explanation])
}

/// A row of a table.
fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('<', "&lt;")).collect();
    format!("| {} |\n", cells.join(" | "))
}
