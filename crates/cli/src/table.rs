//! Tables as text: a head, a line under it, and rows that fit the screen.

use crate::screen::{Paint, Screen};
use console::measure_text_width;

/// Between two columns.
const GAP: usize = 2;

/// A column of words is not made narrower than this.
const NARROWEST: usize = 10;

/// A table with a head, as wide as the screen allows; the columns in `right` are numbers.
pub(crate) fn table(head: &[&str], right: &[usize], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    drawn(Screen::get(), head, right, rows)
}

/// The same on any screen.
pub(crate) fn drawn(
    screen: Screen,
    head: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let widths = widths(screen.columns, head, right, &rows);
    let titles: Vec<Vec<String>> = head.iter().zip(&widths).map(|(title, &width)| broken(title, width)).collect();
    let height = titles.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = Vec::new();
    for line in 0..height {
        // Short titles stand at the bottom, next to what they name.
        let title =
            |cell: &Vec<String>| (line + cell.len()).checked_sub(height).map_or("", |at| cell[at].as_str()).to_owned();
        let cells: Vec<String> = titles.iter().map(title).collect();
        lines.push(screen.paint(Paint::Strong, &joined(&cells, &widths, right)));
    }
    let whole = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    lines.push(screen.paint(Paint::Quiet, &"─".repeat(whole)));
    for row in &rows {
        let cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|(cell, &width)| broken(cell, width)).collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let cells: Vec<String> = cells.iter().map(|cell| cell.get(line).cloned().unwrap_or_default()).collect();
            lines.push(joined(&cells, &widths, right));
        }
    }
    lines.join("\n")
}

/// How many characters the widest row has when nothing is broken.
pub(crate) fn natural(head: &[&str], rows: &[Vec<String>]) -> usize {
    let widest = |column: usize, title: &str| {
        rows.iter().map(|row| measure_text_width(&row[column])).fold(measure_text_width(title), usize::max)
    };
    let columns = head.iter().enumerate().map(|(column, title)| widest(column, title));
    columns.sum::<usize>() + GAP * head.len().saturating_sub(1)
}

/// How wide each column is: as its widest cell, or narrower where the screen is too small. Numbers are never broken.
fn widths(columns: usize, head: &[&str], right: &[usize], rows: &[Vec<String>]) -> Vec<usize> {
    let longest_word = |text: &str| text.split(' ').map(measure_text_width).max().unwrap_or(0);
    let mut widths = Vec::new();
    let mut least = Vec::new();
    for (column, title) in head.iter().enumerate() {
        let widest = rows.iter().map(|row| measure_text_width(&row[column])).max().unwrap_or(0);
        widths.push(widest.max(measure_text_width(title)));
        let cells = match column {
            _ if right.contains(&column) => widest,
            // People copy the names in the first column.
            0 => widest.min(columns / 2),
            _ => widest.min(NARROWEST),
        };
        least.push(cells.max(longest_word(title)));
    }
    let room = columns.saturating_sub(GAP * head.len().saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let can_shrink = (0..widths.len()).filter(|&column| widths[column] > least[column]);
        match can_shrink.max_by_key(|&column| widths[column]) {
            Some(column) => widths[column] -= 1,
            None => break,
        }
    }
    widths
}

/// A cell in lines of at most `width`: broken at spaces and after commas, and inside of words only if one is wider.
fn broken(text: &str, width: usize) -> Vec<String> {
    if measure_text_width(text) <= width {
        return vec![text.to_owned()];
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for piece in text.split_inclusive([' ', ',']) {
        let bare = measure_text_width(piece.trim_end());
        if used > 0 && used + bare > width {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0;
        }
        if bare <= width {
            line.push_str(piece);
            used += measure_text_width(piece);
            continue;
        }
        for char in piece.chars() {
            let more = measure_text_width(char.encode_utf8(&mut [0; 4]));
            if used + more > width && used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(char);
            used += more;
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// One line of a table, without spaces at its end.
fn joined(cells: &[String], widths: &[usize], right: &[usize]) -> String {
    let mut line = String::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let pad = " ".repeat(width.saturating_sub(measure_text_width(cell)));
        let gap = if column > 0 { " ".repeat(GAP) } else { String::new() };
        let padded = if right.contains(&column) { format!("{gap}{pad}{cell}") } else { format!("{gap}{cell}{pad}") };
        line.push_str(&padded);
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(columns: usize, rows: &[[&str; 3]]) -> Vec<String> {
        let screen = Screen { columns, colour: false, ascii: false };
        let rows = rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect());
        drawn(screen, &["name", "seeds in pits", "what it is"], &[1], rows).lines().map(str::to_owned).collect()
    }

    #[test]
    fn columns_are_as_wide_as_they_need() {
        assert_eq!(
            lines(80, &[["kalah", "12", "a game"], ["awari", "1,234", "another"]]),
            [
                "name   seeds in pits  what it is",
                "────────────────────────────────",
                "kalah             12  a game",
                "awari          1,234  another",
            ]
        );
    }

    #[test]
    fn words_are_broken_where_the_screen_ends_and_numbers_never() {
        let rows = [["kalah", "1,234,567", "a game of two rows and two stores"], ["x", "2", "<6,0,0,4,4,4,4,4,4>"]];
        for columns in [36, 40, 60] {
            let lines = lines(columns, &rows);
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}: {lines:#?}");
            let text = lines.join("\n");
            assert!(text.contains("1,234,567") && text.contains("stores"), "{text}");
        }
        assert_eq!(lines(28, &rows)[0], "        seeds in");
        assert_eq!(lines(28, &rows)[1], "name        pits  what it is");
    }

    #[test]
    fn colours_take_no_room() {
        let screen = Screen { columns: 80, colour: true, ascii: false };
        let text = drawn(screen, &["a", "b"], &[0], [vec![screen.paint(Paint::Win, "+8"), "x".to_owned()]]);
        assert_eq!(text.lines().last(), Some("\x1b[32m+8\x1b[0m  x"));
        assert_eq!(natural(&["a", "b"], &[vec![screen.paint(Paint::Win, "+8"), "x".to_owned()]]), 5);
    }

    #[test]
    fn a_table_without_rows_is_its_head() {
        assert_eq!(lines(80, &[]).len(), 2);
    }
}
