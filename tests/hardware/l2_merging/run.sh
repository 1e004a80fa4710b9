#!/bin/sh
# Needs a GPU, nvcc and ncu. results.csv: launches in the order of the program (warps 1, 4, 16; delays of each SM after
# the previous one; dependent loads or not), then sectors and requests that L2 counts. 132 blocks request 32,768 sectors
# each.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/l2_merging.cu" -o "$out/l2_merging"
metrics=lts__t_sectors_srcunit_tex.sum,lts__t_requests_srcunit_tex.sum,lts__t_sectors_srcunit_ltcfabric.sum
metrics=$metrics,lts__t_sectors_srcnode_gpc.sum,lts__t_sectors_op_read.sum,gpc__cycles_elapsed.max
metrics=$metrics,l1tex__m_xbar2l1tex_read_sectors.sum
ncu --csv --cache-control none --print-units base --metrics $metrics "$out/l2_merging" 2> /dev/null | grep '^"' > "$out/raw.csv"
python3 - "$out/raw.csv" > "$out/results.csv" << 'PYTHON'
import csv, sys
launches, names = {}, []
for row in csv.DictReader(open(sys.argv[1])):
    launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = row["Metric Value"].replace(",", "")
    if row["Metric Name"] not in names:
        names.append(row["Metric Name"])
print("warps", "delay", "dependent", *names, sep=",")
order = [(w, d, k) for w in (1, 4, 16) for d in (0, 4, 16, 64, 256, 1024) for k in (1, 0)]
for number, values in sorted(launches.items()):
    print(*order[number], *[values[n] for n in names], sep=",")
PYTHON
rm "$out/raw.csv"
