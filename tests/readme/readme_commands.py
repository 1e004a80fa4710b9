#!/usr/bin/env python3
"""Runs the commands of README.md in the order of the page, on a build that quickstart would have made.

usage: readme_commands.py BUILD_DIR SOURCE_DIR [NVCC]

Each line of a block marked `sh` is a command. It must end with status 0 in a folder with the content of a checkout, and
results.db of quickstart. A backslash at the end of a line joins it with the next line. A block marked `sql` is
a query to results.db. The scripts that build and test are not run: they run this test. Without NVCC the command that
needs it and those that use its program are not run. Whatever `cmake --install` installs must be built by quickstart.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

SECONDS_PER_COMMAND = 300
BUILDERS = ("scripts/quickstart", "scripts/test")
PROGRAM = "./vecadd"  # compiled by README


def commands_of(page):
    """(line number, command) of each block marked `sh` or `sql`."""
    block = ""
    joined = ""
    for number, line in enumerate(page.splitlines(), 1):
        text = line.strip()
        if text.startswith("```"):
            block = text[3:]
            continue
        if block == "sql" and text and not text.startswith("--"):
            yield number, f"sqlite3 -bail results.db {shlex.quote(text)}"
        if block != "sh" or not text or text.startswith("#"):
            continue
        joined += text
        if joined.endswith("\\"):
            joined = joined[:-1]
            continue
        yield number, joined
        joined = ""


def without_comment(command):
    return re.sub(r"\s+#.*$", "", command)


def quickstart_lines(source):
    """The lines of quickstart that run the built program."""
    text = (source / "scripts" / "quickstart").read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line.startswith("build/release/bin/warpsim")]


def quickstart_targets(source):
    text = (source / "scripts" / "quickstart").read_text()
    match = re.search(r"cmake --build --preset release --target (.+)", text)
    return match.group(1).split()


class Page:
    def __init__(self, build, source, nvcc, folder):
        self.build, self.source, self.nvcc, self.folder = build, source, nvcc, folder
        self.failures = []
        self.skipped = 0
        paths = [str(build / "bin")] + ([str(Path(nvcc).parent)] if nvcc else [])
        self.environment = dict(os.environ, PATH=os.pathsep.join(paths + [os.environ["PATH"]]))

    def prepare(self):
        """A folder like a checkout after quickstart: the sources, the build and the results of its run."""
        for name in subprocess.check_output(["git", "ls-files"], cwd=self.source, text=True).splitlines():
            top = name.split("/")[0]
            if not (self.folder / top).exists():
                (self.folder / top).symlink_to(self.source / top)
        (self.folder / "build").mkdir()
        (self.folder / "build" / "release").symlink_to(self.build)
        for line in quickstart_lines(self.source):
            self.run(0, line)

    def fail(self, number, command, reason):
        self.failures.append(f"README.md:{number}: {command}\n  {reason}")

    def run(self, number, command):
        if command.startswith(BUILDERS):
            return
        if self.nvcc is None and (command.startswith("nvcc ") or PROGRAM in command):
            self.skipped += 1
            return
        if re.match(r"\S*warpsim serve ", command):
            self.serve(number, command)
            return
        command = re.sub(r"^cmake --install build/release$", "cmake --install build/release --prefix installed", command)
        try:
            result = subprocess.run(["sh", "-euc", command], cwd=self.folder, env=self.environment,
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                    timeout=SECONDS_PER_COMMAND)
        except subprocess.TimeoutExpired:
            self.fail(number, command, f"took more than {SECONDS_PER_COMMAND} s")
            return
        if result.returncode != 0:
            self.fail(number, command, f"exit status {result.returncode}: {(result.stderr or result.stdout)[-500:]}")

    def serve(self, number, command):
        """The server answers with a page and ends on an interrupt."""
        process = subprocess.Popen(["sh", "-euc", "exec " + command], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            address = None
            while address is None:
                line = process.stdout.readline()
                if not line:
                    self.fail(number, command, "ended without printing its address")
                    return
                address = re.search(r"http://\S+", line)
            with urllib.request.urlopen(address.group(0), timeout=60) as answer:
                if b"<html" not in answer.read().lower():
                    self.fail(number, command, "the response is not a page")
        except urllib.error.URLError as error:
            self.fail(number, command, f"does not answer: {error}")
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail(number, command, "did not end after an interrupt")

    def made_by_quickstart(self):
        """Names of all targets, programs and libraries that quickstart's targets depend on."""
        made, queue = set(), quickstart_targets(self.source)
        while queue:
            target = queue.pop()
            if target in made or target.endswith((".o", ".a", ".txt")):
                continue
            made.add(target)
            lines = subprocess.run(["ninja", "-C", str(self.build), "-t", "query", target],
                                   capture_output=True, text=True, check=False).stdout.splitlines()
            inputs = lines[1 : lines.index("  outputs:")] if "  outputs:" in lines else lines[1:]
            queue += [line.split()[-1] for line in inputs if line.startswith("    ")]
        return {Path(name).name for name in made}

    def check_installed(self):
        """Everything that is installed and built belongs to the targets of quickstart."""
        made = self.made_by_quickstart()
        for line in (self.build / "install_manifest.txt").read_text().splitlines():
            name = Path(line).name
            built = list(self.build.glob(f"bin/{name}")) + list(self.build.glob(f"lib/warpsim/{name}"))
            if built and name not in made:
                self.failures.append(f"cmake --install needs {name}, which quickstart does not build")


def main():
    build, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    nvcc = sys.argv[3] if len(sys.argv) > 3 else None
    commands = list(commands_of((source / "README.md").read_text()))
    with tempfile.TemporaryDirectory() as name:
        page = Page(build, source, nvcc, Path(name))
        page.prepare()
        for number, command in commands:
            started = time.monotonic()
            page.run(number, without_comment(command))
            print(f"{time.monotonic() - started:6.1f} s  {command}", flush=True)
        page.check_installed()
    for failure in page.failures:
        print(failure)
    print(f"{len(commands)} commands, {page.skipped} not run without nvcc, {len(page.failures)} failed")
    return 1 if page.failures or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
