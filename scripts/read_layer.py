#!/usr/bin/env python3
"""Reads a layer file as crates/database/FORMAT.md describes it, with nothing but the standard library.

Prints the header and a digest of the values, or with --rank the value of one position. It is slow, and tests no hashes unless
the package xxhash is installed: it exists to show that the description is enough to write a reader.
"""
import argparse
import hashlib
import json
import struct
import sys
from math import comb

try:
    from xxhash import xxh3_64_intdigest as xxh3
except ImportError:
    xxh3 = None


def check(expected, data, what):
    if xxh3 is not None and xxh3(data) != expected:
        sys.exit(f"{what}: wrong hash")


def parse(data):
    if data[:8] != b"\x89KLH\r\n\x1a\n":
        sys.exit("not a layer file")
    version, header_bytes, head_bytes, file_bytes, head_check, prefix_check = struct.unpack_from("<IIQQQQ", data, 8)
    if version != 1:
        sys.exit(f"format version {version}, expected 1")
    check(prefix_check, data[:40], "prefix")
    if file_bytes != len(data):
        sys.exit(f"expected {file_bytes} bytes, found {len(data)}")
    check(head_check, data[48:head_bytes], "head")
    (length,) = struct.unpack_from("<Q", data, 48)
    header = {"rules": data[56 : 56 + length].decode()}
    names = "rules_hash pits seeds parity codec block_size model_bytes positions blocks payload_bytes values_check"
    header.update(zip(names.split(), struct.unpack_from("<QBBBBIIQQQQ", data, 56 + length)))
    at = 48 + header_bytes
    blocks = []
    for number in range(header["blocks"]):
        offset, size, base, width, block_check = struct.unpack_from("<QIhHQ", data, at + 24 * number)
        block = data[head_bytes + offset : head_bytes + offset + size]
        check(block_check, block, f"block {number}")
        blocks.append((block, base, width))
    at += 24 * header["blocks"]
    return header, blocks, data[at : at + header["model_bytes"]]


