#!/usr/bin/env python3
"""Converts `ncu --csv` to lines of launch, metric, value. Usage: counters_to_csv.py PART_OF_A_NAME... < in > out"""

import csv
import sys

rows = csv.reader(line for line in sys.stdin if line.startswith('"'))
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["launch", "metric", "value"])
launch, previous, header = -1, None, []
for row in rows:
    if row[0] == "ID":
        header, previous = row, None
        continue
    if row[0] != previous:
        launch, previous = launch + 1, row[0]
    metric = row[header.index("Metric Name")]
    value = row[header.index("Metric Value")].replace(",", "")
    if any(part in metric for part in sys.argv[1:]) and value not in ("", "0", "0.00"):
        out.writerow([launch, metric, value])
