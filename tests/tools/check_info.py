#!/usr/bin/env python3
"""Compares the output of `warpsim info` with a count of its own.

Usage: check_info.py WARPSIM TRACE_FOLDER

Reads the text trace itself and shares no code with the simulator: fields by position, active lanes by counting
bits, sectors by listing every byte's sector, classes by a table of opcodes of its own. Every number of the per-launch
rows and of the totals must agree. Otherwise it ends with 1 and one line per difference.
"""
import lzma
import pathlib
import re
import subprocess
import sys

SECTOR_BYTES = 32
CLASSES = {
    "integer": "IADD3 VIADD IMAD ISETP LEA LOP3 MOV PLOP3 S2R SEL SHF",
    "control": "BRA EXIT BSSY BSYNC NOP",
    "synchronisation": "BAR",
    "constant": "LDC ULDC",
    "uniform": "UMOV ULEA S2UR",
    "global": "LDG STG",
    "shared": "LDS STS",
    "fp16": "HFMA2",
}
CLASS_OF = {opcode: name for name, opcodes in CLASSES.items() for opcode in opcodes.split()}
COUNTS = ["blocks", "warps", "warp instr", "thread instr", "no active lanes", "load requests", "load sectors",
          "store requests", "store sectors"]


def addresses(fields, lanes):
    """The lanes' addresses from [mode, ...]: 0 a list, 1 base and stride, 2 base and differences."""
    mode = int(fields[0])
    first = int(fields[1], 16)
    if mode == 0:
        return [int(field, 16) for field in fields[1:1 + lanes]]
    if mode == 1:
        return [first + lane * int(fields[2]) for lane in range(lanes)]
    result = [first]
    for difference in fields[2:1 + lanes]:
        result.append(result[-1] + int(difference))
    return result


def count_line(line, counts, classes):
    fields = line.split()
    lanes = bin(int(fields[1], 16)).count("1")
    at = 2
    at += 1 + int(fields[at])  # destinations
    opcode = fields[at]
    at += 1
    at += 1 + int(fields[at])  # sources
    width = int(fields[at])
    counts["warp instr"] += 1
    counts["thread instr"] += lanes
    counts["no active lanes"] += lanes == 0
    base = opcode.split(".")[0]
    classes[CLASS_OF[base]] = classes.get(CLASS_OF[base], 0) + 1
    if base in ("LDG", "STG") and lanes > 0:
        what = "load" if base == "LDG" else "store"
        sectors = {(address + byte) // SECTOR_BYTES
                   for address in addresses(fields[at + 1:], lanes) for byte in range(width)}
        counts[what + " requests"] += 1
        counts[what + " sectors"] += len(sectors)


def count_kernel(path):
    counts = dict.fromkeys(COUNTS, 0)
    classes = {}
    with lzma.open(path, "rt") as file:
        for line in file:
            if line.startswith("#BEGIN_TB"):
                counts["blocks"] += 1
            elif line.startswith("insts = "):
                counts["warps"] += int(line.split()[2]) > 0
            elif re.match("[0-9a-f]{4} ", line):
                count_line(line, counts, classes)
    return counts, classes


def printed_tables(text):
    """Rows by name of every table of the output, as {row: {column: number}}."""
    rows = {}
    columns = None
    for line in text.splitlines():
        cells = re.split(r"  +", line.strip())
        if cells[0] == "launch":
            columns = cells
        elif columns and len(cells) == len(columns) and (cells[0] == "total" or cells[0].isdigit()):
            rows.setdefault(cells[0], {}).update(zip(columns, cells))
        elif not line.strip():
            columns = None
    return rows


def differences(rows, name, counts, classes):
    expected = {**counts, **classes}
    found = rows.get(name, {})
    for column, number in expected.items():
        if found.get(column, "nothing").replace(",", "") != str(number):
            yield f"launch {name}, {column}: counted {number}, printed {found.get(column, 'nothing')}"
    for column in set(CLASSES) & set(found):
        if column not in expected and found[column] != "0":
            yield f"launch {name}, {column}: counted none, printed {found[column]}"


def main():
    warpsim, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    text = subprocess.run([warpsim, "info", str(folder)], check=True, capture_output=True, text=True).stdout
    rows = printed_tables(text)
    problems = []
    total_counts = dict.fromkeys(COUNTS, 0)
    total_classes = {}
    kernels = [line for line in (folder / "kernelslist.g").read_text().split() if line.startswith("kernel")]
    for launch, kernel in enumerate(kernels):
        counts, classes = count_kernel(folder / (kernel + ".xz"))
        problems += differences(rows, str(launch), counts, classes)
        for key, number in counts.items():
            total_counts[key] += number
        for key, number in classes.items():
            total_classes[key] = total_classes.get(key, 0) + number
        print(kernel, counts, classes)
    problems += differences(rows, "total", total_counts, total_classes)
    for problem in problems:
        print(problem)
    return 1 if problems or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
