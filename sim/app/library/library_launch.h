// A launch as users of the library see it (warpsim/simulator.h): its counters by name and, at its end, its metrics.
//
// State: the counters at one moment. Their names and the metrics are computed when they are first requested.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "stats/metric_catalog.h"
#include "stats/results_writer.h"
#include "stats/stat_snapshot.h"

namespace warpsim {

class LibraryLaunch {
 public:
  template <typename Value>
  struct Named {
    std::string name;
    Value value;
  };

  // At a sample.
  LibraryLaunch(std::uint32_t index, const std::string& kernel, Cycle cycles, const StatGroup& stats);
  // At its end. The catalogue outlives it.
  LibraryLaunch(const LaunchRecord& record, const StatGroup& stats, const MetricCatalog& catalog);

  std::uint32_t index() const { return index_; }
  const std::string& kernel() const { return kernel_; }
  Cycle cycles() const { return cycles_; }
  double nanoseconds() const { return nanoseconds_; }

  // By "component.name", in the order of the components.
  const std::vector<Named<std::uint64_t>>& counters() const;
  std::optional<std::uint64_t> counter(const std::string& name) const;
  // NaN: cannot be computed for this launch. Empty at a sample.
  const std::vector<Named<double>>& metrics() const;
  std::optional<double> metric(const std::string& name) const;

 private:
  std::uint32_t index_;
  std::string kernel_;
  Cycle cycles_;
  double nanoseconds_ = 0;
  StatSnapshot snapshot_;
  const MetricCatalog* catalog_ = nullptr;        // null: at a sample
  std::map<std::string, double> formula_inputs_;  // for the catalogue
  mutable std::vector<Named<std::uint64_t>> counters_;
  mutable std::vector<Named<double>> metrics_;
};

}  // namespace warpsim
