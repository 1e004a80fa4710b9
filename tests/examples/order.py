#!/usr/bin/env python3
"""Runs the examples and the bundled traces with one and several threads, in random order, and without skipping: the
databases, with time series and hot spots, and the timelines must have the same content.

--short: two traces, with threads only, for ThreadSanitizer, which leaves no addresses for the memory of PTX.
"""

import argparse
import contextlib
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from database_content import rows_by_table  # noqa: E402

VARIANTS = [["--threads", "16", "--shuffle", "1"], ["--no-skip"]]
SECONDS = 300
SHORT = {"scan", "transpose"}
SHORT_VARIANTS = [["--threads", "4", "--shuffle", "1"]]
# One cycle after the other, these take minutes.
LONG_WITHOUT_SKIP = {"device_heap", "sgemm_reg", "wmma_gemm", "softmax", "mutex", "locks"}


def run(binary, words, folder):
    """Content of the database, and of the timeline."""
    results = folder / "results.db"
    timeline = folder / "timeline.pftrace"
    results.unlink(missing_ok=True)
    timeline.unlink(missing_ok=True)
    command = [binary, "run", *words, "--gpu", "h200", "--name", "x", "--sample-interval", "500", "--hot-spots"]
    command += ["--out", str(results), "--timeline", str(timeline), "--timeline-window", "1000:5000"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}: {result.stderr}")
    # The launch that an assertion ends has no timeline.
    recorded = timeline.read_bytes() if timeline.exists() else None
    with contextlib.closing(sqlite3.connect(results)) as connection:
        return {**rows_by_table(connection), "(timeline)": recorded}


def workloads(names):
    for launch in sorted(ROOT.glob("examples/*/launch.yaml")):
        for ptx in sorted(launch.parent.glob("*.ptx")):
            if ptx.stem == launch.parent.name and (names is None or ptx.stem in names):
                yield ptx.stem, [str(ptx), "--launch", str(launch)]
    for trace in sorted(ROOT.glob("traces/*.wtrace")):
        if names is None or trace.stem in names:
            yield trace.stem, [str(trace), "--progress", "never"]


def differences(binary, workload, words, variants, folder):
    """The number of tables that differ, and the number of launches."""
    usual = run(binary, words, folder)
    found = 0
    for variant in variants:
        if variant == ["--no-skip"] and workload in LONG_WITHOUT_SKIP:
            continue
        other = run(binary, words + variant, folder)
        for table in sorted(usual):
            if usual[table] != other[table]:
                print(f"{workload} with {' '.join(variant)}: {table} differs")
                found += 1
    return found, len(usual["launch"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warpsim")
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    failures = 0
    launches = 0
    with tempfile.TemporaryDirectory() as name:
        for workload, words in workloads(SHORT if arguments.short else None):
            variants = SHORT_VARIANTS if arguments.short else VARIANTS
            found, run_launches = differences(arguments.warpsim, workload, words, variants, Path(name))
            failures += found
            launches += run_launches
    print(f"{launches} launches, {failures} differences")
    expected = len(SHORT) if arguments.short else 60
    return 1 if failures or launches < expected else 0


if __name__ == "__main__":
    sys.exit(main())
