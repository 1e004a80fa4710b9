// Random and special matrices for products of tensor cores. The recorder on hardware (tests/hardware/tensor_cores) and
// the test of the emulator share this file, so that both multiply the same values. Uses only the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace warpsim::test {

struct NumberFormat {
  int exponent_bits;
  int fraction_bits;
  int bytes;
  bool has_infinity = true;
};
inline constexpr NumberFormat kHalfNumbers{5, 10, 2};
inline constexpr NumberFormat kBrainNumbers{8, 7, 2};
inline constexpr NumberFormat kTensorNumbers{8, 23, 4};  // the lower 13 bits are 0
inline constexpr NumberFormat kSingleNumbers{8, 23, 4};
inline constexpr NumberFormat kDoubleNumbers{11, 52, 8};
inline constexpr NumberFormat kE4m3Numbers{4, 3, 1, false};
inline constexpr NumberFormat kE5m2Numbers{5, 2, 1};

// A kind of product. `seed` and `depth` decide the values.
struct ProductForm {
  std::string_view name;
  NumberFormat factor;
  NumberFormat sum;
  std::uint32_t seed;
  std::uint32_t depth;
  std::uint32_t rows = 16;
  bool of_warpgroup = false;  // four samples have one B
};
inline constexpr ProductForm kProductForms[] = {
    {"mma.f16.k16", kHalfNumbers, kSingleNumbers, 0, 16},
    {"mma.f16.k8", kHalfNumbers, kSingleNumbers, 0, 8},
    {"mma.bf16.k16", kBrainNumbers, kSingleNumbers, 1, 16},
    {"mma.bf16.k8", kBrainNumbers, kSingleNumbers, 1, 8},
    {"mma.f16h.k16", kHalfNumbers, kHalfNumbers, 0, 16},
    {"mma.f16h.k8", kHalfNumbers, kHalfNumbers, 0, 8},
    {"mma.tf32.k8", kTensorNumbers, kSingleNumbers, 2, 8},
    {"mma.tf32.k4", kTensorNumbers, kSingleNumbers, 2, 4},
    {"mma.f64.k4", kDoubleNumbers, kDoubleNumbers, 5, 4, 8},
    {"mma.f64.k16", kDoubleNumbers, kDoubleNumbers, 5, 16},
    {"wgmma.f16", kHalfNumbers, kSingleNumbers, 0, 16, 16, true},
    {"wgmma.bf16", kBrainNumbers, kSingleNumbers, 1, 16, 16, true},
    {"wgmma.tf32", kTensorNumbers, kSingleNumbers, 2, 8, 16, true},
    {"wgmma.e4m3", kE4m3Numbers, kSingleNumbers, 3, 32, 16, true},
    {"wgmma.e5m2", kE5m2Numbers, kSingleNumbers, 4, 32, 16, true},
    {"wgmma.f16h", kHalfNumbers, kHalfNumbers, 0, 16, 16, true},
    {"wgmma.e4m3h", kE4m3Numbers, kHalfNumbers, 3, 32, 16, true},
};

inline constexpr std::uint32_t kSampleColumns = 8;
inline constexpr std::uint32_t kSamples = 320;  // of each form
inline constexpr std::uint32_t kSampleKinds = 5;
inline constexpr std::uint32_t kSamplesOfWarpgroup = 4;

// Near 1; far apart; all exponents; with NaNs, infinities, zeros and subnormal numbers; close together.
inline std::uint32_t kind_of_sample(std::uint32_t sample) {
  return sample / kSamplesOfWarpgroup % kSampleKinds;
}

// Row by row, in their formats.
struct MatrixSample {
  std::vector<std::uint8_t> a;
  std::vector<std::uint8_t> b;
  std::vector<std::uint8_t> c;
};

class SampleNumbers {  // splitmix64
 public:
  explicit SampleNumbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((next() >> 32U) % limit); }

  std::uint64_t element(const NumberFormat& format, std::uint32_t kind) {
    const std::uint64_t bias = (std::uint64_t{1} << (format.exponent_bits - 1)) - 1;
    const auto top = static_cast<std::uint32_t>((std::uint64_t{1} << format.exponent_bits) - 1);
    const std::uint64_t all = (std::uint64_t{1} << format.fraction_bits) - 1;
    const bool wide = format.exponent_bits >= 8;
    std::uint64_t fraction = next() & all;
    const std::uint64_t sign = next() & 1U;
    std::uint64_t exponent = 0;
    switch (kind) {
      case 0:
        exponent = bias - 3 + below(7);
        break;
      case 1: {
        const std::uint64_t span = wide ? 20 : bias - 1;
        exponent = bias - span + below(static_cast<std::uint32_t>(2 * span + 1));
        break;
      }
      case 2:
        exponent = below(top + (format.has_infinity ? 0 : 1));
        fraction = !format.has_infinity && exponent == top && fraction == all ? all - 1 : fraction;
        if (wide) {
          exponent = below(8) == 0 ? below(3) : bias - 60 + below(120);
        }
        break;
      case 3:
        if (below(64) == 0) {
          exponent = top;
          const bool infinite = below(3) != 0;
          fraction = !format.has_infinity ? all : infinite ? 0 : fraction == 0 ? 1 : fraction;
        } else if (below(8) == 0) {
          fraction = below(2) != 0 ? 0 : fraction;
        } else {
          exponent = bias - 3 + below(7);
        }
        break;
      default:
        exponent = bias - 1 + below(3);
        fraction = below(2) != 0 ? fraction : 0;
        break;
    }
    return sign << (format.exponent_bits + format.fraction_bits) | exponent << format.fraction_bits | fraction;
  }

 private:
  std::uint64_t state_;
};

inline std::vector<MatrixSample> matrix_samples(const ProductForm& form) {
  constexpr std::uint64_t kTensorMask = ~std::uint64_t{0x1fff};
  std::vector<MatrixSample> samples(kSamples);
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    SampleNumbers numbers(std::uint64_t{i} * 7919 + std::uint64_t{form.seed} * 131 + form.depth);
    const auto fill = [&](std::vector<std::uint8_t>& to, std::uint32_t count, const NumberFormat& format, bool cut) {
      const auto bytes = static_cast<std::size_t>(format.bytes);
      to.resize(count * bytes);
      for (std::uint32_t at = 0; at < count; ++at) {
        const std::uint64_t bits = numbers.element(format, kind_of_sample(i)) & (cut ? kTensorMask : ~std::uint64_t{0});
        std::memcpy(to.data() + at * bytes, &bits, bytes);
      }
    };
    constexpr std::uint32_t kTensorSeed = 2;
    const bool cut = form.seed == kTensorSeed;
    fill(samples[i].a, form.rows * form.depth, form.factor, cut);
    fill(samples[i].b, form.depth * kSampleColumns, form.factor, cut);
    fill(samples[i].c, form.rows * kSampleColumns, form.sum, false);
    if (i % 8 == 7) {
      std::memset(samples[i].c.data(), 0, samples[i].c.size());
    }
    if (form.of_warpgroup) {
      samples[i].b = samples[i - i % kSamplesOfWarpgroup].b;
    }
  }
  return samples;
}

// Of the results of all samples of a kind, in order.
class ResultHash {
 public:
  void add(const std::uint8_t* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      value_ = (value_ ^ bytes[i]) * 0x100000001b3U;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace warpsim::test
