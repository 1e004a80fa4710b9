"""Measured and simulated launches, joined by workload and launch index, and the microbenchmarks."""

import csv
import sqlite3
import sys
from dataclasses import dataclass, field
from pathlib import Path

from .arithmetic import hit_rate

L1_HIT_RATE = "L1 hit rate of global loads (.pct)"
L2_HIT_RATE = "L2 hit rate of requests from L1 (.pct)"
NOT_METRICS = {"workload", "launch", "kernel", "grid", "block", "status", "runs"}


@dataclass
class Launch:
    suite: str  # name of the CSV file: public, extra, pytorch
    workload: str
    index: int
    kernel: str
    grid: str
    block: str
    hardware: dict
    spreads: dict  # metric: (minimum, maximum) of repeated measurements
    simulated: dict = field(default_factory=dict)

    @property
    def label(self):
        return f"{self.workload}[{self.index}]"


@dataclass
class Results:
    launches: list  # measured and simulated
    not_simulated: list  # labels of measured launches
    metrics: list  # every metric of the CSV files, in their order
    reasons: dict  # metric without a simulated value: reason
    runs: list  # rows of the table `run`, as dictionaries

    def suite(self, name):
        return [launch for launch in self.launches if launch.suite == name]


def fail(message):
    sys.exit(f"accuracy: {message}")


def number(text):
    return float(text) if text not in ("", "n/a", "nan", "NaN", None) else None


def add_hit_rates(values):
    load = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup"
    values[L1_HIT_RATE] = hit_rate(values, f"{load}_hit.sum", f"{load}_miss.sum")
    tex = "lts__t_sectors_srcunit_tex_lookup"
    values[L2_HIT_RATE] = hit_rate(values, f"{tex}_hit.sum", f"{tex}_miss.sum")


def read_hardware(path):
    """Launches of one CSV file that passed, and its metrics."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    metrics = [name for name in reader.fieldnames or [] if name not in NOT_METRICS and " (" not in name]
    launches = []
    for row in rows:
        if row.get("status", "PASS") != "PASS":
            continue
        spreads = {}
        for metric in metrics:
            least, greatest = number(row.get(f"{metric} (min)")), number(row.get(f"{metric} (max)"))
            if least is not None and greatest is not None:
                spreads[metric] = (least, greatest)
        values = {metric: number(row[metric]) for metric in metrics}
        add_hit_rates(values)
        text = [row.get(name, "") for name in ("kernel", "grid", "block")]
        launches.append(Launch(path.stem, row["workload"], int(row["launch"]), *text, values, spreads))
    return launches, metrics


def read_database(path):
    """(runs, {(run, launch): {metric: value}}, reasons) of the simulated launches that were completed."""
    if not Path(path).is_file():
        fail(f"{path}: the results database does not exist")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        runs = [dict(row) for row in connection.execute("SELECT * FROM run WHERE source = 'simulated' ORDER BY name")]
        values = {}
        for row in connection.execute(
            "SELECT m.run_name, m.launch_index, m.metric, m.value FROM metrics m JOIN launch l USING (run_id, launch_index)"
            " WHERE m.source = 'simulated' AND l.status = 'complete'"
        ):
            values.setdefault((row["run_name"], row["launch_index"]), {})[row["metric"]] = row["value"]
        reasons = dict(tuple(row) for row in connection.execute("SELECT metric, reason FROM metric_status"))
    except sqlite3.DatabaseError as error:
        fail(f"{path}: not a results database of this version ({error})")
    finally:
        connection.close()
    for launch in values.values():
        add_hit_rates(launch)
    return runs, values, reasons


def check_runs(runs, path):
    """A page has one description and one way to run it."""
    for name, what in (("config_hash", "several GPU descriptions"), ("version", "several versions of warpsim")):
        if len({run[name] for run in runs}) > 1:
            fail(f"{path}: holds runs of {what}; expected one")
    warm = [run["name"] for run in runs if run["cache_control"] != "all"]
    if warm:
        fail(f"{path}: {', '.join(warm)}: run with --cache-control none; hardware was measured with empty caches")


def load(database, hardware_files):
    runs, simulated, reasons = read_database(database)
    check_runs(runs, database)
    launches, missing, metrics = [], [], []
    for path in hardware_files:
        measured, names = read_hardware(path)
        metrics += [name for name in names if name not in metrics]
        for launch in measured:
            values = simulated.get((launch.workload, launch.index))
            if values is None:
                missing.append(launch.label)
                continue
            launch.simulated = values
            launches.append(launch)
    if not launches:
        fail(f"{database}: none of its launches was measured")
    return Results(launches, missing, metrics, reasons, runs)


@dataclass
class Probe:
    """One microbenchmark."""

    family: str
    name: str
    unit: str
    hardware: float
    least: float
    greatest: float
    simulated: float  # None: not covered
    error: float  # a share, None: not covered
    status: str  # why it is not covered


def read_microbench(path):
    """The CSV file of `warpsim_microbench --csv`. A value that is not covered has a reason instead of an error."""
    probes = []
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        missing = {"bench", "name", "hardware", "simulated", "error_percent", "reason"} - set(reader.fieldnames or [])
        if missing:
            fail(f"{path}: expected the columns {', '.join(sorted(missing))} in the first line")
        for line, row in enumerate(reader, 2):
            try:
                hardware, least, greatest, simulated, error = (
                    number(row.get(name)) for name in ("hardware", "min", "max", "simulated", "error_percent")
                )
            except ValueError as problem:
                fail(f"{path}:{line}: expected numbers as hardware, min, max, simulated and error_percent ({problem})")
            error = error / 100 if error is not None else None
            probes.append(
                Probe(row["bench"], row["name"], row.get("unit", ""), hardware, least, greatest, simulated, error, row["reason"])
            )
    return probes
