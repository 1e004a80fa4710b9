#!/usr/bin/env python3
"""A sweep of 96 points whose processes are repeatedly killed at random moments: it ends with the same database as
an undisturbed one, and no finished point is simulated twice. Further: a second driver is refused, SIGINT ends it
cleanly, a changed file keeps its points, points that fail are reported.

usage: local_test.py WARPSIM
"""

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sweep_testing import (FinishedPoints, LIMITED, check, check_same, content, kill, processes, run, seeded, wait_until,
                           write_sweep)

WAYS = [2, 4, 8, 16]
CLOCKS = list(range(1000, 3400, 200))
POINTS = 2 * len(WAYS) * len(CLOCKS)
DISTURBANCES = 10


def disturb(process, state, choose, calm_s):
    """Kills the driver, workers, or both, a random time after the start: a part of the time of the undisturbed sweep,
    so that several processes are killed before it is complete. True if the driver had ended by itself."""
    try:
        process.wait(choose.uniform(0.02, 0.25) * calm_s)
        return True
    except subprocess.TimeoutExpired:
        pass
    what = choose.choice(["driver", "worker", "both", "all"])
    workers = processes(state, "run")
    if workers and what != "driver":
        for worker in workers if what == "all" else [choose.choice(workers)]:
            kill(worker)
    if what == "worker":
        try:
            process.wait(choose.uniform(0.01, 0.1) * calm_s)
            return True
        except subprocess.TimeoutExpired:
            pass
    process.kill()
    process.wait()
    return False


def killed_again_and_again(warpsim, folder, choose):
    sweep = write_sweep(folder / "sweep.yaml", WAYS, CLOCKS)
    calm = folder / "calm.db"
    began = time.monotonic()
    run([warpsim, "sweep", sweep, "--out", calm], LIMITED)
    calm_s = time.monotonic() - began
    out = folder / "disturbed.db"
    state = f"{out}.sweep"
    finished = FinishedPoints(state)
    command = [warpsim, "sweep", sweep, "--out", out]
    kills = 0
    steps = []
    for _ in range(DISTURBANCES):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended = disturb(process, state, choose, calm_s)
        kills += 0 if ended else 1
        wait_until(lambda: not processes(state, "run"), 5, "workers outlive their driver")
        steps.append(finished.look())
        check(process.returncode in (-signal.SIGKILL, LIMITED, 1), f"a driver ended with {process.returncode}")
        if out.exists():
            break
    print(f"{kills} times killed; finished points: {steps}", flush=True)
    check(kills >= 3, "too few kills to mean anything")
    while True:
        code = subprocess.run(command, capture_output=True).returncode
        finished.look()
        if code == LIMITED:
            break
        check(code == 1, f"the sweep ended with {code}")
    check(finished.look() == POINTS, "points are missing")
    check_same(out, calm, POINTS)
    left = list(Path(state, "running").iterdir())
    check(not left, f"left behind: {left}")
    run(command, LIMITED)
    check(finished.look() == POINTS, "points were simulated again")
    check_same(out, calm, POINTS)


def one_driver_at_a_time_and_interrupts(warpsim, folder):
    sweep = write_sweep(folder / "sweep.yaml", WAYS, CLOCKS)
    out = folder / "interrupted.db"
    command = [warpsim, "sweep", sweep, "--out", out, "--jobs", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finished = FinishedPoints(f"{out}.sweep")
    wait_until(lambda: finished.look() > 2, 30, "no point is finished")
    check("another process works on this sweep" in run(command, 2), "a second driver is not refused")
    process.send_signal(signal.SIGINT)
    text, errors = process.communicate(timeout=120)
    check(process.returncode == 128 + signal.SIGINT, f"SIGINT: ended with {process.returncode}\n{text}{errors}")
    check("stopped: " in text and "To continue:\n  warpsim sweep " in text, f"SIGINT: printed {text}")
    check(not processes(f"{out}.sweep", "run"), "SIGINT leaves workers")
    check(not out.exists() and finished.look() > 2, "SIGINT loses points")


def changed_file_keeps_its_points(warpsim, folder):
    out = folder / "grows.db"
    command = [warpsim, "sweep", folder / "grows.yaml", "--out", out]
    finished = FinishedPoints(f"{out}.sweep")
    write_sweep(folder / "grows.yaml", [2, 4], [1000])
    run(command, LIMITED)
    check(finished.look() == 4, "four points")
    write_sweep(folder / "grows.yaml", [4, 8, 2], [1000])
    check("(4 were finished before)" in run(command, LIMITED), "points of the earlier file are not used")
    check(finished.look() == 6, "two points were to be simulated")
    names, _ = content(out)
    check(
        names == [f"{trace}@test_tiny[l2.num_ways={ways},clocks.dram_mhz=1000]"
                  for trace in ("vecadd", "two_kernels") for ways in (4, 8, 2)],
        f"the points are not those of the file, in its order: {names}",
    )


def failed_points_are_named(warpsim, folder):
    """Launch 1 exists in only one of the two traces, which is detected when it runs."""
    sweep = write_sweep(folder / "fails.yaml", [2, 4], [1000], extra="launches: 1\n")
    sweep.write_text(sweep.read_text().replace(", launches: 0", ""))
    out = folder / "fails.db"
    said = run([warpsim, "sweep", sweep, "--out", out], 1)
    for ways in (2, 4):
        check(f"point vecadd@test_tiny[l2.num_ways={ways},clocks.dram_mhz=1000] failed: exit code 2" in said, said)
    check("the trace vecadd has only 1 launches" in said, said)
    check(f"2 of 4 points are in {out}" in said, said)
    names, _ = content(out)
    check(len(names) == 2 and all("two_kernels" in name for name in names), f"the good points are stored: {names}")
    said = run([warpsim, "sweep", sweep, "--out", out, "--collect"], 1)
    check("point vecadd@test_tiny[l2.num_ways=2,clocks.dram_mhz=1000] failed: exit code 2" in said, said)


def main():
    warpsim = Path(sys.argv[1]).resolve()
    choose = seeded()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="a sweep's [folder] ") as name:
        folder = Path(name)
        for case in (
            lambda: changed_file_keeps_its_points(warpsim, folder),
            lambda: failed_points_are_named(warpsim, folder),
            lambda: one_driver_at_a_time_and_interrupts(warpsim, folder),
            lambda: killed_again_and_again(warpsim, folder, choose),
        ):
            case()
    print(f"passed in {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
