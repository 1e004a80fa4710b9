#!/usr/bin/env python3
"""A sweep of 96 points on a real Slurm of one node, whose driver and tasks are killed at random moments: it ends with the
same database as on the local machine, and no finished point is simulated twice. Tasks that Slurm or a signal ended are
reported. Ends with 77 and the reason if no Slurm can be started.

usage: slurm_test.py WARPSIM
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import slurm_cluster
from sweep_testing import (FinishedPoints, LIMITED, ROOT, check, check_same, kill, processes, run, seeded, wait_until,
                           write_sweep)

WAYS = [2, 4, 8, 16]
CLOCKS = list(range(1000, 3400, 200))
POINTS = 2 * len(WAYS) * len(CLOCKS)
DISTURBANCES = 6
SKIPPED = 77


class Test:
    def __init__(self, warpsim, folder, cluster, choose):
        self.warpsim = warpsim
        self.folder = folder
        self.cluster = cluster
        self.choose = choose

    def command(self, sweep, out, *words):
        return [self.warpsim, "sweep", sweep, "--out", out, "--engine", "slurm", "--poll", "1", *words]

    def run(self, expected, sweep, out, *words):
        return run(self.command(sweep, out, *words), expected, env=self.cluster.environment)

    def killed_again_and_again(self):
        sweep = write_sweep(self.folder / "sweep.yaml", WAYS, CLOCKS)
        calm = self.folder / "calm.db"
        run([self.warpsim, "sweep", sweep, "--out", calm], LIMITED)
        out = self.folder / "disturbed.db"
        state = f"{out}.sweep"
        finished = FinishedPoints(state)
        command = self.command(sweep, out, "--points-per-task", "8")
        steps = []
        for _ in range(DISTURBANCES):
            process = subprocess.Popen(command, env=self.cluster.environment, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(self.choose.uniform(0.1, 3))
            for _ in range(self.choose.randrange(3)):
                self.kill_a_task(state)
            process.kill()
            process.wait()
            steps.append(finished.look())
        print(f"finished points at each kill: {steps}", flush=True)
        jobs = self.jobs(state)
        check(len(jobs) <= 2 * DISTURBANCES + 2, f"arrays that still run are submitted again: {jobs}")
        while True:
            code = subprocess.run(command, env=self.cluster.environment, capture_output=True).returncode
            finished.look()
            if code == LIMITED:
                break
            check(code == 1, f"the sweep ended with {code}")
        check(finished.look() == POINTS, "points are missing")
        check_same(out, calm, POINTS)

    def kill_a_task(self, state):
        victims = processes(state, "--slurm-task") + processes(state, "run")
        if victims:
            kill(self.choose.choice(victims))

    @staticmethod
    def jobs(state):
        return [path.read_text() for path in sorted(Path(state, "slurm").glob("*/job"))]

    def what_runs_is_not_submitted_again(self):
        sweep = write_sweep(self.folder / "waits.yaml", WAYS, [1000, 2000])
        out = self.folder / "waits.db"
        state = f"{out}.sweep"
        said = self.run(0, sweep, out, "--no-wait", "--slurm-args", "--hold", "--points-per-task", "2")
        check("16 of 16 points are submitted to Slurm" in said, said)
        check(len(self.jobs(state)) == 1, "one array")
        said = self.run(1, sweep, out, "--collect")
        check("16 points are not finished" in said, said)
        Path(state, "slurm", "000000", "job").unlink()  # as if the driver had been killed before it could store it
        process = subprocess.Popen(self.command(sweep, out), env=self.cluster.environment)
        wait_until(lambda: len(self.jobs(state)) == 1, 10, "the array is not found again")
        self.cluster.command("scontrol", "release", self.jobs(state)[0])
        check(process.wait(60) == LIMITED, f"the sweep ended with {process.returncode}")
        check(len(self.jobs(state)) == 1, f"submitted again: {self.jobs(state)}")

    def ended_tasks_are_named(self):
        """One task is killed with its shell, one is cancelled, one loses its node."""
        sweep = self.folder / "slow.yaml"
        sweep.write_text(
            f"gpus: h200\ntraces: {ROOT}/traces/bfs.wtrace\noptions: {{no_skip: true}}\n"
            "points: [{l2.num_ways: 2}, {l2.num_ways: 4}, {l2.num_ways: 8}]\n"
        )
        out = self.folder / "slow.db"
        state = f"{out}.sweep"
        process = subprocess.Popen(self.command(sweep, out, "--slurm-args", "--no-requeue", "--jobs", "2"),
                                   env=self.cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: self.stopped(state) == 2, 30, "two points run")
        job = self.jobs(state)[0]
        kill(self.task_process(state, job, 0))
        wait_until(lambda: self.task_process(state, job, 2) and self.stopped(state) == 2, 60, "the third point runs")
        self.cluster.command("scancel", f"{job}_1")
        wait_until(lambda: self.stopped(state) == 1, 30, "the second point is cancelled")
        self.cluster.command("scontrol", "update", f"NodeName={self.cluster.node}", "State=DOWN", "Reason=test")
        said, errors = process.communicate(timeout=60)
        self.cluster.command("scontrol", "update", f"NodeName={self.cluster.node}", "State=RESUME")
        check(process.returncode == 1, f"the sweep ended with {process.returncode}: {said}{errors}")
        for ways, task, end in ((2, 0, "FAILED"), (4, 1, "CANCELLED"), (8, 2, "NODE_FAIL")):
            start = f"point bfs@h200[l2.num_ways={ways}] failed: Slurm task {job}_{task}: {end}"
            check(start in errors, f"expected '{start}' in\n{errors}")
        check("no point is finished" in errors and not out.exists(), errors)
        wait_until(lambda: self.cluster.command("sinfo", "--noheader", "--format=%T").strip() == "idle", 60, "the node is back")

    @staticmethod
    def stopped(state):
        """Stops all running points, so that none ends; returns their number."""
        running = processes(state, "run")
        for number in running:
            os.kill(number, signal.SIGSTOP)
        return len(running)

    @staticmethod
    def task_process(state, job, index):
        for number in processes(state, "--slurm-task"):
            try:
                environment = Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"SLURM_ARRAY_JOB_ID={job}".encode() in environment and f"SLURM_ARRAY_TASK_ID={index}".encode() in environment:
                return number
        return None

    def refused_submissions_are_told(self):
        sweep = write_sweep(self.folder / "refused.yaml", [2], [1000])
        out = self.folder / "refused.db"
        said = self.run(2, sweep, out, "--slurm-args", "--partition=elsewhere")
        check("sbatch: " in said and "invalid partition" in said, said)
        self.run(LIMITED, sweep, out)


def main():
    reason = slurm_cluster.why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    warpsim = Path(sys.argv[1]).resolve()
    choose = seeded()
    began = time.monotonic()
    # ctest's signal at a timeout should also stop the daemons.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("failed: stopped by a signal"))
    with tempfile.TemporaryDirectory(prefix="warpsim-slurm-") as name, \
            tempfile.TemporaryDirectory(prefix="a sweep's [folder] 100%a ") as folder, slurm_cluster.Cluster(name) as cluster:
        test = Test(warpsim, Path(folder), cluster, choose)
        for case in (test.refused_submissions_are_told, test.what_runs_is_not_submitted_again,
                     test.ended_tasks_are_named, test.killed_again_and_again):
            start = time.monotonic()
            case()
            print(f"{case.__name__}: {time.monotonic() - start:.1f} s", flush=True)
    print(f"passed in {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
