#include "stats/stat_group.h"

#include <bit>
#include <utility>

#include "base/check.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kSplit = 4;      // buckets per power of two
constexpr std::uint32_t kSplitBits = 2;  // log2 of it

void visit_subtree(const StatGroup& group, const std::string& kind, const std::string& path, StatVisitor& visitor) {
  for (const NamedCounter& counter : group.counters()) {
    visitor.counter(kind, path, counter);
  }
  for (const Histogram* histogram : group.histograms()) {
    visitor.histogram(kind, path, *histogram);
  }
  for (const StatGroup* child : group.children()) {
    const std::string dot = kind.empty() ? "" : ".";
    std::string child_path = path + dot + child->name();
    if (child->index() != StatGroup::kNoIndex) {
      child_path += "[" + std::to_string(child->index()) + "]";
    }
    visit_subtree(*child, kind + dot + child->name(), child_path, visitor);
  }
}

}  // namespace

const char* to_string(Unit unit) {
  switch (unit) {
    case Unit::kCycles:
      return "cycle";
    case Unit::kInstructions:
    case Unit::kThreadInstructions:
      return "inst";
    case Unit::kWarps:
      return "warp";
    case Unit::kBlocks:
      return "block";
    case Unit::kRequests:
      return "request";
    case Unit::kSectors:
      return "sector";
    case Unit::kBytes:
      return "byte";
    case Unit::kWavefronts:
      return "wavefront";
    case Unit::kEvents:
      return "event";
    case Unit::kWarpCycles:
      return "warp-cycle";
    case Unit::kOperations:
      return "op";
  }
  SIM_CHECK(false, "a unit without a name");
}

Counter::Counter(StatGroup& group, const char* name, Unit unit, const char* sentence) {
  group.counters_.emplace_back(*this, name, unit, sentence);
}

Histogram::Histogram(StatGroup& group, const char* name, Unit unit, const char* sentence)
    : name_(name), unit_(unit), sentence_(sentence) {
  group.histograms_.push_back(this);
}

Gauge::Gauge(StatGroup& group, const char* name, Reader read) : name_(name), read_(std::move(read)) {
  group.gauges_.push_back(this);
}

// Bucket i holds the value i for i < 4. From 4 on, each power of two is split in four, and everything from 2^32 on
// falls into the last bucket.
std::uint32_t Histogram::bucket_of(std::uint64_t value) {
  if (value < kSplit) {
    return static_cast<std::uint32_t>(value);
  }
  const std::uint32_t exponent = static_cast<std::uint32_t>(std::bit_width(value)) - 1;
  if (exponent >= 32) {
    return kBuckets - 1;
  }
  const std::uint32_t quarter = static_cast<std::uint32_t>(value >> (exponent - kSplitBits)) & (kSplit - 1);
  return (exponent - 1) * kSplit + quarter;
}

std::uint64_t Histogram::lower_bound(std::uint32_t bucket) {
  SIM_CHECK(bucket < kBuckets, "no such histogram bucket");
  if (bucket < kSplit) {
    return bucket;
  }
  const std::uint32_t exponent = bucket / kSplit + 1;
  return std::uint64_t{kSplit + bucket % kSplit} << (exponent - kSplitBits);
}

void Histogram::reset() {
  counts_.fill(0);
  count_ = 0;
  sum_ = 0;
  greatest_ = 0;
}

StatGroup::StatGroup(StatGroup& parent, const char* name, std::uint32_t index) : name_(name), index_(index) {
  parent.children_.push_back(this);
}

void StatGroup::reset() {
  for (const NamedCounter& counter : counters_) {
    counter.counter().reset();
  }
  for (Histogram* histogram : histograms_) {
    histogram->reset();
  }
  for (StatGroup* child : children_) {
    child->reset();
  }
}

void visit(const StatGroup& root, StatVisitor& visitor) {
  visit_subtree(root, "", "", visitor);
}

}  // namespace warpsim
