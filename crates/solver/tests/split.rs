//! Solves split into parts and put together again, against solving at one go; and results that cannot be true.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah::retrograde::{BuildOptions, Unwatched, build};
use kalah::split::{Evidence, Merged, NextStep, SplitError, Task, TaskResult, WorkList, claims, merge, read_results};
use kalah::{Bounds, Limits, Options, Solver, hash_text, suggested_window};
use kalah_rules::{Margin, RuleSet, SowingGame, State};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

const SMALL: Options = Options { table_bytes: 1 << 20, threads: 1 };

fn rules(text: &str) -> RuleSet {
    text.parse().unwrap()
}

/// The value of a start, found at one go.
fn value(rules: RuleSet, start: &State) -> Margin {
    let answer = Solver::without_layers(rules, start.pits(), SMALL).unwrap().analyse(start, &Limits::default());
    answer.unwrap().exact().unwrap()
}

/// All results of some sub-problems.
fn prove(solver: &Solver, tasks: &[Task]) -> Vec<TaskResult> {
    let mut results = Vec::new();
    let keep = |result| {
        results.push(result);
        ControlFlow::Continue(())
    };
    assert!(solver.prove_each(tasks, &Limits::default(), keep).unwrap());
    results
}

/// Results as they come back from a file.
fn from_file(name: &str, results: &[TaskResult]) -> Vec<Evidence> {
    let lines: Vec<String> = results.iter().map(TaskResult::to_line).collect();
    let back = read_results(&lines, name).unwrap();
    assert!(back.iter().map(|one| &one.result).eq(results));
    back
}

/// Asks window after window until the value is known.
fn by_rounds(solvers: &[&Solver], start: &State, parts: u64, layers: Option<u32>, first: Margin) -> Merged {
    let rules = solvers[0].rules();
    let (mut lists, mut evidence, mut window) = (Vec::new(), Vec::new(), first);
    loop {
        let list = WorkList::split(rules, start, window, parts, layers).unwrap();
        let text = list.to_text();
        assert_eq!(text, WorkList::split(rules, start, window, parts, layers).unwrap().to_text());
        let list = WorkList::from_text(&text, "list").unwrap();
        assert_eq!(list.to_text(), text);
        // Three parts, the last first, each by another solver.
        for part in (0..3).rev() {
            let own: Vec<Task> = list.tasks().iter().filter(|task| task.id % 3 == part).copied().collect();
            let name = format!("round {} part {part}", lists.len());
            evidence.extend(from_file(&name, &prove(solvers[part as usize % solvers.len()], &own)));
        }
        lists.push((format!("round {}", lists.len()), list));
        let merged = merge(&lists, &evidence).unwrap();
        let last = merged.rounds.last().unwrap();
        assert!(last.reached.is_some() && last.missing.is_empty() && last.needed.is_empty(), "{last:?}");
        match merged.next {
            None => return merged,
            Some(NextStep::Ask(next)) => {
                assert!(merged.bounds.lower < next && next <= merged.bounds.upper, "{next} in {}", merged.bounds);
                window = next;
            }
            Some(NextStep::Work(list)) => panic!("list {list} is solved, {merged:?}"),
        }
        assert!(lists.len() < 60, "no end");
    }
}

#[test]
fn parts_put_together_are_the_whole() {
    for (text, pits, seeds) in [
        ("kalah", 4, 3),
        ("kalah-empty", 4, 3),
        ("kalah+leftover=none", 4, 2),
        ("kalah", 5, 2),
        ("kalah-empty", 5, 2),
        ("kalah", 3, 4),
        ("kalah-empty", 3, 4),
        ("kalah-empty+leftover=none", 3, 4),
        ("dakon", 3, 3),
    ] {
        let (rules, start) = (rules(text), State::start(pits, seeds).unwrap());
        let value = value(rules, &start);
        let directory = tempfile::tempdir().unwrap();
        let reach = 2 * u32::from(pits) * seeds * 2 / 5;
        build(directory.path(), &rules, pits, reach, &BuildOptions::default(), &Unwatched).unwrap();
        let solvers = [
            &Solver::open(directory.path(), rules, pits, SMALL).unwrap(),
            &Solver::without_layers(rules, pits, Options { threads: 2, ..SMALL }).unwrap(),
        ];
        let guess = suggested_window(rules.game(pits).unwrap(), start.position()).unwrap();
        for parts in [1, 5, 40] {
            for first in [guess, value, value - Margin(6)] {
                let merged = by_rounds(&solvers, &start, parts, Some(reach), first);
                assert_eq!(merged.bounds.exact(), Some(value), "({pits},{seeds}) under {rules} in {parts} parts");
            }
        }
    }
}

