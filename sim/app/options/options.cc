#include "app/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "app/comparison/correlation_table.h"
#include "app/options/arguments.h"
#include "app/options/command_help.h"
#include "app/options/command_options.h"
#include "base/error.h"
#include "engine/worker_pool.h"

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

constexpr std::uint64_t kMostCycles = 1'000'000'000'000'000;  // --max-cycles

DetailOptions detail_options(const Arguments& arguments) {
  return {.sample_interval = arguments.number("sample-interval", 1, kMostCycles).value_or(0),
          .hot_spots = arguments.has("hot-spots")};
}

std::uint32_t threads_option(const Arguments& arguments) {
  return static_cast<std::uint32_t>(arguments.number("threads", 1, kMostThreads).value_or(1));
}

std::optional<std::uint64_t> shuffle_option(const Arguments& arguments) {
  return arguments.number("shuffle", 0, std::numeric_limits<std::uint32_t>::max());
}

// Options that have no meaning without timing.
void refuse_timing(const Arguments& arguments, std::initializer_list<const char*> options, const char* command) {
  for (const char* option : options) {
    if (arguments.has(option)) {
      throw UsageError(std::string("--functional-only simulates no timing, so that --") + option + " is not possible" +
                       see_help(command));
    }
  }
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
  options.sass_file = arguments.text("sass");
  options.replace = arguments.has("replace");
  options.details = detail_options(arguments);
  return options;
}

// Errors in them are reported now, not when the kernel runs.
BreakOptions break_options(const Arguments& arguments) {
  constexpr std::uint64_t kMostStops = 1'000'000;
  BreakOptions options;
  options.places = arguments.list("break");
  options.warp = arguments.text("break-warp");
  options.count = static_cast<std::uint32_t>(arguments.number("break-count", 1, kMostStops).value_or(1));
  if (options.places.empty() && (arguments.has("break-warp") || arguments.has("break-count"))) {
    throw UsageError("--break-warp and --break-count need --break KERNEL:LINE");
  }
  (void)options.breakpoints();
  return options;
}

// They are stored in the results, so that a database is required.
DetailOptions details_for(const Arguments& arguments, const std::string& out, const char* command) {
  for (const char* option : {"sample-interval", "hot-spots"}) {
    if (arguments.has(option) && out.empty()) {
      throw UsageError(std::string("--") + option + " needs --out FILE to store it" + see_help(command));
    }
  }
  return detail_options(arguments);
}

bool is_ptx(const std::string& path) {
  return path.ends_with(".ptx") || path.ends_with(".cubin");
}

PtxRunOptions ptx_run_options(const Arguments& arguments) {
  for (const char* option : {"jobs", "launches", "progress", "sass", "strict"}) {
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
  options.breaks = break_options(arguments);
  options.bounds = launch_bounds(arguments);
  options.details = details_for(arguments, options.out, "run");
  options.timeline = timeline_options(arguments);
  if (options.functional_only) {
    refuse_timing(arguments, {"out", "max-cycles", "timeline", "threads", "no-skip", "shuffle"}, "run");
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
  for (const char* option : {"functional-only", "force-target", "break", "break-warp", "break-count",
                             "max-instructions", "quarantine", "check"}) {
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
    for (const char* option : {"out", "set", "dlcm", "cache-control", "launches", "max-cycles", "replace",
                               "sample-interval", "hot-spots", "sass", "strict"}) {
      if (arguments.has(option)) {
        throw UsageError(std::string("--") + option + " is for traces; name the GPUs to simulate with --gpu" +
                         see_help("compare"));
      }
    }
  }
  return options;
}

namespace {

// An address of device memory, "0x7fb406000000".
std::uint64_t memory_address(const std::string& text) {
  constexpr std::uint64_t kLowest = std::uint64_t{1} << 32U;
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 47U;  // of the addresses of programs
  std::uint64_t address = 0;
  const char* const begin = text.data() + (text.starts_with("0x") ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), address, 16);
  if (error != std::errc{} || end != text.data() + text.size() || address < kLowest || address >= kEnd) {
    throw UsageError(fmt::format("--memory-at {}: expected an address of device memory in hexadecimal, {:#x} to {:#x}",
                                 text, kLowest, kEnd - 1));
  }
  return address;
}

// The options of all commands that start a program. Words after "--" belong to the program.
std::optional<std::pair<ExecOptions, Arguments>> parse_program(const std::string& command,
                                                               const std::vector<std::string>& words) {
  const auto border = std::find(words.begin(), words.end(), "--");
  Arguments arguments(command, {words.begin(), border});
  if (arguments.has("help")) {
    return std::nullopt;
  }
  ExecOptions options;
  options.program = arguments.operands();
  if (border != words.end()) {
    options.program.insert(options.program.end(), border + 1, words.end());
  }
  if (options.program.empty()) {
    throw UsageError("no program given" + see_help(command));
  }
  options.gpu = arguments.has("gpu") ? arguments.text("gpu") : "h200";
  options.overrides = arguments.list("set");
  options.skipped_kernels = arguments.list("skip-kernel");
  options.force_target = arguments.has("force-target");
  if (arguments.has("code")) {
    options.code = arguments.choice("code", {"ptx", "machine"}) == 0 ? "ptx" : "machine";
  }
  if (arguments.has("memory-at")) {
    options.memory_at = memory_address(arguments.text("memory-at"));
  }
  options.bounds = launch_bounds(arguments);
  return std::pair(std::move(options), std::move(arguments));
}

}  // namespace

std::optional<ExecOptions> parse_exec(const std::vector<std::string>& words) {
  auto parsed = parse_program("exec", words);
  if (!parsed) {
    return std::nullopt;
  }
  auto& [options, arguments] = *parsed;
  options.out = arguments.text("out");
  options.name = arguments.text("name");
  options.flush_caches =
      arguments.has("cache-control") ? arguments.choice("cache-control", {"all", "none"}) == 0 : !options.out.empty();
  options.max_cycles = arguments.number("max-cycles", 1, kMostCycles);
  options.threads = threads_option(arguments);
  options.replace = arguments.has("replace");
  options.functional_only = arguments.has("functional-only");
  options.breaks = break_options(arguments);
  options.details = details_for(arguments, options.out, "exec");
  if (options.functional_only) {
    refuse_timing(arguments, {"out", "threads"}, "exec");
  }
  return options;
}

std::optional<ExecOptions> parse_trace(const std::vector<std::string>& words) {
  auto parsed = parse_program("trace", words);
  if (!parsed) {
    return std::nullopt;
  }
  auto& [options, arguments] = *parsed;
  options.trace = arguments.required("out", "the trace to write");
  if (!options.trace.ends_with(".wtrace")) {
    throw UsageError("--out '" + options.trace + "': expected a name that ends in .wtrace" + see_help("trace"));
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

bool parse_nothing(const std::string& command, const std::vector<std::string>& words) {
  const Arguments arguments(command, words);
  if (arguments.has("help")) {
    return false;
  }
  arguments.expect_operands(0, "no operands");
  return true;
}

}  // namespace warpsim
