#include "app/command_help.h"

#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

constexpr const char* kProgramHelp =
    R"(warpsim simulates GPU kernels cycle by cycle: recorded instruction traces and a description of the GPU in,
a database of statistics out.

usage: warpsim COMMAND [options]

  run               simulate traces on a GPU and store the statistics, or kernels in PTX without a host program
  exec              run a CUDA program on a simulated GPU
  trace             run a CUDA program and record what it launches as a trace
  sweep             simulate every combination of traces, GPUs and values, on this machine or by Slurm
  merge             join results databases
  compare           the same traces on several GPUs, or two databases, side by side
  info              what a trace holds: kernels, sizes, instructions by class
  convert           change the format of a trace
  correlate         compare results with hardware measurements
  export            views, tables and queries as CSV, JSON, Markdown or LaTeX
  import-ncu        put measurements of Nsight Compute beside a simulated run
  plot              figures for papers: correlation, speed-up, stalls, roofline, sweep, time series
  report            results as one HTML file: verdicts, roofline, stalls, memory, code, comparison
  serve             the same in a browser, live while runs go on
  occupancy         how many blocks of a kernel an SM holds, and what limits them
  gpus              list the GPU descriptions that ship
  config-reference  print the reference of all keys of a GPU description
  launch-reference  print the reference of all keys of a launch file
  metric-reference  print the reference of all metrics

'warpsim COMMAND --help' tells more. 'warpsim --version' names version, schema and build.
Exit codes: 0 done, 1 a kernel failed or gave other results than expected, or points of a sweep failed, 2 wrong input,
3 a cycle limit was reached, 4 internal error.

A first run:
  warpsim run traces/vecadd.wtrace --gpu h200 --out results.db
)";

