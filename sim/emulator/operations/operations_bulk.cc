// Bulk copies, and stores and updates that report to mbarriers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/bulk_copies.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/memory_barrier.h"
#include "emulator/memory/shared_place.h"
#include "emulator/numbers/atomic_update.h"

namespace warpsim {

using ptx::DataType;
using ptx::StateSpace;

void complete_bytes(WarpContext& warp, const Operation& operation, std::uint32_t lane, Address barrier,
                    std::uint32_t bytes) {
  constexpr std::uint32_t kObjectBytes = 8;
  if (barrier % kObjectBytes != 0) {
    warp.fault(FaultKind::kMisalignedAddress, operation, lane,
               fmt::format("an mbarrier at {:#x}, which is not a multiple of {}", barrier, kObjectBytes));
  }
  std::byte* const place = shared_range(warp, operation, lane, {barrier, kObjectBytes, AccessKind::kUpdate});
  std::uint64_t object = 0;
  std::memcpy(&object, place, sizeof(object));
  MemoryBarrier state = MemoryBarrier::decode(object);
  state.add_bytes(-static_cast<std::int32_t>(bytes));
  object = state.encode();
  std::memcpy(place, &object, sizeof(object));
}

namespace {

constexpr std::uint32_t kCopyUnit = 16;  // bytes: sizes and addresses of bulk copies are multiples
constexpr const char* kCompletesBytes = "mbarrier::complete_tx::bytes";

// Operation::variant of copies.
enum class Way : std::uint8_t { kGlobalToShared, kSharedToShared, kSharedToGlobal };

struct Piece {
  Address target = 0;
  Address source = 0;
  Address barrier = 0;
  std::uint32_t bytes = 0;
};

// Copies, or updates each element.
class Mover {
 public:
  Mover(const WarpContext& warp, const Operation& operation)
      : update_(operation.count == 0
                    ? nullptr
                    : element_update(static_cast<Atomic>(operation.count - 1), static_cast<DataType>(operation.bytes),
                                     warp.launch->updates_atomically())),
        element_bytes_(update_ == nullptr ? 1 : bytes_of(static_cast<DataType>(operation.bytes))) {}
  AccessKind kind() const { return update_ == nullptr ? AccessKind::kWrite : AccessKind::kUpdate; }
  // Bit i of the mask: byte i of each unit is written.
  void move(std::byte* target, const std::byte* source, std::uint32_t bytes, std::uint32_t mask) const {
    if (update_ != nullptr) {
      for (std::uint32_t at = 0; at < bytes; at += element_bytes_) {
        update_(target + at, source + at);
      }
      return;
    }
    if (mask == kAllBytes) {
      std::memmove(target, source, bytes);
      return;
    }
    for (std::uint32_t at = 0; at < bytes; ++at) {
      if ((mask >> at % kCopyUnit & 1U) != 0) {
        target[at] = source[at];
      }
    }
  }
  static constexpr std::uint32_t kAllBytes = 0xffff;

