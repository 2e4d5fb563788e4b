//! The target `layer_file`: see `exercise/layer_file.rs`.
#![no_main]

#[path = "../exercise/mod.rs"]
#[allow(dead_code, reason = "each target uses its part")]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exercise::exercise("layer_file", bytes));