constexpr CommandHelp kCommands[] = {
    {"run",
     "usage: warpsim run TRACE... --gpu GPU --out FILE [options]\n"
     "       warpsim run KERNELS.ptx --launch FILE [--gpu GPU] [--functional-only] [--out FILE] [options]\n\n"
     "Simulates traces and stores their statistics. A TRACE is a directory with a kernelslist.g, a kernelslist.g, one\n"
     ".traceg (plain, .gz, .xz or .zst) or a .wtrace. Several traces make several runs in one database.\n\n"
     "Kernels in PTX run as a launch file says (docs/running-ptx.md), without a host program; --gpu is h200 by "
     "default.\n",
     "A run is named after its directory (a folder called 'traces' after the one above it) or file. An existing\n"
     "results database is appended to. The same command continues a run of traces that was interrupted (Ctrl-C, kill)\n"
     "and simulates only the launches that are missing; --replace starts again.\n"
     "Statistics: docs/statistics.md; keys of a GPU description: docs/config-reference.md.\n\n"
     "examples:\n"
     "  warpsim run traces/vecadd.wtrace --gpu h200 --out results.db\n"
     "  warpsim run traces/*.wtrace --gpu h200 --set l2.num_ways=24 --jobs 4 --out wide.db\n"
     "  warpsim run examples/vector_add/vector_add.ptx --launch examples/vector_add/launch.yaml --functional-only\n"
     "  sqlite3 -box results.db 'SELECT * FROM kernel_summary'\n"},
    {"exec",
     "usage: warpsim exec [options] -- PROGRAM [ARGUMENT...]\n\n"
     "Runs a CUDA program without a GPU: its kernels, as PTX, are executed and timed on a simulated device. The "
     "program\n"
     "is used as it is; it must be linked to the shared CUDA runtime (nvcc -cudart shared) of a toolkit 11 to 13 and\n"
     "hold PTX (nvcc's default, or -gencode arch=compute_XX,code=compute_XX).\n",
     "The exit code is the program's, or 128 and the number of the signal that ended it. With --out a line on "
     "standard\n"
     "error says at the end what is stored. What the simulated device does not support returns the CUDA error, and is\n"
     "named once on standard error. See also docs/running-programs.md.\n\n"
     "examples:\n"
     "  nvcc -arch=sm_80 -cudart shared vecadd.cu -o vecadd\n"
     "  warpsim exec --gpu a100 --out results.db -- ./vecadd 1000000\n"},
    {"trace",
     "usage: warpsim trace --out FILE.wtrace [options] -- PROGRAM [ARGUMENT...]\n\n"
     "Runs a CUDA program like exec, without timing it, and records every kernel as a native trace, which run and\n"
     "compare simulate on any GPU. Machine code is made of the PTX for the GPU given.\n"
     "Warps take turns in a fixed order. What depends on time is recorded as it went in that order.\n",
     "examples:\n"
     "  warpsim trace --gpu a100 --out vecadd.wtrace -- ./vecadd 1000000\n"
     "  warpsim compare vecadd.wtrace --gpu a100 --gpu h200\n"},
    {"sweep",
     "usage: warpsim sweep SWEEP.yaml [--out FILE] [--jobs N] [options]\n"
     "       warpsim sweep SWEEP.yaml --engine slurm [--slurm-args WORDS] [--points-per-task N] [options]\n\n"
     "Simulates what a file describes (docs/sweeps.md): every combination of traces, GPUs and values of their\n"
     "descriptions, each as a run named TRACE@GPU[KEY=VALUE,...], and stores all in one results database.\n",
     "What is finished is kept in FILE.sweep/ beside the database. A sweep that was ended, in whatever way, goes on "
     "when "
     "the\n"
     "same command is given again; so does one whose file was changed, with the points that are new. Points that fail "
     "are\n"
     "named, with what they said, and the exit code is 1; the database then holds the others.\n\n"
     "examples:\n"
     "  warpsim sweep examples/sweep/sweep.yaml --dry-run\n"
     "  warpsim sweep examples/sweep/sweep.yaml --out ways.db\n"
     "  warpsim sweep sweep.yaml --engine slurm --slurm-args '--time=2:00:00' --points-per-task 10 --out ways.db\n"},
    {"merge",
     "usage: warpsim merge OUT.db DATABASE... [--replace]\n       warpsim merge --out OUT.db DATABASE... "
     "[--replace]\n\n"
     "Adds all runs of results databases to another, in their order; it is made if it does not exist. Either all are\n"
     "added or none. A run whose name is there already is refused unless --replace is given.\n",
     "examples:\n"
     "  warpsim merge all.db monday.db tuesday.db\n"},
    {"compare",
     "usage: warpsim compare TRACE... --gpu GPU --gpu GPU... [--out FILE] [options]\n"
     "       warpsim compare DATABASE DATABASE... [--json]\n\n"
     "Sets the same launches on several GPUs side by side: cycles, time, speed-up over the first, instructions a "
     "cycle,\n"
     "occupancy, bandwidth and what stalled warps most. Simulates traces, or reads databases of earlier runs.\n",
     "A run is named TRACE@GPU; with --out the database keeps all of them, the same command continues after an\n"
     "interruption, and the view 'comparison' shows what is printed. A kernel that a GPU cannot run is named with the\n"
     "reason. Databases are compared where they hold launches of equal traces.\n\n"
     "examples:\n"
     "  warpsim compare traces/*.wtrace --gpu p100 --gpu v100 --gpu a100 --gpu h100 --out generations.db\n"
     "  warpsim compare before.db after.db\n"},
    {"info",
     "usage: warpsim info TRACE [options]\n\n"
     "Reads a trace through and prints its kernels, their sizes and their instructions by class.\n",
     ""},
    {"convert",
     "usage: warpsim convert IN OUT\n\n"
     "Changes the format of a trace. IN is anything that run takes. OUT ending in .wtrace is written in the native\n"
     "format; from a .wtrace, OUT is a directory for the text format.\n",
     "examples:\n"
     "  warpsim convert bfs/traces bfs.wtrace\n"
     "  warpsim convert bfs.wtrace bfs_text\n"},
    {"correlate",
     "usage: warpsim correlate DATABASE --hardware CSV [options]\n\n"
     "Compares simulated runs with measurements: per launch and metric the two values and the error, per metric mean,\n"
     "median, 90th percentile and worst of the absolute errors and Pearson's correlation, of values and of "
     "logarithms.\n"
     "The CSV has one row a launch, with the columns workload, launch, kernel, grid, block and one a metric; workload\n"
     "and launch are joined with the run's name and the launch index. Columns 'METRIC (min)' and 'METRIC (max)' hold "
     "the\n"
     "spread of repeated measurements.\n",
     "Errors are relative to hardware. Where hardware counts under 1,000 (metrics in .sum, .avg, .max or .min), the "
     "error\n"
     "is the difference / 1,000; percentages (.pct) differ in points. Percentiles are interpolated linearly.\n"
     "The measurements are kept in the database, where the view 'metrics' shows them with source 'hardware'.\n\n"
     "examples:\n"
     "  warpsim correlate results.db --hardware h200.csv\n"
     "  warpsim correlate results.db --hardware h200.csv --metric lts__t_sectors.sum\n"
     "  warpsim correlate results.db --hardware h200.csv --all --csv comparison.csv\n"
     "  warpsim correlate results.db --hardware h200.csv --all --table accuracy.md --table accuracy.tex\n"},
    {"export",
     "usage: warpsim export DATABASE --view NAME | --query SQL [options]\n\n"
     "Writes a view, a table or a query of a results database as CSV, JSON, Markdown or LaTeX. The database is only "
     "read.\n",
     "Numbers are the query's, in the fewest digits that read back as the same; only --digits rounds. Each file names "
     "the\n"
     "runs, their configurations and versions: JSON in 'metadata', Markdown and LaTeX in a comment, CSV in the file\n"
     "FILE.schema.json beside it, which also has every column's type and unit. docs/exports.md tells more.\n\n"
     "examples:\n"
     "  warpsim export results.db --view kernel_summary -o kernels.csv\n"
     "  warpsim export results.db --view stalls --run bfs --format json\n"
     "  warpsim export results.db --query 'SELECT name, cycles, ipc FROM kernel_summary' --digits 2 -o kernels.tex\n"},
    {"import-ncu",
     "usage: warpsim import-ncu DATABASE CSV [options]\n\n"
     "Reads what 'ncu --csv' prints into the database, where the view 'metrics' shows it with source 'hardware' "
     "beside\n"
     "the simulated values, in the same units. Both layouts are read: one row a launch with a row of units (--page "
     "raw),\n"
     "and one row a metric. Launches are matched in the order of the column ID.\n",
     "ncu rounds values that it scales: --print-units base keeps every digit. A file may hold several outputs, of "
     "further\n"
     "metrics or of the same ones again, of which the median counts. docs/exports.md tells more.\n\n"
     "examples:\n"
     "  ncu --csv --page raw --print-units base --log-file bfs.csv --metrics gpc__cycles_elapsed.max ./bfs\n"
     "  warpsim import-ncu results.db bfs.csv --name bfs\n"},
    {"plot",
     "usage: warpsim plot KIND DATABASE -o FILE [options]\n\n"
     "Draws a figure of a results database as SVG or PDF. KIND is one of\n\n"
     "  correlation  simulated against measured, one point a launch\n"
     "  speedup      bars over a baseline, one group a trace, and their geometric mean\n"
     "  stalls       why warps waited, one stacked bar a launch\n"
     "  roofline     warp instructions a second over those per transaction of L2 and DRAM\n"
     "  sweep        a metric over a value of the configuration that differs between runs\n"
     "  timeseries   a sampled metric over time\n",
     "gnuplot draws (Debian: gnuplot-nox). The file's metadata name runs, configurations and versions; it holds no "
     "date,\n"
     "so that the same results give the same file. docs/figures.md shows every kind.\n\n"
     "examples:\n"
     "  warpsim plot correlation results.db -o correlation.pdf\n"
     "  warpsim plot speedup generations.db --baseline 'NVIDIA Tesla V100 SXM2' --width double -o speedup.pdf --keep\n"
     "  warpsim plot sweep ways.db --x l2.num_ways --y l2_hit_pct -o ways.svg\n"},
    {"report",
     "usage: warpsim report DATABASE... -o FILE.html [options]\n\n"
     "Writes one HTML file that any browser opens, without a network: what limits each launch and why, occupancy,\n"
     "roofline, stall reasons, memory hierarchy, time series, hot spots, comparison of runs and databases, errors\n"
     "against hardware, configuration. Every table shows the query that gives its numbers.\n",
     "docs/report.md explains the sections. An existing FILE is replaced when the new one is whole.\n\n"
     "examples:\n"
     "  warpsim report results.db -o report.html\n"
     "  warpsim report before.db after.db --runs 'bfs*' --title 'Wider L2' -o wider.html\n"},
    {"serve",
     "usage: warpsim serve DATABASE... [options]\n\n"
     "Shows the report of databases at http://127.0.0.1:PORT/, to browsers of this machine only, and keeps it up to "
     "date\n"
     "while runs write to them. Only reads. Ctrl-C ends.\n",
     "examples:\n"
     "  warpsim run traces/*.wtrace --gpu h200 --out results.db & warpsim serve results.db\n"
     "  warpsim serve results.db --port 0\n"},
    {"occupancy",
     "usage: warpsim occupancy --gpu GPU --threads N --registers R [--shared BYTES] [options]\n\n"
     "Tells how many blocks of a kernel fit on one SM, what limits them, and which block size fills the SM best. The\n"
     "answers are those of NVIDIA's occupancy calculator, for every compute capability.\n",
     "A kernel that cannot run has 0 blocks and a reason; that is an answer, not an error. Without --carveout the\n"
     "largest size of shared memory counts; a run gives a kernel what the driver would, which may be less.\n\n"
     "examples:\n"
     "  warpsim occupancy --gpu gtx480 --threads 256 --registers 20 --shared 2048\n"
     "  warpsim occupancy --gpu v100 --threads 256 --registers 32 --shared 8192 --carveout 32 --json\n"
     "  warpsim occupancy --gpu h200 --threads 256 --sweep registers\n"},
    {"gpus",
     "usage: warpsim gpus [--json]\n       warpsim gpus --table [CAPABILITY...] [--json | --markdown]\n\n"
     "Lists the GPU descriptions that ship; run takes their names. With --table prints the features and technical\n"
     "specifications of all compute capabilities, or of those named, as in the appendices of the programming guides.\n",
     "examples:\n"
     "  warpsim gpus --table 2.0 7.0 9.0\n"
     "  warpsim gpus --table --json\n"},
    {"config-reference",
     "usage: warpsim config-reference\n\n"
     "Prints docs/config-reference.md: every key of a GPU description with its range and meaning.\n",
     ""},
    {"launch-reference",
     "usage: warpsim launch-reference\n\n"
     "Prints docs/launch-reference.md: every key of a launch file with its values and meaning.\n",
     ""},
    {"metric-reference",
     "usage: warpsim metric-reference\n\n"
     "Prints docs/metrics.md: every metric with its unit, meaning and derivation.\n",
     ""},
};

}  // namespace

const CommandHelp& command_help(const std::string& name) {
  for (const CommandHelp& command : kCommands) {
    if (name == command.name) {
      return command;
    }
  }
  throw UsageError("unknown command '" + name + "'" + did_you_mean(name, command_names()));
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandHelp& command : kCommands) {
    names.emplace_back(command.name);
  }
  return names;
}

const char* program_help() {
  return kProgramHelp;
}

}  // namespace warpsim
