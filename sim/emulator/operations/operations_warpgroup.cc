// Matrix products of a warpgroup: wgmma. Each of its four warps computes its 16 rows of D when it reaches the
// instruction: a program that fences, commits and waits correctly cannot observe this.
//
// Floating-point products are added as tensor cores add them (tensor_sum.h).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/matrix/matrix_words.h"
#include "emulator/matrix/shared_matrix.h"
#include "emulator/matrix/sparse_matrix.h"
#include "emulator/matrix/tensor_sum.h"
#include "emulator/matrix/warpgroup_form.h"
#include "emulator/memory/memory_access.h"
#include "emulator/numbers/half_float.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;

constexpr std::uint32_t kRows = 16;  // of A and D, per warp
constexpr std::uint32_t kWarps = 4;
constexpr std::uint32_t kMostColumns = 256;
constexpr std::uint32_t kMostDepth = 64;  // elements of A's rows; bits are packed in words

template <class Value>
Value element_of(MatrixType type, std::uint32_t bits) {
  if constexpr (std::is_same_v<Value, float>) {
    switch (type) {
      case MatrixType::kF16:
        return to_single(Half{static_cast<std::uint16_t>(bits)});
      case MatrixType::kBf16:
        return to_single(Brain{static_cast<std::uint16_t>(bits)});
      default:
        return static_cast<float>(float_element(type, bits));
    }
  } else {
    return type == MatrixType::kB1 ? static_cast<Value>(bits) : static_cast<Value>(integer_element(type, bits));
  }
}

// Elements of A and B, and sums, of one warp. Bits are packed in words, 32 per element.
template <class Value, class Sum>
struct Tile {
  std::uint32_t depth = 0;
  std::uint32_t stored = 0;  // of them in A, which has rows of `stored` elements until it is expanded
  std::uint32_t columns = 0;
  std::array<Value, std::size_t{kRows} * kMostDepth> a;
  std::array<Value, std::size_t{kMostDepth} * kMostColumns> b;  // row k has `columns` elements
  std::array<Sum, std::size_t{kRows} * kMostColumns> sum;
};

std::uint32_t element_bytes(MatrixType type) {
  return type == MatrixType::kB1 ? 4 : bits_of(type) / 8;
}

struct Source {
  WarpContext& warp;
  const Operation& operation;
  SharedMatrix matrix;
  MatrixType type;
  bool along_rows;
};

// Calls put(row, k, value) for rows from `first` on, `count` of them.
template <class Value, class Put>
void read_shared(const Source& source, std::uint32_t first, std::uint32_t count, std::uint32_t depth, Put&& put) {
  const std::uint32_t bytes = element_bytes(source.type);
  const std::uint32_t elements = SharedMatrix::kUnitBytes / bytes;
  const auto read_unit = [&](std::uint32_t address, auto&& place) {
    const std::byte* const unit =
        shared_range(source.warp, source.operation, 0, {address, SharedMatrix::kUnitBytes, AccessKind::kRead});
    for (std::uint32_t i = 0; i < elements; ++i) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, unit + std::size_t{i} * bytes, bytes);
      place(i, element_of<Value>(source.type, bits));
    }
  };
  if (source.along_rows) {
    for (std::uint32_t row = 0; row < count; row += elements) {
      for (std::uint32_t k = 0; k < depth; ++k) {
        read_unit(source.matrix.unit_along_rows(first + row, k),
                  [&](std::uint32_t i, Value value) { put(row + i, k, value); });
      }
    }
    return;
  }
  for (std::uint32_t row = 0; row < count; ++row) {
    for (std::uint32_t unit = 0; unit < depth / elements; ++unit) {
      read_unit(source.matrix.unit_along_k(first + row, unit),
                [&](std::uint32_t i, Value value) { put(row, unit * elements + i, value); });
    }
  }
}

SharedMatrix matrix_at(const WarpContext& warp, const Operation& operation, OperandPlace place) {
  const SharedMatrix matrix = SharedMatrix::decode(warp.read<std::uint64_t>(place)[0]);
  if (matrix.base_offset != 0) {
    warp.fault(FaultKind::kIllegalInstruction, operation, 0,
               "a matrix descriptor with a base offset, which is not supported");
  }
  return matrix;
}

