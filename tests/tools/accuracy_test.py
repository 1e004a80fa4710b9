#!/usr/bin/env python3
"""scripts/accuracy: tests its arithmetic, its page for invented results, and its rules against `warpsim correlate`.

Usage: accuracy_test.py WARPSIM
"""

import csv
import importlib.util
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from accuracy_report import arithmetic, goals, pages, reading, simulate  # noqa: E402

WARPSIM = ""
CYCLES = "gpc__cycles_elapsed.max"
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def launch(hardware, simulated, suite="public", workload="x", index=0):
    return reading.Launch(suite, workload, index, "k", "(1, 1, 1)", "(32, 1, 1)", hardware, {}, simulated)


def launches(metric, pairs):
    return [launch({metric: h}, {metric: s}, index=i) for i, (h, s) in enumerate(pairs)]


class Arithmetic(unittest.TestCase):
    def test_small_counts_differ_by_thousandths(self):
        self.assertAlmostEqual(arithmetic.error_of("a.sum", 2000, 2100), 0.05)
        self.assertAlmostEqual(arithmetic.error_of("a.sum", 999, 899), -0.1)
        self.assertAlmostEqual(arithmetic.error_of("a.avg", 0, 70), 0.07)

    def test_percentages_differ_by_points_and_ratios_relatively(self):
        self.assertAlmostEqual(arithmetic.error_of(WARPS, 40, 44), 0.04)
        self.assertAlmostEqual(arithmetic.error_of("launch__grid_size", 50, 40), -0.2)
        self.assertIsNone(arithmetic.error_of(STALL.format("wait"), 0, 1))

    def test_percentiles_lie_between_the_nearest_values(self):
        self.assertAlmostEqual(arithmetic.percentile([4, 1, 3, 2], 0.5), 2.5)
        self.assertAlmostEqual(arithmetic.percentile([0, 0.1, 0.5], 0.9), 0.42)
        self.assertEqual(arithmetic.percentile([7], 0.9), 7)

    def test_pearson_by_hand(self):
        self.assertAlmostEqual(arithmetic.pearson([1, 2, 3], [1, 3, 2]), 0.5)
        self.assertIsNone(arithmetic.pearson([1], [1]))
        self.assertIsNone(arithmetic.pearson([1, 2], [3, 3]))

    def test_a_summary_is_of_absolute_errors(self):
        summary = arithmetic.summarise(arithmetic.compare("a.sum", launches("a.sum", [(1000, 1100), (2000, 1400), (0, 0)])))
        self.assertEqual(summary.launches, 3)
        self.assertAlmostEqual(summary.mean, 0.4 / 3)
        self.assertAlmostEqual(summary.bias, -0.2 / 3)
        self.assertEqual([c.launch for c in summary.worst], ["x[1]", "x[0]", "x[2]"])

    def test_stall_shares_leave_selected_out(self):
        hardware = {STALL.format("wait"): 3, STALL.format("barrier"): 1, STALL.format("selected"): 1}
        simulated = {STALL.format("wait"): 1, STALL.format("drain"): 1}
        shares = arithmetic.stall_shares(hardware)
        self.assertEqual(shares, {"wait": 0.75, "barrier": 0.25})
        self.assertEqual(arithmetic.top(shares), "wait")
        # 0.25 of wait and 0.25 of barrier went to drain.
        self.assertAlmostEqual(arithmetic.distance(shares, arithmetic.stall_shares(simulated)), 0.5)
        self.assertEqual(arithmetic.stall_shares({STALL.format("selected"): 1}), {})

    def test_hit_rates_are_percentages(self):
        self.assertEqual(arithmetic.hit_rate({"h": 1, "m": 3}, "h", "m"), 25)
        self.assertEqual(arithmetic.hit_rate({"h": 0, "m": 0}, "h", "m"), 0)
        self.assertIsNone(arithmetic.hit_rate({"h": 1}, "h", "m"))
        self.assertTrue(arithmetic.is_percentage(reading.L2_HIT_RATE))


