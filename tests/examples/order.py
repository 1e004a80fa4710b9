#!/usr/bin/env python3
"""Runs the examples and the bundled traces with one and several threads, in random order, and without skipping: the
databases must have the same content.

Usage: order.py WARPSIM
"""

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VARIANTS = [["--threads", "2"], ["--threads", "16"], ["--shuffle", "1"], ["--threads", "3", "--shuffle", "2"], ["--no-skip"]]
OF_HOST = {"run_host", "run_writer", "launch_host"}
SECONDS = 300
# One cycle after the other, these take minutes.
LONG_WITHOUT_SKIP = {"sgemm_reg", "wmma_gemm", "softmax", "mutex", "locks"}


def content(path):
    """All rows of all tables but those that describe the host."""
    database = sqlite3.connect(path)
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = {name: sorted(map(repr, database.execute(f'SELECT * FROM "{name}"'))) for name in set(tables) - OF_HOST}
    database.close()
    return rows


def run(binary, words, folder):
    path = folder / "results.db"
    path.unlink(missing_ok=True)
    command = [binary, "run", *words, "--gpu", "h200", "--name", "x", "--out", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}: {result.stderr}")
    return content(path)


def workloads():
    for launch in sorted(ROOT.glob("examples/*/launch.yaml")):
        for ptx in sorted(launch.parent.glob("*.ptx")):
            if ptx.stem == launch.parent.name:
                yield ptx.stem, [str(ptx), "--launch", str(launch)]
    for trace in sorted(ROOT.glob("traces/*.wtrace")):
        yield trace.stem, [str(trace), "--progress", "never"]


def main():
    binary = sys.argv[1]
    failures = 0
    launches = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for workload, words in workloads():
            usual = run(binary, words, folder)
            launches += len(usual["launch"])
            for variant in VARIANTS:
                if variant == ["--no-skip"] and workload in LONG_WITHOUT_SKIP:
                    continue
                other = run(binary, words + variant, folder)
                for table in sorted(usual):
                    if usual[table] != other[table]:
                        print(f"{workload} with {' '.join(variant)}: table {table} differs")
                        failures += 1
    print(f"{launches} launches, {failures} differences")
    return 1 if failures or launches < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
