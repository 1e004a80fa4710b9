#!/bin/sh
# Needs a GPU of 132 SMs, nvcc and ncu. results.csv: reading SMs, their number, lag of each after the previous one
# (cycles), bytes per lane, lanes with their own address, requested sectors, then the counters of L2.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/l2_lag.cu" -o "$out/l2_lag"
metrics=lts__t_sectors_srcunit_tex.sum,lts__t_requests_srcunit_tex.sum
ncu --csv --cache-control none --print-units base --kernel-name regex:read_in_turn --metrics $metrics "$out/l2_lag" \
  2> /dev/null > "$out/all.csv"
grep '^"' "$out/all.csv" > "$out/raw.csv"
grep '^[0-9]' "$out/all.csv" > "$out/plan.csv"
python3 - "$out/raw.csv" "$out/plan.csv" > "$out/results.csv" << 'PYTHON'
import csv, sys
launches, names = {}, []
for row in csv.DictReader(open(sys.argv[1])):
    launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = row["Metric Value"].replace(",", "")
    if row["Metric Name"] not in names:
        names.append(row["Metric Name"])
print("who,sms,lag,width,lanes,asked", *names, sep=",")
for (number, values), plan in zip(sorted(launches.items()), csv.reader(open(sys.argv[2]))):
    print(*plan[1:], *[values[n] for n in names], sep=",")
PYTHON
rm "$out/raw.csv" "$out/all.csv" "$out/plan.csv"
