#!/usr/bin/env python3
"""Gives mutated inputs of every kind to the program, and checks how it ends.

    run.py WARPSIM [--count N] [--jobs N] [--seed N] [--kind NAME] [--programs FOLDER] [--keep FOLDER] [--seconds S]
    run.py WARPSIM --show NUMBER ...     the same, keeps that input in --keep and prints its commands

The inputs depend only on seed and number. A case fails if the program is ended by a signal, takes more than 20 s
(of its own time on the processor), reports an internal error (exit status 4), or an error whose message does not state
its place: a file, and a line, an offset, a table or the like where the file has them. Failed inputs are kept.
"""

import argparse
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import mutations  # noqa: E402
from seeds import Seeds  # noqa: E402

SECONDS = 20  # of processor time; real time may be ten times as long on a busy machine
MEMORY = 3 << 30
TINY = ("--gpu", "test_tiny", "--max-cycles", "3000", "--progress", "never", "--out", "new.db", "--replace")
# Words of libraries that users do not know.
FOREIGN = re.compile(r"std::|basic_string|bad_\w+|boost|json\.exception|yaml-cpp|libprotobuf|_M_|what\(\)|assert", re.IGNORECASE)
# Errors of a text as a whole have no line.
OF_WHOLE = re.compile(
    r"cannot be read|larger than|names no kernel|there is no file|not text|holds no|has no|is empty|no columns?|missing|"
    r"offset|no rows|not valid|expected|none of|is already|needs|neither|without|launches|kernel|no such|not a ")


class Kind:
    def __init__(self, name, files, mutate, commands, weight=1, lines=False):
        self.name = name
        self.files = files
        self.mutate = mutate
        self.commands = commands
        self.weight = weight
        self.lines = lines


def database_commands():
    commands = [
        ("report", "{}", "-o", "page.html"),
        ("compare", "{}", "other.db"),
        ("merge", "merged.db", "{}", "other.db"),
        ("merge", "{}", "other.db", "--replace"),
        ("correlate", "{}", "--hardware", "hardware.csv", "--csv", "out.csv", "--all"),
        ("import-ncu", "{}", "ncu.csv", "--name", "scan"),
        ("run", "scan.wtrace", "--gpu", "test_tiny", "--max-cycles", "500", "--progress", "never", "--out", "{}"),
        ("serve", "{}", "--port", "0"),
        ("serve", "{}", "--port", "0"),
    ]
    for view in ("kernel_summary", "metrics", "comparison", "timeseries", "hot_spots", "stalls"):
        commands.append(("export", "{}", "--view", view, "-o", "out.csv"))
    for form in ("json", "md", "tex"):
        commands.append(("export", "{}", "--view", "kernel_summary", "-o", "out." + form))
    for kind in ("correlation", "speedup", "stalls", "roofline", "timeseries"):
        commands.append(("plot", kind, "{}", "-o", "out.gp"))
    commands.append(("plot", "sweep", "{}", "--x", "l2.num_ways", "-o", "out.gp"))
    commands.append(("plot", "stalls", "{}", "-o", "out.svg"))
    return commands


