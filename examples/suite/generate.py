#!/usr/bin/env python3
"""Generates the workloads of the suite as traces (.wtrace), and copies the GPU and the sweeps beside them.

usage: generate.py [FOLDER] [--warpsim PROGRAM] [--only NAME ...] [--parameters PARAMETER=VALUE ...] [--list] [--text]

FOLDER is ./suite by default. The workloads are those of suite.toml; --only selects some of them, by name or class.
--parameters changes their parameters, and adds the values to their names: 'generate.py --only reuse --parameters
footprint_kib=48' writes reuse_footprint_kib_48.wtrace. --list prints classes and parameters. --text also keeps the text
that warpsim converts. The same parameters give the same bytes.
"""

import argparse
import inspect
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import workloads

HERE = Path(__file__).resolve().parent
BUILT = HERE.parents[1] / "build" / "release" / "bin" / "warpsim"


def program(option):
    """The program that is named, in the search path or built in this checkout."""
    for candidate in (option, shutil.which("warpsim"), BUILT):
        if candidate and Path(candidate).is_file():
            return Path(candidate).resolve()
    sys.exit(f"there is no program {option or 'warpsim'}; expected --warpsim PROGRAM")


def parameters_of(name):
    """The parameters of a class and their defaults."""
    return {key: value.default for key, value in inspect.signature(workloads.CLASSES[name]).parameters.items()}


def value_like(default, text, where):
    try:
        return type(default)(text)
    except ValueError:
        sys.exit(f"{where} is '{text}'; expected a value like {default}")


def changed(words, class_name):
    """The words PARAMETER=VALUE as a dictionary."""
    known = parameters_of(class_name)
    out = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or key not in known:
            sys.exit(f"'{word}' is no parameter of {class_name}; expected one of {', '.join(known)}, as PARAMETER=VALUE")
        out[key] = value_like(known[key], text, key)
    return out


def selected(options):
    """(name, class, parameters) of the workloads to write."""
    known = tomllib.loads((HERE / "suite.toml").read_text())["workloads"]
    for word in options.only:
        if word not in known and word not in workloads.CLASSES:
            sys.exit(f"there is no workload or class '{word}'; expected one of {', '.join(known)}")
    for name, entry in known.items():
        parameters = dict(entry)
        class_name = parameters.pop("class")
        if options.only and name not in options.only and class_name not in options.only:
            continue
        change = changed(options.parameters, class_name)
        parameters.update(change)
        yield "_".join([name, *(f"{key}_{value}" for key, value in change.items())]), class_name, parameters


def list_classes():
    for name, function in workloads.CLASSES.items():
        print(f"{name}: {' '.join(function.__doc__.split())}")
        print("    " + ", ".join(f"{key}={value}" for key, value in parameters_of(name).items()))


def write(name, class_name, parameters, folder, warpsim, keep_text):
    """Writes one trace. Returns its executed instructions."""
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        text = folder / f"{name}.text" if keep_text else Path(temporary) / name
        instructions = workloads.CLASSES[class_name](**parameters).write(text)
        made = Path(temporary) / f"{name}.wtrace"
        result = subprocess.run([warpsim, "convert", text, made], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"warpsim convert fails for {name}:\n{result.stderr}")
        made.replace(folder / made.name)
    return instructions


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n")[0], add_help=True)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("suite"))
    parser.add_argument("--warpsim")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--parameters", nargs="+", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--text", action="store_true")
    options = parser.parse_args()
    if options.list:
        list_classes()
        return
    warpsim = program(options.warpsim)
    options.folder.mkdir(parents=True, exist_ok=True)
    for file in (HERE / "small.yaml", *sorted((HERE / "sweeps").glob("*.yaml"))):
        shutil.copyfile(file, options.folder / file.name)
    for name, class_name, parameters in selected(options):
        instructions = write(name, class_name, parameters, options.folder, warpsim, options.text)
        print(f"{name}.wtrace: {instructions:,} warp instructions", flush=True)


if __name__ == "__main__":
    main()
