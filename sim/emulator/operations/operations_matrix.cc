// Products of matrices: mma and wmma.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/warp_context.h"
#include "emulator/matrix/matrix_product.h"
#include "emulator/matrix/matrix_quads.h"
#include "emulator/matrix/matrix_words.h"
#include "emulator/memory/memory_access.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;
using Layout = Fragment::Layout;

// Registers of an operand, entered into the function's lists.
Fragment fragment_of(OperationBuilder& b, const Operand& operand, const Fragment& shape) {
  Fragment fragment = shape;
  const DataType type = shape.type == MatrixType::kF64 ? DataType::kF64 : DataType::kB32;
  fragment.registers = operand.kind == Operand::Kind::kVector ? static_cast<std::uint32_t>(operand.elements.size()) : 1;
  const std::uint32_t held = fragment.registers * fragment.elements_per_register() * kWarpSize;
  const std::uint32_t needed = shape.rows * shape.columns;
  const bool is_wmma = shape.layout == Layout::kLinear || shape.layout == Layout::kLinearColumns;
  if ((is_wmma ? held < needed || held % needed != 0 : held != needed) || !fragment.find_places()) {
    b.fail(fmt::format("{} registers cannot hold a matrix of {} by {} elements", fragment.registers, shape.rows,
                       shape.columns));
  }
  fragment.first = b.source_list(operand, type, fragment.registers);
  return fragment;
}

void multiply(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  execute(warp, warp.product(operation.target));
}

void take_members(OperationBuilder& b) {
  b.take("sync");
  b.take("aligned");
  b.operation.control = Control::kWarpSync;
  b.operation.e = b.constant(kAllLanes, 4);
}

void finish_product(OperationBuilder& b, MatrixProduct product) {
  product.saturates = b.take("satfinite");
  b.take("popc");
  product.rounding = take_rounding(b);
  if (product.rounding != Rounding::kNearestEven && product.d.type != MatrixType::kF64) {
    b.fail("only doubles are rounded as stated");
  }
  if (b.take("and")) {
    product.bits = BitProduct::kAnd;
  } else {
    b.take("xor");
  }
  if (is_integer(product.a.type) != is_integer(product.d.type) ||
      is_integer(product.a.type) != is_integer(product.b.type)) {
    b.fail("these types cannot be combined");
  }
  // A with all columns, also those that a sparse one does not store.
  if (product.d.columns % 8 != 0 || product.a.rows * product.b.rows > most_elements(product.a.type)) {
    b.fail("this shape is not supported");
  }
  std::vector<MatrixProduct>& products = b.function().code().products;
  b.operation.target = static_cast<std::uint32_t>(products.size());
  products.push_back(product);
  b.operation.run = multiply;
}

// Metadata and selector of a sparse product.
void take_metadata(OperationBuilder& b, const MatrixShape& shape, MatrixProduct& product) {
  constexpr std::uint32_t kSparseRows = 16;
  const Operand& selector = b.operand(5);
  const std::uint32_t bits = bits_of(product.a.type);
  // Lanes of a quad that have metadata of one product: 1, 2 or 4.
  const std::uint32_t lanes = shape.k * (bits >= 16 ? bits : 2 * bits) / 256;
  if (shape.m != kSparseRows || bits < 4 || bits > 32 || lanes == 0 || lanes > 4) {
    b.fail("this shape is not supported");
  }
  if (selector.kind != Operand::Kind::kInteger || selector.bits * lanes >= 4) {
    b.fail("there is no such selector of metadata");
  }
  product.is_sparse = true;
  product.sparse = {product.a.type, shape.k, static_cast<std::uint32_t>(selector.bits)};
  product.metadata = b.source(4, DataType::kB32);
}

void bind_mma(OperationBuilder& b) {
  take_members(b);
  const bool sparse = b.take("sp") || b.take("sp::ordered_metadata");
  if (is_quad_product(b.instruction())) {
    bind_quad_product(b);
    return;
  }
  const MatrixShape shape = take_matrix_shape(b);
  b.take("row");
  b.take("col");
  const MatrixType d = take_needed_matrix_type(b);
  const MatrixType left = take_needed_matrix_type(b);
  const MatrixType right = take_needed_matrix_type(b);
  const MatrixType c = take_needed_matrix_type(b);
  if (shape.n != 8) {
    b.fail("this shape is not supported");
  }
  MatrixProduct product;
  product.d = fragment_of(b, b.operand(0), {Layout::kAccumulator, d, shape.m, shape.n, 0, 0});
  product.a = fragment_of(b, b.operand(1), {Layout::kRowsByGroup, left, shape.m, sparse ? shape.k / 2 : shape.k, 0, 0});
  product.b = fragment_of(b, b.operand(2), {Layout::kColumnsByGroup, right, shape.k, shape.n, 0, 0});
  product.c = fragment_of(b, b.operand(3), {Layout::kAccumulator, c, shape.m, shape.n, 0, 0});
  if (sparse) {
    take_metadata(b, shape, product);
  }
  finish_product(b, product);
}

// --- wmma ---