def kinds(seeds):
    text = mutations.mutate_text
    data = mutations.mutate_bytes
    trace_commands = [("info", "{trace}"), ("run", "{trace}") + TINY, ("convert", "{trace}", "converted")]
    list_commands = [("info", "{trace}"), ("run", "{trace}") + TINY, ("convert", "{trace}", "converted.wtrace")]
    launch = [("run", "launch/vector_add.ptx", "--launch", "launch/launch.yaml", "--gpu", "test_tiny", "--max-cycles", "3000",
               "--out", "new.db", "--replace")]
    gpu = [("occupancy", "--gpu", "gpu/gpu.yaml", "--threads", "128", "--registers", "32"),
           ("run", "vecadd.wtrace", "--gpu", "gpu/gpu.yaml", "--max-cycles", "500", "--progress", "never", "--out", "new.db",
            "--replace")]

    def trace(name, files, mutate, commands, path, weight, lines=False):
        chosen = [tuple(path if word == "{trace}" else word for word in command) for command in commands]
        return Kind(name, files, mutate, chosen, weight, lines)

    wtrace = mutations.WtraceMutator().mutate
    result = [
        trace("wtrace", ["vecadd.wtrace"], wtrace, trace_commands, "vecadd.wtrace", 3),
        trace("wtrace scan", ["scan.wtrace"], wtrace, trace_commands, "scan.wtrace", 2),
        trace("wtrace wmma", ["wmma_gemm.wtrace"], wtrace, trace_commands[:1], "wmma_gemm.wtrace", 2),
        trace("kernel list", ["plain/kernelslist.g"], text, list_commands, "plain", 1),
        trace("kernel trace", ["plain/kernel-1.traceg", "plain/kernel-2.traceg"], text, list_commands, "plain", 4),
        trace("own text trace", ["text/kernel-1.traceg"], text, list_commands, "text/kernelslist.g", 2),
        trace("xz trace", ["two/kernel-1.traceg.xz", "two/func-0.sass.gz"], data, list_commands, "two", 1),
        trace("listing", ["plain/func-0.sass", "plain/func-1.sass"], text, list_commands, "plain", 3),
        Kind("GPU", ["gpu/gpu.yaml", "gpu/families/cc_9_0.yaml"], text, gpu, 4, lines=True),
        Kind("sweep", ["sweep.yaml"], text, [("sweep", "sweep.yaml", "--out", "swept.db", "--dry-run"),
                                             ("sweep", "sweep.yaml", "--out", "swept.db", "--progress", "never")], 2, lines=True),
        Kind("launch", ["launch/launch.yaml"], text, launch, 2, lines=True),
        Kind("PTX", ["launch/vector_add.ptx"], text, launch, 3, lines=True),
        Kind("PTX forms", ["every_form.ptx"], text, [("run", "every_form.ptx", "--launch", "launch/launch.yaml", "--gpu",
                                                      "test_tiny")], 1),
        Kind("hardware CSV", ["hardware.csv"], text, [("correlate", "results.db", "--hardware", "hardware.csv")], 1),
        Kind("ncu CSV", ["ncu.csv"], text, [("import-ncu", "results.db", "ncu.csv", "--name", "scan")], 1),
        Kind("database", ["results.db"], None, [tuple(word.replace("{}", "results.db") for word in command)
                                                for command in database_commands()], 6),
    ]
    disassemble = [("disassemble", "{input}"), ("disassemble", "{input}", "--arch", "sm_75", "--hex")]
    cubins, fat = (sorted(f"{folder}/{path.name}" for path in (seeds.folder / folder).iterdir()) for folder in ("cubins", "fatbin"))
    result.append(Kind("cubin", cubins, data, disassemble, 3))
    result.append(Kind("code of a fat binary", fat, data, disassemble, 1))
    if seeds.programs:
        exec_words = ("exec", "--gpu", "test_tiny", "--functional-only", "--")
        result.append(Kind("ELF", ["program"], mutate_program, [exec_words + ("./program",)], 1))
        loader = str(seeds.programs / "load_module")
        result.append(Kind("fat binary", fat, data, [exec_words + (loader, "{input}")], 2))
        result.append(Kind("module of PTX", ["launch/vector_add.ptx"], text, [exec_words + (loader, "{input}")], 1))
    return result


def mutate_program(random, program):
    """Tables of an ELF file. It is marked as one of another machine, so that no damaged code is ever started."""
    data = bytearray(program)
    head = 64
    tables = data[-64 * 48:]
    if random.randrange(2):
        data[:head] = mutations.mutate_bytes(random, bytes(data[:head]))[:head].ljust(head, b"\0")
    else:
        data[-len(tables):] = mutations.mutate_bytes(random, bytes(tables))
    if len(data) >= 20:
        data[18:20] = b"\xb7\0"
    return bytes(data)


class Case:
    """One mutated input in its own folder, and the commands that read it."""

    def __init__(self, seed, number, all_kinds, seeds, chosen_kind):
        self.random = random.Random(f"{seed}/{number}")
        names = [kind for kind in all_kinds if chosen_kind in (None, kind.name)]
        self.kind = self.random.choices(names, [kind.weight for kind in names])[0]
        self.file = self.random.choice(self.kind.files)
        self.command = self.random.choice(self.kind.commands)
        self.command = tuple(self.file if word == "{input}" else word for word in self.command)
        self.seeds = seeds

    def write(self):
        path = self.seeds.folder / self.file
        if self.kind.mutate is None:
            mutations.mutate_database(self.random, path)
        else:
            path.write_bytes(self.kind.mutate(self.random, path.read_bytes()))


