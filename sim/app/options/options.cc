#include "app/options/options.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/comparison/correlation_table.h"
#include "app/options/arguments.h"
#include "app/options/command_help.h"
#include "app/options/command_options.h"
#include "app/options/common_options.h"
#include "base/error.h"

namespace warpsim {

std::string help_text(const std::string& command) {
  if (command.empty()) {
    return program_help();
  }
  const CommandHelp& help = command_help(command);
  std::string text = help.usage + ("\n" + options_text(command));
  if (*help.notes != '\0') {
    text += "\n";
    text += help.notes;
  }
  return text;
}

std::vector<Breakpoint> BreakOptions::breakpoints() const {
  std::vector<Breakpoint> breakpoints;
  for (const std::string& place : places) {
    Breakpoint& breakpoint = breakpoints.emplace_back(breakpoint_of(place));
    breakpoint.count = count;
    if (!warp.empty()) {
      breakpoint.warp = warp_of(warp);
    }
  }
  return breakpoints;
}

namespace {

std::optional<std::uint64_t> shuffle_option(const Arguments& arguments) {
  return arguments.number("shuffle", 0, std::numeric_limits<std::uint32_t>::max());
}

// Options of simulations that do not depend on the number of GPUs.
RunOptions simulation_options(const Arguments& arguments) {
  RunOptions options;
  options.traces = arguments.operands();
  options.out = arguments.text("out");
  options.overrides = arguments.list("set");
  if (arguments.has("dlcm")) {
    const std::vector<std::string> operators = {"ca", "cg"};
    options.overrides.push_back("sm.l1.policy.load_operator=" + operators[arguments.choice("dlcm", operators)]);
  }
  options.flush_caches = arguments.choice("cache-control", {"all", "none"}) == 0;
  constexpr std::uint64_t kMostJobs = 1024;
  options.jobs = static_cast<std::uint32_t>(arguments.number("jobs", 1, kMostJobs).value_or(1));
  options.threads = threads_option(arguments);
  if (arguments.has("launches")) {
    options.launches = LaunchSelection(arguments.text("launches"));
  }
  options.max_cycles = arguments.number("max-cycles", 1, kMostCycles);
  options.progress = static_cast<ProgressMode>(arguments.choice("progress", {"auto", "always", "never"}));
  options.skip = !arguments.has("no-skip");
  options.shuffle = shuffle_option(arguments);
  options.strict = arguments.has("strict");
  options.recorded_streams = arguments.choice("streams", {"serial", "recorded"}) == 1;
  options.sass_file = arguments.text("sass");
  options.replace = arguments.has("replace");
  options.details = detail_options(arguments);
  return options;
}

bool is_ptx(const std::string& path) {
  return path.ends_with(".ptx") || path.ends_with(".cubin");
}

PtxRunOptions ptx_run_options(const Arguments& arguments) {
  for (const char* option : {"jobs", "launches", "progress", "sass", "strict", "streams"}) {
    if (arguments.has(option)) {
      throw UsageError(std::string("--") + option + " is for traces" + see_help("run"));
    }
  }
  const std::string ptx = arguments.operands().front();
  if (arguments.operands().size() != 1) {
    throw UsageError("PTX runs one file at a time" + see_help("run"));
  }
  if (!is_ptx(ptx)) {
    throw UsageError("'" + ptx + "': --launch is for PTX or machine code, in a file named *.ptx or *.cubin" +
                     see_help("run"));
  }
  if (!arguments.has("launch")) {
    throw UsageError("'" + ptx +
                     "' needs --launch FILE, which defines the launches; the minimum content is 'kernel: NAME', and "
                     "docs/running-ptx.md shows an example with buffers and parameters");
  }
  PtxRunOptions options;
  options.threads = threads_option(arguments);
  options.skip = !arguments.has("no-skip");
  options.shuffle = shuffle_option(arguments);
  options.ptx = ptx;
  options.launch_file = arguments.text("launch");
  options.gpu = arguments.has("gpu") ? arguments.text("gpu") : "h200";
  options.out = arguments.text("out");
  const RunOptions simulation = simulation_options(arguments);
  options.overrides = simulation.overrides;
  options.max_cycles = simulation.max_cycles;
  // As with exec: statistics are those that a profiler would measure.
  options.flush_caches = arguments.has("cache-control") ? simulation.flush_caches : !options.out.empty();
  options.replace = simulation.replace;
  options.name = arguments.text("name");
  options.functional_only = arguments.has("functional-only");
  options.force_target = arguments.has("force-target");
  options.ptxas = ptxas_option(arguments);
  options.breaks = break_options(arguments);
  options.bounds = launch_bounds(arguments);
  options.details = details_for(arguments, options.out, "run");
  options.timeline = timeline_options(arguments);
  if (options.functional_only) {
    refuse_timing(arguments, {"out", "max-cycles", "timeline", "no-skip", "shuffle"}, "run");
  }
  return options;
}

}  // namespace

std::optional<RunOptions> parse_run(const std::vector<std::string>& words) {
  const Arguments arguments("run", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  if (arguments.operands().empty()) {
    throw UsageError("no trace given" + see_help("run"));
  }
  const std::vector<std::string> operands = arguments.operands();
  if (arguments.has("launch") || std::any_of(operands.begin(), operands.end(), is_ptx)) {
    RunOptions options;
    options.ptx = ptx_run_options(arguments);
    return options;
  }
  for (const char* option : {"functional-only", "force-target", "ptxas", "break", "break-warp", "break-count",
                             "max-instructions", "quarantine", "check", "tolerant"}) {
    if (arguments.has(option)) {
      throw UsageError(std::string("--") + option + " is for PTX, not for traces" + see_help("run"));
    }
  }
  const std::string gpu = arguments.required("gpu", "the GPU to simulate");
  arguments.required("out", "the results database to write");
  RunOptions options = simulation_options(arguments);
  options.gpu = gpu;
  options.timeline = timeline_options(arguments);
  options.name = arguments.text("name");
  if (!options.name.empty() && options.traces.size() > 1) {
    throw UsageError("--name names one run, but there are several traces");
  }
  return options;
}

std::optional<CompareOptions> parse_compare(const std::vector<std::string>& words) {
  const Arguments arguments("compare", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  if (arguments.operands().empty()) {
    throw UsageError("no traces and no databases given" + see_help("compare"));
  }
  CompareOptions options{simulation_options(arguments), arguments.list("gpu"), arguments.has("json")};
  if (options.gpus.empty()) {
    for (const char* option : {"out", "set", "dlcm", "cache-control", "launches", "max-cycles", "replace", "streams",
                               "sample-interval", "hot-spots", "sass", "strict"}) {
      if (arguments.has(option)) {
        throw UsageError(std::string("--") + option + " is for traces; name the GPUs to simulate with --gpu" +
                         see_help("compare"));
      }
    }
  }
  return options;
}

std::optional<InfoOptions> parse_info(const std::vector<std::string>& words) {
  const Arguments arguments("info", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(1, "one trace");
  return InfoOptions{arguments.operands().front(), arguments.text("sass"), arguments.has("strict")};
}

std::optional<ConvertOptions> parse_convert(const std::vector<std::string>& words) {
  const Arguments arguments("convert", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(2, "two paths, IN and OUT");
  return ConvertOptions{arguments.operands()[0], arguments.operands()[1]};
}

std::optional<CorrelateOptions> parse_correlate(const std::vector<std::string>& words) {
  const Arguments arguments("correlate", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(1, "one results database");
  CorrelateOptions options;
  options.database = arguments.operands().front();
  options.hardware = arguments.required("hardware", "the CSV file of measurements");
  options.metrics = arguments.list("metric");
  options.all = arguments.has("all");
  if (options.all && !options.metrics.empty()) {
    throw UsageError("--all and --metric exclude each other");
  }
  options.csv = arguments.text("csv");
  options.tables = arguments.list("table");
  for (const std::string& table : options.tables) {
    if (!table_format(table)) {
      throw UsageError("--table '" + table + "': expected a file name ending in .csv, .md or .tex");
    }
  }
  options.store = !arguments.has("no-store");
  options.hardware_gpu = arguments.text("hardware-gpu");
  return options;
}

std::optional<OccupancyOptions> parse_occupancy(const std::vector<std::string>& words) {
  const Arguments arguments("occupancy", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(0, "no operands");
  OccupancyOptions options;
  options.gpu = arguments.required("gpu", "the GPU to compute for");
  options.overrides = arguments.list("set");
  if (arguments.has("sweep")) {
    constexpr OccupancySweep kSweeps[] = {OccupancySweep::kThreads, OccupancySweep::kRegisters,
                                          OccupancySweep::kShared};
    options.sweep = kSweeps[arguments.choice("sweep", {"threads", "registers", "shared"})];
  }
  constexpr std::uint64_t kMost = 1U << 24;
  const auto number = [&arguments](const char* option, const char* meaning, bool swept) {
    const auto value = arguments.number(option, 0, kMost);
    if (!value && !swept) {
      arguments.required(option, meaning);
    }
    return static_cast<std::uint32_t>(value.value_or(0));
  };
  options.needs.threads = number("threads", "threads per block", options.sweep == OccupancySweep::kThreads);
  options.needs.registers_per_thread =
      number("registers", "registers per thread", options.sweep == OccupancySweep::kRegisters);
  options.needs.shared_bytes = number("shared", "bytes of shared memory per block", true);
  options.needs.barriers = static_cast<std::uint32_t>(arguments.number("barriers", 0, kMost).value_or(1));
  if (const auto bytes = arguments.number("arguments", 0, kMost)) {
    options.needs.argument_bytes = static_cast<std::uint32_t>(*bytes);
  }
  if (const auto kib = arguments.number("carveout", 0, kMost)) {
    options.carveout_kib = static_cast<std::uint32_t>(*kib);
  }
  options.json = arguments.has("json");
  return options;
}

std::optional<GpusOptions> parse_gpus(const std::vector<std::string>& words) {
  const Arguments arguments("gpus", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  GpusOptions options{arguments.has("table"), arguments.operands(), arguments.has("json"), arguments.has("markdown")};
  if (!options.table) {
    arguments.expect_operands(0, "no operands without --table");
    if (options.markdown) {
      throw UsageError("--markdown needs --table" + see_help("gpus"));
    }
  }
  if (options.json && options.markdown) {
    throw UsageError("--json and --markdown exclude each other");
  }
  return options;
}

std::optional<MechanismsOptions> parse_mechanisms(const std::vector<std::string>& words) {
  const Arguments arguments("mechanisms", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  MechanismsOptions options{arguments.operands(), arguments.has("json"), arguments.has("markdown")};
  if (options.json && options.markdown) {
    throw UsageError("--json and --markdown exclude each other");
  }
  return options;
}

bool parse_nothing(const std::string& command, const std::vector<std::string>& words) {
  const Arguments arguments(command, words);
  if (arguments.has("help")) {
    return false;
  }
  arguments.expect_operands(0, "no operands");
  return true;
}

}  // namespace warpsim
