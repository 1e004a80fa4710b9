#!/bin/sh
# Needs a GPU, nvcc and ncu. results.csv is cycles.csv joined with the counters of ncu.csv by row.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/shared_wavefronts.cu" -o "$out/shared_wavefronts"
"$out/shared_wavefronts" > "$out/cycles.csv"
metrics=l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,l1tex__data_pipe_lsu_wavefronts.sum
metrics=$metrics,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum,l1tex__data_bank_conflicts_pipe_lsu.sum
metrics=$metrics,smsp__inst_executed.sum,smsp__inst_issued.sum
ncu --metrics "$metrics" --csv --page raw "$out/shared_wavefronts" > "$out/ncu.csv"
