"""Joins the list of accesses of texture_traffic with the profiler's counters of its launches, in the same order."""
import csv
import sys

accesses = list(csv.reader(open(sys.argv[1], encoding="utf-8")))
counters = list(csv.reader(open(sys.argv[2], encoding="utf-8")))
columns = [i for i, name in enumerate(counters[0]) if name.startswith("l1tex__") and name.endswith(".sum")]
launches = counters[2:]  # below the header are the units
if len(launches) != len(accesses) - 1:
    sys.exit(f"{len(accesses) - 1} accesses but {len(launches)} profiled launches")
print(",".join(accesses[0] + [counters[0][i] for i in columns]))
for access, launch in zip(accesses[1:], launches):
    print(",".join(access + [launch[i] for i in columns]))
