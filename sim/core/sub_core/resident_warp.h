// One warp of a sub-core: its place in its program, what holds it, and which of its results are outstanding.
//
// Modelled: the warp as one stream of instructions, with the lanes that execute each. Not modelled: the lanes' own
// places in the program; the source of the instructions has followed them.
// Evidence: none of its own. State: below; changed by the parts of the sub-core.
// Invariant: what each issue examines and changes is in the first cache line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/launch/instruction_source.h"
#include "core/load_store/address_windows.h"
#include "core/sub_core/async_copies.h"
#include "core/sub_core/dependence_tracker.h"
#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/issue_info.h"
#include "core/sub_core/stall_reason.h"
#include "core/sub_core/sub_core_stats.h"
#include "stats/hot_spot_table.h"
#include "stats/launch_stats.h"

namespace warpsim {

// What a warp is started with.
struct WarpStart {
  BlockSource* source = nullptr;
  const IssueTable* table = nullptr;
  const StaticProgram* program = nullptr;
  InstructionFetch::Code code;
  AddressWindows windows;
  HotSpotTable* hot_spots = nullptr;  // null: not recorded
  std::uint64_t block_arrival = 0;    // number of its block in the order in which the SM's blocks began
  std::uint32_t warp_in_block = 0;
  std::uint32_t block_slot = 0;
  LaunchSeat seat = 0;  // of its launch
};

struct alignas(64) ResidentWarp {
  WarpStream stream;
  const IssueInfo* infos = nullptr;  // of the program's instructions
  Cycle stall_until = 0;
  SubCoreStats* stats = nullptr;              // of its launch
  StallReason hold = StallReason::kSelected;  // barrier, membar, sleeping, misc, drain; kSelected: none
  bool at_barrier : 1 = false;                // deferred: blocks only instructions that do not pass barriers
  bool suspended : 1 = false;                 // its source knows the continuation only after a barrier
  bool redirected : 1 = false;                // the next instruction is fetched after a taken branch
  bool awaits_grids : 1 = false;              // it waits for kernels: its source must not continue it
  bool watched : 1 = false;                   // hot spots are recorded
  std::uint16_t in_flight = 0;                // outstanding events
  LaneMask active_lanes = 0;                  // of the latest instruction without guard
  DependenceTracker dependences;              // begins with its counters

  const StaticInstruction* statics = nullptr;  // the program's instructions
  WarpStart start;
  AsyncCopies copies;
  Cycle writes_acknowledged_at = 0;    // when the last one was acknowledged
  std::uint32_t suspended_behind = 0;  // instruction

  // Before its first instruction; its source has not been asked yet.
  void begin(const WarpStart& with, SubCoreStats& stats_of_launch, Cycle now) {
    start = with;
    infos = with.table->instructions.data();
    statics = with.program->instructions.data();
    stats = &stats_of_launch;
    watched = with.hot_spots != nullptr;
    stream = WarpStream{};
    stream.warp = with.warp_in_block;
    copies.reset();
    stall_until = now;
    hold = StallReason::kSelected;
    writes_acknowledged_at = 0;
    at_barrier = false;
    suspended = false;
    awaits_grids = false;
    redirected = false;
    active_lanes = 0;
    in_flight = 0;
  }

  bool has_next() const { return stream.next != stream.end; }
  // Of the next instruction.
  const IssueInfo& info() const { return infos[stream.next->index]; }
  const StaticInstruction& instruction() const { return statics[stream.next->index]; }

  bool held() const { return hold != StallReason::kSelected; }
  // What held it is over. A warp may end with the instruction that held it.
  void end_hold() { hold = has_next() ? StallReason::kSelected : StallReason::kDrain; }
  // It has executed everything, and nothing of it is outstanding.
  bool ended() const { return hold == StallReason::kDrain && in_flight == 0; }

  // `count` more events will be sent to the warp.
  void expect(std::uint32_t count = 1) { in_flight = static_cast<std::uint16_t>(in_flight + count); }
};

static_assert(offsetof(ResidentWarp, dependences) + DependenceTracker::kCounters < 64);

}  // namespace warpsim
