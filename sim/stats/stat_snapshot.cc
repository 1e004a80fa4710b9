#include "stats/stat_snapshot.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace warpsim {

namespace {

std::string full_name(const std::string& component, const char* name) {
  return component.empty() ? std::string(name) : component + "." + name;
}

}  // namespace

// Groups of one kind have the same statistics in the same order, so that only the first one looks names up.
class StatSnapshot::Collector final : public StatVisitor {
 public:
  explicit Collector(StatSnapshot& snapshot) : snapshot_(snapshot) {}

  void counter(const std::string& kind, const std::string& path, const NamedCounter& counter) override {
    enter(kind, path);
    CounterTotal& total = snapshot_.counters_[index_of_counter(kind, counter)];
    total.sum += counter.value();
    total.greatest = std::max(total.greatest, counter.value());
    ++total.instances;
    if (counter.value() == 0) {
      return;
    }
    if (!total.values.empty() && total.values.back().instance == latest_instance_) {
      total.values.back().value += counter.value();
    } else {
      total.values.push_back({latest_instance_, counter.value()});
    }
  }

  void histogram(const std::string& kind, const std::string& path, const Histogram& histogram) override {
    enter(kind, path);
    const std::size_t index = index_of_histogram(kind, histogram);
    if (histogram.count() == 0) {
      return;
    }
    HistogramTotal& total = snapshot_.histograms_[index];
    total.count += histogram.count();
    total.sum += histogram.sum();
    total.greatest = std::max(total.greatest, histogram.greatest());
    for (std::uint32_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
      total.buckets[bucket] += histogram.in_bucket(bucket);
    }
  }

 private:
  // The positions of the statistics of one kind of group, in the order of the group.
  struct Place {
    const char* name;  // of the first group; usually the same pointer in all
    std::size_t index;
  };
  struct Layout {
    std::vector<Place> counters;
    std::vector<Place> histograms;
  };

  // Entry `position` of a layout: known from another group, or new from look_up().
  template <typename LookUp>
  static std::size_t index_in(std::vector<Place>& places, std::size_t position, const char* name, LookUp&& look_up) {
    if (position < places.size() && (places[position].name == name || std::strcmp(places[position].name, name) == 0)) {
      return places[position].index;
    }
    const std::size_t index = look_up();
    if (position == places.size()) {
      for (const Place& other : places) {
        SIM_CHECK(other.index != index, std::string("two statistics of one group are called ") + name);
      }
      places.push_back({name, index});
    }
    return index;
  }

  std::size_t index_of_counter(const std::string& kind, const NamedCounter& counter) {
    return index_in(layout_->counters, next_counter_++, counter.name(), [&] {
      const auto [entry, is_new] =
          snapshot_.counter_index_.try_emplace(full_name(kind, counter.name()), snapshot_.counters_.size());
      if (is_new) {
        snapshot_.counters_.push_back(
            {{kind, counter.name(), to_string(counter.unit()), counter.sentence()}, 0, 0, 0, {}});
      }
      return entry->second;
    });
  }
  std::size_t index_of_histogram(const std::string& kind, const Histogram& histogram) {
    return index_in(layout_->histograms, next_histogram_++, histogram.name(), [&] {
      const auto [entry, is_new] =
          snapshot_.histogram_index_.try_emplace(full_name(kind, histogram.name()), snapshot_.histograms_.size());
      if (is_new) {
        HistogramTotal total;
        total.statistic = {kind, histogram.name(), to_string(histogram.unit()), histogram.sentence()};
        snapshot_.histograms_.push_back(std::move(total));
      }
      return entry->second;
    });
  }

  // The walk reports all of a group's statistics one after another.
  void enter(const std::string& kind, const std::string& path) {
    if (layout_ != nullptr && path == latest_path_) {
      return;
    }
    latest_path_ = path;
    layout_ = &layouts_[kind];
    next_counter_ = 0;
    next_histogram_ = 0;
    ++snapshot_.instance_counts_[kind];
    // "sm[12].sub_core[3]" belongs to "sm[12]"; a path without index belongs to itself.
    const std::size_t bracket = path.find(']');
    const std::string owner = bracket == std::string::npos ? path : path.substr(0, bracket + 1);
    const auto [entry, is_new] = owners_.try_emplace(owner, static_cast<std::uint32_t>(snapshot_.instances_.size()));
    if (is_new) {
      snapshot_.instances_.push_back({owner.substr(0, owner.find('[')), owner});
    }
    latest_instance_ = entry->second;
  }

  std::unordered_map<std::string, std::uint32_t> owners_;
  std::unordered_map<std::string, Layout> layouts_;
  Layout* layout_ = nullptr;  // of the group that the walk is in
  std::size_t next_counter_ = 0;
  std::size_t next_histogram_ = 0;
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
