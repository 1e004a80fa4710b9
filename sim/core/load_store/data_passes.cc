#include "core/load_store/data_passes.h"

namespace warpsim {

Cycle DataPasses::room_at(std::uint32_t reserved) const {
  return reserved < window_ ? ends_[window_ - 1 - reserved] : kNever;
}

Cycle DataPasses::take(std::uint32_t warp_number, std::uint32_t passes, Cycle now) {
  Cycle& warp_free_at = warp_free_at_[warp_number];
  Cycle begin = std::max(now, warp_free_at);
  // The turn that is free by then and was freed last: the others may serve other warps sooner.
  std::uint32_t turn = 0;
  for (std::uint32_t i = 1; i < turn_count_; ++i) {
    const bool better =
        turns_[i] <= begin ? turns_[turn] > begin || turns_[i] > turns_[turn] : turns_[i] < turns_[turn];
    turn = better ? i : turn;
  }
  begin = std::max(begin, turns_[turn]);
  const Cycle end = begin + Cycle{passes} * interval_;
  turns_[turn] = end;
  warp_free_at = end;
  // The window keeps the latest ends: an instruction that ended before all of them has left it.
  std::uint32_t place = window_ - 1;
  while (place > 0 && ends_[place - 1] < end) {
    ends_[place] = ends_[place - 1];
    --place;
  }
  ends_[place] = std::max(ends_[place], end);
  return begin;
}

void DataPasses::deliver(std::uint32_t passes, Cycle now) {
  Cycle& turn = *std::min_element(turns_.begin(), turns_.begin() + turn_count_);
  turn = std::max(turn, now) + Cycle{passes} * interval_;
}

}  // namespace warpsim
