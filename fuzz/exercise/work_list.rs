//! Reads text as a work list, and as results of one.

use super::must_be_readable;
use kalah::split::{WorkList, read_results};

/// Lists and results that are read are written and read again as the same.
pub(crate) fn exercise(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = WorkList::is_list(text);
    match WorkList::from_text(text, "fuzz") {
        Ok(list) => {
            let again = WorkList::from_text(&list.to_text(), "again").expect("what is written can be read");
            assert_eq!(again.tasks(), list.tasks());
            assert!(list.tasks().len() < text.lines().count(), "a list has one line for each sub-problem");
        }
        Err(error) => must_be_readable(&error.to_string(), &error.help(), bytes),
    }
    // The lines of a journal, without its title and checksums.
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    match read_results(&lines, "fuzz") {
        Ok(results) => {
            let lines: Vec<String> = results.iter().map(|one| one.result.to_line()).collect();
            let again = read_results(&lines, "again").expect("what is written can be read");
            assert!(again.iter().map(|one| &one.result).eq(results.iter().map(|one| &one.result)));
        }
        Err(error) => must_be_readable(&error.to_string(), &error.help(), bytes),
    }
}
