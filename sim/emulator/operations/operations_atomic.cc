// Atomics and reductions on memory. The lanes of a warp execute in order.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/bulk_copies.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/numbers/atomic_update.h"
#include "emulator/numbers/packed_halves.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::StateSpace;

// One thread of the host executes all blocks that can access shared memory.
bool is_seen_by_others(const WarpContext& warp, const Operation& operation) {
  return operation.space != StateSpace::kShared && warp.launch->updates_atomically();
}

template <class T>
void atomic(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LanePointers pointers = resolve(warp, operation, lanes, sizeof(T), AccessKind::kUpdate);
  const auto* const b = warp.read<T>(operation.b);
  const auto* const c = warp.read<T>(operation.c == kNoPlace ? operation.b : operation.c);
  auto* const d = operation.d == kNoPlace ? nullptr : warp.write<T>(operation.d);
  const auto how = static_cast<Atomic>(operation.variant);
  const bool atomically = is_seen_by_others(warp, operation);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const T old = update_value<T>(pointers.lane[lane], atomically, [&](T found) {
      return updated<T>(how, found, LaneStorage<T>::get(b[lane]), LaneStorage<T>::get(c[lane]));
    });
    if (d != nullptr) {
      d[lane] = LaneStorage<T>::put(old);
    }
  }
}

// Sums of floating-point values: `Sum` of two values in their memory format.
template <class T, T (*Sum)(T, T)>
void atomic_sum(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const std::uint32_t count = operation.count;
  const bool atomically = is_seen_by_others(warp, operation);
  const LanePointers pointers = resolve(warp, operation, lanes, sizeof(T) * count, AccessKind::kUpdate);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    for (std::uint32_t i = 0; i < count; ++i) {
      const OperandPlace b = count == 1 ? operation.b : warp.lists[operation.target + i];
      const T value = LaneStorage<T>::get(warp.read<T>(b)[lane]);
      const T old = update_value<T>(pointers.lane[lane] + i * sizeof(T), atomically,
                                    [value](T found) { return Sum(found, value); });
      if (operation.d != kNoPlace) {
        const OperandPlace d = count == 1 ? operation.d : warp.lists[operation.target + count + i];
        warp.write<T>(d)[lane] = LaneStorage<T>::put(old);
      }
    }
  }
}

// At generic addresses: values in shared memory are added differently.
template <class T>
void generic_sum(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneValues addresses;
  lane_addresses(warp, operation, lanes, addresses);
  LaneMask shared = 0;
  for_lanes(lanes,
            [&](std::uint32_t lane) { shared |= is_in(kSharedWindow, addresses[lane]) ? LaneMask{1} << lane : 0; });
  if (shared != 0) {
    atomic_sum<T, add_floats<T, false>>(warp, operation, shared);
  }
  if (shared != lanes) {
    atomic_sum<T, add_floats<T, true>>(warp, operation, lanes & ~shared);
  }
}

template <class T>
Handler sum_handler(StateSpace space) {
  return space == StateSpace::kShared    ? atomic_sum<T, add_floats<T, false>>
         : space == StateSpace::kGeneric ? generic_sum<T>
                                         : atomic_sum<T, add_floats<T, true>>;
}

void atomic_wide(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const bool atomically = is_seen_by_others(warp, operation);
  const LanePointers pointers = resolve(warp, operation, lanes, sizeof(Wide), AccessKind::kUpdate);
  const auto value = [&warp](OperandPlace place, std::uint32_t lane) {
    return reinterpret_cast<const Wide*>(warp.registers + place)[lane];
  };
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const bool exchanges = static_cast<Atomic>(operation.variant) == Atomic::kExchange;
    const Wide old = update_value<Wide>(pointers.lane[lane], atomically, [&](const Wide& found) {
      const bool swaps = exchanges || found == value(operation.b, lane);
      return swaps ? value(operation.c == kNoPlace ? operation.b : operation.c, lane) : found;
    });
    if (operation.d != kNoPlace) {
      reinterpret_cast<Wide*>(warp.registers + operation.d)[lane] = old;
    }
  }
}

// `how` for halves, also in vectors.
template <class T, T (*Add)(T, T), T (*Least)(T, T), T (*Greatest)(T, T)>
Handler half_handler(Atomic how) {
  return how == Atomic::kAdd   ? atomic_sum<T, Add>
         : how == Atomic::kMin ? atomic_sum<T, Least>
                               : atomic_sum<T, Greatest>;
}

