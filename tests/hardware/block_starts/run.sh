#!/bin/sh
# Needs a GPU, nvcc and Python. results.csv: by test, threads, blocks that fit on an SM (0: as many as do) and cycles
# that a block spins, the cycles between starts of an SM, the mean, a block's own cycles, the cycles from a block's end to
# the next start if one fits, and the minimum and maximum of blocks of an SM. order.csv: SMs of successive blocks in the
# middle of long grids. warps.csv: starts of the warps of the first blocks of one TPC's SMs.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/block_starts.cu" -o "$out/block_starts"
"$out/block_starts" > /dev/null  # leaves the idle clock
"$out/block_starts" | grep '^DATA' | python3 "$here/summary.py" "$out"
