// Memory fences of the warps of one sub-core.
//
// Modelled: a fence of the block takes a fixed time; a wider one at least a fixed time, until memory has acknowledged
// all writes of the warp, and a time after the last acknowledgement; one of the system also until those to other
// memories have arrived. Not modelled: what a fence does to caches.
// Evidence: measured fences named in configs/families/cc_9_0.yaml; tests/hardware/peers.
// State: which warps wait for acknowledgements. Uses the memory pipeline's count of writes, WarpStreams, WarpEvents and
// the warps' states.
// Invariant: a warp held by a fence has exactly one way to go on: its event, or the acknowledgement of its last write.
#pragma once

#include <cstdint>

#include "core/load_store/pending_writes.h"
#include "core/sm/sm_event.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/sub_core_config.h"
#include "core/sub_core/warp_events.h"
#include "core/sub_core/warp_states.h"
#include "core/sub_core/warp_streams.h"

namespace warpsim {

class Fences {
 public:
  // The other parts must outlive this one.
  Fences(std::uint32_t sub_core, const SubCoreConfig& config, const PendingWrites& writes, WarpStreams& streams,
         WarpEvents& events, WarpStates& states);

  // The warp has issued a fence.
  void begin(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);
  // At an event with which a fixed time of a wait ends. Whether the warp is at a fence, which is not over.
  bool goes_on(std::uint32_t slot, ResidentWarp& warp, const SmEvent& event, Cycle now) {
    return event.payload >= kUntilWritesAcknowledged &&
           waits_for_writes(slot, warp, event.payload == kUntilWritesArrived, now);
  }
  // The last of the warp's writes has been acknowledged.
  void writes_acknowledged(std::uint32_t slot, ResidentWarp& warp, Cycle now);
  // The last of those on their way to other memories has arrived.
  void writes_arrived(std::uint32_t slot, ResidentWarp& warp, Cycle now);

 private:
  // Payload of the event of a fence that waits for its writes; of one of the system.
  static constexpr std::uint32_t kUntilWritesAcknowledged = 1;
  static constexpr std::uint32_t kUntilWritesArrived = 2;

  bool waits_for_writes(std::uint32_t slot, ResidentWarp& warp, bool anywhere, Cycle now);
  void end(std::uint32_t slot, ResidentWarp& warp, Cycle now);

  std::uint32_t first_warp_;  // of the sub-core, in the SM
  std::uint32_t block_cycles_;
  std::uint32_t device_cycles_;
  std::uint32_t system_cycles_;
  std::uint32_t acknowledged_cycles_;
  const PendingWrites* writes_;
  WarpStreams* streams_;
  WarpEvents* events_;
  WarpStates* states_;
  WarpMask wait_writes_ = 0;    // past their latency, with writes not acknowledged
  WarpMask wait_arrivals_ = 0;  // those that wait until their writes have arrived in all memories
};

}  // namespace warpsim
