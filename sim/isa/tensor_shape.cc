#include "isa/tensor_shape.h"

#include <charconv>

namespace warpsim {
namespace {

struct Extent {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
};

bool to_number(std::string_view text, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value > 0 && value <= 512;
}

// "16x8x16", or digits without separators: "16816" is 16x8x16, "8832" is 8x8x32.
std::optional<Extent> parse_extent(std::string_view text) {
  Extent e;
  const std::size_t first = text.find('x');
  if (first != std::string_view::npos) {
    const std::size_t second = text.find('x', first + 1);
    if (second != std::string_view::npos && to_number(text.substr(0, first), e.m) &&
        to_number(text.substr(first + 1, second - first - 1), e.n) && to_number(text.substr(second + 1), e.k)) {
      return e;
    }
    return std::nullopt;
  }
  const std::size_t m_digits = text.starts_with("16") ? 2 : 1;
  if (text.size() < m_digits + 2 || text.find_first_not_of("0123456789") != std::string_view::npos ||
      !to_number(text.substr(0, m_digits), e.m) || !to_number(text.substr(m_digits, 1), e.n) ||
      !to_number(text.substr(m_digits + 1), e.k)) {
    return std::nullopt;
  }
  return e;
}

std::uint8_t bits_of(std::string_view base) {
  if (base == "DMMA") {
    return 64;
  }
  if (base == "BMMA" || base == "BGMMA") {
    return 1;
  }
  return base == "IMMA" || base == "IGMMA" || base == "QGMMA" ? 8 : 16;
}

// 32-bit registers that hold `elements` of `bits` bits spread over `lanes` lanes.
std::uint8_t registers(std::uint32_t elements, std::uint32_t bits, std::uint32_t lanes) {
  const std::uint32_t count = (elements * bits + lanes * 32 - 1) / (lanes * 32);
  return static_cast<std::uint8_t>(count < 255 ? count : 255);
}

}  // namespace

std::optional<TensorShape> tensor_shape(const OpcodeText& opcode) {
  std::optional<Extent> extent;
  const std::string_view base = opcode.base();
  TensorShape shape;
  shape.operand_bits = bits_of(base);
  shape.integer = base.starts_with('I') || base.starts_with('B');
  bool first_type = true;
  bool wide_accumulator = base != "HMMA" && base != "HGMMA" && base != "QGMMA";
  bool sparse = false;
  opcode.for_each_modifier([&](std::string_view modifier) {
    if (!extent) {
      extent = parse_extent(modifier);
    }
    sparse = sparse || modifier == "SP";
    if (modifier == "TF32") {
      shape.operand_bits = 32;
    } else if (modifier == "S4" || modifier == "U4") {
      shape.operand_bits = 4;
    } else if (modifier == "F32" || modifier == "F16") {
      wide_accumulator = wide_accumulator || (first_type && modifier == "F32");
      first_type = false;
    }
  });
  if (!extent) {
    return std::nullopt;
  }
  shape.fp32_results = wide_accumulator && !shape.integer && base != "DMMA";
  const bool volta = base == "HMMA" && extent->m == 8 && extent->k == 4;
  if (volta) {
    shape.macs = wide_accumulator ? 256 : 512;
    shape.widths = {2, {2, 2, 2, 1}};
    return shape;
  }
  const bool warpgroup = base.size() == 5;  // HGMMA, IGMMA, ...
  const std::uint32_t lanes = warpgroup ? 128 : 32;
  const std::uint32_t accumulator_bits = base == "DMMA" ? 64 : (wide_accumulator ? 32 : 16);
  const std::uint32_t depth = sparse ? extent->k / 2 : extent->k;
  shape.macs = extent->m * extent->n * depth / (warpgroup ? 4 : 1);
  shape.a_bytes = static_cast<std::uint16_t>(extent->m * depth * shape.operand_bits / 8 / (warpgroup ? 4 : 1));
  shape.b_bytes = static_cast<std::uint16_t>(extent->k * extent->n * shape.operand_bits / 8);
  const std::uint8_t d = registers(extent->m * extent->n, accumulator_bits, lanes);
  const std::uint8_t a = registers(extent->m * depth, shape.operand_bits, lanes);
  const std::uint8_t b = registers(extent->k * extent->n, shape.operand_bits, lanes);
  shape.widths = {d, {a, b, d, 1}};
  return shape;
}

}  // namespace warpsim
