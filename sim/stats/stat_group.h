// Statistics as members of one struct beside each component: with name, unit and description.
//
//     struct L2SliceStats : StatGroup {
//       using StatGroup::StatGroup;
//       Counter read_sectors_hit{*this, "read_sectors_hit", Unit::kSectors, "sectors of reads found in this slice"};
//     };
//
// Only additive raw values are kept (sums, histograms): ratios are SQL views. Groups form a tree whose paths
// ("sm[12].sub_core[3]") name the instance; groups of the same kind have the same counters, so that totals over
// instances are meaningful. A group registers itself with its parent at construction and must not outlive it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpsim {

enum class Unit : std::uint8_t {
  kCycles,
  kInstructions,
  kThreadInstructions,
  kWarps,
  kBlocks,
  kRequests,
  kSectors,
  kBytes,
  kWavefronts,
  kEvents,
  kWarpCycles,  // warps times cycles: a warp-state integral
  kOperations,  // arithmetic operations: two per multiply-add
};
// As Nsight Compute spells units: "cycle", "inst", "byte". docs/statistics.md lists all.
const char* to_string(Unit unit);

class StatGroup;

// A sum. Incrementing is a plain 64-bit addition. The group keeps what describes it, so that counters that are
// incremented together share cache lines.
class Counter {
 public:
  Counter(StatGroup& group, const char* name, Unit unit, const char* sentence);
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  Counter& operator++() {
    ++value_;
    return *this;
  }
  Counter& operator+=(std::uint64_t amount) {
    value_ += amount;
    return *this;
  }
  std::uint64_t value() const { return value_; }
  void reset() { value_ = 0; }
  // For those who increment it without this class.
  std::uint64_t& storage() { return value_; }

 private:
  std::uint64_t value_ = 0;
};

// A counter of a group, with its description.
class NamedCounter {
 public:
  NamedCounter(Counter& counter, const char* name, Unit unit, const char* sentence)
      : counter_(&counter), name_(name), unit_(unit), sentence_(sentence) {}

  Counter& counter() const { return *counter_; }
  std::uint64_t value() const { return counter_->value(); }
  const char* name() const { return name_; }
  Unit unit() const { return unit_; }
  const char* sentence() const { return sentence_; }

 private:
  Counter* counter_;
  const char* name_;
  Unit unit_;
  const char* sentence_;
};

// Counts of values by bucket, with sum, minimum and maximum. Buckets are powers of two split in four, so that the
// relative width of a bucket is at most a quarter from 0 to 2^32.
class Histogram {
 public:
  static constexpr std::uint32_t kBuckets = 124;

  Histogram(StatGroup& group, const char* name, Unit unit, const char* sentence);
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  void add(std::uint64_t value, std::uint64_t times = 1) {
    counts_[bucket_of(value)] += times;
    count_ += times;
    sum_ += value * times;
    if (value > greatest_) {
      greatest_ = value;
    }
  }
  static std::uint32_t bucket_of(std::uint64_t value);
  static std::uint64_t lower_bound(std::uint32_t bucket);

  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t greatest() const { return greatest_; }
  std::uint64_t in_bucket(std::uint32_t bucket) const { return counts_[bucket]; }
  void reset();

  const char* name() const { return name_; }
  Unit unit() const { return unit_; }
  const char* sentence() const { return sentence_; }

 private:
  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t greatest_ = 0;
  const char* name_;
  Unit unit_;
  const char* sentence_;
};

// A current level, such as the number of entries of a queue. It is read only for time series, so that it costs nothing
// otherwise.
class Gauge {
 public:
  using Reader = std::function<std::uint64_t()>;
  Gauge(StatGroup& group, const char* name, Reader read);
  Gauge(const Gauge&) = delete;
  Gauge& operator=(const Gauge&) = delete;

  const char* name() const { return name_; }
  std::uint64_t value() const { return read_(); }

 private:
  const char* name_;
  Reader read_;
};

class StatGroup {
 public:
  static constexpr std::uint32_t kNoIndex = 0xffffffffU;

  // The root of a tree.
  explicit StatGroup(const char* name) : name_(name) {}
  // A child: `name` for a single one, `name[index]` for one of several.
  StatGroup(StatGroup& parent, const char* name, std::uint32_t index = kNoIndex);
  StatGroup(const StatGroup&) = delete;
  StatGroup& operator=(const StatGroup&) = delete;
  ~StatGroup() = default;

  const char* name() const { return name_; }
  std::uint32_t index() const { return index_; }
  const std::vector<StatGroup*>& children() const { return children_; }
  const std::vector<NamedCounter>& counters() const { return counters_; }
  const std::vector<Histogram*>& histograms() const { return histograms_; }
  const std::vector<Gauge*>& gauges() const { return gauges_; }

  // Sets every counter and histogram of the subtree to zero.
  void reset();

 private:
  friend class Counter;
  friend class Histogram;
  friend class Gauge;
  const char* name_;
  std::uint32_t index_ = kNoIndex;
  std::vector<StatGroup*> children_;
  std::vector<NamedCounter> counters_;
  std::vector<Histogram*> histograms_;
  std::vector<Gauge*> gauges_;
};

// Visits a tree depth first, children in order of construction. `kind` is the path without indices ("sm.sub_core"),
// the same for all instances; `path` has them ("sm[12].sub_core[3]"). The root's name is left out of both.
class StatVisitor {
 public:
  virtual ~StatVisitor() = default;
  virtual void counter(const std::string& kind, const std::string& path, const NamedCounter& counter) = 0;
  virtual void histogram(const std::string& kind, const std::string& path, const Histogram& histogram) = 0;
};
void visit(const StatGroup& root, StatVisitor& visitor);

}  // namespace warpsim