template <class Value, class Sum>
void read_factors(WarpContext& warp, const Operation& operation, const WarpgroupForm& form, Tile<Value, Sum>& tile) {
  if (form.a_in_registers) {
    const Fragment fragment{Fragment::Layout::kRowsByGroup, form.a, kRows, tile.stored, 0, 4};
    const std::uint32_t bytes = element_bytes(form.a);
    for (std::uint32_t reg = 0; reg < 4; ++reg) {
      const auto* const words = warp.read<std::uint32_t>(warp.lists[static_cast<std::uint32_t>(operation.a) + reg]);
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        for (std::uint32_t i = 0; i < 4 / bytes; ++i) {
          const std::uint32_t bits =
              bytes == 4 ? words[lane] : words[lane] >> (8 * bytes * i) & ((1U << 8 * bytes) - 1);
          // A word of 32 bits represents its bits: the layout is that of elements of 32 bits.
          const Fragment place =
              form.a == MatrixType::kB1
                  ? Fragment{Fragment::Layout::kRowsByGroup, MatrixType::kS32, kRows, tile.stored, 0, 4}
                  : fragment;
          tile.a[place.place(lane, reg, i)] = element_of<Value>(form.a, bits);
        }
      }
    }
  } else {
    const Source source{warp, operation, matrix_at(warp, operation, operation.a), form.a, form.a_along_rows};
    read_shared<Value>(source, warp.index % kWarps * kRows, kRows, tile.stored,
                       [&](std::uint32_t row, std::uint32_t k, Value value) { tile.a[row * tile.stored + k] = value; });
  }
  const Source source{warp, operation, matrix_at(warp, operation, operation.b), form.b, form.b_along_rows};
  read_shared<Value>(source, 0, tile.columns, tile.depth, [&](std::uint32_t column, std::uint32_t k, Value value) {
    tile.b[k * tile.columns + column] = value;
  });
}

// Calls visit(register, half of it, row, column) for the elements of D that a lane holds.
template <class Visit>
void each_of_lane(std::uint32_t columns, bool packed, std::uint32_t lane, Visit&& visit) {
  for (std::uint32_t block = 0; block < columns / 8; ++block) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t row = lane / 4 + 8 * (i / 2);
      const std::uint32_t column = 8 * block + lane % 4 * 2 + i % 2;
      visit(packed ? block * 2 + i / 2 : block * 4 + i, packed ? i % 2 : 0, row, column);
    }
  }
}

template <class Sum>
Sum initial_sum(MatrixType type, std::uint32_t word, std::uint32_t half) {
  if constexpr (std::is_same_v<Sum, double>) {
    return type == MatrixType::kF16 ? to_single(Half{static_cast<std::uint16_t>(word >> (16 * half))})
                                    : std::bit_cast<float>(word);
  } else {
    return static_cast<std::int32_t>(word);
  }
}

std::uint32_t result_word(const WarpgroupForm& form, double sum) {
  return static_cast<std::uint32_t>(float_bits(form.d, sum));
}
std::uint32_t result_word(const WarpgroupForm& form, std::int64_t sum) {
  if (form.saturates) {
    sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                   std::numeric_limits<std::int32_t>::max());
  }
  return static_cast<std::uint32_t>(sum);
}

void add_float_products(const WarpContext& warp, const WarpgroupForm& form, Tile<float, double>& tile) {
  if (form.negates) {
    std::transform(tile.a.begin(), tile.a.begin() + std::size_t{kRows} * tile.depth, tile.a.begin(), std::negate<>{});
  }
  TensorSum how = tensor_sum(warp.launch->capability, form.a, form.b, form.d);
  how.step *= form.sparse ? 2 : 1;
  add_products(how, {kRows, tile.depth, tile.columns}, tile.a.data(), tile.b.data(), tile.sum.data());
}

