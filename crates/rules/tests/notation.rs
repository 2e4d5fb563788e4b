//! Boards as text: what is read, what is refused and where, and what is printed.

mod written;

use kalah_rules::{
    MoveError, POSITION_FORMS, PositionForm, RuleSet, Side, State, TURN_FORMS, explain, parse_turn, parse_turns,
    turn_text,
};

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
        "[0, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4]",
        "[0 4 4 4 4 4 4  0 4 4 4 4 4 4]S",
        "-4-4-4-4-4-4-\n0-----------0\n-4-4-4-4-4-4-",
        "-4-4-4-4-4-4-\n0-----------0\n-4-4-4-4-4-4-\nCurrent player: 0\nMove number: 0\n",
        "'-4-4-4-4-4-4- 0-0 -4-4-4-4-4-4- current player: 0'",
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

#[test]
fn boards_of_openspiel_are_read_in_its_order() {
    let state: State = "<3,10,2,1,2,3,4,5,6> N".parse().unwrap();
    for text in [
        "[2,1,2,3,10,4,5,6] N",
        "-6-5-4-\n2-----10\n-1-2-3-\nCurrent player: 1\nMove number: 21",
        "1 | 10 2 | 1 2 3 4 5 6",
        "1-2-3-4-5-6-10-2-N",
    ] {
        assert_eq!(text.parse::<State>(), Ok(state), "{text}");
    }
    // OpenSpiel gives no player to move once the game is over.
    let over: State = "-0-0- 3-9 -0-0- Current player: -4".parse().unwrap();
    assert_eq!((over.store(Side::South), over.store(Side::North), over.to_move()), (9, 3, Side::South));
}

#[test]
fn every_form_that_is_listed_is_read() {
    let examples: Vec<&str> = POSITION_FORMS.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(examples.len(), 6);
    for example in examples {
        let state: State = example.parse().unwrap_or_else(|error| panic!("{example}: {error}"));
        assert_eq!(state.with_to_move(Side::South), State::start(6, 4).unwrap(), "{example}");
        let state = state.with_stores(3, 4);
        for written in [written::dashes(&state), written::bars(&state), written::list(&state), written::lines(&state)] {
            assert_eq!(written.parse::<State>(), Ok(state), "{written}");
        }
    }
    for line in TURN_FORMS.lines() {
        let (example, meaning) = line.split_once("  ").unwrap();
        assert!(parse_turns(example).is_ok() && !meaning.is_empty(), "{line}");
    }
    assert!(POSITION_FORMS.lines().chain(TURN_FORMS.lines()).all(|line| line.chars().count() <= 76));
}

use PositionForm::{Bars, Dashes, Lines, List, Literal, Start};

