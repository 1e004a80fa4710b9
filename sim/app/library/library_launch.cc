#include "app/library/library_launch.h"

#include <limits>

#include "base/demangle.h"

namespace warpsim {

LibraryLaunch::LibraryLaunch(std::uint32_t index, const std::string& kernel, Cycle cycles, const StatGroup& stats)
    : index_(index), kernel_(demangle(kernel)), cycles_(cycles), snapshot_(stats) {}

LibraryLaunch::LibraryLaunch(const LaunchRecord& record, const StatGroup& stats, const MetricCatalog& catalog)
    : LibraryLaunch(record.launch_index, record.kernel, record.elapsed_cycles, stats) {
  nanoseconds_ = record.duration_ns;
  catalog_ = &catalog;
  formula_inputs_ = formula_inputs(record);
}

const std::vector<LibraryLaunch::Named<std::uint64_t>>& LibraryLaunch::counters() const {
  if (counters_.empty()) {
    for (const StatSnapshot::CounterTotal& counter : snapshot_.counters()) {
      counters_.push_back({counter.statistic.component + "." + counter.statistic.name, counter.sum});
    }
  }
  return counters_;
}

std::optional<std::uint64_t> LibraryLaunch::counter(const std::string& name) const {
  const StatSnapshot::CounterTotal* const counter = snapshot_.counter(name);
  return counter == nullptr ? std::nullopt : std::optional(counter->sum);
}

const std::vector<LibraryLaunch::Named<double>>& LibraryLaunch::metrics() const {
  if (metrics_.empty() && catalog_ != nullptr) {
    for (const MetricCatalog::Value& value : catalog_->evaluate({snapshot_, formula_inputs_})) {
      metrics_.push_back({value.definition->name, value.value.value_or(std::numeric_limits<double>::quiet_NaN())});
    }
  }
  return metrics_;
}

std::optional<double> LibraryLaunch::metric(const std::string& name) const {
  for (const Named<double>& metric : metrics()) {
    if (metric.name == name) {
      return metric.value;
    }
  }
  return std::nullopt;
}

}  // namespace warpsim
