#!/usr/bin/env python3
"""Joins the names of the launches with their counters. Usage: summary.py NAMES COUNTERS > h200.csv"""

import csv
import sys

REASONS = ["short_scoreboard", "imc_miss", "no_instruction", "branch_resolving", "drain", "wait", "mio_throttle"]

with open(sys.argv[1], encoding="utf-8") as file:
    names = [line.strip().split(",")[1:] for line in file if line.startswith("DATA")]
with open(sys.argv[2], encoding="utf-8") as file:
    rows = [row for row in csv.DictReader(line for line in file if line.startswith('"')) if row["ID"]]
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["body", "warps", "resident blocks", "gpc__cycles_elapsed.max", "active cycles of an SM per block",
              "cycles of a warp", "instructions of a warp"] + [f"{reason} cycles of a warp" for reason in REASONS])
for (body, warps, one), row in zip(names, rows, strict=True):
    value = {name: float(text.replace(",", "")) for name, text in row.items() if "__" in name and text}
    blocks = value["sm__ctas_launched.sum"]
    of_warp = blocks * int(warps)
    issues = value["smsp__issue_active.sum"] / of_warp
    stalls = [value[f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"] * issues for reason in REASONS]
    out.writerow([body, warps, "one" if one == "1" else "all", f"{value['gpc__cycles_elapsed.max']:.0f}",
                  f"{value['sm__cycles_active.sum'] / blocks:.1f}", f"{value['sm__warps_active.sum'] / of_warp:.1f}",
                  f"{value['smsp__inst_executed.sum'] / of_warp:.2f}"] + [f"{cycles:.1f}" for cycles in stalls])
