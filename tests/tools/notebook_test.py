#!/usr/bin/env python3
"""Executes the code of examples/notebook/results.ipynb and of docs/exports.md on a results database that the simulator has just written.

usage: notebook_test.py WARPSIM SOURCE_DIR
"""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

WARPSIM, SOURCE = sys.argv[1], Path(sys.argv[2])


def run_cell(source, names):
    """Executes a cell; its value is that of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def check_exports_page():
    """The code of docs/exports.md, on the file of its first command."""
    subprocess.run([WARPSIM, "export", "results.db", "--view", "kernel_summary", "-o", "kernels.csv"], check=True,
                   stdout=subprocess.DEVNULL)
    page = (SOURCE / "docs" / "exports.md").read_text()
    names = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, "docs/exports.md", "exec"), names)
    types = names["frame"].dtypes
    assert types["cycles"] == "Int64" and types["ipc"] == "float64" and types["top_stall"] == "string", types


def main():
    matplotlib.use("Agg")
    notebook = json.loads((SOURCE / "examples" / "notebook" / "results.ipynb").read_text())
    assert notebook["nbformat"] == 4
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        traces = [SOURCE / "traces" / f"{name}.wtrace" for name in ("scan", "vecadd")]
        subprocess.run([WARPSIM, "run", *traces, "--gpu", "h200", "--out", "results.db"], check=True,
                       stdout=subprocess.DEVNULL)
        Path("measured.csv").write_text("ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
                                        "0,k_vecadd,gpc__cycles_elapsed.max,cycle,10000\n")
        subprocess.run([WARPSIM, "import-ncu", "results.db", "measured.csv", "--name", "vecadd"], check=True,
                       stdout=subprocess.DEVNULL)
        names = {}
        tables = []
        for cell in notebook["cells"]:
            assert cell["cell_type"] in ("markdown", "code"), cell["cell_type"]
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [] and cell["execution_count"] is None, "outputs do not belong into git"
                tables.append(run_cell("".join(cell["source"]), names))
        names["connection"].close()
        check_exports_page()
    schema, summary, wide, _, pairs, runs = [table for table in tables[1:]]
    assert "kernel_summary" in set(schema.name) and len(schema) > 30, schema
    assert list(summary.run_name.unique()) == ["scan", "vecadd"] and (summary.cycles > 0).all(), summary
    assert len(wide) == len(summary) and (wide > 0).all().all(), wide
    assert len(pairs) == 1 and pairs.hardware[0] == 10000, pairs
    assert abs(pairs.error_pct[0] - (pairs.simulated[0] / 100 - 100)) < 1e-9, pairs
    assert list(runs.name) == ["scan", "vecadd", "vecadd"], runs


main()
