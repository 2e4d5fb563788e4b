//! The forms in which positions and moves can be written, as the help of every command that reads them shows them.

use kalah_rules::{POSITION_FORMS, TURN_FORMS};

/// Examples of a command, followed by the forms of a position.
pub(crate) fn positions(examples: &str) -> String {
    format!("{examples}\n\nForms of a position:\n{}", indented(POSITION_FORMS))
}

/// Examples of a command, followed by the forms of a position and of moves.
pub(crate) fn positions_and_moves(examples: &str) -> String {
    format!("{}\n\nForms of moves:\n{}", positions(examples), indented(TURN_FORMS))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}
