#include "emulator/execution/launch_effects.h"

#include <algorithm>
#include <tuple>

namespace warpsim {

SmEffects& LaunchEffects::of(std::uint32_t sm) {
  while (sms_.size() <= sm) {
    sms_.emplace_back().set_delay(delay_ ? &delay_ : nullptr);
  }
  return sms_[sm];
}

std::uint64_t LaunchEffects::exchange(Cycle now) {
  entries_.clear();
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
    for (std::size_t record = 0; record < sms_[sm].size(); ++record) {
      entries_.push_back({sms_[sm].cycle(record), sm, true, static_cast<std::uint32_t>(record)});
    }
    sms_[sm].find_arrived(now, [&](Cycle arrival, std::uint32_t queue) {
      entries_.push_back({arrival, sm, false, queue});
    });
  }
  std::ranges::sort(entries_, {},
                    [](const Entry& entry) { return std::tuple(entry.cycle, entry.sm, entry.near, entry.record); });
  for (const Entry& entry : entries_) {
    if (entry.near) {
      sms_[entry.sm].execute(entry.record);
    } else {
      sms_[entry.sm].execute_arrived(entry.record);
    }
  }
  std::uint64_t spent = 0;
  for (SmEffects& sm : sms_) {
    spent += sm.clear();
  }
  return spent;
}

}  // namespace warpsim
