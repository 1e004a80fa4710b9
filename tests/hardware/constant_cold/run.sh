#!/bin/sh
# Needs a GPU, nvcc and ncu. Columns: kernel, blocks, block, SM, then cycles of each of twelve accesses.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/constant_cold.cu" -o "$out/constant_cold"
for control in all none; do
  ncu --cache-control $control --metrics sm__cycles_active.max "$out/constant_cold" | grep '^bank' > "$out/$control.csv"
done
