// Options of the commands that start a program: exec and trace.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/options/arguments.h"
#include "app/options/common_options.h"
#include "app/options/options.h"
#include "base/error.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kMostGpus = 32;

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

// --gpus: a number of equal GPUs, or their descriptions.
std::vector<std::string> gpus_option(const std::string& command, const Arguments& arguments) {
  const std::string gpu = arguments.has("gpu") ? arguments.text("gpu") : "h200";
  if (command != "exec" || !arguments.has("gpus")) {
    return {gpu};
  }
  const std::string text = arguments.text("gpus");
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    return std::vector<std::string>(arguments.number("gpus", 1, kMostGpus).value(), gpu);
  }
  if (arguments.has("gpu")) {
    throw UsageError("--gpus " + text + " names the GPUs: leave out --gpu, or give a number of GPUs");
  }
  std::vector<std::string> gpus;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    if (name.empty()) {
      throw UsageError("--gpus " + text + ": a name is empty");
    }
    gpus.push_back(name);
  }
  if (gpus.size() > kMostGpus) {
    throw UsageError("--gpus " + text + ": at most " + std::to_string(kMostGpus) + " GPUs are possible");
  }
  return gpus;
}

// --range: NAME or DOMAIN@NAME.
std::vector<std::string> ranges_option(const Arguments& arguments) {
  std::vector<std::string> ranges = arguments.list("range");
  for (const std::string& range : ranges) {
    if (range.empty() || range.ends_with('@') || range.find('\n') != std::string::npos) {
      throw UsageError("--range '" + range + "': expected the name of an NVTX range, or DOMAIN@NAME");
    }
  }
  return ranges;
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
  options.gpus = gpus_option(command, arguments);
  options.overrides = arguments.list("set");
  options.skipped_kernels = arguments.list("skip-kernel");
  if (arguments.has("profile-from-start")) {
    options.profile_from_start = arguments.choice("profile-from-start", {"on", "off"}) == 0;
  }
  options.ranges = ranges_option(arguments);
  options.force_target = arguments.has("force-target");
  options.ptxas = ptxas_option(arguments);
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
    refuse_timing(arguments, {"out", "profile-from-start", "range"}, "exec");
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

}  // namespace warpsim
