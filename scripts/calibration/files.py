"""Reads and writes the files of a measurement, and GPU descriptions."""

import csv
import functools
import io
import sys
from dataclasses import dataclass
from pathlib import Path


def fail(message):
    sys.exit(f"calibrate: {message}")


@dataclass(frozen=True)
class Value:
    """One value of a probe: median, least and greatest of its runs."""

    unit: str
    median: float
    least: float
    most: float

    @property
    def spread(self):
        """Relative difference of the extreme runs."""
        return (self.most - self.least) / self.median if self.median else 0.0


COLUMNS = ["name", "unit", "median", "min", "max", "runs"]


def parse_values(text, source):
    """{name: Value} of what the program of the probes prints; `source` names it in errors."""
    values = {}
    reader = csv.DictReader(io.StringIO(text))
    if reader.fieldnames != COLUMNS:
        fail(f"{source}:1: expected the columns {','.join(COLUMNS)}")
    for row in reader:
        try:
            numbers = [float(row[column]) for column in ("median", "min", "max")]
        except (TypeError, ValueError):
            fail(f"{source}:{reader.line_num}: expected numbers as median, min and max")
        values[row["name"]] = Value(row["unit"], *numbers)
    if not values:
        fail(f"{source}: no values")
    return values


def values_text(values, runs):
    lines = [",".join(COLUMNS)]
    for name, value in values.items():
        lines.append(f"{name},{value.unit},{value.median:.7g},{value.least:.7g},{value.most:.7g},{runs}")
    return "\n".join(lines) + "\n"


def read_values(path):
    try:
        return parse_values(Path(path).read_text(encoding="utf-8"), path)
    except OSError as error:
        fail(f"{path}: {error.strerror}")


def read_device(path):
    """{property: text} of `probes --device`."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            device = {row["name"]: row["value"] for row in csv.DictReader(file)}
    except (OSError, KeyError) as error:
        fail(f"{path}: expected the columns name,value ({error})")
    for key in ("name", "compute_capability_major", "compute_capability_minor", "sms", "l2_bytes", "memory_khz",
                "core_khz", "memory_bus_bits", "memory_bytes"):
        if not device.get(key):
            fail(f"{path}: no row '{key}'")
    return device


def flatten(tree, prefix=""):
    """{dotted key: value} of nested maps."""
    flat = {}
    for key, value in tree.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            flat.update(flatten(value, path + "."))
        else:
            flat[path] = value
    return flat


@functools.cache
def read_own_values(path):
    """({dotted key: value} of one file, the file that it extends or None)"""
    import yaml  # a machine that only measures need not have it

    try:
        # The loader of libyaml, where PyYAML was built with it: descriptions are long.
        tree = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, yaml.YAMLError) as error:
        fail(f"{path}: {error}")
    if not isinstance(tree, dict):
        fail(f"{path}: expected a map of keys")
    base = tree.pop("extends", None)
    return flatten(tree), path.parent / base if base else None


def read_description(path):
    """{dotted key: value} of a description and what it extends."""
    own, base = read_own_values(Path(path).resolve())
    return {**(read_description(base) if base else {}), **own}


def read_own_keys(path):
    """(dotted key, value as text, comment) of each line of a description that has a value, without what it extends.

    The shipped descriptions of GPUs have one key a line, indented by two spaces for each level.
    """
    keys = []
    levels = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        text, _, comment = line.partition("#")
        name, colon, value = text.strip().partition(":")
        if not colon:
            continue
        depth = (len(line) - len(line.lstrip())) // 2
        levels = levels[:depth] + [name]
        if value.strip() and levels != ["extends"]:
            keys.append((".".join(levels), value.strip(), comment.strip()))
    return keys


def write_whole(path, text):
    """A file is there with its whole text or as it was before."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        fail(f"{path}: {error.strerror}")
