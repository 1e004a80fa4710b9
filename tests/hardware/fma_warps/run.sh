#!/bin/sh
# Needs a GPU and nvcc. Columns: operation, independent chains of a warp, warps of the block, lanes per cycle of the SM,
# time of the shortest warp as a share of the block's.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/fma_warps.cu" -o "$out/fma_warps"
"$out/fma_warps" > "$out/results.csv"
