// Asynchronous copies and the barriers that they report to. Copies complete at once: a program that waits for them
// correctly cannot observe this.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/bulk_copies.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/memory_barrier.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::StateSpace;

Operation in_space(const Operation& operation, StateSpace space) {
  Operation other = operation;
  other.space = space;
  other.of_frame = false;
  return other;
}

// --- copies of 4, 8 or 16 bytes per thread ---

template <std::size_t kBytes>
void copy_whole(const LanePointers& to, const LanePointers& from, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) { std::memcpy(to.lane[lane], from.lane[lane], kBytes); });
}

// What the lanes read of their elements is less than all of it, and the others nothing.
void copy_parts(WarpContext& warp, const Operation& source, const LaneValues& sources, const LanePointers& to,
                LaneMask lanes, const std::array<std::uint32_t, kWarpSize>& counts) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    std::memset(to.lane[lane], 0, source.bytes);
    if (counts[lane] != 0) {
      LaneValues last = sources;
      last[lane] += counts[lane] - 1;
      resolve(warp, source, last, LaneMask{1} << lane, 1, AccessKind::kRead);
      const LanePointers from = resolve(warp, source, sources, LaneMask{1} << lane, 1, AccessKind::kRead);
      std::memcpy(to.lane[lane], from.lane[lane], counts[lane]);
    }
  });
}

// operation: destination address; list at `target`: source; b: bytes read (the others are zero), p: nothing is read.
void copy_element(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneValues sources;
  second_addresses(warp, operation.target, lanes, sources);
  const LanePointers to = resolve(warp, operation, lanes, operation.bytes, AccessKind::kWrite);
  const LaneMask ignored = operation.p == kNoPlace ? 0 : warp.predicate(operation.p);
  LaneMask whole = lanes & ~ignored;
  std::array<std::uint32_t, kWarpSize> counts{};
  if (operation.b != kNoPlace) {
    for_lanes(lanes & ~ignored, [&](std::uint32_t lane) {
      counts[lane] = std::min<std::uint32_t>(warp.read<std::uint32_t>(operation.b)[lane], operation.bytes);
      whole &= counts[lane] == operation.bytes ? kAllLanes : ~(LaneMask{1} << lane);
    });
  }
  const Operation source = in_space(operation, StateSpace::kGlobal);
  if (whole != 0) {
    const LanePointers from = resolve(warp, source, sources, whole, operation.bytes, AccessKind::kRead);
    if (operation.bytes == 16) {
      copy_whole<16>(to, from, whole);
    } else if (operation.bytes == 8) {
      copy_whole<8>(to, from, whole);
    } else {
      copy_whole<4>(to, from, whole);
    }
  }
  copy_parts(warp, source, sources, to, lanes & ~whole, counts);
}

void take_level_words(OperationBuilder& b) {
  for (const std::string_view word : b.instruction().modifiers) {
    if (word.starts_with("L2::")) {
      b.take(word);
    }
  }
}

void bind_copy_element(OperationBuilder& b) {
  const bool cached = b.take("ca");
  if (!cached && !b.take("cg")) {
    b.fail("there is no such copy");
  }
  take_level_words(b);
  b.operation.space = b.take_space();
  if (b.operation.space != StateSpace::kShared || b.take_space() != StateSpace::kGlobal) {
    b.fail("expected .shared.global");
  }
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kRead;
  b.address(0);
  b.operation.target = b.second_address(1, StateSpace::kGlobal);
  const std::uint64_t bytes = b.operand(2).bits;
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    b.fail("copies have 4, 8 or 16 bytes");
  }
  b.operation.bytes = static_cast<std::uint8_t>(bytes);
  if (b.operands() > 3) {
    const ptx::Operand& third = b.operand(3);
    const bool is_predicate = third.kind == ptx::Operand::Kind::kRegister &&
                              b.function().source().registers[third.number].type == DataType::kPredicate;
    if (is_predicate) {
      b.operation.p = b.predicate_source(3);
    } else if (third.kind != ptx::Operand::Kind::kRegister ||
               bytes_of(b.function().source().registers[third.number].type) == 4) {
      b.operation.b = b.source(3, DataType::kU32);
    }
  }
  b.operation.addresses = AddressForm::kCopySource;
  b.operation.run = copy_element;
}

