#!/usr/bin/env python3
"""scripts/limits: the shares of the parts add up to the cycles, and each part is a limit of its own.

usage: limits_test.py WARPSIM
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WARPSIM = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""


def load_script():
    loader = SourceFileLoader("limits", str(ROOT / "scripts" / "limits"))
    module = module_from_spec(spec_from_loader("limits", loader))
    loader.exec_module(module)
    return module


LIMITS = load_script()


def run(folder, *words):
    command = [sys.executable, str(ROOT / "scripts" / "limits"), "--warpsim", WARPSIM, "--jobs", "1", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


class Arithmetic(unittest.TestCase):
    def test_shares_add_up_to_the_cycles_of_the_first_step(self):
        cycles = [1000 - 50 * step for step in range(len(LIMITS.PARTS) + 1)]
        cycles[3] += 80  # a step that makes the launch slower
        parts = LIMITS.shares(cycles)
        self.assertEqual(sum(part for _, part in parts), 1000)
        self.assertEqual(parts[2][1], cycles[2] - cycles[3])
        self.assertLess(parts[2][1], 0)
        self.assertEqual(parts[-1], (LIMITS.REST, cycles[-1]))

    def test_each_step_keeps_the_ideal_parts_of_the_steps_before(self):
        steps = LIMITS.steps()
        self.assertEqual(len(steps), len(LIMITS.PARTS) + 1)
        self.assertEqual(steps[0], {})
        for before, after in zip(steps, steps[1:]):
            self.assertTrue(before.items() < after.items())

    def test_every_switch_of_a_description_that_idealises_is_used(self):
        section, switches = "", set()
        for line in (ROOT / "docs/config-reference.md").read_text().splitlines():
            if line.startswith("#"):
                section = line.strip("# `")
            elif line.startswith("| `") and line.split("`")[1] in (
                    "ideal", "perfect", "zero_latency", "unlimited_mshrs", "unlimited_bandwidth"):
                switches.add(f"{section}.{line.split('`')[1]}")
        self.assertGreater(len(switches), 10)
        self.assertEqual(switches - set(LIMITS.steps()[-1]), set())


class Run(unittest.TestCase):
    def test_a_launch_that_waits_for_memory_and_one_that_does_not(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(folder, str(ROOT / "traces/vecadd.wtrace"), str(ROOT / "traces/bitonic.wtrace"), "--gpu", "h200",
                         "--out", "limits.db", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = json.loads(result.stdout)
            by_run = {}
            for row in rows:
                self.assertEqual(sum(row["parts"].values()), row["cycles"])
                self.assertEqual(list(row["parts"]), [name for name, _ in LIMITS.PARTS] + [LIMITS.REST])
                by_run.setdefault(row["run"].partition("@")[0], row)
            share = {run: {part: cycles / row["cycles"] for part, cycles in row["parts"].items()}
                     for run, row in by_run.items()}
            # With the connection of the partitions, which a stream occupies as long as DRAM; it is part of L2.
            memory = {run: parts["DRAM"] + parts["L2"] for run, parts in share.items()}
            self.assertGreater(memory["vecadd"], memory["bitonic"] + 0.05)
            self.assertGreater(memory["vecadd"], 0.15)
            self.assertGreater(share["vecadd"]["DRAM"], 0.03)
            self.assertGreater(share["bitonic"][LIMITS.REST], 0.4)
            database = sqlite3.connect(Path(folder) / "limits.db")
            runs = database.execute("SELECT count(*) FROM run").fetchone()[0]
            self.assertEqual(runs, 2 * (len(LIMITS.PARTS) + 1))
            database.close()

    def test_an_error_of_the_simulator_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(folder, "none.wtrace", "--gpu", "h200", "--out", "limits.db")
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("none.wtrace", result.stderr)


if __name__ == "__main__":
    unittest.main()
