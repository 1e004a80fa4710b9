#!/usr/bin/env python3
"""Profiles a program that prints a line for each launch, and writes these lines with the launches' counters.

usage: launches_to_csv.py COLUMNS METRICS PROGRAM > CSV    COLUMNS: names of the values of a line
"""

import csv
import subprocess
import sys

columns, metrics, program = sys.argv[1:]
names = metrics.split(",")
command = ["ncu", "--csv", "--clock-control", "none", "--cache-control", "none", "--print-units", "base", "--metrics", metrics]
lines = subprocess.run([*command, program], check=True, capture_output=True, text=True).stdout.splitlines()
launches = [line for line in lines if line[:1] != '"' and line.count(",") == columns.count(",")]
counters = {}
for row in csv.DictReader(line for line in lines if line.startswith('"')):
    counters.setdefault(int(row["ID"]), {})[row["Metric Name"]] = row["Metric Value"].replace(",", "")
if len(launches) != len(counters):
    sys.exit(f"{len(launches)} launches printed, {len(counters)} profiled")
print(columns, metrics, sep=",")
for line, number in zip(launches, sorted(counters)):
    print(line, *(counters[number].get(name, "") for name in names), sep=",")
