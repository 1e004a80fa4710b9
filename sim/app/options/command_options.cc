#include "app/options/command_options.h"

#include <boost/program_options.hpp>
#include <sstream>

namespace warpsim {

namespace po = boost::program_options;

namespace {

po::typed_value<std::string>* text_value(const char* name) {
  return po::value<std::string>()->value_name(name);
}
po::typed_value<std::vector<std::string>>* list_value(const char* name) {
  return po::value<std::vector<std::string>>()->value_name(name);
}

constexpr const char* kGpuText = "GPU description: a YAML file, or the name of a shipped one (see 'warpsim gpus')";

void add_detail_options(po::options_description& options) {
  auto add = options.add_options();
  add("sample-interval", text_value("N"),
      "record time series, a sample every N core cycles, of the GPU and each SM, L2 slice and DRAM channel");
  add("hot-spots", "record executions, stall reasons and memory accesses of each instruction");
}

// Of run and compare; compare takes several GPUs and generates the names of its runs.
void add_simulation_options(po::options_description& options, bool several_gpus) {
  auto add = options.add_options();
  if (several_gpus) {
    add("gpu", list_value("GPU")->composing(), (std::string(kGpuText) + "; repeated, the first is the base").c_str());
  } else {
    add("gpu", text_value("GPU"), kGpuText);
  }
  add("out,o", text_value("FILE"),
      several_gpus ? "results database for the simulated runs" : "results database to write");
  add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
  add("dlcm", text_value("ca|cg"),
      "loads from global memory without a cache operator have this one, as with nvcc -dlcm "
      "(sets sm.l1.policy.load_operator; ca has no effect where L1 never keeps such loads)");
  add("cache-control", text_value("all|none"),
      "all (default): caches are empty before each launch, as when a profiler measures; none: they keep their content "
      "and copies to the device fill L2");
  add("jobs", text_value("N"), "simulate N traces at a time (default 1); results do not depend on it");
  add("threads", text_value("N"),
      "simulate each launch on N threads (default 1); results do not depend on it. With --jobs, each job has N. With "
      "--functional-only, execute the blocks of each kernel on N threads, beside each other as on a GPU");
  add("launches", text_value("LIST"), "only these launches, counted from 0: 0,3-5");
  add("streams", text_value("serial|recorded"),
      "serial (default): one launch after another; recorded: launches of different streams run beside each other, as "
      "the device allows");
  add("max-cycles", text_value("N"), "stop a launch after N core cycles; the run is then 'limited', exit code 3");
  if (several_gpus) {
    add("json", "print JSON");
  } else {
    add("name", text_value("NAME"), "name of the run (one trace only)");
  }
  add_detail_options(options);
  add("replace", "replace existing runs of the same name instead of continuing them");
  add("progress", text_value("auto|always|never"), "auto (default): a progress bar on a terminal; always; never");
  add("no-skip", "tick every component at every cycle: slow, same results");
  add("shuffle", text_value("SEED"),
      "execute what is due at the same time in a random order: same results; to test models");
}

void add_sweep_options(po::options_description& options) {
  auto add = options.add_options();
  add("out,o", text_value("FILE"), "results database to write (default: the sweep's name with .db, in this folder)");
  add("engine", text_value("local|slurm"), "local (default): processes on this machine; slurm: job arrays");
  add("jobs", text_value("N"),
      "points at a time (default: one per processor, or per N processors with --threads N); with --engine slurm tasks "
      "at a time (default: no limit)");
  add("threads", text_value("N"),
      "simulate each launch on N threads (default 1); results do not depend on it, and finished points stay valid. "
      "With --engine slurm, each task has N processors");
  add("retries", text_value("N"), "try a point that failed up to N times more (default 0)");
  add("dry-run", "list the points and their state; nothing is run or written");
  add("collect", "run nothing: store the finished points and list the others");
  add("replace", "replace a database at --out that is not of this sweep");
  add("progress", text_value("auto|always|never"), "auto (default): a progress line on a terminal; always; never");
  add("slurm-args", text_value("WORDS"), "further options of sbatch, for example '--partition=long --time=2:00:00'");
  add("points-per-task", text_value("N"), "points that one task of a job array runs, one after another (default 1)");
  add("no-wait", "return after the jobs are submitted; the same command without it, or with --collect, continues");
  add("poll", text_value("SECONDS"), "interval between queries of Slurm (default 10)");
}

// Of the commands that read results: export, import-ncu, plot.
void add_report_options(po::options_description& options, const std::string& command) {
  auto add = options.add_options();
  if (command == "export") {
    add("view", text_value("NAME"), "view or table to export (docs/statistics.md)");
    add("query", text_value("SQL"), "one SELECT to export instead; rows stay in its order");
    add("run", list_value("NAME")->composing(),
        "only this run, or those that match a pattern with * and ?; may be repeated (default: all)");
    add("columns", text_value("LIST"),
        "these columns in this order, as run_name,cycles,ipc, or all (default: all; for views in md and tex those for "
        "readers)");
    add("format", text_value("csv|json|md|tex|parquet-csv|perfetto"),
        "parquet-csv is csv that requires a file (default: by the suffix of FILE, else csv)");
    add("out,o", text_value("FILE"), "file to write (default: standard output); FILE.csv gets a FILE.schema.json");
    add("significant", text_value("N"), "md and tex: round real numbers to N significant digits (default 4)");
    add("digits", text_value("N"), "md and tex: round real numbers to N decimal places instead");
    add("exact", "md and tex: do not round");
    add("comment", "csv: start with lines '# ...' that name runs, configurations and versions");
  }
  if (command == "plot") {
    add("out,o", text_value("FILE"), "FILE.svg, FILE.pdf, or FILE.gp for only gnuplot's script and FILE.csv");
    add("run", list_value("NAME")->composing(),
        "only this run, or those that match a pattern with * and ?; may be repeated (default: all)");
    add("launch", text_value("N"), "only this launch of each run, counted from 0");
    add("metric", text_value("NAME"),
        "correlation: a metric (default gpc__cycles_elapsed.max); timeseries: a column of that view (default ipc)");
    add("x", text_value("KEY"),
        "sweep: the parameter that differs between the runs: a key of the configuration, gpu or cache_control");
    add("y", text_value("NAME"), "sweep: a column of kernel_summary (default cycles) or a metric");
    add("facet", text_value("KEY"),
        "sweep: one panel for each value of KEY: workload, gpu, a key that differs, or none (default: workload, where "
        "each has several lines)");
    add("baseline", text_value("NAME"),
        "speedup: GPU, variant or run that is 1 (default: that of the first run); sweep: divide by the values at this "
        "value of --x, or of this GPU, variant or run");
    add("x-range", text_value("LOW:HIGH"), "range of the x axis; either end may be left out");
    add("y-range", text_value("LOW:HIGH"), "range of the y axis");
    add("title", text_value("TEXT"), "title above the figure (default: none)");
    add("width", text_value("INCHES"), "or single (3.5, default) or double (7.16): columns of a page with two");
    add("height", text_value("INCHES"), "default: depends on the kind");
    add("keep", "also write gnuplot's script and data, FILE.gp and FILE.csv");
  }
  if (command == "import-ncu") {
    add("name", text_value("RUN"), "the simulated run that was measured (default: the only one of the database)");
    add("gpu", text_value("NAME"), "name of the measured GPU (default: from the file, else the file's name)");
    add("launches", text_value("LIST"),
        "which launches of the run were measured, counted from 0: 0,3-5 (default: the first ones)");
  }
}

void add_timeline_options(po::options_description& options) {
  auto add = options.add_options();
  add("timeline", text_value("FILE"),
      "write a window of one launch as a Perfetto trace: blocks, warp states with instructions, queues, DRAM commands");
  add("timeline-window", text_value("FROM:TO"), "core cycles since the launch began (default 0:20000)");
  add("timeline-launch", text_value("N"), "the launch, counted from 0 (default: the first that is simulated)");
  add("timeline-sms", text_value("LIST"),
      "SMs whose warps are recorded: 0,3-5; first (default): the SM that runs block 0; all");
  add("timeline-blocks", text_value("LIST"), "SMs whose blocks are recorded (default: as --timeline-sms)");
  add("timeline-sub-cores", text_value("LIST"), "sub-cores of these SMs whose warps are recorded (default: all)");
  add("timeline-warp-slots", text_value("LIST"), "warp slots of these sub-cores that are recorded (default: all)");
  add("timeline-channels", text_value("LIST"), "DRAM channels whose commands are recorded (default 0)");
}

// Of report and serve; report also has the page to write.
void add_page_options(po::options_description& options, bool writes) {
  auto add = options.add_options();
  if (writes) {
    add("out,o", text_value("FILE"), "page to write");
  } else {
    add("port", text_value("N"), "port of 127.0.0.1 to listen at (default 8017); 0: any free port");
  }
  add("runs", text_value("NAME"), "only this run, or the runs that match a pattern with * and ?, for example 'bfs*'");
  add("title", text_value("TEXT"), "title of the page (default: names of the databases)");
  add("series-points", text_value("N"),
      "maximum number of samples in the series of a launch (default: 400000, shared by the launches); longer "
      "series are averaged");
}

void add_occupancy_options(po::options_description& options) {
  auto add = options.add_options();
  add("gpu", text_value("GPU"), kGpuText);
  add("threads", text_value("N"), "threads per block");
  add("registers", text_value("R"), "registers per thread");
  add("shared", text_value("BYTES"),
      "shared memory per block, static and dynamic, without the driver's reserve (default 0)");
  add("carveout", text_value("KIB"),
      "size of the SM's shared memory; the next available size that holds a block is used");
  add("arguments", text_value("BYTES"),
      "kernel arguments, which take shared memory on compute capability 1.x (default: --shared counts them)");
  add("barriers", text_value("N"), "named barriers of a block, a limit on compute capability 9.0 (default 1)");
  add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
  add("sweep", text_value("threads|registers|shared"), "print the curve over this value, which is then optional");
  add("json", "print JSON");
}

void add_disassemble_options(po::options_description& options) {
  auto add = options.add_options();
  add("arch", text_value("SM"),
      "only the code for this architecture, sm_90 or sm_90a (default: all); of PTX, the architecture to generate code "
      "for");
  add("function", text_value("NAME"),
      "only functions whose mangled or readable name contains NAME (default: all); a kernel is printed with the "
      "functions inside its code");
  add("hex", "print the words of the instructions too");
}

// Of commands that start a program.
void add_program_options(po::options_description& options, bool exec) {
  auto add = options.add_options();
  if (exec) {
    add("gpu", text_value("GPU"), (std::string(kGpuText) + " (default h200)").c_str());
    add("gpus", text_value("N|GPU,GPU"),
        "GPUs of the program: a number of equal ones, or a list of names or YAML files (default: one)");
    add("out,o", text_value("FILE"), "results database to write (default: none)");
    add("name", text_value("NAME"), "name of the run (default: that of the program)");
    add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
    add("max-cycles", text_value("N"), "a kernel that takes more than N core cycles fails; the run is then 'limited'");
    add("threads", text_value("N"),
        "simulate each launch on N threads (default 1); results do not depend on it. With --functional-only, execute "
        "the blocks of each kernel on N threads, beside each other as on a GPU. With --check races and --break, one "
        "thread");
    add("cache-control", text_value("all|none"),
        "all: caches are empty before each launch, as when a profiler measures (default with --out); none: they keep "
        "their content and copies to the device fill L2 (default without)");
    add_detail_options(options);
    add("replace", "replace an existing run of the same name");
  }
  add("memory-at", text_value("ADDRESS"),
      "place device memory as in a recorded run of the program, whose first allocation was there; cycles are then "
      "comparable with those of its trace");
  add("code", text_value("ptx|machine"),
      "what is executed of a program (default: machine code if it has some for the GPU, else PTX)");
  add("profile-from-start", text_value("on|off"),
      "off: launches take no time and are not recorded until the program calls cudaProfilerStart() or "
      "cuProfilerStart(); on (default): from the beginning. In both cases cudaProfilerStop() ends it");
  add("range", list_value("NAME")->composing(),
      "record only launches in this NVTX range, the others take no time; DOMAIN@NAME: of a domain; may be repeated");
  add("skip-kernel", list_value("NAME")->composing(),
      "launches of this kernel do nothing and take no time, for warm-ups that hardware needs and a simulator does "
      "not; "
      "may be repeated");
}

}  // namespace

po::options_description visible_options(const std::string& command) {
  constexpr unsigned kLineLength = 110;
  constexpr unsigned kDescriptionLength = 78;
  po::options_description options("options", kLineLength, kDescriptionLength);
  auto add = options.add_options();
  if (command == "run" || command == "compare") {
    add_simulation_options(options, command == "compare");
  }
  if (command == "run" || command == "compare" || command == "info") {
    add("sass", text_value("FILE"), "SASS listing of all kernels (default: the listings beside the trace)");
    add("strict", "unknown opcodes and opcodes that the GPU's compute capability lacks are errors");
  }
  if (command == "run") {
    add_timeline_options(options);
    add("launch", text_value("FILE"),
        "launch file of a PTX file: kernels, grids, buffers, parameters, expected results");
  }
  if (command == "run" || command == "exec") {
    add("functional-only", command == "run" ? "run the kernels of PTX without timing"
                                            : "run kernels without timing: fast, and all simulated times are 0");
    add("force-target", "run PTX for a newer compute capability than that of the GPU");
    add("ptxas", text_value("COMMAND"),
        "compile PTX by NVIDIA's assembler, for example 'ptxas -O3', and execute the machine code (default: PTX is "
        "executed)");
    add("break", list_value("KERNEL:LINE")->composing(),
        "show the registers of the first warp that reaches this line of the PTX; may be repeated");
    add("break-warp", text_value("BLOCK,WARP"), "the warp for --break, both counted from 0");
    add("break-count", text_value("N"), "show the registers up to N times (default 1)");
  }
  if (command == "run" || command == "exec" || command == "trace") {
    add("max-instructions", text_value("N"),
        "end a launch of PTX that has not finished after N warp instructions; also counted without timing");
    add("check", text_value("LIST"),
        "additional checks of PTX kernels besides addresses: uninitialised (reads of shared memory that "
        "nothing "
        "has written; the default), races (accesses that nothing orders; slow), all, none");
    add("tolerant",
        "do what hardware does where CUDA does not allow it, and report it once per line: accesses outside of "
        "allocations in pages that are mapped, and masks that name threads which wait elsewhere (default: errors)");
    add("quarantine", text_value("MIB"),
        "freed device memory that is not used again, so that accesses to it are found (default: all, as long as other "
        "memory is left; 0: none)");
  }
  if (command == "sweep") {
    add_sweep_options(options);
  }
  if (command == "merge") {
    add("out,o", text_value("FILE"), "database to merge into (default: the first operand)");
    add("replace", "a run replaces an earlier run of the same name");
  }
  if (command == "correlate") {
    add("hardware", text_value("CSV"), "measurements");
    add("metric", list_value("NAME")->composing(), "compare this metric launch by launch; may be repeated");
    add("all", "compare every metric that both sides have");
    add("csv", text_value("FILE"), "write every comparison of the chosen metrics as CSV");
    add("table", list_value("FILE")->composing(),
        "write the table of metrics: FILE.csv, FILE.md (Markdown) or FILE.tex (LaTeX); may be repeated");
    add("hardware-gpu", text_value("NAME"), "name of the measured GPU (default: name of the CSV file)");
    add("no-store", "do not change the database");
  }
  if (command == "report" || command == "serve") {
    add_page_options(options, command == "report");
  }
  if (command == "occupancy") {
    add_occupancy_options(options);
  }
  if (command == "trace") {
    add("gpu", text_value("GPU"), (std::string(kGpuText) + " (default h200), the target of the machine code").c_str());
    add("out,o", text_value("FILE"), "trace to write, FILE.wtrace");
    add("set", list_value("KEY=VALUE")->composing(), "change one value of the description; may be repeated");
    add("force-target", "run PTX for a newer compute capability than that of the GPU");
    add("ptxas", text_value("COMMAND"),
        "compile PTX by NVIDIA's assembler, for example 'ptxas -O3', and execute the machine code (default: PTX is "
        "executed)");
  }
  if (command == "exec" || command == "trace") {
    add_program_options(options, command == "exec");
  }
  if (command == "disassemble") {
    add_disassemble_options(options);
  }
  if (command == "gpus") {
    add("table", "print features and technical specifications of the compute capabilities instead");
    add("json", "print JSON");
    add("markdown", "print the table as a Markdown page");
  }
  if (command == "mechanisms") {
    add("json", "print JSON");
    add("markdown", "print docs/mechanisms.md, or that page for libraries");
  }
  add_report_options(options, command);
  add("help,h", "print this text");
  return options;
}

std::string options_text(const std::string& command) {
  std::ostringstream text;
  text << visible_options(command);
  return text.str();
}

std::vector<CommandOption> command_options(const std::string& command) {
  std::vector<CommandOption> options;
  const po::options_description visible = visible_options(command);
  for (const auto& option : visible.options()) {
    const std::string letter = option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    const bool is_switch = option->semantic()->max_tokens() == 0;
    options.push_back({option->long_name(), is_switch, letter.starts_with("-") ? letter : std::string(),
                       is_switch ? std::string() : option->semantic()->name(), option->semantic()->is_composing(),
                       option->description()});
  }
  return options;
}

}  // namespace warpsim
