#!/bin/sh
# Needs a GPU, nvcc and ncu. Writes h200.csv, the medians of three runs with empty caches.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/texture_kernels.cu" -o "$out/texture_kernels"
metrics=gpc__cycles_elapsed.max,sm__cycles_active.avg,smsp__inst_executed.sum
metrics=$metrics,l1tex__t_requests_pipe_tex.sum,l1tex__t_sectors_pipe_tex.sum
metrics=$metrics,l1tex__t_sectors_pipe_tex_lookup_miss.sum,lts__t_sectors_srcunit_tex.sum,dram__bytes_read.sum
for run in 1 2 3; do
  ncu --csv --page raw --cache-control all --clock-control none --metrics "$metrics" "$out/texture_kernels" 2>/dev/null |
    grep '^"' > "$out/counters_$run.csv"
done
python3 "$here/medians.py" "$out"/counters_?.csv > "$out/h200.csv"