/// Text, place of the fault, the form it looks like, part of the reason.
#[rustfmt::skip]
const BAD: &[(&str, usize, Option<PositionForm>, &str)] = &[
    ("", 0, None, "empty text"),
    ("   ", 3, None, "empty text"),
    ("''", 1, None, "empty text"),
    ("\"<1,0,0,1,1>", 0, None, "never closed"),
    ("hello", 0, None, "expected a start such as start:6x4 or a board, found 'hello'"),
    ("starts:6x4", 5, Some(Start), "expected ':', found 's:6x4'"),
    ("<>", 1, Some(Literal), "no number at all"),
    ("< >", 2, Some(Literal), "no number at all"),
    ("<0,0,0>", 1, Some(Literal), "1 to 8 pits a side, found 0"),
    ("<9,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1>", 1, Some(Literal), "1 to 8 pits a side, found 9"),
    ("<-6,0,0,4>", 1, Some(Literal), "cannot be negative, found '-6'"),
    ("<6,0,0,4,4,4,4,-4,4,4,4,4,4,4,4>", 15, Some(Literal), "cannot be negative, found '-4'"),
    ("<6,0,0,4,4,4,4,−4,4,4,4,4,4,4,4>", 15, Some(Literal), "cannot be negative, found '−4'"),
    ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4>", 28, Some(Literal), "has 15 numbers (pits, two stores, 6 and 6 pits), found 14"),
    ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4>", 31, Some(Literal), "has 15 numbers (pits, two stores, 6 and 6 pits), found 16"),
    ("3 0 0 1 1 1", 11, Some(Literal), "has 9 numbers (pits, two stores, 3 and 3 pits), found 6"),
    ("3 0 0 1 1 1 N", 12, Some(Literal), "found 6"),
    ("<3>", 2, Some(Literal), "found 1"),
    ("<2,0,0,1,x,1,1>", 9, Some(Literal), "whole number, found 'x'"),
    ("<2,0,0,1,1.5,1,1>", 9, Some(Literal), "whole number, found '1.5'"),
    ("<2,0,0,1,+1,1,1>", 9, Some(Literal), "whole number, found '+1'"),
    ("<2,0,0,1,0x1,1,1>", 9, Some(Literal), "whole number, found '0x1'"),
    ("<2,0,0,1,,1,1>", 9, Some(Literal), "number after the comma, found ',1,1>'"),
    ("<,2,0,0,1,1,1,1>", 1, Some(Literal), "expected a number, found ',2,0,0,1,1,1,1>'"),
    ("<2,0,0,1,1,1,1,>", 15, Some(Literal), "number after the comma, found '>'"),
    ("2,0,0,1,1,1,1,", 14, Some(Literal), "number after the comma, found the end"),
    ("<1,0,0,256,0>", 7, Some(Literal), "a pit holds at most 255 seeds, found 256"),
    ("<1,0,0,0,99999999999999999999999>", 9, Some(Literal), "a pit holds at most 255 seeds"),
    ("<2,0,0,100,100,55,1>", 18, Some(Literal), "at most 255 seeds in its pits, found 256"),
    ("<2,1000001,0,1,1,1,1>", 3, Some(Literal), "a store holds at most 1000000 seeds, found 1000001"),
    ("<2,0,4294967296,1,1,1,1>", 5, Some(Literal), "a store holds at most"),
    ("<1,0,0,1,1> W", 12, Some(Literal), "side to move (S, N, South or North) or nothing after the board, found 'W'"),
    ("1,0,0,1,1 Nord", 10, Some(Literal), "found 'Nord'"),
    ("<1,0,0,1,1> N S", 14, Some(Literal), "nothing after the side to move, found 'S'"),
    ("<1,0,0,1,1>,", 11, Some(Literal), "found ','"),
    ("<1,0,0,1,1> 3", 12, Some(Literal), "found '3'"),
    ("<1,0,0,1,1>>", 11, Some(Literal), "found '>'"),
    ("<1,0,0,1,1", 0, Some(Literal), "never closed with '>'"),
    ("  <1,0,0,1,1 N", 13, Some(Literal), "whole number, found 'N'"),
    ("1,0,0,1,1>", 9, Some(Literal), "never opened with '<'"),
    ("<1,0,0<1,1>", 6, Some(Literal), "second '<'"),
    ("<<1,0,0,1,1>>", 1, Some(Literal), "second '<'"),
    ("[1,0,0,1,1]", 10, Some(List), "14 numbers for 6 pits a side and two more for every further pit, found 5"),
    ("[0,4,4,4,4,4,4,0,4,4,4,4,4]", 26, Some(List), "found 13"),
    ("[]", 1, Some(List), "found 0"),
    ("[0,1,0,1", 0, Some(List), "never closed with ']'"),
    ("[0,1,0,-1]", 7, Some(List), "cannot be negative"),
    ("[0,1,0,1>", 8, Some(List), "expected a number, found '>'"),
    ("[[0,1,0,1]]", 1, Some(List), "second '['"),
    ("[0,1,0,1] W", 10, Some(List), "side to move"),
    ("[0,1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,1,1,1]", 3, Some(List), "1 to 8 pits a side, found 9"),
    ("é<1,0,0,1,1>", 0, None, "found 'é<1,0,0,1,1>'"),
    ("6x4", 0, Some(Start), "expected 'start:', found '6x4'"),
    ("start:", 6, Some(Start), "expected a number, found the end"),
    ("start:6", 7, Some(Start), "expected 'x', found the end"),
    ("start:6y4", 7, Some(Start), "expected 'x', found 'y4'"),
    ("start:x4", 6, Some(Start), "expected a number, found 'x4'"),
    ("start:6x", 8, Some(Start), "expected a number, found the end"),
    ("start:6x-4", 8, Some(Start), "expected a number, found '-4'"),
    ("start:9x4", 6, Some(Start), "1 to 8 pits a side, found 9"),
    ("start:0x4", 6, Some(Start), "1 to 8 pits a side, found 0"),
    ("start:6x22", 8, Some(Start), "at most 255 seeds in its pits, found 264"),
    ("start:6x4 N", 10, Some(Start), "nothing after the start, found 'N'"),
    ("start 6x4", 6, Some(Start), "expected ':', found '6x4'"),
    ("start", 5, Some(Start), "expected ':', found the end"),
    ("4-4-4-0-0-S", 10, Some(Dashes), "as many pits for North as for South, then two stores, found 3 pits"),
    ("0-0-S", 4, Some(Dashes), "found 0 pits"),
    ("4-4-0-0", 6, Some(Dashes), "expected the side to move, S or N, at the end, found '0'"),
    ("4-4-0-0-", 8, Some(Dashes), "at the end, found nothing"),
    ("4--4-0-0-S", 2, Some(Dashes), "whole number, found nothing"),
    ("3-6", 2, Some(Dashes), "side to move"),
    ("0-S", 2, Some(Dashes), "two stores and the side to move, found 1 numbers"),
    ("1-256-0-0-S", 2, Some(Dashes), "at most 255 seeds, found 256"),
    ("2 | 0 0 | 4 4", 0, Some(Bars), "player to move, 0 or 1, before the first bar"),
    ("0 | 0 | 4 4", 3, Some(Bars), "two stores between the bars, found 1"),
    ("0 | 0 0 | 4 4 4", 15, Some(Bars), "as many pits for North as for South, found 3 pits"),
    ("0 | 0 0 | 4 x", 12, Some(Bars), "whole number, found 'x'"),
    ("0 | 0 0", 0, Some(Bars), "three parts between bars, found 2"),
    ("-4-4-", 5, Some(Lines), "expected the line with both stores, found the end"),
    ("-4-4- 0---0", 11, Some(Lines), "expected South's pits, found the end"),
    ("-4-4- 0 -4-4-", 6, Some(Lines), "two stores joined by dashes, found '0'"),
    ("-4-4- 0-1-0 -4-4-", 8, Some(Lines), "only dashes between the stores, found '1'"),
    ("-4-4- 0-0 -4-", 10, Some(Lines), "as many pits for South as for North, found 1 and 2"),
    ("-4-4- 0-0 4-4-", 10, Some(Lines), "expected '-' here, found '4'"),
    ("-4-x- 0-0 -4-4-", 3, Some(Lines), "whole number, found 'x'"),
    ("-4-4- 0-0 -4-4- Current player: 2", 16, Some(Lines), "'Current player: 0' or 1"),
    ("-4-4- 0-0 -4-4- N", 16, Some(Lines), "found 'N'"),
];

