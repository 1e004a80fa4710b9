#!/bin/sh
# Needs a GPU of 132 SMs, nvcc and ncu. h200.csv: the launch as scattered_merging.cu names it, then the counters of L2.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/scattered_merging.cu" -o "$out/scattered_merging"
metrics=lts__t_requests_srcunit_tex.sum,lts__t_sectors_srcunit_tex.sum
"$here/../launches_to_csv.py" lines,sectors,common_bytes,loads,warps,sms,rounds,asked_sectors $metrics \
  "$out/scattered_merging" > "$out/h200.csv"
