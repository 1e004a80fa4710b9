#!/usr/bin/env python3
"""The library gives the results of the program, to a C program and to Python; callbacks, stops and errors work.

usage: embedding_test.py WARPSIM LIBRARY CXX BUILD_DIR
"""

import contextlib
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRACES = ROOT / "traces"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "python"))


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def run(command, expected=0, **keywords):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **keywords)
    said = result.stdout + result.stderr
    check(result.returncode == expected, f"{command} ended with {result.returncode} instead of {expected}:\n{said}")
    return said


def stored(program, trace, folder, *words):
    """Metrics and counters of each launch, as the program stores them."""
    database = folder / "stored.db"
    run([program, "run", trace, "--gpu", "h200", "--out", database, "--name", "x", "--replace", *words])
    with contextlib.closing(sqlite3.connect(database)) as connection:
        metrics = connection.execute("SELECT launch_index, metric, value FROM metric_value").fetchall()
        counters = connection.execute("SELECT launch_index, component || '.' || name, value FROM counters").fetchall()
        cycles = connection.execute("SELECT launch_index, elapsed_cycles FROM launch").fetchall()
    return metrics, counters, dict(cycles)


def check_equal(warpsim, program, folder):
    trace = TRACES / "scan.wtrace"
    metrics, counters, cycles = stored(program, trace, folder, "--set", "sm.l1.capacity_kib=64")
    for threads in (1, 2):
        launches = warpsim.run(trace, settings={"sm.l1.capacity_kib": 64}, threads=threads)
        check([launch.index for launch in launches] == sorted(cycles), "the launches are those of the trace")
        for index, name, value in metrics:
            found = launches[index].metrics[name]
            check(math.isnan(found) if value is None else found == value, f"{name} of launch {index} is {found}, not {value}")
        for index, name, value in counters:
            check(launches[index].counters[name] == value, f"{name} of launch {index} is not {value}")
        for launch in launches:
            check(launch.cycles == cycles[launch.index], "the cycles are those that the program stores")
            check(launch.nanoseconds > 0 and launch.kernel != "", "a launch has a name and a duration")


