#!/bin/sh
# Needs a GPU, nvcc and ncu. Writes launches.csv (description of each launch) and counters.csv (launch, metric, value)
# into the directory.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -arch=native "$here/memory_rules.cu" -o "$out/memory_rules"
"$out/memory_rules" >"$out/launches.csv"
metrics=gpc__cycles_elapsed.max,gpc__cycles_elapsed.avg.per_second,lts__cycles_elapsed.avg.per_second
metrics=$metrics,dram__cycles_elapsed.avg.per_second
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum
metrics=$metrics,lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors_srcunit_tex_op_write.sum
metrics=$metrics,lts__t_sectors_srcunit_tex_lookup_hit.sum,lts__t_sectors_srcunit_tex_lookup_miss.sum
metrics=$metrics,dram__sectors_read.sum,dram__sectors_write.sum,dram__bytes_read.sum,dram__bytes_write.sum
ncu --clock-control none --cache-control all --metrics "$metrics" --print-units base --csv "$out/memory_rules" |
  python3 "$here/../counters_to_csv.py" gpc__ lts__ dram__ l1tex__ >"$out/counters.csv"
