#!/usr/bin/env python3
"""Runs the sweeps of the suite, writes their table, and checks that each class reacts as suite.toml expects.

usage: table.py [FOLDER] [--warpsim PROGRAM] [--jobs N] [--only SWEEP ...] [--no-run] [--out FILE]

FOLDER is that of generate.py, ./suite by default; the databases of the sweeps are beside the traces. --no-run takes the
databases that are there. The table goes to FOLDER/suite.md; --out docs/suite.md of the checkout renews the page. The exit
code is 1 if a class does not react, or if an ideal part makes a workload slower.
"""

import argparse
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

from generate import HERE, program

PAGE_HEAD = HERE / "page_head.md"


class Results:
    """The runs of one sweep: by trace and point, in their order; a point is the text in the brackets of the name."""

    def __init__(self, database):
        self.connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        self.database = database
        self.runs = {}
        for run_id, name, cycles in self.connection.execute(
            "SELECT run_id, run_name, cycles FROM kernel_summary ORDER BY run_id"
        ):
            trace, _, rest = name.partition("@")
            self.runs[trace, rest.partition("[")[2].removesuffix("]")] = (run_id, cycles)
        self.traces = list(dict.fromkeys(trace for trace, _ in self.runs))

    def points(self, trace):
        return [point for other, point in self.runs if other == trace]

    def find(self, trace, point):
        if (trace, point) not in self.runs:
            sys.exit(f"{self.database}: there is no run of {trace} with '{point}'")
        return self.runs[trace, point]

    def cycles(self, trace, point=""):
        return self.find(trace, point)[1]

    def column(self, trace, point, name):
        """A column of kernel_summary, or the sum of a counter named COMPONENT NAME; None if the run has none."""
        run_id = self.find(trace, point)[0]
        component, _, counter = name.partition(" ")
        if not counter:
            return self.connection.execute(f"SELECT {name} FROM kernel_summary WHERE run_id = ?", (run_id,)).fetchone()[0]
        query = "SELECT sum(value) FROM counters WHERE run_id = ? AND component = ? AND name = ?"
        return self.connection.execute(query, (run_id, component, counter)).fetchone()[0]


def check_ratio(check, results, subject, reference):
    """What is said about the cycles, and whether the minimum is reached."""
    key = "faster" if "faster" in check else "slower"
    cycles = results.cycles(*subject), results.cycles(*reference)
    ratio = cycles[1] / cycles[0] if key == "faster" else cycles[0] / cycles[1]
    return f"{ratio:.2f} times {key}, at least {check[key]:.2f}", ratio >= check[key]


def check_column(check, results, subject, reference):
    key = "more" if "more" in check else "less"
    values = [results.column(*place, check["column"]) or 0 for place in (subject, reference)]
    difference = values[0] - values[1] if key == "more" else values[1] - values[0]
    return f"{check['column']} {number(difference)} {key}, at least {number(check[key])}", difference >= check[key]


def judge(check, results):
    """(what was expected of whom, what was measured, whether it is enough)"""
    subject = check["trace"], check["point"]
    reference = check.get("than_trace", check["trace"]), check.get("than", "")
    said, good = check_ratio(check, results, subject, reference)
    if "column" in check:
        more, also = check_column(check, results, subject, reference)
        said, good = f"{said}; {more}", good and also
    against = f" compared with {reference[0]}" if reference[0] != subject[0] else ""
    against += f" compared with {label(reference[1])}" if reference[1] else ""
    return f"{subject[0]}, {label(subject[1])}{against}", said, good


def label(point):
    return f"`{point}`" if point else "as described"


def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}"


def description(sweep):
    """The comment of a sweep file."""
    return " ".join(line.removeprefix("# ") for line in sweep.read_text().splitlines() if line.startswith("#"))


def expectations(entry, judgements, heading, failures):
    """The table of what judge() has returned for each check of a sweep."""
    lines = [f"| {heading} | measured | |", "| --- | --- | --- |"]
    for expected, measured, good in judgements:
        lines.append(f"| {expected} | {measured} | {'yes' if good else '**no**'} |")
        if not good:
            failures.append(f"{entry['file']}: {expected}: {measured}")
    return [*lines, ""]


