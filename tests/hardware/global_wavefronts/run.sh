#!/bin/sh
# Needs a GPU, nvcc and ncu. h200.csv: the launch as global_wavefronts.cu names it, then the counters of L1.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/global_wavefronts.cu" -o "$out/global_wavefronts"
metrics=l1tex__data_pipe_lsu_wavefronts.sum,l1tex__data_bank_conflicts_pipe_lsu.sum
"$here/../launches_to_csv.py" operation,bytes,lane_bytes,first_byte,order,warps,accesses,cycles $metrics \
  "$out/global_wavefronts" > "$out/h200.csv"