#[test]
fn a_split_has_the_parts_that_were_asked_for() {
    let start = State::start(6, 4).unwrap();
    for parts in [1, 2, 10, 100, 3000] {
        let list = WorkList::split(rules("kalah"), &start, Margin(8), parts, Some(20)).unwrap();
        let open = list.tasks().iter().filter(|task| task.state.position().seeds() > 20).count() as u64;
        assert!(open >= parts && open < parts + 40, "{parts}: {open}");
        let mut seen = std::collections::HashSet::new();
        for task in list.tasks() {
            let seeds = task.state.position().seeds() as i16;
            assert!(seen.insert((task.state.position(), task.window)), "{task:?} is there twice");
            assert!(-seeds < task.window.0 && task.window.0 <= seeds, "{task:?} needs no search");
            assert_eq!((task.window.0 ^ seeds) & 1, 0, "{task:?}");
        }
        assert!(list.tasks().is_sorted_by_key(|task| std::cmp::Reverse(task.state.position().seeds())));
    }
    // There is an end to splitting.
    let list = WorkList::split(rules("kalah"), &State::start(2, 1).unwrap(), Margin(0), 1 << 40, None).unwrap();
    assert_eq!(list.tasks(), []);
    assert!(merge(&[("list".to_owned(), list)], &[]).unwrap().rounds[0].reached.is_some());
}

#[test]
fn what_is_missing_is_named_if_it_is_needed() {
    let (rules, start) = (rules("kalah"), State::start(4, 3).unwrap());
    let solver = Solver::without_layers(rules, 4, SMALL).unwrap();
    let list = WorkList::split(rules, &start, Margin(6), 40, None).unwrap();
    let lists = [("list".to_owned(), list.clone())];
    let all = from_file("file", &prove(&solver, list.tasks()));
    let nothing = merge(&lists, &[]).unwrap();
    // The seeds banked on the way to the parts are known, what the parts are worth is not.
    assert!(nothing.bounds.lower < Margin(6) && nothing.bounds.upper >= Margin(6), "{}", nothing.bounds);
    assert_eq!((nothing.rounds[0].missing.len(), nothing.next), (list.tasks().len(), Some(NextStep::Work(0))));
    assert_eq!(nothing.rounds[0].needed, nothing.rounds[0].missing);
    // Solving only what is needed, first come first served, leaves work undone and answers all the same.
    let (mut known, mut spared) = (Vec::new(), 0);
    loop {
        let round = &merge(&lists, &known).unwrap().rounds[0];
        assert!(round.needed.iter().all(|id| round.missing.contains(id)));
        let Some(&id) = round.needed.first() else {
            assert_eq!(round.reached, Some(true));
            spared += round.missing.len();
            break;
        };
        assert_eq!(round.reached, None);
        known.push(all.iter().find(|one| one.result.id == id).unwrap().clone());
    }
    assert!(spared > 0, "a null window never needs everything");
}

#[test]
fn a_limit_leaves_whole_results_only() {
    let (rules, start) = (rules("kalah"), State::start(4, 3).unwrap());
    let solver = Solver::without_layers(rules, 4, SMALL).unwrap();
    let list = WorkList::split(rules, &start, Margin(6), 20, None).unwrap();
    let mut count = 0;
    let mut each = |result: TaskResult| {
        assert!(result.answers());
        count += 1;
        ControlFlow::Continue(())
    };
    assert!(!solver.prove_each(list.tasks(), &Limits { nodes: Some(2000), ..Limits::default() }, &mut each).unwrap());
    assert!(
        !solver
            .prove_each(list.tasks(), &Limits { stop: Some(&AtomicBool::new(true)), ..Limits::default() }, &mut each)
            .unwrap()
    );
    assert!(count < list.tasks().len());
    let broken = solver.prove_each(list.tasks(), &Limits::default(), |_| ControlFlow::Break(()));
    assert!(!broken.unwrap());
}

