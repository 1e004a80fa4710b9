#include "emulator/matrix/tensor_sum.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/matrix_samples.h"
#include "support/tensor_vectors_check.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

MatrixType type_of(const NumberFormat& format, bool is_factor) {
  switch (format.exponent_bits * 100 + format.fraction_bits) {
    case 510:
      return MatrixType::kF16;
    case 807:
      return MatrixType::kBf16;
    case 823:
      return is_factor ? MatrixType::kTf32 : MatrixType::kF32;
    case 403:
      return MatrixType::kE4m3;
    case 502:
      return MatrixType::kE5m2;
    default:
      return MatrixType::kF64;
  }
}

std::vector<double> values(const std::vector<std::uint8_t>& bytes, const NumberFormat& format, MatrixType type) {
  const auto size = static_cast<std::size_t>(format.bytes);
  std::vector<double> result(bytes.size() / size);
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    result[i] = float_element(type, bits);
  }
  return result;
}

// The hashes of the results by kind, of products as 9.0 computes them.
std::vector<std::uint64_t> computed(const ProductForm& form) {
  const MatrixType factor = type_of(form.factor, true);
  const MatrixType result = type_of(form.sum, false);
  constexpr std::uint32_t kHopper = 90;
  const TensorSum how = tensor_sum(kHopper, factor, factor, result);
  std::vector<ResultHash> hashes(kSampleKinds);
  std::uint32_t number = 0;
  for (const MatrixSample& sample : matrix_samples(form)) {
    const std::vector<double> a = values(sample.a, form.factor, factor);
    const std::vector<double> b = values(sample.b, form.factor, factor);
    std::vector<double> sum = values(sample.c, form.sum, result);
    const MatrixSizes sizes{form.rows, form.depth, kSampleColumns};
    if (result != MatrixType::kF64) {
      CHECK(same_in_vectors(how, sizes, {a, b, sum}));
    }
    add_products(how, sizes, a.data(), b.data(), sum.data());
    for (const double each : sum) {
      const std::uint64_t bits = float_bits(result, each);
      hashes[kind_of_sample(number)].add(reinterpret_cast<const std::uint8_t*>(&bits),
                                         static_cast<std::size_t>(form.sum.bytes));
    }
    ++number;
  }
  std::vector<std::uint64_t> out;
  for (const ResultHash& hash : hashes) {
    out.push_back(hash.value());
  }
  return out;
}

// One product of a row by eight equal columns.
double one(const TensorSum& how, const std::vector<double>& a, const std::vector<double>& b, double c) {
  std::vector<double> columns;
  for (const double each : b) {
    columns.insert(columns.end(), 8, each);
  }
  std::vector<double> sum(8, c);
  add_products(how, {1, static_cast<std::uint32_t>(a.size()), 8}, a.data(), columns.data(), sum.data());
  return sum[0];
}

}  // namespace

TEST_CASE("tensor sum: results of random and special matrices equal those of an H100", "[matrix]") {
  std::ifstream file(std::string(WARPSIM_SOURCE_DIR) + "/tests/hardware/tensor_cores/results.txt");
  std::map<std::string, std::vector<std::uint64_t>> recorded;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string name;
    std::uint32_t kind = 0;
    std::uint64_t hash = 0;
    REQUIRE(fields >> name >> kind >> std::hex >> hash);
    REQUIRE(recorded[name].size() == kind);
    recorded[name].push_back(hash);
  }
  REQUIRE(recorded.size() == std::size(kProductForms));
  for (const ProductForm& form : kProductForms) {
    INFO(form.name);
    CHECK(computed(form) == recorded[std::string(form.name)]);
  }
}

