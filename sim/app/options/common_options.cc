#include "app/options/common_options.h"

#include "base/error.h"
#include "engine/worker_pool.h"

namespace warpsim {

DetailOptions detail_options(const Arguments& arguments) {
  return {.sample_interval = arguments.number("sample-interval", 1, kMostCycles).value_or(0),
          .hot_spots = arguments.has("hot-spots")};
}

DetailOptions details_for(const Arguments& arguments, const std::string& out, const char* command) {
  for (const char* option : {"sample-interval", "hot-spots"}) {
    if (arguments.has(option) && out.empty()) {
      throw UsageError(std::string("--") + option + " needs --out FILE to store it" + see_help(command));
    }
  }
  return detail_options(arguments);
}

std::uint32_t threads_option(const Arguments& arguments) {
  return static_cast<std::uint32_t>(arguments.number("threads", 1, kMostThreads).value_or(1));
}

std::vector<std::string> ptxas_option(const Arguments& arguments) {
  std::vector<std::string> words = split_words("--ptxas", arguments.text("ptxas"));
  if (arguments.has("ptxas") && words.empty()) {
    throw UsageError("--ptxas: expected the assembler of a CUDA toolkit and its options, \"ptxas -O3\"");
  }
  return words;
}

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

void refuse_timing(const Arguments& arguments, std::initializer_list<const char*> options, const char* command) {
  for (const char* option : options) {
    if (arguments.has(option)) {
      throw UsageError(std::string("--functional-only simulates no timing, so that --") + option + " is not possible" +
                       see_help(command));
    }
  }
}

}  // namespace warpsim
