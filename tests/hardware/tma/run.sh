#!/bin/sh
# Needs a Hopper GPU, nvcc and ncu. Columns: see tma.cu; sectors.csv: counters of multicast copies, clusters 1, 2, 4, 8.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a "$here/tma.cu" -o "$out/tma"
"$out/tma" > "$out/results.csv"
ncu --csv --clock-control none --cache-control none --metrics "regex:lts__t_(sectors|requests)(_op_read|_srcunit_tex)?.sum$,\
regex:l1tex__m_.*bytes.*sum$,regex:lts__lts2xbar.*sum$,regex:.*multicast.*sum$,gpc__cycles_elapsed.max" \
  "$out/tma" multicast |
  python3 "$here/../counters_to_csv.py" lts__ gpc__ xbar2l1tex_read_sectors read_requests_mem_global_op_tma > "$out/sectors.csv"
# For two launches each.
for kernel in 'store_latency<' 'latency<.*1>' 'burst<.*1>' 'burst<.*0>'; do
  ncu --csv --clock-control none --cache-control none --kernel-name-base demangled -k regex:"$kernel" --launch-skip 40 -c 2 \
    --metrics "regex:l1tex__data_pipe_lsu_wavefronts(_mem_.*)?.sum$,regex:l1tex__data_bank.*sum$,regex:l1tex__.*tma.*sum$,\
smsp__inst_executed.sum,regex:smsp__inst_executed_pipe_[a-z]*.sum$,\
regex:smsp__average_warps_issue_stalled.*_per_issue_active.ratio" "$out/tma"
done | python3 "$here/../counters_to_csv.py" l1tex inst_executed ratio > "$out/counters.csv"
