// Memory that threads allocate from their stacks: alloca, stacksave, stackrestore.
//
// It grows down from the end of a thread's local memory, towards the variables of the calls, and is freed when the
// function that allocated it returns (warp_calls.cc).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;

// Bytes in use before the function's first allocation, plus one.
void mark_stack(WarpContext& warp, LaneMask lanes) {
  auto* const mark = warp.write<std::uint32_t>(warp.code->stack_mark);
  for_lanes(lanes, [&](std::uint32_t lane) { mark[lane] = mark[lane] == 0 ? warp.stack_used[lane] + 1 : mark[lane]; });
}

// operation.count: log2 of the alignment.
template <class T>
void allocate(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  mark_stack(warp, lanes);
  const auto* const size = warp.read<T>(operation.a);
  auto* const d = warp.write<T>(operation.d);
  const std::uint32_t end = warp.block->local_bytes();
  const std::uint32_t begin = warp.local_base + warp.code->local_bytes;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::uint32_t used = warp.stack_used[lane];
    if (size[lane] > end || used + static_cast<std::uint32_t>(size[lane]) + begin > end) {
      warp.fault(FaultKind::kStackOverflow, operation, lane,
                 fmt::format("takes {} bytes from the stack, of which {} are left", size[lane],
                             end - std::min(end, begin + used)));
    }
    const std::uint32_t place = (end - used - static_cast<std::uint32_t>(size[lane])) >> operation.count
                                                                                             << operation.count;
    if (place < begin) {
      warp.fault(FaultKind::kStackOverflow, operation, lane, "the stack is full");
    }
    warp.stack_used[lane] = end - place;
    d[lane] = place;
  });
}

template <class T>
void save(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<T>(operation.d);
  for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = warp.block->local_bytes() - warp.stack_used[lane]; });
}

template <class T>
void restore(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto* const a = warp.read<T>(operation.a);
  const std::uint32_t end = warp.block->local_bytes();
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto place = static_cast<std::uint32_t>(a[lane]);
    if (place > end || end - place > warp.stack_used[lane]) {
      warp.fault(FaultKind::kIllegalInstruction, operation, lane, "a stack is restored to an invalid mark");
    }
    warp.stack_used[lane] = end - place;
  });
}

bool is_wide(OperationBuilder& b) {
  const DataType type = b.take_type();
  if (bytes_of(type) != 4 && bytes_of(type) != 8) {
    b.fail("addresses have 32 or 64 bits");
  }
  return bytes_of(type) == 8;
}

void bind_allocate(OperationBuilder& b) {
  const bool wide = is_wide(b);
  const DataType type = wide ? DataType::kU64 : DataType::kU32;
  constexpr std::uint32_t kAlignment = 8;
  const std::uint64_t alignment = b.operands() > 2 ? b.operand(2).bits : kAlignment;
  if (!std::has_single_bit(alignment) || alignment > (1U << 23U)) {
    b.fail("an alignment is a power of two up to 2^23");
  }
  FunctionCode& code = b.function().code();
  if (code.stack_mark == kNoPlace) {
    code.stack_mark = b.scratch(4);
  }
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kOwn;
  b.operation.count = static_cast<std::uint8_t>(std::countr_zero(alignment));
  b.operation.d = b.destination(0, type);
  b.operation.a = b.source(1, type);
  b.operation.run = wide ? allocate<std::uint64_t> : allocate<std::uint32_t>;
}

void bind_save(OperationBuilder& b) {
  const bool wide = is_wide(b);
  b.operation.d = b.destination(0, wide ? DataType::kU64 : DataType::kU32);
  b.operation.run = wide ? save<std::uint64_t> : save<std::uint32_t>;
}

void bind_restore(OperationBuilder& b) {
  const bool wide = is_wide(b);
  b.operation.a = b.source(0, wide ? DataType::kU64 : DataType::kU32);
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kOwn;
  b.operation.run = wide ? restore<std::uint64_t> : restore<std::uint32_t>;
}

constexpr auto kStackOperations = std::to_array<OpcodeBinder>({
    {"alloca", bind_allocate},
    {"stackrestore", bind_restore},
    {"stacksave", bind_save},
});

}  // namespace

std::span<const OpcodeBinder> stack_operations() {
  return kStackOperations;
}

}  // namespace warpsim
