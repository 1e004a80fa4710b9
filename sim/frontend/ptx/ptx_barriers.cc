#include "frontend/ptx/ptx_barriers.h"

#include <algorithm>
#include <cstring>

#include "emulator/memory/bulk_copies.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/memory_barrier.h"
#include "emulator/memory/shared_place.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

namespace {

using Kind = AsyncOperation::Kind;

constexpr std::uint32_t kAddressEntries = OperationBuilder::kAddressEntries;

// A place in the shared memory of a cluster, as AsyncOperation has it.
struct Place {
  std::uint32_t offset = 0;
  std::uint16_t blocks = 0;
};

Place place_of(Address address, const WarpContext& context, const Operation& operation) {
  const SharedPlace place = shared_place(context, operation, address);
  return {place.offset, static_cast<std::uint16_t>(place.own ? 0U : 1U << place.rank)};
}

Kind kind_of(BarrierRole role) {
  switch (role) {
    case BarrierRole::kInitialise:
    case BarrierRole::kReplace:
      return Kind::kInitialise;
    case BarrierRole::kDrop:
      return Kind::kDrop;
    case BarrierRole::kArrive:
    case BarrierRole::kArriveCopied:
    case BarrierRole::kExpect:
      return Kind::kArrive;
    case BarrierRole::kComplete:
    case BarrierRole::kCompleteCopied:
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
  WarpEntries& warp = warps_[context.index];
  if (warp.ring.empty()) {
    warp.ring.resize(std::size_t{in_flight_} + 2);
  }
  Entries& entries = warp.ring[warp.next];
  warp.next = (warp.next + 1) % warp.ring.size();
  entries.clear();
  switch (next.operation().barrier_role) {
    case BarrierRole::kCopyIn:
    case BarrierRole::kCopyAcross:
    case BarrierRole::kCopyOut:
      add_copies(context, next, entries);
      break;
    case BarrierRole::kTensorIn:
    case BarrierRole::kTensorOut:
      add_boxes(context, next, entries);
      break;
    case BarrierRole::kStore:
      add_stores(context, next, entries);
      break;
    case BarrierRole::kCommit:
      entries.push_back({.kind = Kind::kCommit});
      break;
    default:
      add_at_barriers(context, next, entries);
      break;
  }
  if (entries.empty()) {
    entries.push_back({.kind = Kind::kIgnore});
  }
  entries.back().last = true;
  return entries.data();
}

// Lanes with the same operation at one barrier share an entry.
void PtxBarriers::add(const AsyncOperation& operation, Entries& entries) {
  const auto same = std::ranges::find_if(entries, [&](const AsyncOperation& other) {
    return other.barrier == operation.barrier && other.blocks == operation.blocks && other.parity == operation.parity;
  });
  if (same == entries.end()) {
    entries.push_back(operation);
    return;
  }
  ++same->lanes;
  if (operation.kind == Kind::kArrive || operation.kind == Kind::kDrop || operation.kind == Kind::kComplete) {
    same->arrivals += operation.arrivals;
    same->bytes += operation.bytes;
  }
}

void PtxBarriers::add_at_barriers(WarpContext& context, const Warp::Next& next, Entries& entries) {
  const Operation& operation = next.operation();
  const BarrierRole role = operation.barrier_role;
  if (role == BarrierRole::kTest && !all_have_ended(context, next)) {
    add({.kind = Kind::kCheck, .last = false}, entries);
    return;
  }
  LaneValues addresses;
  lane_addresses(context, operation, next.lanes, addresses);
  for_lanes(next.lanes, [&](std::uint32_t lane) {
    const Place barrier = place_of(addresses[lane], context, operation);
    AsyncOperation entry;
    entry.kind = kind_of(role);
    entry.last = false;
    entry.lanes = 1;
    entry.barrier = barrier.offset;
    entry.blocks = barrier.blocks;
    if (role == BarrierRole::kTest) {
      entry.parity = phase_of(context, operation, lane);
    } else if (role == BarrierRole::kReplace) {
      const MemoryBarrier whole = MemoryBarrier::decode(context.read<std::uint64_t>(operation.c)[lane]);
      entry.arrivals = static_cast<std::int32_t>(whole.expected);
      entry.parity = whole.parity;
    } else {
      const bool counts = role == BarrierRole::kArrive || role == BarrierRole::kArriveCopied ||
                          role == BarrierRole::kDrop || role == BarrierRole::kInitialise;
      entry.after_copies = role == BarrierRole::kArriveCopied || role == BarrierRole::kCompleteCopied;
      entry.arrivals = counts ? word(context, operation.b, lane, 1) : 0;
      entry.bytes = word(context, operation.c, lane, 0);
    }
    add(entry, entries);
  });
}

void PtxBarriers::add_copies(const WarpContext& context, const Warp::Next& next, Entries& entries) {
  const Operation& operation = next.operation();
  const bool across = operation.barrier_role == BarrierRole::kCopyAcross;
  const bool in = operation.barrier_role != BarrierRole::kCopyOut;
  LaneValues targets;
  LaneValues sources;
  LaneValues barriers{};
  lane_addresses(context, operation, next.lanes, targets);
  second_addresses(context, operation.target, next.lanes, sources);
  if (in) {
    second_addresses(context, operation.target + kAddressEntries, next.lanes, barriers);
  }
  for_lanes(next.lanes, [&](std::uint32_t lane) {
    AsyncOperation entry;
    entry.kind = across                 ? Kind::kComplete
                 : in                   ? Kind::kCopyIn
                 : operation.count == 0 ? Kind::kCopyOut
                                        : Kind::kReduceOut;
    entry.last = false;
    entry.lanes = 1;
    entry.bytes = word(context, operation.b, lane, 0);
    entry.shared = place_of(in ? targets[lane] : sources[lane], context, operation).offset;
    entry.global = in ? sources[lane] : targets[lane];
    if (in) {
      const Place barrier = place_of(barriers[lane], context, operation);
      entry.barrier = barrier.offset;
      entry.blocks =
          operation.c == kNoPlace ? barrier.blocks : static_cast<std::uint16_t>(word(context, operation.c, lane, 0));
    }
    entries.push_back(entry);
  });
}

// A box is several contiguous pieces of global memory; what is outside of the tensor is not read.
void PtxBarriers::add_boxes(WarpContext& context, const Warp::Next& next, Entries& entries) {
  const Operation& operation = next.operation();
  const bool in = operation.barrier_role == BarrierRole::kTensorIn;
  LaneValues places;
  LaneValues barriers{};
  second_addresses(context, operation.target, next.lanes, places);
  if (in) {
    second_addresses(context, operation.target + kAddressEntries, next.lanes, barriers);
  }
  for_lanes(next.lanes, [&](std::uint32_t lane) {
    const TensorPieces box = tensor_pieces(context, operation, lane);
    AsyncOperation entry;
    entry.kind = in ? Kind::kCopyIn : operation.count == 0 ? Kind::kCopyOut : Kind::kReduceOut;
    entry.last = false;
    entry.lanes = 1;
    entry.by_descriptor = true;
    entry.shared = place_of(places[lane], context, operation).offset;
    std::uint32_t moved = 0;
    if (in) {
      const Place barrier = place_of(barriers[lane], context, operation);
      entry.barrier = barrier.offset;
      entry.blocks =
          operation.c == kNoPlace ? barrier.blocks : static_cast<std::uint16_t>(word(context, operation.c, lane, 0));
    }
    for (const BoxRows::Piece& piece : box.pieces) {
      entry.global = piece.address;
      entry.bytes = static_cast<std::int32_t>(piece.bytes);
      entries.push_back(entry);
      entry.continues = true;
      moved += piece.bytes;
    }
    const auto unread = static_cast<std::int32_t>(box.box_bytes - moved);
    if (in && box.pieces.empty()) {
      entry.kind = Kind::kComplete;
      entry.bytes = unread;
      entries.push_back(entry);
    } else if (in) {
      entries.back().unread = unread;
    }
  });
}

// Stores and updates that report their bytes to a barrier of the cluster.
void PtxBarriers::add_stores(const WarpContext& context, const Warp::Next& next, Entries& entries) {
  const Operation& operation = next.operation();
  LaneValues barriers;
  second_addresses(context, operation.target, next.lanes, barriers);
  for_lanes(next.lanes, [&](std::uint32_t lane) {
    const Place barrier = place_of(barriers[lane], context, operation);
    AsyncOperation entry;
    entry.kind = Kind::kComplete;
    entry.last = false;
    entry.lanes = 1;
    entry.barrier = barrier.offset;
    entry.blocks = barrier.blocks;
    entry.bytes = static_cast<std::int32_t>(std::uint32_t{operation.bytes} * operation.count);
    add(entry, entries);
  });
}

}  // namespace warpsim