class Goals(unittest.TestCase):
    def test_a_limit_is_met_below_and_missed_above(self):
        group = launches(CYCLES, [(1000, 1060), (1000, 920)])
        self.assertTrue(goals.judge("g", group, CYCLES, 0.0701, at_most=False).met)
        self.assertFalse(goals.judge("g", group, CYCLES, 0.0699, at_most=False).met)
        self.assertTrue(goals.judge("g", group, CYCLES, 0.0701, 0.09, at_most=False).met)
        self.assertFalse(goals.judge("g", group, CYCLES, 0.0701, 0.07, at_most=False).met)

    def test_launches_that_count_nothing_do_not_flatter(self):
        verdict = goals.judge("g", launches("a.sum", [(1000, 900), (0, 0)]), "a.sum", 0.06)
        self.assertFalse(verdict.met)
        self.assertEqual(verdict.launches, 1)
        self.assertEqual(verdict.measured, "10.0 % (5.0 % of all 2)")

    def test_only_launches_above_a_floor_are_judged(self):
        verdict = goals.judge("g", launches("a.sum", [(20000, 21000), (10000, 0)]), "a.sum", 0.06, above=10000)
        self.assertTrue(verdict.met)
        self.assertEqual(verdict.launches, 1)
        self.assertIsNone(goals.judge("g", [], "a.sum", 0.06).met)

    def test_top_stall_reasons_are_counted_where_memory_is_not_on_top(self):
        right = [launch({STALL.format("wait"): 1}, {STALL.format("wait"): 1}, index=i) for i in range(5)]
        wrong = launch({STALL.format("wait"): 1}, {STALL.format("barrier"): 1}, index=5)
        memory = launch({STALL.format("long_scoreboard"): 1}, {STALL.format("wait"): 1}, index=6)
        mean, top = goals.stall_goals([*right, wrong, memory])
        self.assertFalse(mean.met)  # 2 of 7 launches are completely wrong
        self.assertTrue(top.met)
        self.assertEqual(top.measured, "right in 5 of 6")
        self.assertEqual(top.worst, "x[5] barrier for wait")
        self.assertFalse(goals.stall_goals([*right[1:], wrong])[1].met)

    def test_a_family_needs_coverage_median_and_tail(self):
        def probes(errors, uncovered):
            known = [reading.Probe("f", "p", "", 1, 1, 1, 1 + e, e, "") for e in errors]
            return known + [reading.Probe("f", "q", "", 1, 1, 1, None, None, "why")] * uncovered

        self.assertTrue(goals.judge_family("f", probes([0.01, -0.02, 0.02], 2)).met)
        self.assertFalse(goals.judge_family("f", probes([0.01, -0.02, 0.02], 3)).met)
        self.assertFalse(goals.judge_family("f", probes([0.031, -0.04, 0.02], 0)).met)
        self.assertFalse(goals.judge_family("f", probes([0.01, -0.02, 0.2], 0)).met)
        self.assertFalse(goals.judge_family("f", probes([], 1)).met)


class Ablations(unittest.TestCase):
    def test_every_switch_that_idealises_is_there(self):
        section, switches = "", []
        for line in (ROOT / "docs/config-reference.md").read_text().splitlines():
            heading = re.match(r"#+ `([\w.]+)`", line)
            section = heading.group(1) if heading else section
            key = re.match(r"\| `(ideal|perfect|zero_latency|unlimited_\w+)` \| `true` or `false`", line)
            if key:
                switches.append(f"{section}.{key.group(1)}=true")
        self.assertGreater(len(switches), 10)
        self.assertEqual([s for s in switches if s not in dict(simulate.ABLATIONS)], [])

    def test_runs_are_named_as_warpsim_names_them(self):
        with tempfile.TemporaryDirectory() as folder:
            traces = Path(folder) / "app" / "traces"
            traces.mkdir(parents=True)
            self.assertEqual(simulate.run_name(traces), "app")
            self.assertEqual(simulate.run_name(traces.parent), "app")
            (traces / "bfs.wtrace").touch()
            self.assertEqual(simulate.run_name(traces / "bfs.wtrace"), "bfs")


