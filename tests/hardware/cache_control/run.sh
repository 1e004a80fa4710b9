#!/bin/sh
# Needs a GPU, nvcc and ncu. Writes results.csv next to the given directory.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -arch=native "$here/cache_control.cu" -o "$out/cache_control"
metrics=gpc__cycles_elapsed.max,sm__cycles_active.max,sm__icc_requests.sum,sm__icc_requests_lookup_miss.sum
metrics=$metrics,idc__requests.sum,idc__requests_lookup_miss.sum,lts__t_sectors_op_read.sum
metrics=$metrics,lts__t_sectors_lookup_miss.sum,lts__t_sectors_srcunit_tex.sum,dram__bytes_read.sum
metrics=$metrics,smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio
for control in all none; do
  ncu --clock-control none --cache-control $control --metrics "$metrics" --csv --page raw "$out/cache_control" \
    > "$out/$control.csv"
done
