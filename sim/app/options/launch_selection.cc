#include "app/options/launch_selection.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace warpsim {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw UsageError("--launches '" + text + "': expected launch indices and ranges, like 0,3-5");
}

// The number at `at`, which moves after it.
std::uint32_t take_index(const std::string& text, const char*& at) {
  std::uint32_t value = 0;
  const auto [stop, error] = std::from_chars(at, text.data() + text.size(), value);
  if (error != std::errc()) {
    refuse(text);
  }
  at = stop;
  return value;
}

}  // namespace

LaunchSelection::LaunchSelection(const std::string& text) : text_(text) {
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    Range range{};
    range.first = take_index(text, at);
    range.last = range.first;
    if (at != end && *at == '-') {
      ++at;
      range.last = take_index(text, at);
    }
    if (range.last < range.first) {
      throw UsageError("--launches '" + text + "': the end of a range is below its start");
    }
    ranges_.push_back(range);
    if (at == end) {
      return;
    }
    if (*at != ',') {
      refuse(text);
    }
    ++at;
  }
}

bool LaunchSelection::contains(std::uint32_t launch_index) const {
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), [launch_index](const Range& range) {
           return launch_index >= range.first && launch_index <= range.last;
         });
}

bool LaunchSelection::beyond(std::uint32_t launch_index) const {
  return !ranges_.empty() && launch_index > last();
}

std::uint32_t LaunchSelection::last() const {
  std::uint32_t greatest = 0;
  for (const Range& range : ranges_) {
    greatest = std::max(greatest, range.last);
  }
  return greatest;
}

}  // namespace warpsim
