#!/bin/sh
# Needs a GPU, nvcc and ncu. Columns: profiled (caches emptied before each launch), repetition, blocks, round, then the
# mean latency over blocks of the round's load in each of eight pages.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/tlb_cold.cu" -o "$out/tlb_cold"
{
  "$out/tlb_cold" | sed 's/^/0,/'
  ncu --cache-control all --target-processes all "$out/tlb_cold" 2> /dev/null | grep '^[0-9]' | sed 's/^/1,/'
} > "$out/results.csv"
