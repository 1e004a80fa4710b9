#!/usr/bin/env python3
"""Checks that the repository keeps its own rules (CONTRIBUTING.md). Run by ctest; prints each violation with its place.

usage: check_style.py SOURCE_DIR
"""

import re
import sys
from pathlib import Path

from calibration import check_calibration
from hidden_names import check_hidden_names
from prose import PROSE_FOLDERS, PROSE_SUFFIXES, check_prose

# A folder of sim/ may include itself and folders of a lower level.
LEVELS = {
    **{"base": 0, "engine": 1, "config": 1, "isa": 1, "ptx": 1, "sass": 1, "stats": 2, "emulator": 2, "codegen": 2, "mechanisms": 3, "memory": 4, "core": 5},
    **{"report": 3, "sweep": 3, "device": 6, "frontend": 6, "cuda": 7, "app": 8},
}
# The same for folders of sim/cuda/. Those that are not here, and its own files, are one layer: the state of a process.
CUDA_LEVELS = {"abi": 0, "code": 0, "device": 1, "runtime": 3, "driver": 4, "libraries": 5}
STATE_LEVEL = 2
# Folders of sim/memory. Files beside them are parts of all, but for those that put the memory system together.
MEMORY_LEVELS = {"access": 1, "caches": 1, "dram": 1, "translation": 1, "l2": 2, "remote": 3, "crossbar": 4}
MEMORY_WHOLE = ("memory_column", "memory_config", "memory_engines", "memory_ports", "memory_system")
FILE_LINES = 400
FUNCTION_LINES = 100
TABLE_FILES = re.compile(r"_(table|rows|definitions|names)\.cc$")  # data, one row per line

PRINTING = re.compile(
    r"\bstd::(cout|cerr|clog|exit|quick_exit|abort|terminate)\b|\bfmt::print\b|(?<![\w:.>])(printf|fprintf|puts|exit|abort)\s*\("
)
THREADS = re.compile(r"#include <(thread|mutex|shared_mutex|atomic|future|condition_variable|semaphore|barrier|latch)>")
SOURCE_TAG = re.compile(r"#.*\b(measured|vendor|paper|assumed|derived):")
CONFIG_VALUE = re.compile(r"^\s*[\w-]+:\s*(?P<value>[\[\d.+-][^#]*|true\s*|false\s*)(?P<comment>#.*)?$")
CONFIG_ITEM = re.compile(r"^\s*-\s*(?P<value>[\d.+-][^#]*)(?P<comment>#.*)?$")
PATH_IN_TEXT = re.compile(r"(?<![\w./-])((?:sim|docs|configs|scripts|tests|traces|cmake|examples|\.ci)/[\w./{},*-]+)")
UNWANTED = [
    (re.compile(r"(?<![\w.])/(work|home|root)/"), "a path of one machine"),
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "an unfinished piece"),
    (re.compile(r"\bissues? #?\d", re.IGNORECASE), "the number of an issue"),
    (re.compile(r"\b(agents?|sessions?|assistant|prompt)\b", re.IGNORECASE), "who wrote it"),
]
TEXT_SUFFIXES = {".h", ".cc", ".cu", ".md", ".yaml", ".proto", ".py", ".txt", ".cmake", ".sql", ".json", ".mjs", ".css"}
PAGE_LINE = 120  # columns of scripts and style sheets; clang-format keeps those of C++