class Page(unittest.TestCase):
    """The script over an invented database: x[0] and x[1] were measured and simulated, y[0] was only measured."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.database = self.folder / "r.db"
        connection = sqlite3.connect(self.database)
        connection.executescript(
            "CREATE TABLE run (run_id, name, source, gpu, config_file, config_hash, version, cache_control);"
            "CREATE TABLE launch (run_id, launch_index, status);"
            "CREATE TABLE metrics (run_id, run_name, source, launch_index, metric, value);"
            "CREATE TABLE metric_status (metric, reason);"
            "INSERT INTO run VALUES (1, 'x', 'simulated', 'chip', 'chip.yaml', 'c0ffee', '1', 'all');"
            "INSERT INTO launch VALUES (1, 0, 'complete'), (1, 1, 'complete'), (1, 2, 'limited');"
            f"INSERT INTO metrics VALUES (1, 'x', 'simulated', 0, '{CYCLES}', 2100),"
            f"  (1, 'x', 'simulated', 1, '{CYCLES}', 3600), (1, 'x', 'simulated', 2, '{CYCLES}', 1),"
            f"  (1, 'x', 'simulated', 0, '{STALL.format('wait')}', 3), (1, 'x', 'simulated', 0, '{STALL.format('drain')}', 1);"
            "INSERT INTO metric_status VALUES ('lost.sum', 'is not modelled');"
        )
        connection.commit()
        connection.close()
        self.hardware = self.folder / "hardware"
        self.hardware.mkdir()
        heading = ["workload", "launch", "kernel", "grid", "block", "status", CYCLES, f"{CYCLES} (min)", f"{CYCLES} (max)"]
        heading += [STALL.format("wait"), "lost.sum"]
        with open(self.hardware / "public.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heading)
            size = ["void a::k<int>(int)", "(1, 1, 1)", "(32, 1, 1)", "PASS"]
            writer.writerow(["x", 0, *size, 2000, 1900, 2200, 4, 7])
            writer.writerow(["x", 1, *size, 4000, 4000, 4000, "", 7])
            writer.writerow(["x", 2, *size, 4000, 4000, 4000, "", 7])
            writer.writerow(["y", 0, *size, 10, 10, 10, "", 7])

    def run_script(self, *words):
        command = [sys.executable, ROOT / "scripts/accuracy", "--database", self.database, "--hardware", self.hardware]
        command += ["--out", self.folder / "page.md", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def page(self, *words):
        result = self.run_script(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return (self.folder / "page.md").read_text()

    def test_the_page_has_goals_launches_metrics_and_stalls(self):
        page = self.page()
        for line in (
            "| `gpc__cycles_elapsed.max` | < 7.0 %, worst < 25.0 % | 7.5 %, worst 10.0 % | **missed** | 2 | "
            "x[1] -10.0 %, x[0] +5.0 % |",
            "| x[0] | `k` | 2,000 | 2,100 | +5.0 % | -5.0 .. +10.0 % |",
            "<summary>gpc__cycles_elapsed.max: mean 7.5 %, 90 % 9.5 %; 1 of 2 within the hardware spread</summary>",
            "| `gpc__cycles_elapsed.max` | 2 | 2 | 7.5 % | 7.5 % | 9.5 % | x[1] -10.0 % | -2.5 % | 1.000 |",
            "| `lost.sum` | is not modelled |",
            "| x[0] | 25.0 | yes | 0/25 | 100/75 |",
            "Measured, but not simulated: x (1 launch), y (1 launch).",
        ):
            self.assertIn(line, page)
        self.assertNotIn("## Microbenchmarks", page)
        self.assertNotIn(".svg", page)
        self.assertEqual(page, self.page())

    def test_microbenchmarks_are_summed_up_by_family(self):
        table = self.folder / "micro.csv"
        table.write_text(
            "bench,name,unit,hardware,min,max,simulated,error_percent,reason\n"
            "alu,add,cycles,4,4,4.4,4.1,2.5000,\n"
            "alu,mul,cycles,4,4,4,,,no such unit\n"
        )
        page = self.page("--microbench", table)
        self.assertIn("| alu | 2 | 1 | 50 % covered, median 2.5 %, 90 % 2.5 % | `add` +2.5 % |", page)
        self.assertIn("| `add` | cycles | 4 | 4.1 | +2.5 % | +0.0 .. +10.0 % |", page)
        self.assertIn("| alu | no such unit | 1 |", page)
        table.write_text("name,hardware\nadd,4\n")
        expected = "micro.csv: expected the columns bench, error_percent, reason, simulated in the first line"
        self.assertIn(expected, self.run_script("--microbench", table).stderr)

    def test_the_microbenchmarks_program_writes_the_file_that_is_read(self):
        program = Path(WARPSIM).with_name("warpsim_microbench")
        if not program.exists():
            self.skipTest("not built here")
        table = self.folder / "micro.csv"
        subprocess.run([program, "--only", "latency.FADD", "--csv", table], check=True, capture_output=True)
        self.assertIn("| lat_alu |", self.page("--microbench", table))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "plots need python3-matplotlib, tests do not")
    def test_plots_are_the_same_byte_for_byte(self):
        self.assertIn("(page/stalls.svg)", self.page("--draw"))
        plots = {path.name: path.read_bytes() for path in (self.folder / "page").iterdir()}
        self.assertEqual(sorted(plots), ["cycles.svg", "stalls.svg", "traffic.svg"])
        self.page("--draw")
        for name, content in plots.items():
            self.assertEqual(content, (self.folder / "page" / name).read_bytes())
            self.assertNotIn(b"dc:date", content)

    def test_known_errors_are_taken_over(self):
        text = self.folder / "known.md"
        text.write_text("- All of it.\n")
        self.assertIn("## Known errors\n\n- All of it.\n", self.page("--known-errors", text))

    def test_results_that_are_not_comparable_are_refused(self):
        connection = sqlite3.connect(self.database)
        connection.execute("INSERT INTO run VALUES (2, 'y', 'simulated', 'chip', 'chip.yaml', 'beef', '1', 'all')")
        connection.commit()
        self.assertIn("holds runs of several GPU descriptions; expected one", self.run_script().stderr)
        connection.execute("UPDATE run SET config_hash = 'c0ffee', cache_control = 'none'")
        connection.commit()
        connection.close()
        self.assertIn("x, y: run with --cache-control none", self.run_script().stderr)
        self.database.write_text("no database" * 100)
        self.assertIn("not a results database", self.run_script().stderr)
        self.database.unlink()
        self.assertIn("the results database does not exist", self.run_script().stderr)

    def test_readable_names_of_kernels(self):
        self.assertEqual(pages.short_kernel("void at::<unnamed>::norm<float, 0>(int, T2)"), "norm")
        self.assertEqual(pages.short_kernel("k_bfs"), "k_bfs")
        self.assertEqual(pages.short_kernel("void f<g(int)::h>(int)"), "f")


class Agreement(unittest.TestCase):
    def test_correlate_and_this_script_find_the_same_errors(self):
        hardware = ROOT / "tests/hardware/h200/public.csv"
        with tempfile.TemporaryDirectory() as folder:
            database, table = Path(folder) / "r.db", Path(folder) / "t.csv"
            traces = [ROOT / "traces/scan.wtrace", ROOT / "traces/vecadd.wtrace"]
            simulate.simulate(WARPSIM, str(ROOT / "configs/h200.yaml"), traces, database, 1)
            command = [WARPSIM, "correlate", database, "--hardware", hardware, "--all", "--table", table]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            rows = list(csv.DictReader(table.read_text().splitlines()))
            results = reading.load(database, [hardware])
        self.assertEqual(len(results.launches), 4)
        self.assertGreater(len(rows), 50)
        for row in rows:
            summary = arithmetic.summarise(arithmetic.compare(row["metric"], results.launches))
            self.assertEqual(summary.launches, int(row["launches"]), row["metric"])
            found = (summary.mean, summary.median, summary.p90, summary.bias)
            names = ("mean_absolute_error", "median_absolute_error", "p90_absolute_error", "mean_error")
            for name, value in zip(names, found):
                if value is not None:
                    self.assertAlmostEqual(float(row[name]), value, places=9, msg=row["metric"])


if __name__ == "__main__":
    WARPSIM = sys.argv.pop(1)
    unittest.main()
