#!/usr/bin/env python3
"""Draws the value counts of solver-db/counts into docs/statistics.

Needs matplotlib 3: pip install matplotlib
Usage: scripts/plot_counts.py [COUNTS [PICTURES]]
"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the drawing backend is chosen first: no screen is needed)

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = {"kalah": "-", "kalah-empty": "--"}
PITS = range(1, 7)


def read(folder, name):
    """The lines of one file as dictionaries, numbers as numbers."""
    with open(folder / name, newline="") as lines:
        rows = list(csv.DictReader(lines))
    if not rows:
        sys.exit(f"{folder / name} has no lines; scripts/write_counts.sh writes it anew")
    for row in rows:
        for key, text in row.items():
            if key not in ("rules", "lowest_example", "highest_example"):
                row[key] = float(text) if key == "mean" else int(text or 0)
    return rows


def outcomes(counts, pictures):
    """Wins, draws and losses of the mover on 6 pits. Draws need an even number of seeds."""
    figure, axes = plt.subplots(figsize=(7, 4))
    colours = {"wins": "tab:green", "draws": "tab:grey", "losses": "tab:red"}
    for rules, style in RULES.items():
        layers = [layer for layer in read(counts, f"{rules}_6.csv") if layer["seeds"] > 0]
        for name, colour in colours.items():
            shown = [layer for layer in layers if name != "draws" or layer["seeds"] % 2 == 0]
            axes.plot(
                [layer["seeds"] for layer in shown],
                [100 * layer[name] / layer["positions"] for layer in shown],
                style,
                color=colour,
                label=f"{name}, {rules}",
                marker=".",
            )
    axes.set(xlabel="seeds in pits", ylabel="% of all positions", title="What the player to move gets, 6 pits a side")
    axes.set_xticks(range(0, 21, 2))
    axes.set_ylim(0, None)
    axes.grid(alpha=0.3)
    axes.legend(ncols=2, fontsize=8)
    save(figure, pictures / "outcomes.png")


def means(counts, pictures):
    """The mean value by seeds, one line a board and rule set."""
    figure, axes = plt.subplots(figsize=(7, 4))
    for pits in PITS:
        for rules, style in RULES.items():
            layers = read(counts, f"{rules}_{pits}.csv")
            axes.plot(
                [layer["seeds"] for layer in layers],
                [layer["mean"] for layer in layers],
                style,
                color=f"C{pits - 1}",
                linewidth=1.2,
                label=f"{pits} pits" if pits > 1 else "1 pit" if style == "-" else None,
            )
            if style == "--":
                axes.lines[-1].set_label(None)
    axes.plot([], [], "k-", label="kalah")
    axes.plot([], [], "k--", label="kalah-empty")
    axes.axhline(0, color="black", linewidth=0.6)
    axes.set(xlabel="seeds in pits", ylabel="mean margin for the mover", title="What it is worth to be on move")
    axes.grid(alpha=0.3)
    axes.legend(ncols=2, fontsize=8)
    save(figure, pictures / "means.png")


def histogram(counts, pictures):
    """How often each value occurs in the largest committed layer of 6 pits."""
    figure, axes = plt.subplots(figsize=(7, 4))
    for place, rules in enumerate(RULES):
        rows = read(counts, f"{rules}_6_values.csv")
        seeds = max(row["seeds"] for row in rows)
        rows = [row for row in rows if row["seeds"] == seeds]
        total = sum(row["positions"] for row in rows)
        axes.bar(
            [row["value"] + 0.8 * (place - 0.5) for row in rows],
            [100 * row["positions"] / total for row in rows],
            width=0.8,
            label=rules,
        )
    axes.set(
        xlabel="value: margin for the mover",
        ylabel="% of all positions",
        title=f"Values of all positions with {seeds} seeds, 6 pits a side",
    )
    axes.set_xticks(range(-seeds, seeds + 1, 4))
    axes.grid(alpha=0.3, axis="y")
    axes.legend()
    save(figure, pictures / "values.png")


def save(figure, path):
    figure.tight_layout()
    # No date and no version inside: the same counts give the same bytes.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)
    print(path)


def main():
    counts = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "solver-db" / "counts"
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs" / "statistics"
    pictures.mkdir(parents=True, exist_ok=True)
    outcomes(counts, pictures)
    means(counts, pictures)
    histogram(counts, pictures)


if __name__ == "__main__":
    main()
