#!/bin/sh
# Needs a GPU and nvcc. results.csv: cycles of bursts (loops 1) and of 32 rounds of eight accesses.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/memory_passes.cu" -o "$out/memory_passes"
"$out/memory_passes" > "$out/results.csv"
