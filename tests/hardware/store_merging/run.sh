#!/bin/sh
# Needs a GPU, nvcc and ncu. h200.csv: the launch as store_merging.cu names it, then the counters of L2.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/store_merging.cu" -o "$out/store_merging"
metrics=lts__t_requests_srcunit_tex_op_write.sum,lts__t_sectors_srcunit_tex_op_write.sum,gpc__cycles_elapsed.max
"$here/../launches_to_csv.py" \
  bytes,stores,next_bytes,lane_bytes,lanes,gap_cycles,pause_cycles,warps,blocks,groups $metrics \
  "$out/store_merging" > "$out/h200.csv"
