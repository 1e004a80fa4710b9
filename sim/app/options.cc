#include "app/options.h"

#include <algorithm>

#include "app/arguments.h"
#include "app/command_help.h"
#include "app/correlation_table.h"
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

namespace {

// What simulates and does not depend on how many GPUs there are.
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
  if (arguments.has("launches")) {
    options.launches = LaunchSelection(arguments.text("launches"));
  }
  constexpr std::uint64_t kMostCycles = 1'000'000'000'000'000;
  options.max_cycles = arguments.number("max-cycles", 1, kMostCycles);
  options.progress = static_cast<ProgressMode>(arguments.choice("progress", {"auto", "always", "never"}));
  options.skip = !arguments.has("no-skip");
  options.strict = arguments.has("strict");
  options.sass_file = arguments.text("sass");
  options.replace = arguments.has("replace");
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
  const std::string gpu = arguments.required("gpu", "the GPU to simulate");
  arguments.required("out", "the results database to write");
  RunOptions options = simulation_options(arguments);
  options.gpu = gpu;
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
    for (const char* option :
         {"out", "set", "dlcm", "cache-control", "launches", "max-cycles", "replace", "sass", "strict"}) {
      if (arguments.has(option)) {
        throw UsageError(std::string("--") + option + " is for traces; say with --gpu on which GPUs to simulate them" +
                         see_help("compare"));
      }
    }
  }
  return options;
}

std::optional<ExecOptions> parse_exec(const std::vector<std::string>& words) {
  // What follows "--" belongs to the program.
  const auto border = std::find(words.begin(), words.end(), "--");
  const Arguments arguments("exec", {words.begin(), border});
  if (arguments.has("help")) {
    return std::nullopt;
  }
  ExecOptions options;
  options.program = arguments.operands();
  if (border != words.end()) {
    options.program.insert(options.program.end(), border + 1, words.end());
  }
  if (options.program.empty()) {
    throw UsageError("no program given" + see_help("exec"));
  }
  options.gpu = arguments.has("gpu") ? arguments.text("gpu") : "h200";
  options.out = arguments.text("out");
  options.overrides = arguments.list("set");
  options.name = arguments.text("name");
  options.functional_only = arguments.has("functional-only");
  options.force_target = arguments.has("force-target");
  if (options.functional_only && !options.out.empty()) {
    throw UsageError("--functional-only measures nothing that --out could hold" + see_help("exec"));
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
  options.gpu = arguments.required("gpu", "the GPU whose SM is filled");
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
  options.needs.threads = number("threads", "threads of a block", options.sweep == OccupancySweep::kThreads);
  options.needs.registers_per_thread =
      number("registers", "registers of a thread", options.sweep == OccupancySweep::kRegisters);
  options.needs.shared_bytes = number("shared", "bytes of shared memory of a block", true);
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
