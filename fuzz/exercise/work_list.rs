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
        Err(error) => must_be_readable(&error.to_string(), "None.", bytes),
    }
    match read_results(text, "fuzz") {
        Ok((results, whole)) => {
            assert!(whole <= text.len());
            let text: String = results.iter().map(|(_, result)| result.to_text()).collect();
            let (again, _) = read_results(&text, "again").expect("what is written can be read");
            assert!(again.iter().map(|(_, result)| result).eq(results.iter().map(|(_, result)| result)));
        }
        Err(error) => must_be_readable(&error.to_string(), "None.", bytes),
    }
}