// Adds to each lane's address of a matrix the offset of one element that the lane holds.
// operation.variant: 1 if memory holds columns. b: distance of rows or columns in elements.
void add_fragment_offsets(const WarpContext& warp, const Operation& operation, std::uint32_t reg, std::uint32_t element,
                          LaneValues& addresses) {
  const Fragment& fragment = warp.product(operation.target).d;
  const std::uint32_t bits = bits_of(fragment.type);
  const auto* const strides = warp.read<std::uint32_t>(operation.b);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t index = fragment.place(lane, reg, element);
    const std::uint32_t row = index / fragment.columns;
    const std::uint32_t column = index % fragment.columns;
    const std::uint64_t stride = strides[lane];
    const std::uint64_t offset = operation.variant != 0 ? column * stride + row : row * stride + column;
    addresses[lane] += offset * bits / 8;
  }
}

void move_fragment(WarpContext& warp, const Operation& operation, bool loads) {
  const MatrixProduct& entry = warp.product(operation.target);
  const Fragment& fragment = entry.d;
  const std::uint32_t bits = bits_of(fragment.type);
  const std::uint32_t elements = fragment.elements_per_register();
  // Elements below a byte are adjacent in memory and in registers, and move together.
  const std::uint32_t at_once = std::max(1U, bits < 8 ? elements : 1U);
  const std::uint32_t bytes = bits * at_once / 8;
  LaneValues bases;
  lane_addresses(warp, operation, kAllLanes, bases);
  for (std::uint32_t reg = 0; reg < fragment.registers; ++reg) {
    const OperandPlace place = warp.lists[fragment.first + reg];
    for (std::uint32_t element = 0; element < elements; element += at_once) {
      LaneValues addresses = bases;
      add_fragment_offsets(warp, operation, reg, element, addresses);
      const LanePointers pointers =
          resolve(warp, operation, addresses, kAllLanes, bytes, loads ? AccessKind::kRead : AccessKind::kWrite);
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const bool is_wide = fragment.type == MatrixType::kF64;
        std::byte* const reg_bytes =
            warp.registers + place + std::size_t{lane} * (is_wide ? 8 : 4) + std::size_t{element} * bits / 8;
        if (loads) {
          std::memcpy(reg_bytes, pointers.lane[lane], bytes);
        } else {
          std::memcpy(pointers.lane[lane], reg_bytes, bytes);
        }
      }
    }
  }
}

void load_fragment(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  move_fragment(warp, operation, true);
}

void store_fragment(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  move_fragment(warp, operation, false);
}

Fragment shape_of_operand(char which, const MatrixShape& shape, MatrixType type) {
  switch (which) {
    case 'a':
      return {Layout::kLinear, type, shape.m, shape.k, 0, 0};
    case 'b':
      return {Layout::kLinearColumns, type, shape.k, shape.n, 0, 0};
    default:
      return {Layout::kLinear, type, shape.m, shape.n, 0, 0};
  }
}

void bind_wmma_move(OperationBuilder& b, bool loads) {
  take_members(b);
  const char which = b.take("a") ? 'a' : b.take("b") ? 'b' : b.take("c") ? 'c' : 'd';
  if (which == 'd') {
    b.take("d");
  }
  const bool columns = b.take("col");
  b.take("row");
  const MatrixShape shape = take_matrix_shape(b);
  b.operation.space = b.take_space();
  const MatrixType type = take_needed_matrix_type(b);
  const std::size_t registers = loads ? 0 : 1;
  const std::size_t memory = loads ? 1 : 0;
  b.operation.effect = Effect::kShared;
  b.operation.reach = loads ? EffectReach::kRead : EffectReach::kStore;
  b.operation.variant = columns ? 1 : 0;
  b.address(memory);
  b.operation.addresses = AddressForm::kFragment;
  MatrixProduct entry;
  entry.d = fragment_of(b, b.operand(registers), shape_of_operand(which, shape, type));
  const std::uint32_t dense = columns ? entry.d.rows : entry.d.columns;
  b.operation.b = b.operands() > 2 ? b.source(2, DataType::kU32) : b.constant(dense, 4);
  std::vector<MatrixProduct>& products = b.function().code().products;
  b.operation.target = static_cast<std::uint32_t>(products.size());
  products.push_back(entry);
  b.operation.run = loads ? load_fragment : store_fragment;
}

void bind_wmma(OperationBuilder& b) {
  if (b.take("load")) {
    bind_wmma_move(b, true);
    return;
  }
  if (b.take("store")) {
    bind_wmma_move(b, false);
    return;
  }
  if (!b.take("mma")) {
    b.fail("expected .load, .store or .mma");
  }
  take_members(b);
  b.take("row");
  b.take("col");
  b.take("row");
  b.take("col");
  const MatrixShape shape = take_matrix_shape(b);
  const MatrixType d = take_needed_matrix_type(b);
  MatrixType left = MatrixType::kF16;
  MatrixType right = MatrixType::kF16;
  MatrixType c = take_needed_matrix_type(b);
  if (const std::optional<MatrixType> third = take_matrix_type(b)) {
    left = c;
    right = *third;
    c = take_needed_matrix_type(b);
  }
  MatrixProduct product;
  product.d = fragment_of(b, b.operand(0), shape_of_operand('d', shape, d));
  product.a = fragment_of(b, b.operand(1), shape_of_operand('a', shape, left));
  product.b = fragment_of(b, b.operand(2), shape_of_operand('b', shape, right));
  product.c = fragment_of(b, b.operand(3), shape_of_operand('c', shape, c));
  finish_product(b, product);
}

constexpr auto kMatrixOperations = std::to_array<OpcodeBinder>({
    {"mma", bind_mma},
    {"wmma", bind_wmma},
});

}  // namespace

std::span<const OpcodeBinder> matrix_operations() {
  return kMatrixOperations;
}

}  // namespace warpsim
