#!/bin/sh
# Needs a GPU and nvcc. Columns: operation, independent chains of a warp, warps of the block, those that run the loop, cycles
# from the first begin to the last end, begin and end of each warp of sub-core 0. For MATCH: chains, warps, different
# values, cycles of one MATCH of a warp.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/pipe_sharing.cu" -o "$out/pipe_sharing"
"$out/pipe_sharing" > "$out/results.csv"