// --- barriers in shared memory ---

enum class Step : std::uint8_t { kInitialise, kInvalidate, kArrive, kArriveDrop, kExpect, kComplete };

std::uint64_t read_object(const std::byte* at) {
  std::uint64_t object = 0;
  std::memcpy(&object, at, sizeof(object));
  return object;
}

void write_object(std::byte* at, std::uint64_t object) {
  std::memcpy(at, &object, sizeof(object));
}

// operation: b: count of arrivals, c: bytes; d: the state before, if requested.
void step(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto what = static_cast<Step>(operation.variant);
  const AccessKind kind = what == Step::kInitialise ? AccessKind::kWrite : AccessKind::kUpdate;
  const LanePointers objects = resolve(warp, operation, lanes, sizeof(std::uint64_t), kind);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t count = operation.b == kNoPlace ? 1 : warp.read<std::uint32_t>(operation.b)[lane];
    const auto bytes =
        static_cast<std::int32_t>(operation.c == kNoPlace ? 0 : warp.read<std::uint32_t>(operation.c)[lane]);
    const std::uint64_t before = read_object(objects.lane[lane]);
    MemoryBarrier barrier = MemoryBarrier::decode(before);
    switch (what) {
      case Step::kInitialise:
        if (count == 0 || count > MemoryBarrier::kMostArrivals) {
          warp.fault(FaultKind::kIllegalInstruction, operation, lane,
                     fmt::format("an mbarrier expects 1 to {} arrivals, not {}", MemoryBarrier::kMostArrivals, count));
        }
        barrier = {count, count, 0, false};
        break;
      case Step::kInvalidate:
        barrier = {};
        break;
      case Step::kArrive:
      case Step::kArriveDrop:
        if (count > barrier.pending) {
          warp.fault(FaultKind::kIllegalInstruction, operation, lane, "more arrivals at an mbarrier than it expects");
        }
        barrier.bytes += bytes;
        barrier.expected -= what == Step::kArriveDrop ? count : 0;
        barrier.arrive(count);
        break;
      case Step::kExpect:
        barrier.bytes += bytes;
        break;
      case Step::kComplete:
        barrier.add_bytes(-bytes);
        break;
    }
    write_object(objects.lane[lane], barrier.encode());
    if (operation.d != kNoPlace) {
      warp.write<std::uint64_t>(operation.d)[lane] = before;
    }
  }
}

// c: state (operation.count 0) or parity (1) of the phase that the test examines.
void test(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LanePointers objects = resolve(warp, operation, lanes, sizeof(std::uint64_t), AccessKind::kRead);
  LaneMask ended = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const bool of_phase = operation.count != 0 ? (warp.read<std::uint32_t>(operation.c)[lane] & 1U) != 0
                                               : warp.read<std::uint64_t>(operation.c)[lane] >> 63U != 0;
    const bool now = MemoryBarrier::decode(read_object(objects.lane[lane])).parity;
    ended |= now != of_phase ? LaneMask{1} << lane : 0;
  });
  warp.set_predicate(operation.d, lanes, ended);
}

void count_pending(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto* const state = warp.read<std::uint64_t>(operation.a);
  auto* const d = warp.write<std::uint32_t>(operation.d);
  for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = MemoryBarrier::decode(state[lane]).pending; });
}

void take_scope_words(OperationBuilder& b) {
  for (const char* const word : {"relaxed", "acquire", "release", "cta", "cluster", "b64"}) {
    b.take(word);
  }
}

void bind_test(OperationBuilder& b) {
  b.operation.count = b.take("parity") ? 1 : 0;
  take_scope_words(b);
  b.operation.space = b.take_space();
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kBlock;
  b.operation.d = b.predicate_destination(0);
  b.address(1);
  b.operation.c = b.operation.count != 0 ? b.source(2, DataType::kU32) : b.source(2, DataType::kB64);
  b.operation.barrier_role = BarrierRole::kTest;
  b.operation.run = test;
}

