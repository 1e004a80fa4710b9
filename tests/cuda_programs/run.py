#!/usr/bin/env python3
"""Compiles a CUDA program in several ways and runs it on the simulated device.

usage: run.py WARPSIM NVCC
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
WAYS = {
    "as it is": [],
    "with the shared runtime": ["-cudart", "shared"],
    "compressed for size": ["--compress-mode=size"],
    "compressed for speed": ["--compress-mode=speed"],
    "not compressed": ["--compress-mode=none"],
    "with a default stream for each thread": ["--default-stream", "per-thread"],
}

# Programs that check themselves, with the options that they need; some of them also with timing.
TIMED = {
    *("dependent_launches", "graphs", "groups", "locks", "asynchronous_units", "launches_from_kernels"),
    *("graphs_from_kernels", "host_float_modes", "memory_pools", "thread_streams", "virtual_memory", "waits_in_kernels"),
}
# Some use the shared runtime, which has other interfaces to launch, for graphs, pools and registration.
SHARED_RUNTIME = {"dependent_launches", "launches_from_kernels", "memory_pools", "textures", "waits_in_kernels"}
# Other GPUs than an H200.
GPUS = {"waits_in_kernels": "orin"}
# Whose kernels wait for others: the search for races runs each kernel as a whole.
WAITING = {"thread_streams", "waits_in_kernels"}
# Also with two GPUs.
TWO_GPUS = {"memory_pools", "virtual_memory"}
# Of these also the machine code that is in the program.
MACHINE_CODE = {
    *("asynchronous_units", "dependent_launches", "graphs", "graphs_from_kernels", "launches_from_kernels"),
    *("warpgroup_products", "waits_in_kernels"),
}
PROGRAMS = {
    "asynchronous_units": ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", "-diag-suppress", "20054"],
    "dependent_launches": ["-arch=sm_90", "-std=c++17"],
    "graphs": ["-arch=sm_90", "-rdc=true", "-lcuda"],
    "graphs_from_kernels": ["-arch=sm_90", "-std=c++17", "-rdc=true", "-lcudadevrt"],
    "grid_barrier": ["-arch=sm_90"],
    "groups": ["-arch=sm_90", "-diag-suppress", "20054"],
    "host_float_modes": ["-arch=sm_90"],
    "locks": ["-arch=sm_90"],
    "launches_from_kernels": [
        *("-arch=sm_90", "-std=c++17", "-rdc=true", "-lcudadevrt"),
        str(HERE / "launches_from_kernels_other.cu"),
    ],
    "linked_code": ["-arch=sm_90", "-rdc=true", str(HERE / "linked_code_other.cu")],
    "memory_pools": ["-arch=sm_90", "-std=c++17"],
    "textures": ["-arch=sm_90"],
    "thread_streams": ["-arch=sm_90", "--default-stream", "per-thread"],
    "virtual_memory": ["-arch=sm_90", "-std=c++17", "-lcuda"],
    "waits_in_kernels": [
        *("-arch=sm_86", "-rdc=true", "-lcudadevrt", "-DCUDA_FORCE_CDP1_IF_SUPPORTED"),
        "-Wno-deprecated-declarations",
    ],
    "warpgroup_products": ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"],
}

# Kernels with a race that is known: threads give a cuda::pipeline up, and the last one destroys its barriers, although
# nothing orders what the other threads of its warp did with them (tests/examples/races.py).
KNOWN_RACES = {
    "groups": "kernel _Z14scale_in_tilesPKfPfi: a race (",
    "asynchronous_units": "kernel _Z5tilesPKiPii: a race (",
}


def run(words):
    return subprocess.run(words, capture_output=True, text=True)


def check_races(warpsim, name, program):
    outcome = run([warpsim, "exec", "--gpu", "h200", "--functional-only", "--check", "races", "--", program])
    races = [line for line in outcome.stderr.splitlines() if ": a race (" in line]
    known = KNOWN_RACES.get(name)
    good = (
        outcome.stdout == "PASS\n"
        and outcome.returncode == (0 if known is None else 1)
        and "warpsim: races: " in outcome.stderr
        and bool(races) == (known is not None)
        and all(known in line for line in races)
    )
    print(f"{name} --check races: {'good' if good else 'bad'}")
    if not good:
        print(outcome.returncode, outcome.stdout, outcome.stderr)
    return good


# What is stored of a program with a profiled part and ranges, by the options that select it.
PROFILED = {
    "": "3 [('', 'inner', 1), ('', 'step', 1), ('library', 'call', 1)]",
    "--profile-from-start off": "2 [('', 'inner', 1), ('', 'step', 1), ('library', 'call', 1)]",
    "--range step": "1 [('', 'inner', 1), ('', 'step', 1)]",
    "--range library@call": "1 [('library', 'call', 1)]",
    "--range other": "0 []",
}


def check_profiled_part(warpsim, nvcc, folder):
    program = str(Path(folder) / "profiled_part")
    made = run([nvcc, "-arch=sm_90", str(HERE / "profiled_part.cu"), "-o", program])
    if made.returncode != 0:
        sys.exit(made.stderr)
    good = True
    for options, expected in PROFILED.items():
        results = f"{folder}/profiled.db"
        command = [warpsim, "exec", "--gpu", "h200", "--out", results, "--replace", *options.split(), "--", program]
        outcome = run(command)
        with sqlite3.connect(results) as database:
            launches = database.execute("SELECT count(*) FROM launch").fetchone()[0]
            query = "SELECT domain, name, launches FROM ranges WHERE launches > 0 ORDER BY domain, name"
            stored = f"{launches} {database.execute(query).fetchall()}"
        left_out = 4 - launches
        passed = outcome.returncode == 0 and outcome.stdout == "PASS\n" and stored == expected
        passed = passed and f"and were not recorded: {left_out}\n" in outcome.stderr
        print(f"profiled_part {options}: {'good' if passed else 'bad'}")
        if not passed:
            print(outcome.returncode, outcome.stdout, outcome.stderr, stored)
        good = good and passed
    return good


# Needs libraries that not every toolkit has.
LIBRARIES = ["-arch=sm_90", "-lcublas", "-lcufft", "-lcurand"]


def check_libraries(warpsim, nvcc, folder):
    place = Path(nvcc).resolve().parent.parent / "lib64"
    if not all((place / f"lib{name}.so").exists() for name in ("cublas", "cufft", "curand")):
        print("libraries: not tried, the toolkit has none")
        return True
    program = str(Path(folder) / "libraries")
    made = run([nvcc, *LIBRARIES, str(HERE / "libraries.cu"), "-o", program])
    if made.returncode != 0:
        sys.exit(made.stderr)
    os.environ["LD_LIBRARY_PATH"] = str(place)
    good = True
    for mode in (["--functional-only"], ["--max-cycles", "20000000"]):
        # Kernels of libraries read shared memory that they have not written, without using the values.
        outcome = run([warpsim, "exec", "--gpu", "h200", *mode, "--check", "none", "--", program])
        passed = outcome.returncode == 0 and outcome.stdout == "PASS\n" and outcome.stderr == ""
        print(f"libraries {' '.join(mode)}: {'good' if passed else 'bad'}")
        if not passed:
            print(outcome.returncode, outcome.stdout, outcome.stderr)
        good = good and passed
    del os.environ["LD_LIBRARY_PATH"]
    return good


def main():
    warpsim, nvcc = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "vecadd")
        compile_command = [nvcc, "-arch=sm_90", str(HERE / "vecadd.cu"), "-o", program]
        for way, options in WAYS.items():
            made = run(compile_command + options)
            if made.returncode != 0:
                sys.exit(made.stderr)
            for mode in (["--functional-only"], ["--out", f"{folder}/results.db", "--replace"]):
                outcome = run([warpsim, "exec", "--gpu", "h200", *mode, "--", program])
                told = f"warpsim: run 'vecadd' in {folder}/results.db: 1 launch stored\n" if "--out" in mode else ""
                good = outcome.returncode == 0 and outcome.stdout == "factor 2.0\nPASS\n" and outcome.stderr == told
                print(f"{way} {' '.join(mode)}: {'good' if good else 'bad'}")
                if not good:
                    failures += 1
                    print(outcome.returncode, outcome.stdout, outcome.stderr)
        trace = str(Path(folder) / "vecadd.wtrace")
        outcome = run([warpsim, "trace", "--gpu", "h200", "--out", trace, "--", program])
        replayed = run([warpsim, "run", trace, "--gpu", "h200", "--out", f"{folder}/replayed.db"])
        good = outcome.stdout == "factor 2.0\nPASS\n" and outcome.stderr == "" and replayed.returncode == 0
        print(f"recorded: {'good' if good else 'bad'}")
        failures += not good
        for name, options in PROGRAMS.items():
            program = str(Path(folder) / name)
            # The runtime is in the program, as nvcc links by default, or shared.
            runtime = ["-cudart", "shared"] if name in SHARED_RUNTIME else []
            made = run([nvcc, *options, str(HERE / (name + ".cu")), "-o", program, *runtime])
            if made.returncode != 0:
                sys.exit(made.stderr)
            modes = [["--functional-only"]] + ([["--max-cycles", "20000000"]] if name in TIMED else [])
            if name in MACHINE_CODE:
                modes = [mode + ["--code", code] for mode in modes for code in ("ptx", "machine")]
            modes += [mode + ["--gpus", "2"] for mode in modes] if name in TWO_GPUS else []
            for mode in modes:
                outcome = run([warpsim, "exec", "--gpu", GPUS.get(name, "h200"), *mode, "--", program])
                good = outcome.returncode == 0 and outcome.stdout == "PASS\n" and outcome.stderr == ""
                print(f"{name} {' '.join(mode)}: {'good' if good else 'bad'}")
                if not good:
                    failures += 1
                    print(outcome.returncode, outcome.stdout, outcome.stderr)
            if name not in WAITING:
                failures += not check_races(warpsim, name, program)
        failures += not check_profiled_part(warpsim, nvcc, folder)
        failures += not check_libraries(warpsim, nvcc, folder)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