/// A list, its results, and a change of one of them.
fn refused(change: impl FnOnce(&mut TaskResult)) -> SplitError {
    let (rules, start) = (rules("kalah"), State::start(4, 3).unwrap());
    let solver = Solver::without_layers(rules, 4, SMALL).unwrap();
    let list = WorkList::split(rules, &start, Margin(6), 10, None).unwrap();
    let mut results = prove(&solver, list.tasks());
    change(&mut results[3]);
    // Not through a file: reading one would refuse some of these before.
    let named = |(number, result)| Evidence { from: format!("file line {number}"), result };
    let evidence: Vec<Evidence> = (2..).zip(results).map(named).collect();
    let error = merge(&[("list".to_owned(), list)], &evidence).unwrap_err();
    assert!(error.is_contradiction());
    assert!(error.to_string().contains("file line 5"), "{error}");
    error
}

#[test]
fn results_that_cannot_be_true_are_refused() {
    let error = refused(|result| result.bounds = Bounds { lower: Margin(-16), upper: Margin(16) });
    assert!(matches!(error, SplitError::NoAnswer { .. } | SplitError::Impossible { .. }), "{error}");
    let error = refused(|result| {
        result.bounds.upper = result.bounds.upper - Margin(1);
        result.bounds.lower = result.bounds.lower - Margin(1);
    });
    assert!(matches!(error, SplitError::Impossible { .. }), "{error}");
    let error = refused(|result| result.bounds.lower = result.bounds.upper + Margin(2));
    assert!(matches!(error, SplitError::Impossible { .. }), "{error}");
    let error = refused(|result| result.bounds.upper = Margin(100));
    assert!(matches!(error, SplitError::Impossible { .. }), "{error}");
    let error = refused(|result| result.window = result.window + Margin(2));
    assert!(matches!(error, SplitError::NotInList { .. }), "{error}");
    let error = refused(|result| result.state = State::start(4, 1).unwrap());
    assert!(matches!(error, SplitError::NotInList { .. }), "{error}");
    let error = refused(|result| result.rules_hash = hash_text(&rules("kalah-empty")));
    assert!(matches!(error, SplitError::ResultRules { .. }), "{error}");
}

#[test]
fn results_that_exclude_each_other_are_refused_with_both_lines() {
    let (rules, start) = (rules("kalah"), State::start(4, 3).unwrap());
    let solver = Solver::without_layers(rules, 4, SMALL).unwrap();
    let list = WorkList::split(rules, &start, Margin(6), 10, None).unwrap();
    let right = prove(&solver, list.tasks());
    let index = right.iter().position(|result| result.bounds.lower >= result.window).unwrap();
    let mut wrong = right[index].clone();
    let all = Margin(wrong.state.position().seeds() as i16);
    wrong.bounds = Bounds { lower: -all, upper: wrong.window - Margin(2) };
    let mut evidence = from_file("right", &right);
    evidence.extend(from_file("wrong", &[wrong]));
    let lists = [("list".to_owned(), list)];
    let error = merge(&lists, &evidence).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, SplitError::Contradiction { .. }), "{text}");
    assert!(text.contains(&format!("right line {}", index + 2)) && text.contains("wrong line 2"), "{text}");

    // Through the tree: the root's value is +6; a false answer about it excludes what its parts prove.
    let whole = WorkList::split(rules, &start, Margin(6), 1, None).unwrap();
    let mut wrong = prove(&solver, whole.tasks()).remove(0);
    wrong.bounds = Bounds { lower: Margin(-24), upper: Margin(4) };
    let mut evidence = from_file("right", &right);
    evidence.extend(from_file("wrong", &[wrong]));
    let [parts] = lists;
    let error = merge(&[parts, ("whole".to_owned(), whole)], &evidence).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, SplitError::Contradiction { .. }), "{text}");
    assert!(text.contains("right line") && text.contains("wrong line 2"), "{text}");
}

