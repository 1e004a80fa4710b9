#include "emulator/matrix/matrix_quads.h"

#include <array>
#include <bit>

#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/matrix/matrix_words.h"
#include "emulator/matrix/tensor_sum.h"
#include "emulator/numbers/half_float.h"

namespace warpsim {

namespace {

using ptx::DataType;

constexpr std::uint32_t kSide = 8;
constexpr std::uint32_t kDepth = 4;
constexpr std::uint32_t kQuads = 4;        // products
constexpr std::uint32_t kUpperLanes = 16;  // from here on lanes hold the second four rows or columns

// Operation::variant.
enum Form : std::uint8_t { kRowsOfA = 1, kColumnsOfB = 2, kSingleC = 4, kSingleD = 8 };

std::uint32_t upper(std::uint32_t lane) {
  return lane < kUpperLanes ? 0 : 4;
}

std::uint32_t quad_of(std::uint32_t lane) {
  return lane % kUpperLanes / 4;
}

struct Place {
  std::uint32_t row;
  std::uint32_t column;
};

// Of the element of C or D in a register of 32 bits.
Place single_place(std::uint32_t lane, std::uint32_t i) {
  return {(lane & 1U) + (i & 2U) + upper(lane), (i & 4U) + (lane & 2U) + (i & 1U)};
}
Place half_place(std::uint32_t lane, std::uint32_t i) {
  return {lane % 4 + upper(lane), i};
}

std::uint32_t half_at(const WarpContext& warp, std::uint32_t list, std::uint32_t lane, std::uint32_t i) {
  return warp.read<std::uint32_t>(warp.lists[list + i / 2])[lane] >> (i % 2 * 16) & 0xffffU;
}

double value(std::uint32_t half) {
  return to_single(Half{static_cast<std::uint16_t>(half)});
}

// Lists: D, A, B and C, one after another from operation.target on.
void multiply(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  const bool single_c = (operation.variant & kSingleC) != 0;
  const bool single_d = (operation.variant & kSingleD) != 0;
  const std::uint32_t d = operation.target;
  const std::uint32_t a = d + (single_d ? 8 : 4);
  const std::uint32_t b = a + 2;
  const std::uint32_t c = b + 2;
  double left[kQuads][kSide][kDepth];
  double right[kQuads][kDepth][kSide];
  double sum[kQuads][kSide][kSide];
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t quad = quad_of(lane);
    for (std::uint32_t i = 0; i < kDepth; ++i) {
      const double of_a = value(half_at(warp, a, lane, i));
      const double of_b = value(half_at(warp, b, lane, i));
      if ((operation.variant & kRowsOfA) != 0) {
        left[quad][lane % 4 + upper(lane)][i] = of_a;
      } else {
        left[quad][i + upper(lane)][lane % 4] = of_a;
      }
      if ((operation.variant & kColumnsOfB) != 0) {
        right[quad][i][lane % 4 + upper(lane)] = of_b;
      } else {
        right[quad][lane % 4][i + upper(lane)] = of_b;
      }
    }
    for (std::uint32_t i = 0; i < kSide; ++i) {
      const Place place = single_c ? single_place(lane, i) : half_place(lane, i);
      sum[quad][place.row][place.column] = single_c
                                               ? std::bit_cast<float>(warp.read<std::uint32_t>(warp.lists[c + i])[lane])
                                               : value(half_at(warp, c, lane, i));
    }
  }
  const TensorSum how = tensor_sum(warp.launch->capability, MatrixType::kF16, MatrixType::kF16,
                                   single_d ? MatrixType::kF32 : MatrixType::kF16);
  for (std::uint32_t quad = 0; quad < kQuads; ++quad) {
    add_products(how, {kSide, kDepth, kSide}, left[quad][0], right[quad][0], sum[quad][0]);
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const auto& own = sum[quad_of(lane)];
    for (std::uint32_t i = 0; i < kSide; ++i) {
      const Place place = single_d ? single_place(lane, i) : half_place(lane, i);
      const double element = own[place.row][place.column];
      if (single_d) {
        warp.write<std::uint32_t>(warp.lists[d + i])[lane] =
            static_cast<std::uint32_t>(float_bits(MatrixType::kF32, element));
        continue;
      }
      std::uint32_t& word = warp.write<std::uint32_t>(warp.lists[d + i / 2])[lane];
      const std::uint32_t half = to_half<Half>(element).bits;
      word = i % 2 == 0 ? half : word | half << 16U;
    }
  }
}

// The layout words, in order: A, then B.
bool take_layout(OperationBuilder& b, bool rows) {
  const bool found = b.take(rows ? "row" : "col");
  if (!found && !b.take(rows ? "col" : "row")) {
    b.fail("expected the layouts of A and B");
  }
  return found;
}

}  // namespace

bool is_quad_product(const ptx::Instruction& instruction) {
  bool shape = false;
  bool halves = false;
  for (const std::string_view word : instruction.modifiers) {
    shape = shape || word == "m8n8k4";
    halves = halves || word == "f16";
  }
  return shape && halves;
}

void bind_quad_product(OperationBuilder& b) {
  take_matrix_shape(b);
  std::array<std::string_view, 2> layouts = {};
  std::size_t found = 0;
  for (const std::string_view word : b.instruction().modifiers) {
    if ((word == "row" || word == "col") && found < layouts.size()) {
      layouts[found++] = word;
    }
  }
  take_layout(b, layouts[0] == "row");
  take_layout(b, layouts[1] == "row");
  const MatrixType d = take_needed_matrix_type(b);
  const MatrixType left = take_needed_matrix_type(b);
  const MatrixType right = take_needed_matrix_type(b);
  const MatrixType c = take_needed_matrix_type(b);
  const auto of_sum = [](MatrixType type) { return type == MatrixType::kF16 || type == MatrixType::kF32; };
  if (left != MatrixType::kF16 || right != MatrixType::kF16 || !of_sum(c) || !of_sum(d)) {
    b.fail("these types cannot be combined");
  }
  const bool single_c = c == MatrixType::kF32;
  const bool single_d = d == MatrixType::kF32;
  b.operation.variant =
      static_cast<std::uint8_t>((layouts[0] == "row" ? kRowsOfA : 0) | (layouts[1] == "col" ? kColumnsOfB : 0) |
                                (single_c ? kSingleC : 0) | (single_d ? kSingleD : 0));
  b.operation.target = b.destination_list(b.operand(0), single_d ? DataType::kF32 : DataType::kB32, single_d ? 8 : 4);
  b.source_list(b.operand(1), DataType::kB32, 2);
  b.source_list(b.operand(2), DataType::kB32, 2);
  b.source_list(b.operand(3), single_c ? DataType::kF32 : DataType::kB32, single_c ? 8 : 4);
  b.operation.run = multiply;
}

}  // namespace warpsim
