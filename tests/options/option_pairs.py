#!/usr/bin/env python3
"""Runs a trace and a kernel in PTX on one GPU with every pair of the options that change what is built or recorded.

usage: option_pairs.py WARPSIM SOURCE_DIR GPU

The rows of the table are chosen so that each pair of values of two options occurs in at least one run. "mechanisms" means
the first or last one of each kind that a description can choose. Checks for each run: its exit status, the error text if one is expected, that the database contains the requested data, and that
options which only observe (samples, hot spots, timelines, ticking every cycle) change no counter.
"""

import itertools
import json
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS_PER_RUN = 120  # a run that takes longer hangs

# Each option's values; None omits the option.
OPTIONS = {
    "workload": ["trace", "ptx"],
    "--sample-interval": [None, "200"],
    "--hot-spots": [None, ""],
    "--timeline": [None, "timeline.pftrace"],
    "--cache-control": [None, "none"],
    "--dlcm": [None, "ca", "cg"],
    "--no-skip": [None, ""],
    "--strict": [None, ""],
    "--max-cycles": [None, "3000"],
    "--jobs": [None, "2"],
    "--threads": [None, "2"],
    "--shuffle": [None, "7"],
    "mechanisms": [None, "first", "last"],
}
# Options that a kernel in PTX does not have.
TRACE_ONLY = {"--strict", "--jobs"}
# These change the machine or the work; runs that agree in them have the same counters.
MACHINE = ["workload", "--cache-control", "--dlcm", "--max-cycles", "mechanisms"]
# All observing options, compared with the run without any option.
OBSERVERS = {
    "--sample-interval": "200",
    "--hot-spots": "",
    "--timeline": "timeline.pftrace",
    "--no-skip": "",
    "--shuffle": "7",
}


def pairs_of(row):
    return set(itertools.combinations(sorted(row.items(), key=str), 2))


def allowed(row):
    return row["workload"] == "trace" or all(row[option] is None for option in TRACE_ONLY)


def pairwise_rows():
    """Rows that together hold each pair of values that one run may have; greedy, deterministic."""
    names = list(OPTIONS)
    rows = [dict(zip(names, values)) for values in itertools.product(*OPTIONS.values())]
    rows = [(row, pairs_of(row)) for row in rows if allowed(row)]
    missing = set().union(*(pairs for _, pairs in rows))
    plain = rows[0][0]
    chosen = [plain, {**plain, **OBSERVERS}]
    for row in chosen:
        missing -= pairs_of(row)
    while missing:
        row, pairs = max(rows, key=lambda entry: len(entry[1] & missing))
        chosen.append(row)
        missing -= pairs
    return chosen


def mechanism_settings(binary, source, gpu):
    """The first and last mechanism of each key of the GPU, as words of a command."""
    listed = subprocess.run([binary, "mechanisms", "--json"], capture_output=True, text=True, check=True).stdout
    last = [(key, entry["name"]) for entry in json.loads(listed) for key in entry["chosen_by"]]
    with tempfile.TemporaryDirectory() as name:
        results = Path(name) / "results.db"
        trace = source / "traces" / "vecadd.wtrace"
        words = [binary, "run", str(trace), "--gpu", gpu, "--max-cycles", "1", "--out", str(results)]
        subprocess.run(words, capture_output=True, check=False)
        has_l2 = sqlite3.connect(results).execute("SELECT value FROM config WHERE path = 'l2.keeps_lines'").fetchone()[0]
    settings = {}
    for which, mechanisms in (("first", last[::-1]), ("last", last)):
        chosen = {key: name for key, name in mechanisms if has_l2 == "true" or not key.startswith("l2.")}
        settings[which] = [word for key, name in chosen.items() for word in ("--set", f"{key}={name}")]
    return settings


def command(row, binary, source, gpu, folder, mechanisms):
    if row["workload"] == "trace":
        work = [str(source / "traces" / "scan.wtrace")]
    else:
        example = source / "examples" / "vector_add"
        work = [str(example / "vector_add.ptx"), "--launch", str(example / "launch.yaml"), "--force-target"]
    words = [binary, "run", *work, "--gpu", gpu, "--out", str(folder / "results.db")]
    for option, value in row.items():
        if option.startswith("--") and value is not None:
            words.append(option)
            if value:
                words.append(str(folder / value) if option == "--timeline" else value)
    return words + mechanisms.get(row["mechanisms"], [])


class Checks:
    def __init__(self):
        self.failures = []
        self.counters = {}  # of previous rows, by the options that affect them

    def run(self, row, words, folder):
        try:
            result = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS_PER_RUN)
        except subprocess.TimeoutExpired:
            return f"took more than {SECONDS_PER_RUN} s"
        if row["--strict"] is not None and result.returncode == 2:
            # An older capability lacks opcodes of the trace: they are reported, and nothing is stored.
            lines = result.stderr.strip().splitlines()
            if len(lines) != 1 or "--strict" not in lines[0] and "lacks" not in lines[0]:
                return f"--strict ended with {result.stderr!r}"
            return None
        limited = result.returncode == 3
        if limited and row["--max-cycles"] is None or result.returncode not in (0, 3):
            return f"exit status {result.returncode}: {result.stderr.strip()[-400:]}"
        return self.check_database(row, folder, limited)

    def check_database(self, row, folder, limited):
        database = sqlite3.connect(folder / "results.db")
        statuses = [status for (status,) in database.execute("SELECT status FROM run")]
        if statuses != ["limited" if limited else "complete"]:
            return f"status {statuses} after {'a limited' if limited else 'a complete'} run"
        samples, hot_spots = (
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("sample_device", "hot_spot")
        )
        if (samples > 0) != (row["--sample-interval"] is not None):
            return f"{samples} samples"
        # A launch that is stopped early may not have issued anything yet.
        if (hot_spots > 0) != (row["--hot-spots"] is not None) and not (limited and hot_spots == 0):
            return f"{hot_spots} hot spots"
        timeline = folder / "timeline.pftrace"
        if timeline.exists() != (row["--timeline"] is not None) or timeline.exists() and not timeline.stat().st_size:
            return "the timeline is missing, empty or not requested"
        machine = tuple(row[option] for option in MACHINE)
        counters = sorted(database.execute("SELECT launch_index, component, name, value FROM counters"))
        if not counters:
            return "no counters"
        if self.counters.setdefault(machine, counters) != counters:
            other = dict((entry[:3], entry[3]) for entry in self.counters[machine])
            changed = [entry for entry in counters if other.get(entry[:3]) != entry[3]]
            return f"observing changed {len(changed)} counters, the first: {changed[:1]}"
        return None


def main():
    binary, source, gpu = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    checks = Checks()
    rows = pairwise_rows()
    mechanisms = mechanism_settings(binary, source, gpu)
    for row in rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            words = command(row, binary, source, gpu, folder, mechanisms)
            failure = checks.run(row, words, folder)
        if failure:
            checks.failures.append(f"{' '.join(words)}\n  {failure}")
    for failure in checks.failures:
        print(failure)
    print(f"{gpu}: {len(rows) - len(checks.failures)} passed, {len(checks.failures)} failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
