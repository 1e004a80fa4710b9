// The statistics of a component, apart for each kernel launch that is resident on the GPU.
//
// A resident launch has a seat: a small number that its warps and requests carry. A component has one set of counters
// for each seat. The sets of one seat form a tree of their own, like that of a GPU on which the launch is alone.
//
//     class Crossbar {
//       LaunchStats<CrossbarStats> stats_;  // stats_(parent, "crossbar")
//       ... ++stats_[request.seat].requests;
//     };
//
// Every event is attributed to the launch whose warp or request causes it: the write-back of a replaced line to the
// launch whose request replaces it, a refresh to the request that it delays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stats/stat_group.h"

namespace warpsim {

using LaunchSeat = std::uint8_t;
inline constexpr std::size_t kMaxLaunchSeats = 256;

// A node of the tree of components. It registers itself with its parent at construction and must not outlive it.
class LaunchStatsNode {
 public:
  explicit LaunchStatsNode(LaunchStatsNode* parent);
  LaunchStatsNode(const LaunchStatsNode&) = delete;
  LaunchStatsNode& operator=(const LaunchStatsNode&) = delete;
  virtual ~LaunchStatsNode() = default;

  // The component's set of this seat.
  virtual StatGroup& group(LaunchSeat seat) = 0;
  virtual std::size_t seats() const = 0;
  // Adds a level of the component; every seat shows it.
  void add_gauge(const char* name, const Gauge::Reader& read);
  // One more seat for this component and those below it. Only between runs of the engine.
  void add_seat();

 protected:
  // Adds a set for the next seat.
  virtual void add_set() = 0;

 private:
  struct Level {
    const char* name;
    Gauge::Reader read;
  };

  std::vector<LaunchStatsNode*> children_;
  std::vector<Level> levels_;
  std::vector<std::unique_ptr<Gauge>> gauges_;
};

template <typename Stats>
class LaunchStats final : public LaunchStatsNode {
 public:
  // The root of a tree, with one seat.
  explicit LaunchStats(const char* name) : LaunchStatsNode(nullptr), name_(name) { LaunchStats::add_set(); }
  // A child with as many seats as its parent: `name` for a single one, `name[index]` for one of several.
  LaunchStats(LaunchStatsNode& parent, const char* name, std::uint32_t index = StatGroup::kNoIndex)
      : LaunchStatsNode(&parent), parent_(&parent), name_(name), index_(index) {
    while (sets_.size() < parent.seats()) {
      LaunchStats::add_set();
    }
  }

  Stats& operator[](LaunchSeat seat) { return *sets_[seat]; }
  const Stats& operator[](LaunchSeat seat) const { return *sets_[seat]; }

  StatGroup& group(LaunchSeat seat) override { return *sets_[seat]; }
  std::size_t seats() const override { return sets_.size(); }

 private:
  void add_set() override {
    if (parent_ == nullptr) {
      sets_.push_back(std::make_unique<Stats>(name_));
    } else {
      sets_.push_back(std::make_unique<Stats>(parent_->group(static_cast<LaunchSeat>(sets_.size())), name_, index_));
    }
  }

  LaunchStatsNode* parent_ = nullptr;
  const char* name_;
  std::uint32_t index_ = StatGroup::kNoIndex;
  std::vector<std::unique_ptr<Stats>> sets_;  // by seat
};

}  // namespace warpsim
