#include "emulator/matrix/tensor_vectors.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/tensor_vectors_check.h"

namespace warpsim::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Numbers of many magnitudes, zeros, and the least and largest of the type.
std::vector<double> numbers(std::mt19937& random, MatrixType type, std::size_t count) {
  std::vector<double> values;
  const std::uint32_t bits = bits_of(type);
  while (values.size() < count) {
    const std::uint32_t drawn = static_cast<std::uint32_t>(random()) >> (32 - bits);
    const double value = random() % 8 == 0 ? 0 : float_element(type, drawn);
    if (std::isfinite(value)) {
      values.push_back(random() % 4 == 0 ? value : float_element(type, drawn & 0x3fff3fffU));
    }
  }
  return values;
}

TEST_CASE("tensor sum: the host's vectors give the same bits as plain loops", "[matrix]") {
  std::mt19937 random(7);
  for (const std::uint32_t capability : {70U, 80U, 89U, 90U}) {
    for (const MatrixType type :
         {MatrixType::kF16, MatrixType::kBf16, MatrixType::kTf32, MatrixType::kE4m3, MatrixType::kE5m2}) {
      for (const MatrixType result : {MatrixType::kF32, MatrixType::kF16}) {
        const TensorSum how = tensor_sum(capability, type, type, result);
        for (const std::uint32_t depth : {4U, 8U, 16U, 32U}) {
          const MatrixSizes sizes{16, depth, 8};
          INFO(capability << " " << static_cast<int>(type) << " " << static_cast<int>(result) << " " << depth);
          ProductValues values{numbers(random, type, 16 * depth), numbers(random, type, 8 * depth),
                               numbers(random, result, 16 * 8)};
          CHECK(same_in_vectors(how, sizes, values));
          values.sum[3] = kInfinity;
          values.sum[4] = -kInfinity;
          values.sum[5] = std::numeric_limits<double>::quiet_NaN();
          values.sum[6] = 0x1p-149;
          CHECK(same_in_vectors(how, sizes, values));
          values.a[1] = kInfinity;
          values.b[9] = std::numeric_limits<double>::quiet_NaN();
          CHECK(same_in_vectors(how, sizes, values));
        }
      }
    }
  }
}

TEST_CASE("tensor sum: a sum that becomes infinite in a step stays so in the next", "[matrix]") {
  const TensorSum how = tensor_sum(80, MatrixType::kBf16, MatrixType::kBf16, MatrixType::kF32);
  const MatrixSizes sizes{4, 16, 8};
  std::vector<float> a(std::size_t{4} * 16, 1);
  std::fill_n(a.begin(), 8, 0x1p127F);  // the first step of the first row
  const std::vector<float> b(std::size_t{16} * 8, 1);
  std::vector<double> sum(std::size_t{4} * 8, 0);
  add_products(how, sizes, a.data(), b.data(), sum.data());
  CHECK(sum[0] == kInfinity);
  CHECK(sum[8] == 16);
  CHECK(same_in_vectors(how, sizes, {{a.begin(), a.end()}, {b.begin(), b.end()}, std::vector<double>(32, 0)}));
}

TEST_CASE("tensor sum: what vectors do not compute is left unchanged", "[matrix]") {
  const TensorSum how = tensor_sum(80, MatrixType::kF16, MatrixType::kF16, MatrixType::kF32);
  std::vector<float> a(std::size_t{4} * 16, 1);
  const std::vector<float> b(std::size_t{16} * 8, 1);
  std::vector<double> sum(std::size_t{4} * 8, 2);
  const bool is_computed = add_products_in_vectors(how, {4, 16, 8}, a.data(), b.data(), sum.data());
  CHECK(sum == std::vector<double>(32, is_computed ? 18 : 2));  // false on hosts without such vectors
  std::ranges::fill(sum, 2);
  CHECK_FALSE(add_products_in_vectors(how, {2, 16, 8}, a.data(), b.data(), sum.data()));  // rows come by four
  a[5] = kInfinity;
  CHECK_FALSE(add_products_in_vectors(how, {4, 16, 8}, a.data(), b.data(), sum.data()));
  CHECK(sum == std::vector<double>(32, 2));
}

}  // namespace
}  // namespace warpsim::test
