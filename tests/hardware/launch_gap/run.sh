#!/bin/sh
# Needs a GPU, nvcc and ncu. Columns: kernel, blocks, launch (blocks 1 to 1056 by lengths 16 to 16384 in turn, twelve
# times), metric, value.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/launch_gap.cu" -o "$out/launch_gap"
ncu --csv --cache-control all --print-units base \
  --metrics gpc__cycles_elapsed.max,sm__cycles_active.max,sm__cycles_active.avg,sm__cycles_elapsed.max \
  "$out/launch_gap" 2> /dev/null | grep '^"' > "$out/raw.csv"
python3 - "$out/raw.csv" > "$out/results.csv" << 'PYTHON'
import csv, sys
launches = {}
for row in csv.DictReader(open(sys.argv[1])):
    entry = launches.setdefault(int(row["ID"]), {"kernel": row["Kernel Name"], "grid": row["Grid Size"]})
    entry[row["Metric Name"]] = row["Metric Value"].replace(",", "")
lengths = [16, 256, 1024, 4096, 16384]
print("store,blocks,length,repetition,gpc__cycles_elapsed.max,sm__cycles_active.max,sm__cycles_active.avg,sm__cycles_elapsed.max")
for number, entry in sorted(launches.items()):
    print(number % 2, entry["grid"].strip("()").split(",")[0], lengths[number // 2 % 5], number // 60,
          *[entry[m] for m in ("gpc__cycles_elapsed.max", "sm__cycles_active.max", "sm__cycles_active.avg", "sm__cycles_elapsed.max")], sep=",")
PYTHON
rm "$out/raw.csv"
