#!/bin/sh
# Needs a GPU and nvcc. Columns: access, lane stride in words, warps, warp, then cycles to issue each of 40 accesses.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/queue_depth.cu" -o "$out/queue_depth"
"$out/queue_depth" > "$out/results.csv"
