// Reads the counters of a stat tree at intervals and keeps the increase in each interval: the time series of a launch.
//
// A row describes an instance (an SM, a slice, a channel) in an interval with activity. Rows are packed, a few dozen
// bytes each, so that a launch with a million rows fits in memory until it is stored. The sums of all rows are the
// counters of the launch, exactly. The tree is only read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "stats/sample_columns.h"
#include "stats/stat_group.h"

namespace warpsim {

class SampleSeries {
 public:
  struct Row {
    Cycle cycle = 0;             // end of the interval, since the launch began
    Cycle cycles = 0;            // its length
    std::uint32_t instance = 0;  // 0 for the whole device
    std::span<const std::uint64_t> values;
  };

  // Of sample_tables()[table]; rows of the last table also have the columns of the others.
  void add(std::size_t table, const Row& row);
  void for_each(std::size_t table, const std::function<void(const Row&)>& visit) const;
  bool empty() const;

 private:
  struct Packed {
    std::vector<std::uint8_t> bytes;
    Cycle last_cycle = 0;
    std::size_t width = 0;
  };
  std::map<std::size_t, Packed> tables_;
};

class Sampler {
 public:
  // The tree must outlive it. Columns whose statistics are not in the tree stay 0: a GPU without DRAM channels has no
  // rows for them.
  explicit Sampler(const StatGroup& root);

  // A launch begins; the tree has been reset.
  void begin();
  // An interval ends at `cycle` of the launch, later than the one before. `last`: also reads idle instances.
  void take(Cycle cycle, bool last);
  const SampleSeries& series() const { return series_; }

 private:
  struct Source {
    const Counter* counter = nullptr;
    std::uint32_t column = 0;
  };
  struct GaugeSource {
    const Gauge* gauge = nullptr;
    std::uint32_t column = 0;
  };
  struct Instance {
    std::uint32_t number = 0;
    std::vector<Source> sources;  // those of the first column first
    std::vector<GaugeSource> gauges;
    std::vector<std::uint64_t> before;  // one a column
  };
  struct Table {
    std::vector<Instance> instances;
    std::size_t columns = 0;
    std::size_t device_offset = 0;  // of its columns in the device's rows
    bool may_rest = false;          // nothing changes while the first column is constant
  };

  void add_instance(std::size_t table, const StatGroup& group, std::uint32_t number);
  bool rests(const Instance& instance) const;
  // The increase in the interval; false: none.
  bool read(Instance& instance, std::size_t columns);

  std::vector<Table> tables_;
  std::vector<std::uint64_t> row_;
  std::vector<std::uint64_t> device_row_;
  Cycle cycle_ = 0;
  SampleSeries series_;
};

}  // namespace warpsim
