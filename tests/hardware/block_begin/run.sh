#!/bin/sh
# Needs a GPU, nvcc and ncu. Columns of results.csv: profiler (none, or its cache control), repetition, threads, blocks,
# then mean and maximum over blocks of the cycles to the first use of a parameter, over 16 instructions, over a barrier.
# active_*.csv: cycles of the same launches, in their order.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/block_begin.cu" -o "$out/block_begin"
{
  "$out/block_begin" | sed -n 's/^DATA,/none,/p'
  for control in all none; do
    ncu --cache-control $control "$out/block_begin" 2> /dev/null | sed -n "s/^DATA,/ncu-$control,/p"
  done
} > "$out/results.csv"
for control in all none; do
  ncu --csv --cache-control $control --print-units base \
    --metrics gpc__cycles_elapsed.max,sm__cycles_active.max,sm__cycles_active.avg "$out/block_begin" 2> /dev/null |
    grep '^"' | cut -d, -f1,8- > "$out/active_$control.csv"
done
