#!/bin/sh
# Needs a GPU, nvcc and ncu. Columns of results.csv: profiler (none, or its cache control), repetition, blocks, round,
# then the mean over blocks of the clock after each 512 bytes of code; counters_*.csv: traffic of the same
# launches and of empty ones.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/code_cold.cu" -o "$out/code_cold"
metrics=gpc__cycles_elapsed.max,sm__cycles_active.max,lts__t_sectors_op_read.sum,lts__t_sectors_op_read_lookup_miss.sum,dram__bytes_read.sum
metrics=$metrics,sm__icc_requests.sum,sm__icc_requests_lookup_hit.sum,sm__icc_requests_lookup_miss.sum
{
  "$out/code_cold" | sed 's/^/none,/'
  for control in all none; do
    ncu --cache-control $control "$out/code_cold" 2> /dev/null | grep '^[0-9]' | sed "s/^/ncu-$control,/"
  done
} | awk -F, 'NF == 324' > "$out/results.csv"  # ncu's own messages break a few lines
for control in all none; do
  ncu --csv --cache-control $control --print-units base --metrics $metrics "$out/code_cold" 2> /dev/null |
    grep '^"' > "$out/counters_$control.csv"
done
