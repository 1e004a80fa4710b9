#!/usr/bin/env python3
"""Cycles and hit rate of each launch of a trace by the capacity of L1.

usage: capacity.py TRACE [GPU]
"""

import sys

import warpsim


def main():
    trace, gpu = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "h200"
    for kib in (32, 64, 128, 256):
        for launch in warpsim.run(trace, gpu, {"sm.l1.capacity_kib": kib}):
            loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
            hits = launch.metrics[f"{loads}_lookup_hit.sum"] / max(launch.metrics[f"{loads}.sum"], 1)
            print(f"{kib} KiB: {launch.kernel}: {launch.cycles} cycles, {hits:.1%} hits")


if __name__ == "__main__":
    main()