#[test]
fn faults_are_named_with_their_place() {
    let mut wrong = Vec::new();
    for &(text, at, form, reason) in BAD {
        let error = text.parse::<State>().expect_err(text);
        let begins = form.map_or("not a position: ".to_owned(), |form| format!("not a position (read as {form}): "));
        assert!(error.to_string().starts_with(&begins), "{error}");
        assert!(error.help().starts_with("Write ") && error.help().ends_with('.'), "{}", error.help());
        if (error.at, error.form) != (Some(at), form) || !error.reason.contains(reason) {
            wrong.push(format!("{text:?}: found {error:?}, expected {at}, {form:?} and {reason:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The help of every form shows an example that can be read.
#[test]
fn the_way_out_is_one() {
    for text in ["start:", "<", "0-S", "|", "[", "-4-4-"] {
        let help = text.parse::<State>().unwrap_err().help().into_owned();
        let example = help.split("for example ").nth(1).unwrap();
        let example = match example.strip_prefix('\'') {
            Some(quoted) => quoted.split('\'').next().unwrap(),
            None => example.trim_end_matches('.'),
        };
        assert_eq!(example.parse::<State>(), State::start(6, 4), "{help}");
    }
}

#[test]
fn nine_pits_are_one_error() {
    for error in [
        State::start(9, 4).unwrap_err(),
        RuleSet::default().game(9).unwrap_err(),
        "start:9x4".parse::<State>().unwrap_err(),
        "<9,0,0,1>".parse::<State>().unwrap_err(),
        "1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-0-0-S".parse::<State>().unwrap_err(),
        "0 | 0 0 | 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1".parse::<State>().unwrap_err(),
    ] {
        assert_eq!(error.reason, "a board has 1 to 8 pits a side, found 9");
        assert!(!error.help().is_empty());
    }
}

#[test]
fn long_and_strange_texts_are_cut_in_messages() {
    let error = format!("<1,0,0,1,{}>", "é\u{7}".repeat(5000)).parse::<State>().unwrap_err();
    assert_eq!(error.at, Some(9));
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
        ("3,6", vec![3, 6]),
        ("3 6", vec![3, 6]),
        ("6-4-6-5-6-1", vec![6, 4, 6, 5, 6, 1]),
    ] {
        assert_eq!(parse_turn(text).unwrap(), turn);
        assert_eq!(parse_turn(&turn_text(&turn)).unwrap(), turn);
    }
    for (text, at, found) in [
        ("", 0, "the end of the text"),
        ("-", 0, "'-'"),
        ("3-", 2, "the end of the text"),
        ("-3", 0, "'-'"),
        ("3--6", 2, "'-'"),
        ("3,,6", 2, "','"),
        ("3 x", 2, "'x'"),
        ("+3", 0, "'+3'"),
        ("3-256", 2, "'256'"),
        ("1.0", 0, "'1.0'"),
        ("<6,0", 0, "'<6'"),
        ("é", 0, "'é'"),
    ] {
        assert_eq!(parse_turn(text), Err(MoveError::Syntax { at, found: found.to_owned() }), "{text:?}");
    }
    let error = parse_turn("3 x").unwrap_err();
    assert_eq!(error.to_string(), "not a move: expected a pit number or a letter from A to H, found 'x'");
    assert_eq!(error.at(), Some(2));
}

#[test]
fn lines_of_play() {
    for (text, turns) in [
        ("3-6 5 2-1", vec![vec![3, 6], vec![5], vec![2, 1]]),
        ("3 6,5", vec![vec![3], vec![6], vec![5]]),
        (" 3 -6\n5 ", vec![vec![3, 6], vec![5]]),
        ("c F", vec![vec![3], vec![6]]),
    ] {
        assert_eq!(parse_turns(text).unwrap(), turns, "{text:?}");
        assert_eq!(parse_turn(text).unwrap(), turns.concat(), "{text:?}");
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
