#include "memory/caches/write_policy_mechanism.h"

#include <fmt/format.h>

#include "base/error.h"
#include "memory/slice_message.h"

namespace warpsim {

WritePolicyMechanism::WritePolicyMechanism(const Choice& choice, mechanism::CacheLevel cache, LaunchStatsNode& parent)
    : cache_(cache) {
  if (choice.chosen()) {
    stats_.emplace(parent, "write_policy");
    counters_.emplace(*stats_, "mechanism");
    mechanism_ = choice.make({cache}, *counters_);
    name_ = choice.name();
  }
}

mechanism::WriteWay WritePolicyMechanism::way_of(const mechanism::LineWrite& write, std::uint32_t slot,
                                                 LaunchSeat seat) {
  counters_->select(seat);
  memo_ = slot != TagArray::kNoSlot ? lines_[slot].memo : 0;
  const mechanism::WriteWay way = mechanism_->write(write, memo_);
  WritePolicyStats& stats = (*stats_)[seat];
  const std::uint32_t sectors = sector_count(write.sectors);
  switch (way) {
    case mechanism::WriteWay::kBack:
      if (cache_ == mechanism::CacheLevel::kL1) {
        throw ConfigError(
            fmt::format("mechanism '{}' wants L1 to write data back later; expected kThrough, kAround or "
                        "kInvalidate: L2 gets all writes at once",
                        name_));
      }
      stats.back_sectors += sectors;
      return way;
    case mechanism::WriteWay::kThrough:
      stats.through_sectors += sectors;
      return way;
    case mechanism::WriteWay::kAround:
      stats.around_sectors += sectors;
      return way;
    case mechanism::WriteWay::kInvalidate:
      stats.invalidated_sectors += sectors;
      return way;
  }
  throw ConfigError(fmt::format("mechanism '{}' answers a write with {}, which is no way to write", name_,
                                static_cast<std::uint32_t>(way)));
}

void WritePolicyMechanism::stay(std::uint32_t slot, std::uint8_t sectors) {
  LineState& line = lines_[slot];
  line.memo = memo_;
  line.rewritten = static_cast<std::uint8_t>(line.rewritten | (line.written & sectors));
  line.written = static_cast<std::uint8_t>(line.written | sectors);
}

void WritePolicyMechanism::use(std::uint32_t slot, std::uint8_t sectors) {
  LineState& line = lines_[slot];
  line.read = static_cast<std::uint8_t>(line.read | (line.written & sectors));
}

void WritePolicyMechanism::leave(std::uint32_t slot, Address line, LaunchSeat seat) {
  const LineState state = lines_[slot];
  if (state.written == 0) {
    return;
  }
  lines_[slot] = {};
  WritePolicyStats& stats = (*stats_)[seat];
  ++((state.read | state.rewritten) != 0 ? stats.reused_lines : stats.unused_lines);
  counters_->select(seat);
  mechanism_->leaves({line, state.written, state.read, state.rewritten, state.memo});
}

}  // namespace warpsim
