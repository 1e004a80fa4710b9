#include "emulator/matrix/matrix_fragment.h"

#include <algorithm>
#include <bit>

#include "emulator/numbers/small_float.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kGroup = 4;  // lanes that share a row of an mma fragment

std::uint64_t register_of(const WarpContext& warp, const Fragment& fragment, std::uint32_t reg, std::uint32_t lane) {
  const OperandPlace place = warp.lists[fragment.first + reg];
  return fragment.type == MatrixType::kF64 ? warp.read<std::uint64_t>(place)[lane]
                                           : warp.read<std::uint32_t>(place)[lane];
}

// Calls visit(place in the matrix, bits) for all elements of all lanes.
template <class Visit>
void each_element(const WarpContext& warp, const Fragment& fragment, Visit&& visit) {
  const std::uint32_t bits = bits_of(fragment.type);
  const std::uint32_t elements = fragment.elements_per_register();
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  for (std::uint32_t reg = 0; reg < fragment.registers; ++reg) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t word = register_of(warp, fragment, reg, lane);
      for (std::uint32_t element = 0; element < elements; ++element) {
        visit(fragment.place(lane, reg, element), word >> (element * bits) & mask);
      }
    }
  }
}

template <class BitsOf>
void write_elements(WarpContext& warp, const Fragment& fragment, BitsOf&& bits_at) {
  const std::uint32_t bits = bits_of(fragment.type);
  const std::uint32_t elements = fragment.elements_per_register();
  for (std::uint32_t reg = 0; reg < fragment.registers; ++reg) {
    const OperandPlace place = warp.lists[fragment.first + reg];
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      std::uint64_t word = 0;
      for (std::uint32_t element = 0; element < elements; ++element) {
        word |= bits_at(fragment.place(lane, reg, element)) << (element * bits);
      }
      if (fragment.type == MatrixType::kF64) {
        warp.write<std::uint64_t>(place)[lane] = word;
      } else {
        warp.write<std::uint32_t>(place)[lane] = static_cast<std::uint32_t>(word);
      }
    }
  }
}

}  // namespace

std::int64_t integer_element(MatrixType type, std::uint64_t bits) {
  switch (type) {
    case MatrixType::kS8:
      return static_cast<std::int8_t>(bits);
    case MatrixType::kS4:
      return static_cast<std::int64_t>(bits << 60U) >> 60;
    case MatrixType::kS32:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

std::uint32_t bits_of(MatrixType type) {
  switch (type) {
    case MatrixType::kF16:
    case MatrixType::kBf16:
      return 16;
    case MatrixType::kTf32:
    case MatrixType::kF32:
    case MatrixType::kS32:
      return 32;
    case MatrixType::kF64:
      return 64;
    case MatrixType::kE4m3:
    case MatrixType::kE5m2:
    case MatrixType::kU8:
    case MatrixType::kS8:
      return 8;
    case MatrixType::kU4:
    case MatrixType::kS4:
      return 4;
    case MatrixType::kB1:
      return 1;
  }
  return 32;
}

bool is_integer(MatrixType type) {
  return type == MatrixType::kU8 || type == MatrixType::kS8 || type == MatrixType::kU4 || type == MatrixType::kS4 ||
         type == MatrixType::kB1 || type == MatrixType::kS32;
}

std::uint32_t Fragment::elements_per_register() const {
  return type == MatrixType::kF64 ? 1 : 32 / bits_of(type);
}

std::uint32_t Fragment::place(std::uint32_t lane, std::uint32_t reg, std::uint32_t element) const {
  const std::uint32_t elements = elements_per_register();
  const std::uint32_t group = lane / kGroup;
  const std::uint32_t member = lane % kGroup;
  switch (layout) {
    case Layout::kRowsByGroup: {
      const std::uint32_t halves = rows / 8;  // registers of one block of columns
      const std::uint32_t row = group + 8 * (reg % halves);
      return row * columns + member * elements + element + reg / halves * kGroup * elements;
    }
    case Layout::kColumnsByGroup:
      return (member * elements + element + reg * kGroup * elements) * columns + group;
    case Layout::kAccumulator: {
      const std::uint32_t index = reg * elements + element;  // adjacent pairs, then eight rows below
      return (group + 8 * (index / 2)) * columns + member * 2 + index % 2;
    }
    case Layout::kLinear:
    case Layout::kLinearColumns:
      break;
  }
  const std::uint32_t index = (lane * registers * elements + reg * elements + element) % (rows * columns);
  return layout == Layout::kLinear ? index : index % rows * columns + index / rows;
}

double float_element(MatrixType type, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  constexpr std::uint32_t kTensorMask = 0xffffe000U;  // kept bits of a .tf32
  switch (type) {
    case MatrixType::kF16:
      return decode(kHalfFormat, word);
    case MatrixType::kBf16:
      return decode(kBrainFormat, word);
    case MatrixType::kTf32:
      return std::bit_cast<float>(word & kTensorMask);
    case MatrixType::kE4m3:
      return decode(kE4m3Format, word);
    case MatrixType::kE5m2:
      return decode(kE5m2Format, word);
    case MatrixType::kF64:
      return std::bit_cast<double>(bits);
    default:
      return std::bit_cast<float>(word);
  }
}

std::uint64_t float_bits(MatrixType type, double value) {
  switch (type) {
    case MatrixType::kF16:
      return encode(kHalfFormat, value, Rounding::kNearestEven);
    case MatrixType::kBf16:
      return encode(kBrainFormat, value, Rounding::kNearestEven);
    case MatrixType::kF64:
      return std::bit_cast<std::uint64_t>(value);
    default:
      return std::bit_cast<std::uint32_t>(canonical(static_cast<float>(value)));
  }
}

void read_fragment(const WarpContext& warp, const Fragment& fragment, std::vector<double>& matrix) {
  matrix.assign(std::size_t{fragment.rows} * fragment.columns, 0);
  each_element(warp, fragment,
               [&](std::uint32_t place, std::uint64_t bits) { matrix[place] = float_element(fragment.type, bits); });
}

void read_fragment(const WarpContext& warp, const Fragment& fragment, std::vector<std::int64_t>& matrix) {
  matrix.assign(std::size_t{fragment.rows} * fragment.columns, 0);
  each_element(warp, fragment,
               [&](std::uint32_t place, std::uint64_t bits) { matrix[place] = integer_element(fragment.type, bits); });
}

void write_fragment(WarpContext& warp, const Fragment& fragment, const std::vector<double>& matrix) {
  write_elements(warp, fragment, [&](std::uint32_t place) { return float_bits(fragment.type, matrix[place]); });
}

void write_fragment(WarpContext& warp, const Fragment& fragment, const std::vector<std::int64_t>& matrix) {
  write_elements(warp, fragment, [&](std::uint32_t place) {
    return std::uint64_t{static_cast<std::uint32_t>(static_cast<std::int32_t>(matrix[place]))};
  });
}

}  // namespace warpsim
