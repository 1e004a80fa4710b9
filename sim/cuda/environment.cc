#include "cuda/environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "engine/worker_pool.h"

namespace warpsim::cuda {

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_set(const char* name) {
  const std::string value = variable(name);
  if (!value.empty() && value != "0" && value != "1") {
    throw UserError(std::string(name) + "='" + value + "': 0 or 1 expected");
  }
  return value == "1";
}

std::optional<std::uint64_t> number(const char* name, std::uint64_t least = 1) {
  const std::string text = variable(name);
  if (text.empty()) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least) {
    throw UserError(std::string(name) + "='" + text + "': expected an integer of at least " + std::to_string(least));
  }
  return value;
}

std::uint32_t read_threads() {
  const std::uint64_t threads = number(kThreadsVariable).value_or(1);
  if (threads > kMostThreads) {
    throw UserError(std::string(kThreadsVariable) + "='" + variable(kThreadsVariable) + "': expected at most " +
                    std::to_string(kMostThreads));
  }
  return static_cast<std::uint32_t>(threads);
}

std::vector<Breakpoint> read_breakpoints() {
  std::vector<Breakpoint> breakpoints;
  std::istringstream lines(variable(kBreakVariable));
  for (std::string line; std::getline(lines, line);) {
    Breakpoint& breakpoint = breakpoints.emplace_back(breakpoint_of(line));
    if (const std::string warp = variable(kBreakWarpVariable); !warp.empty()) {
      breakpoint.warp = warp_of(warp);
    }
    if (const std::string count = variable(kBreakCountVariable); !count.empty()) {
      const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), breakpoint.count);
      if (error != std::errc() || stop != count.data() + count.size()) {
        throw UserError(std::string(kBreakCountVariable) + "='" + count + "': expected an integer");
      }
    }
  }
  return breakpoints;
}

}  // namespace

std::vector<std::string> visible_gpus(const std::vector<std::string>& gpus, const std::string& list) {
  std::vector<std::string> visible;
  std::vector<std::size_t> seen;
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    const std::size_t begin = entry.find_first_not_of(" \t");
    const std::string text = begin == std::string::npos ? "" : entry.substr(begin);
    if (text.starts_with("GPU-") || text.starts_with("MIG-")) {
      throw UserError(std::string(kVisibleVariable) + "='" + list +
                      "': simulated GPUs have numbers from 0 on here, not names");
    }
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end == text.data() || number >= gpus.size()) {
      break;
    }
    if (std::ranges::find(seen, number) != seen.end()) {
      return {};  // as CUDA does
    }
    seen.push_back(number);
    visible.push_back(gpus[number]);
  }
  return visible;
}

Environment read_environment() {
  Environment environment;
  std::istringstream gpus(variable(kGpuVariable));
  for (std::string line; std::getline(gpus, line);) {
    environment.gpus.push_back(line);
  }
  if (environment.gpus.empty()) {
    throw UserError(std::string("the program was linked to warpsim's CUDA libraries, but ") + kGpuVariable +
                    " is not set to a GPU; start the program with 'warpsim exec --gpu GPU -- PROGRAM'");
  }
  if (const char* const list = std::getenv(kVisibleVariable); list != nullptr) {
    environment.gpus = visible_gpus(environment.gpus, list);
  }
  environment.options.results = variable(kResultsVariable);
  environment.options.begun_run = variable(kRunVariable);
  environment.options.run_name = variable(kNameVariable);
  environment.options.command = variable(kCommandVariable);
  environment.options.trace = variable(kTraceVariable);
  environment.options.flush_caches = is_set(kFlushVariable);
  environment.options.max_cycles = number(kMaxCyclesVariable);
  environment.options.threads = read_threads();
  environment.options.max_instructions = number(kMaxInstructionsVariable);
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
  constexpr std::uint64_t kMostMebibytes = std::uint64_t{1} << 40U;
  if (const auto mebibytes = number(kQuarantineVariable, 0); mebibytes && *mebibytes < kMostMebibytes) {
    environment.options.quarantine_bytes = *mebibytes * kMebibyte;
  }
  if (const std::string checks = variable(kCheckVariable); !checks.empty()) {
    environment.options.checks = check_options_of(checks, kCheckVariable);
  }
  environment.options.tolerant = is_set(kTolerantVariable);
  environment.options.details.sample_interval = number(kSampleVariable).value_or(0);
  environment.options.details.hot_spots = is_set(kHotSpotsVariable);
  environment.options.replace = is_set(kReplaceVariable);
  environment.options.functional_only = is_set(kFunctionalVariable);
  environment.options.force_target = is_set(kForceTargetVariable);
  environment.options.memory_at = number(kMemoryVariable).value_or(0);
  environment.options.code = code_choice_of(variable(kCodeVariable), kCodeVariable);
  std::istringstream ptxas(variable(kPtxasVariable));
  for (std::string line; std::getline(ptxas, line);) {
    environment.options.ptxas.push_back(line);
  }
  std::istringstream overrides(variable(kOverridesVariable));
  for (std::string line; std::getline(overrides, line);) {
    environment.options.overrides.push_back(line);
  }
  environment.options.breakpoints = read_breakpoints();
  const std::string window = variable(kProfileVariable);
  if (!window.empty() && window != "off") {
    throw UserError(std::string(kProfileVariable) + "='" + window + "': 'off' expected");
  }
  environment.options.selection.profile_from_start = window.empty();
  std::istringstream ranges(variable(kRangesVariable));
  for (std::string line; std::getline(ranges, line);) {
    environment.options.selection.ranges.push_back(line);
  }
  std::istringstream skipped(variable(kSkipVariable));
  for (std::string line; std::getline(skipped, line);) {
    environment.options.skipped_kernels.push_back(line);
  }
  return environment;
}

}  // namespace warpsim::cuda
