// Operations of machine code on predicates: logic by tables, predicates as bits of registers.
#include <cstdint>
#include <string_view>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/machine_operands.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

LaneMask look_up(unsigned table, LaneMask a, LaneMask b, LaneMask c) {
  LaneMask result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if ((table >> i & 1U) != 0) {
      result |= ((i & 4U) != 0 ? a : ~a) & ((i & 2U) != 0 ? b : ~b) & ((i & 1U) != 0 ? c : ~c);
    }
  }
  return result;
}

void look_up_predicates(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const extra = warp.lists + operation.target;
  const LaneMask a = mask_of(warp, extra);
  const LaneMask b = mask_of(warp, extra + 2);
  const LaneMask c = mask_of(warp, extra + 4);
  set_if_any(warp, operation.d, lanes, look_up(operation.variant, a, b, c));
  set_if_any(warp, operation.p, lanes, look_up(operation.count, a, b, c));
}

void bind_look_up_predicates(OperationBuilder& b) {
  b.operation.d = predicate_or_none(b, 0);
  b.operation.p = predicate_or_none(b, 1);
  ExtraPlaces extra(b);
  for (std::size_t i = 2; i < 5; ++i) {
    add_predicate_source(b, extra, i);
  }
  b.operation.variant = static_cast<std::uint8_t>(b.operand(5).bits);
  b.operation.count = static_cast<std::uint8_t>(b.operand(6).bits);
  b.operation.run = look_up_predicates;
  b.operation.form = HostForm::kPredicateLookUp;
}

constexpr std::uint32_t kPredicates = 7;

// Replaces bits of a byte of a by the predicates, under a mask.
void predicates_to_bits(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const predicates = warp.lists + operation.target;
  const unsigned shift = 8U * operation.variant;
  Word* const d = warp.write<Word>(operation.d);
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const mask = warp.read<Word>(operation.b);
  std::array<Word, kWarpSize> bits = {};
  for (std::uint32_t i = 0; i < kPredicates; ++i) {
    const LaneMask predicate = warp.predicate(predicates[i]);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      bits[lane] |= (predicate >> lane & 1U) << i;
    }
  }
  set_lanes(d, lanes, [&](std::uint32_t lane) {
    const Word chosen = (mask[lane] & 0xffU) << shift;
    return (a[lane] & ~chosen) | (bits[lane] << shift & chosen);
  });
}

void bits_to_predicates(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const predicates = warp.lists + operation.target;
  const unsigned shift = 8U * operation.variant;
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const mask = warp.read<Word>(operation.b);
  for (std::uint32_t i = 0; i < kPredicates; ++i) {
    LaneMask value = 0;
    LaneMask chosen = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      value |= (a[lane] >> (shift + i) & 1U) << lane;
      chosen |= (mask[lane] >> i & 1U) << lane;
    }
    warp.set_predicate(predicates[i], chosen & lanes, value);
  }
}

void bind_predicates_to_bits(OperationBuilder& b) {
  b.operation.variant = static_cast<std::uint8_t>(number_in(b, 'b'));
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.a = b.source(1, DataType::kB32);
  b.operation.b = b.source(2, DataType::kB32);
  ExtraPlaces extra(b);
  for (std::size_t i = 0; i < kPredicates; ++i) {
    extra.add(b.predicate_source(3 + i));
  }
  b.operation.run = best_for_host<predicates_to_bits>();
}

void bind_bits_to_predicates(OperationBuilder& b) {
  b.operation.variant = static_cast<std::uint8_t>(number_in(b, 'b'));
  b.operation.a = b.source(0, DataType::kB32);
  b.operation.b = b.source(1, DataType::kB32);
  ExtraPlaces extra(b);
  for (std::size_t i = 0; i < kPredicates; ++i) {
    extra.add(b.predicate_destination(2 + i));
  }
  b.operation.run = best_for_host<bits_to_predicates>();
}

}  // namespace

bool bind_machine_predicates(OperationBuilder& b, std::string_view name) {
  if (name == "plop3") {
    bind_look_up_predicates(b);
  } else if (name == "p2r") {
    bind_predicates_to_bits(b);
  } else if (name == "r2p") {
    bind_bits_to_predicates(b);
  } else {
    return false;
  }
  return true;
}

}  // namespace warpsim
