#include "app/options/command_help.h"

#include <fmt/format.h>

#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

constexpr CommandSummary kSimulate[] = {
    {"run", Operands::kFiles, "simulate traces, or kernels in PTX, on a GPU and store the statistics"},
    {"exec", Operands::kProgram, "run a CUDA program on a simulated GPU"},
};
constexpr CommandSummary kTraces[] = {
    {"trace", Operands::kProgram, "run a CUDA program and record its kernels as a trace"},
    {"info", Operands::kFiles, "list the kernels of a trace, their sizes and instructions by class"},
    {"convert", Operands::kFiles, "change the format of a trace"},
};
constexpr CommandSummary kCode[] = {
    {"disassemble", Operands::kFiles, "print the machine code of a cubin, a fat binary, a program, or PTX"},
};
constexpr CommandSummary kSweeps[] = {
    {"sweep", Operands::kFiles, "simulate all combinations of traces, GPUs and values, here or by Slurm"},
    {"merge", Operands::kFiles, "join results databases"},
};
constexpr CommandSummary kInspect[] = {
    {"report", Operands::kFiles, "write results as one HTML file: limits, roofline, stalls, memory, code"},
    {"serve", Operands::kFiles, "show the same page in a browser, live while runs go on"},
};
constexpr CommandSummary kCompare[] = {
    {"compare", Operands::kFiles, "show launches on several GPUs, or of several databases, side by side"},
    {"correlate", Operands::kFiles, "compare results with hardware measurements"},
    {"import-ncu", Operands::kFiles, "store measurements of Nsight Compute with a simulated run"},
};
constexpr CommandSummary kExport[] = {
    {"export", Operands::kFiles, "write views, tables and queries as CSV, JSON, Markdown or LaTeX"},
    {"plot", Operands::kFigure, "draw figures for papers: correlation, speed-up, stalls, roofline, sweep"},
};
constexpr CommandSummary kGpus[] = {
    {"gpus", Operands::kNone, "list the shipped GPU descriptions, or features by compute capability"},
    {"mechanisms", Operands::kFiles,
     "list mechanisms for descriptions: schedulers, replacement, prefetchers; of libraries"},
    {"occupancy", Operands::kNone, "compute how many blocks of a kernel fit on an SM, and what limits them"},
};
constexpr CommandSummary kReference[] = {
    {"config-reference", Operands::kNone, "print the reference of all keys of a GPU description"},
    {"launch-reference", Operands::kNone, "print the reference of all keys of a launch file"},
    {"metric-reference", Operands::kNone, "print the reference of all metrics"},
    {"completion", Operands::kShell, "print the completions of a shell: bash, zsh or fish"},
    {"manual", Operands::kNone, "print the manual page"},
};
constexpr CommandGroup kGroups[] = {
    {"Simulate", kSimulate},
    {"Record and inspect traces", kTraces},
    {"Inspect machine code", kCode},
    {"Sweep parameters", kSweeps},
    {"Inspect results", kInspect},
    {"Compare", kCompare},
    {"Export", kExport},
    {"GPU descriptions", kGpus},
    {"Reference", kReference},
};

