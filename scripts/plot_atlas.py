#!/usr/bin/env python3
"""Draws solver-db/atlas into docs/atlas and writes the tables of docs/atlas.md between their markers.

Needs matplotlib 3: pip install matplotlib
Usage: scripts/plot_atlas.py [ATLAS]
"""

import csv
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the drawing backend is chosen first: no screen is needed)

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESETS = ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"]
LEFTOVERS = ["out", "last", "none"]
OTHERS = ["awari", "oware+cycle=split", "dakon", "congkak"]

# Starts whose margin or winner is in print, as far as crates/study/data knows: rule set, pits, seeds.
PUBLISHED = {
    "kalah-empty": {(p, s) for p in range(1, 7) for s in range(1, 7)},  # Irving et al. 2000; (6,6) Rawlings 2015
    "kalah": {(6, 4), (6, 5)},  # Rawlings 2015; of (6,6) only a bound
    "awari": {(6, 3), (6, 4)},  # van den Herik et al. 2002, Romein and Bal 2002
    "dakon": {(n, n) for n in range(1, 9) if n != 3},  # won in the first turn: van den Herik et al. 2002
}


class Cell:
    """One line of the atlas."""

    def __init__(self, row):
        self.state, self.outcome = row["state"], row["outcome"]
        self.lower, self.upper = int(row["lower"]), int(row["upper"])
        self.pits, self.seeds = int(row["pits"]), int(row["seeds"])
        self.exact = self.lower == self.upper
        # Wider bounds are in the file, but tell nobody anything.
        self.known = self.exact or self.lower >= 0 or self.upper <= 0
        self.moves = [(int(pit), bounds) for pit, bounds in (part.split(":") for part in row["moves"].split())]
        self.best = row["best_moves"]
        self.line = row["line_moves"]
        self.pie = (int(row["pie_lower"]), int(row["pie_upper"])) if row["pie_lower"] else None
        self.nodes = int(row["nodes"])

    @property
    def all(self):
        """Seeds on the board."""
        return 2 * self.pits * self.seeds

    def text(self):
        """The value as people write it."""
        if self.state == "history":
            return "–"
        if self.exact:
            return signed(self.lower)
        if not self.known:
            return "?"
        return bound_text(self.lower, self.upper)


def bound_text(low, high):
    """Bounds as far as they say who is ahead."""
    parts = [f"≥{signed(low)}" if low >= 0 else "", f"≤{signed(high)}" if high <= 0 else ""]
    return " ".join(part for part in parts if part) or "?"


def signed(value):
    """A margin with its sign; zero has none."""
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def read(folder, rules):
    """The cells of one rule set by pits and seeds; of several lines of a start the last counts."""
    path = folder / f"{rules}.csv"
    if not path.exists():
        return {}
    with open(path, newline="") as lines:
        cells = [Cell(row) for row in csv.DictReader(lines)]
    return {(cell.pits, cell.seeds): cell for cell in cells}


def heat(axes, title, cells, text, value, most, rows, columns, row_name, column_name):
    """A grid of coloured numbers; what is not known stays white, what was not looked at grey."""
    colours = plt.get_cmap("RdBu").copy()
    axes.set_facecolor("#dddddd")
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            cell = cells.get((row, column))
            if cell is None:
                continue
            number = value(cell)
            colour = "white" if number is None else colours(0.5 + 0.5 * max(-1, min(1, number / most)))
            axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=1))
            dark = number is not None and abs(number) > 0.7 * most
            label = text(cell).replace(" ", "\n")
            size = 8 if len(label) < 5 else 6
            axes.text(j, i, label, ha="center", va="center", fontsize=size, color="white" if dark else "black")
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.set(xlabel=column_name, ylabel=row_name)
    axes.set_title(title, fontsize=10)


def exact_value(cell):
    """The value if it is known."""
    return cell.lower if cell.exact and cell.state != "history" else None


def values(atlas, rule_sets, picture, most, width):
    """The value of every start, one map a rule set."""
    keys = {key for rules in rule_sets for key in atlas[rules]}
    rows = range(min(p for p, _ in keys), max(p for p, _ in keys) + 1)
    columns = range(min(s for _, s in keys), max(s for _, s in keys) + 1)
    figure, grid = plt.subplots(2, 2, figsize=(width, 0.9 + 0.75 * len(rows)))
    for axes, rules in zip(grid.flat, rule_sets):
        heat(axes, rules, atlas[rules], Cell.text, exact_value, most, rows, columns, "pits a side", "seeds in every pit")
    save(figure, picture)


