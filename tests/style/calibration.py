"""Compares the sources in configs/ with the list of values that were calibrated on measured workloads.

A value of a GPU description may come from a microbenchmark, a document or a derivation. If its comment names measurements of
workloads instead, docs/accuracy/calibration.md must have a row for it, to separate calibration from validation.
"""

import re

PAGE = "docs/accuracy/calibration.md"
# The launches `launches` of extra.csv are empty kernels and chains of blocks: a microbenchmark.
WORKLOADS = re.compile(
    r"public\.csv|extra\.csv(?! launches\b)|pytorch|recorded (?:kernels|launches)|the same records"
    r"|launch__shared_mem_config_size|\ball \d+ launches",
    re.IGNORECASE,
)
LINE = re.compile(r"^(?P<indent> *)(?P<item>- *)?(?P<key>[\w-]+):(?P<rest>.*)$")
ROW = re.compile(r"^\| *`(?P<key>[\w.]+)` *\| *`(?P<file>configs/[\w./-]+)` *\|")


def calibrated_values(path):
    """(line, dotted key) of each value whose comment, next to it or above it, names measurements of workloads."""
    open_keys = []  # (indentation, key) from the outermost section inwards
    above = ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip().startswith("#"):
            above = line
            continue
        match = LINE.match(line)
        if match:
            indent = len(match.group("indent"))
            while open_keys and open_keys[-1][0] >= indent:
                open_keys.pop()
            open_keys.append((indent, match.group("key")))
            value, mark, comment = match.group("rest").partition("#")
            if value.strip() and WORKLOADS.search(mark + comment if mark else above):
                yield number, ".".join(key for _, key in open_keys)
        above = ""


def listed_values(page):
    """{(file, dotted key): line} of the page's table."""
    rows = {}
    for number, line in enumerate(page.read_text().splitlines(), 1):
        match = ROW.match(line)
        if match:
            rows[match.group("file"), match.group("key")] = number
    return rows


def check_calibration(root, report):
    page = root / PAGE
    listed = listed_values(page) if page.exists() else {}
    found = set()
    for path in sorted((root / "configs").rglob("*.yaml")):
        name = path.relative_to(root).as_posix()
        for number, key in calibrated_values(path):
            found.add((name, key))
            if (name, key) not in listed:
                report.add(name, number, f"'{key}' comes from measurements of workloads and is not listed in {PAGE}")
    for (name, key), number in listed.items():
        if (name, key) not in found:
            report.add(PAGE, number, f"no source in {name} says that '{key}' comes from measurements of workloads")
