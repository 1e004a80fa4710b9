#!/usr/bin/env python3
"""Puts the output of the program and the counters of Nsight Compute into one table.

usage: summarise.py TIMES TRAFFIC >RESULTS
"""

import csv
import sys

LINES = (1 << 30) // 128
MEMORIES = ("usual", "compressible")
KINDS = ("zero", "equal", "ramp", "bytes_in_words", "halves_in_words", "floats", "random", "every_second_line_random")
KERNELS = ("write", "read", "sectors")  # of each kind of data, in the order of the program
COUNTERS = {
    "dram_read": ("dram__bytes_read.sum", "B/line", 2),
    "dram_write": ("dram__bytes_write.sum", "B/line", 2),
    "l2_reads": ("lts__t_sectors_op_read.sum", "sectors/line", 3),
    "l2_writes": ("lts__t_sectors_op_write.sum", "sectors/line", 3),
}


def main():
    times, traffic = sys.argv[1:]
    with open(times) as file:
        sys.stdout.write(file.read())
    with open(traffic) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("=="))
        next(rows)  # units: bytes and sectors
        launches = [(kernel, kind, memory) for memory in MEMORIES for kind in KINDS for kernel in KERNELS]
        for (kernel, kind, memory), row in zip(launches, rows, strict=True):
            for name, (counter, unit, digits) in COUNTERS.items():
                value = float(row[counter].replace(",", "")) / LINES
                print(f"{kernel}.{name},{kind},{memory},1024,{value:.{digits}f},{unit}")


if __name__ == "__main__":
    main()
