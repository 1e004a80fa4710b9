#!/usr/bin/env python3
"""Compiles a CUDA program in several ways and runs it on the simulated device.

usage: run.py WARPSIM NVCC
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
WAYS = {
    "as it is": [],
    "compressed for size": ["--compress-mode=size"],
    "compressed for speed": ["--compress-mode=speed"],
    "not compressed": ["--compress-mode=none"],
    "with a default stream for each thread": ["--default-stream", "per-thread"],
}


def run(words):
    return subprocess.run(words, capture_output=True, text=True)


def main():
    warpsim, nvcc = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "vecadd")
        compile_command = [nvcc, "-arch=sm_90", str(HERE / "vecadd.cu"), "-o", program]
        for way, options in WAYS.items():
            made = run(compile_command + ["-cudart", "shared"] + options)
            if made.returncode != 0:
                sys.exit(made.stderr)
            for mode in (["--functional-only"],):
                outcome = run([warpsim, "exec", "--gpu", "h200", *mode, "--", program])
                good = outcome.returncode == 0 and outcome.stdout == "factor 2.0\nPASS\n" and outcome.stderr == ""
                print(f"{way} {' '.join(mode)}: {'good' if good else 'bad'}")
                if not good:
                    failures += 1
                    print(outcome.returncode, outcome.stdout, outcome.stderr)
        run(compile_command)
        outcome = run([warpsim, "exec", "--", program])
        good = outcome.returncode == 2 and "-cudart shared" in outcome.stderr
        print(f"runtime linked statically: {'good' if good else 'bad'}")
        failures += not good
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
