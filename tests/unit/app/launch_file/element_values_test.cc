#include "app/launch_file/element_values.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

using Kind = ElementValues::Kind;

std::vector<std::uint64_t> first(ElementType type, const ElementValues& values, std::uint64_t count) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t i = 0; i < count; ++i) {
    result.push_back(element_of(type, values, i));
  }
  return result;
}

TEST_CASE("values: an iota restarts after its period, and integers wrap around") {
  const ElementValues numbers{.kind = Kind::kIota, .start = 250, .step = 3, .period = 4};
  CHECK(first(ElementType::kU8, numbers, 6) == std::vector<std::uint64_t>{250, 253, 0, 3, 250, 253});
  const ElementValues down{.kind = Kind::kIota, .start = 1, .step = 0xffff};  // -1
  CHECK(first(ElementType::kS16, down, 3) == std::vector<std::uint64_t>{1, 0, 0xffff});
  const ElementValues halves{.kind = Kind::kIota, .start = 0, .step = 0x3800};  // 0.5
  CHECK(first(ElementType::kF16, halves, 3) == std::vector<std::uint64_t>{0, 0x3800, 0x3c00});
}

TEST_CASE("values: random bits are those of SplitMix64") {
  // The generator's published first numbers for seed 1234567.
  CHECK(random_bits(1234567, 0) == 6457827717110365317U);
  CHECK(random_bits(1234567, 1) == 3203168211198807973U);
  CHECK(random_bits(1234567, 2) == 9817491932198370423U);
}

TEST_CASE("values: random elements stay in their range and reach its bounds") {
  const ElementValues dice{.kind = Kind::kRandom, .seed = 5, .low = 1, .high = 6};
  std::vector<int> counts(8, 0);
  for (std::uint64_t i = 0; i < 6000; ++i) {
    ++counts.at(element_of(ElementType::kU32, dice, i));
  }
  CHECK(counts[0] == 0);
  CHECK(counts[7] == 0);
  for (std::size_t side = 1; side <= 6; ++side) {
    CHECK(counts[side] > 900);
    CHECK(counts[side] < 1100);
  }
  const ElementValues whole{.kind = Kind::kRandom, .seed = 1234567, .low = 0, .high = ~std::uint64_t{0}};
  CHECK(element_of(ElementType::kU64, whole, 0) == 6457827717110365317U);
  const ElementValues negative{.kind = Kind::kRandom, .seed = 5, .low = 0xfe, .high = 0xff};
  const std::uint64_t one = element_of(ElementType::kS8, negative, 0);
  CHECK((one == 0xfe || one == 0xff));
}

TEST_CASE("values: a text file contains numbers and comments") {
  const TemporaryFolder folder;
  ElementValues values{.kind = Kind::kFile, .file = folder.write("a.txt", "1 2 # 3\n\n-4\n")};
  read_file(ElementType::kS32, values);
  CHECK(count_of(values) == 3);
  CHECK(first(ElementType::kS32, values, 3) == std::vector<std::uint64_t>{1, 2, 0xfffffffc});
  values.file = folder.write("b.txt", "1\n2 x\n");
  CHECK_THROWS_WITH(read_file(ElementType::kS32, values), Catch::Contains("b.txt:2: expected an integer"));
}

TEST_CASE("values: any other file contains bytes") {
  const TemporaryFolder folder;
  ElementValues values{.kind = Kind::kFile, .file = folder.write("a.bin", std::string("\x01\x02\x03\x04", 4))};
  read_file(ElementType::kU16, values);
  CHECK(first(ElementType::kU16, values, 2) == std::vector<std::uint64_t>{0x0201, 0x0403});
  CHECK_THROWS_WITH(read_file(ElementType::kU64, values), Catch::Contains("4 bytes are not a whole number of u64"));
  values.file = folder.at("none.bin");
  CHECK_THROWS_AS(read_file(ElementType::kU16, values), UserError);
}

}  // namespace
}  // namespace warpsim
