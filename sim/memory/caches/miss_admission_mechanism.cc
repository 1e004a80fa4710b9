#include "memory/caches/miss_admission_mechanism.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/error.h"

namespace warpsim {

MissAdmissionMechanism::MissAdmissionMechanism(const Choice& choice, mechanism::CacheLevel cache, std::uint32_t entries,
                                               LaunchStatsNode& parent) {
  if (choice.chosen()) {
    stats_.emplace(parent, "miss_admission");
    counters_.emplace(*stats_, "mechanism");
    mechanism_ = choice.make({cache, entries}, *counters_);
    name_ = choice.name();
  }
}

bool MissAdmissionMechanism::admits(const mechanism::MissOffer& miss, LaunchSeat seat) {
  counters_->select(seat);
  if (mechanism_->admits(miss)) {
    return true;
  }
  if (miss.used == 0) {
    throw ConfigError(fmt::format(
        "mechanism '{}' refuses a miss of line {:#x} although no entry is in use; expected that it admits it, since "
        "nothing else ends the wait",
        name_, miss.line));
  }
  (*stats_)[seat].refusals += refused_ ? 0 : 1;
  refused_ = true;
  return false;
}

void MissAdmissionMechanism::begin(std::uint32_t entry, const mechanism::MissOffer& miss, LaunchSeat seat) {
  if (entry >= begun_.size()) {
    begun_.resize(std::size_t{entry} + 1);
  }
  begun_[entry] = true;
  counters_->select(seat);
  mechanism_->begins(entry, miss);
}

void MissAdmissionMechanism::end(std::uint32_t entry, LaunchSeat seat) {
  refused_ = false;
  if (entry < begun_.size() && begun_[entry]) {
    begun_[entry] = false;
    counters_->select(seat);
    mechanism_->ends(entry);
  }
}

}  // namespace warpsim