def packed(header, blocks):
    step = 2 if header["parity"] else 1
    for number, (block, base, width) in enumerate(blocks):
        count = min(1 << 16, header["positions"] - (number << 16))
        bits, exceptions = width & 255, width & 256
        codes = int.from_bytes(block[: (count * bits + 7) // 8], "little")
        found = {}
        if exceptions:
            at = (count * bits + 7) // 8 + 2
            (many,) = struct.unpack_from("<H", block, at)
            places = struct.unpack_from(f"<{many}H", block, at + 2)
            found = dict(zip(places, struct.unpack_from(f"<{many}b", block, at + 2 + 2 * many)))
        for place in range(count):
            code = (codes >> (bits * place)) & ((1 << bits) - 1)
            yield found[place] if exceptions and code == (1 << bits) - 1 else base + step * code


def rank(row):
    """The rank of a row among all with as many seeds."""
    total, tail = 0, 0
    for k in range(1, len(row)):
        tail += row[-k]
        total += comb(tail + k - 1, k)
    return total


def unrank(pits, seeds, number):
    """The row with a rank: suffix sums from the largest down."""
    row, left = [0] * pits, seeds
    for k in range(pits - 1, 0, -1):
        tail = max(tail for tail in range(left + 1) if comb(tail + k - 1, k) <= number)
        number -= comb(tail + k - 1, k)
        row[pits - 1 - k] = left - tail
        left = tail
    row[pits - 1] = left
    return row


def neighbours(pits, seeds, first, count):
    """Near and far neighbour of each of `count` rows, as places in the tile."""
    result = []
    for place in range(count):
        row = unrank(pits, seeds, first + place)
        distances = []
        for pit in range(pits - 1, 0, -1):
            if row[pit] > 0:
                moved = row[:]
                moved[pit] -= 1
                moved[pit - 1] += 1
                distances.append(first + place - rank(moved))
        near = place - distances[0] if distances and distances[0] <= place else max(place - 1, 0)
        far = place - distances[1] if len(distances) > 1 and distances[1] <= place else near
        result.append((near, far))
    return result


def med(a, b, c):
    return max(min(a, b), min(max(a, b), a + b - c))


def lev(difference):
    return min(2, max(-2, difference)) + 2


class Tile:
    """Decodes one tile; `lines[i][j]` are its numbers."""

    def __init__(self, data, model, middle, columns, lines):
        self.columns, self.up = columns, lines
        self.lines = [[0] * len(columns) for _ in lines]
        self.surprise = [[2] * len(columns) for _ in lines]
        if len(data) == len(columns) * len(lines):
            for number in range(len(lines)):
                self.lines[number] = list(data[number * len(columns) : (number + 1) * len(columns)])
            return
        self.tables, self.contexts = model
        self.states = list(struct.unpack_from("<4I", data))
        self.words = list(reversed(struct.unpack_from(f"<{(len(data) - 16) // 2}H", data, 16)))
        for column in range(len(columns)):
            self.position(0, column, 0, middle)
        for first in range(1, len(lines), 8):
            group = min(8, len(lines) - first)
            for step in range(len(columns) + group - 1):
                for lane in range(group):
                    if 0 <= step - lane < len(columns):
                        self.position(first + lane, step - lane, lane, middle)
        if self.words or self.states != [1 << 16] * 4:
            sys.exit("a tile does not come to its end")

    def position(self, i, j, lane, middle):
        x = self.lines
        (near, far), (above, far_above) = self.columns[j], self.up[i]
        f = [self.surprise[i - 1][j] if i else 2, self.surprise[i][j - 1] if j else 2, 2, 2, 2, 2]
        if i == 0 and j == 0:
            p = middle
        elif i == 0:
            p = x[0][near]
            f[2] = lev(x[0][far] - p)
        elif j == 0:
            p = x[above][0]
            f[3] = lev(x[far_above][0] - p)
        else:
            p = med(x[i][near], x[above][j], x[above][near])
            f[2] = lev(med(x[i][far], x[above][j], x[above][far]) - p)
            f[3] = lev(med(x[i][near], x[far_above][j], x[far_above][near]) - p)
            f[4] = lev(x[above][j] - x[above][near])
            f[5] = lev(x[above][near] - x[i][near])
        context = 0
        for feature in f:
            context = 5 * context + feature
        entry = self.contexts[context]
        symbol = self.symbol(self.tables[entry & 15], lane % 4)
        x[i][j] = self.words.pop() & 255 if symbol == 23 else (p + (entry >> 4) - 8 + symbol - 11) & 255
        self.surprise[i][j] = lev(x[i][j] - p)

    def symbol(self, table, lane):
        state = self.states[lane]
        part, before, symbol = state % 2048, 0, 0
        while part >= before + table[symbol]:
            before += table[symbol]
            symbol += 1
        state = table[symbol] * (state // 2048) + part - before
        self.states[lane] = (state << 16) + self.words.pop() if state < 1 << 16 else state
        return symbol


def compressed(header, blocks, model):
    pits, seeds = header["pits"], header["seeds"]
    step = 2 if header["parity"] else 1
    model = [struct.unpack_from("<24H", model, 48 * table) for table in range(16)], model[768:]
    blocks = iter(blocks)
    for mover in range(seeds + 1):
        columns, lines = comb(mover + pits - 1, pits - 1), comb(seeds - mover + pits - 1, pits - 1)
        height = 1 + min(256, 6144 // min(columns, 256) // 8 * 8)
        for top in range(0, lines, height):
            tall = min(height, lines - top)
            up = neighbours(pits, seeds - mover, top, tall)
            strip = [[] for _ in range(tall)]
            for start in range(0, columns, 2048):
                block = next(blocks)[0]
                tiles = range(start, min(start + 2048, columns), 256)
                lengths = struct.unpack_from(f"<{len(tiles)}H", block)
                at = 2 * len(tiles)
                for left, length in zip(tiles, lengths):
                    wide = neighbours(pits, mover, left, min(256, columns - left))
                    tile = Tile(block[at : at + length], model, seeds // step, wide, up)
                    at += length
                    for line, numbers in zip(strip, tile.lines):
                        line.extend(numbers)
            for line in strip:
                yield from (number * step - seeds for number in line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--rank", type=int, help="print the value of the position with this rank only")
    parser.add_argument("--write", metavar="FILE", help="write all values to a file, one signed byte each")
    options = parser.parse_args()
    with open(options.file, "rb") as file:
        header, blocks, model = parse(file.read())
    if header["codec"] == 0:
        values = struct.unpack(f"<{header['positions']}b", b"".join(block for block, _, _ in blocks))
    elif header["codec"] == 1:
        values = list(packed(header, blocks))
    else:
        values = list(compressed(header, blocks, model))
    if len(values) != header["positions"]:
        sys.exit(f"expected {header['positions']} values, found {len(values)}")
    if options.rank is not None:
        print(values[options.rank])
        return
    raw = struct.pack(f"<{len(values)}b", *values)
    if options.write:
        with open(options.write, "wb") as file:
            file.write(raw)
    header["values_sha256"] = hashlib.sha256(raw).hexdigest()
    print(json.dumps(header))


if __name__ == "__main__":
    main()
