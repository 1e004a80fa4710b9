// Bulk copies of boxes of tensors between global and shared memory, by tensor maps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/bulk_copies.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/shared_place.h"
#include "emulator/memory/tensor_map.h"
#include "emulator/memory/tensor_rows.h"
#include "emulator/numbers/atomic_update.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;
using ptx::StateSpace;

constexpr std::uint32_t kSwizzleUnit = 16;  // bytes that swizzles keep together
constexpr std::uint32_t kRow = 128;         // of shared memory, swizzles stay inside it

// The element type of updates.
DataType data_type(TensorType type) {
  switch (type) {
    case TensorType::kU32:
      return DataType::kU32;
    case TensorType::kS32:
      return DataType::kS32;
    case TensorType::kU64:
      return DataType::kU64;
    case TensorType::kS64:
      return DataType::kS64;
    case TensorType::kF16:
      return DataType::kF16;
    case TensorType::kF32:
    case TensorType::kF32Flushed:
      return DataType::kF32;
    case TensorType::kF64:
      return DataType::kF64;
    case TensorType::kBf16:
      return DataType::kBf16;
    default:
      return DataType::kNone;
  }
}

// The value read outside of the tensor: zeros, or the NaN that makes fma.oob give 0, in all sizes.
std::uint64_t fill_of(const TensorMap& map) {
  if (!map.fills_nan) {
    return 0;
  }
  constexpr std::uint64_t kNan = 0x7ff77ff77ff77ff7;
  return kNan;
}

std::byte* generic_range(WarpContext& warp, const Operation& operation, std::uint32_t lane, Address address,
                         std::uint32_t bytes) {
  Operation generic = operation;
  generic.space = StateSpace::kGeneric;
  generic.of_frame = false;
  LaneValues addresses;
  addresses[lane] = address;
  return resolve(warp, generic, addresses, LaneMask{1} << lane, bytes, AccessKind::kRead).lane[lane];
}

TensorMap map_at(WarpContext& warp, const Operation& operation, std::uint32_t lane, Address address) {
  // Alignment of maps; parameters of machine code have the same offsets from a constant bank's multiples of 16.
  const bool in_bank = warp.code->has_convergence_barriers && is_in(kParameterWindow, address);
  const std::uint32_t piece = in_bank ? 16 : kTensorMapBytes / 2;
  std::array<std::byte, kTensorMapBytes> bytes{};
  for (std::uint32_t at = 0; at < kTensorMapBytes; at += piece) {
    std::memcpy(bytes.data() + at, generic_range(warp, operation, lane, address + at, piece), piece);
  }
  TensorMap map;
  if (!map.decode(bytes.data())) {
    warp.fault(FaultKind::kIllegalInstruction, operation, lane,
               fmt::format("there is no tensor map at {:#x}", address));
  }
  return map;
}

// Bytes of shared memory that a box touches.
std::uint32_t touched_bytes(const TensorMap& map) {
  const std::uint32_t bytes = map.box_bytes();
  return map.swizzle == 0 ? bytes : (bytes + kRow - 1) / kRow * kRow;
}

struct BoxCopy {
  const TensorMap* map = nullptr;
  TensorCoordinates origin = {};
  TensorCoordinates offsets = {};
  std::uint32_t lane = 0;
};

void fill_outside(const TensorMap& map, std::byte* row, std::uint32_t begin, std::uint32_t end) {
  const std::uint64_t fill = fill_of(map);
  const std::uint32_t bytes = bytes_of(map.type);
  for (std::uint32_t i = begin; i < end; ++i) {
    std::memcpy(row + std::size_t{i} * bytes, &fill, bytes);
  }
}

constexpr std::uint32_t kMostRowBytes = 256 * 8;

// Into shared memory at `target`, which is its address in .shared::cluster.
void load_box(WarpContext& warp, const Operation& operation, const BoxCopy& copy, Address target) {
  const TensorMap& map = *copy.map;
  const BoxRows rows(map, copy.origin, copy.offsets);
  const std::uint32_t bytes = bytes_of(map.type);
  const std::uint32_t row_bytes = map.elements(0) * bytes;
  const std::uint32_t first = rows.first();
  const std::uint32_t end = rows.end();
  std::byte* const box = shared_range(warp, operation, copy.lane, {target, touched_bytes(map), AccessKind::kWrite});
  const auto place = static_cast<std::uint32_t>(target) & ((1U << kSharedOffsetBits) - 1);
  std::array<std::byte, kMostRowBytes> row;
  rows.each([&](std::uint32_t offset, Address from, bool inside) {
    const std::uint32_t begin = inside ? first : 0;
    const std::uint32_t stop = inside ? end : 0;
    fill_outside(map, row.data(), 0, begin);
    fill_outside(map, row.data(), stop, map.elements(0));
    if (begin < stop) {
      const Address address = from + static_cast<Address>(copy.origin[0] + begin) * bytes;
      std::memcpy(row.data() + std::size_t{begin} * bytes,
                  global_range(warp, operation, copy.lane, {address, (stop - begin) * bytes, AccessKind::kRead}),
                  std::size_t{stop - begin} * bytes);
    }
    for (std::uint32_t unit = 0; unit < row_bytes; unit += kSwizzleUnit) {
      const std::uint32_t to = swizzled(place + offset + unit, map.swizzle) - place;
      std::memcpy(box + to, row.data() + unit, kSwizzleUnit);
    }
  });
}

