"""Shared by the tests of sweeps: a small sweep, search for processes by their files, comparison of contents."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from database_content import rows_by_table  # noqa: E402

LIMITED = 3  # exit code of a sweep whose points stop at max_cycles


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def write_sweep(path, ways, clocks, extra=""):
    """Two small traces on the tiny GPU, every combination of ways and clocks; each point takes some 30 ms."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"""gpus: test_tiny
traces:
  - {{path: {ROOT}/traces/vecadd.wtrace, launches: 0}}
  - {ROOT}/tests/data/two_kernels
options: {{max_cycles: 1500}}
grid:
  l2.num_ways: {ways}
  clocks.dram_mhz: {clocks}
{extra}"""
    )
    return path


def content(database):
    """All rows of all tables except those of the host, as lines."""
    connection = sqlite3.connect(f"file:{database}?mode=ro".replace("#", "%23"), uri=True)
    check(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], f"{database} is damaged")
    check(connection.execute("PRAGMA foreign_key_check").fetchall() == [], f"{database} refers to rows that are not there")
    lines = [f"{table} {row}" for table, rows in rows_by_table(connection).items() for row in rows]
    names = [row[0] for row in connection.execute("SELECT name FROM run ORDER BY run_id")]
    connection.close()
    return names, lines


def check_same(one, other, points):
    names, lines = content(one)
    other_names, other_lines = content(other)
    check(len(names) == points and len(set(names)) == points, f"{one} has {len(names)} points instead of {points}")
    check(names == other_names, f"{one} and {other} hold other points or another order")
    for a, b in zip(lines, other_lines):
        check(a == b, f"{one} and {other} differ:\n{a[:300]}\n{b[:300]}")
    check(len(lines) == len(other_lines), f"{one} and {other} have different numbers of rows")


class FinishedPoints:
    """Finished points, which must not change between two checks."""

    def __init__(self, folder):
        self.folder = Path(folder) / "points"
        self.known = {}

    def look(self):
        now = {}
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                status = path.stat()
                now[path.name] = (status.st_ino, status.st_mtime_ns, status.st_size)
        for name, status in self.known.items():
            check(now.get(name) == status, f"the finished point {name} was lost or made again")
        self.known = now
        return len(now)


def processes(marker, *words):
    """All processes whose command line contains the marker and all the words, by number."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            line = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and any(str(marker) in part for part in line) and all(word in line for word in words):
            found.append(int(entry.name))
    return found


def kill(number):
    try:
        os.kill(number, signal.SIGKILL)
    except ProcessLookupError:
        pass


def wait_until(condition, seconds, message):
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, message)
        time.sleep(0.05)


def run(command, expected, **keywords):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, **keywords)
    check(
        result.returncode == expected,
        f"{' '.join(map(str, command))} ended with {result.returncode} instead of {expected}:\n{result.stdout}{result.stderr}",
    )
    return result.stdout + result.stderr


def seeded():
    seed = int(os.environ.get("WARPSIM_SWEEP_SEED", random.SystemRandom().randrange(10**6)))
    print(f"WARPSIM_SWEEP_SEED={seed}", flush=True)
    return random.Random(seed)
