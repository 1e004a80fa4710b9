#include "core/load_store/memory_instruction.h"

#include <algorithm>

namespace warpsim {

BankPasses MemoryInstruction::shared_passes(const SharedBanks& banks) const {
  const std::uint32_t bytes = info->bytes_per_lane;
  if (info->matrices != 0) {
    // For LDSM and STSM only lanes with row addresses count: eight rows of 16 bytes, one pass, for each matrix.
    constexpr std::uint32_t kRows = 8;
    const LaneMask rows = kAllLanes >> (kWarpSize - kRows * info->matrices);
    const BankPasses passes = banks.store(addresses, active & rows, bytes);
    return {std::max<std::uint32_t>(passes.passes, info->matrices), info->matrices};
  }
  if (is_atomic()) {
    const bool merged = info->same_address_merged && banks.config().atomics == SharedAtomics::kNative;
    return merged ? banks.store(addresses, active, bytes) : banks.atomic(addresses, active, bytes);
  }
  return info->kind == OpKind::kStore ? banks.store(addresses, active, bytes) : banks.load(addresses, active, bytes);
}

BankPasses MemoryInstruction::global_passes() const {
  if (copies_past_l1()) {
    return {};  // nothing is read from L1: data from L2 go to shared memory
  }
  // Unlike those of shared memory, loads do not combine groups of lanes with equal addresses (global_wavefronts).
  return store_bank_passes(addresses, active, info->bytes_per_lane);
}

}  // namespace warpsim
