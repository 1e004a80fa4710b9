"""Runs the simulator: once as described, and once for each mechanism that is idealised, switched off or replaced."""

import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .arithmetic import compare, summarise
from .reading import fail, load

CYCLES = "gpc__cycles_elapsed.max"
# Every key of docs/config-reference.md that idealises a mechanism, and the choices of policy.
ABLATIONS = (
    ("block_scheduler.placement.policy=round_robin", "thread blocks placed in turn"),
    ("sm.sub_core.dependences=scoreboard", "a scoreboard instead of control bits"),
    ("sm.sub_core.scheduler.policy=cggty", "greedy, then youngest"),
    ("sm.sub_core.scheduler.policy=gto", "greedy, then oldest"),
    ("sm.sub_core.scheduler.policy=lrr", "round robin among warps"),
    ("sm.sub_core.scheduler.policy=two_level", "two-level warp scheduler"),
    ("sm.sub_core.scheduler.policy=criticality_aware", "the warp that is most behind its block first"),
    ("sm.sub_core.fetch.perfect=true", "every fetch hits"),
    ("sm.sub_core.fetch.prefetch_lines=0", "no stream buffer"),
    ("sm.sub_core.register_file.ideal=true", "no read-port conflicts"),
    ("sm.sub_core.register_file.reuse_cache=false", "no register cache"),
    ("sm.sub_core.result_bus.ideal=true", "no write-port conflicts"),
    ("sm.execution.ideal=true", "pipes take an instruction every cycle"),
    ("sm.execution.units.fma.count=1", "no second half of the FMA pipe"),
    ("sm.l1.unlimited_mshrs=true", "any number of outstanding L1 lines"),
    ("sm.l1.perfect=true", "every load hits L1"),
    ("sm.l1.replacement=srrip", "lines used once leave L1 first"),
    ("sm.l1.prefetcher=stride", "a stride prefetcher in L1"),
    ("sm.constant_caches.perfect=true", "constant caches hit"),
    ("gpc_cache.perfect=true", "the caches of a GPC hit"),
    ("crossbar.zero_latency=true", "crossbar hops take a cycle"),
    ("crossbar.unlimited_bandwidth=true", "no limit of crossbar rates"),
    ("l2.perfect=true", "every request hits L2"),
    ("l2.replacement=random", "random replacement in L2"),
    ("l2.replacement=drrip", "dynamic prediction of reuse in L2"),
    ("l2.prefetcher=next_line", "the next line of a slice is prefetched"),
    ("l2.unlimited_mshrs=true", "any number of outstanding L2 misses"),
    ("l2.unlimited_bandwidth=true", "no limit of L2 lookups and data"),
    ("l2_fabric.zero_latency=true", "hops between L2 partitions take a cycle"),
    ("l2_fabric.unlimited_bandwidth=true", "no limit between L2 partitions"),
    ("dram.page_policy=closed", "rows are closed after use"),
    ("dram.scheduler=first_come", "DRAM serves each bank in order"),
    ("dram.ideal=true", "DRAM with fixed latency and no limit"),
)


@dataclass
class Ablation:
    override: str
    meaning: str
    changed: int  # launches whose cycles differ from the run as described
    launches: int
    mean: float
    bias: float
    worst: str


def run_name(path):
    """The name of the run of this trace in warpsim."""
    path = path.resolve()
    if path.is_file():
        return path.name[: -len(".wtrace")] if path.name.endswith(".wtrace") else path.stem
    return path.parent.name if path.name == "traces" else path.name


def simulate(warpsim, gpu, traces, database, jobs, overrides=()):
    """Writes a new results database; an unfinished one never has that name."""
    partial = database.with_suffix(".partial.db")
    for path in (partial, database):
        for suffix in ("", "-wal", "-shm"):
            Path(str(path) + suffix).unlink(missing_ok=True)
    command = [warpsim, "run", *map(str, traces), "--gpu", gpu, "--out", str(partial), "--jobs", str(jobs)]
    command += ["--progress", "never"]
    for override in overrides:
        command += ["--set", override]
    result = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if result.returncode != 0:
        fail(f"'{' '.join(command)}' ended with status {result.returncode}")
    partial.rename(database)


def traces_of(results_database):
    """(run, trace) of the database."""
    connection = sqlite3.connect(f"file:{results_database}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT name, trace FROM run WHERE source = 'simulated' ORDER BY name").fetchall()
    finally:
        connection.close()


def ablation_database(folder, override):
    return folder / f"ablation-{override}.db"


def evaluate_ablation(override, meaning, database, hardware_file, baseline):
    launches = load(database, [hardware_file]).launches
    comparisons = compare(CYCLES, launches)
    summary = summarise(comparisons)
    changed = sum(1 for c in comparisons if baseline.get(c.launch) != c.simulated)
    worst = summary.worst[0]
    return Ablation(
        override, meaning, changed, summary.launches, summary.mean, summary.bias, f"{worst.launch} {100 * worst.error:+.1f} %"
    )
