#!/usr/bin/env python3
"""The example examples/own_mechanisms as a user has it: built with the installed headers, tested, and loaded by the
program. Its keys and counters are in the database, results do not depend on the number of threads, and faulty libraries
cause clear errors.

usage: own_mechanisms_test.py WARPSIM BUILD_DIR CXX
"""

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from database_content import rows_by_table  # noqa: E402

INVALID = 2  # exit code for invalid input
INTERNAL = 4  # exit code for internal errors
TRACES = ROOT / "traces"
OTHER_VERSION = """struct Info { unsigned version, pointer_bytes, string_layout; void (*declare)(void*); };
extern "C" const Info* warpsim_library() { static const Info info = {999, 8, 1, nullptr}; return &info; }
"""


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def run(command, expected=0, **keywords):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **keywords)
    said = result.stdout + result.stderr
    check(
        result.returncode == expected,
        f"{' '.join(map(str, command))} ended with {result.returncode} instead of {expected}:\n{said}",
    )
    return said


class Workplace:
    """A user's folder: installed headers and the example, which is built there."""

    def __init__(self, warpsim, build, compiler, folder):
        self.warpsim, self.build, self.compiler, self.folder = warpsim, build, compiler, folder
        self.prefix = folder / "installed"
        self.example = folder / "examples" / "own_mechanisms"
        self.library = self.example / "build" / "libmine.so"
        self.databases = 0

    def build_example(self):
        run(["cmake", "--install", self.build, "--prefix", self.prefix, "--component", "mechanism_headers"])
        (self.folder / "traces").symlink_to(TRACES)
        shutil.copytree(ROOT / "examples" / "own_mechanisms", self.example, ignore=shutil.ignore_patterns("build"))
        setting = [f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={self.compiler}"]
        run(["cmake", "-B", self.library.parent, "-S", self.example, *setting])
        run(["cmake", "--build", self.library.parent])
        said = run(["ctest", "--test-dir", self.library.parent, "--output-on-failure"])
        check("100% tests passed" in said, said)

    def compile(self, source, name):
        library = self.folder / name
        words = ["-std=c++20", "-shared", "-fPIC", f"-I{self.prefix / 'include'}", source, "-o", library]
        run([self.compiler, *words])
        return library

    def simulate(self, trace, *words, expected=0, gpu="h200"):
        """The database and what the program said."""
        self.databases += 1
        database = self.folder / f"{self.databases}.db"
        command = [self.warpsim, "run", TRACES / f"{trace}.wtrace", "--gpu", gpu, "--out", database, "--name", "x"]
        return database, run([*command, "--progress", "never", *words], expected, cwd=self.example)


def check_page():
    """docs/extending.md shows the files of the example."""
    page = (ROOT / "docs" / "extending.md").read_text()
    for name in ("CMakeLists.txt", "library.cc", "gpu.yaml", "second_chance.h", "turns.h", "pc_stride.h"):
        text = (ROOT / "examples" / "own_mechanisms" / name).read_text()
        check(f"\n{text}```\n" in page, f"docs/extending.md shows another {name} than examples/own_mechanisms")
        check(text.count("\n") < 100, f"{name} has 100 lines or more")


def query(database, sql, *values):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute(sql, values).fetchall()


def counters(database, component):
    return dict(query(database, "SELECT name, value FROM counters WHERE component = ?", component))


def configuration(database):
    return dict(query(database, "SELECT path, value FROM config"))


def content(database):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return rows_by_table(connection)


def cycles(database):
    return query(database, "SELECT cycles FROM kernel_summary")


def check_chosen(database, key, name, option, value):
    """The name, the option and the hash of the library are in the table of the configuration."""
    known = configuration(database)
    check(known.get(key, "").endswith(f"libmine.so:{name}"), f"{key} is {known.get(key)}")
    check(known.get(f"{key}_options.{option}") == value, f"{key}_options.{option} is not {value}")
    check(len(known.get(f"{key}_library", "")) == 16, f"{key}_library is {known.get(f'{key}_library')}")


def check_results(place):
    """Each mechanism by --set, and all by gpu.yaml."""
    scheduler, l1 = "sm.sub_core.scheduler", "sm.l1"
    cases = [
        ("bitonic", "h200", f"{scheduler}.policy", "turns", "length", "4", scheduler, "turns"),
        ("bfs", "h200", f"{l1}.prefetcher", "pc_stride", "confirmations", "1", "sm.l1_prefetcher.mechanism", "strides"),
        ("sgemm_reg", "gtx480", f"{l1}.replacement", "second_chance", "limit", "1", "sm.l1.replacement", "chances"),
    ]
    for trace, gpu, key, name, option, default, component, counter in cases:
        base, _ = place.simulate(trace, gpu=gpu)
        chosen = ["--set", f"{key}=./build/libmine.so:{name}"]
        one, _ = place.simulate(trace, *chosen, gpu=gpu)
        check_chosen(one, key, name, option, default)
        counted = counters(one, component)
        check(counted.get(counter, 0) > 0, f"{name} has counted nothing: {counted}")
        check(cycles(one) != cycles(base), f"{name} changes no cycle of {trace}")
        two, _ = place.simulate(trace, *chosen, "--threads", "2", gpu=gpu)
        check(content(one) == content(two), f"{name}: the results of one and two threads differ")
        other, _ = place.simulate(trace, *chosen, "--set", f"{key}_options.{option}=7", gpu=gpu)
        check_chosen(other, key, name, option, "7")
        check(counters(other, component) != counted, f"{option} of {name} changes nothing")
    all_three, _ = place.simulate("bitonic", gpu="./gpu.yaml")
    for key, name, option, value in [
        ("sm.sub_core.scheduler.policy", "turns", "length", "8"),
        ("sm.l1.prefetcher", "pc_stride", "confirmations", "2"),
        ("sm.l1.replacement", "second_chance", "limit", "1"),
        ("l2.replacement", "second_chance", "limit", "3"),
    ]:
        check_chosen(all_three, key, name, option, value)
    check(counters(all_three, "sm.sub_core.scheduler").get("turns", 0) > 0, "no turns with gpu.yaml")


class Refusals:
    """Runs that must end with a message that names the place and what was expected."""

    def __init__(self, place):
        self.place = place

    def expect(self, settings, *texts, trace="vecadd", words=()):
        sets = [word for setting in settings for word in ("--set", setting)]
        database, said = self.place.simulate(trace, *sets, *words, expected=INVALID, gpu="test_tiny")
        print(f"  {said.strip()}", flush=True)
        for text in ("error:", *texts):
            check(text in said, f"'{text}' is not in the message for {settings}:\n{said}")
        check("internal" not in said, said)
        stored = database.exists() and query(database, "SELECT * FROM launch")
        check(not stored, f"results were stored for {settings}")

    def libraries(self):
        folder = self.place.folder
        place = self.place
        text = folder / "text.so"
        text.write_text("int main() { return 0; }\n" * 10)
        empty = folder / "empty.so"
        empty.write_bytes(b"")
        data = place.library.read_bytes()
        half = folder / "half.so"
        half.write_bytes(data[: len(data) // 2])
        source = folder / "other.cc"
        source.write_text("extern \"C\" int unrelated() { return 1; }\n")
        unrelated = place.compile(source, "unrelated.so")
        source.write_text(OTHER_VERSION)
        version = place.compile(source, "version.so")
        missing = folder / "missing.so"
        for library, reason in [
            (missing, "missing.so"),
            (folder, "expected a shared library"),
            (text, "expected a shared library"),
            (empty, "expected a shared library"),
            (half, "truncated"),
            (unrelated, "does not define 'warpsim_library'"),
            (version, "version 999"),
        ]:
            self.expect([f"l2.replacement={library}:second_chance"], "l2.replacement", library.name, reason)

    def names(self):
        mine = "./build/libmine.so"
        self.expect(["l2.replacement=second_chanse"], "l2.replacement", "lru", "LIBRARY:NAME")
        self.expect([f"l2.replacement={mine}:second_chanse"], "second_chanse", "did you mean", "second_chance")
        self.expect([f"l2.replacement={mine}:"], "l2.replacement", "LIBRARY:NAME")
        self.expect([f"l2.replacement={mine}:turns"], "no 'turns' for this key", "second_chance")
        self.expect([f"sm.l1.insertion={mine}:turns"], "sm.l1.insertion", "no mechanisms for this key")
        chosen = f"l2.replacement={mine}:second_chance"
        self.expect([chosen, "l2.replacement_options.limmit=2"], "l2.replacement_options.limmit", "limit")
        self.expect([chosen, "l2.replacement_options.limit=16"], "l2.replacement_options.limit", "15", "16")
        self.expect([chosen, "l2.replacement_options.limit=many"], "l2.replacement_options.limit", "many")
        self.expect([chosen, "l2.replacement_options=3"], "l2.replacement_options", "section")
        self.expect(["l2.replacement_options.limit=3"], "l2.replacement_options", "'lru' has no options")

    def thrown(self, faulty):
        """An exception of a call: whose error it is remains open, but the message names the library."""
        for words in ([], ["--threads", "2"]):
            setting = ["--set", f"l2.replacement={faulty}:throws_later"]
            _, said = self.place.simulate("vecadd", *setting, *words, expected=INTERNAL, gpu="test_tiny")
            for text in ("internal error: the reason of a call", "may be theirs", "faulty.so:throws_later"):
                check(text in said, said)

    def mechanisms(self):
        faulty = self.place.compile(ROOT / "tests" / "mechanisms" / "faulty_mechanisms.cc", "faulty.so")
        self.thrown(faulty)
        for words in ([], ["--threads", "2"]):
            policy = f"sm.sub_core.scheduler.policy={faulty}:no_candidate"
            self.expect([policy], "no_candidate", "candidates", words=words)
            replacement = f"l2.replacement={faulty}:way_beyond"
            self.expect([replacement], "way_beyond", "way 2", "expected 0 to 1", trace="transpose", words=words)
        for key in ("l2.replacement", "sm.l1.replacement"):
            self.expect([f"{key}={faulty}:throwing"], "throwing", "the reason of the constructor")
            self.expect([f"{key}={faulty}:same_counters"], "same_counters", "'events'", "twice")
            self.expect([f"{key}={faulty}:same_keys"], "same_keys", "'depth'", "twice")
            self.expect([f"{key}={faulty}:no_counter"], "was not assigned")
            self.expect([f"{key}={faulty}:default_beyond"], "default_beyond", "'depth'", "default")


def check_sweep(place):
    """The sweep of the example: shipped and own mechanisms in one database."""
    out = place.folder / "sweep.db"
    run([place.warpsim, "sweep", "sweep.yaml", "--out", out], cwd=place.example)
    rows = query(out, "SELECT run_name, cycles FROM sweep ORDER BY run_id")
    check(len(rows) == 8, f"the sweep has {len(rows)} launches")
    own = [cycles for name, cycles in rows if "libmine" in name]
    check(own and all(cycles > 0 for cycles in own), f"no own mechanism in {rows}")
    print("\n".join(f"  {name}: {cycles} cycles" for name, cycles in rows), flush=True)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    check_page()
    with tempfile.TemporaryDirectory() as name:
        place = Workplace(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3], Path(name))
        place.build_example()
        check_results(place)
        refusals = Refusals(place)
        refusals.libraries()
        refusals.names()
        refusals.mechanisms()
        check_sweep(place)


if __name__ == "__main__":
    main()
