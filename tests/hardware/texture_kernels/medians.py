"""Medians of the profiler's counters of several runs of the same launches."""
import csv
import statistics
import sys

runs = [list(csv.reader(open(path, encoding="utf-8"))) for path in sys.argv[1:]]
names = runs[0][0]
wanted = ("gpc__cycles_elapsed.max", "sm__cycles_active.avg", "smsp__inst_executed.sum", "l1tex__t_requests_pipe_tex.sum",
          "l1tex__t_sectors_pipe_tex.sum", "l1tex__t_sectors_pipe_tex_lookup_miss.sum", "lts__t_sectors_srcunit_tex.sum",
          "dram__bytes_read.sum")
columns = [names.index(name) for name in wanted]
print(",".join(("launch", "kernel") + wanted))
for launch, rows in enumerate(zip(*(run[2:] for run in runs))):  # below the header are the units
    kernel = rows[0][names.index("Kernel Name")].split("(")[0]
    values = [statistics.median(float(row[i].replace(",", "")) for row in rows) for i in columns]
    print(",".join([str(launch), kernel] + [f"{value:g}" if value < 1e5 else f"{value:.0f}" for value in values]))