void bind_arrive(OperationBuilder& b, bool drops) {
  const bool expects = b.take("expect_tx");
  b.take("noComplete");
  take_scope_words(b);
  b.operation.space = b.take_space();
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kBlock;
  b.operation.variant = static_cast<std::uint8_t>(drops ? Step::kArriveDrop : Step::kArrive);
  // The first operand is the state, unless the barrier belongs to another block.
  const std::size_t address = b.operand(0).kind == ptx::Operand::Kind::kAddress ? 0 : 1;
  if (address == 1 && !b.is_discarded(0)) {
    b.operation.d = b.destination(0, DataType::kB64);
  }
  b.address(address);
  if (b.operands() > address + 1) {
    (expects ? b.operation.c : b.operation.b) = b.source(address + 1, DataType::kU32);
  }
  b.operation.barrier_role = drops ? BarrierRole::kDrop : BarrierRole::kArrive;
  b.operation.run = step;
}

void bind_step(OperationBuilder& b, Step what) {
  take_scope_words(b);
  b.operation.space = b.take_space();
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kBlock;
  b.operation.variant = static_cast<std::uint8_t>(what);
  b.address(0);
  if (what == Step::kInitialise) {
    b.operation.b = b.source(1, DataType::kU32);
  } else if (what != Step::kInvalidate) {
    b.operation.c = b.source(1, DataType::kU32);
  }
  b.operation.barrier_role = what == Step::kInitialise ? BarrierRole::kInitialise
                             : what == Step::kExpect   ? BarrierRole::kExpect
                             : what == Step::kComplete ? BarrierRole::kComplete
                                                       : BarrierRole::kNone;
  b.operation.run = step;
}

void bind_memory_barrier(OperationBuilder& b) {
  if (b.take("init")) {
    bind_step(b, Step::kInitialise);
  } else if (b.take("inval")) {
    bind_step(b, Step::kInvalidate);
  } else if (b.take("arrive_drop")) {
    bind_arrive(b, true);
  } else if (b.take("arrive")) {
    bind_arrive(b, false);
  } else if (b.take("expect_tx")) {
    bind_step(b, Step::kExpect);
  } else if (b.take("complete_tx")) {
    bind_step(b, Step::kComplete);
  } else if (b.take("test_wait") || b.take("try_wait")) {
    bind_test(b);
  } else if (b.take("pending_count")) {
    b.take("b64");
    b.operation.d = b.destination(0, DataType::kU32);
    b.operation.a = b.source(1, DataType::kB64);
    b.operation.run = count_pending;
  } else {
    b.fail("there is no such operation on an mbarrier");
  }
}

// --- an mbarrier that waits for the copies of a thread ---

// Copies are done: with .noinc they count as one of the expected arrivals, without it as one more, which has no effect.
void bind_arrive_of_copies(OperationBuilder& b) {
  b.take("arrive");
  const bool counts = b.take("noinc");
  take_scope_words(b);
  b.operation.space = b.take_space();
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kBlock;
  b.operation.variant = static_cast<std::uint8_t>(Step::kArrive);
  b.address(0);
  b.operation.barrier_role = counts ? BarrierRole::kArriveCopied : BarrierRole::kNone;
  b.operation.run = counts ? step : do_nothing;
}

void bind_copy(OperationBuilder& b) {
  const bool reduces = b.take("reduce");
  if (!b.take("async")) {
    b.fail("only cp.async and cp.reduce.async exist");
  }
  if (b.take("bulk")) {
    bind_bulk_copy(b, reduces);
  } else if (reduces) {
    b.fail("only cp.reduce.async.bulk exists");
  } else if (b.take("commit_group") || b.take("wait_group") || b.take("wait_all")) {
    b.operation.effect = Effect::kShared;
    b.operation.reach = EffectReach::kOwn;
    b.operation.run = do_nothing;
  } else if (b.take("mbarrier")) {
    bind_arrive_of_copies(b);
  } else {
    bind_copy_element(b);
  }
}

constexpr auto kAsyncOperations = std::to_array<OpcodeBinder>({
    {"cp", bind_copy},
    {"mbarrier", bind_memory_barrier},
});

}  // namespace

std::span<const OpcodeBinder> asynchronous_operations() {
  return kAsyncOperations;
}

}  // namespace warpsim
