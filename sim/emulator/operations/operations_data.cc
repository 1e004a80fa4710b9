// mov in all its forms, and conversions between address spaces.
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;
using ptx::StateSpace;

template <class T>
void move(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<T>(operation.d);
  const auto* const a = warp.read<T>(operation.a);
  set_lanes(d, lanes, [=](std::uint32_t lane) { return a[lane]; });
}

void move_wide(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = reinterpret_cast<Wide*>(warp.registers + operation.d);
  const auto* const a = reinterpret_cast<const Wide*>(warp.registers + operation.a);
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = a[lane]; });
}

// For a special register that is a predicate: stored as a word.
void predicate_of_word(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto* const a = warp.read<std::uint32_t>(operation.a);
  LaneMask value = 0;
  for_lanes(lanes, [&](std::uint32_t lane) { value |= a[lane] != 0 ? LaneMask{1} << lane : 0; });
  warp.set_predicate(operation.d, lanes, value);
}

void move_predicate(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask value = warp.predicate(operation.a);
  warp.set_predicate(operation.d, lanes, operation.variant != 0 ? ~value : value);
}

// --- packing and unpacking ---

std::uint32_t lane_bytes(std::uint32_t bytes) {
  return bytes < 4 ? 4 : bytes;
}

const std::byte* lane_of(const WarpContext& warp, OperandPlace place, std::uint32_t lane, std::uint32_t bytes) {
  const std::byte* const base = place >= 0 ? warp.registers : warp.constants_end;
  return base + place + std::size_t{lane} * lane_bytes(bytes);
}

// operation: `bytes` of an element, `count` of them in lists from `target` on.
void pack(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const places = warp.lists + operation.target;
  const std::uint32_t bytes = operation.bytes;
  const std::uint32_t whole = bytes * operation.count;
  for_lanes(lanes, [&](std::uint32_t lane) {
    std::array<std::byte, 16> value{};
    for (std::uint32_t i = 0; i < operation.count; ++i) {
      std::memcpy(value.data() + std::size_t{i} * bytes, lane_of(warp, places[i], lane, bytes), bytes);
    }
    std::memcpy(warp.registers + operation.d + std::size_t{lane} * lane_bytes(whole), value.data(), lane_bytes(whole));
  });
}

void unpack(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const places = warp.lists + operation.target;
  const std::uint32_t bytes = operation.bytes;
  const std::uint32_t whole = bytes * operation.count;
  for_lanes(lanes, [&](std::uint32_t lane) {
    std::array<std::byte, 16> value{};
    std::memcpy(value.data(), lane_of(warp, operation.a, lane, whole), whole);
    for (std::uint32_t i = 0; i < operation.count; ++i) {
      std::array<std::byte, 8> element{};
      std::memcpy(element.data(), value.data() + std::size_t{i} * bytes, bytes);
      std::memcpy(warp.registers + places[i] + std::size_t{lane} * lane_bytes(bytes), element.data(),
                  lane_bytes(bytes));
    }
  });
}

// The same for two words and 64 bits: addresses and doubles of machine code, which has registers of 32 bits.
void pack_words(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const places = warp.lists + operation.target;
  auto* const d = warp.write<std::uint64_t>(operation.d);
  const auto* const low = warp.read<std::uint32_t>(places[0]);
  const auto* const high = warp.read<std::uint32_t>(places[1]);
  for_own_lanes(lanes, [=](std::uint32_t lane) { d[lane] = std::uint64_t{high[lane]} << 32U | low[lane]; });
}

void unpack_words(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const OperandPlace* const places = warp.lists + operation.target;
  const auto* const a = warp.read<std::uint64_t>(operation.a);
  auto* const low = warp.write<std::uint32_t>(places[0]);
  auto* const high = warp.write<std::uint32_t>(places[1]);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    low[lane] = static_cast<std::uint32_t>(a[lane]);
    high[lane] = static_cast<std::uint32_t>(a[lane] >> 32U);
  });
}

DataType bits_type(std::uint32_t bytes) {
  return bytes == 1   ? DataType::kB8
         : bytes == 2 ? DataType::kB16
         : bytes == 4 ? DataType::kB32
         : bytes == 8 ? DataType::kB64
                      : DataType::kB128;
}

void bind_vector_move(OperationBuilder& b, std::uint32_t bytes, bool packs) {
  const Operand& vector = b.operand(packs ? 1 : 0);
  const auto count = static_cast<std::uint32_t>(vector.elements.size());
  if (count == 0 || bytes % count != 0 || bytes / count > 8) {
    b.fail("a vector does not fill the other operand");
  }
  b.operation.count = static_cast<std::uint8_t>(count);
  b.operation.bytes = static_cast<std::uint8_t>(bytes / count);
  const DataType element = bits_type(bytes / count);
  const bool words = count == 2 && bytes == sizeof(std::uint64_t);
  if (packs) {
    b.operation.d = b.destination(0, bits_type(bytes));
    b.operation.target = b.source_list(vector, element, count);
    b.operation.run = words ? best_for_host<pack_words>() : pack;
    b.operation.form = words ? HostForm::kPackWords : HostForm::kNone;
  } else {
    b.operation.a = b.source(1, bits_type(bytes));
    b.operation.target = b.destination_list(vector, element, count);
    b.operation.run = words ? best_for_host<unpack_words>() : unpack;
    b.operation.form = words ? HostForm::kUnpackWords : HostForm::kNone;
  }
}