// From shared memory at `source`. operation.count: 0, or the atomic operation plus 1.
void store_box(WarpContext& warp, const Operation& operation, const BoxCopy& copy, Address source) {
  const TensorMap& map = *copy.map;
  const BoxRows rows(map, copy.origin, copy.offsets);
  const std::uint32_t bytes = bytes_of(map.type);
  const std::uint32_t row_bytes = map.elements(0) * bytes;
  const std::uint32_t first = rows.first();
  const std::uint32_t end = rows.end();
  ElementUpdate update = nullptr;
  if (operation.count != 0) {
    update = element_update(static_cast<Atomic>(operation.count - 1), data_type(map.type),
                            warp.launch->updates_atomically());
    if (update == nullptr) {
      warp.fault(FaultKind::kIllegalInstruction, operation, copy.lane,
                 "there is no such operation on elements of the tensor's type");
    }
  }
  const std::byte* const box =
      shared_range(warp, operation, copy.lane, {source, touched_bytes(map), AccessKind::kRead});
  const auto place = static_cast<std::uint32_t>(source) & ((1U << kSharedOffsetBits) - 1);
  std::array<std::byte, kMostRowBytes> row;
  rows.each([&](std::uint32_t offset, Address to, bool inside) {
    if (!inside || first >= end) {
      return;
    }
    for (std::uint32_t unit = 0; unit < row_bytes; unit += kSwizzleUnit) {
      std::memcpy(row.data() + unit, box + (swizzled(place + offset + unit, map.swizzle) - place), kSwizzleUnit);
    }
    const std::uint32_t count = (end - first) * bytes;
    const Address address = to + static_cast<Address>(copy.origin[0] + first) * bytes;
    const AccessKind kind = update == nullptr ? AccessKind::kWrite : AccessKind::kUpdate;
    std::byte* const target = global_range(warp, operation, copy.lane, {address, count, kind});
    const std::byte* const from = row.data() + std::size_t{first} * bytes;
    if (update == nullptr) {
      std::memcpy(target, from, count);
      return;
    }
    for (std::uint32_t i = 0; i < count; i += bytes) {
      update(target + i, from + i);
    }
  });
}

void check_place(const WarpContext& warp, const Operation& operation, const BoxCopy& copy, Address shared) {
  if (shared % kRow != 0) {
    warp.fault(FaultKind::kMisalignedAddress, operation, copy.lane,
               fmt::format("a box in shared memory at {:#x}, which is not a multiple of {}", shared, kRow));
  }
}

// Operation::variant.
constexpr std::uint8_t kLoads = 1;
constexpr std::uint8_t kColumns = 2;
constexpr std::uint8_t kOffsets = 4;  // of columns

// The map and the coordinates of a lane's copy.
struct LaneCopy {
  TensorMap map;
  BoxCopy copy;
};

LaneCopy copy_of(WarpContext& warp, const Operation& operation, std::uint32_t lane, Address map) {
  const bool loads = (operation.variant & kLoads) != 0;
  const bool columns = (operation.variant & kColumns) != 0;
  LaneCopy lane_copy;
  lane_copy.map = map_at(warp, operation, lane, map);
  if (lane_copy.map.dimensions != operation.bytes) {
    warp.fault(FaultKind::kIllegalInstruction, operation, lane,
               fmt::format("a tensor map of {} dimensions, not {}", lane_copy.map.dimensions, operation.bytes));
  }
  if (lane_copy.map.in_columns != columns) {
    warp.fault(FaultKind::kIllegalInstruction, operation, lane,
               columns ? "a tensor map of tiles, not of columns" : "a tensor map of columns, not of tiles");
  }
  const OperandPlace* next =
      warp.lists + operation.target + std::size_t{OperationBuilder::kAddressEntries} * (loads ? 2 : 1);
  for (std::uint32_t i = 0; i < lane_copy.map.dimensions; ++i) {
    lane_copy.copy.origin[i] = static_cast<std::int32_t>(warp.read<std::uint32_t>(*next++)[lane]);
  }
  for (std::uint32_t i = 1; (operation.variant & kOffsets) != 0 && i + 1U < lane_copy.map.dimensions; ++i) {
    lane_copy.copy.offsets[i] = warp.read<std::uint32_t>(*next++)[lane] & 0xffffU;
  }
  lane_copy.copy.lane = lane;
  return lane_copy;
}

