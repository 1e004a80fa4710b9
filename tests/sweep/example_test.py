#!/usr/bin/env python3
"""The example of docs/sweeps.md: the file equals the shown one, its commands run, the query finds its points and the
figures can be drawn.

usage: example_test.py WARPSIM
"""

import re
import shlex
import sqlite3
import sys
import tempfile
from pathlib import Path

from sweep_testing import ROOT, check, run


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def draw_figures(warpsim, page, database):
    """Every plot command of the page, on the database of the example. Scripts need no gnuplot."""
    commands = re.findall(r"^    warpsim (plot .*)$", page, re.MULTILINE)
    check(len(commands) >= 2, "the page draws nothing")
    for command in commands:
        words = shlex.split(command)
        script = database.with_suffix(".gp")
        words = [{"ways.db": database}.get(word, word) for word in words]
        words[words.index("-o") + 1] = script
        run([warpsim, *words], 0)
        check("linespoints" in script.read_text(), f"no lines: {command}")


def main():
    warpsim = Path(sys.argv[1]).resolve()
    page = (ROOT / "docs" / "sweeps.md").read_text()
    example = ROOT / "examples" / "sweep" / "sweep.yaml"
    check(example.read_text() in blocks(page, "yaml"), "docs/sweeps.md shows another file than examples/sweep/sweep.yaml")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "ways.db"
        check("20 points, 0 of them finished" in run([warpsim, "sweep", example, "--dry-run", "--out", out], 0), "20 points")
        said = run([warpsim, "sweep", example, "--out", out], 0)
        check(f"all 20 points are in {out}" in said, said)
        rows = sqlite3.connect(out).execute(blocks(page, "sql")[0]).fetchall()
        check(len(rows) == 20, f"the query finds {len(rows)} launches")
        name, cycles, _, ways, clock = rows[0]
        check((name, ways, clock) == ("scan@gtx480[l2.num_ways=8,clocks.dram_mhz=924]", 8, 924), f"the first is {rows[0]}")
        check(all(row[1] > 0 for row in rows), "a launch took no time")
        by_name = {row[0]: row[1] for row in rows}
        # A point that sets the values of its description: the same machine, the same cycles.
        check(by_name["scan@gtx480"] == cycles, "a point that changes nothing differs from the description")
        slow, fast = (by_name[f"softmax@gtx480[l2.num_ways=8,clocks.dram_mhz={mhz}]"] for mhz in (924, 1848))
        check(fast < slow, "faster memory is not faster")
        draw_figures(warpsim, page, out)


if __name__ == "__main__":
    main()
