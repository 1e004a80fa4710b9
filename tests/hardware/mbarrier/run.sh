#!/bin/sh
# Needs a Hopper GPU and nvcc. Columns: measurement, variant, repeat, cycles.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a "$here/mbarrier.cu" -o "$out/mbarrier"
"$out/mbarrier" > "$out/results.csv"
# Counters of each launch, in the order of mbarrier.cu's main.
ncu --csv --clock-control none --metrics "regex:l1tex__data_pipe_lsu_wavefronts(_mem_.*)?.sum$,smsp__inst_executed.sum,\
regex:smsp__inst_executed_pipe_[a-z]*.sum$,regex:smsp__average_warps_issue_stalled.*_per_issue_active.ratio,sm__cycles_active.max" \
  "$out/mbarrier" | python3 "$here/../counters_to_csv.py" l1tex inst_executed ratio cycles > "$out/counters.csv"
