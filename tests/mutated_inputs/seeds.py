"""Undamaged inputs of every kind, created in a folder by the program itself from files of the repository."""

import gzip
import lzma
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SWEEP = """gpus: [gpu/gpu.yaml]
traces:
  - path: vecadd.wtrace
options:
  max_cycles: 3000
set:
  l2.num_ways: 16
grid:
  l2.num_ways: [8, 16]
"""

HARDWARE_ROWS = """workload,launch,kernel,grid,block,gpc__cycles_elapsed.max,smsp__inst_executed.sum
scan,0,k_scan_block,"(256, 1, 1)","(256, 1, 1)",140000,300000
scan,1,k_scan_totals,"(1, 1, 1)","(256, 1, 1)",2200,1000
"""

NCU = '''"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","gpc__cycles_elapsed.max","smsp__inst_executed.sum"
"","","","","","","","","","","","cycle","inst"
"0","1","scan","127.0.0.1","k_scan_block(const uint4 *, uint4 *, unsigned int *)","1","7","(256, 1, 1)","(256, 1, 1)","0","9.0","140,000","300,000"
"1","1","scan","127.0.0.1","k_scan_totals(unsigned int *, int)","1","7","(256, 1, 1)","(1, 1, 1)","0","9.0","2,200","1,000"
'''


class Seeds:
    """`folder` holds the files; each attribute that is not a path is described where it is created."""

    def __init__(self, warpsim, folder, programs):
        self.warpsim = warpsim
        self.folder = Path(folder)
        self.programs = Path(programs) if programs else None
        self.make_traces()
        self.make_gpu()
        self.make_texts()
        self.make_databases()
        self.make_programs()

    def call(self, *words):
        result = subprocess.run([self.warpsim, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        if result.returncode not in (0, 3):
            raise SystemExit(f"seeds: warpsim {' '.join(map(str, words))}: {result.stderr}")

    def make_traces(self):
        for name in ("vecadd", "scan", "wmma_gemm"):
            shutil.copy(ROOT / f"traces/{name}.wtrace", self.folder)
        shutil.copytree(ROOT / "tests/data/two_kernels", self.folder / "two")
        self.call("convert", "scan.wtrace", "text")
        plain = self.folder / "plain"
        plain.mkdir()
        (plain / "kernelslist.g").write_bytes((self.folder / "two/kernelslist.g").read_bytes())
        for number in (1, 2):
            (plain / f"kernel-{number}.traceg").write_bytes(
                lzma.decompress((self.folder / f"two/kernel-{number}.traceg.xz").read_bytes()))
        for number in (0, 1):
            (plain / f"func-{number}.sass").write_bytes(
                gzip.decompress((self.folder / f"two/func-{number}.sass.gz").read_bytes()))

    def make_gpu(self):
        """A description that extends another: both are changed."""
        gpu = self.folder / "gpu"
        shutil.copytree(ROOT / "configs/families", gpu / "families")
        shutil.copy(ROOT / "configs/h200.yaml", gpu / "gpu.yaml")

    def make_texts(self):
        launch = self.folder / "launch"
        shutil.copytree(ROOT / "examples/vector_add", launch)
        shutil.copy(ROOT / "tests/data/ptx/every_form.ptx", self.folder)
        (self.folder / "sweep.yaml").write_text(SWEEP)
        (self.folder / "hardware.csv").write_text(HARDWARE_ROWS)
        (self.folder / "ncu.csv").write_text(NCU)

    def make_databases(self):
        """Simulated runs of two GPUs with samples and hot spots, and measurements."""
        run = ("run", "--gpu", "test_tiny", "--progress", "never")
        details = ("--sample-interval", "5000", "--hot-spots")
        for ways in ("4", "8"):
            self.call(*run, "scan.wtrace", "--out", "results.db", *details, "--set", f"l2.num_ways={ways}",
                      "--name", f"scan@{ways}")
        self.call(*run, "scan.wtrace", "--out", "results.db", "--name", "scan")
        self.call(*run, "scan.wtrace", "--out", "other.db", "--name", "other")
        self.call("correlate", "results.db", "--hardware", "hardware.csv")

    def make_programs(self):
        shutil.copytree(ROOT / "tests/data/fatbin", self.folder / "fatbin")
        shutil.copytree(ROOT / "tests/data/sass/cubins", self.folder / "cubins", ignore=shutil.ignore_patterns("*.cu", "*.ptx"))
        if self.programs:
            shutil.copy(self.programs / "runtime_calls", self.folder / "program")
