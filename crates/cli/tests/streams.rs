//! Signals and closed pipes: a run that is stopped keeps what is finished, and a reader that leaves is nobody's fault.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use program::{Ran, answer, home, kalah};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Sends a signal to a child.
fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until `ready`, for a minute at most.
fn wait_until(what: &str, mut ready: impl FnMut() -> bool) {
    let clock = Instant::now();
    while !ready() {
        assert!(clock.elapsed() < Duration::from_secs(60), "{what} never happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_stopped_build_keeps_what_is_finished_and_goes_on() {
    let home = home();
    let directory = home.path().join("layers");
    let place = directory.to_str().unwrap().to_owned();
    let arguments =
        |seeds| vec!["build", "--pits", "6", "--seeds", seeds, "--builder", "reference", "--database", &place];
    let child = kalah(&home, &arguments("30")).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the layer of 9 seeds", || directory.join("kalah_6_9.layer").exists());
    signal(&child, "INT");
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.err.contains("resumes"), "{ran:?}");
    assert!(ran.out.contains("positions per second"), "{ran:?}");
    let partial = std::fs::read_dir(&directory).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        (!name.ends_with(".layer")).then_some(name)
    });
    let left: Vec<String> = partial.filter(|name| !["lock", "manifest.json"].contains(&name.as_str())).collect();
    assert!(left.iter().all(|name| !name.contains("_9")), "{left:?}");
    assert!(answer(&home, &["verify", "--database", &place]).contains("all sound"));
    answer(&home, &arguments("10"));
    assert!(answer(&home, &["list", "--database", &place]).contains("0 to 1"));
}

#[test]
fn a_stopped_search_prints_what_is_proved() {
    let home = home();
    for name in ["INT", "TERM"] {
        let child = kalah(&home, &["query", "start:6x6", "--layers", "0", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(2));
        signal(&child, name);
        let ran: Ran = child.wait_with_output().unwrap().into();
        assert_eq!(ran.code, Some(5), "{name}: {ran:?}");
        let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_ne!(value["bound"], "exact");
        assert!(value["nodes"].as_u64().unwrap() > 0);
        assert_eq!(value["stopped"], "cancelled", "nothing else was asked to stop it");
    }
}

#[test]
fn a_signal_while_it_waits_for_input_ends_at_once() {
    let home = home();
    let mut child = kalah(&home, &["query", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // An answer shows that it is up; whether the signal finds it waiting already or just before makes no difference.
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "<3,4,1,2,0,1,1,0,3>").unwrap();
    let mut answer = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut answer).unwrap();
    signal(&child, "INT");
    let clock = Instant::now();
    let ran: Ran = child.wait_with_output().unwrap().into();
    drop(input);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(clock.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    let home = home();
    for arguments in
        [&["man"][..], &["completions", "bash"], &["perft", "6", "4", "4", "--divide", "--turns"], &["--help"]]
    {
        let mut child = kalah(&home, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn nobody_on_stderr_is_no_fault() {
    let home = home();
    let mut child = kalah(&home, &["solve", "3", "2"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(text.contains("South (to move) wins 8–4"), "{text}");
}
