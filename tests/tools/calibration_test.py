#!/usr/bin/env python3
"""scripts/calibrate without a GPU and without nvcc: its arithmetic, its errors, and a whole run on a made-up measurement.

Usage: calibration_test.py WARPSIM
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from calibration import chips, files, places, rules, solve  # noqa: E402

WARPSIM = ""

H100 = {
    "name": "NVIDIA H100 80GB HBM3",
    "compute_capability_major": "9",
    "compute_capability_minor": "0",
    "sms": "132",
    "memory_bytes": "85017493504",
    "l2_bytes": "52428800",
    "core_khz": "1980000",
    "memory_khz": "2619000",
    "memory_bus_bits": "5120",
}

# Stands for `warpsim exec`: the probes' values are formulas of the keys that --set changes. Each probe prints all values.
SIMULATOR = """#!/usr/bin/env python3
import sys
keys = {}
for option, value in zip(sys.argv, sys.argv[1:]):
    if option == "--set":
        name, number = value.split("=")
        keys[name] = float(number)
latency = 250 + 1.5 * keys.get("crossbar.response_port_latency_cycles", 126)
print("name,unit,median,min,max,runs")
print(f"latency.l2.mean,cycles,{latency},{latency},{latency},1")
fence = 30 + keys.get("sm.sub_core.membar_device_cycles", 657)
print(f"latency.fence,cycles,{fence},{fence},{fence},1")
print("latency.shared,cycles,30,30,30,1")
"""


def value(median, least=None, most=None):
    return files.Value("cycles", median, median if least is None else least, median if most is None else most)


def rule(**changes):
    fields = {"keys": ("k",), "probe": "p", "value": "v", "step": 5, "least": 1, "most": 1000, **changes}
    return rules.Rule(**fields)


class Solving(unittest.TestCase):
    def test_a_value_that_fits_is_confirmed_without_further_simulations(self):
        simulated = []
        outcome = solve.solve(rule(), 20, value(100), lambda x: simulated.append(x) or 100.2)
        self.assertEqual((outcome.state, outcome.after, simulated), ("confirmed", 20, [20]))

    def test_the_secant_finds_a_linear_value_in_three_simulations(self):
        simulated = []
        outcome = solve.solve(rule(), 20, value(200), lambda x: simulated.append(x) or 40 + 2 * x)
        self.assertEqual((outcome.state, outcome.after), ("changed", 80))
        self.assertEqual(simulated, [20, 25, 80])

    def test_a_rate_that_saturates_keeps_the_start(self):
        outcome = solve.solve(rule(), 50, value(100), lambda x: min(x, 60))
        self.assertEqual((outcome.state, outcome.after), ("not reached", 50))

    def test_a_key_without_effect_is_reported_as_such(self):
        outcome = solve.solve(rule(), 20, value(100), lambda x: 50)
        self.assertEqual((outcome.state, outcome.after), ("no effect", 20))

    def test_values_stay_within_the_limits_of_the_rule(self):
        tried = []
        solve.solve(rule(most=30), 20, value(500), lambda x: tried.append(x) or x)
        self.assertLessEqual(max(tried), 30)

    def test_the_spread_of_the_runs_is_the_tolerance(self):
        outcome = solve.solve(rule(), 20, value(100, 90, 110), lambda x: 92)
        self.assertEqual(outcome.state, "confirmed")


class Chips(unittest.TestCase):
    def test_an_h100_is_nearest_to_the_h100(self):
        self.assertEqual(chips.nearest_description(ROOT / "configs", H100).name, "h100.yaml")

    def test_channels_follow_from_the_width_of_the_bus_and_ways_from_l2(self):
        base = files.read_description(ROOT / "configs/h200.yaml")
        values = {key: entry[0] for key, entry in chips.device_values(base, H100).items()}
        self.assertEqual(values["address_map.num_channels"], 80)  # 5120 bits of 64
        self.assertEqual(values["address_map.slices_per_partition"], 40)
        self.assertEqual(values["l2.num_ways"], 20)  # 50 MiB / 80 slices / 256 sets / 128 bytes
        self.assertEqual(values["clocks.dram_mhz"], 2619)
        self.assertEqual(80 % values["address_map.num_stacks"], 0)

    def test_gddr6_has_four_transfers_in_a_cycle_of_its_clock(self):
        base = files.read_description(ROOT / "configs/rtx3070.yaml")
        device = {**H100, "memory_khz": "7001000", "memory_bus_bits": "192", "l2_bytes": str(3 << 20), "sms": "28"}
        values = {key: entry[0] for key, entry in chips.memory_values(base, device).items()}
        self.assertEqual(values["clocks.dram_mhz"], 3500)
        self.assertEqual(values["address_map.num_channels"], 12)

    def test_limits_that_differ_are_named(self):
        base = files.read_description(ROOT / "configs/h100.yaml")
        self.assertEqual(chips.limits(base, {"blocks_per_sm": "16"}), [("occupancy.blocks_per_sm", 32, 16)])


class Places(unittest.TestCase):
    def measured(self, sms):
        """Eight SMs: 0 to 3 and 6 share clusters and a side, 4 and 5 the other ones, 7 is single."""
        values = {}
        for sm in sms:
            values[f"cluster.sm{sm}"] = value({4: 4, 5: 4, 7: 7}.get(sm, 0))
            for word in range(16):
                is_near = (word % 3 == 0) == (sm not in (4, 5))
                values[f"side.sm{sm}.word{word}"] = value((240 if is_near else 460) + sm + word % 4)
        return values

    def test_sides_follow_from_the_words_that_are_near(self):
        self.assertEqual(places.sides(self.measured(range(8))), {0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 0, 7: 0})

    def test_words_that_are_equally_near_give_no_sides(self):
        measured = {f"side.sm{sm}.word{word}": value(300 + word) for sm in range(4) for word in range(16)}
        self.assertIsNone(places.sides(measured))

    def test_gpcs_and_singletons_follow_from_clusters(self):
        base = {"topology.sms_per_tpc": 1}
        values, notes = places.place_values(base, H100, self.measured(range(8)))
        self.assertEqual(values["topology.gpc_tpcs"][0], [5, 2])
        self.assertEqual(values["topology.gpc_l2_partition"][0], [0, 1])
        self.assertEqual(values["topology.singleton_tpcs"][0], 1)
        self.assertEqual(notes, [])


class WholeRun(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        rows = "".join(f"{name},{entry}\n" for name, entry in H100.items())
        (self.folder / "device.csv").write_text("name,value\n" + rows)
        self.write_measured("latency.l2.mean,cycles,475,470,480,5\nlatency.fence,cycles,587,587,587,5\n")
        for name, text in (("probes", "#!/bin/sh\nexit 0\n"), ("simulator", SIMULATOR)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def write_measured(self, rows):
        (self.folder / "measured.csv").write_text("name,unit,median,min,max,runs\n" + rows)

    def calibrate(self, *options):
        command = [sys.executable, str(ROOT / "scripts/calibrate"), str(self.folder), *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_the_description_has_the_measured_values_and_is_valid(self):
        result = self.calibrate("--measured", "--warpsim", str(self.folder / "simulator"))
        self.assertEqual(result.returncode, 0, result.stderr)
        written = files.read_description(self.folder / "gpu.yaml")
        self.assertEqual(written["crossbar.response_port_latency_cycles"], 150)  # 250 + 1.5 * 150 = 475
        self.assertEqual(written["sm.sub_core.membar_device_cycles"], 557)
        self.assertEqual(written["name"], H100["name"])
        page = (self.folder / "page.md").read_text()
        key = "crossbar.response_port_latency_cycles"
        before = files.read_description(ROOT / "configs/h100.yaml")[key]
        self.assertIn(f"| `{key}` | latency.l2.mean | 475 | {before} | 150 | +0.0 % | changed |", page)
        self.assertIn("| `sm.load_store.shared_latency_cycles` | latency.shared |  |  |  |  | not measured |", page)
        self.assertIn("no clusters (they exist from 9.0 on)", page)
        command = [WARPSIM, "run", str(ROOT / "traces/vecadd.wtrace"), "--gpu", str(self.folder / "gpu.yaml"),
                   "--out", str(self.folder / "run.db")]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def assert_error(self, expected, *options):
        result = self.calibrate(*options)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(expected, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_a_broken_measurement_is_named_with_its_line(self):
        self.write_measured("latency.l2.mean,cycles,fast,1,1,5\n")
        self.assert_error("measured.csv:2: expected numbers as median, min and max", "--measured")

    def test_a_missing_measurement_is_named(self):
        (self.folder / "measured.csv").unlink()
        self.assert_error("measured.csv: No such file or directory", "--measured")

    def test_a_base_of_another_capability_is_refused(self):
        self.assert_error("has compute capability 8.0, the GPU 9.0", "--measured", "--base", str(ROOT / "configs/a100.yaml"))

    def test_a_missing_compiler_is_named(self):
        (self.folder / "probes").unlink()
        self.assert_error("no '/no/nvcc': --nvcc names the compiler", "--measured", "--nvcc", "/no/nvcc")

    def test_a_failed_simulation_is_reported_with_its_message(self):
        (self.folder / "simulator").write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
        expected = "failed (exit code 3): broken"
        self.assert_error(expected, "--measured", "--warpsim", str(self.folder / "simulator"))


if __name__ == "__main__":
    WARPSIM = sys.argv.pop(1)
    unittest.main()