 private:
  ElementUpdate update_;
  std::uint32_t element_bytes_;
};

void check_piece(const WarpContext& warp, const Operation& operation, std::uint32_t lane, const Piece& piece) {
  if ((piece.target | piece.source | piece.bytes) % kCopyUnit != 0) {
    warp.fault(FaultKind::kMisalignedAddress, operation, lane,
               fmt::format("copies {} bytes from {:#x} to {:#x}, which are not all multiples of {}", piece.bytes,
                           piece.source, piece.target, kCopyUnit));
  }
}

// operation: a: destination; list at `target`: source, then mbarrier; b: bytes; c: ranks that each get a copy; e: mask
// of bytes; count: 0, or the atomic operation plus 1, of elements of the type `bytes`.
void copy(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto way = static_cast<Way>(operation.variant);
  LaneValues targets;
  LaneValues sources;
  LaneValues barriers{};
  lane_addresses(warp, operation, lanes, targets);
  second_addresses(warp, operation.target, lanes, sources);
  if (way != Way::kSharedToGlobal) {
    second_addresses(warp, operation.target + OperationBuilder::kAddressEntries, lanes, barriers);
  }
  const Mover mover(warp, operation);
  for (LaneMask rest = copying_lanes(warp, lanes); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const Piece piece{targets[lane], sources[lane], barriers[lane], warp.read<std::uint32_t>(operation.b)[lane]};
    check_piece(warp, operation, lane, piece);
    if (piece.bytes == 0) {
      continue;
    }
    const ByteRange from{piece.source, piece.bytes, AccessKind::kRead};
    const std::byte* const source = way == Way::kGlobalToShared ? global_range(warp, operation, lane, from)
                                                                : shared_range(warp, operation, lane, from);
    if (way == Way::kSharedToGlobal) {
      const std::uint32_t mask =
          operation.e == kNoPlace ? Mover::kAllBytes : warp.read<std::uint32_t>(operation.e)[lane];
      mover.move(global_range(warp, operation, lane, {piece.target, piece.bytes, mover.kind()}), source, piece.bytes,
                 mask);
      continue;
    }
    const auto move_to = [&](Address target, Address barrier) {
      mover.move(shared_range(warp, operation, lane, {target, piece.bytes, mover.kind()}), source, piece.bytes,
                 Mover::kAllBytes);
      complete_bytes(warp, operation, lane, barrier, piece.bytes);
    };
    if (operation.c == kNoPlace) {
      move_to(piece.target, piece.barrier);
      continue;
    }
    for (std::uint32_t ranks = warp.read<std::uint32_t>(operation.c)[lane] & 0xffffU; ranks != 0; ranks &= ranks - 1) {
      const auto rank = static_cast<std::uint32_t>(std::countr_zero(ranks));
      move_to(in_block_of_rank(warp, piece.target, rank), in_block_of_rank(warp, piece.barrier, rank));
    }
  }
}

void take_all_words(OperationBuilder& b) {
  while (!b.take_next().empty()) {
  }
}

void take_reduction(OperationBuilder& b) {
  const Atomic how = take_atomic(b);
  b.take("noftz");
  const DataType type = b.take_type();
  if (element_update(how, type) == nullptr) {
    b.fail("there is no such operation on values of this type");
  }
  b.operation.count = static_cast<std::uint8_t>(static_cast<std::uint8_t>(how) + 1);
  b.operation.bytes = static_cast<std::uint8_t>(type);
}

Way take_way(OperationBuilder& b) {
  const StateSpace to = b.take_space();
  const StateSpace from = b.take_space();
  if (to == StateSpace::kShared && from == StateSpace::kGlobal) {
    return Way::kGlobalToShared;
  }
  if (to == StateSpace::kShared && from == StateSpace::kShared) {
    return Way::kSharedToShared;
  }
  if (to != StateSpace::kGlobal || from != StateSpace::kShared) {
    b.fail("expected .shared.global, .shared.shared or .global.shared");
  }
  return Way::kSharedToGlobal;
}

}  // namespace

void bind_bulk_copy(OperationBuilder& b, bool reduces) {
  b.operation.effect = Effect::kShared;
  if (b.take("commit_group")) {
    b.operation.barrier_role = BarrierRole::kCommit;
    b.operation.run = do_nothing;
    return;
  }
  if (b.take("wait_group")) {
    b.take("read");
    b.operation.run = do_nothing;
    return;
  }
  if (b.take("prefetch")) {
    take_all_words(b);
    b.operation.run = do_nothing;
    return;
  }
  if (b.take("tensor")) {
    bind_tensor_copy(b, reduces);
    return;
  }
  const Way way = take_way(b);
  const bool to_shared = way != Way::kSharedToGlobal;
  if (!b.take(to_shared ? kCompletesBytes : "bulk_group")) {
    b.fail("expected .mbarrier::complete_tx::bytes into shared memory and .bulk_group into global memory");
  }
  const bool multicast = b.take("multicast::cluster");
  const bool has_hint = b.take("L2::cache_hint");
  const bool has_mask = b.take("cp_mask");
  b.operation.count = 0;
  if (reduces) {
    take_reduction(b);
  }
  b.operation.variant = static_cast<std::uint8_t>(way);
  b.operation.space = to_shared ? StateSpace::kShared : StateSpace::kGlobal;
  b.address(0);
  b.operation.target = b.second_address(1, way == Way::kGlobalToShared ? StateSpace::kGlobal : StateSpace::kShared);
  b.operation.b = b.source(2, DataType::kU32);
  std::size_t next = 3;
  if (to_shared) {
    b.second_address(next++, StateSpace::kShared);
  }
  if (multicast) {
    b.operation.c = b.source(next++, DataType::kU16);
  }
  next += has_hint ? 1 : 0;
  if (has_mask) {
    b.operation.e = b.source(next, DataType::kU16);
  }
  b.operation.barrier_role = way == Way::kGlobalToShared   ? BarrierRole::kCopyIn
                             : way == Way::kSharedToShared ? BarrierRole::kCopyAcross
                                                           : BarrierRole::kCopyOut;
  b.operation.run = copy;
}

// --- stores and updates in shared memory of the cluster ---

namespace {

// operation: a: destination, list at `target`: mbarrier, then `count` values of `bytes` each.
void store_and_report(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneValues barriers;
  second_addresses(warp, operation.target, lanes, barriers);
  const OperandPlace* const values = warp.lists + operation.target + OperationBuilder::kAddressEntries;
  const std::uint32_t bytes = operation.bytes;
  const LanePointers targets = resolve(warp, operation, lanes, bytes * operation.count, AccessKind::kWrite);
  for_lanes(lanes, [&](std::uint32_t lane) {
    for (std::uint32_t i = 0; i < operation.count; ++i) {
      const std::byte* const base = values[i] >= 0 ? warp.registers : warp.constants_end;
      std::memcpy(targets.lane[lane] + std::size_t{i} * bytes, base + values[i] + std::size_t{lane} * bytes, bytes);
    }
    complete_bytes(warp, operation, lane, barriers[lane], bytes * operation.count);
  });
}

// operation: a: destination, b: value, list at `target`: mbarrier, `variant`: how, `bytes` of the value, c: its type, a
// number.
void update_and_report(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneValues barriers;
  second_addresses(warp, operation.target, lanes, barriers);
  const auto type = static_cast<DataType>(operation.c);
  const ElementUpdate update = element_update(static_cast<Atomic>(operation.variant), type);
  const std::uint32_t bytes = operation.bytes;
  const LanePointers targets = resolve(warp, operation, lanes, bytes, AccessKind::kUpdate);
  const std::byte* const values = (operation.b >= 0 ? warp.registers : warp.constants_end) + operation.b;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    update(targets.lane[lane], values + std::size_t{lane} * bytes);
    complete_bytes(warp, operation, lane, barriers[lane], bytes);
  }
}

void store_zeros(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneValues targets;
  lane_addresses(warp, operation, lanes, targets);
  const auto* const bytes = warp.read<std::uint64_t>(operation.b);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto count = static_cast<std::uint32_t>(bytes[lane]);
    const Address place = is_in(kSharedWindow, targets[lane]) ? targets[lane] - kSharedWindow : targets[lane];
    std::memset(shared_range(warp, operation, lane, {place, count, AccessKind::kWrite}), 0, count);
  });
}