def disagreements(atlas, picture):
    """How far the four rule sets of Kalah are apart."""
    shared = set.intersection(*(set(atlas[rules]) for rules in PRESETS))
    rows, columns = range(1, max(p for p, _ in shared) + 1), range(1, max(s for _, s in shared) + 1)
    figure, axes = plt.subplots(figsize=(8.6, 0.9 + 0.62 * len(rows)))
    axes.set_facecolor("#dddddd")
    for key in shared:
        cells = [atlas[rules][key] for rules in PRESETS]
        i, j = key[0] - 1, key[1] - 1
        known = all(cell.exact for cell in cells)
        spread = max(cell.lower for cell in cells) - min(cell.lower for cell in cells)
        outcomes = {cell.outcome for cell in cells}
        colour = "white" if not known else plt.get_cmap("YlOrRd")(min(1, spread / 14)) if spread else "#cfe8cf"
        axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=1))
        label = "\n".join(" ".join(cell.text() for cell in pair) for pair in (cells[:2], cells[2:])) if spread or not known else cells[0].text()
        weight = "bold" if known and len(outcomes) > 1 else "normal"
        axes.text(j, i, label, ha="center", va="center", fontsize=6, fontweight=weight)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.set(xlabel="seeds in every pit", ylabel="pits a side")
    axes.set_title("Green: one value under all four rule sets. Else kalah, kalah-empty / -stuck, -empty-stuck;\n"
                   "the darker, the farther apart; bold: they do not even agree on the winner", fontsize=8)
    save(figure, picture)


def first_moves(atlas, picture, pits=6):
    """What every first move of a board is worth, one map a rule set."""
    figure, grid = plt.subplots(2, 2, figsize=(8.6, 5.4))
    for axes, rules in zip(grid.flat, PRESETS):
        cells = {}
        rows = sorted(seeds for p, seeds in atlas[rules] if p == pits)
        for seeds in rows:
            cell = atlas[rules][pits, seeds]
            for pit, bounds in cell.moves:
                cells[seeds, pit] = (bounds, cell)
        heat(axes, rules, cells, lambda pair: move_text(*pair), lambda pair: number(pair[0]), 16, rows,
             range(1, pits + 1), "seeds in every pit", "first pit sown")
    save(figure, picture)


def number(bounds):
    """The number of an exact interval."""
    return None if ".." in bounds else int(bounds)


def move_text(bounds, cell):
    """A first move's value, with a star if it is a best one."""
    if number(bounds) is not None:
        best = cell.exact and number(bounds) == cell.lower
        return signed(int(bounds)) + ("*" if best else "")
    return bound_text(*(int(part) for part in bounds.split("..")))


def save(figure, path):
    figure.tight_layout()
    # No date and no version inside: the same lines give the same bytes.
    figure.savefig(path, dpi=100, metadata={"Software": None})
    plt.close(figure)
    print(path)


