#include "emulator/execution/launch_effects.h"

#include <algorithm>
#include <tuple>

namespace warpsim {

SmEffects& LaunchEffects::of(std::uint32_t sm) {
  while (sms_.size() <= sm) {
    sms_.emplace_back();
  }
  return sms_[sm];
}

std::uint64_t LaunchEffects::exchange() {
  entries_.clear();
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
    for (std::size_t record = 0; record < sms_[sm].size(); ++record) {
      entries_.push_back({sms_[sm].cycle(record), sm, static_cast<std::uint32_t>(record)});
    }
  }
  std::ranges::sort(entries_, {}, [](const Entry& entry) { return std::tuple(entry.cycle, entry.sm, entry.record); });
  for (const Entry& entry : entries_) {
    sms_[entry.sm].execute(entry.record);
  }
  std::uint64_t spent = 0;
  for (SmEffects& sm : sms_) {
    spent += sm.clear();
  }
  return spent;
}

}  // namespace warpsim