constexpr CommandHelp kCommands[] = {
    {"run",
     "usage: warpsim run TRACE... --gpu GPU --out FILE [options]\n"
     "       warpsim run KERNELS.ptx --launch FILE [--gpu GPU] [--functional-only] [--out FILE] [options]\n\n"
     "Simulates traces and stores their statistics. A TRACE is a directory with a kernelslist.g, a kernelslist.g, one\n"
     ".traceg (plain, .gz, .xz or .zst) or a .wtrace. Several traces make several runs in one database.\n\n"
     "A launch file defines the launches of PTX kernels (docs/running-ptx.md), without a host program; --gpu is h200 "
     "by "
     "default.\n",
     "A run is named after its directory (a folder named 'traces' after its parent) or file. An existing\n"
     "results database is extended. The same command continues a run of traces that was interrupted (Ctrl-C, kill)\n"
     "and simulates only the launches that are missing; --replace starts again.\n"
     "Statistics: docs/statistics.md; keys of a GPU description: docs/config-reference.md.\n\n"
     "examples:\n"
     "  warpsim run traces/vecadd.wtrace --gpu h200 --out results.db\n"
     "  warpsim run traces/*.wtrace --gpu h200 --set l2.num_ways=24 --jobs 4 --out wide.db\n"
     "  warpsim run examples/vector_add/vector_add.ptx --launch examples/vector_add/launch.yaml --functional-only\n"
     "  sqlite3 -box results.db 'SELECT * FROM kernel_summary'\n"},
    {"exec",
     "usage: warpsim exec [options] -- PROGRAM [ARGUMENT...]\n\n"
     "Runs an unmodified CUDA program without a GPU: its kernels are executed from their PTX and timed on a simulated\n"
     "device. The program contains the CUDA runtime, as nvcc links it by default, or uses a shared one of a toolkit "
     "11\n"
     "to 13. It has PTX (nvcc's default, or -gencode arch=compute_XX,code=compute_XX) or machine code for the GPU, as\n"
     "the toolkit's libraries have.\n",
     "The exit code is the program's, or 128 plus the number of the signal that ended it; with --check races 0 "
     "becomes\n"
     "1 if there are races. With --out, a line on stderr reports what is stored. Unsupported functions return\n"
     "a CUDA error and are reported once on stderr. See docs/running-programs.md.\n\n"
     "examples:\n"
     "  nvcc -arch=sm_80 vecadd.cu -o vecadd\n"
     "  warpsim exec --gpu a100 --out results.db -- ./vecadd 1000000\n"},
    {"trace",
     "usage: warpsim trace --out FILE.wtrace [options] -- PROGRAM [ARGUMENT...]\n\n"
     "Runs a CUDA program like exec, without timing it, and records every kernel as a native trace, which run and\n"
     "compare simulate on any GPU. Machine code is generated from the PTX for the given GPU.\n"
     "Warps take turns in a fixed order. Behaviour that depends on timing is recorded as it occurs in that order.\n",
     "examples:\n"
     "  warpsim trace --gpu a100 --out vecadd.wtrace -- ./vecadd 1000000\n"
     "  warpsim compare vecadd.wtrace --gpu a100 --gpu h200\n"},
    {"sweep",
     "usage: warpsim sweep SWEEP.yaml [--out FILE] [--jobs N] [options]\n"
     "       warpsim sweep SWEEP.yaml --engine slurm [--slurm-args WORDS] [--points-per-task N] [options]\n\n"
     "Simulates what a file describes (docs/sweeps.md): every combination of traces, GPUs and values of their\n"
     "descriptions, each as a run named TRACE@GPU[KEY=VALUE,...], and stores all in one results database.\n",
     "Finished points are kept in FILE.sweep/ beside the database. The same command continues an interrupted sweep,\n"
     "and it adds new points if the file was changed. If points fail, they are listed with their last output, the\n"
     "database holds the others, and the exit code is 1.\n\n"
     "examples:\n"
     "  warpsim sweep examples/sweep/sweep.yaml --dry-run\n"
     "  warpsim sweep examples/sweep/sweep.yaml --out ways.db\n"
     "  warpsim sweep sweep.yaml --engine slurm --slurm-args '--time=2:00:00' --points-per-task 10 --out ways.db\n"},
    {"merge",
     "usage: warpsim merge OUT.db DATABASE... [--replace]\n       warpsim merge --out OUT.db DATABASE... "
     "[--replace]\n\n"
     "Adds all runs of results databases to another one, in their order; it is created if it does not exist. Either\n"
     "all runs are added or none. A run whose name already exists is refused unless --replace is given.\n",
     "examples:\n"
     "  warpsim merge all.db monday.db tuesday.db\n"},
    {"compare",
     "usage: warpsim compare TRACE... --gpu GPU --gpu GPU... [--out FILE] [options]\n"
     "       warpsim compare DATABASE DATABASE... [--json]\n\n"
     "Compares the same launches on several GPUs: cycles, time, speed-up over the first GPU, instructions per cycle,\n"
     "occupancy, bandwidth and the largest stall reasons. Simulates traces, or reads databases of earlier runs.\n",
     "A run is named TRACE@GPU; with --out the database keeps all runs, the same command continues after an\n"
     "interruption, and the view 'comparison' has the printed values. A kernel that a GPU cannot run is listed with\n"
     "the reason. Of databases, launches of equal traces are compared.\n\n"
     "examples:\n"
     "  warpsim compare traces/*.wtrace --gpu p100 --gpu v100 --gpu a100 --gpu h100 --out generations.db\n"
     "  warpsim compare before.db after.db\n"},
    {"info",
     "usage: warpsim info TRACE [options]\n\n"
     "Reads a whole trace and prints its kernels, their sizes and their instructions by class.\n",
     ""},
    {"convert",
     "usage: warpsim convert IN OUT\n\n"
     "Changes the format of a trace. IN is any trace that run accepts. OUT ending in .wtrace is written in the native\n"
     "format; from a .wtrace, OUT is a directory for the text format.\n",
     "examples:\n"
     "  warpsim convert bfs/traces bfs.wtrace\n"
     "  warpsim convert bfs.wtrace bfs_text\n"},
    {"disassemble",
     "usage: warpsim disassemble FILE [--arch SM] [--function NAME] [--hex]\n\n"
     "Prints the machine code (SASS) in a file, for sm_70 to sm_90. FILE is a cubin, a fat binary, or a program, "
     "library\n"
     "or object file with embedded fat binaries. The text has the form of NVIDIA's cuobjdump -sass; with --hex, info "
     "and\n"
     "run read it as a listing.\n\n"
     "If the name of FILE ends in .ptx, the machine code that the simulator assumes for its timing is printed instead, "
     "for\n"
     "sm_75 to sm_90 (default: the target of the PTX), with the number of registers of each kernel.\n",
     "An instruction that is not known is an error that names file, function, address and bits. Relocatable code "
     "(nvcc\n"
     "-rdc=true) is printed with the values in the file, which a linker replaces.\n\n"
     "examples:\n"
     "  nvcc -arch=sm_90 -cubin vecadd.cu && warpsim disassemble vecadd.cubin\n"
     "  warpsim disassemble ./vecadd --arch sm_80 --function saxpy --hex\n"
     "  warpsim disassemble vecadd.ptx --arch sm_86\n"},
    {"correlate",
     "usage: warpsim correlate DATABASE --hardware CSV [options]\n\n"
     "Compares simulated runs with measurements: per launch and metric both values and the error, per metric mean,\n"
     "median, 90th percentile and maximum of the absolute errors and Pearson's correlation, of values and of their\n"
     "logarithms. The CSV has one row per launch, with the columns workload, launch, kernel, grid, block and one per\n"
     "metric; workload and launch are joined with the run's name and the launch index. Columns 'METRIC (min)' and\n"
     "'METRIC (max)' hold the spread of repeated measurements.\n",
     "Errors are relative to hardware. If the hardware value of a .sum, .avg, .max or .min is below 1,000, the error "
     "is\n"
     "the difference / 1,000; for percentages (.pct) it is the difference in points. Percentiles are interpolated\n"
     "linearly. The database keeps the measurements; its view 'metrics' shows them with source 'hardware'.\n\n"
     "examples:\n"
     "  warpsim correlate results.db --hardware h200.csv\n"
     "  warpsim correlate results.db --hardware h200.csv --metric lts__t_sectors.sum\n"
     "  warpsim correlate results.db --hardware h200.csv --all --csv comparison.csv\n"
     "  warpsim correlate results.db --hardware h200.csv --all --table accuracy.md --table accuracy.tex\n"},
    {"export",
     "usage: warpsim export DATABASE --view NAME | --query SQL [options]\n\n"
     "Writes a view, a table or a query of a results database as CSV, JSON, Markdown or LaTeX, or what devices did in\n"
     "their streams (--view device_timeline) as a trace for Perfetto's viewer. The database is only read.\n",
     "CSV and JSON are for programs: all columns, numbers in the fewest digits that preserve the value. Markdown "
     "and\n"
     "LaTeX are for readers: columns without keys and hashes, four significant digits. Each file names the\n"
     "runs, their configurations and versions: JSON in 'metadata', Markdown and LaTeX in a comment, CSV in the file\n"
     "FILE.schema.json beside it, which also has every column's type and unit. See docs/exports.md.\n"
     "FILE.pftrace (--format perfetto) opens in https://ui.perfetto.dev; see docs/whole-device.md.\n\n"
     "examples:\n"
     "  warpsim export results.db --view kernel_summary -o kernels.csv\n"
     "  warpsim export results.db --view stalls --run bfs --format json\n"
     "  warpsim export results.db --view kernel_summary --columns kernel,cycles,ipc -o kernels.tex\n"
     "  warpsim export results.db --view device_timeline -o device.pftrace\n"},
    {"import-ncu",
     "usage: warpsim import-ncu DATABASE CSV [options]\n\n"
     "Imports the output of 'ncu --csv' into the database, whose view 'metrics' shows it with source 'hardware' in "
     "the\n"
     "units of the simulated values. Both layouts are read: one row per launch with a row of units (--page raw), and\n"
     "one row per metric. Launches are matched in the order of the column ID.\n",
     "ncu rounds scaled values: --print-units base keeps every digit. A file can hold several outputs, of further\n"
     "metrics or of repetitions, of which the median is stored. See docs/exports.md.\n\n"
     "examples:\n"
     "  ncu --csv --page raw --print-units base --log-file bfs.csv --metrics gpc__cycles_elapsed.max ./bfs\n"
     "  warpsim import-ncu results.db bfs.csv --name bfs\n"},
    {"plot",
     "usage: warpsim plot KIND DATABASE -o FILE [options]\n\n"
     "Draws a figure of a results database as SVG or PDF. KIND is one of\n\n"
     "  correlation  simulated against measured, one point per launch\n"
     "  speedup      bars over a baseline, one group per workload, and the geometric mean over workloads\n"
     "  stalls       stall reasons of warps, one stacked bar per launch\n"
     "  roofline     warp instructions per second over those per transaction of L2 and DRAM\n"
     "  sweep        a metric over a value of the configuration that differs between runs\n"
     "  timeseries   a sampled metric over time\n",
     "gnuplot draws (Debian: gnuplot-nox). The metadata of the file name runs, configurations and versions; it has no\n"
     "date, so that the same results give the same file. docs/figures.md describes every kind.\n\n"
     "examples:\n"
     "  warpsim plot correlation results.db -o correlation.pdf\n"
     "  warpsim plot speedup generations.db --baseline 'NVIDIA Tesla V100 SXM2' --width double -o speedup.pdf --keep\n"
     "  warpsim plot sweep ways.db --x l2.num_ways --y l2_hit_pct -o ways.svg\n"
     "  warpsim plot sweep ways.db --x clocks.dram_mhz --y time_us --facet gpu --baseline 924 --run 'scan@*' -o "
     "s.pdf\n"},
    {"report",
     "usage: warpsim report DATABASE... -o FILE.html [options]\n\n"
     "Writes one HTML file that any browser opens, without a network: what limits each launch and why, occupancy,\n"
     "roofline, stall reasons, memory hierarchy, time series, hot spots, comparison of runs and databases, errors\n"
     "against hardware, configuration. Every table shows the query that gives its numbers.\n",
     "docs/report.md explains the sections. An existing FILE is replaced when the new one is complete.\n\n"
     "examples:\n"
     "  warpsim report results.db -o report.html\n"
     "  warpsim report before.db after.db --runs 'bfs*' --title 'Wider L2' -o wider.html\n"},
    {"serve",
     "usage: warpsim serve DATABASE... [options]\n\n"
     "Shows the report of databases at http://127.0.0.1:PORT/, to browsers of this machine only, and updates it while\n"
     "runs write to them. The server only reads. Ctrl-C stops it.\n",
     "examples:\n"
     "  warpsim run traces/*.wtrace --gpu h200 --out results.db & warpsim serve results.db\n"
     "  warpsim serve results.db --port 0\n"},
    {"occupancy",
     "usage: warpsim occupancy --gpu GPU --threads N --registers R [--shared BYTES] [options]\n\n"
     "Prints how many blocks of a kernel fit on one SM, what limits them, and which block size fills the SM best. The\n"
     "results are those of NVIDIA's occupancy calculator, for every compute capability.\n",
     "A kernel that cannot run has 0 blocks and a reason; that is not an error. Without --carveout the largest size "
     "of\n"
     "shared memory is assumed; a run uses the size that the driver would choose, which can be smaller.\n\n"
     "examples:\n"
     "  warpsim occupancy --gpu gtx480 --threads 256 --registers 20 --shared 2048\n"
     "  warpsim occupancy --gpu v100 --threads 256 --registers 32 --shared 8192 --carveout 32 --json\n"
     "  warpsim occupancy --gpu h200 --threads 256 --sweep registers\n"},
    {"gpus",
     "usage: warpsim gpus [--json]\n       warpsim gpus --table [CAPABILITY...] [--json | --markdown]\n\n"
     "Lists the shipped GPU descriptions, whose names run accepts. With --table prints the features and technical\n"
     "specifications of all compute capabilities, or of those named, as in the appendices of the programming guides.\n",
     "examples:\n"
     "  warpsim gpus --table 2.0 7.0 9.0\n"
     "  warpsim gpus --table --json\n"},
    {"mechanisms",
     "usage: warpsim mechanisms [LIBRARY...] [--json | --markdown]\n\n"
     "Lists the mechanisms that a GPU description can choose by name, with their keys and counters: warp schedulers,\n"
     "replacement, prefetchers, write policies and others. With operands lists those of shared libraries instead.\n",
     "docs/extending.md shows how to write a library.\n\n"
     "examples:\n"
     "  warpsim mechanisms\n"
     "  warpsim mechanisms ./libmine.so --json\n"
     "  warpsim run traces/bfs.wtrace --gpu h200 --set l2.replacement=drrip --out results.db\n"},
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
    {"completion",
     "usage: warpsim completion bash|zsh|fish\n\n"
     "Prints the completions of a shell: commands, options, values of options, GPUs and files. 'cmake --install'\n"
     "installs them where the shells look for them.\n",
     "examples:\n"
     "  source <(warpsim completion bash)\n"
     "  warpsim completion zsh > ~/.zfunc/_warpsim\n"
     "  warpsim completion fish > ~/.config/fish/completions/warpsim.fish\n"},
    {"manual",
     "usage: warpsim manual\n\n"
     "Prints the manual page, in the format of man. 'cmake --install' installs it as warpsim(1).\n",
     "examples:\n"
     "  warpsim manual | man -l -\n"},
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

std::span<const CommandGroup> command_groups() {
  return kGroups;
}

const char* program_purpose() {
  return "warpsim simulates GPU kernels cycle by cycle: it reads recorded instruction traces, PTX or\n"
         "CUDA programs and a description of the GPU, and writes a database of statistics.\n";
}

const char* program_notes() {
  return "'warpsim COMMAND --help' describes a command. 'warpsim --version' prints version, schema and build.\n"
         "Exit codes: 0 done, 1 a kernel failed or gave other results than expected, or points of a sweep failed,\n"
         "2 wrong input, 3 a limit of cycles or instructions was reached, 4 internal error.\n\n"
         "A first run:\n"
         "  warpsim run traces/vecadd.wtrace --gpu h200 --out results.db\n";
}

std::string program_help() {
  std::string text = std::string(program_purpose()) + "\nusage: warpsim COMMAND [options]\n";
  for (const CommandGroup& group : kGroups) {
    text += fmt::format("\n{}:\n", group.task);
    for (const CommandSummary& command : group.commands) {
      text += fmt::format("  {:<16}  {}\n", command.name, command.summary);
    }
  }
  return text + "\n" + program_notes();
}

}  // namespace warpsim
