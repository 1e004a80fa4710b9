#include "mechanisms/mechanism_counters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "mechanisms/mechanism_name.h"

namespace warpsim {

Unit unit_of(mechanism::CounterUnit unit) {
  switch (unit) {
    case mechanism::CounterUnit::kCycles:
      return Unit::kCycles;
    case mechanism::CounterUnit::kInstructions:
      return Unit::kInstructions;
    case mechanism::CounterUnit::kWarps:
      return Unit::kWarps;
    case mechanism::CounterUnit::kRequests:
      return Unit::kRequests;
    case mechanism::CounterUnit::kSectors:
      return Unit::kSectors;
    case mechanism::CounterUnit::kBytes:
      return Unit::kBytes;
    case mechanism::CounterUnit::kEvents:
      break;
  }
  return Unit::kEvents;
}

mechanism::Counter MechanismCounters::add(const char* name, mechanism::CounterUnit unit, const char* sentence) {
  if (node_) {
    if (next_ == declared_.size() || declared_[next_].name != name) {
      throw ConfigError(fmt::format("counter '{}': expected the same counters in each object", name));
    }
    return {&current_, next_++};
  }
  if (!is_mechanism_name(name) || sentence == nullptr) {
    throw ConfigError(
        fmt::format("counter '{}': expected a name of lower-case letters, digits and '_', "
                    "and a sentence",
                    name == nullptr ? "" : name));
  }
  const auto same = [name](const MechanismCounter& counter) { return counter.name == name; };
  if (std::any_of(declared_.begin(), declared_.end(), same)) {
    throw ConfigError(fmt::format("counter '{}' is declared twice", name));
  }
  declared_.push_back({name, unit, sentence});
  return {&current_, static_cast<std::uint32_t>(declared_.size() - 1)};
}

void MechanismCounters::complete() {
  if (!node_ && !declared_.empty()) {
    node_ = std::make_unique<Node>(*parent_, group_, declared_);
    select(0);
  }
}

MechanismCounters::Node::Node(LaunchStatsNode& parent, const char* group, const std::vector<MechanismCounter>& declared)
    : LaunchStatsNode(&parent), parent_(&parent), group_(group), declared_(&declared) {
  while (sets_.size() < parent.seats()) {
    Node::add_set();
  }
}

void MechanismCounters::Node::add_set() {
  StatGroup& parent = parent_->group(static_cast<LaunchSeat>(sets_.size()));
  sets_.push_back(std::make_unique<Set>(parent, group_, *declared_));
}

MechanismCounters::Node::Set::Set(StatGroup& parent, const char* name, const std::vector<MechanismCounter>& declared)
    : StatGroup(parent, name) {
  for (const MechanismCounter& counter : declared) {
    values.push_back(
        &counters.emplace_back(*this, counter.name.c_str(), unit_of(counter.unit), counter.sentence.c_str()).storage());
  }
}

}  // namespace warpsim
