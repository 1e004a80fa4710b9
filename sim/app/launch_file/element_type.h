// Numbers of the types that buffers, variables and parameters of a launch file have: from text, to text, compared.
//
// An element is kept as its bits in the low bytes of a 64-bit number, as in the device's memory. Numbers of 16
// bits are rounded from double precision, to nearest even.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

constexpr std::uint32_t kBitsPerByte = 8;

enum class ElementType : std::uint8_t { kS8, kU8, kS16, kU16, kS32, kU32, kS64, kU64, kF16, kBf16, kF32, kF64 };

// As launch files write them, in the order of the enumeration: "s8" ... "f64".
const std::vector<std::string>& element_type_names();
std::string name_of(ElementType type);
std::uint32_t bytes_of(ElementType type);
bool is_float(ElementType type);
bool is_signed(ElementType type);

// Integers: decimal or 0x..., in the type's range. Floating-point numbers: decimal, inf, -inf, nan, or 0x... with as
// many digits as the type's bits have. Nothing for any other text.
std::optional<std::uint64_t> bits_of(ElementType type, const std::string& text);
// "an integer from -128 to 127", "a number": for messages.
std::string expected_text(ElementType type);
// The shortest text that reads back as the same bits, except for NaNs.
std::string text_of(ElementType type, std::uint64_t bits);

// A number rounded to a floating-point type.
std::uint64_t rounded(ElementType type, double value);
// The value of a floating-point element.
double value_of(ElementType type, std::uint64_t bits);
// The value of an integer element.
__int128 integer_of(ElementType type, std::uint64_t bits);

std::uint64_t load_element(ElementType type, const std::byte* from);
void store_element(ElementType type, std::uint64_t bits, std::byte* to);

// The allowed difference between an element and its expected value. All zero: equal; NaNs are equal, and zeros of both
// signs are equal.
struct Tolerance {
  double absolute = 0;
  double relative = 0;    // of the expected value's size
  std::uint64_t ulp = 0;  // steps between neighbouring numbers of the type; floating-point types only
};
// True if the difference is within one of the tolerances.
bool is_close(ElementType type, std::uint64_t got, std::uint64_t expected, const Tolerance& tolerance);

}  // namespace warpsim
