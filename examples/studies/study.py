#!/usr/bin/env python3
"""Repeats published studies of GPU mechanisms: writes traces, runs sweeps, and compares the trends with the published ones.

usage: study.py [FOLDER] [--warpsim PROGRAM] [--jobs N] [--only STUDY ...] [--no-run] [--out FILE]

FOLDER is ./studies by default; traces, sweeps, the library with the own prefetcher and the databases are there. --no-run
takes the databases that are there. The page goes to FOLDER/studies.md; --out docs/studies.md of the checkout renews the
page. The environment variable CXX names the compiler of the library, by default g++. The exit code is 1 if a result is not
the one that studies.toml expects.
"""

import math
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUITE = HERE.parent / "suite"
sys.path.append(str(SUITE))
import generate  # noqa: E402
import table  # noqa: E402
from table import Results, check_column, check_ratio, number  # noqa: E402

import classes  # noqa: E402

generate.workloads.CLASSES.update(classes.CLASSES)
PAGE_HEAD = HERE / "page_head.md"
LIBRARY = "libstudies.so"


def settings():
    return tomllib.loads((HERE / "studies.toml").read_text())


def prepare(folder):
    """The GPU, the sweeps and the library of the own prefetcher."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in (SUITE / "small.yaml", *sorted((HERE / "sweeps").glob("*.yaml"))):
        shutil.copyfile(file, folder / file.name)
    flags = ["-std=c++20", "-O2", "-shared", "-fPIC", "-I", ROOT / "include"]
    made = subprocess.run(
        [os.environ.get("CXX", "g++"), *flags, HERE / "stride_per_pc.cc", "-o", folder / LIBRARY], check=False
    )
    if made.returncode != 0:
        sys.exit("the library of the own prefetcher does not compile")


def write_trace(name, entry, folder, warpsim, changes=()):
    """Writes the trace of a workload of studies.toml; `changes` are other values of its parameters."""
    parameters = {**entry, **dict(changes)}
    class_name = parameters.pop("class")
    return generate.write(name, class_name, parameters, folder, warpsim, keep_text=False)


class Sweep:
    """A sweep of studies.toml and its results. `points` are labels and points; the first one is the baseline."""

    def __init__(self, entry, database):
        self.entry = entry
        self.points = entry["points"]
        self.base = next(iter(self.points))
        self.groups = entry["groups"]
        self.results = Results(database) if database else None

    def workloads(self):
        return [name for names in self.groups.values() for name in names]

    def speed(self, workload, label, than=None):
        """How many times as fast as with another point."""
        cycles = [self.results.cycles(workload, self.points[point]) for point in (than or self.base, label)]
        return cycles[0] / cycles[1]

    def mean(self, group, label, than=None):
        """The geometric mean of the workloads of a class; of a mean over classes, that of the means of classes."""
        if group in self.groups:
            return geometric(self.speed(workload, label, than) for workload in self.groups[group])
        if group in self.entry["means"]:
            left_out = self.entry["means"][group]
            return geometric(self.mean(name, label, than) for name in self.groups if name not in left_out)
        return self.speed(group, label, than)


def geometric(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def percent(ratio):
    return f"{100 * (ratio - 1):+.1f} %"


def header(first, names):
    return [f"| {first} | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]


def speed_table(sweep):
    """Workloads by class, then means; each cell is the speed relative to the baseline."""
    others = [label for label in sweep.points if label != sweep.base]
    lines = header("class | workload", [f"{sweep.base}, cycles", *others])
    lines[1] = "| --- " + lines[1]
    for group, workloads in sweep.groups.items():
        for workload in workloads:
            cells = [f"{sweep.results.cycles(workload, sweep.points[sweep.base]):,}"]
            cells += [f"{sweep.speed(workload, label):.3f}" for label in others]
            lines.append(f"| {group} | {workload} | " + " | ".join(cells) + " |")
    several = [group for group, workloads in sweep.groups.items() if len(workloads) > 1]
    for mean in [*several, *sweep.entry["means"]]:
        cells = [f"**{sweep.mean(mean, label):.3f}**" for label in others]
        lines.append(f"| **mean** | **{mean}** | | " + " | ".join(cells) + " |")
    return [*lines, ""]


def counter_table(sweep, column):
    lines = header(f"`{column}`", list(sweep.points))
    for workload in sweep.workloads():
        values = [number(sweep.results.column(workload, point, column)) for point in sweep.points.values()]
        lines.append(f"| {workload} | " + " | ".join(values) + " |")
    return [*lines, ""]


def sweep_part(sweep, failures):
    """Speeds, counters, and the results that are checked."""
    said = table.description(HERE / "sweeps" / f"{sweep.entry['file']}.yaml")
    lines = [f"### {sweep.entry['title']}", "", f"{said} Sweep `{sweep.entry['file']}`.", "", *speed_table(sweep)]
    for column in sweep.entry["columns"]:
        lines += counter_table(sweep, column)
    judgements = [judge(check, sweep) for check in sweep.entry["checks"]]
    return lines + table.expectations(sweep.entry, judgements, "expected", failures)


def judge(check, sweep):
    """(what was expected of whom, what was measured, whether it is enough); as in the suite, with labels for points."""
    than = check.get("than", sweep.base)
    subject, reference = [(check["trace"], sweep.points[label]) for label in (check["point"], than)]
    said, good = check_ratio(check, sweep.results, subject, reference)
    if "column" in check:
        more, also = check_column(check, sweep.results, subject, reference)
        said, good = f"{said}; {more}", good and also
    return f"{check['trace']}, {check['point']} compared with {than}", said, good


def trend_part(study, sweeps):
    """Published results beside ours."""
    lines = ["| published | value | here |", "| --- | --- | --- |"]
    for trend in study["trends"]:
        ours = [
            f"{percent(sweeps[part['sweep']].mean(part['of'], part['point'], part.get('than')))} ({part['text']})"
            for part in trend["here"]
        ]
        lines.append(f"| {trend['published']} | {trend['value']} | {', '.join(ours)} |")
    return [*lines, ""]


def bullets(sentences):
    return [f"- {' '.join(sentence.split())}" for sentence in sentences]


def study_part(study, sweeps, failures):
    lines = [f"## {study['title']}", "", " ".join(study["paper"].split()), "", *trend_part(study, sweeps)]
    lines += ["What is comparable:", "", *bullets(study["comparable"]), "", "What the results show:", ""]
    lines += [*bullets(study["findings"]), ""]
    for name in study["sweeps"]:
        lines += sweep_part(sweeps[name], failures)
    return lines


def run_sweep(sweep, folder, warpsim, jobs):
    """In the folder: the path of the library is relative to the current one."""
    name = sweep.entry["file"]
    command = [warpsim, "sweep", f"{name}.yaml", "--out", f"{name}.db", "--jobs", str(jobs), "--replace"]
    print(f"{name}: {' '.join(map(str, command))}", flush=True)
    if subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False).returncode != 0:
        sys.exit(f"the sweep {name} failed")


def simulate(config, entries, options):
    warpsim = generate.program(options.warpsim)
    prepare(options.folder)
    for workload in dict.fromkeys(name for entry in entries for name in Sweep(entry, None).workloads()):
        instructions = write_trace(workload, config["workloads"][workload], options.folder, warpsim)
        print(f"{workload}.wtrace: {instructions:,} warp instructions", flush=True)
    for entry in entries:
        run_sweep(Sweep(entry, None), options.folder, warpsim, options.jobs)


def main():
    options = table.parse_options(__doc__, "studies")
    config = settings()
    table.require_known(options.only, "study", [study["name"] for study in config["study"]])
    studies = [study for study in config["study"] if not options.only or study["name"] in options.only]
    wanted = [name for study in studies for name in study["sweeps"]]
    entries = [entry for entry in config["sweep"] if entry["file"] in wanted]
    if not options.no_run:
        simulate(config, entries, options)
    for name in wanted:
        if not (options.folder / f"{name}.db").is_file():
            sys.exit(f"{options.folder / name}.db does not exist; run without --no-run first")
    sweeps = {entry["file"]: Sweep(entry, options.folder / f"{entry['file']}.db") for entry in entries}
    lines, failures = PAGE_HEAD.read_text().splitlines() + [""], []
    for study in studies:
        lines += study_part(study, sweeps, failures)
    table.write_page(options.out or options.folder / "studies.md", lines, failures)


if __name__ == "__main__":
    main()
