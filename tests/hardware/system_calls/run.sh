#!/bin/sh
# Needs a GPU, nvcc and ncu. Writes ncu.csv, from which h200.csv was made, a row for each launch.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/system_calls.cu" -o "$out/system_calls"
ncu --csv --cache-control all --clock-control none --log-file "$out/ncu.csv" \
  --metrics gpc__cycles_elapsed.max,sm__cycles_active.max,smsp__inst_executed.sum "$out/system_calls" > /dev/null
