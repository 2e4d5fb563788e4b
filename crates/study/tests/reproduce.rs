//! The published numbers: whether the data are what they should be, and whether the cheap ones are true.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::Options;
use kalah_rules::{RuleSet, Side, State};
use kalah_study::reproduce::{
    Claim, Correct, Cost, Evaluator, Means, Number, Quantity, Relation, Report, Unwatched, Verdict, claims, run,
    select, sources,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

fn evaluate(wanted: &[&Claim]) -> Vec<Report> {
    let options = Options { table_bytes: 32 << 20, threads: 2 };
    run(&Evaluator::new(Means { options, ..Means::default() }), wanted, &Unwatched).unwrap()
}

/// Fails with every claim that did not come out.
fn all_true(reports: &[Report]) {
    let bad: Vec<&Report> = reports
        .iter()
        .filter(|report| !matches!(report.verdict, Verdict::Reproduced | Verdict::Consistent | Verdict::Misprint))
        .filter(|report| report.verdict != Verdict::NotPlayed)
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn ids_are_unique_and_sources_are_known() {
    let (claims, sources) = (claims().unwrap(), sources().unwrap());
    let known: BTreeSet<&str> = sources.iter().map(|source| source.id.as_str()).collect();
    assert_eq!(known.len(), sources.len());
    let used: BTreeSet<&str> = claims.iter().map(|claim| claim.source.as_str()).collect();
    assert_eq!(used, known, "every source has claims and every claim a source");
    let mut ids = HashSet::new();
    for claim in &claims {
        assert!(ids.insert(claim.id.as_str()), "{} is there twice", claim.id);
        assert!(claim.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", claim.id);
        assert!(!claim.is_misprint() || !claim.note.is_empty(), "{} is a misprint without an explanation", claim.id);
        assert!(!claim.place.is_empty() && !claim.printed.is_empty(), "{}", claim.id);
        assert!(claim.relation == Relation::Exact || matches!(claim.number, Number::Margin(_)), "{}", claim.id);
        if claim.game == "kalah" {
            let rules: RuleSet = claim.rules.parse().unwrap();
            assert_eq!(rules.to_string(), claim.rules, "{}", claim.id);
            State::start(claim.pits, claim.seeds).unwrap();
        } else {
            assert!(["awari", "oware", "dakon"].contains(&claim.game.as_str()), "{}", claim.id);
        }
    }
}

#[test]
fn everything_that_must_be_in_is_in() {
    let claims = claims().unwrap();
    let count = |name: &str| select(&claims, &[name.to_owned()]).unwrap().len();
    for m in 1..=6 {
        assert_eq!(count(&format!("irving2000-t2-{m}")), 6);
        assert_eq!(count(&format!("irving2000-t5-{m}")), if m == 6 { 5 } else { 6 });
    }
    for (name, expected) in [
        ("irving2000-t3-share", 23),
        ("irving2000-t6", 28 + 25),
        ("irving2000-t9-line", 17),
        ("irving2000-size", 14),
        ("neller2022-fair", 254),
        ("lincke2002-histogram", 41),
        ("lincke2002-configurations", 41),
        ("rawlings2015", 30),
        ("herik2002-opening", 17),
    ] {
        assert_eq!(count(name), expected, "{name}");
    }
    assert!(select(&claims, &["irving2000-t9-6".to_owned()]).unwrap().iter().any(|claim| claim.id.ends_with("t9-6-4")));
    let error = select(&claims, &["irving2000-t9-6-7".to_owned()]).unwrap_err();
    assert!(error.to_string().contains("irving2000-t9-6-7") && error.help().contains("--list"), "{error}");
    let error = select(&claims, &["opening-line".to_owned()]).unwrap_err();
    assert_eq!(error.help(), "Did you mean herik2002-opening-line-8?");
    // Names of any kind are only names.
    let error = select(&claims, &["x; é".to_owned()]).unwrap_err();
    assert_eq!(error.to_string(), "there is no claim and no source 'x; é'");
}

#[test]
fn fair_starts_differ_from_the_start_by_one_or_two_seeds() {
    let claims = claims().unwrap();
    let mut by_moved: BTreeMap<u32, u32> = BTreeMap::new();
    let mut boards = HashSet::new();
    for claim in select(&claims, &["neller2022-fair".to_owned()]).unwrap() {
        let state = claim.position.unwrap();
        assert!(boards.insert(state) && state.seeds() == 48 && state.to_move() == Side::South, "{state}");
        let rows = [Side::South, Side::North].map(|side| state.row(side).pits(6).collect::<Vec<_>>()).concat();
        let missing: u32 = rows.iter().map(|&pit| u32::from(4u8.saturating_sub(pit))).sum();
        *by_moved.entry(missing).or_default() += 1;
    }
    assert_eq!(by_moved, BTreeMap::from([(1, 3), (2, 251)]));
}

#[test]
fn histograms_count_every_position() {
    let claims = claims().unwrap();
    for claim in select(&claims, &["lincke2002-histogram".to_owned()]).unwrap() {
        let (Number::Histogram(values), Quantity::LayerHistogram { seeds }) = (&claim.number, &claim.quantity) else {
            panic!("{}", claim.id);
        };
        let other = format!("lincke2002-configurations-{seeds:02}");
        let configurations = &select(&claims, std::slice::from_ref(&other)).unwrap()[0].printed;
        assert_eq!(values.values().sum::<u64>().to_string(), *configurations, "{other}");
    }
}

#[test]
fn instant_claims_come_out() {
    let claims = claims().unwrap();
    let wanted: Vec<&Claim> = claims.iter().filter(|claim| claim.cost == Cost::Instant).collect();
    let reports = evaluate(&wanted);
    assert_eq!(reports.len(), wanted.len());
    all_true(&reports);
    let reproduced = reports.iter().filter(|report| report.verdict == Verdict::Reproduced).count();
    assert!(reproduced > 400, "{reproduced}");
    // Dakon-3 to -18 and the published line, also on boards beyond those of the engine.
    let openings = reports.iter().filter(|report| report.id.starts_with("herik2002-opening"));
    assert_eq!(openings.filter(|report| report.verdict == Verdict::Reproduced).count(), 17);
    for (report, claim) in reports.iter().zip(&wanted) {
        assert_eq!(report.id, claim.id);
        assert_eq!(report.verdict == Verdict::Misprint, claim.is_misprint(), "{report:#?}");
    }
}

#[test]
fn graphs_that_take_seconds_come_out() {
    let claims = claims().unwrap();
    let of_graphs = |claim: &Claim| {
        claim.cost == Cost::Seconds
            && claim.rules == "kalah-empty"
            && claim.quantity.to_string().starts_with("game graph")
    };
    let wanted: Vec<&Claim> = claims.iter().filter(|claim| of_graphs(claim)).collect();
    assert!(wanted.len() > 70, "{}", wanted.len());
    all_true(&evaluate(&wanted));
}

#[test]
fn misprints_are_found_not_looked_up() {
    let claims = claims().unwrap();
    let misprints: Vec<&Claim> =
        claims.iter().filter(|claim| claim.is_misprint() && claim.cost == Cost::Instant).collect();
    assert!(misprints.len() >= 8);
    // What the data say of them must make no difference to what is found, only to the verdict.
    for claim in misprints {
        let unmarked = Claim { correct: None, ..claim.clone() };
        let reports = [evaluate(&[claim]), evaluate(&[&unmarked])].concat();
        assert_eq!(reports[0].ours, reports[1].ours, "{}", claim.id);
        assert_eq!((reports[0].verdict, reports[1].verdict), (Verdict::Misprint, Verdict::Refuted), "{}", claim.id);
    }
    // And a number that is right is not believed to be wrong.
    let right = claims.iter().find(|claim| claim.id == "irving2000-t9-4-3").unwrap();
    let correct = Some(("+6".to_owned(), Correct::Number(Number::Margin(kalah_rules::Margin(6)))));
    let marked = Claim { correct, note: "a slip".to_owned(), ..right.clone() };
    let report = &evaluate(&[&marked])[0];
    assert_eq!(report.verdict, Verdict::Refuted);
    assert!(report.explanation.contains("it is what we find"), "{}", report.explanation);
}

#[test]
fn a_misprint_with_a_wrong_correction_is_refuted() {
    let claims = claims().unwrap();
    let decimal = |text: &str| Correct::Number(Number::Decimal(text.parse().unwrap()));
    for (id, wrong) in [
        ("irving2000-t2-2-5", decimal("106261")),
        ("irving2000-t2-6-2", decimal("7124934601")),
        ("irving2000-t3-2-5", decimal("49")),
        ("irving2000-t3-share-2-5", decimal("0.047")),
        ("irving2000-t5-share-2-1", Correct::Number(Number::Outcomes([3, 2, 3]))),
        ("irving2000-t9-line-4-6", Correct::BreaksAt(9)),
    ] {
        let claim = claims.iter().find(|claim| claim.id == id).unwrap();
        let corrected = Claim { correct: Some(("changed".to_owned(), wrong)), ..claim.clone() };
        let reports = [evaluate(&[claim]), evaluate(&[&corrected])].concat();
        assert_eq!((reports[0].verdict, reports[1].verdict), (Verdict::Misprint, Verdict::Refuted), "{id}");
        assert!(reports[1].explanation.contains("changed"), "{}", reports[1].explanation);
    }
}

#[test]
fn false_numbers_are_refuted() {
    let claims = claims().unwrap();
    let falsified = |id: &str, number: Number| {
        let claim = claims.iter().find(|claim| claim.id == id).unwrap();
        let printed = "changed".to_owned();
        evaluate(&[&Claim { number, printed, ..claim.clone() }])[0].verdict
    };
    let decimal = |text: &str| Number::Decimal(text.parse().unwrap());
    let margin = |n| Number::Margin(kalah_rules::Margin(n));
    for (id, number) in [
        ("irving2000-t2-3-3", decimal("961401")),
        ("irving2000-t3-3-3", decimal("24937")),
        ("irving2000-t9-4-2", margin(4)),
        ("irving2000-t9-line-6-4", margin(12)),
        ("irving2000-size-20", decimal("225332382")),
        ("recomputed-perft-kalah-6-4-5", decimal("4685")),
        ("recomputed-best-5-1", Number::Pits(vec![1, 2, 3, 4])),
        ("oeis-a028933-chain-17", Number::Row(vec![1, 1, 3, 2, 4, 5, 1])),
        ("wikipedia-kalah-chain", decimal("18")),
        ("rawlings2015-empty-6-6-1-2-line", Number::Yes(false)),
    ] {
        assert_eq!(falsified(id, number), Verdict::Refuted, "{id}");
    }
}

#[test]
fn no_time_means_no_verdict() {
    let claims = claims().unwrap();
    let wanted: Vec<&Claim> = claims.iter().filter(|claim| claim.id.starts_with("rawlings2015-standard")).collect();
    let means = Means { until: Some(std::time::Instant::now()), ..Means::default() };
    for report in run(&Evaluator::new(means), &wanted, &Unwatched).unwrap() {
        assert_eq!((report.verdict, report.work), (Verdict::OutOfBudget, 0), "{report:#?}");
    }
}
