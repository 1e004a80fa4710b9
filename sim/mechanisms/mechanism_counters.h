// The counters of one mechanism's object in the statistics of its component: a group of their own, once for each seat
// of a resident launch. A mechanism without counters adds no group.
//
// State: the declared counters, their values by seat, the seat in effect. Invariant: a component selects the seat of
// the launch that it acts for before it calls its mechanism.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "stats/launch_stats.h"
#include "warpsim/mechanism.h"

namespace warpsim {

struct MechanismCounter {
  std::string name;
  mechanism::CounterUnit unit;
  std::string sentence;
};

// The unit of the statistics that a mechanism's unit means.
Unit unit_of(mechanism::CounterUnit unit);

class MechanismCounters final : public mechanism::Counters {
 public:
  // `group`: the name of the group below that of `parent`.
  MechanismCounters(LaunchStatsNode& parent, const char* group) : parent_(&parent), group_(group) {}
  MechanismCounters(const MechanismCounters&) = delete;
  MechanismCounters& operator=(const MechanismCounters&) = delete;

  // Throws ConfigError for a name that is not one or is declared twice.
  mechanism::Counter add(const char* name, mechanism::CounterUnit unit, const char* sentence) override;
  // To be called when the object has been made: the group appears in the statistics.
  void complete();
  // Before another object of the same mechanism is made in place of the first one: it gets the same counters.
  void begin_again() { next_ = 0; }

  // The launch in effect from now on.
  void select(LaunchSeat seat) {
    if (node_) {
      current_ = node_->values(seat);
    }
  }
  const std::vector<MechanismCounter>& declared() const { return declared_; }

 private:
  class Node final : public LaunchStatsNode {
   public:
    Node(LaunchStatsNode& parent, const char* group, const std::vector<MechanismCounter>& declared);
    StatGroup& group(LaunchSeat seat) override { return *sets_[seat]; }
    std::size_t seats() const override { return sets_.size(); }
    std::uint64_t* const* values(LaunchSeat seat) const { return sets_[seat]->values.data(); }

   private:
    struct Set : StatGroup {
      Set(StatGroup& parent, const char* name, const std::vector<MechanismCounter>& declared);
      std::deque<Counter> counters;
      std::vector<std::uint64_t*> values;
    };
    void add_set() override;

    LaunchStatsNode* parent_;
    const char* group_;
    const std::vector<MechanismCounter>* declared_;
    std::vector<std::unique_ptr<Set>> sets_;  // by seat
  };

  LaunchStatsNode* parent_;
  const char* group_;
  std::vector<MechanismCounter> declared_;
  std::uint32_t next_ = 0;  // of `declared_` that begin_again() has made free to be requested
  std::unique_ptr<Node> node_;
  std::uint64_t* const* current_ = nullptr;
};

}  // namespace warpsim
