// Operations of machine code on barriers in shared memory that PTX does not have in this form, and the election of a
// lane.
//
// Before 9.0 an mbarrier is a word that code handles itself: bits 0-29 hold 2^30 minus the arrivals of each phase,
// 32-62 2^31 minus the arrivals that the current phase still expects, 63 the parity. Evidence: code that compilers make
// of the instructions on mbarriers for 8.0.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/memory_barrier.h"
#include "emulator/operations/machine_operands.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::StateSpace;
using WideWord = std::uint64_t;

WideWord load(const std::byte* place) {
  WideWord word = 0;
  std::memcpy(&word, place, sizeof word);
  return word;
}
void store(std::byte* place, WideWord word) {
  std::memcpy(place, &word, sizeof word);
}

void at_barrier(OperationBuilder& b, std::size_t address, BarrierRole role) {
  b.operation.space = StateSpace::kShared;
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kBlock;
  b.address(address);
  b.operation.barrier_role = role;
}

// --- exchange of a whole barrier, which initialises it: d: the old one; c: the new one ---

void exchange_barrier(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LanePointers objects = resolve(warp, operation, lanes, sizeof(WideWord), AccessKind::kWrite);
  const WideWord* const values = warp.read<WideWord>(operation.c);
  WideWord* const old = warp.write<WideWord>(operation.d);
  for_lanes(lanes, [&](std::uint32_t lane) {
    old[lane] = load(objects.lane[lane]);
    store(objects.lane[lane], values[lane]);
  });
}

void bind_exchange(OperationBuilder& b) {
  at_barrier(b, 1, BarrierRole::kReplace);
  b.operation.d = b.destination(0, DataType::kB64);
  b.operation.c = b.source(2, DataType::kB64);
  b.operation.run = exchange_barrier;
}

// --- arrivals that do not complete the phase; lanes at one barrier are a group: d: the group, below the upper word of
// its barrier before all of them arrived; b: arrivals of each; count: 1 if they drop out ---

void arrive_as_group(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LanePointers objects = resolve(warp, operation, lanes, sizeof(WideWord), AccessKind::kUpdate);
  const std::uint32_t* const counts = warp.read<std::uint32_t>(operation.b);
  WideWord* const states = warp.write<WideWord>(operation.d);
  for (LaneMask rest = lanes; rest != 0;) {
    std::byte* const object = objects.lane[static_cast<unsigned>(std::countr_zero(rest))];
    LaneMask group = 0;
    for_lanes(rest, [&](std::uint32_t lane) { group |= LaneMask{objects.lane[lane] == object ? 1U : 0U} << lane; });
    rest &= ~group;
    const WideWord before = load(object);
    MemoryBarrier barrier = MemoryBarrier::decode(before);
    for_lanes(group, [&](std::uint32_t lane) {
      if (counts[lane] >= barrier.pending) {
        warp.fault(FaultKind::kIllegalInstruction, operation, lane, "arrivals that complete the phase of an mbarrier");
      }
      barrier.expected -= operation.count != 0 ? counts[lane] : 0;
      barrier.arrive(counts[lane]);
      states[lane] = (before >> 32U << 32U) | group;
    });
    store(object, barrier.encode());
  }
}

void bind_group_arrival(OperationBuilder& b) {
  b.operation.count = b.take("drop") ? 1 : 0;
  at_barrier(b, 1, b.operation.count != 0 ? BarrierRole::kDrop : BarrierRole::kArrive);
  b.operation.d = b.destination(0, DataType::kB64);
  b.operation.b = b.source(2, DataType::kU32);
  b.operation.run = arrive_as_group;
}

// --- an arrival at a barrier in the layout of 8.0; d: its state before ---

void arrive_counted(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  constexpr std::uint32_t kParity = 0x80000000U;
  constexpr std::uint32_t kReload = 0x40000000U;  // from the lower word's count to the upper one's
  const LanePointers objects = resolve(warp, operation, lanes, sizeof(WideWord), AccessKind::kUpdate);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const WideWord before = load(objects.lane[lane]);
    const auto expected = static_cast<std::uint32_t>(before);
    const auto pending = static_cast<std::uint32_t>(before >> 32U);
    std::uint32_t after = pending + 1;
    if (((after ^ pending) & kParity) != 0) {
      after = (after & kParity) | ((expected + kReload) & ~kParity);
    }
    store(objects.lane[lane], WideWord{after} << 32U | expected);
    if (operation.d != kNoPlace) {
      warp.write<WideWord>(operation.d)[lane] = before;
    }
  });
}

void bind_counted_arrival(OperationBuilder& b) {
  at_barrier(b, 1, BarrierRole::kNone);
  b.operation.d = b.is_discarded(0) ? kNoPlace : b.destination(0, DataType::kB64);
  b.operation.run = arrive_counted;
}

// --- the copies of each lane (LDGSTS) complete `c` bytes that its barrier expects ---

void complete_bytes_of_copies(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LanePointers objects = resolve(warp, operation, lanes, sizeof(WideWord), AccessKind::kUpdate);
  const std::uint32_t* const bytes = warp.read<std::uint32_t>(operation.c);
  for_lanes(lanes, [&](std::uint32_t lane) {
    MemoryBarrier barrier = MemoryBarrier::decode(load(objects.lane[lane]));
    barrier.add_bytes(-static_cast<std::int32_t>(bytes[lane]));
    store(objects.lane[lane], barrier.encode());
  });
}

void bind_complete_copied(OperationBuilder& b) {
  at_barrier(b, 0, BarrierRole::kCompleteCopied);
  b.operation.c = b.source(1, DataType::kU32);
  b.operation.run = complete_bytes_of_copies;
}

// --- one of the executing lanes for which predicate a holds: p for this one, d is its number for the warp ---

void elect_lane(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask source = warp.predicate(operation.a);
  const LaneMask candidates = lanes & (operation.count != 0 ? ~source : source);
  const LaneMask chosen = candidates & (~candidates + 1);
  set_if_any(warp, operation.p, lanes, chosen);
  if (operation.d != kNoPlace && chosen != 0) {
    std::fill_n(warp.write<std::uint32_t>(operation.d), kWarpSize,
                static_cast<std::uint32_t>(std::countr_zero(chosen)));
  }
}

void bind_elect_lane(OperationBuilder& b) {
  b.operation.p = predicate_or_none(b, 0);
  b.operation.d = b.is_discarded(1) ? kNoPlace : b.destination(1, DataType::kB32);
  b.operation.a = b.predicate_source(2);
  b.operation.count = b.negates(2) ? 1 : 0;
  b.operation.run = elect_lane;
}

}  // namespace

bool bind_machine_async_operation(OperationBuilder& b, std::string_view name) {
  if (name == "exchbar") {
    bind_exchange(b);
  } else if (name == "arrivegroup") {
    bind_group_arrival(b);
  } else if (name == "arrivecopied") {
    bind_counted_arrival(b);
  } else if (name == "completecopied") {
    bind_complete_copied(b);
  } else if (name == "elect") {
    bind_elect_lane(b);
  } else {
    return false;
  }
  return true;
}

}  // namespace warpsim