def sweep_part(entry, results, failures):
    """The section of a sweep: description, results, expectations."""
    columns = entry["columns"]
    said = description(HERE / "sweeps" / f"{entry['file']}.yaml")
    lines = [f"## {entry['file']}", "", said, "", entry["note"], ""]
    lines.append("| workload | setting | cycles | relative | " + " | ".join(columns) + " |")
    lines.append("| --- | --- | ---: | ---: |" + " ---: |" * len(columns))
    for trace in results.traces:
        for point in results.points(trace):
            cycles = results.cycles(trace, point)
            values = [number(results.column(trace, point, column)) for column in columns]
            cells = [trace, label(point), f"{cycles:,}", f"{cycles / results.cycles(trace):.3f}", *values]
            lines.append("| " + " | ".join(cells) + " |")
    judgements = [judge(check, results) for check in entry["checks"]]
    return [*lines, "", *expectations(entry, judgements, "expected to react", failures)]


def ideal_part(entry, results, failures):
    """The table of ideal parts: cycles relative to the machine as it is."""
    points = [point for point in results.points(results.traces[0]) if point]
    lines = ["## ideal", "", "Cycles with one ideal part, relative to the GPU as it is. An ideal part changes the order of"]
    lines += [f"requests, so that a launch can become slower by some percent; {entry['slower']:.2f} is the limit.", ""]
    short = [f"`{point.partition(',')[0].removesuffix('=true')}`" for point in points]
    lines.append("| workload | cycles | " + " | ".join(short) + " |")
    lines.append("| --- | ---: |" + " ---: |" * len(points))
    for trace in results.traces:
        ratios = [results.cycles(trace, point) / results.cycles(trace) for point in points]
        lines.append(f"| {trace} | {results.cycles(trace):,} | " + " | ".join(f"{ratio:.3f}" for ratio in ratios) + " |")
        for point, ratio in zip(points, ratios):
            if ratio > entry["slower"]:
                failures.append(f"{entry['file']}: {trace} is {ratio:.3f} times as slow with {point}")
    return [*lines, ""]


def results_of(name, options, warpsim):
    database = options.folder / f"{name}.db"
    if not options.no_run:
        command = [warpsim, "sweep", options.folder / f"{name}.yaml", "--out", database, "--jobs", str(options.jobs)]
        print(f"{name}: {' '.join(map(str, command))}", flush=True)
        if subprocess.run([*command, "--replace"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
            sys.exit(f"the sweep {name} failed")
    if not database.is_file():
        sys.exit(f"{database} does not exist; run without --no-run first")
    return Results(database)


def parse_options(description_of_script, folder):
    """The options of the script with this description; `folder` is its default folder."""
    parser = argparse.ArgumentParser(usage=description_of_script.partition("usage: ")[2].partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(folder))
    parser.add_argument("--warpsim")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--no-run", action="store_true")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def require_known(words, kind, names):
    for word in words:
        if word not in names:
            sys.exit(f"there is no {kind} '{word}'; expected one of {', '.join(names)}")


def write_page(out, lines, failures):
    """Writes the page, prints what is not as expected, and ends the script."""
    out.write_text("\n".join(lines).rstrip() + "\n")
    print(f"{out} is written; {len(failures)} expectations are not met")
    for failure in failures:
        print(f"  {failure}")
    sys.exit(1 if failures else 0)


def main():
    options = parse_options(__doc__, "suite")
    warpsim = None if options.no_run else program(options.warpsim)
    suite = tomllib.loads((HERE / "suite.toml").read_text())
    parts = [(entry, sweep_part) for entry in suite["sweep"]] + [(suite["ideal"], ideal_part)]
    names = [entry["file"] for entry, _ in parts]
    require_known(options.only, "sweep", names)
    lines, failures = PAGE_HEAD.read_text().splitlines() + [""], []
    for entry, write_part in parts:
        if not options.only or entry["file"] in options.only:
            lines += write_part(entry, results_of(entry["file"], options, warpsim), failures)
    write_page(options.out or options.folder / "suite.md", lines, failures)


if __name__ == "__main__":
    main()
