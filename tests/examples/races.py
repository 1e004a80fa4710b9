#!/usr/bin/env python3
"""Runs the examples with --check races on several GPUs, without and with time.

usage: races.py WARPSIM [--gpus LIST] [--ways LIST]

No example may be reported, but for KNOWN. Each must end, with the results that its launch file expects.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CAPABILITIES = {"t4": 75, "a100": 80, "h200": 90}
WAYS = {"functional": ["--functional-only"], "timed": ["--max-cycles", "5000000"]}
LIMIT_SECONDS = 60

# Races in the examples: PTX file, kernel, and the first and last line of the later access. The thread that gives a
# cuda::pipeline up last destroys its barriers for all. It learns by `match.any.sync` that the other threads of its warp
# have also given the pipeline up, which orders no accesses: the end of the barriers may come before their last use.
KNOWN = {"async_copy_sm_80.ptx": ("_Z23copy_in_shared_pipelinePKiPii", 940, 952)}


def target_of(ptx):
    return int(re.search(r"^\.target sm_(\d+)", ptx.read_text(), re.MULTILINE).group(1))


def is_known(ptx, line):
    if ptx.name not in KNOWN:
        return False
    kernel, first, last = KNOWN[ptx.name]
    found = re.match(rf"warpsim: {re.escape(str(ptx))}:(\d+): kernel {kernel}: a race ", line)
    return found is not None and first <= int(found.group(1)) <= last


def check(warpsim, ptx, launch, gpu, way):
    command = [warpsim, "run", str(ptx), "--launch", str(launch), "--gpu", gpu, "--check", "races", *WAYS[way]]
    try:
        outcome = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"has not ended after {LIMIT_SECONDS} seconds"
    races = [line for line in outcome.stderr.splitlines() if ": a race (" in line]
    unknown = [line for line in races if not is_known(ptx, line)]
    if unknown:
        return "\n".join(unknown)
    if ptx.name in KNOWN and not races:
        return "the known race was not found"
    if outcome.returncode != (1 if races else 0) or "warpsim: races: " not in outcome.stderr:
        return f"exit code {outcome.returncode}: {outcome.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsim")
    parser.add_argument("--gpus", default=",".join(CAPABILITIES))
    parser.add_argument("--ways", default=",".join(WAYS))
    options = parser.parse_args()
    runs = failures = 0
    for ptx in sorted(EXAMPLES.glob("*/*.ptx")):
        target = target_of(ptx)
        for launch in sorted(ptx.parent.glob("launch*.yaml")):
            for gpu in options.gpus.split(","):
                if CAPABILITIES[gpu] < target:
                    continue
                for way in options.ways.split(","):
                    runs += 1
                    if problem := check(options.warpsim, ptx, launch, gpu, way):
                        failures += 1
                        print(f"{ptx.name} {launch.name} {gpu} {way}: {problem}")
    print(f"{runs} runs, {failures} failed")
    return 1 if failures or runs == 0 else 0


sys.exit(main())
