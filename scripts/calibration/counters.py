"""Counters of Nsight Compute beside simulated ones: a check that no value of a description comes from."""

import sqlite3

from .commands import output_of

COUNTED_PROBES = ("launch", "l2_rate", "dram_read", "dram_write")
COUNTERS = (
    "gpc__cycles_elapsed.max",
    "sm__cycles_active.max",
    "sm__cycles_active.avg",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "lts__t_sectors.sum",
    "smsp__inst_executed.sum",
)
MOST_SECONDS = 3600
LEAST = 100  # smaller counts say nothing as a ratio

PAIRS = """
SELECT s.kernel, l.grid_x, s.metric, count(*), avg(h.value), avg(s.value)
FROM metrics s JOIN metrics h ON h.launch_index = s.launch_index AND h.metric = s.metric
JOIN launch l ON l.run_id = s.run_id AND l.launch_index = s.launch_index
WHERE s.source = 'simulated' AND h.source = 'hardware'
GROUP BY s.kernel, l.grid_x, s.metric ORDER BY min(s.launch_index), s.metric
"""


def compared(warpsim, program, description, folder):
    """[(kernel, blocks, metric, launches, measured, simulated)] of the launches that the profiler measured."""
    database = folder / "counters.db"
    output_of([str(warpsim), "exec", "--gpu", str(description), "--out", str(database), "--name", "probes", "--replace",
               "--", str(program), *COUNTED_PROBES], "the simulation of the counted probes", MOST_SECONDS)
    output_of([str(warpsim), "import-ncu", str(database), str(folder / "counters.csv")], "import-ncu", MOST_SECONDS)
    with sqlite3.connect(database) as connection:
        rows = connection.execute(PAIRS).fetchall()
    return [row for row in rows if row[2] in COUNTERS and row[4] >= LEAST]