def limit_process():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def call(warpsim, words, folder):
    """Exit status (negative: the signal, None: a hang) and its error output."""
    process = subprocess.Popen([warpsim, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, preexec_fn=limit_process)
    try:
        _, errors = process.communicate(timeout=10 * SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, ""
    return process.returncode, errors.decode("utf-8", "replace")


def serve(warpsim, words, folder):
    """Requests the server's page, then ends it."""
    process = subprocess.Popen([warpsim, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, preexec_fn=limit_process)
    line = process.stdout.readline().decode()
    address = re.match(r"http://[\d.:]+/", line)
    errors = ""
    try:
        for path in ("", "document", "state") if address else ():
            try:
                urllib.request.urlopen(address[0] + path, timeout=10 * SECONDS).read()
            except urllib.error.HTTPError as error:
                errors += "warpsim: error: " + error.read().decode("utf-8", "replace")
                if error.code != 503:
                    return 4, f"HTTP status {error.code}: {errors}"
            except OSError as error:
                return (process.wait(10) if process.poll() is not None else None), str(error)
        if address:
            process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=10 * SECONDS)
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    return process.returncode if process.returncode or not errors else 2, errors + rest.decode("utf-8", "replace")


def fault(case, status, errors):
    """The reason why the case fails, or None."""
    if status is None or status == -signal.SIGXCPU:
        return "hang"
    if status < 0 or status >= 128:
        return f"signal {-status if status < 0 else status - 128}"
    if status == 4:
        return "internal error"
    if FOREIGN.search(errors):
        return "words of a library"
    if status != 2:
        return ""
    if "out of memory" in errors:
        return "out of memory"
    lines = [line for line in errors.splitlines() if line.strip()]
    if not lines:
        return "no message"
    first = lines[0]
    name = re.escape(Path(case.file).name)
    names = [name] + [re.escape(Path(word).name) for word in case.command if "." in word or "/" in word]
    names += [r"families/\w+\.yaml", r"kernel-\d\.traceg", "--set", "kernelslist.g", r"func-\d\.sass"]
    if not any(re.search(name, errors) for name in names):
        return "no file in the message"
    if case.kind.lines and not re.search(r":\d+", first) and not OF_WHOLE.search(first):
        return "no line in the message"
    return ""


def work(arguments, seeds, numbers, results):
    all_kinds = kinds(seeds)
    pristine = seeds.folder.with_name(seeds.folder.name + ".pristine")
    if not pristine.exists():
        shutil.copytree(seeds.folder, pristine)
    for number in numbers:
        case = Case(arguments.seed, number, all_kinds, seeds, arguments.kind)
        case.write()
        run = serve if case.command[0] == "serve" else call
        began = time.monotonic()
        status, errors = run(arguments.warpsim, case.command, seeds.folder)
        why = fault(case, status, errors)
        if why and arguments.keep:
            kept = Path(arguments.keep) / f"{number}"
            kept.mkdir(parents=True, exist_ok=True)
            mutated = seeds.folder / case.file
            if mutated.exists():
                shutil.copy(mutated, kept / Path(case.file).name)
            (kept / "command").write_text(" ".join(case.command) + f"\n{case.file}\n{status}: {why}\n{errors}")
        results.put((number, case.kind.name, " ".join(case.command), status, why, errors[:400], time.monotonic() - began))
        restore(pristine, seeds.folder, case.file)
    results.put(None)


def restore(pristine, folder, mutated):
    """Restores the state before the case. Commands write into the folder itself, or into their database."""
    known = {entry.name for entry in os.scandir(pristine)}
    for entry in os.scandir(folder):
        if entry.name not in known:
            shutil.rmtree(entry.path) if entry.is_dir() else os.unlink(entry.path)
    for name in {mutated, "results.db", "other.db"}:
        source, target = pristine / name, folder / name
        stamp = source.stat()
        if not target.exists() or (target.stat().st_mtime_ns, target.stat().st_size) != (stamp.st_mtime_ns, stamp.st_size):
            shutil.copy2(source, target)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warpsim")
    parser.add_argument("--count", type=int, default=100, help="how many inputs (default 100)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (default 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", help="only inputs of this kind")
    parser.add_argument("--programs", help="folder of the programs for exec; without it exec is left out")
    parser.add_argument("--keep", help="folder for the inputs that fail")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="ends after so many, with what was done")
    arguments = parser.parse_args()
    arguments.warpsim = str(Path(arguments.warpsim).resolve())
    arguments.programs = str(Path(arguments.programs).resolve()) if arguments.programs else None
    return arguments


def main():
    arguments = parse_arguments()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="warpsim_mutated_") as scratch:
        first = Path(scratch) / "0"
        first.mkdir()
        all_seeds = [Seeds(arguments.warpsim, first, arguments.programs)]
        for job in range(1, arguments.jobs):
            copy = Path(scratch) / str(job)
            shutil.copytree(first, copy)
            seeds = object.__new__(Seeds)
            seeds.__dict__.update(all_seeds[0].__dict__, folder=copy)
            all_seeds.append(seeds)
        results = multiprocessing.Queue()
        numbers = range(arguments.first, arguments.first + arguments.count)
        workers = [multiprocessing.Process(target=work, args=(arguments, seeds, numbers[job::arguments.jobs], results))
                   for job, seeds in enumerate(all_seeds)]
        for worker in workers:
            worker.start()
        done, failures, open_workers = {}, 0, len(workers)
        while open_workers and time.monotonic() - began < arguments.seconds:
            result = results.get()
            if result is None:
                open_workers -= 1
                continue
            number, kind, command, status, why, errors, seconds = result
            count, refused, longest = done.get(kind, (0, 0, 0))
            done[kind] = (count + 1, refused + (status == 2), max(longest, seconds))
            total = sum(count for count, _, _ in done.values())
            if total % 500 == 0:
                print(f"{total} inputs in {time.monotonic() - began:.0f} s", flush=True)
            if why:
                failures += 1
                print(f"FAIL {number} {kind}: {why} (status {status})\n  {command}\n  {errors}", flush=True)
        for worker in workers:
            worker.terminate()
            worker.join()
    for kind, (count, refused, longest) in sorted(done.items()):
        print(f"{kind}: {count} inputs, {refused} refused, longest {longest:.1f} s")
    total = sum(count for count, _, _ in done.values())
    print(f"{total} mutated inputs in {time.monotonic() - began:.0f} s, {failures} failed")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
