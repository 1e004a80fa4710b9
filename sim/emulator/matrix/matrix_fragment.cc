#include "emulator/matrix/matrix_fragment.h"

#include <algorithm>
#include <bit>

#include "base/host_vectors.h"
#include "emulator/matrix/matrix_elements.h"
#include "emulator/numbers/float_rounding.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kGroup = 4;                 // lanes that share a row of an mma fragment
constexpr std::uint32_t kTensorMask = 0xffffe000U;  // kept bits of a .tf32

// Value::of(bits) is the number of an element.
template <class Value, class Word, class Number>
inline void read_all(const WarpContext& warp, const Fragment& fragment, Number* matrix) {
  constexpr std::uint32_t kWordBits = 8 * sizeof(Word);
  const std::uint32_t elements = fragment.elements_per_register();
  const std::uint32_t bits = kWordBits / elements;
  const Word mask = static_cast<Word>(~Word{0}) >> (kWordBits - bits);
  for (std::size_t i = 0; i < fragment.element_places.size(); ++i) {
    const Word* const words = warp.read<Word>(warp.lists[fragment.first + i / elements]);
    const std::size_t shift = i % elements * bits;
    Number numbers[kWarpSize];
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      numbers[lane] = static_cast<Number>(Value::of(words[lane] >> shift & mask));
    }
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      matrix[fragment.element_places[i] + fragment.lane_places[lane]] = numbers[lane];
    }
  }
}

struct HalfValue {
  static float of(std::uint32_t bits) { return half_value(bits); }
};
struct BrainValue {
  static float of(std::uint32_t bits) { return std::bit_cast<float>(bits << 16U); }
};
struct TensorValue {
  static float of(std::uint32_t bits) { return std::bit_cast<float>(bits & kTensorMask); }
};
struct SingleValue {
  static float of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
};
struct DoubleValue {
  static double of(std::uint64_t bits) { return std::bit_cast<double>(bits); }
};
struct E4m3Value {
  static float of(std::uint32_t bits) { return e4m3_value(bits); }
};
struct E5m2Value {
  static float of(std::uint32_t bits) { return e5m2_value(bits); }
};
struct UnsignedValue {
  static std::int32_t of(std::uint32_t bits) { return static_cast<std::int32_t>(bits); }
};
struct ByteValue {
  static std::int32_t of(std::uint32_t bits) { return static_cast<std::int8_t>(bits); }
};
struct NibbleValue {
  static std::int32_t of(std::uint32_t bits) { return static_cast<std::int32_t>(bits << 28U) >> 28; }
};

template <class Number>
void read_floats(const WarpContext* warp, const Fragment* fragment, Number* matrix) {
  switch (fragment->type) {
    case MatrixType::kF16:
      return read_all<HalfValue, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kBf16:
      return read_all<BrainValue, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kTf32:
      return read_all<TensorValue, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kE4m3:
      return read_all<E4m3Value, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kE5m2:
      return read_all<E5m2Value, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kF64:
      return read_all<DoubleValue, std::uint64_t>(*warp, *fragment, matrix);
    default:
      return read_all<SingleValue, std::uint32_t>(*warp, *fragment, matrix);
  }
}

void read_integers(const WarpContext* warp, const Fragment* fragment, std::int32_t* matrix) {
  switch (fragment->type) {
    case MatrixType::kS8:
      return read_all<ByteValue, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kS4:
      return read_all<NibbleValue, std::uint32_t>(*warp, *fragment, matrix);
    default:
      return read_all<UnsignedValue, std::uint32_t>(*warp, *fragment, matrix);
  }
}

// Bits::of(number) are those of an element.
template <class Bits, class Word, class Number>
inline void write_all(WarpContext& warp, const Fragment& fragment, const Number* matrix) {
  constexpr std::uint32_t kWordBits = 8 * sizeof(Word);
  const std::uint32_t elements = fragment.elements_per_register();
  std::size_t index = 0;
  for (std::uint32_t reg = 0; reg < fragment.registers; ++reg) {
    Word words[kWarpSize] = {};
    for (std::uint32_t element = 0; element < elements; ++element, ++index) {
      Number numbers[kWarpSize];
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        numbers[lane] = matrix[fragment.element_places[index] + fragment.lane_places[lane]];
      }
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        words[lane] |= static_cast<Word>(Bits::of(numbers[lane])) << (element * (kWordBits / elements));
      }
    }
    Word* const place = warp.write<Word>(warp.lists[fragment.first + reg]);
    std::copy_n(words, kWarpSize, place);
  }
}

