#!/usr/bin/env python3
"""Joins the words of run.sh with the hashes that it recorded: summary.py WORDS RESULTS... > results.txt

A line: upper and lower 64 bits, "-" or "d", the hash. Words that fault on hardware or were not executed are left out.
"""

import struct
import sys

ROWS = 1024  # written by record.cc


def main():
    hashes = {}
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            data = file.read()
        at = 0
        while at + 20 <= len(data):
            number, status, mask, low, high = struct.unpack_from("<5I", data, at)
            at += 20 + 4 * ROWS * bin(mask).count("1")
            if status == 0:
                hashes[number] = high << 32 | low
    with open(sys.argv[1], encoding="ascii") as file:
        for number, line in enumerate(file):
            if number in hashes:
                print(*line.split()[:3], f"{hashes[number]:016x}")


main()
