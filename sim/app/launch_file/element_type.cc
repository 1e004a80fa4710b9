#include "app/launch_file/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "emulator/numbers/half_float.h"

namespace warpsim {

namespace {

constexpr int kHexadecimal = 16;

std::uint64_t mask_of(ElementType type) {
  return ~std::uint64_t{0} >> (64 - kBitsPerByte * bytes_of(type));
}

// Hexadecimal digits after "0x"; nothing for any other text.
std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, kHexadecimal);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

template <class T>
std::optional<T> decimal(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> integer_bits(ElementType type, const std::string& text) {
  const std::uint64_t mask = mask_of(type);
  if (text.starts_with("0x")) {
    const auto value = hexadecimal(std::string_view(text).substr(2));
    const std::uint64_t most = is_signed(type) ? mask >> 1U : mask;
    return value && *value <= most ? value : std::nullopt;
  }
  if (!is_signed(type)) {
    const auto value = decimal<std::uint64_t>(text);
    return value && *value <= mask ? value : std::nullopt;
  }
  const auto value = decimal<std::int64_t>(text);
  const auto most = static_cast<std::int64_t>(mask >> 1U);
  if (!value || *value > most || *value < -most - 1) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(*value) & mask;
}

std::optional<std::uint64_t> float_bits(ElementType type, const std::string& text) {
  if (text.starts_with("0x")) {
    constexpr std::size_t kDigitsPerByte = 2;
    const bool whole = text.size() == 2 + kDigitsPerByte * bytes_of(type);
    return whole ? hexadecimal(std::string_view(text).substr(2)) : std::nullopt;
  }
  if (type == ElementType::kF32) {
    const auto value = decimal<float>(text);
    return value ? std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(*value)) : std::nullopt;
  }
  const auto value = decimal<double>(text);
  return value ? std::optional(rounded(type, *value)) : std::nullopt;
}

// The rank of a number among all numbers of its type, counted from zero.
std::int64_t rank_of(ElementType type, std::uint64_t bits) {
  const std::uint64_t mask = mask_of(type);
  const auto size = static_cast<std::int64_t>(bits & (mask >> 1U));
  return (bits & ~(mask >> 1U) & mask) != 0 ? -size : size;
}

bool is_close_float(ElementType type, std::uint64_t got, std::uint64_t expected, const Tolerance& tolerance) {
  const double a = value_of(type, got);
  const double b = value_of(type, expected);
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) && std::isnan(b);
  }
  if (std::isinf(a) || std::isinf(b)) {
    return std::isinf(a) && std::isinf(b) && std::signbit(a) == std::signbit(b);
  }
  const double difference = std::fabs(a - b);
  if (difference <= tolerance.absolute || difference <= tolerance.relative * std::fabs(b)) {
    return true;
  }
  const std::int64_t x = rank_of(type, got);
  const std::int64_t y = rank_of(type, expected);
  const std::uint64_t steps = x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                                    : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
  return steps <= tolerance.ulp;
}

}  // namespace

const std::vector<std::string>& element_type_names() {
  static const std::vector<std::string> names = {"s8",  "u8",  "s16", "u16",  "s32", "u32",
                                                 "s64", "u64", "f16", "bf16", "f32", "f64"};
  return names;
}

std::string name_of(ElementType type) {
  return element_type_names()[static_cast<std::size_t>(type)];
}

std::uint32_t bytes_of(ElementType type) {
  constexpr std::uint32_t kBytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

bool is_float(ElementType type) {
  return type >= ElementType::kF16;
}

bool is_signed(ElementType type) {
  return !is_float(type) && static_cast<std::uint32_t>(type) % 2 == 0;
}

std::optional<std::uint64_t> bits_of(ElementType type, const std::string& text) {
  return is_float(type) ? float_bits(type, text) : integer_bits(type, text);
}

std::string expected_text(ElementType type) {
  if (is_float(type)) {
    return "a number";
  }
  const std::uint64_t mask = mask_of(type);
  return is_signed(type) ? fmt::format("an integer from -{} to {}", (mask >> 1U) + 1, mask >> 1U)
                         : fmt::format("an integer from 0 to {}", mask);
}

std::string text_of(ElementType type, std::uint64_t bits) {
  if (type == ElementType::kF64) {
    return fmt::format("{}", value_of(type, bits));
  }
  if (is_float(type)) {
    return fmt::format("{}", static_cast<float>(value_of(type, bits)));
  }
  return is_signed(type) ? fmt::format("{}", static_cast<std::int64_t>(integer_of(type, bits)))
                         : fmt::format("{}", bits);
}

std::uint64_t rounded(ElementType type, double value) {
  switch (type) {
    case ElementType::kF16:
      return to_half<Half>(value).bits;
    case ElementType::kBf16:
      return to_half<Brain>(value).bits;
    case ElementType::kF32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<std::uint64_t>(value);
  }
}

double value_of(ElementType type, std::uint64_t bits) {
  switch (type) {
    case ElementType::kF16:
      return static_cast<double>(to_single(Half{static_cast<std::uint16_t>(bits)}));
    case ElementType::kBf16:
      return static_cast<double>(to_single(Brain{static_cast<std::uint16_t>(bits)}));
    case ElementType::kF32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default:
      return std::bit_cast<double>(bits);
  }
}

__int128 integer_of(ElementType type, std::uint64_t bits) {
  const std::uint64_t mask = mask_of(type);
  const bool negative = is_signed(type) && (bits & ~(mask >> 1U) & mask) != 0;
  return negative ? static_cast<__int128>(bits) - static_cast<__int128>(mask) - 1 : static_cast<__int128>(bits);
}

std::uint64_t load_element(ElementType type, const std::byte* from) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, bytes_of(type));
  return bits;
}

void store_element(ElementType type, std::uint64_t bits, std::byte* to) {
  std::memcpy(to, &bits, bytes_of(type));
}

bool is_close(ElementType type, std::uint64_t got, std::uint64_t expected, const Tolerance& tolerance) {
  if (got == expected) {
    return true;
  }
  if (is_float(type)) {
    return is_close_float(type, got, expected, tolerance);
  }
  const auto a = static_cast<double>(integer_of(type, expected));
  const auto difference = static_cast<double>(integer_of(type, got) - integer_of(type, expected));
  return std::fabs(difference) <= std::max(tolerance.absolute, tolerance.relative * std::fabs(a));
}

}  // namespace warpsim