// --- registers that change ---

enum class Counter : std::uint8_t { kClock, kClockHigh, kTime, kTimeHigh };

std::uint64_t global_time(const WarpContext& warp) {
  constexpr double kThousand = 1000;
  const LaunchContext& launch = *warp.launch;
  const double zero_ns = launch.clock_zero_ns == nullptr ? 0 : *launch.clock_zero_ns;
  return static_cast<std::uint64_t>(zero_ns + static_cast<double>(warp.now) * kThousand / launch.clock_mhz);
}

std::uint64_t counter_value(const WarpContext& warp, Counter counter) {
  const bool is_time = counter == Counter::kTime || counter == Counter::kTimeHigh;
  const std::uint64_t value = is_time ? global_time(warp) : warp.now;
  return counter == Counter::kClockHigh || counter == Counter::kTimeHigh ? value >> 32U : value;
}

// Where there is no time, a loop that waits for it makes it pass, faster and faster.
void let_time_pass(WarpContext& warp) {
  constexpr Cycle kLongestStep = Cycle{1} << 40U;
  warp.now += warp.time_step;
  warp.time_step = std::min(2 * warp.time_step, kLongestStep);
}

template <class T>
void read_counter(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  if (operation.awaits_time && warp.time_step != 0 && !warp.rehearsing) {
    let_time_pass(warp);
  }
  const auto value = static_cast<T>(counter_value(warp, static_cast<Counter>(operation.variant)));
  auto* const d = warp.write<T>(operation.d);
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = value; });
}

bool bind_counter(OperationBuilder& b, std::string_view name, DataType type) {
  struct Named {
    std::string_view name;
    Counter counter;
  };
  constexpr auto kCounters = std::to_array<Named>({{"clock", Counter::kClock},
                                                   {"clock_hi", Counter::kClockHigh},
                                                   {"clock64", Counter::kClock},
                                                   {"globaltimer", Counter::kTime},
                                                   {"globaltimer_lo", Counter::kTime},
                                                   {"globaltimer_hi", Counter::kTimeHigh}});
  for (const Named& named : kCounters) {
    if (named.name == name) {
      b.operation.variant = static_cast<std::uint8_t>(named.counter);
      b.operation.reads_time = true;
      b.operation.effect = Effect::kShared;
      b.operation.reach = EffectReach::kOwn;
      b.operation.d = b.destination(0, type);
      b.operation.run = bytes_of(type) == 8 ? read_counter<std::uint64_t> : read_counter<std::uint32_t>;
      return true;
    }
  }
  return false;
}

// --- addresses ---

// The address of a variable of the running call: local memory begins at its frame.
template <class T>
void frame_address(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Address base = operation.space == StateSpace::kLocal ? warp.local_base : 0;
  auto* const d = warp.write<T>(operation.d);
  for_own_lanes(lanes,
                [&](std::uint32_t lane) { d[lane] = static_cast<T>(base + static_cast<Address>(operation.offset)); });
}

bool bind_frame_address(OperationBuilder& b, const Operand& symbol, DataType type) {
  const FunctionDecoder::SymbolAddress address = b.function().address_of(symbol);
  if (!address.of_frame) {
    return false;
  }
  b.operation.space = address.space;
  b.operation.offset = static_cast<std::int64_t>(address.address);
  b.operation.d = b.destination(0, type);
  b.operation.run = bytes_of(type) == 8 ? frame_address<std::uint64_t> : frame_address<std::uint32_t>;
  return true;
}

void bind_move(OperationBuilder& b) {
  const DataType type = b.take_type();
  if (type == DataType::kPredicate) {
    b.operation.d = b.predicate_destination(0);
    if (b.operand(1).kind == Operand::Kind::kSpecial) {
      b.operation.a = b.source(1, DataType::kU32);
      b.operation.run = predicate_of_word;
      return;
    }
    b.operation.a = b.predicate_source(1);
    b.operation.variant = b.negates(1) ? 1 : 0;
    b.operation.run = move_predicate;
    b.operation.form = HostForm::kPredicateMove;
    return;
  }
  const std::uint32_t bytes = bytes_of(type);
  const Operand& from = b.operand(1);
  if (from.kind == Operand::Kind::kVector || b.operand(0).kind == Operand::Kind::kVector) {
    bind_vector_move(b, bytes, from.kind == Operand::Kind::kVector);
    return;
  }
  if (from.kind == Operand::Kind::kSpecial && bind_counter(b, from.name, type)) {
    return;
  }
  if (from.kind == Operand::Kind::kSymbol && bind_frame_address(b, from, type)) {
    return;
  }
  b.operation.d = b.destination(0, type);
  b.operation.a = b.source(1, type);
  b.operation.run = bytes == 16  ? move_wide
                    : bytes == 8 ? best_for_host<move<std::uint64_t>>()
                                 : best_for_host<move<std::uint32_t>>();
  b.operation.form = bytes == 16 ? HostForm::kNone : bytes == 8 ? HostForm::kMove64 : HostForm::kMove32;
}

