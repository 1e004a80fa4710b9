// The values of a stat tree at one moment, summed over the instances of each component: the source of database rows,
// metrics and tests. Taking it is the only traversal of the tree at the end of a launch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stats/stat_group.h"

namespace warpsim {

class StatSnapshot {
 public:
  // An instance with its own values in the results: each SM, slice or channel. Its parts (sub-cores) are summed.
  struct Instance {
    std::string component;  // "sm"
    std::string path;       // "sm[12]"
  };
  struct Statistic {
    std::string component;
    std::string name;
    const char* unit;
    const char* description;
  };
  struct InstanceValue {
    std::uint32_t instance;  // into instances()
    std::uint64_t value;
  };
  struct CounterTotal {
    Statistic statistic;
    std::uint64_t sum = 0;
    std::uint64_t greatest = 0;         // of one group
    std::uint64_t instances = 0;        // groups that have the counter: all sub-cores of all SMs
    std::vector<InstanceValue> values;  // one per instance, without zeros
  };
  struct HistogramTotal {
    Statistic statistic;
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    std::uint64_t greatest = 0;
    std::array<std::uint64_t, Histogram::kBuckets> buckets{};
  };

  explicit StatSnapshot(const StatGroup& root);

  // In the order of the walk; the same for the same tree.
  const std::vector<Instance>& instances() const { return instances_; }
  const std::vector<CounterTotal>& counters() const { return counters_; }
  const std::vector<HistogramTotal>& histograms() const { return histograms_; }

  // By "component.name"; null if the tree has none.
  const CounterTotal* counter(const std::string& full_name) const;
  // Sum of all counters whose "component.name" has this prefix; nothing if there is none.
  std::optional<std::uint64_t> sum_with_prefix(std::string_view prefix) const;
  // Groups of a component ("sm.sub_core") that has counters or histograms; 0 if there are none.
  std::uint64_t instance_count(const std::string& component) const;

 private:
  class Collector;

  std::vector<Instance> instances_;
  std::vector<CounterTotal> counters_;
  std::vector<HistogramTotal> histograms_;
  std::unordered_map<std::string, std::size_t> counter_index_;
  std::unordered_map<std::string, std::size_t> histogram_index_;
  std::unordered_map<std::string, std::uint64_t> instance_counts_;
};

}  // namespace warpsim
