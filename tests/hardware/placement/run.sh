#!/bin/sh
# Needs a GPU and nvcc. results.csv: the previous activity, threads per block, blocks, repetition, the SM of each block
# in order.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/placement.cu" -o "$out/placement"
"$out/placement" > "$out/results.csv"