#[test]
fn rounds_of_different_starts_are_not_merged() {
    let list = |rules_text: &str, seeds| {
        let start = State::start(4, seeds).unwrap();
        (format!("{rules_text} {seeds}"), WorkList::split(rules(rules_text), &start, Margin(0), 5, None).unwrap())
    };
    for other in [list("kalah-empty", 3), list("kalah", 2)] {
        let error = merge(&[list("kalah", 3), other.clone()], &[]).unwrap_err();
        assert!(matches!(error, SplitError::OtherRoot { .. }) && error.to_string().contains(&other.0), "{error}");
    }
    assert_eq!(merge(&[], &[]).unwrap_err(), SplitError::NoList);
}

#[test]
fn what_cannot_be_split_is_refused() {
    let start = State::start(4, 3).unwrap();
    let split = |rules_text, start: &State, window| {
        WorkList::split(rules(rules_text), start, Margin(window), 10, None).unwrap_err()
    };
    assert!(matches!(split("awari", &start, 0), SplitError::Cyclic { .. }));
    assert!(matches!(split("kalah+pie", &start, 0), SplitError::Pie { .. }));
    for window in [-24, -25, 25, 26, i16::MAX, i16::MIN] {
        assert!(matches!(split("kalah", &start, window), SplitError::Window { .. }), "{window}");
    }
    assert!(matches!(split("kalah", &State::start(4, 0).unwrap(), 0), SplitError::Finished { .. }));
    // A window of the wrong parity asks the same as the next higher one.
    let window = |window| WorkList::split(rules("kalah"), &start, Margin(window), 1, None).unwrap().window();
    assert_eq!([window(5), window(6), window(-1), window(23)], [6, 6, 0, 24].map(Margin));
}

#[test]
fn every_changed_character_of_a_list_is_noticed_or_harmless() {
    let start = State::start(3, 3).unwrap();
    let list = WorkList::split(rules("kalah"), &start, Margin(2), 6, Some(4)).unwrap();
    let text = list.to_text();
    for at in 0..text.len() {
        for new in ["", "0", "3", " "] {
            let changed = format!("{}{new}{}", &text[..at], &text[at + 1..]);
            if changed == text {
                continue;
            }
            match WorkList::from_text(&changed, "changed") {
                // Spaces between words are nothing.
                Ok(read) => assert_eq!(read.to_text(), text, "{changed}"),
                Err(error) => assert!(error.to_string().contains("changed line"), "{error}"),
            }
        }
        let cut = WorkList::from_text(&text[..at], "cut");
        assert!(cut.is_err() || at + 1 == text.len(), "{}", &text[..at]);
    }
    let error =
        WorkList::from_text(&text.replace(&hash_text(&rules("kalah")), "0123456789abcdef"), "other").unwrap_err();
    assert!(matches!(error, SplitError::Rules { .. }), "{error}");
    assert!(WorkList::is_list(&text) && !WorkList::is_list("{}"));
    let old = text.replacen("\"work_list\":2", "\"work_list\":1", 1);
    let error = WorkList::from_text(&old, "old").unwrap_err().to_string();
    assert_eq!(error, "old line 1: this program reads work lists of version 2, found version 1");
    // Numbers that announce more than is there fill no memory.
    let many = text.replacen("\"sub_problems\":", "\"sub_problems\":99999999999", 1);
    assert!(WorkList::from_text(&many, "many").is_err());
}

