#!/bin/sh
# Needs a GPU, nvcc and ncu. results.csv: test, kind, pattern, place, blocks, warps, then by test: rounds, cycles and issue of
# so many rounds and of thrice as many, cycles an access from the difference (sm, slice, spread, turns, random, shared);
# cycles (latency); clocks of accesses (timeline, shared_burst). counters.csv: what Nsight Compute counts of four accesses.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
program=${2:-$out/atomics}
[ -x "$program" ] || nvcc -O3 -std=c++20 -arch=native "$here/atomics.cu" -o "$program"
"$program" > "$out/results.csv"
ncu --query-metrics 2> /dev/null | awk '{print $1}' | grep -E '^(l1tex__|lts__|smsp__|sm__)' > "$out/names"
metrics=gpc__cycles_elapsed.max
for name in l1tex__t_requests_pipe_lsu_mem_global_op_red l1tex__t_requests_pipe_lsu_mem_global_op_atom \
  l1tex__t_sectors_pipe_lsu_mem_global_op_red l1tex__t_sectors_pipe_lsu_mem_global_op_atom \
  l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_red l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_atom \
  l1tex__t_set_accesses_pipe_lsu_mem_global_op_red l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom \
  l1tex__data_pipe_lsu_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared l1tex__data_bank_conflicts_pipe_lsu \
  l1tex__m_l1tex2xbar_req_cycles_active l1tex__m_l1tex2xbar_write_bytes l1tex__m_l1tex2xbar_write_sectors \
  l1tex__m_xbar2l1tex_read_sectors l1tex__m_xbar2l1tex_read_bytes l1tex__lsu_writeback_active l1tex__lsuin_requests \
  l1tex__m_l1tex2xbar_write_bytes_mem_lg_op_red l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_red \
  l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_atom l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_atom \
  lts__t_requests_srcunit_tex lts__t_sectors_srcunit_tex lts__t_requests_srcunit_tex_op_red lts__t_sectors_srcunit_tex_op_red \
  lts__t_requests_srcunit_tex_op_atom lts__t_sectors_srcunit_tex_op_atom lts__d_atomic_input_cycles_active \
  lts__t_tag_requests lts__d_sectors lts__xbar2lts_cycles_active lts__lts2xbar_cycles_active; do
  if grep -qx "$name" "$out/names"; then metrics=$metrics,$name.sum; fi
done
metrics=$metrics,lts__t_sectors.avg,lts__t_sectors.sum,lts__t_sectors.max
ncu --csv --page raw --cache-control none --metrics "$metrics" "$program" counters 2> /dev/null | grep '^"' > "$out/raw.csv"
python3 - "$here/patterns.h" "$out/raw.csv" > "$out/counters.csv" << 'PYTHON'
import csv, re, sys
patterns = re.findall(r'\{"(\w+)", \w+, \[\]', open(sys.argv[1]).read())
rows = list(csv.reader(open(sys.argv[2])))
columns = [i for i, n in enumerate(rows[0]) if n.endswith(".sum") and n.startswith(("l1tex__", "lts__"))]
print("pattern", "kind", *[rows[0][i] for i in columns], sep=",")
for number, row in enumerate(rows[2:]):
    print(patterns[number // 2], ("red", "atom")[number % 2], *[row[i].replace(",", "") for i in columns], sep=",")
PYTHON
rm "$out/raw.csv" "$out/names"
