// Matrices of eight by eight 16-bit elements between shared memory and registers: ldmatrix, stmatrix, movmatrix.
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/execution/warp_context.h"
#include "emulator/memory/memory_access.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;

constexpr std::uint32_t kSide = 8;

// Lane l holds row l / 4, elements 2 (l % 4) and the next; transposed: of the column.
struct Pair {
  std::uint32_t row;
  std::uint32_t column;
};
Pair held(std::uint32_t lane, std::uint32_t element, bool transposed) {
  const Pair pair{lane / 4, lane % 4 * 2 + element};
  return transposed ? Pair{pair.column, pair.row} : pair;
}

void move_matrices(WarpContext& warp, const Operation& operation, bool loads) {
  LaneValues rows;
  lane_addresses(warp, operation, kAllLanes, rows);
  const LaneMask used = operation.count == 4 ? kAllLanes : (LaneMask{1} << (kSide * operation.count)) - 1;
  const LanePointers pointers =
      resolve(warp, operation, rows, used, kSide * 2, loads ? AccessKind::kRead : AccessKind::kWrite);
  for (std::uint32_t matrix = 0; matrix < operation.count; ++matrix) {
    auto* const reg = reinterpret_cast<std::uint32_t*>(warp.registers + warp.lists[operation.target + matrix]);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      std::array<std::uint16_t, 2> pair{static_cast<std::uint16_t>(reg[lane]),
                                        static_cast<std::uint16_t>(reg[lane] >> 16U)};
      for (std::uint32_t element = 0; element < 2; ++element) {
        const Pair at = held(lane, element, operation.variant != 0);
        std::byte* const memory = pointers.lane[matrix * kSide + at.row] + std::size_t{at.column} * 2;
        if (loads) {
          std::memcpy(&pair[element], memory, 2);
        } else {
          std::memcpy(memory, &pair[element], 2);
        }
      }
      if (loads) {
        reg[lane] = pair[0] | std::uint32_t{pair[1]} << 16U;
      }
    }
  }
}

void load_matrices(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  move_matrices(warp, operation, true);
}

void store_matrices(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  move_matrices(warp, operation, false);
}

void bind_matrices(OperationBuilder& b, bool loads) {
  b.take("sync");
  b.take("aligned");
  b.operation.control = Control::kWarpSync;
  b.operation.e = b.constant(kAllLanes, 4);
  if (!b.take("m8n8")) {
    b.fail("only .m8n8 is there");
  }
  const std::uint32_t count = b.take("x4") ? 4 : b.take("x2") ? 2 : 1;
  b.take("x1");
  b.operation.variant = b.take("trans") ? 1 : 0;
  b.operation.space = b.take_space();
  b.take("b16");
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kBlock;
  b.operation.count = static_cast<std::uint8_t>(count);
  b.address(loads ? 1 : 0);
  b.operation.target = loads ? b.destination_list(b.operand(0), DataType::kB32, count)
                             : b.source_list(b.operand(1), DataType::kB32, count);
  b.operation.run = loads ? load_matrices : store_matrices;
}

void bind_load_matrix(OperationBuilder& b) {
  bind_matrices(b, true);
}

void bind_store_matrix(OperationBuilder& b) {
  bind_matrices(b, false);
}

void transpose(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  std::array<std::uint32_t, kWarpSize> source{};
  std::copy_n(warp.read<std::uint32_t>(operation.a), kWarpSize, source.begin());
  auto* const d = warp.write<std::uint32_t>(operation.d);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    std::uint32_t word = 0;
    for (std::uint32_t element = 0; element < 2; ++element) {
      const Pair at = held(lane, element, true);
      const std::uint32_t from = source[at.row * 4 + at.column / 2] >> (16U * (at.column % 2));
      word |= (from & 0xffffU) << (16U * element);
    }
    d[lane] = word;
  }
}

void bind_transpose(OperationBuilder& b) {
  b.take("sync");
  b.take("aligned");
  b.operation.control = Control::kWarpSync;
  b.operation.e = b.constant(kAllLanes, 4);
  if (!b.take("m8n8") || !b.take("trans") || !b.take("b16")) {
    b.fail("only .m8n8.trans.b16 exists");
  }
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.a = b.source(1, DataType::kB32);
  b.operation.run = transpose;
}

constexpr auto kMatrixMoveOperations = std::to_array<OpcodeBinder>({
    {"ldmatrix", bind_load_matrix},
    {"movmatrix", bind_transpose},
    {"stmatrix", bind_store_matrix},
});

}  // namespace

std::span<const OpcodeBinder> matrix_move_operations() {
  return kMatrixMoveOperations;
}

}  // namespace warpsim
