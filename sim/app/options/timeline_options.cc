#include "app/options/timeline_options.h"

#include <fmt/format.h>

#include <charconv>

#include "app/options/arguments.h"
#include "base/error.h"

namespace warpsim {

namespace {

// False if the text is not a number.
bool read_number(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

void set_window(TimelineOptions& options, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string_view whole = text;
  if (colon == std::string::npos || !read_number(whole.substr(0, colon), options.from) ||
      !read_number(whole.substr(colon + 1), options.to) || options.from >= options.to) {
    throw UsageError("--timeline-window '" + text + "': expected FROM:TO in core cycles, for example 0:20000");
  }
}

std::vector<std::uint32_t> number_list(const std::string& option, const std::string& text) {
  constexpr std::uint64_t kMost = 1023;
  std::vector<std::uint32_t> numbers;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view range = rest.substr(0, comma);
    const std::size_t dash = range.find('-');
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    const bool good = read_number(range.substr(0, dash), first) &&
                      (dash == std::string_view::npos || read_number(range.substr(dash + 1), last));
    last = dash == std::string_view::npos ? first : last;
    if (!good || last < first || last > kMost || (!numbers.empty() && first <= numbers.back())) {
      throw UsageError(
          fmt::format("--{} '{}': expected ascending numbers and ranges, for example 0,3-5", option, text));
    }
    for (std::uint64_t number = first; number <= last; ++number) {
      numbers.push_back(static_cast<std::uint32_t>(number));
    }
    if (comma == std::string_view::npos) {
      return numbers;
    }
    rest = rest.substr(comma + 1);
  }
}

SmSelection sm_selection(const std::string& option, const std::string& text) {
  if (text == "first" || text == "all") {
    return {text == "all" ? SmSelection::Kind::kAll : SmSelection::Kind::kFirstBlock, {}};
  }
  try {
    return {SmSelection::Kind::kListed, number_list(option, text)};
  } catch (const UsageError& error) {
    throw UsageError(std::string(error.what()) + ", or first, or all");
  }
}

TimelineOptions timeline_options(const Arguments& arguments) {
  TimelineOptions options;
  options.file = arguments.text("timeline");
  for (const char* option : {"timeline-window", "timeline-launch", "timeline-sms", "timeline-blocks",
                             "timeline-sub-cores", "timeline-warp-slots", "timeline-channels"}) {
    if (arguments.has(option) && options.file.empty()) {
      throw UsageError(std::string("--") + option + " needs --timeline FILE" + see_help("run"));
    }
  }
  if (options.file.empty()) {
    return options;
  }
  if (arguments.operands().size() > 1) {
    throw UsageError("--timeline shows one run, but there are several traces");
  }
  set_window(options, arguments.has("timeline-window") ? arguments.text("timeline-window") : "0:20000");
  if (const auto launch = arguments.number("timeline-launch", 0, 0xffffffffU)) {
    options.launch = static_cast<std::uint32_t>(*launch);
  }
  if (arguments.has("timeline-sms")) {
    options.sms = sm_selection("timeline-sms", arguments.text("timeline-sms"));
  }
  if (arguments.has("timeline-blocks")) {
    options.blocks = sm_selection("timeline-blocks", arguments.text("timeline-blocks"));
  }
  if (arguments.has("timeline-sub-cores")) {
    options.sub_cores = number_list("timeline-sub-cores", arguments.text("timeline-sub-cores"));
  }
  if (arguments.has("timeline-warp-slots")) {
    options.warp_slots = number_list("timeline-warp-slots", arguments.text("timeline-warp-slots"));
  }
  options.channels =
      number_list("timeline-channels", arguments.has("timeline-channels") ? arguments.text("timeline-channels") : "0");
  return options;
}

}  // namespace warpsim