struct HalfBits {
  static std::uint32_t of(double number) { return half_bits(rounded_to_half(number)); }
};
struct BrainBits {
  static std::uint32_t of(double number) { return to_half<Brain>(static_cast<float>(number)).bits; }
};
struct SingleBits {
  static std::uint32_t of(double number) { return std::bit_cast<std::uint32_t>(canonical(static_cast<float>(number))); }
};
struct DoubleBits {
  static std::uint64_t of(double number) { return std::bit_cast<std::uint64_t>(number); }
};
struct IntegerBits {
  static std::uint32_t of(std::int32_t number) { return static_cast<std::uint32_t>(number); }
};

void write_floats(WarpContext* warp, const Fragment* fragment, const double* matrix) {
  switch (fragment->type) {
    case MatrixType::kF16:
      return write_all<HalfBits, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kBf16:
      return write_all<BrainBits, std::uint32_t>(*warp, *fragment, matrix);
    case MatrixType::kF64:
      return write_all<DoubleBits, std::uint64_t>(*warp, *fragment, matrix);
    default:
      return write_all<SingleBits, std::uint32_t>(*warp, *fragment, matrix);
  }
}

}  // namespace

std::int64_t integer_element(MatrixType type, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  switch (type) {
    case MatrixType::kS8:
      return ByteValue::of(word);
    case MatrixType::kS4:
      return NibbleValue::of(word);
    default:
      return UnsignedValue::of(word);
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

std::uint32_t most_elements(MatrixType type) {
  return is_integer(type) && type != MatrixType::kS32 ? kMostIntegers : kMostElements;
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
  switch (type) {
    case MatrixType::kF16:
      return HalfValue::of(word);
    case MatrixType::kBf16:
      return BrainValue::of(word);
    case MatrixType::kTf32:
      return TensorValue::of(word);
    case MatrixType::kE4m3:
      return E4m3Value::of(word);
    case MatrixType::kE5m2:
      return E5m2Value::of(word);
    case MatrixType::kF64:
      return DoubleValue::of(bits);
    default:
      return SingleValue::of(word);
  }
}

std::uint64_t float_bits(MatrixType type, double value) {
  switch (type) {
    case MatrixType::kF16:
      return HalfBits::of(value);
    case MatrixType::kBf16:
      return BrainBits::of(value);
    case MatrixType::kF64:
      return DoubleBits::of(value);
    default:
      return SingleBits::of(value);
  }
}

bool Fragment::find_places() {
  const std::uint32_t elements = elements_per_register();
  const std::uint32_t of_lane = registers * elements;
  if (!std::has_single_bit(rows) || !std::has_single_bit(columns) || !std::has_single_bit(of_lane) ||
      rows * columns > most_elements(type)) {
    return false;
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    lane_places[lane] = static_cast<std::uint16_t>(place(lane, 0, 0));
  }
  element_places.clear();
  for (std::uint32_t i = 0; i < of_lane; ++i) {
    element_places.push_back(static_cast<std::uint16_t>(place(0, i / elements, i % elements)));
  }
  return true;
}

void read_fragment(const WarpContext& warp, const Fragment& fragment, float* matrix) {
  call_for_host<read_floats<float>>(&warp, &fragment, matrix);
}

void read_fragment(const WarpContext& warp, const Fragment& fragment, double* matrix) {
  call_for_host<read_floats<double>>(&warp, &fragment, matrix);
}

void read_fragment(const WarpContext& warp, const Fragment& fragment, std::int32_t* matrix) {
  call_for_host<read_integers>(&warp, &fragment, matrix);
}

void write_fragment(WarpContext& warp, const Fragment& fragment, const double* matrix) {
  call_for_host<write_floats>(&warp, &fragment, matrix);
}

void write_fragment(WarpContext& warp, const Fragment& fragment, const std::int32_t* matrix) {
  write_all<IntegerBits, std::uint32_t>(warp, fragment, matrix);
}

}  // namespace warpsim
