//! Boards as pictures: what is drawn, and how wide it may be.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kalah_rules::{PictureStyle, Position, Row, State, picture};

fn drawn(board: &str, style: PictureStyle) -> String {
    picture(&board.parse().unwrap(), style)
}

#[test]
fn a_start_in_boxes() {
    let expected = "\
North   6   5   4   3   2   1
┌─────┬───┬───┬───┬───┬───┬───┬─────┐
│     │ 4 │ 4 │ 4 │ 4 │ 4 │ 4 │     │
│  0  ├───┼───┼───┼───┼───┼───┤  0  │
│     │ 4 │ 4 │ 4 │ 4 │ 4 │ 4 │     │
└─────┴───┴───┴───┴───┴───┴───┴─────┘
        1   2   3   4   5   6  South
South to move";
    assert_eq!(drawn("start:6x4", PictureStyle::Boxes), expected);
}

#[test]
fn rows_run_in_opposite_directions() {
    let expected = "\
North    3    2    1
+-----+----+----+----+-----+
|     | 15 |  4 |  3 |     |
| 12  +----+----+----+  7  |
|     |  0 |  1 |  2 |     |
+-----+----+----+----+-----+
         1    2    3  South
North to move";
    assert_eq!(drawn("<3,7,12,0,1,2,3,4,15> N", PictureStyle::Ascii), expected);
}

#[test]
fn the_widest_board() {
    let expected = "\
North    8    7    6    5    4    3    2    1
┌─────┬────┬────┬────┬────┬────┬────┬────┬────┬─────┐
│     │ 14 │ 13 │ 12 │ 11 │ 10 │  9 │  8 │  7 │     │
│  5  ├────┼────┼────┼────┼────┼────┼────┼────┤ 100 │
│     │100 │  0 │  1 │  2 │  3 │  4 │  5 │  6 │     │
└─────┴────┴────┴────┴────┴────┴────┴────┴────┴─────┘
         1    2    3    4    5    6    7    8  South
South to move";
    assert_eq!(drawn("<8,100,5,100,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14>", PictureStyle::Boxes), expected);
}

#[test]
fn the_smallest_board_after_the_end() {
    let expected = "\
North       1
+---------+---+---------+
|         | 0 |         |
|    0    +---+ 1000000 |
|         | 0 |         |
+---------+---+---------+
            1  South
The game is over.";
    assert_eq!(drawn("<1,1000000,0,0,0> N", PictureStyle::Ascii), expected);
}

#[test]
fn every_picture_is_narrow_and_rectangular() {
    for style in [PictureStyle::Boxes, PictureStyle::Ascii] {
        for pits in 1..=8 {
            for seeds in [0, 9, 10, 99, 100, 247] {
                let mut row = vec![1; usize::from(pits)];
                row[0] = seeds;
                let position = Position::new(Row::from_pits(&row), Row::from_pits(&vec![0; usize::from(pits)]));
                for store in [0, 9, 99, 999, 99_999, 999_999] {
                    let drawn = picture(&State::new(pits, position).with_stores(0, store), style);
                    let lines: Vec<&str> = drawn.lines().collect();
                    let widths: Vec<usize> = lines[1..6].iter().map(|line| line.chars().count()).collect();
                    assert!(widths.iter().all(|width| *width == widths[0] && *width <= 60), "{drawn}");
                    assert!(lines.iter().all(|line| line.chars().count() <= widths[0].max(20)), "{drawn}");
                    assert_eq!(style == PictureStyle::Ascii, drawn.is_ascii());
                    assert!(drawn.contains(&format!(" {store} ")), "{drawn}");
                }
            }
        }
    }
}