void take_report(OperationBuilder& b) {
  for (const char* const word : {"weak", "relaxed", "cluster"}) {
    b.take(word);
  }
  b.operation.space = b.take_space();
  if (b.operation.space == StateSpace::kGeneric) {
    b.operation.space = StateSpace::kShared;
  }
  if (b.operation.space != StateSpace::kShared || !b.take(kCompletesBytes)) {
    b.fail("expected .shared::cluster and .mbarrier::complete_tx::bytes");
  }
}

}  // namespace

void bind_asynchronous_store(OperationBuilder& b) {
  take_report(b);
  const std::uint32_t count = b.take_vector();
  const DataType type = b.take_type();
  if (bytes_of(type) != 4 && bytes_of(type) != 8) {
    b.fail("values have 32 or 64 bits");
  }
  b.operation.effect = Effect::kShared;
  b.operation.bytes = static_cast<std::uint8_t>(bytes_of(type));
  b.operation.count = static_cast<std::uint8_t>(count);
  b.address(0);
  b.operation.target = b.second_address(2, StateSpace::kShared);
  b.source_list(b.operand(1), type, count);
  b.operation.barrier_role = BarrierRole::kStore;
  b.operation.run = store_and_report;
}

void bind_asynchronous_reduction(OperationBuilder& b) {
  take_report(b);
  const Atomic how = take_atomic(b);
  const DataType type = b.take_type();
  if (bytes_of(type) < 4 || element_update(how, type) == nullptr) {
    b.fail("there is no such operation on values of this type");
  }
  b.operation.effect = Effect::kShared;
  b.operation.variant = static_cast<std::uint8_t>(how);
  b.operation.bytes = static_cast<std::uint8_t>(bytes_of(type));
  b.operation.c = static_cast<OperandPlace>(type);
  b.address(0);
  b.operation.b = b.source(1, type);
  b.operation.target = b.second_address(2, StateSpace::kShared);
  b.operation.barrier_role = BarrierRole::kStore;
  b.operation.run = update_and_report;
}

void bind_bulk_store(OperationBuilder& b) {
  b.take("weak");
  b.operation.space = b.take_space();
  if (b.operand(2).kind != ptx::Operand::Kind::kInteger || b.operand(2).bits != 0) {
    b.fail("memory can only be filled with zeros");
  }
  b.operation.effect = Effect::kShared;
  b.address(0);
  b.operation.b = b.source(1, DataType::kU64);
  b.operation.run = store_zeros;
}

}  // namespace warpsim
