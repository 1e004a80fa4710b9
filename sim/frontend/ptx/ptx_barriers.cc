#include "frontend/ptx/ptx_barriers.h"

#include <algorithm>
#include <cstring>

#include "emulator/memory/block_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/memory_barrier.h"

namespace warpsim {

namespace {

using Kind = AsyncOperation::Kind;

constexpr std::uint32_t kAddressEntries = 3;  // words of an address in the lists of the code

// A place in the shared memory of a cluster, as AsyncOperation has it.
struct Place {
  std::uint32_t offset = 0;
  std::uint16_t blocks = 0;
};

Place place_of(Address address, const WarpContext& context) {
  const Address in_window = is_in(kSharedWindow, address) ? address - kSharedWindow : address;
  const Address known = in_window >> kSharedOffsetBits;  // rank plus one; 0: the own block
  const bool own = known == 0 || known - 1 == context.block->rank_in_cluster;
  return {static_cast<std::uint32_t>(in_window & ((Address{1} << kSharedOffsetBits) - 1)),
          static_cast<std::uint16_t>(own ? 0U : 1U << (known - 1))};
}

Kind kind_of(BarrierRole role) {
  switch (role) {
    case BarrierRole::kInitialise:
      return Kind::kInitialise;
    case BarrierRole::kArrive:
    case BarrierRole::kExpect:
      return Kind::kArrive;
    case BarrierRole::kComplete:
      return Kind::kComplete;
    default:
      return Kind::kWait;
  }
}

std::int32_t word(const WarpContext& context, OperandPlace place, std::uint32_t lane, std::int32_t otherwise) {
  return place == kNoPlace ? otherwise : static_cast<std::int32_t>(context.read<std::uint32_t>(place)[lane]);
}

// The phase that a test examines.
bool phase_of(const WarpContext& context, const Operation& operation, std::uint32_t lane) {
  return operation.count != 0 ? (context.read<std::uint32_t>(operation.c)[lane] & 1U) != 0
                              : context.read<std::uint64_t>(operation.c)[lane] >> 63U != 0;
}

bool all_have_ended(WarpContext& context, const Warp::Next& next) {
  const Operation& operation = next.operation();
  const LanePointers objects = resolve(context, operation, next.lanes, sizeof(std::uint64_t), AccessKind::kRead);
  bool ended = true;
  for_lanes(next.lanes, [&](std::uint32_t lane) {
    std::uint64_t object = 0;
    std::memcpy(&object, objects.lane[lane], sizeof(object));
    ended = ended && MemoryBarrier::decode(object).parity != phase_of(context, operation, lane);
  });
  return ended;
}

}  // namespace

PtxBarriers::PtxBarriers(std::uint32_t warps, std::uint32_t in_flight) : in_flight_(in_flight), warps_(warps) {}

const AsyncOperation* PtxBarriers::entries(WarpContext& context, const Warp::Next& next) {
  Entries& entries = warps_[context.index];
  if (entries.ring.empty()) {
    entries.ring.resize((std::size_t{in_flight_} + 2) * kWarpSize);
  }
  if (entries.end + kWarpSize > entries.ring.size()) {
    entries.end = 0;
  }
  entries.begin = entries.end;
  if (next.operation().barrier_role == BarrierRole::kCopyIn) {
    add_copies(context, next, entries);
  } else {
    add_at_barriers(context, next, entries);
  }
  entries.ring[entries.end - 1].last = true;
  return &entries.ring[entries.begin];
}

// Lanes with the same operation at one barrier share an entry.
void PtxBarriers::add(const AsyncOperation& operation, Entries& entries) {
  const auto begin = entries.ring.begin() + static_cast<std::ptrdiff_t>(entries.begin);
  const auto end = entries.ring.begin() + static_cast<std::ptrdiff_t>(entries.end);
  const auto same = std::find_if(begin, end, [&](const AsyncOperation& other) {
    return other.barrier == operation.barrier && other.blocks == operation.blocks && other.parity == operation.parity;
  });
  if (same == end || operation.kind == Kind::kCopyIn) {
    entries.ring[entries.end++] = operation;
    return;
  }
  ++same->lanes;
  if (operation.kind == Kind::kArrive || operation.kind == Kind::kComplete) {
    same->arrivals += operation.arrivals;
    same->bytes += operation.bytes;
  }
}

void PtxBarriers::add_at_barriers(WarpContext& context, const Warp::Next& next, Entries& entries) const {
  const Operation& operation = next.operation();
  const BarrierRole role = operation.barrier_role;
  if (role == BarrierRole::kTest && !all_have_ended(context, next)) {
    add({.kind = Kind::kCheck, .last = false}, entries);
    return;
  }
  LaneValues addresses;
  lane_addresses(context, operation, next.lanes, addresses);
  for_lanes(next.lanes, [&](std::uint32_t lane) {
    const Place barrier = place_of(addresses[lane], context);
    AsyncOperation entry;
    entry.kind = kind_of(role);
    entry.last = false;
    entry.lanes = 1;
    entry.barrier = barrier.offset;
    entry.blocks = barrier.blocks;
    if (role == BarrierRole::kTest) {
      entry.parity = phase_of(context, operation, lane);
    } else {
      entry.arrivals =
          role == BarrierRole::kArrive || role == BarrierRole::kInitialise ? word(context, operation.b, lane, 1) : 0;
      entry.bytes = word(context, operation.c, lane, 0);
    }
    add(entry, entries);
  });
}

void PtxBarriers::add_copies(const WarpContext& context, const Warp::Next& next, Entries& entries) const {
  const Operation& operation = next.operation();
  LaneValues targets;
  LaneValues sources;
  LaneValues barriers;
  lane_addresses(context, operation, next.lanes, targets);
  second_addresses(context, operation.target, next.lanes, sources);
  second_addresses(context, operation.target + kAddressEntries, next.lanes, barriers);
  for_lanes(next.lanes, [&](std::uint32_t lane) {
    const Place barrier = place_of(barriers[lane], context);
    AsyncOperation entry;
    entry.kind = Kind::kCopyIn;
    entry.last = false;
    entry.lanes = 1;
    entry.barrier = barrier.offset;
    entry.blocks =
        operation.c == kNoPlace ? barrier.blocks : static_cast<std::uint16_t>(word(context, operation.c, lane, 0));
    entry.shared = place_of(targets[lane], context).offset;
    entry.global = sources[lane];
    entry.bytes = word(context, operation.b, lane, 0);
    add(entry, entries);
  });
}

}  // namespace warpsim