def check_callbacks(warpsim):
    trace = TRACES / "vecadd.wtrace"
    samples = []
    launches = warpsim.run(trace, sample_interval=1000, on_sample=samples.append)
    executed = [sample.counters["sm.sub_core.inst_executed"] for sample in samples]
    check(len(samples) >= launches[0].cycles // 1000, "there is a sample for each interval")
    check(executed == sorted(executed), "counters grow")
    check(samples[0].metrics == {}, "a sample has no metrics")
    again = warpsim.run(trace)
    same = [(launch.cycles, launch.counters) for launch in launches] == [(launch.cycles, launch.counters) for launch in again]
    check(same, "samples change no result")
    seen = []
    stopped = warpsim.run(trace, sample_interval=1000, on_sample=lambda sample: seen.append(sample) or False)
    check(stopped == [] and len(seen) == 1, "a callback that returns False ends the run at once")
    try:
        warpsim.run(trace, on_launch=lambda launch: 1 // 0)
        check(False, "what a callback raises is raised")
    except ZeroDivisionError:
        pass
    check(warpsim.run(trace, max_cycles=100)[0].cycles >= 100, "a launch ends at its limit")


def check_ptx(warpsim, program, folder):
    """PTX with a launch file gives what the program stores."""
    example = ROOT / "examples" / "reduction"
    ptx = next(example.glob("*.ptx"))
    launch_file = example / "launch.yaml"
    metrics, counters, cycles = stored(program, ptx, folder, "--launch", launch_file)
    samples = []
    for words in ({}, {"threads": 2, "sample_interval": 500, "on_sample": samples.append}):
        launches = warpsim.run(ptx, launch_file=launch_file, **words)
        check([launch.index for launch in launches] == sorted(cycles), "the launches are those of the file")
        for launch in launches:
            check(launch.cycles == cycles[launch.index], "the cycles of PTX are those that the program stores")
        for index, name, value in counters:
            check(launches[index].counters[name] == value, f"{name} of launch {index} of PTX is not {value}")
        for index, name, value in metrics:
            found = launches[index].metrics[name]
            check(math.isnan(found) if value is None else found == value, f"{name} of launch {index} is {found}, not {value}")
    check(len(samples) > len(launches), "launches of PTX are sampled")


def check_errors(warpsim):
    for words, expected in (
        ({"trace": "no_such_trace"}, "no_such_trace"),
        ({"trace": TRACES / "vecadd.wtrace", "gpu": "h2000"}, "h200"),
        ({"trace": TRACES / "vecadd.wtrace", "settings": {"sm.no_key": 1}}, "no_key"),
        ({"trace": TRACES / "vecadd.wtrace", "threads": 5000}, "expected 1 to 256"),
        ({"trace": ROOT / "README.md"}, "README.md"),
        ({"trace": TRACES / "vecadd.wtrace", "launch_file": "no_such_file"}, "no_such_file"),
        ({"trace": ROOT / "README.md", "launch_file": ROOT / "examples/vector_add/launch.yaml"}, "README.md"),
    ):
        try:
            warpsim.run(**words)
            check(False, f"{words} is an error")
        except warpsim.WarpsimError as error:
            check(expected in str(error), f"the message '{error}' contains {expected}")


def check_c(compiler, library, folder):
    """The example, compiled as C by hand and by CMake."""
    example = ROOT / "examples" / "embedding" / "bandwidth.c"
    binary = folder / "bandwidth"
    words = ["-x", "c", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}"]
    run([compiler, *words, example, "-x", "none", library, f"-Wl,-rpath,{library.parent}", "-o", binary])
    said = run([binary, "h200", TRACES / "vecadd.wtrace", "sm.l1.capacity_kib=64"])
    check("bytes per cycle" in said and "launch 0, " in said, said)
    said = run([binary, "no_gpu", TRACES / "vecadd.wtrace"], expected=3)
    check("bandwidth: " in said and "no_gpu" in said, said)
    other = folder / "other.c"
    other.write_text(
        "#include <stddef.h>\n#include <stdio.h>\n#include <warpsim/simulator.h>\n"
        "int main(int count, char** words) { struct warpsim_run_options options = WARPSIM_RUN_OPTIONS; char message[40];\n"
        "options.version = 999; printf(\"%d \", warpsim_run(\"h200\", \"x\", &options, message, sizeof message));\n"
        "puts(message); options.version = WARPSIM_SIMULATOR_VERSION; options.launch_file = words[0];\n"
        "options.bytes = (uint32_t)offsetof(struct warpsim_run_options, launch_file);\n"
        "printf(\"old options: %d\\n\", warpsim_run(\"h200\", words[count - 1], &options, message, sizeof message));\n"
        "return 0; }\n"
    )
    run([compiler, *words, other, "-x", "none", library, f"-Wl,-rpath,{library.parent}", "-o", folder / "other"])
    said = run([folder / "other", TRACES / "vecadd.wtrace"])
    check("3 the options are of version 999" in said, "options of another version are refused")
    check("old options: 0" in said, "options are read as far as a program knows them")


def check_package(build, folder):
    prefix = folder / "installed"
    run(["cmake", "--install", build, "--prefix", prefix])
    for number, place in enumerate((build, prefix)):
        output = folder / f"cmake{number}"
        run(["cmake", "-B", output, "-S", ROOT / "examples" / "embedding", f"-DCMAKE_PREFIX_PATH={place}"])
        run(["cmake", "--build", output])
        check("launch 0, " in run([output / "bandwidth", "h200", TRACES / "vecadd.wtrace"]), "the example runs")
    return prefix


def check_python_example(prefix):
    """The installed module finds the installed library and its descriptions."""
    environment = {**os.environ, "PYTHONPATH": str(prefix / "share" / "warpsim" / "python")}
    del environment["WARPSIM_SIMULATOR"]
    said = run([sys.executable, ROOT / "examples" / "embedding" / "capacity.py", TRACES / "transpose.wtrace"], env=environment)
    check(said.count("KiB: ") >= 4, said)


def main():
    program, library, build = (Path(sys.argv[number]).resolve() for number in (1, 2, 4))
    compiler = sys.argv[3]
    os.environ["WARPSIM_SIMULATOR"] = str(library)
    import warpsim

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_equal(warpsim, program, folder)
        check_callbacks(warpsim)
        check_ptx(warpsim, program, folder)
        check_errors(warpsim)
        check_c(compiler, library, folder)
        check_python_example(check_package(build, folder))


if __name__ == "__main__":
    main()
