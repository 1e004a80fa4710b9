// The passes of memory instructions through the banks of shared memory and L1 data.
//
// Modelled: one pass per cycle for all instructions (every few cycles up to Fermi), but a minimum distance between the
// passes of one instruction, so that several instructions alternate; a warp's instructions in order; a window of the
// oldest instructions that can be in service, while all later ones wait in order, independent of their warps. Evidence:
// tests/hardware/memory_passes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.h"
#include "core/sm/sm_event.h"
#include "core/sub_core/warp_scheduler.h"

namespace warpsim {

class DataPasses {
 public:
  static constexpr std::uint32_t kMaxInterval = 8;
  static constexpr std::uint32_t kMaxWindow = 16;

  // `interval` cycles between passes of one instruction, `window` instructions in service; each pass keeps the banks
  // for `pass_cycles`, of which the interval is a multiple.
  DataPasses(std::uint32_t interval, std::uint32_t window, std::uint32_t pass_cycles = 1)
      : interval_(interval), window_(window), turn_count_(interval / pass_cycles) {}

  std::uint32_t interval() const { return interval_; }

  // Whether an instruction may enter in addition to `reserved` others that are on their way.
  bool has_room(std::uint32_t reserved, Cycle now) const { return room_at(reserved) <= now; }
  // When that is the case, if nothing else enters.
  Cycle room_at(std::uint32_t reserved) const;

  // An instruction of a warp enters at `now`. Returns the cycle of its first pass.
  Cycle take(std::uint32_t warp_number, std::uint32_t passes, Cycle now);
  // Passes of data that arrive from memory at `now`: they only occupy passes.
  void deliver(std::uint32_t passes, Cycle now);

 private:
  std::uint32_t interval_;
  std::uint32_t window_;
  std::uint32_t turn_count_;
  std::array<Cycle, kMaxInterval> turns_{};  // when each of `turn_count_` turns is free
  std::array<Cycle, kMaxWindow> ends_{};     // of the latest instructions, latest first
  std::array<Cycle, std::size_t{kMaxSubCores} * kMaxWarpsPerSubCore> warp_free_at_{};
};

}  // namespace warpsim