class Report:
    def __init__(self):
        self.breaches = []

    def add(self, path, line, message):
        self.breaches.append(f"{path}:{line}: {message}")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def without_comments_and_strings(text):
    """The code of a C++ file with comments and literals blanked out, line structure kept."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, blank, text, flags=re.DOTALL)


def functions(code):
    """(first line, last line) of each outermost function body, found by its braces."""
    stack = []
    begin = 0  # of the text that introduces the next block
    line = 1
    for position, character in enumerate(code):
        if character == "\n":
            line += 1
        elif character == "{":
            head = code[begin:position].strip()
            if stack and stack[-1][0] in ("function", "inner"):
                kind = "inner"
            elif re.search(r"\b(namespace|extern)\b[^()]*$", head):
                kind = "scope"
            elif re.match(r"(template\s*<.*>\s*)?(class|struct|union|enum)\b", head, re.DOTALL) and not head.endswith(")"):
                kind = "scope"
            elif "(" in head and not re.search(r"=\s*$", head):
                kind = "function"
            else:
                kind = "inner"
            stack.append((kind, line))
            begin = position + 1
        elif character == "}":
            if stack:
                kind, first = stack.pop()
                if kind == "function":
                    yield first, line
            begin = position + 1
        elif character == ";":
            begin = position + 1


def memory_level(folder, name):
    return MEMORY_LEVELS.get(folder, 5 if name in MEMORY_WHOLE else 0)


def check_source(root, path, report):
    relative = path.relative_to(root)
    text = path.read_text()
    code = without_comments_and_strings(text)
    folder = relative.parts[1]
    in_sim = relative.parts[0] == "sim"
    lines = text.count("\n")
    table = TABLE_FILES.search(path.name)
    if lines > FILE_LINES and not table:
        report.add(relative, lines, f"file has {lines} lines, the limit is {FILE_LINES}")
    for first, last in functions(code):
        if last - first > FUNCTION_LINES and not table:
            report.add(relative, first, f"function has {last - first} lines, the limit is {FUNCTION_LINES}")
    if not in_sim:
        return
    if folder not in LEVELS:
        report.add(relative, 1, f"folder sim/{folder} has no place in the order of layers")
        return
    for number, line in enumerate(text.splitlines(), 1):
        include = re.match(r'#include "(\w+)/', line)
        if include and include.group(1) in LEVELS and include.group(1) != folder:
            if LEVELS[include.group(1)] >= LEVELS[folder]:
                report.add(relative, number, f"sim/{folder} must not include sim/{include.group(1)}")
        include = re.match(r'#include "cuda/(?:(\w+)/)?', line)
        if include and folder == "cuda":
            own = relative.parts[2] if len(relative.parts) > 3 else ""
            other = include.group(1) or ""
            levels = [CUDA_LEVELS.get(name, STATE_LEVEL) for name in (other, own)]
            if own != other and (levels[0] > levels[1] or levels[0] == levels[1] != STATE_LEVEL):
                report.add(relative, number, f"sim/cuda/{own} must not include sim/cuda/{other}")
        include = re.match(r'#include "memory/(?:(\w+)/)?(\w+)\.h"', line)
        if include and folder == "memory":
            levels = [memory_level(*include.groups()), memory_level(*relative.with_suffix("").parts[-2:])]
            if levels[0] > levels[1] or (levels[0] == levels[1] and include.group(1) not in (None, relative.parts[2])):
                report.add(relative, number, f"{'/'.join(relative.parts[:-1])} must not include {include.group(0)[10:-1]}")
        # Sources of instructions serve SMs of several threads; several threads execute the blocks of a kernel.
        shares = folder in ("emulator", "frontend") and line in ("#include <mutex>", "#include <atomic>")
        if THREADS.search(line) and not shares and folder not in ("app", "cuda", "engine", "report", "sweep"):
            report.add(relative, number, "threads belong to app/, cuda/, engine/, report/ and sweep/")
    for number, line in enumerate(code.splitlines(), 1):
        if folder not in ("app", "cuda") and PRINTING.search(line):
            report.add(relative, number, "printing and exiting belong to app/, and to cuda/, whose libraries are in others' programs")


def includes_of(path):
    return set(re.findall(r'#include "([\w/]+\.h)"', path.read_text()))


def check_tested(root, report):
    """A component is included by its own test; its helpers may be tested through it."""
    sim = root / "sim"
    headers = {h.relative_to(sim).as_posix(): h for h in sorted(sim.rglob("*.h")) if h.with_suffix(".cc").exists()}
    tested = set()
    for path in (root / "tests").rglob("*"):
        if path.suffix in (".cc", ".h"):
            tested |= includes_of(path) & headers.keys()
    direct = set(tested)
    unseen = list(tested)
    while unseen:
        header = headers[unseen.pop()]
        for name in includes_of(header) | includes_of(header.with_suffix(".cc")):
            if name in headers and name not in tested and name.split("/")[0] == header.relative_to(sim).parts[0]:
                tested.add(name)
                unseen.append(name)
    for name, header in headers.items():
        component = re.search(r": public Component\b|^void describe\(ConfigSection&", header.read_text(), re.MULTILINE)
        if name.startswith("app/"):
            continue
        if component and name not in direct:
            report.add(header.relative_to(root), 1, f'component without a unit test: none includes "{name}"')
        elif name not in tested:
            report.add(header.relative_to(root), 1, f'no test reaches "{name}"')


def check_config(root, path, report):
    """Every number and switch states its source, next to it or in the comment above. Returns the assumed ones."""
    assumed = 0
    above = ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip().startswith("#"):
            above = line
            continue
        match = CONFIG_VALUE.match(line) or CONFIG_ITEM.match(line)
        if match:
            comment = match.group("comment") or ""
            if not SOURCE_TAG.search(comment):
                comment = above
            if not SOURCE_TAG.search(comment):
                report.add(path.relative_to(root), number, "value without a source (measured, vendor, paper, assumed, derived)")
            assumed += "assumed:" in comment
        above = ""
    return assumed


def expand_braces(path):
    match = re.search(r"\{([^{}]*)\}", path)
    if not match:
        return [path]
    return [p for option in match.group(1).split(",") for p in expand_braces(path[: match.start()] + option + path[match.end() :])]


def check_documented_paths(root, path, report):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for name in PATH_IN_TEXT.findall(line):
            for candidate in expand_braces(name.rstrip(".,:")):
                found = any(root.glob(candidate)) if "*" in candidate else (root / candidate).exists()
                if not found:
                    report.add(path.relative_to(root), number, f"there is no {candidate}")


def check_page_source(root, path, report):
    """Scripts and style sheets of reports, and the scripts that test them."""
    lines = path.read_text().splitlines()
    if len(lines) > FILE_LINES:
        report.add(path.relative_to(root), len(lines), f"file has {len(lines)} lines, the limit is {FILE_LINES}")
    for number, line in enumerate(lines, 1):
        if len(line) > PAGE_LINE:
            report.add(path.relative_to(root), number, f"line has {len(line)} columns, the limit is {PAGE_LINE}")
    if path.relative_to(root).parts[0] == "web":  # the words of tests are checked with the others
        check_words(root, path, report)


def check_words(root, path, report):
    relative = path.relative_to(root)
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return
    patterns = list(UNWANTED)
    if relative.parts[0] != "tests":
        patterns.append((re.compile(r"\.\./shared"), "a folder that users do not have"))
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in patterns:
            if pattern.search(line):
                report.add(relative, number, f"speaks of {what}: {line.strip()[:80]}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1]).resolve()
    report = Report()
    for top in ("sim", "tests"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".cc", ".h"):
                check_source(root, path, report)
    check_hidden_names(root, report)
    check_tested(root, report)
    assumed = {}
    for path in sorted((root / "configs").rglob("*.yaml")):
        assumed[path.relative_to(root / "configs")] = check_config(root, path, report)
    check_calibration(root, report)
    documents = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md")) + sorted((root / "traces").glob("*.md"))
    for path in documents:
        check_documented_paths(root, path, report)
    prose = documents + sorted((root / "examples").rglob("*.md")) + sorted((root / "configs").rglob("*.yaml"))
    sources = [p for top in PROSE_FOLDERS for p in sorted((root / top).rglob("*")) if p.suffix in PROSE_SUFFIXES]
    for path in prose + sorted((root / "tests/hardware").glob("*.md")) + sources:
        check_prose(root, path, report)
    for top in ("sim", "tests", "docs", "configs", "examples", "scripts", "cmake", "benchmarks", ".ci"):
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and path != Path(__file__).resolve() and (path.suffix in TEXT_SUFFIXES or top in ("scripts", ".ci")):
                check_words(root, path, report)
    pages = [p for top in ("web/src", "tests/browser") for s in ("js", "mjs", "css") for p in (root / top).rglob(f"*.{s}")]
    for path in sorted(p for p in pages if "node_modules" not in p.parts):
        check_page_source(root, path, report)
    for path in sorted(root.glob("*.md")) + [root / "CMakeLists.txt"]:
        check_words(root, path, report)

    for breach in report.breaches:
        print(breach)
    for name, count in assumed.items():
        print(f"configs/{name}: {count} assumed values")
    print(f"{len(report.breaches)} breaches")
    sys.exit(1 if report.breaches else 0)


if __name__ == "__main__":
    main()
