#!/bin/sh
# Needs a GPU and nvcc. results.csv: lines of a group, groups, percentiles of their cycles; periods.csv: share of
# slow groups by time since the first, in sixteenths of 3888 cycles.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/dram_refresh.cu" -o "$out/dram_refresh"
"$out/dram_refresh" > "$out/raw.csv"
python3 - "$out/raw.csv" "$out" << 'PYTHON'
import collections, csv, sys
groups = collections.defaultdict(list)
for row in csv.DictReader(open(sys.argv[1])):
    groups[int(row["lines"])].append((int(row["begin"]), int(row["cycles"])))
parts = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
period = 3888.1
with open(sys.argv[2] + "/results.csv", "w") as out:
    print("lines,groups,mean", *(f"p{round(100 * p)}" for p in parts), sep=",", file=out)
    for lines, samples in groups.items():
        cycles = sorted(c for _, c in samples)
        print(lines, len(cycles), round(sum(cycles) / len(cycles)), *(cycles[int(p * len(cycles))] for p in parts), sep=",", file=out)
slow = {1: 900, 32: 990, 128: 1120, 256: 1290}  # cycles that tell a group that met refresh
with open(sys.argv[2] + "/periods.csv", "w") as out:
    print("lines,slow", *range(16), sep=",", file=out)
    for lines, limit in slow.items():
        hits, all_of = [0] * 16, [0] * 16
        for begin, cycles in groups[lines]:
            phase = int(begin % period / period * 16)
            all_of[phase] += 1
            hits[phase] += cycles > limit
        print(lines, limit, *(round(h / a, 3) for h, a in zip(hits, all_of)), sep=",", file=out)
PYTHON
rm "$out/raw.csv"