template <class Value, class Sum>
void add_integers(Tile<Value, Sum>& tile) {
  for (std::uint32_t row = 0; row < kRows; ++row) {
    Sum* const sum = tile.sum.data() + row * tile.columns;
    for (std::uint32_t k = 0; k < tile.depth; ++k) {
      const Value* const b = tile.b.data() + k * tile.columns;
      const Value a = tile.a[row * tile.depth + k];
      if constexpr (std::is_same_v<Value, std::uint32_t>) {
        for (std::uint32_t column = 0; column < tile.columns; ++column) {
          sum[column] += std::popcount(a & b[column]);
        }
      } else {
        const Sum left = a;
        for (std::uint32_t column = 0; column < tile.columns; ++column) {
          sum[column] += left * static_cast<Sum>(b[column]);
        }
      }
    }
  }
}

// Puts the stored elements of A to their columns.
template <class Value, class Sum>
void expand(const WarpContext& warp, const Operation& operation, const WarpgroupForm& form, Tile<Value, Sum>& tile) {
  const SparseMatrix sparse{form.a, tile.depth, form.selector};
  const std::vector<Value> stored(tile.a.begin(), tile.a.begin() + std::size_t{kRows} * tile.stored);
  sparse.expand(warp.read<std::uint32_t>(operation.p), kRows, stored.data(), tile.a.data());
}

// operation: d: first of D's entries in the lists, a: A's first, or its descriptor; b: descriptor; c: predicate: D is
// added to; offset: the form, target: columns, count: elements along K;
// p: metadata of a sparse A.
template <class Value, class Sum>
void multiply(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  const WarpgroupForm form = WarpgroupForm::unpacked(operation.offset);
  Tile<Value, Sum> tile;
  tile.depth = operation.count;
  tile.stored = form.sparse ? tile.depth / 2 : tile.depth;
  tile.columns = operation.target;
  read_factors(warp, operation, form, tile);
  if (form.sparse) {
    expand(warp, operation, form, tile);
  }
  const bool packed = form.d == MatrixType::kF16;
  const OperandPlace* const registers = warp.lists + operation.d;
  const bool adds = (warp.predicate(operation.c) & 1U) != 0;
  if (adds) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      each_of_lane(tile.columns, packed, lane,
                   [&](std::uint32_t reg, std::uint32_t half, std::uint32_t row, std::uint32_t column) {
                     tile.sum[row * tile.columns + column] =
                         initial_sum<Sum>(form.d, warp.read<std::uint32_t>(registers[reg])[lane], half);
                   });
    }
  } else {
    std::fill_n(tile.sum.begin(), kRows * tile.columns, Sum{});
  }
  if constexpr (std::is_same_v<Value, float>) {
    add_float_products(warp, form, tile);
  } else {
    add_integers(tile);
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    each_of_lane(tile.columns, packed, lane,
                 [&](std::uint32_t reg, std::uint32_t half, std::uint32_t row, std::uint32_t column) {
                   std::uint32_t& word = warp.write<std::uint32_t>(registers[reg])[lane];
                   const std::uint32_t result = result_word(form, tile.sum[row * tile.columns + column]);
                   word = !packed ? result : half == 0 ? result : word | result << 16U;
                 });
  }
}

// --- binders ---

bool takes_part(MatrixType type) {
  switch (type) {
    case MatrixType::kF16:
    case MatrixType::kBf16:
    case MatrixType::kTf32:
    case MatrixType::kE4m3:
    case MatrixType::kE5m2:
    case MatrixType::kU8:
    case MatrixType::kS8:
    case MatrixType::kB1:
      return true;
    default:
      return false;
  }
}

void check_types(OperationBuilder& b, const MatrixShape& shape, const WarpgroupForm& form) {
  constexpr std::uint32_t kRowBits = 256;  // of A, in all types
  constexpr std::uint32_t kGroupRows = 64;
  if (!takes_part(form.a) || !takes_part(form.b) || bits_of(form.a) != bits_of(form.b) ||
      is_integer(form.a) != (form.d == MatrixType::kS32) ||
      (form.d != MatrixType::kS32 && form.d != MatrixType::kF32 && form.d != MatrixType::kF16)) {
    b.fail("these types cannot be combined");
  }
  if (shape.m != kGroupRows || shape.n % 8 != 0 || shape.n == 0 || shape.n > kMostColumns ||
      shape.k * bits_of(form.a) != (form.sparse ? 2 : 1) * kRowBits || (form.sparse && form.a == MatrixType::kB1)) {
    b.fail("this shape is not supported");
  }
}

