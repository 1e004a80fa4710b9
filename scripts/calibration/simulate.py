"""Runs the probes on a description."""

from .commands import output_of
from .files import parse_values

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
        what = f"the simulation of '{probe}'"
        return parse_values(output_of(command, what, MOST_SECONDS), what)
