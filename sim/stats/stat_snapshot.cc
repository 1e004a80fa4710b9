#include "stats/stat_snapshot.h"

#include <algorithm>

namespace warpsim {

namespace {

std::string full_name(const std::string& component, const char* name) {
  return component.empty() ? std::string(name) : component + "." + name;
}

}  // namespace

class StatSnapshot::Collector final : public StatVisitor {
 public:
  explicit Collector(StatSnapshot& snapshot) : snapshot_(snapshot) {}

  void counter(const std::string& kind, const std::string& path, const Counter& counter) override {
    const std::uint32_t instance = instance_of(kind, path);
    const auto [entry, is_new] =
        snapshot_.counter_index_.try_emplace(full_name(kind, counter.name()), snapshot_.counters_.size());
    if (is_new) {
      snapshot_.counters_.push_back(
          {{kind, counter.name(), to_string(counter.unit()), counter.sentence()}, 0, 0, 0, {}});
    }
    CounterTotal& total = snapshot_.counters_[entry->second];
    total.sum += counter.value();
    total.greatest = std::max(total.greatest, counter.value());
    ++total.instances;
    if (counter.value() == 0) {
      return;
    }
    if (!total.values.empty() && total.values.back().instance == instance) {
      total.values.back().value += counter.value();
    } else {
      total.values.push_back({instance, counter.value()});
    }
  }

  void histogram(const std::string& kind, const std::string& path, const Histogram& histogram) override {
    instance_of(kind, path);
    const auto [entry, is_new] =
        snapshot_.histogram_index_.try_emplace(full_name(kind, histogram.name()), snapshot_.histograms_.size());
    if (is_new) {
      HistogramTotal total;
      total.statistic = {kind, histogram.name(), to_string(histogram.unit()), histogram.sentence()};
      snapshot_.histograms_.push_back(std::move(total));
    }
    if (histogram.count() == 0) {
      return;
    }
    HistogramTotal& total = snapshot_.histograms_[entry->second];
    total.count += histogram.count();
    total.sum += histogram.sum();
    total.greatest = std::max(total.greatest, histogram.greatest());
    for (std::uint32_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
      total.buckets[bucket] += histogram.in_bucket(bucket);
    }
  }

 private:
  // The walk reports all of a group's statistics one after another.
  std::uint32_t instance_of(const std::string& kind, const std::string& path) {
    if (path == latest_path_ && !snapshot_.instances_.empty()) {
      return latest_instance_;
    }
    latest_path_ = path;
    ++snapshot_.instance_counts_[kind];
    // "sm[12].sub_core[3]" belongs to "sm[12]"; a path without index belongs to itself.
    const std::size_t bracket = path.find(']');
    const std::string owner = bracket == std::string::npos ? path : path.substr(0, bracket + 1);
    const auto [entry, is_new] = owners_.try_emplace(owner, static_cast<std::uint32_t>(snapshot_.instances_.size()));
    if (is_new) {
      snapshot_.instances_.push_back({owner.substr(0, owner.find('[')), owner});
    }
    latest_instance_ = entry->second;
    return latest_instance_;
  }

  std::unordered_map<std::string, std::uint32_t> owners_;
  std::string latest_path_;
  std::uint32_t latest_instance_ = 0;
  StatSnapshot& snapshot_;
};

StatSnapshot::StatSnapshot(const StatGroup& root) {
  Collector collector(*this);
  visit(root, collector);
}

const StatSnapshot::CounterTotal* StatSnapshot::counter(const std::string& full_name) const {
  const auto found = counter_index_.find(full_name);
  return found == counter_index_.end() ? nullptr : &counters_[found->second];
}

std::optional<std::uint64_t> StatSnapshot::sum_with_prefix(std::string_view prefix) const {
  std::optional<std::uint64_t> sum;
  for (const CounterTotal& counter : counters_) {
    if (full_name(counter.statistic.component, counter.statistic.name.c_str()).starts_with(prefix)) {
      sum = sum.value_or(0) + counter.sum;
    }
  }
  return sum;
}

std::uint64_t StatSnapshot::instance_count(const std::string& component) const {
  const auto found = instance_counts_.find(component);
  return found == instance_counts_.end() ? 0 : found->second;
}

}  // namespace warpsim
