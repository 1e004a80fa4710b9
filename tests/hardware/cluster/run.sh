#!/bin/sh
# Needs a Hopper GPU, nvcc and ncu. results.csv and placement.csv name their columns; launch.csv: cycles of empty kernels
# of 128 threads, clusters of 1, 2, 4, 8 (outer) by grids of 8, 32, 128, 264, 528, 1056 blocks.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a "$here/cluster.cu" -o "$out/cluster"
"$out/cluster" > "$out/results.csv"
"$out/cluster" placement > "$out/placement.csv"
ncu --csv --clock-control none --metrics gpc__cycles_elapsed.max,sm__cycles_active.max,launch__grid_size,launch__cluster_dim_x \
  "$out/cluster" launch | python3 "$here/../counters_to_csv.py" cycles cluster_dim grid > "$out/launch.csv"
