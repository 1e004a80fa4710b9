#!/bin/sh
# Needs a GPU, nvcc, ncu and python3. Writes h200.csv: a row for each launch, with lifetimes and stall reasons in cycles of a
# warp.
set -eu
out=${1:?usage: run.sh OUTPUT_FILE}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=native "$here/block_lifetimes.cu" -o "$work/block_lifetimes"
"$work/block_lifetimes" > "$work/names"
metrics=gpc__cycles_elapsed.max,sm__cycles_active.sum,sm__warps_active.sum,sm__ctas_launched.sum,smsp__inst_executed.sum
metrics=$metrics,smsp__issue_active.sum
for reason in short_scoreboard imc_miss no_instruction branch_resolving drain wait mio_throttle; do
  metrics=$metrics,smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio
done
ncu --csv --page raw --print-units base --clock-control none --cache-control none --metrics "$metrics" \
  "$work/block_lifetimes" > "$work/counters" 2> /dev/null
python3 "$here/summary.py" "$work/names" "$work/counters" > "$out"
