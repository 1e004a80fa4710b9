#include "cuda/device/line_findings.h"

#include <fmt/format.h>

#include <iterator>

#include "base/demangle.h"

namespace warpsim::cuda {

void LineFindings::note(const std::string& kernel, std::uint32_t line, const std::string& text) {
  const std::lock_guard guard(mutex_);
  const auto lines = std::distance(known_.lower_bound({kernel, 0}), known_.upper_bound({kernel, UINT32_MAX}));
  if (lines <= kMostLines && known_.emplace(kernel, line).second) {
    texts_.push_back(lines < kMostLines ? text
                                        : fmt::format("kernel {}: more of its lines {}; they are not listed",
                                                      name_for_message(kernel), what_));
  }
}

std::vector<std::string> LineFindings::take() {
  const std::lock_guard guard(mutex_);
  return std::exchange(texts_, {});
}

}  // namespace warpsim::cuda
