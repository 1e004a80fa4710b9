#!/bin/sh
# Needs a GPU, nvcc and ncu. Writes h200_sectors.csv and h200_latency.csv.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/texture_traffic.cu" -o "$out/texture_traffic"
"$out/texture_traffic" latency > "$out/h200_latency.csv"
"$out/texture_traffic" > "$out/accesses.csv"
metrics=l1tex__t_requests_pipe_tex.sum,l1tex__t_sectors_pipe_tex.sum,l1tex__t_sectors_pipe_tex_lookup_miss.sum
ncu --csv --page raw --cache-control all --clock-control none --metrics "$metrics" "$out/texture_traffic" 2>/dev/null |
  grep '^"' > "$out/counters.csv"
python3 "$here/join.py" "$out/accesses.csv" "$out/counters.csv" > "$out/h200_sectors.csv"
