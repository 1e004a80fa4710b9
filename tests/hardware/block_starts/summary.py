#!/usr/bin/env python3
"""Reads what block_starts prints; writes results.csv, order.csv and warps.csv into the folder named."""
import collections
import csv
import sys

MIDDLE = range(8448, 8448 + 480)  # blocks of the long grids, far from both ends


def part(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def spread(values):
    return [part(values, share) for share in (0.1, 0.5, 0.9)]


def intervals(blocks):
    """Of one case: starts on each SM, from end to next start where one block fits, and blocks of an SM."""
    by_sm = collections.defaultdict(list)
    for _, sm, start, end in blocks:
        by_sm[sm].append((start, end))
    gaps, means, waits = [], [], []
    for times in by_sm.values():
        times.sort()
        gaps += [b[0] - a[0] for a, b in zip(times, times[1:])]
        waits += [b[0] - a[1] for a, b in zip(times, times[1:])]
        means.append((times[-1][0] - times[0][0]) / (len(times) - 1))
    counts = [len(times) for times in by_sm.values()]
    return gaps, waits, part(means, 0.5), min(counts), max(counts)


def main():
    cases = collections.defaultdict(list)
    for line in sys.stdin:
        name, threads, resident, spin, block, sm, start, end = line.strip().split(",")[1:]
        cases[name, int(threads), int(resident), int(spin)].append((int(block), int(sm), int(start), int(end)))
    folder = sys.argv[1]
    with open(folder + "/results.csv", "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow("test threads resident spin gap_p10 gap_p50 gap_p90 cycles_per_block block_p50 wait_p10 wait_p50 "
                      "wait_p90 least_blocks most_blocks".split())
        for case, blocks in cases.items():
            if case[0] != "warps":
                gaps, waits, mean, least, most = intervals(blocks)
                own = part([end - start for _, _, start, end in blocks], 0.5)
                waited = spread(waits) if case[2] == 1 else ["", "", ""]
                rows.writerow([*case, *spread(gaps), round(mean, 1), own, *waited, least, most])
    with open(folder + "/order.csv", "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["threads", "first_block", "sms"])
        for case, blocks in cases.items():
            if case[0] == "long_grid":
                rows.writerow([case[1], MIDDLE.start, " ".join(str(b[1]) for b in sorted(blocks) if b[0] in MIDDLE)])
    with open(folder + "/warps.csv", "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["threads", "block", "sm", "start_of_each_warp"])
        for case, blocks in cases.items():
            if case[0] != "warps":
                continue
            starts = collections.defaultdict(list)
            for block, sm, start, _ in sorted(blocks, key=lambda b: (b[0], b[3])):
                starts[block, sm].append(start)
            first = {}
            for (block, sm), times in starts.items():
                # The first two blocks of each SM of one TPC, against the first start.
                if sm in (8, 9):
                    first.setdefault(0, times[0])
                    if block < 4 * 132:
                        rows.writerow([case[1], block, sm, " ".join(str(t - first[0]) for t in times)])


main()