// operation: a: address of the map; list at `target`: address in shared memory, mbarrier (of loads), coordinates,
// offsets of columns; c: ranks that each get a copy.
void copy_box(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const bool loads = (operation.variant & kLoads) != 0;
  LaneValues maps;
  LaneValues places;
  LaneValues barriers{};
  lane_addresses(warp, operation, lanes, maps);
  second_addresses(warp, operation.target, lanes, places);
  if (loads) {
    second_addresses(warp, operation.target + OperationBuilder::kAddressEntries, lanes, barriers);
  }
  for (LaneMask rest = copying_lanes(warp, lanes); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    LaneCopy lane_copy = copy_of(warp, operation, lane, maps[lane]);
    lane_copy.copy.map = &lane_copy.map;
    const BoxCopy& copy = lane_copy.copy;
    check_place(warp, operation, copy, places[lane]);
    if (!loads) {
      store_box(warp, operation, copy, places[lane]);
    } else if (operation.c == kNoPlace) {
      load_box(warp, operation, copy, places[lane]);
      complete_bytes(warp, operation, lane, barriers[lane], lane_copy.map.box_bytes());
    } else {
      for (std::uint32_t ranks = warp.read<std::uint32_t>(operation.c)[lane] & 0xffffU; ranks != 0;
           ranks &= ranks - 1) {
        const auto rank = static_cast<std::uint32_t>(std::countr_zero(ranks));
        load_box(warp, operation, copy, in_block_of_rank(warp, places[lane], rank));
        complete_bytes(warp, operation, lane, in_block_of_rank(warp, barriers[lane], rank), lane_copy.map.box_bytes());
      }
    }
  }
}

std::uint8_t take_dimensions(OperationBuilder& b) {
  constexpr auto kWords = std::to_array<std::string_view>({"1d", "2d", "3d", "4d", "5d"});
  const auto* const word = std::ranges::find_if(kWords, [&b](std::string_view candidate) { return b.take(candidate); });
  if (word == kWords.end()) {
    b.fail("expected .1d to .5d");
  }
  return static_cast<std::uint8_t>(word - kWords.begin() + 1);
}

// [map, {coordinates}]: the address is the operation's; returns the coordinates.
const Operand& bind_map(OperationBuilder& b, const Operand& operand) {
  if (operand.kind != Operand::Kind::kAddress || operand.elements.size() != 2) {
    b.fail("expected a tensor map and coordinates in brackets");
  }
  b.operation.space = StateSpace::kGeneric;
  b.address(operand);
  if (b.operation.space == StateSpace::kParameter && !b.operation.of_frame) {
    b.operation.a = b.constant(kParameterWindow, 8);  // a parameter named directly: maps are at generic addresses
    b.operation.offset += static_cast<std::int64_t>(b.function().address_of(operand.elements.front()).address);
  }
  b.operation.space = StateSpace::kGeneric;
  return operand.elements.back();
}

}  // namespace

TensorPieces tensor_pieces(WarpContext& warp, const Operation& operation, std::uint32_t lane) {
  LaneValues maps;
  lane_addresses(warp, operation, LaneMask{1} << lane, maps);
  const LaneCopy lane_copy = copy_of(warp, operation, lane, maps[lane]);
  return {lane_copy.map.box_bytes(), BoxRows(lane_copy.map, lane_copy.copy.origin, lane_copy.copy.offsets).pieces()};
}

void bind_tensor_copy(OperationBuilder& b, bool reduces) {
  b.operation.bytes = take_dimensions(b);
  const bool loads = b.take_space() == StateSpace::kShared;
  if (b.take_space() != (loads ? StateSpace::kGlobal : StateSpace::kShared)) {
    b.fail("expected .shared::cluster.global or .global.shared::cta");
  }
  if (!b.take(loads ? "mbarrier::complete_tx::bytes" : "bulk_group")) {
    b.fail("expected .mbarrier::complete_tx::bytes into shared memory and .bulk_group into global memory");
  }
  const bool offsets = loads && b.take("im2col");
  const bool columns = offsets || b.take("im2col_no_offs");
  if (!columns) {
    b.take("tile");
  } else if (b.operation.bytes < 3) {
    b.fail("columns have three to five dimensions");
  }
  const bool multicast = b.take("multicast::cluster");
  b.take("L2::cache_hint");
  b.operation.count = 0;
  if (reduces) {
    b.operation.count = static_cast<std::uint8_t>(static_cast<std::uint8_t>(take_atomic(b)) + 1);
  }
  const std::uint8_t dimensions = b.operation.bytes;
  const Operand& coordinates = bind_map(b, b.operand(loads ? 1 : 0));
  b.operation.target = b.second_address(loads ? 0 : 1, StateSpace::kShared);
  if (loads) {
    b.second_address(2, StateSpace::kShared);
  }
  b.source_list(coordinates, DataType::kS32, dimensions);
  if (offsets) {
    b.source_list(b.operand(3), DataType::kU16, dimensions - 2U);
  }
  if (multicast) {
    b.operation.c = b.source(offsets ? 4 : 3, DataType::kU16);
  }
  b.operation.variant =
      static_cast<std::uint8_t>((loads ? kLoads : 0) | (columns ? kColumns : 0) | (offsets ? kOffsets : 0));
  b.operation.barrier_role = loads ? BarrierRole::kTensorIn : BarrierRole::kTensorOut;
  b.operation.run = copy_box;
}

}  // namespace warpsim