Handler floating_handler(OperationBuilder& b, DataType type, Atomic how) {
  const bool half =
      type == DataType::kF16 || type == DataType::kF16x2 || type == DataType::kBf16 || type == DataType::kBf16x2;
  if (how != Atomic::kAdd && !(half && (how == Atomic::kMin || how == Atomic::kMax))) {
    b.fail("there is no such operation on values of this type");
  }
  switch (type) {
    case DataType::kF32:
      return sum_handler<float>(b.operation.space);
    case DataType::kF64:
      return sum_handler<double>(b.operation.space);
    case DataType::kF16:
      return half_handler<std::uint16_t, add_halves, least_half, greatest_half>(how);
    case DataType::kBf16:
      return half_handler<std::uint16_t, add_brain_floats, least_brain_float, greatest_brain_float>(how);
    case DataType::kF16x2:
      return half_handler<std::uint32_t, add_packed_halves, least_packed_halves, greatest_packed_halves>(how);
    default:
      return half_handler<std::uint32_t, add_packed_brain_floats, least_packed_brain_floats,
                          greatest_packed_brain_floats>(how);
  }
}

bool is_floating(DataType type) {
  return type == DataType::kF16 || type == DataType::kF16x2 || type == DataType::kBf16 || type == DataType::kBf16x2 ||
         type == DataType::kF32 || type == DataType::kF64;
}

Handler integer_handler(OperationBuilder& b, DataType type, Atomic how) {
  switch (type) {
    case DataType::kS32:
      return atomic<std::int32_t>;
    case DataType::kS64:
      return atomic<std::int64_t>;
    default:
      break;
  }
  switch (bytes_of(type)) {
    case 2:
      return atomic<std::uint16_t>;
    case 4:
      return atomic<std::uint32_t>;
    case 8:
      return atomic<std::uint64_t>;
    case 16:
      if (how != Atomic::kExchange && how != Atomic::kCompareSwap) {
        b.fail("values of 128 bits can only be exchanged, or compared and swapped");
      }
      return atomic_wide;
    default:
      b.fail("there are no atomics of this size");
  }
}

// `first`: the operand with the address; a destination precedes it.
void bind(OperationBuilder& b, bool has_result) {
  for (const char* const word :
       {"relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "noftz", "L2::cache_hint"}) {
    b.take(word);
  }
  b.operation.space = b.take_space();
  const Atomic how = take_atomic(b);
  const std::uint32_t count = b.take_vector();
  const DataType type = b.take_type();
  const std::size_t first = has_result ? 1 : 0;
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kUpdate;
  b.operation.variant = static_cast<std::uint8_t>(how);
  b.operation.bytes = static_cast<std::uint8_t>(bytes_of(type));
  b.operation.count = static_cast<std::uint8_t>(count);
  b.address(first);
  if (count > 1) {
    b.operation.target = b.source_list(b.operand(first + 1), type, count);
    if (has_result) {
      b.destination_list(b.operand(0), type, count);
      b.operation.d = 0;  // determined by the list after that of the sources
    }
  } else {
    b.operation.b = b.source(first + 1, type);
    if (has_result) {
      b.operation.d = b.destination(0, type);
    }
  }
  if (how == Atomic::kCompareSwap) {
    b.operation.c = b.source(first + 2, type);
  }
  const bool floating = is_floating(type) && how != Atomic::kExchange;
  if (count > 1 && !floating) {
    b.fail("only floating-point values are updated as vectors");
  }
  b.operation.run = floating ? floating_handler(b, type, how) : integer_handler(b, type, how);
}

void bind_atomic(OperationBuilder& b) {
  bind(b, true);
}

void bind_reduction(OperationBuilder& b) {
  if (b.take("async")) {
    bind_asynchronous_reduction(b);
    return;
  }
  bind(b, false);
}

constexpr auto kAtomicOperations = std::to_array<OpcodeBinder>({
    {"atom", bind_atomic},
    {"red", bind_reduction},
});

}  // namespace

std::span<const OpcodeBinder> atomic_operations() {
  return kAtomicOperations;
}

}  // namespace warpsim