def table(head, rows):
    """A table of Markdown, numbers to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def value_table(cells, published=frozenset()):
    """Pits down, seeds across; starts that are in print in italics."""
    columns = range(1, max(s for _, s in cells) + 1)
    rows = sorted({p for p, _ in cells})

    def shown(key):
        if key not in cells:
            return ""
        text = cells[key].text()
        return f"*{text}*" if key in published and cells[key].exact else text

    return table(["pits"] + [str(s) for s in columns], [[str(p)] + [shown((p, s)) for s in columns] for p in rows])


def presets_text(atlas):
    parts = [f"**`{rules}`**\n\n{value_table(atlas[rules], PUBLISHED.get(rules, frozenset()))}" for rules in PRESETS]
    return "\n\n".join(parts)


def others_text(atlas):
    parts = [f"**`{rules}`**\n\n{value_table(atlas[rules], PUBLISHED.get(rules, frozenset()))}"
             for rules in OTHERS if atlas[rules]]
    return "\n\n".join(parts)


def leftovers_text(atlas):
    """Every start of 3 pits and more that has a row under each leftover option, for every preset."""
    rows = []
    for rules in PRESETS:
        sets = [atlas[rules]] + [atlas[f"{rules}+leftover={name}"] for name in LEFTOVERS]
        for key in sorted(set.intersection(*(set(cells) for cells in sets))):
            if key[0] >= 3 and all(cells[key].exact for cells in sets):
                rows.append([f"`{rules}`", f"({key[0]},{key[1]})"] + [cells[key].text() for cells in sets])
    return table(["rules", "start", "owner", "out", "last", "none"], rows)


def pie_text(atlas):
    rows = []
    keys = sorted(set().union(*(set(atlas[rules]) for rules in PRESETS)))
    for key in keys:
        cells = [atlas[rules].get(key) for rules in PRESETS]
        if key[0] >= 3 and all(cell and cell.pie and cell.pie[0] == cell.pie[1] and cell.exact for cell in cells):
            pairs = [f"{signed(cell.pie[0])} ({cell.text()})" for cell in cells]
            rows.append([f"({key[0]},{key[1]})"] + pairs)
    return table(["start"] + [f"`{rules}`" for rules in PRESETS], rows)


def moves_text(atlas):
    rows = []
    for rules in PRESETS:
        for (pits, seeds), cell in sorted(atlas[rules].items()):
            if pits == 6 and cell.known:
                moves = dict(cell.moves)
                shown = [move_text(moves[pit], cell).replace("*", "") if pit in moves else "" for pit in range(1, 7)]
                rows.append([f"`{rules}`", str(seeds)] + shown + [cell.text(), cell.best or "?", cell.line or "?"])
    head = ["rules", "seeds"] + [f"pit {pit}" for pit in range(1, 7)] + ["value", "best moves", "sows of a perfect line"]
    return table(head, rows)


def split_text(atlas):
    """Where the presets do not agree on the winner, and where on the margin only."""
    shared = sorted(set.intersection(*(set(atlas[rules]) for rules in PRESETS)))
    rows = []
    for key in shared:
        cells = [atlas[rules][key] for rules in PRESETS]
        if all(cell.exact for cell in cells) and len({cell.lower for cell in cells}) > 1:
            winner = "yes" if len({cell.outcome for cell in cells}) > 1 else ""
            rows.append([f"({key[0]},{key[1]})"] + [cell.text() for cell in cells] + [winner])
    known = sum(all(atlas[rules][key].exact for rules in PRESETS) for key in shared)
    text = f"{len(rows)} of {known} starts whose four values are known.\n\n"
    return text + table(["start"] + [f"`{rules}`" for rules in PRESETS] + ["another winner"], rows)


def counts_text(atlas):
    rows = []
    for rules in sorted(atlas, key=lambda name: (name.split("+")[0], name)):
        cells = atlas[rules].values()
        if not cells:
            continue
        exact = [cell for cell in cells if cell.exact and cell.state != "history"]
        count = lambda word: str(sum(cell.outcome == word for cell in exact))  # noqa: E731
        printed = sum((cell.pits, cell.seeds) in PUBLISHED.get(rules, ()) for cell in exact)
        rows.append([f"`{rules}`", str(len(cells)), str(sum(cell.state == "exact" for cell in cells)), str(len(exact)),
                     count("win"), count("draw"), count("loss"), str(len(exact) - printed)])
    head = ["rules", "starts", "everything known", "value known", "won", "drawn", "lost", "not found in print"]
    return table(head, rows)


TABLES = {
    "counts": counts_text,
    "presets": presets_text,
    "split": split_text,
    "moves": moves_text,
    "leftovers": leftovers_text,
    "pie": pie_text,
    "others": others_text,
}


def write_tables(atlas, page):
    """Puts every table between its markers."""
    text = page.read_text(encoding="utf-8")
    for name, write in TABLES.items():
        pattern = re.compile(rf"(<!-- atlas: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(text):
            sys.exit(f"{page} has no place for the table '{name}': <!-- atlas: {name} --> … <!-- end -->")
        text = pattern.sub(lambda found: found[1] + "\n" + write(atlas) + "\n\n" + found[2], text)  # noqa: B023
    page.write_text(text, encoding="utf-8")
    print(page)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "solver-db" / "atlas"
    sets = PRESETS + [f"{rules}+leftover={name}" for rules in PRESETS for name in LEFTOVERS] + OTHERS + ["oware"]
    atlas = {rules: read(folder, rules) for rules in sets}
    if not all(atlas[rules] for rules in PRESETS):
        sys.exit(f"{folder} lacks tables of {', '.join(PRESETS)}; kalah atlas writes them")
    pictures = ROOT / "docs" / "atlas"
    pictures.mkdir(parents=True, exist_ok=True)
    values(atlas, PRESETS, pictures / "values.png", 16, 11)
    disagreements(atlas, pictures / "disagreements.png")
    first_moves(atlas, pictures / "first_moves.png")
    if all(atlas[rules] for rules in OTHERS):
        values(atlas, OTHERS, pictures / "others.png", 24, 8.6)
    write_tables(atlas, ROOT / "docs" / "atlas.md")


if __name__ == "__main__":
    main()
