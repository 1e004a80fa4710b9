#!/bin/sh
# Needs a GPU, nvcc and ncu. Writes the counters of each launch; h200.csv has them by pattern. windows.csv: lines of each
# store, cycles from the first to the second one, bit i: line i was lost.
set -eu
out=${1:?usage: run.sh OUTPUT_FILE WINDOWS_FILE}
windows=${2:?usage: run.sh OUTPUT_FILE WINDOWS_FILE}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=native "$here/store_losses.cu" -o "$work/store_losses"
l1=l1tex__t_sectors_pipe_lsu_mem_global_op
ncu --csv --page raw --print-units base --clock-control none --cache-control none \
  --metrics "${l1}_ld_lookup_miss.sum,${l1}_st.sum,${l1}_st_lookup_hit.sum" "$work/store_losses" > "$out"
nvcc -O3 -std=c++17 -arch=native "$here/windows.cu" -o "$work/windows"
"$work/windows" > "$windows"
