#!/usr/bin/env python3
"""Computes the expected results of the example kernels from their definition, not by simulation, and writes the
*.txt files next to their launch files.

usage: expected.py          write them
       expected.py --check  report those that differ from the stored files; exit code 1 if there are any
"""

import math
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MASK = (1 << 64) - 1


# --- the initial values of launch files (docs/launch-reference.md) ---


def random_bits(seed, index):
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def random_integers(seed, low, high, count):
    return [low + (random_bits(seed, i) * (high - low + 1) >> 64) for i in range(count)]


def random_floats(seed, low, high, count, form):
    values = [low + (high - low) * ((random_bits(seed, i) >> 11) * 2.0**-53) for i in range(count)]
    return [rounded(v, form) for v in values]


def rounded(value, form):
    """To half ("e"), single ("f") or double ("d") precision."""
    return struct.unpack(form, struct.pack(form, value))[0]


def iota(count, start=0, step=1, period=None):
    return [start + step * (i % period if period else i) for i in range(count)]


# --- the examples ---


def product(a, b, m, k, n):
    return [sum(a[i * k + x] * b[x * n + j] for x in range(k)) for i in range(m) for j in range(n)]


def matrix_product():
    a = random_floats(1, 0, 9, 40 * 24, "f")
    b = iota(24 * 50, -3, 1, 7)
    return {"product.txt": [rounded(v, "f") for v in product(a, b, 40, 24, 50)]}


def shuffles():
    values = iota(32, 0.5)
    return {"shifted.txt": [values[i + 3] if i % 16 + 3 < 16 else values[i] for i in range(32)]}


def votes():
    data = [100 if i >= 128 else 51 if i in (5, 40, 63) else 50 if i % 3 == 0 else i % 50 for i in range(256)]
    above = [v > 50 for v in data]
    warps = [above[i : i + 32] for i in range(0, 256, 32)]
    blocks = [above[i : i + 64] for i in range(0, 256, 64)]
    third = [lane % 3 == 0 for lane in range(24)]
    return {
        "data.txt": data,
        "all.txt": [int(all(w)) for w in warps],
        "any.txt": [int(any(w)) for w in warps],
        "bits.txt": [sum(1 << i for i, v in enumerate(w) if v) for w in warps],
        "partial.txt": [sum(1 << i for i in range(24) if third[i] and i % 2 == lane % 2) for lane in range(24)],
        "block_count.txt": [sum(b) for b in blocks],
        "block_all.txt": [int(all(b)) for b in blocks],
        "block_any.txt": [int(any(b)) for b in blocks],
    }


def block_scan():
    sums = []
    total = 0
    for value in random_integers(7, -50, 50, 1000):
        total += value
        sums.append(total)
    return {"sums.txt": sums}


def atomic_cas():
    doubles = iota(512, 0, 0.5)
    values = random_integers(3, -1000, 1000, 256)
    results = [sum(values), max(max(values), 0), min(min(values), 0), -1, 0, 0]
    for v in values:
        results[3] &= v | 1
        results[4] |= v & 0xFF
        results[5] ^= v
    return {"sums.txt": [sum(doubles[i::3]) for i in range(3)], "results.txt": results}


def device_heap():
    neighbours = [(t + 1) % 128 for t in range(128)]
    return {"sums.txt": [sum(n + i for i in range(64)) for n in neighbours] * 10}


def async_barrier():
    given = random_integers(5, 0, 1000, 512)
    out = []
    for block in (given[:256], given[256:]):
        values = block
        for _ in range(5):
            values = [2 * v + values[(t + 1) % 256] for t, v in enumerate(values)]
        out += values
    turned = [given[r * 64 + 63 - i] + r for r in range(8) for i in range(64)]
    return {"out.txt": out, "reversed.txt": turned}


def async_copy():
    given = random_integers(11, -100000, 100000, 1280)
    batches = [given[i : i + 128] for i in range(0, 1280, 128)]
    cut = [b[:126] + [0, 0] for b in batches]

    def worked_on(parts):
        return [3 * v + number for number, part in enumerate(parts) for v in reversed(part)]

    return {"batches.txt": worked_on(batches), "batches_with_zeros.txt": worked_on(cut)}


