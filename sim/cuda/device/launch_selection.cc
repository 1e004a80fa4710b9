#include "cuda/device/launch_selection.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpsim::cuda {

LaunchSelection::LaunchSelection(const SelectionOptions& options) : is_open_(options.profile_from_start) {
  for (const std::string& text : options.ranges) {
    const std::size_t at = text.find('@');
    wanted_.push_back(at == std::string::npos ? Range{"", text} : Range{text.substr(0, at), text.substr(at + 1)});
  }
}

bool LaunchSelection::takes() const {
  const auto is_in = [this](const Range& range) {
    return ranges_ != nullptr && ranges_->is_open(range.domain, range.name);
  };
  return is_open_ && (wanted_.empty() || std::ranges::any_of(wanted_, is_in));
}

std::vector<std::string> LaunchSelection::notes() const {
  std::vector<std::string> notes;
  if (left_out_ != 0) {
    notes.push_back(
        fmt::format("launches outside of the profiled part of the program, which took no time and were not "
                    "recorded: {}",
                    left_out_));
  }
  if (taken_anyway_ != 0) {
    notes.push_back(
        fmt::format("launches outside of the profiled part of the program that were timed and recorded, since "
                    "their kernels launch others: {}",
                    taken_anyway_));
  }
  return notes;
}

}  // namespace warpsim::cuda
