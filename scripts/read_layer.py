#!/usr/bin/env python3
"""Reads a layer file as crates/database/FORMAT.md describes it, with nothing but the standard library and, for compressed
layers, the program zstd.

Prints the header and a digest of the values, or with --rank the value of one position. It is slow, and tests no hashes unless
the package xxhash is installed: it exists to show that the description is enough to write a reader.
"""
import argparse
import hashlib
import json
import struct
import subprocess
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
    names = "rules_hash pits seeds parity codec block_size unused positions blocks payload_bytes values_check"
    header.update(zip(names.split(), struct.unpack_from("<QBBBBIIQQQQ", data, 56 + length)))
    at = 48 + header_bytes
    blocks = []
    for number in range(header["blocks"]):
        offset, size, base, width, block_check = struct.unpack_from("<QIhHQ", data, at + 24 * number)
        block = data[head_bytes + offset : head_bytes + offset + size]
        check(block_check, block, f"block {number}")
        blocks.append((block, base, width))
    return header, blocks


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


def unzstd(frames):
    """What the frames decompress to, one after the other: zstd takes all of them at once."""
    try:
        return subprocess.run(["zstd", "-dcq"], input=b"".join(frames), stdout=subprocess.PIPE, check=True).stdout
    except FileNotFoundError:
        sys.exit("a compressed layer needs the program zstd")
    except subprocess.CalledProcessError:
        sys.exit("a tile is no frame of zstd")


def tiles(header, blocks):
    """Section by section and strip by strip: how many lines, and of each tile its columns and its frame."""
    pits, seeds = header["pits"], header["seeds"]
    blocks = iter(blocks)
    for mover in range(seeds + 1):
        columns, lines = comb(mover + pits - 1, pits - 1), comb(seeds - mover + pits - 1, pits - 1)
        height = 8192 // min(columns, 64)
        for top in range(0, lines, height):
            strip = []
            for start in range(0, columns, 512):
                block = next(blocks)[0]
                widths = [min(64, columns - left) for left in range(start, min(start + 512, columns), 64)]
                lengths = struct.unpack_from(f"<{len(widths)}H", block)
                at = 2 * len(widths)
                for width, length in zip(widths, lengths):
                    strip.append((width, block[at : at + length]))
                    at += length
                if at != len(block):
                    sys.exit("a block does not come to its end")
            yield min(height, lines - top), strip


def numbers(errors, lines, columns, middle):
    """The lines of a tile."""
    result = []
    for i in range(lines):
        line = []
        for j in range(columns):
            if i == 0:
                prediction = line[j - 1] if j else middle
            elif j == 0:
                prediction = result[i - 1][0]
            else:
                a, b, c = line[j - 1], result[i - 1][j], result[i - 1][j - 1]
                prediction = sorted((a, b, a + b - c))[1]
            byte = errors[i * columns + j]
            line.append((prediction - (byte // 2 + 1) if byte % 2 else prediction + byte // 2) % 256)
        result.append(line)
    return result


def compressed(header, blocks):
    step = 2 if header["parity"] else 1
    strips = list(tiles(header, blocks))
    errors, at = unzstd(frame for _, strip in strips for _, frame in strip), 0
    for lines, strip in strips:
        whole = [[] for _ in range(lines)]
        for columns, _ in strip:
            tile = errors[at : at + lines * columns]
            if len(tile) != lines * columns:
                sys.exit("tiles have fewer errors than positions")
            at += len(tile)
            for line, part in zip(whole, numbers(tile, lines, columns, header["seeds"] // step)):
                line.extend(part)
        for line in whole:
            yield from (number * step - header["seeds"] for number in line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--rank", type=int, help="print the value of the position with this rank only")
    parser.add_argument("--write", metavar="FILE", help="write all values to a file, one signed byte each")
    options = parser.parse_args()
    with open(options.file, "rb") as file:
        header, blocks = parse(file.read())
    if header["codec"] == 0:
        values = struct.unpack(f"<{header['positions']}b", b"".join(block for block, _, _ in blocks))
    elif header["codec"] == 1:
        values = list(packed(header, blocks))
    elif header["codec"] == 3:
        values = list(compressed(header, blocks))
    else:
        sys.exit(f"unknown codec {header['codec']}")
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
