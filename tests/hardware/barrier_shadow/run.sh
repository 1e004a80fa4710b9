#!/bin/sh
# Needs a GPU and nvcc. Columns: instruction after the barrier, number of them, then for each warp the cycles from the
# clock before the barrier to the one after the instructions. Warp 0 arrives 3000 cycles after the others.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/barrier_shadow.cu" -o "$out/barrier_shadow"
"$out/barrier_shadow" > "$out/results.csv"
