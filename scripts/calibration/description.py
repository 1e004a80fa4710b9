"""Writes a description that extends the family."""

import os
from pathlib import Path

from .files import read_own_keys

UNMEASURED = "assumed: as in {base}, not measured"


def text_of(value):
    return "[" + ", ".join(str(entry) for entry in value) + "]" if isinstance(value, list) else str(value)


def merged(base_path, values):
    """{dotted key: (text, comment)}: the base's own keys, and `values` in their place or after them."""
    entries = {}
    base = Path(base_path).name
    for key, text, comment in read_own_keys(base_path):
        is_known = comment.startswith(("vendor:", "derived:"))
        entries[key] = (text, comment if is_known else f"{UNMEASURED.format(base=base)}: {comment}")
    for key, (value, source) in values.items():
        entries[key] = (text_of(value), source)
    return entries


def lines_of(entries):
    """YAML with one key a line; keys of one map stand together, in the order in which the maps first appear."""
    tree = {}
    for key, entry in entries.items():
        *path, name = key.split(".")
        node = tree
        for part in path:
            node = node.setdefault(part, {})
        node[name] = entry

    def emit(node, indent):
        for name, entry in node.items():
            if isinstance(entry, dict):
                yield f"{indent}{name}:"
                yield from emit(entry, indent + "  ")
            else:
                text, comment = entry
                yield f"{indent}{name}: {text}" + (f"  # {comment}" if comment else "")

    return emit(tree, "")


def description_text(base_path, family_path, out_path, device, values):
    family = os.path.relpath(family_path, out_path.parent)
    head = [
        f"# {device['name']}, driver {device.get('driver_version', 'unknown')}. Sources as in the family's file; `calibrate`",
        f"# are the probes of scripts/calibration. Values that were not measured are those of {Path(base_path).name}.",
        f"extends: {family}",
        "",
    ]
    return "\n".join([*head, *lines_of(merged(base_path, values))]) + "\n"
