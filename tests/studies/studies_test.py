#!/usr/bin/env python3
"""examples/studies with small parameters: studies.toml, the sweeps and docs/studies.md agree, the own prefetcher loads, and
the direction of one result of each of three studies holds.

usage: studies_test.py WARPSIM COMPILER
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "studies"))
import study  # noqa: E402

# Parameters of the workloads that run.
SMALL = {
    "l1_thrash": {"blocks": 2, "rounds": 6},
    "l1_moving_40": {"blocks": 2, "rounds": 6},
    "streams_2": {"blocks": 2, "rounds": 12},
    "strides_8": {"blocks": 2, "steps": 40},
}


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def run(*command, folder):
    result = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False, cwd=folder)
    check(result.returncode == 0, f"{' '.join(map(str, command))} fails:\n{result.stdout}{result.stderr}")
    return result.stdout


def check_names(config):
    """All names that studies.toml uses exist."""
    sweeps = {entry["file"]: study.Sweep(entry, None) for entry in config["sweep"]}
    files = {path.stem for path in (study.HERE / "sweeps").glob("*.yaml")}
    check(files == set(sweeps), "studies.toml and the folder of sweeps differ")
    check(sorted(files) == sorted(name for entry in config["study"] for name in entry["sweeps"]), "a sweep has no study")
    used = {name for sweep in sweeps.values() for name in sweep.workloads()}
    check(used == set(config["workloads"]), f"workloads differ: {used ^ set(config['workloads'])}")
    for entry in config["workloads"].values():
        known = study.generate.parameters_of(entry["class"])
        check(set(entry) <= {"class", *known}, f"{entry} has a parameter that its class lacks")
    for entry in config["study"]:
        for part in [part for trend in entry["trends"] for part in trend["here"]]:
            sweep = sweeps[part["sweep"]]
            known = {*sweep.groups, *sweep.entry["means"], *sweep.workloads()}
            check(part["of"] in known and part["point"] in sweep.points, f"{entry['name']}: {part}")


def check_sweeps(config, warpsim, folder):
    """Each sweep has the points and the traces of its entry. The traces do not matter: one replaces all others."""
    for name in config["workloads"]:
        if not (folder / f"{name}.wtrace").exists():
            shutil.copyfile(folder / "strides_8.wtrace", folder / f"{name}.wtrace")
    for entry in config["sweep"]:
        sweep = study.Sweep(entry, None)
        listed = run(warpsim, "sweep", f"{entry['file']}.yaml", "--dry-run", "--out", "none.db", folder=folder)
        for name in sweep.workloads():
            for point in sweep.points.values():
                wanted = f"{name}@small[{point}]" if point else f"{name}@small"
                check(wanted in listed, f"{entry['file']}.yaml lacks {wanted}:\n{listed}")


def check_page(config):
    page = (ROOT / "docs" / "studies.md").read_text()
    check(page.startswith(study.PAGE_HEAD.read_text()), "docs/studies.md begins with another text than page_head.md")
    for entry in config["study"]:
        check(f"\n## {entry['title']}\n" in page, f"docs/studies.md lacks {entry['title']}; renew it with study.py --out")
        for sentence in study.bullets([*entry["comparable"], *entry["findings"]]):
            check(sentence in page, f"docs/studies.md lacks the sentence: {sentence}")
    check("**no**" not in page, "docs/studies.md shows an expectation that is not met")


class Runs:
    def __init__(self, warpsim, folder):
        self.warpsim = warpsim
        self.folder = folder

    def cycles(self, workload, *settings):
        words = [word for setting in settings for word in ("--set", setting)]
        command = [self.warpsim, "run", f"{workload}.wtrace", "--gpu", "./small.yaml", "--out", "runs.db", "--replace"]
        run(*command, *words, folder=self.folder)
        query = "SELECT cycles FROM kernel_summary WHERE run_name = ?"
        return sqlite3.connect(self.folder / "runs.db").execute(query, (workload,)).fetchone()[0]


def check_replacement(runs):
    size = "sm.l1.capacity_kib=64"
    lru, srrip, drrip = (runs.cycles("l1_thrash", size, f"sm.l1.replacement={rule}") for rule in ("lru", "srrip", "drrip"))
    check(drrip * 1.08 < min(lru, srrip), f"a loop: LRU {lru}, SRRIP {srrip}, DRRIP {drrip} cycles")
    lru, srrip = (runs.cycles("l1_moving_40", size, f"sm.l1.replacement={rule}") for rule in ("lru", "srrip"))
    check(lru * 1.05 < srrip, f"sets that move: LRU {lru}, SRRIP {srrip} cycles")


def check_bypassing(runs):
    small, large = (("sm.l1.sets=32", f"sm.l1.capacity_kib={size}") for size in (16, 32))
    plain, twice = runs.cycles("streams_2", *small), runs.cycles("streams_2", *large)
    bypassing = runs.cycles("streams_2", *small, "sm.l1.insertion=reuse_by_pc")
    check(bypassing * 1.15 < plain, f"bypassing gives {bypassing} of {plain} cycles")
    check(bypassing < twice * 1.15, f"bypassing takes {bypassing} cycles, twice the capacity {twice}")


def check_prefetching(runs):
    plain = runs.cycles("strides_8")
    per_warp = runs.cycles("strides_8", "sm.l1.prefetcher=stride")
    per_pc = runs.cycles("strides_8", f"sm.l1.prefetcher=./{study.LIBRARY}:stride_per_pc")
    check(per_warp * 1.4 < plain, f"the prefetcher per warp gives {per_warp} of {plain} cycles")
    check(per_pc * 1.1 > plain, f"the prefetcher per pc gives {per_pc} of {plain} cycles")


def main():
    warpsim = Path(sys.argv[1]).resolve()
    os.environ["CXX"] = sys.argv[2]
    config = study.settings()
    check_names(config)
    check_page(config)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        study.prepare(folder)
        for name, changes in SMALL.items():
            study.write_trace(name, config["workloads"][name], folder, warpsim, changes)
        runs = Runs(warpsim, folder)
        check_replacement(runs)
        check_bypassing(runs)
        check_prefetching(runs)
        check_sweeps(config, warpsim, folder)


if __name__ == "__main__":
    main()
