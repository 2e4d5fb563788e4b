//! A board as a picture of text: both rows, both stores, the numbers of the pits, and who is to move.

use crate::{Side, State};

/// Which characters a picture is drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PictureStyle {
    /// The box-drawing characters of Unicode.
    #[default]
    Boxes,
    /// Only `+`, `-` and `|`.
    Ascii,
}

/// The most columns of a picture, unless stores are as large as they may be.
const WIDEST: usize = 60;

/// What a picture is drawn with: a left end, what stands between two pits, and a right end for each horizontal line.
struct Characters {
    line: &'static str,
    bar: &'static str,
    top: [&'static str; 3],
    middle: [&'static str; 3],
    bottom: [&'static str; 3],
}

impl PictureStyle {
    fn characters(self) -> Characters {
        match self {
            PictureStyle::Boxes => Characters {
                line: "─",
                bar: "│",
                top: ["┌", "┬", "┐"],
                middle: ["├", "┼", "┤"],
                bottom: ["└", "┴", "┘"],
            },
            PictureStyle::Ascii => {
                Characters { line: "-", bar: "|", top: ["+"; 3], middle: ["+"; 3], bottom: ["+"; 3] }
            }
        }
    }
}

/// Draws a board without a line break at the end. The picture is at most 60 columns wide as long as no store holds a million
/// seeds.
///
/// North's row is on top and runs from right to left, South's below it from left to right, so that both sow anticlockwise.
/// North's store is on the left, South's on the right. The numbers outside are the pits in their owner's sowing order.
///
/// ```
/// use kalah_rules::{PictureStyle, State, picture};
/// let state: State = "<3,7,12,0,1,2,3,4,15> N".parse()?;
/// assert_eq!(picture(&state, PictureStyle::Ascii), "\
/// North    3    2    1
/// +-----+----+----+----+-----+
/// |     | 15 |  4 |  3 |     |
/// | 12  +----+----+----+  7  |
/// |     |  0 |  1 |  2 |     |
/// +-----+----+----+----+-----+
///          1    2    3  South
/// North to move");
/// # Ok::<(), kalah_rules::PositionError>(())
/// ```
pub fn picture(state: &State, style: PictureStyle) -> String {
    let pits = usize::from(state.pits());
    let seeds = |side: Side| state.row(side).pits(state.pits()).map(|seeds| seeds.to_string()).collect::<Vec<_>>();
    let (south, mut north) = (seeds(Side::South), seeds(Side::North));
    north.reverse();
    let numbers: Vec<String> = (1..=pits).map(|pit| pit.to_string()).collect();
    let backwards: Vec<String> = numbers.iter().rev().cloned().collect();
    let [south_store, north_store] = [Side::South, Side::North].map(|side| state.store(side).to_string());

    // The name of the owner stands above or below a store. Pits give up their left margin where the picture is too wide.
    let store = south_store.len().max(north_store.len()).max("North".len() - 2) + 2;
    let digits = south.iter().chain(&north).map(String::len).max().unwrap_or(1);
    let total = |pit: usize| 2 * (store + 2) + pits * (pit + 1) - 1;
    let pit = if total(digits + 2) <= WIDEST { digits + 2 } else { digits + 1 };

    let Characters { line, bar, top, middle, bottom } = style.characters();
    let cells = |texts: &[String], between: &str| {
        texts.iter().map(|text| format!("{text:>0$} ", pit - 1)).collect::<Vec<_>>().join(between)
    };
    let dashes = vec![line.repeat(pit); pits];
    let rule = |[left, between, right]: [&str; 3]| {
        let side = line.repeat(store);
        format!("{left}{side}{between}{}{between}{side}{right}", dashes.join(between))
    };
    let [left, between, right] = middle;
    let (blank, above) = (" ".repeat(store), " ".repeat(store + 2));
    let lines = [
        format!("{:above$}{}", "North", cells(&backwards, " "), above = store + 2),
        rule(top),
        format!("{bar}{blank}{bar}{}{bar}{blank}{bar}", cells(&north, bar)),
        format!("{bar}{north_store:^store$}{left}{}{right}{south_store:^store$}{bar}", dashes.join(between)),
        format!("{bar}{blank}{bar}{}{bar}{blank}{bar}", cells(&south, bar)),
        rule(bottom),
        format!("{above}{} South", cells(&numbers, " ")),
        if state.position().seeds() == 0 {
            "The game is over.".to_owned()
        } else {
            format!("{} to move", state.to_move())
        },
    ];
    lines.map(|line| line.trim_end().to_owned()).join("\n")
}
