"""Runs the probes on a description."""

import subprocess

from .files import fail, parse_values

MOST_SECONDS = 1800


class Simulator:
    """The probes' program, simulated. Every run of a probe with the same changes is simulated once."""

    def __init__(self, warpsim, program, description, threads):
        self._command = [str(warpsim), "exec", "--gpu", str(description), "--threads", str(threads)]
        self._program = str(program)
        self._known = {}
        self.runs = 0

    def values(self, probe, changes):
        """{name: Value} of one probe with `changes` ({dotted key: value}) of the description."""
        key = (probe, tuple(sorted(changes.items())))
        if key not in self._known:
            self._known[key] = self._run(probe, changes)
        return self._known[key]

    def _run(self, probe, changes):
        command = list(self._command)
        for name, value in changes.items():
            command += ["--set", f"{name}={value}"]
        command += ["--", self._program, probe]
        self.runs += 1
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
        except OSError as error:
            fail(f"{command[0]}: {error.strerror}")
        except subprocess.TimeoutExpired:
            fail(f"the simulation of '{probe}' took more than {MOST_SECONDS} s")
        if result.returncode != 0:
            fail(f"the simulation of '{probe}' failed (exit code {result.returncode}): {result.stderr.strip()[-2000:]}")
        return parse_values(result.stdout, f"simulation of '{probe}'")
