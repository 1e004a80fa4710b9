#!/usr/bin/env python3
"""examples/suite with small parameters: generation is deterministic, warpsim accepts the traces and ends, all sweeps are
valid, and table.py tells classes that react from those that do not.

usage: suite_test.py WARPSIM
"""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = ROOT / "examples" / "suite"
sys.path.insert(0, str(SUITE))
import generate as generator  # noqa: E402

# A workload of each class, so small that all together take some seconds.
SMALL = {
    "stream": ["mib=1", "blocks=4"],
    "reuse": ["blocks=2"],
    "l2_reuse": ["footprint_mib=0.5", "rounds=2", "blocks=2"],
    "thrash": ["rounds=6", "blocks=2"],
    "scan": ["rounds=6", "blocks=2"],
    "pollution": ["rounds=4", "blocks=2"],
    "stride_512": ["steps=30", "blocks=2"],
    "gather": ["steps=4", "blocks=2"],
    "compute": ["steps=4", "blocks=2"],
    "mixed": ["steps=2", "blocks=2"],
    "unbalanced": ["steps=1", "phases=2", "blocks=2"],
    "divergent_8": ["steps=2", "blocks=2"],
    "shared_8": ["steps=4", "blocks=2"],
    "sharing": ["mib=0.25", "blocks=4"],
    "writes_partial": ["mib=1", "blocks=4"],
}


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def run(*command, expected=0):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    check(
        result.returncode == expected,
        f"{' '.join(map(str, command))} ended with {result.returncode} instead of {expected}:\n{result.stdout}{result.stderr}",
    )
    return result.stdout + result.stderr


def generate(warpsim, folder, workload, parameters):
    """Writes the small workload under the plain name."""
    command = [sys.executable, SUITE / "generate.py", folder, "--warpsim", warpsim, "--only", workload]
    run(*command, "--parameters", *parameters)
    suffix = "_".join(word.replace("=", "_") for word in parameters)
    (folder / f"{workload}_{suffix}.wtrace").replace(folder / f"{workload}.wtrace")


def check_names():
    """suite.toml names classes, parameters and sweeps that exist."""
    suite = tomllib.loads((SUITE / "suite.toml").read_text())
    for name, entry in suite["workloads"].items():
        known = generator.parameters_of(entry["class"])
        for key in entry:
            check(key == "class" or key in known, f"{name} has the parameter {key}, which {entry['class']} lacks")
    used = {entry["class"] for entry in suite["workloads"].values()}
    check(used == set(generator.workloads.CLASSES), "a class has no workload")
    files = {path.stem for path in (SUITE / "sweeps").glob("*.yaml")}
    check(files == {entry["file"] for entry in suite["sweep"]} | {suite["ideal"]["file"]}, "suite.toml lacks a sweep")
    return list(suite["workloads"])


def check_sweeps(warpsim, folder, names):
    """All points of all sweeps are valid. The traces do not matter: one takes the place of those that were not made."""
    for name in names:
        if not (folder / f"{name}.wtrace").exists():
            shutil.copyfile(folder / "compute.wtrace", folder / f"{name}.wtrace")
    for sweep in sorted((SUITE / "sweeps").glob("*.yaml")):
        run(warpsim, "sweep", folder / sweep.name, "--dry-run", "--out", folder / "none.db")


def check_runs(warpsim, folder):
    """Every class runs to its end, executes what the generator wrote and moves what it should."""
    traces = [folder / f"{name}.wtrace" for name in SMALL]
    database = folder / "all.db"
    run(warpsim, "run", *traces, "--strict", "--gpu", folder / "small.yaml", "--out", database, "--max-cycles", "1000000")
    connection = sqlite3.connect(database)
    rows = connection.execute("SELECT run_name, status, cycles, instructions FROM kernel_summary").fetchall()
    check(len(rows) == len(SMALL), f"{len(rows)} launches were stored")
    for name, status, cycles, instructions in rows:
        check(status == "complete" and cycles > 0 and instructions > 0, f"{name}: {status}, {cycles}, {instructions}")
    unknown = connection.execute("SELECT count(*) FROM run_note WHERE note LIKE '%listing%'").fetchone()[0]
    check(unknown == 0, "a trace has no listing")
    return {row[0]: row[2] for row in rows}


def cycles(warpsim, folder, name, *settings):
    database = folder / "reactions.db"
    words = [word for setting in settings for word in ("--set", setting)]
    run(warpsim, "run", folder / f"{name}.wtrace", "--gpu", folder / "small.yaml", "--out", database, "--replace", *words)
    return sqlite3.connect(database).execute("SELECT cycles FROM kernel_summary WHERE run_name = ?", (name,)).fetchone()[0]


def check_reactions(warpsim, folder, plain):
    prefetched = cycles(warpsim, folder, "stride_512", "sm.l1.prefetcher=stride")
    check(prefetched * 1.2 < plain["stride_512"], f"the prefetcher gives {prefetched} of {plain['stride_512']} cycles")
    small_l1 = "sm.l1.capacity_kib=64"
    lru, brrip = (cycles(warpsim, folder, "thrash", small_l1, f"sm.l1.replacement={rule}") for rule in ("lru", "brrip"))
    check(brrip * 1.15 < lru, f"BRRIP gives {brrip} of {lru} cycles")
    one_pipe = cycles(warpsim, folder, "compute", "sm.execution.units.fma.count=1")
    check(one_pipe > plain["compute"], f"one pipe gives {one_pipe} of {plain['compute']} cycles")


def check_table(warpsim, folder):
    """table.py succeeds for a set that does not fit in 64 KiB, and fails for one that always fits."""
    command = [sys.executable, SUITE / "table.py", folder, "--warpsim", warpsim, "--only", "reuse"]
    run(*command)
    page = (folder / "suite.md").read_text()
    check("| reuse | `sm.l1.capacity_kib=32` |" in page and "**no**" not in page, page)
    generate(warpsim, folder, "reuse", ["blocks=2", "footprint_kib=16"])
    said = run(*command, expected=1)
    check("reuse: reuse, `sm.l1.capacity_kib=32`" in said, said)


def check_page():
    """docs/suite.md begins with the text of the suite and has a section for each sweep."""
    page = (ROOT / "docs" / "suite.md").read_text()
    check(page.startswith((SUITE / "page_head.md").read_text()), "docs/suite.md begins with another text than page_head.md")
    suite = tomllib.loads((SUITE / "suite.toml").read_text())
    for entry in [*suite["sweep"], suite["ideal"]]:
        check(f"\n## {entry['file']}\n" in page, f"docs/suite.md lacks {entry['file']}; renew it with table.py --out")
    check("**no**" not in page, "docs/suite.md shows an expectation that is not met")


def main():
    warpsim = Path(sys.argv[1]).resolve()
    names = check_names()
    check_page()
    with tempfile.TemporaryDirectory() as temporary:
        folder, again = Path(temporary) / "suite", Path(temporary) / "again"
        for workload, parameters in SMALL.items():
            generate(warpsim, folder, workload, parameters)
        for workload in ("gather", "unbalanced"):
            generate(warpsim, again, workload, SMALL[workload])
            same = (folder / f"{workload}.wtrace").read_bytes() == (again / f"{workload}.wtrace").read_bytes()
            check(same, f"{workload} differs from one generation to the next")
        plain = check_runs(warpsim, folder)
        check_reactions(warpsim, folder, plain)
        check_table(warpsim, folder)
        check_sweeps(warpsim, folder, names)


if __name__ == "__main__":
    main()