// 1 or -1.
bool take_sign(OperationBuilder& b, std::size_t operand) {
  const Operand& sign = b.operand(operand);
  if (sign.kind != Operand::Kind::kInteger || (sign.bits != 1 && sign.bits != ~std::uint64_t{0})) {
    b.fail("a factor is 1 or -1");
  }
  return sign.bits != 1;
}

bool take_transposition(OperationBuilder& b, std::size_t operand) {
  const Operand& flag = b.operand(operand);
  if (flag.kind != Operand::Kind::kInteger || flag.bits > 1) {
    b.fail("a transposition is 0 or 1");
  }
  return flag.bits != 0;
}

void bind_product(OperationBuilder& b) {
  WarpgroupForm form;
  form.sparse = b.take("sp");
  const MatrixShape shape = take_matrix_shape(b);
  form.d = take_needed_matrix_type(b);
  form.a = take_needed_matrix_type(b);
  form.b = take_needed_matrix_type(b);
  form.saturates = b.take("satfinite");
  if (form.a == MatrixType::kB1 && (!b.take("and") || !b.take("popc"))) {
    b.fail("expected .and.popc");
  }
  check_types(b, shape, form);
  form.a_in_registers = b.operand(1).kind == Operand::Kind::kVector;
  const bool packed = form.d == MatrixType::kF16;
  b.operation.d = static_cast<OperandPlace>(b.destination_list(b.operand(0),
                                                               packed                       ? DataType::kB32
                                                               : form.d == MatrixType::kF32 ? DataType::kF32
                                                                                            : DataType::kS32,
                                                               shape.n / (packed ? 4 : 2)));
  b.operation.a = form.a_in_registers ? static_cast<OperandPlace>(b.source_list(b.operand(1), DataType::kB32, 4))
                                      : b.source(1, DataType::kB64);
  b.operation.b = b.source(2, DataType::kB64);
  std::size_t next = 3;
  if (form.sparse) {
    const Operand& selector = b.operand(4);
    if (selector.kind != Operand::Kind::kInteger || selector.bits > (bits_of(form.a) >= 16 ? 1U : 0U)) {
      b.fail("there is no such selector of metadata");
    }
    form.selector = static_cast<std::uint8_t>(selector.bits);
    b.operation.p = b.source(3, DataType::kB32);
    next += 2;
  }
  b.operation.c = b.predicate_source(next);
  if (b.negates(next)) {
    b.fail("a negated predicate is not possible here");
  }
  if (!is_integer(form.a)) {
    form.negates = take_sign(b, next + 1) != take_sign(b, next + 2);
    if (bits_of(form.a) == 16) {
      form.a_along_rows = !form.a_in_registers && take_transposition(b, next + 3);
      form.b_along_rows = take_transposition(b, next + (form.a_in_registers ? 3 : 4));
    }
  }
  b.operation.offset = form.packed();
  b.operation.target = shape.n;
  b.operation.count = static_cast<std::uint8_t>(form.a == MatrixType::kB1 ? shape.k / 32 : shape.k);
  b.operation.run = form.a == MatrixType::kB1 ? multiply<std::uint32_t, std::int64_t>
                    : is_integer(form.a)      ? multiply<std::int32_t, std::int64_t>
                                              : multiply<float, double>;
}

void bind_warpgroup(OperationBuilder& b) {
  const bool multiplies = b.take("mma_async");
  const bool orders = !multiplies && (b.take("fence") || b.take("commit_group") || b.take("wait_group"));
  if (!multiplies && !orders) {
    b.fail("expected .mma_async, .fence, .commit_group or .wait_group");
  }
  b.take("sync");
  b.take("aligned");
  b.operation.control = Control::kWarpSync;
  b.operation.e = b.constant(kAllLanes, 4);
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kOwn;
  b.operation.space = StateSpace::kShared;  // descriptors have addresses of the block's own memory
  b.operation.run = do_nothing;
  if (multiplies) {
    bind_product(b);
  }
}

constexpr auto kWarpgroupOperations = std::to_array<OpcodeBinder>({
    {"wgmma", bind_warpgroup},
});

}  // namespace

std::span<const OpcodeBinder> warpgroup_operations() {
  return kWarpgroupOperations;
}

}  // namespace warpsim
