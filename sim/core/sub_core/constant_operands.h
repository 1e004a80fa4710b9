// Operands c[bank][offset] of instructions: a warp whose operand misses waits for it and issues again.
//
// Modelled: the lookup at issue and the wait. Not modelled: see ConstantCaches. Evidence: its own.
// State: which warps wait. Uses the constant caches and the warps' states.
// Invariant: a waiting warp is examined when a line has arrived in the sub-core's cache, whichever line it is.
#pragma once

#include <cstdint>

#include "core/launch/instruction_source.h"
#include "core/sm/constant_caches.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/warp_states.h"
#include "memory/code_window.h"

namespace warpsim {

class ConstantOperands {
 public:
  // The other parts must outlive this one.
  ConstantOperands(std::uint32_t sub_core, ConstantCaches& caches, WarpStates& states)
      : sub_core_(sub_core), caches_(&caches), states_(&states) {}

  // Whether the warp's next instruction has its operand, which is requested otherwise.
  bool present(const ResidentWarp& warp, const IssueInfo& info, Cycle now) {
    return !info.reads_constant ||
           caches_->operand_present(sub_core_, info.constant_address, address_of(warp, info), now);
  }
  // Whether the warp must wait for the operand of its next instruction.
  bool missing(std::uint32_t slot, const ResidentWarp& warp, const IssueInfo& info, Cycle now) {
    if (present(warp, info, now)) {
      return false;
    }
    wait_constant_ |= WarpStates::bit(slot);
    states_->wait_elsewhere(slot, StallReason::kImcMiss, now);
    return true;
  }
  // In the sub-core's cache.
  void line_arrived(Cycle now) {
    states_->examine_all(wait_constant_, now);
    wait_constant_ = 0;
  }

 private:
  // The first lane's: all lanes have one address.
  static Address address_of(const ResidentWarp& warp, const IssueInfo& info) {
    const WarpInstruction& record = *warp.stream.next;
    if (!info.indexed_address || record.addresses == WarpInstruction::kNoAddresses) {
      return info.constant_address;
    }
    const Address offset = warp.start.source->addresses(record).of_lane(0);
    return in_constant_bank_of(info.constant_address, offset);
  }

  std::uint32_t sub_core_;
  ConstantCaches* caches_;
  WarpStates* states_;
  WarpMask wait_constant_ = 0;
};

}  // namespace warpsim
