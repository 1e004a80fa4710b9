#!/bin/sh
# Needs a Hopper GPU and nvcc. Columns: measurement, variant, repeat, cycles.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a "$here/mbarrier.cu" -o "$out/mbarrier"
"$out/mbarrier" > "$out/results.csv"
