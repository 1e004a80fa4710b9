#!/usr/bin/env python3
"""Writes the results of record.cc as text: a line for each executed word with its number and the hash of all results.

Usage: summary.py RESULTS... > results.txt; the recording is results.txt.xz. Words that fault have no line.
"""
import struct
import sys

ROWS = 1024  # of each written column
NOP = 0xFFFFFFFF


def records(data):
    at = 0
    while at + 20 <= len(data):
        number, status, columns, low, high = struct.unpack_from("<5I", data, at)
        at += 20 + 4 * ROWS * bin(columns).count("1")
        if at <= len(data):
            yield number, status, low | high << 32


def main():
    lines = {}
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            for number, status, hash_of_all in records(file.read()):
                if number != NOP and status == 0:
                    lines[number] = f"{number} {hash_of_all:016x}"
    for number in sorted(lines):
        print(lines[number])


if __name__ == "__main__":
    main()