def wmma():
    stored = random_floats(21, -8, 8, 256, "e")
    a = [stored[k * 16 + i] for i in range(16) for k in range(16)]  # by columns
    b = iota(256, -2, 1, 5)
    c = iota(256, 0.5)
    d = [rounded(p + q, "f") for p, q in zip(product(a, b, 16, 16, 16), c)]
    whole = product(iota(256, -3, 1, 11), b, 16, 16, 16)
    return {"product.txt": d, "scaled.txt": [0.25 * v for v in whole]}


def cluster_histogram():
    bins = [0] * 64
    for value in random_integers(46, -4, 67, 5000):
        bins[min(max(value, 0), 63)] += 1
    # Each of the two clusters counts a part; together they count everything.
    return {"bins.txt": bins}


def struct_layout():
    sums = [(t % 128) + 0.5 * (t % 64) + (255 - t) ** 2 for t in range(256)]
    areas = [t * 5 / 2 if t % 3 == 0 else t * 3 for t in range(64)]
    return {"sums.txt": sums, "areas.txt": areas}


def reduction():
    array = random_integers(9, -100, 100, 10000)
    rows = [x * 2 if x < 60 else x for _ in range(20) for x in range(64)]
    volume = [10000 * z + 100 * y + x for z in range(10) for y in range(9) for x in range(17)]
    return {"sums.txt": [sum(array[i : i + 256]) for i in range(0, 10000, 256)], "rows.txt": rows, "volume.txt": volume}


def linear_fetch(pixels, size, x, y):
    """Between four pixels, at coordinates that wrap, with weights of eight bits."""
    weighted = [v * size - 0.5 for v in (x - math.floor(x), y - math.floor(y))]
    first = [math.floor(v) for v in weighted]
    part = [math.floor((v - f) * 256 + 0.5) / 256 for v, f in zip(weighted, first)]
    at = lambda i, j: pixels[(first[1] + j) % size * size + (first[0] + i) % size]
    top = (1 - part[0]) * at(0, 0) + part[0] * at(1, 0)
    bottom = (1 - part[0]) * at(0, 1) + part[0] * at(1, 1)
    return (1 - part[1]) * top + part[1] * bottom


def texture_rotate():
    size = 32
    pixels = random_floats(12, 0, 1, size * size, "f")

    def turned(angle):
        c, s = math.cos(angle), math.sin(angle)
        places = [(x / size - 0.5, y / size - 0.5) for y in range(size) for x in range(size)]
        return [rounded(linear_fetch(pixels, size, u * c - v * s + 0.5, v * c + u * s + 0.5), "f") for u, v in places]

    return {"kept.txt": turned(0.0), "turned.txt": turned(0.5)}


def surface_copy():
    pixels = random_integers(17, 0, 255, 1280)
    rows = [pixels[i : i + 80] for i in range(0, 1280, 80)]
    right = [[0] * 4 + row[:-4] for row in rows]
    down = [rows[0]] + rows[:-1]
    return {"right.txt": sum(right, []), "down.txt": sum(down, [])}


def waves():
    points = []
    for y in range(25):
        for x in range(40):
            u, v = x / 40 * 2 - 1, y / 25 * 2 - 1
            points += [u, math.sin(u * 4 + 0.75) * math.cos(v * 4 + 0.75) * 0.5, v, 1.0]
    return {"points.txt": [rounded(p, "f") for p in points]}


EXAMPLES = [
    matrix_product,
    shuffles,
    votes,
    block_scan,
    atomic_cas,
    device_heap,
    async_barrier,
    async_copy,
    wmma,
    cluster_histogram,
    struct_layout,
    reduction,
    texture_rotate,
    surface_copy,
    waves,
]


def text_of(values):
    words = [repr(v) for v in values]
    lines = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= 110:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    differing = []
    for example in EXAMPLES:
        for name, values in example().items():
            path = HERE / example.__name__ / name
            text = text_of(values)
            if not sys.argv[1:]:
                path.write_text(text)
            elif not path.exists() or path.read_text() != text:
                differing.append(str(path.relative_to(HERE)))
    for path in differing:
        print(f"{path} is not what expected.py works out")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
