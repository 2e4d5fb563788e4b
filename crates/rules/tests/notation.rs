//! Boards as text: what is read, what is refused and where, and what is printed.

use kalah_rules::{MoveError, RuleSet, Side, State, explain, parse_turn, turn_text};

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";

#[test]
fn many_ways_to_write_the_same_board() {
    for text in [
        START,
        "  <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>\n",
        "< 6 , 0 ,0, 4,4,4 ,4,4,4,\t4,4,4,4,4,4 >",
        "<6 0 0 4 4 4 4 4 4 4 4 4 4 4 4>",
        "6,0,0,4,4,4,4,4,4,4,4,4,4,4,4",
        "6 0 0  4 4 4 4 4 4  4 4 4 4 4 4",
        "'<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>'",
        "\" <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S \"",
        "“6,0,0,4,4,4,4,4,4,4,4,4,4,4,4”",
        "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>S",
        "6,0,0,4,4,4,4,4,4,4,4,4,4,4,4 sOuTh",
        "<06,0,0,4,4,4,4,4,4,4,4,4,4,4,0004>",
        "start:6x4",
        "Start: 6 X 4",
        "'start:6×4'",
        "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        " '4-4-4-4-4-4-4-4-4-4-4-4-0-0-s' ",
        "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4",
        "0|0 0|4 4 4 4 4 4 4 4 4 4 4 4",
    ] {
        let state: State = text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(state, State::start(6, 4).unwrap(), "{text:?}");
        assert_eq!(state.to_string(), START, "{text:?}");
    }
    for side in ["N", "n", "north", "NORTH", " North "] {
        let state: State = format!("<2,7,1,0,1,2,3>{side}").parse().unwrap();
        assert_eq!((state.to_move(), state.to_string().as_str()), (Side::North, "<2,7,1,0,1,2,3> N"));
        assert_eq!((state.store(Side::South), state.store(Side::North)), (7, 1));
    }
    assert_eq!(format!("{:>14}|", "1 1000000 0 255 0".parse::<State>().unwrap()), "<1,1000000,0,255,0>|");
}

/// Text, place of the fault, part of the reason.
#[rustfmt::skip]
const BAD: &[(&str, usize, &str)] = &[
    ("", 0, "empty text"),
    ("   ", 3, "empty text"),
    ("''", 1, "empty text"),
    ("\"<1,0,0,1,1>", 0, "never closed"),
    ("hello", 0, "expected '<', a number or 'start:', found 'hello'"),
    ("starts:6x4", 0, "expected '<', a number or 'start:'"),
    ("<>", 1, "no number at all"),
    ("< >", 2, "no number at all"),
    ("<0,0,0>", 1, "1 to 8 pits a side, found 0"),
    ("<9,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1>", 1, "1 to 8 pits a side, found 9"),
    ("<-6,0,0,4>", 1, "cannot be negative, found '-6'"),
    ("<6,0,0,4,4,4,4,-4,4,4,4,4,4,4,4>", 15, "cannot be negative, found '-4'"),
    ("<6,0,0,4,4,4,4,−4,4,4,4,4,4,4,4>", 15, "cannot be negative, found '−4'"),
    ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4>", 28, "has 15 numbers (pits, two stores, 6 and 6 pits), found 14"),
    ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4>", 31, "has 15 numbers (pits, two stores, 6 and 6 pits), found 16"),
    ("3 0 0 1 1 1", 11, "has 9 numbers (pits, two stores, 3 and 3 pits), found 6"),
    ("3 0 0 1 1 1 N", 12, "found 6"),
    ("<3>", 2, "found 1"),
    ("<2,0,0,1,x,1,1>", 9, "whole number, found 'x'"),
    ("<2,0,0,1,1.5,1,1>", 9, "whole number, found '1.5'"),
    ("<2,0,0,1,+1,1,1>", 9, "whole number, found '+1'"),
    ("<2,0,0,1,0x1,1,1>", 9, "whole number, found '0x1'"),
    ("<2,0,0,1,,1,1>", 9, "number behind the comma, found ',1,1>'"),
    ("<,2,0,0,1,1,1,1>", 1, "expected a number, found ',2,0,0,1,1,1,1>'"),
    ("<2,0,0,1,1,1,1,>", 15, "number behind the comma, found '>'"),
    ("2,0,0,1,1,1,1,", 14, "number behind the comma, found the end"),
    ("<1,0,0,256,0>", 7, "a pit holds at most 255 seeds, found 256"),
    ("<1,0,0,0,99999999999999999999999>", 9, "a pit holds at most 255 seeds"),
    ("<2,0,0,100,100,55,1>", 18, "at most 255 seeds in its pits, found 256"),
    ("<2,1000001,0,1,1,1,1>", 3, "a store holds at most 1000000 seeds, found 1000001"),
    ("<2,0,4294967296,1,1,1,1>", 5, "a store holds at most"),
    ("<1,0,0,1,1> W", 12, "side to move (S, N, South or North) or nothing behind the board, found 'W'"),
    ("1,0,0,1,1 Nord", 10, "found 'Nord'"),
    ("<1,0,0,1,1> N S", 14, "nothing behind the side to move, found 'S'"),
    ("<1,0,0,1,1>,", 11, "found ','"),
    ("<1,0,0,1,1> 3", 12, "found '3'"),
    ("<1,0,0,1,1>>", 11, "found '>'"),
    ("<1,0,0,1,1", 0, "never closed with '>'"),
    ("  <1,0,0,1,1 N", 13, "whole number, found 'N'"),
    ("1,0,0,1,1>", 9, "never opened with '<'"),
    ("<1,0,0<1,1>", 6, "second '<'"),
    ("<<1,0,0,1,1>>", 1, "second '<'"),
    ("[1,0,0,1,1]", 0, "whole number, found '[1'"),
    ("é<1,0,0,1,1>", 0, "found 'é<1,0,0,1,1>'"),
    ("start:", 6, "expected a number, found the end"),
    ("start:6", 7, "expected 'x', found the end"),
    ("start:6y4", 7, "expected 'x', found 'y4'"),
    ("start:x4", 6, "expected a number, found 'x4'"),
    ("start:6x", 8, "expected a number, found the end"),
    ("start:6x-4", 8, "expected a number, found '-4'"),
    ("start:9x4", 6, "1 to 8 pits a side, found 9"),
    ("start:0x4", 6, "1 to 8 pits a side, found 0"),
    ("start:6x22", 8, "at most 255 seeds in its pits, found 264"),
    ("start:6x4 N", 10, "nothing behind the start, found 'N'"),
    ("start 6x4", 0, "or 'start:'"),
    ("4-4-4-0-0-S", 11, "as many pits on both sides, then two stores and a side, found 3 pits"),
    ("0-0-S", 5, "found 0 pits"),
    ("0-S", 3, "two stores and a side"),
    ("1-256-0-0-S", 0, "at most 255 seeds, found 256"),
    ("2 | 0 0 | 4 4", 0, "player to move, 0 or 1"),
    ("0 | 0 | 4 4", 0, "two scores"),
    ("0 | 0 0 | 4 4 4", 0, "as many pits on both sides, found 3"),
    ("0 | 0 0 | 4 x", 0, "whole number, found 'x'"),
    ("0 | 0 0", 0, "three parts, found 2"),
];

