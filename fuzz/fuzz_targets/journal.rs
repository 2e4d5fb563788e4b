//! The target `journal`: see `exercise/journal.rs`.
#![no_main]

#[path = "../exercise/mod.rs"]
#[allow(dead_code, reason = "each target uses its part")]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exercise::exercise("journal", bytes));