TEST_CASE("tensor sum: bits below those that are kept are lost in every term", "[matrix]") {
  const auto sum_of = [](std::uint32_t capability, int exponent) {
    // 1 and four times 2^exponent.
    const double small = std::ldexp(1.0, exponent);
    return one(tensor_sum(capability, MatrixType::kBf16, MatrixType::kBf16, MatrixType::kF32), {1, 1, 1, 1},
               {small, small, small, small}, 1);
  };
  CHECK(sum_of(70, -23) == 1 + 0x1p-21);
  CHECK(sum_of(70, -24) == 1);
  CHECK(sum_of(80, -24) == 1 + 0x1p-22);
  CHECK(sum_of(80, -25) == 1);
  CHECK(sum_of(90, -25) == 1 + 0x1p-23);
  CHECK(sum_of(90, -26) == 1);
}

TEST_CASE("tensor sum: a step adds as many products as the capability has", "[matrix]") {
  // In one step 1 is lost beside 2^30 and -2^30; in a later step it is not.
  const auto sum_of = [](std::uint32_t capability, std::size_t place) {
    std::vector<double> a(16, 0);
    a[0] = 0x1p30;
    a[1] = -0x1p30;
    a[place] = 1;
    return one(tensor_sum(capability, MatrixType::kBf16, MatrixType::kBf16, MatrixType::kF32), a,
               std::vector<double>(16, 1), 0);
  };
  CHECK(sum_of(70, 3) == 0);
  CHECK(sum_of(70, 4) == 1);
  CHECK(sum_of(80, 7) == 0);
  CHECK(sum_of(80, 8) == 1);
  CHECK(sum_of(90, 15) == 0);
}

TEST_CASE("tensor sum: results are cut off towards zero in single precision and rounded in half precision",
          "[matrix]") {
  const TensorSum single = tensor_sum(90, MatrixType::kF16, MatrixType::kF16, MatrixType::kF32);
  CHECK(one(single, {1, 1}, {1, 0x1.8p-23}, 0) == 1 + 0x1p-23);
  CHECK(one(single, {-1, -1}, {1, 0x1.8p-23}, 0) == -1 - 0x1p-23);
  const TensorSum half = tensor_sum(90, MatrixType::kF16, MatrixType::kF16, MatrixType::kF16);
  CHECK(one(half, {1, 1}, {1, 0x1.8p-10}, 0) == 1 + 0x1p-9);
  CHECK_FALSE(std::signbit(one(half, {-0x1p-14}, {0x1p-14}, 0)));
  const TensorSum bytes = tensor_sum(90, MatrixType::kE4m3, MatrixType::kE4m3, MatrixType::kF32);
  CHECK(one(bytes, {1}, {1}, 0x1p-13) == 1 + 0x1p-13);
  CHECK(one(bytes, {1}, {1}, 0x1p-14) == 1);
}

TEST_CASE("tensor sum: infinities and NaNs decide only their own results", "[matrix]") {
  const TensorSum how = tensor_sum(90, MatrixType::kF16, MatrixType::kF16, MatrixType::kF32);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(one(how, {kInfinity, 1}, {1, 1}, 0) == kInfinity);
  CHECK(std::isnan(one(how, {kInfinity, 1}, {0, 1}, 0)));
  CHECK(std::isnan(one(how, {kInfinity, -kInfinity}, {1, 1}, 0)));
  CHECK(one(how, {2, 1}, {1, 1}, -kInfinity) == -kInfinity);
  CHECK(one(how, {0x1p15}, {0x1p15}, std::numeric_limits<float>::max()) == std::numeric_limits<float>::max());
  const std::vector<double> a = {1, 1, kInfinity, 1};
  std::vector<double> b(16, 2);
  std::vector<double> sum(16, 1);
  add_products(how, {2, 2, 8}, a.data(), b.data(), sum.data());
  CHECK(sum[0] == 5);
  CHECK(sum[8] == kInfinity);
}

TEST_CASE("tensor sum: doubles are fused in order, with the rounding of the instruction", "[matrix]") {
  TensorSum how = tensor_sum(90, MatrixType::kF64, MatrixType::kF64, MatrixType::kF64);
  CHECK(one(how, {1, 0x1p-53}, {1, 1}, 0) == 1);
  how.rounding = Rounding::kUp;
  CHECK(one(how, {1, 0x1p-53}, {1, 1}, 0) == 1 + 0x1p-52);
}
