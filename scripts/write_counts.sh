#!/usr/bin/env bash
# Builds the layers whose value counts and checksums are committed, and writes both into solver-db anew.
# Usage: scripts/write_counts.sh DIRECTORY   (of the layers: about 1.4 GB; a few minutes on two cores)
set -euo pipefail
layers=$(realpath -m "${1:?name a directory for the layers}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo build --release --package kalah-cli
kalah=${CARGO_TARGET_DIR:-target}/release/kalah
mkdir -p solver-db/counts solver-db/checksums
# Pits and the most seeds: as far as a minute goes.
for board in 1:60 2:60 3:60 4:36 5:25 6:20; do
  pits=${board%:*} seeds=${board#*:}
  for rules in kalah kalah-empty; do
    of=(--rules "$rules" --pits "$pits" --seeds "$seeds" --database "$layers")
    "$kalah" build "${of[@]}"
    "$kalah" stats "${of[@]}" --csv > "solver-db/counts/${rules}_$pits.csv"
    "$kalah" stats "${of[@]}" --csv --values > "solver-db/counts/${rules}_${pits}_values.csv"
    if [[ $pits == 6 ]]; then
      "$kalah" checksums "${of[@]}" > "solver-db/checksums/${rules}_$pits.sha256"
    fi
  done
done
