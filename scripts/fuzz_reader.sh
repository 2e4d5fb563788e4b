#!/bin/sh
# Runs the fuzzer on the layer reader for a fixed time: fuzz_reader.sh [SECONDS], 60 if not given.
# Needs a nightly compiler (rustup toolchain install nightly) and cargo-fuzz (cargo install cargo-fuzz).
set -eu
cd "$(dirname "$0")/../crates/database"
exec cargo +nightly fuzz run layer_file -- -max_total_time="${1:-60}" -max_len=65536
