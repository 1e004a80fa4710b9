#include "app/launch_file/element_type.h"

#include <bit>
#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("elements: integers are only read in their range") {
  CHECK(bits_of(ElementType::kS8, "-128") == 0x80);
  CHECK(bits_of(ElementType::kS8, "127") == 0x7f);
  CHECK_FALSE(bits_of(ElementType::kS8, "128"));
  CHECK_FALSE(bits_of(ElementType::kS8, "-129"));
  CHECK_FALSE(bits_of(ElementType::kU8, "-1"));
  CHECK_FALSE(bits_of(ElementType::kU8, "256"));
  CHECK(bits_of(ElementType::kU16, "0xffff") == 0xffff);
  CHECK_FALSE(bits_of(ElementType::kS16, "0xffff"));
  CHECK(bits_of(ElementType::kS64, "-9223372036854775808") == std::uint64_t{1} << 63U);
  CHECK(bits_of(ElementType::kU64, "18446744073709551615") == ~std::uint64_t{0});
  for (const char* text : {"", "1.5", "1e3", "0x", "0xg", "--1", "1 "}) {
    CHECK_FALSE(bits_of(ElementType::kS32, text));
  }
}

TEST_CASE("elements: floating-point numbers are rounded to nearest even") {
  CHECK(bits_of(ElementType::kF32, "1") == 0x3f800000);
  CHECK(bits_of(ElementType::kF32, "-inf") == 0xff800000);
  CHECK(bits_of(ElementType::kF64, "0.1") == std::bit_cast<std::uint64_t>(0.1));
  CHECK(bits_of(ElementType::kF16, "1") == 0x3c00);
  // Halfway between 2048 and 2050, and between 2050 and 2052.
  CHECK(bits_of(ElementType::kF16, "2049") == 0x6800);
  CHECK(bits_of(ElementType::kF16, "2051") == 0x6802);
  CHECK(bits_of(ElementType::kBf16, "257") == 0x4380);
  CHECK(bits_of(ElementType::kF32, "0x40490fdb") == 0x40490fdb);
  CHECK_FALSE(bits_of(ElementType::kF32, "0x40490fd"));
  CHECK_FALSE(bits_of(ElementType::kF16, "0x40490fdb"));
  CHECK_FALSE(bits_of(ElementType::kF32, "one"));
}

TEST_CASE("elements: the text of a number is read back as the same bits") {
  for (const ElementType type : {ElementType::kS8, ElementType::kU16, ElementType::kF16, ElementType::kBf16,
                                 ElementType::kF32, ElementType::kF64, ElementType::kS64}) {
    for (const char* text : {"0", "1", "3", "100"}) {
      const std::uint64_t bits = *bits_of(type, text);
      CHECK(text_of(type, bits) == text);
    }
  }
  CHECK(text_of(ElementType::kS8, 0x80) == "-128");
  CHECK(text_of(ElementType::kF32, 0x3dcccccd) == "0.1");
}

TEST_CASE("elements: an element in memory has the size of its type") {
  std::byte memory[8] = {};
  store_element(ElementType::kU16, 0x1234, memory + 1);
  CHECK(memory[0] == std::byte{0});
  CHECK(memory[1] == std::byte{0x34});
  CHECK(memory[2] == std::byte{0x12});
  CHECK(memory[3] == std::byte{0});
  CHECK(load_element(ElementType::kU8, memory + 1) == 0x34);
  CHECK(load_element(ElementType::kU16, memory + 1) == 0x1234);
}

TEST_CASE("elements: without a tolerance only equal numbers are close") {
  const std::uint64_t one = 0x3f800000;
  CHECK(is_close(ElementType::kF32, one, one, {}));
  CHECK_FALSE(is_close(ElementType::kF32, one + 1, one, {}));
  CHECK(is_close(ElementType::kF32, 0x80000000, 0, {}));                 // -0
  CHECK(is_close(ElementType::kF32, 0x7fc00000, 0xffc00001, {}));        // NaNs
  CHECK_FALSE(is_close(ElementType::kF32, 0x7fc00000, one, {}));         // NaN
  CHECK_FALSE(is_close(ElementType::kF32, 0x7f800000, 0xff800000, {}));  // infinities
  CHECK_FALSE(is_close(ElementType::kS32, 5, 6, {}));
}

TEST_CASE("elements: tolerances are exact") {
  const auto f32 = [](float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)}; };
  CHECK(is_close(ElementType::kF32, f32(1.5F), f32(1.0F), {.absolute = 0.5}));
  CHECK_FALSE(is_close(ElementType::kF32, f32(1.5F), f32(1.0F), {.absolute = 0.49}));
  CHECK(is_close(ElementType::kF32, f32(-110.0F), f32(-100.0F), {.relative = 0.1}));
  CHECK_FALSE(is_close(ElementType::kF32, f32(-112.0F), f32(-100.0F), {.relative = 0.1}));
  const std::uint64_t one = f32(1.0F);
  CHECK(is_close(ElementType::kF32, one + 3, one, {.ulp = 3}));
  CHECK_FALSE(is_close(ElementType::kF32, one + 4, one, {.ulp = 3}));
  // The smallest numbers of both signs are two steps from each other.
  CHECK(is_close(ElementType::kF32, 0x80000001, 1, {.ulp = 2}));
  CHECK_FALSE(is_close(ElementType::kF32, 0x80000001, 1, {.ulp = 1}));
  CHECK(is_close(ElementType::kU8, 12, 10, {.absolute = 2}));
  CHECK_FALSE(is_close(ElementType::kU8, 13, 10, {.absolute = 2}));
  CHECK(is_close(ElementType::kS8, 0xff, 1, {.absolute = 2}));  // -1
  CHECK_FALSE(is_close(ElementType::kF32, 0x7f800000, one, {.absolute = 1e300}));
}

}  // namespace
}  // namespace warpsim