#[test]
fn impossible_numbers_and_a_question_answered_twice_are_refused_by_line() {
    let solver = Solver::without_layers(rules("kalah"), 3, SMALL).unwrap();
    let list = WorkList::split(rules("kalah"), &State::start(3, 3).unwrap(), Margin(2), 6, None).unwrap();
    let results = prove(&solver, list.tasks());
    let lines: Vec<String> = results.iter().map(TaskResult::to_line).collect();
    let seeds = results[1].state.position().seeds() as i16;
    for (from, to) in [
        (format!("\"lower\":{}", results[1].bounds.lower.0), format!("\"lower\":{}", -seeds - 2)),
        (format!("\"lower\":{}", results[1].bounds.lower.0), format!("\"lower\":{}", i16::MIN)),
        (format!("\"lower\":{}", results[1].bounds.lower.0), format!("\"lower\":{}", results[1].bounds.upper.0 + 2)),
        (format!("\"upper\":{}", results[1].bounds.upper.0), format!("\"upper\":{}", seeds + 2)),
        (format!("\"window\":{}", results[1].window.0), format!("\"window\":{}", -seeds)),
        (format!("\"window\":{}", results[1].window.0), format!("\"window\":{}", i16::MAX)),
        (format!("\"nodes\":{}", results[1].nodes), format!("\"nodes\":{}", u64::MAX)),
        ("\"seconds\":".to_owned(), "\"seconds\":-".to_owned()),
        ("\"id\"".to_owned(), "\"no\"".to_owned()),
    ] {
        assert!(lines[1].contains(&from), "{from} in {}", lines[1]);
        let mut changed = lines.clone();
        changed[1] = changed[1].replace(&from, &to);
        // The title is line 1.
        let error = read_results(&changed, "file").unwrap_err();
        assert!(error.to_string().starts_with("file line 3: "), "{to}: {error}");
        assert!(error.help().ends_with('.'));
    }
    let twice = [&lines[..], &lines[1..2]].concat();
    let error = read_results(&twice, "file").unwrap_err().to_string();
    assert_eq!(error, format!("file line {} answers the same question as line 3", lines.len() + 2));
}

#[test]
fn what_a_result_claims_can_be_asked_again() {
    let solver = Solver::without_layers(rules("kalah"), 4, SMALL).unwrap();
    let list = WorkList::split(rules("kalah"), &State::start(4, 3).unwrap(), Margin(6), 40, None).unwrap();
    let game = rules("kalah").game(4).unwrap();
    let mut evidence = from_file("file", &prove(&solver, list.tasks()));
    let check = |evidence: &[Evidence]| {
        let claims = claims(&game, evidence);
        let questions: Vec<Task> = claims.iter().map(|claim| claim.question).collect();
        let proofs = prove(&solver, &questions);
        let refuted = claims.iter().zip(&proofs).filter(|(claim, proof)| !claim.is_confirmed_by(proof));
        refuted.map(|(claim, _)| claim.evidence).collect::<Vec<_>>()
    };
    assert!(check(&evidence).is_empty());
    // Every result turned round, one after another.
    for index in 0..evidence.len() {
        let truth = evidence[index].clone();
        let result = &mut evidence[index].result;
        let all = Margin(result.state.position().seeds() as i16);
        result.bounds = if result.bounds.lower >= result.window {
            Bounds { lower: -all, upper: result.window - Margin(2) }
        } else {
            Bounds { lower: result.window, upper: all }
        };
        assert_eq!(check(&evidence), [index]);
        evidence[index] = truth;
    }
}

#[test]
fn sub_problems_ask_what_the_root_asks() {
    // Every sub-problem's true answer, put together, is the root's, for every window.
    let (rules, start) = (rules("kalah-empty"), State::start(3, 2).unwrap());
    let value = value(rules, &start);
    let solver = Solver::without_layers(rules, 3, SMALL).unwrap();
    let game = rules.game(3).unwrap();
    for window in (-10..=12).step_by(2).map(Margin) {
        for parts in [1, 2, 3, 5, 8, 13, 21] {
            let list = WorkList::split(rules, &start, window, parts, None).unwrap();
            let results = from_file("file", &prove(&solver, list.tasks()));
            assert!(list.tasks().iter().all(|task| game.over(task.state.position()).is_none()));
            let merged = merge(&[("list".to_owned(), list)], &results).unwrap();
            assert_eq!(merged.rounds[0].reached, Some(value >= window), "{window} in {parts}");
            assert!(merged.bounds.contains(value));
        }
    }
}
