#include "cuda/device/launch_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/demangle.h"

namespace warpsim::cuda {

void LaunchReports::connect(LaunchContext& launch, const std::string& kernel, bool warns, bool tolerates) {
  launch.print = [this](const std::string& text) {
    const std::lock_guard guard(print_mutex_);
    printed_ += text;
  };
  const auto noting = [&kernel](LineFindings& findings) {
    return [&findings, kernel](std::uint32_t line, const std::string& text) { findings.note(kernel, line, text); };
  };
  if (tolerates) {
    launch.tolerate = noting(tolerated_);
  }
  if (warns) {
    launch.warn = noting(uninitialised_);
  }
}

void LaunchReports::add_skipped(const std::string& kernel) {
  if (skipped_.insert(kernel).second) {
    add(fmt::format("kernel {}: skipped, as requested", name_for_message(kernel)));
  }
}

std::string LaunchReports::take_printed() {
  return std::exchange(printed_, {});
}

std::vector<std::string> LaunchReports::take_findings() {
  std::vector<std::string> findings = std::exchange(findings_, {});
  for (LineFindings* const lines : {&uninitialised_, &tolerated_}) {
    std::ranges::move(lines->take(), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace warpsim::cuda