#[test]
fn faults_are_named_with_their_place() {
    let mut wrong = Vec::new();
    for &(text, at, reason) in BAD {
        let error = text.parse::<State>().expect_err(text);
        assert!(error.to_string().starts_with("bad position: "));
        assert!(error.help().contains("start:6x4"));
        if error.at != at || !error.reason.contains(reason) {
            wrong.push(format!("{text:?}: found {error:?}, expected {at} and {reason:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_and_strange_texts_are_cut_in_messages() {
    let error = format!("<1,0,0,1,{}>", "é\u{7}".repeat(5000)).parse::<State>().unwrap_err();
    assert_eq!(error.at, 9);
    assert!(error.reason.chars().count() < 120, "{error}");
    assert!(!error.reason.contains('\u{7}'), "{error}");
}

#[test]
fn turns() {
    for (text, turn) in [
        ("3", vec![3]),
        ("F", vec![6]),
        ("c-h", vec![3, 8]),
        ("3-6", vec![3, 6]),
        (" 3 - 6 ", vec![3, 6]),
        ("6-4-6-5-6-1", vec![6, 4, 6, 5, 6, 1]),
    ] {
        assert_eq!(parse_turn(text).unwrap(), turn);
        assert_eq!(parse_turn(&turn_text(&turn)).unwrap(), turn);
    }
    for text in ["", "-", "3-", "-3", "3--6", "3,6", "3 6", "x", "+3", "256", "3-x", "1.0"] {
        assert_eq!(parse_turn(text), Err(MoveError::Syntax { text: text.to_owned() }), "{text:?}");
    }
}

#[test]
fn serialized_as_text() {
    let rules: RuleSet = "kalah-empty+leftover=none".parse().unwrap();
    let state: State = "<2,0,1,0,1,2,0> N".parse().unwrap();
    assert_eq!(
        serde_json::to_string(&(rules, state, Side::North)).unwrap(),
        r#"["kalah-empty+leftover=none","<2,0,1,0,1,2,0> N","N"]"#
    );
    let told = explain(&rules, &state, 1).unwrap();
    let json = serde_json::to_value(&told).unwrap();
    assert_eq!(
        (&json["path"], &json["next"], &json["state"], &json["final"]),
        (&serde_json::json!(["N2", "N"]), &"again".into(), &"<2,0,2,0,1,0,1> N".into(), &serde_json::Value::Null)
    );
}
