"""Builds the probes with the user's nvcc and runs them on the GPU."""

import shutil
import statistics
import subprocess
from pathlib import Path

from .commands import output_of
from .counters import COUNTED_PROBES, COUNTERS
from .files import Value, fail, parse_values, read_device, values_text, write_whole

PROGRAMS = Path(__file__).resolve().parent / "programs"
PROCESSES = 5  # some values, as the time from launch to launch, are the same in a process and differ between processes
REPETITIONS = 3
WARM_UP_MS = 50
MOST_SECONDS = 900


def capability_of_gpu():
    text = output_of(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader", "--id=0"], "nvidia-smi", MOST_SECONDS)
    capability = text.strip().replace(".", "")
    if not capability.isdigit():
        fail(f"nvidia-smi: expected a compute capability, got '{text.strip()}'")
    return capability


def can_run(program):
    """Whether this machine can start it: a program that was built on another one may need a newer C library."""
    try:
        return subprocess.run([str(program), "--list"], capture_output=True, check=False, timeout=60).returncode == 0
    except OSError:
        return False


def program_to_simulate(nvcc, folder, device):
    """The measured program, or the same sources built here if it cannot run here."""
    program = folder / "probes"
    if can_run(program):
        return program
    print(f"calibrate: {program} does not run here: building it again", flush=True)
    program = folder / "probes.here"
    build(nvcc, device["compute_capability_major"] + device["compute_capability_minor"], program)
    return program


def build(nvcc, capability, program):
    """Machine code, which is measured and simulated, and PTX, for capabilities whose machine code cannot be read."""
    if shutil.which(nvcc) is None:
        fail(f"no '{nvcc}': --nvcc names the compiler of a CUDA toolkit")
    sources = sorted(str(source) for source in PROGRAMS.glob("*.cu"))
    virtual = f"compute_{capability}"
    targets = [f"arch={virtual},code=sm_{capability}", f"arch={virtual},code={virtual}"]
    command = [nvcc, "-O3", "-std=c++17", "-o", str(program), *sources]
    for target in targets:
        command += ["-gencode", target]
    output_of(command, "nvcc", MOST_SECONDS)


def measure(nvcc, ncu, folder):
    """Leaves probes, device.csv, measured.csv and, with a profiler, counters.csv in the folder."""
    program = folder / "probes"
    print("calibrate: building the probes", flush=True)
    build(nvcc, capability_of_gpu(), program)
    write_whole(folder / "device.csv", output_of([str(program), "--device"], "probes --device", MOST_SECONDS))
    device = read_device(folder / "device.csv")
    print(f"calibrate: measuring {device['name']}", flush=True)
    command = [str(program), "--repetitions", str(REPETITIONS), "--warm-up", str(WARM_UP_MS), "--empty-l2"]
    runs = [parse_values(output_of(command, "probes", MOST_SECONDS), "probes") for _ in range(PROCESSES)]
    write_whole(folder / "measured.csv", values_text(combined(runs), PROCESSES * REPETITIONS))
    count(ncu, folder)


def count(ncu, folder):
    """Leaves counters.csv if the profiler is there and may count; says so if it may not."""
    path = folder / "counters.csv"
    path.unlink(missing_ok=True)
    if shutil.which(ncu) is None:
        return
    command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--log-file", str(path), "--metrics",
               ",".join(COUNTERS), str(folder / "probes"), *COUNTED_PROBES]
    result = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    if result.returncode != 0:
        path.unlink(missing_ok=True)
        print(f"calibrate: {ncu} failed, so there are no counters: {(result.stderr or result.stdout).strip()[-500:]}")


def combined(runs):
    """The median of the processes' medians, with the extremes of all."""
    values = {}
    for name, first in runs[0].items():
        same = [run[name] for run in runs if name in run]
        values[name] = Value(
            first.unit,
            statistics.median_low(value.median for value in same),
            min(value.least for value in same),
            max(value.most for value in same),
        )
    return values
