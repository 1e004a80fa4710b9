#include "emulator/execution/warp_exchange.h"

#include <array>
#include <cstddef>

namespace warpsim {

namespace {

// Registers of a call that consists of the operation only: operands for all lanes, in any place.
struct Table {
  static constexpr std::uint32_t kWideBytes = 8 * kWarpSize;
  enum Place : OperandPlace {
    kTold = 0,
    kFrom = kWideBytes,
    kClamp = 2 * kWideBytes,
    kGot = 3 * kWideBytes,
    kInside = 4 * kWideBytes
  };
  alignas(8) std::array<std::byte, std::size_t{5}* kWideBytes> bytes = {};
};

bool has_predicates(Exchange exchange) {
  return exchange == Exchange::kPredicates || exchange == Exchange::kBallot;
}

template <class T>
void copy(const WarpContext& from, OperandPlace place, WarpContext& to, OperandPlace there, LaneMask lanes) {
  if (place != kNoPlace) {
    const auto* const source = from.read<T>(place);
    auto* const target = to.write<T>(there);
    for_lanes(lanes, [&](std::uint32_t lane) { target[lane] = source[lane]; });
  }
}

void gather(const WarpContext& here, const ExchangePlace& place, WarpContext& table) {
  const Operation& operation = *place.operation;
  if (has_predicates(operation.exchange)) {
    const LaneMask told = here.predicate(operation.a);
    table.set_predicate(Table::kTold, place.lanes, operation.count != 0 ? ~told : told);
  } else if (operation.exchange == Exchange::kWideWords) {
    copy<std::uint64_t>(here, operation.a, table, Table::kTold, place.lanes);
  } else {
    copy<std::uint32_t>(here, operation.a, table, Table::kTold, place.lanes);
  }
  copy<std::uint32_t>(here, operation.b, table, Table::kFrom, place.lanes);
  copy<std::uint32_t>(here, operation.c, table, Table::kClamp, place.lanes);
}

void hand_back(const WarpContext& table, const ExchangePlace& place, WarpContext& here) {
  const Operation& operation = *place.operation;
  if (operation.exchange == Exchange::kPredicates) {
    here.set_predicate(operation.d, place.lanes, table.predicate(Table::kGot));
  } else {
    copy<std::uint32_t>(table, Table::kGot, here, operation.d, place.lanes);
  }
  if (operation.p != kNoPlace) {
    here.set_predicate(operation.p, place.lanes, table.predicate(Table::kInside));
  }
}

}  // namespace

void execute_at_places(WarpContext& warp, std::span<const ExchangePlace> places) {
  Table values;
  WarpContext table = warp;
  table.registers = values.bytes.data();
  std::byte* const registers = warp.registers;
  const std::byte* const constants_end = warp.constants_end;
  const auto enter = [&](const ExchangePlace& place) {
    warp.registers = place.registers;
    warp.constants_end = place.constants_end;
  };
  LaneMask lanes = 0;
  for (const ExchangePlace& place : places) {
    enter(place);
    gather(warp, place, table);
    lanes |= place.lanes;
  }
  for (const ExchangePlace& place : places) {
    Operation operation = *place.operation;
    operation.count = has_predicates(operation.exchange) ? 0 : operation.count;
    operation.a = Table::kTold;
    operation.b = Table::kFrom;
    operation.c = Table::kClamp;
    operation.d = Table::kGot;
    operation.p = operation.p != kNoPlace ? Table::kInside : kNoPlace;
    operation.run(table, operation, lanes);
    enter(place);
    hand_back(table, place, warp);
  }
  warp.registers = registers;
  warp.constants_end = constants_end;
}

}  // namespace warpsim