Address window_of(OperationBuilder& b, StateSpace space) {
  switch (space) {
    case StateSpace::kShared:
      return kSharedWindow;
    case StateSpace::kLocal:
      return kLocalWindow;
    case StateSpace::kParameter:
      return kParameterWindow;
    case StateSpace::kGlobal:
    case StateSpace::kConstant:
      return 0;
    default:
      b.fail("a state space is missing");
  }
}

template <class T>
void add_offset(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<T>(operation.d);
  const auto* const a = warp.read<T>(operation.a);
  const auto offset = static_cast<T>(operation.offset);
  for_own_lanes(lanes, [&](std::uint32_t lane) { d[lane] = a[lane] + offset; });
}

void bind_convert_address(OperationBuilder& b) {
  const bool to_space = b.take("to");
  const StateSpace space = b.take_space();
  const Address window = window_of(b, space);
  const DataType type = b.take_type();
  const Operand& from = b.operand(1);
  if (from.kind == Operand::Kind::kSymbol && b.function().address_of(from).of_frame) {
    bind_frame_address(b, from, type);
    b.operation.offset += static_cast<std::int64_t>(to_space ? 0 : window);
    return;
  }
  b.operation.d = b.destination(0, type);
  b.operation.a = b.source(1, type);
  b.operation.offset = static_cast<std::int64_t>(to_space ? 0 - window : window);
  b.operation.run = bytes_of(type) == 8 ? add_offset<std::uint64_t> : add_offset<std::uint32_t>;
  b.operation.form = form_by_width(type, HostForm::kAddOffset32, HostForm::kAddOffset64);
}

void is_in_window(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto* const a = warp.read<std::uint64_t>(operation.a);
  const auto window = static_cast<Address>(operation.offset);
  LaneMask inside = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const bool is_inside = window == 0 ? a[lane] < kSharedWindow : is_in(window, a[lane]);
    inside |= is_inside ? LaneMask{1} << lane : 0;
  });
  warp.set_predicate(operation.d, lanes, inside);
}

void is_constant(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  warp.set_predicate(operation.d, lanes, 0);  // constants and globals share one space here
}

void bind_is_space(OperationBuilder& b) {
  const bool constant = b.take("const");
  const StateSpace space = constant ? StateSpace::kConstant : b.take_space();
  b.operation.d = b.predicate_destination(0);
  b.operation.a = b.source(1, DataType::kU64);
  b.operation.offset = static_cast<std::int64_t>(window_of(b, space));
  b.operation.run = constant ? is_constant : is_in_window;
}

// --- addresses in a cluster ---

// The rank plus one is above the offset; the own block's addresses have none.
template <class T>
void map_address(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<T>(operation.d);
  const auto* const a = warp.read<T>(operation.a);
  const auto* const rank = warp.read<std::uint32_t>(operation.b);
  constexpr T kOffset = (T{1} << kSharedOffsetBits) - 1;
  const auto window = static_cast<T>(sizeof(T) == 8 && operation.space == StateSpace::kGeneric ? kSharedWindow : 0);
  for_own_lanes(lanes, [&](std::uint32_t lane) {
    d[lane] = window + ((a[lane] & kOffset) | static_cast<T>(rank[lane] + 1) << kSharedOffsetBits);
  });
}

void bind_map(OperationBuilder& b) {
  b.operation.space = b.take_space();
  const DataType type = b.take_type();
  b.operation.d = b.destination(0, type);
  b.operation.a = b.source(1, type);
  b.operation.b = b.source(2, DataType::kU32);
  b.operation.run = bytes_of(type) == 8 ? map_address<std::uint64_t> : map_address<std::uint32_t>;
}

template <class T>
void rank_of(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<std::uint32_t>(operation.d);
  const auto* const a = warp.read<T>(operation.a);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::uint32_t rank = static_cast<std::uint32_t>(a[lane]) >> kSharedOffsetBits;
    d[lane] = rank == 0 ? warp.block->rank_in_cluster : rank - 1;
  });
}

void bind_rank(OperationBuilder& b) {
  b.take_space();
  const DataType type = b.take_type();
  b.operation.d = b.destination(0, DataType::kU32);
  b.operation.a = b.source(1, type);
  b.operation.run = bytes_of(type) == 8 ? rank_of<std::uint64_t> : rank_of<std::uint32_t>;
}

constexpr auto kDataOperations = std::to_array<OpcodeBinder>({
    {"cvta", bind_convert_address},
    {"getctarank", bind_rank},
    {"isspacep", bind_is_space},
    {"mapa", bind_map},
    {"mov", bind_move},
});

}  // namespace

std::span<const OpcodeBinder> data_operations() {
  return kDataOperations;
}

}  // namespace warpsim
