// One memory instruction in the SM: the properties that the LSU needs, and the passes that it takes.
#pragma once

#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"
#include "core/async/async_operation.h"
#include "core/sm/sm_event.h"
#include "core/sub_core/issue_info.h"
#include "core/sub_core/warp_scheduler.h"
#include "memory/access/bank_passes.h"
#include "memory/access/shared_banks.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct MemoryInstruction {
  const IssueInfo* info = nullptr;
  LaneAddresses addresses;
  LaneMask active = 0;
  std::uint32_t instruction = 0;  // static index, for the events
  std::uint8_t sub_core = 0;
  std::uint8_t warp = 0;
  std::uint8_t copy_group = 0;  // asynchronous copies
  std::uint8_t block_slot = 0;
  LaunchSeat seat = 0;                         // of the warp's launch
  const AsyncOperation* operations = nullptr;  // known operations of an asynchronous instruction
  Cycle issued = 0;
  Cycle address_unit_at = 0;  // when the sub-core's address unit takes it, if it needs that

  // Number of the warp in PendingWrites and in acknowledged requests.
  std::uint32_t warp_number() const { return sub_core * kMaxWarpsPerSubCore + warp; }

  bool is_atomic() const { return info->kind == OpKind::kAtomic || info->kind == OpKind::kReduction; }
  bool is_load() const { return info->kind == OpKind::kLoad || info->kind == OpKind::kAsyncCopy; }
  bool stores_to_shared() const { return info->kind == OpKind::kStore || info->kind == OpKind::kStoreMatrix; }
  bool is_texture() const { return info->kind == OpKind::kTexture; }
  bool stores_texels() const { return is_texture() && info->texture == TextureAccess::kStore; }
  // Its lines are read, by way of the caches.
  bool reads_lines() const { return is_load() || (is_texture() && !stores_texels()); }
  // An asynchronous copy whose data go from L2 to shared memory, and one whose data go through L1.
  bool copies_past_l1() const { return info->kind == OpKind::kAsyncCopy && info->cache_op == CacheOp::kBypassL1; }
  bool copies_through_l1() const { return info->kind == OpKind::kAsyncCopy && !copies_past_l1(); }
  // Passes through the banks of shared memory, and through those of L1 data.
  BankPasses shared_passes(const SharedBanks& banks) const;
  BankPasses global_passes() const;
};

// The answers that the SM gets to each memory instruction.
inline void post_sources_read(SmEvents& events, const MemoryInstruction& instruction, Cycle at) {
  events.add(at, {SmEvent::Kind::kSourcesRead, instruction.sub_core, instruction.warp, 0, instruction.instruction});
}
inline void post_result(SmEvents& events, const MemoryInstruction& instruction, Cycle at) {
  events.add(at, {SmEvent::Kind::kResultWritten, instruction.sub_core, instruction.warp, instruction.copy_group,
                  instruction.instruction});
}

}  // namespace warpsim
