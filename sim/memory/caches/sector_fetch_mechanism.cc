#include "memory/caches/sector_fetch_mechanism.h"

#include <fmt/format.h>

#include "base/error.h"
#include "memory/slice_message.h"

namespace warpsim {

SectorFetchMechanism::SectorFetchMechanism(const Choice& choice, mechanism::CacheLevel cache, LaunchStatsNode& parent) {
  if (choice.chosen()) {
    stats_.emplace(parent, "sector_fetch");
    counters_.emplace(*stats_, "mechanism");
    mechanism_ = choice.make({cache}, *counters_);
    name_ = choice.name();
  }
}

std::uint8_t SectorFetchMechanism::fetch(const mechanism::SectorMiss& miss, const Place& place, LaunchSeat seat) {
  LineState& state = entry_state(place.entry);
  if (place.new_entry) {
    state = place.slot != TagArray::kNoSlot ? LineState{lines_[place.slot].memo, 0, 0, true} : LineState{};
  }
  state.fetched = true;
  counters_->select(seat);
  const std::uint8_t asked = mechanism_->fetch(miss, state.memo);
  if (without(miss.wanted, asked) != 0 || without(asked, miss.absent) != 0) {
    throw ConfigError(fmt::format(
        "mechanism '{}' fetches the sectors {:#x} of a line for a load that needs {:#x} of the absent sectors "
        "{:#x}; expected all that it needs, and only absent ones",
        name_, asked, miss.wanted, miss.absent));
  }
  const std::uint8_t further = without(asked, miss.wanted);
  state.further = static_cast<std::uint8_t>(state.further | further);
  (*stats_)[seat].further_sectors += sector_count(further);
  return asked;
}

void SectorFetchMechanism::arrive(std::uint32_t entry, std::uint32_t slot) {
  const LineState& from = entries_[entry];
  LineState& line = lines_[slot];
  line.used = static_cast<std::uint8_t>(line.used | from.used);
  line.further = static_cast<std::uint8_t>(line.further | from.further);
  if (from.fetched) {
    line.memo = from.memo;
    line.fetched = true;
  }
}

void SectorFetchMechanism::leave(std::uint32_t slot, Address line, std::uint8_t present, LaunchSeat seat) {
  const LineState state = lines_[slot];
  lines_[slot] = {};
  if (!state.fetched) {
    return;
  }
  SectorFetchStats& stats = (*stats_)[seat];
  stats.used_sectors += sector_count(static_cast<std::uint8_t>(state.further & state.used));
  stats.unused_sectors += sector_count(without(state.further, state.used));
  counters_->select(seat);
  mechanism_->leaves({line, present, state.used, state.memo});
}

}  // namespace warpsim
