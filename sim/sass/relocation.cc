#include "sass/relocation.h"

#include <algorithm>
#include <iterator>

namespace warpsim::sass {

namespace {

using ValueKind = RelocationType::Kind;

// By number. An address that is split over two fields has its lower bits in the first one.
constexpr RelocationType kTypes[] = {
    {0, "R_CUDA_NONE", ValueKind::kNothing, 0, true, {}, 0},
    {1, "R_CUDA_32", ValueKind::kAddress, 4, false, {{0, 31, 0}}, 1},
    {2, "R_CUDA_64", ValueKind::kAddress, 8, false, {{0, 63, 0}}, 1},
    {3, "R_CUDA_G32", ValueKind::kAddress, 4, false, {{0, 31, 0}}, 1},
    {4, "R_CUDA_G64", ValueKind::kAddress, 8, false, {{0, 63, 0}}, 1},
    {6, "R_CUDA_TEX_HEADER_INDEX", ValueKind::kIndex, 4, false, {{0, 19, 0}}, 1},
    {7, "R_CUDA_SAMP_HEADER_INDEX", ValueKind::kIndex, 4, false, {{20, 31, 0}}, 1},
    {34, "R_CUDA_FUNC_DESC_32", ValueKind::kAddress, 4, false, {{0, 31, 0}}, 1},
    {35, "R_CUDA_FUNC_DESC_64", ValueKind::kAddress, 8, false, {{0, 63, 0}}, 1},
    {52, "R_CUDA_SURF_HEADER_INDEX", ValueKind::kIndex, 4, false, {{0, 19, 0}}, 1},
    {55, "R_CUDA_ABS32_32", ValueKind::kAddress, 16, false, {{32, 63, 0}}, 1},
    {56, "R_CUDA_ABS32_LO_32", ValueKind::kAddress, 16, true, {{32, 63, 0}}, 1},
    {57, "R_CUDA_ABS32_HI_32", ValueKind::kAddress, 16, true, {{32, 63, 32}}, 1},
    {58, "R_CUDA_ABS47_34", ValueKind::kAddress, 16, false, {{34, 80, 2}}, 1},
    {59, "R_CUDA_ABS16_32", ValueKind::kAddress, 16, false, {{32, 47, 0}}, 1},
    {60, "R_CUDA_ABS24_32", ValueKind::kAddress, 16, false, {{32, 55, 0}}, 1},
    {61, "R_CUDA_FUNC_DESC32_32", ValueKind::kAddress, 16, false, {{32, 63, 0}}, 1},
    {62, "R_CUDA_FUNC_DESC32_LO_32", ValueKind::kAddress, 16, true, {{32, 63, 0}}, 1},
    {63, "R_CUDA_FUNC_DESC32_HI_32", ValueKind::kAddress, 16, true, {{32, 63, 32}}, 1},
    {64, "R_CUDA_CONST_FIELD19_40", ValueKind::kConstant, 16, false, {{40, 53, 2}}, 1},
    {65, "R_CUDA_BINDLESSOFF14_40", ValueKind::kAddress, 16, false, {{40, 53, 2}}, 1},
    {66, "R_CUDA_CONST_FIELD21_38", ValueKind::kConstant, 16, false, {{38, 53, 0}}, 1},
    {68, "R_CUDA_YIELD_OPCODE9_0", ValueKind::kYield, 16, true, {{0, 8, 0}}, 1},
    {69, "R_CUDA_YIELD_CLEAR_PRED4_87", ValueKind::kYield, 16, true, {{87, 90, 0}}, 1},
    {70, "R_CUDA_32_LO", ValueKind::kAddress, 4, true, {{0, 31, 0}}, 1},
    {71, "R_CUDA_32_HI", ValueKind::kAddress, 4, true, {{0, 31, 32}}, 1},
    {72, "R_CUDA_UNUSED_CLEAR32", ValueKind::kClear, 4, false, {{0, 31, 0}}, 1},
    {73, "R_CUDA_UNUSED_CLEAR64", ValueKind::kClear, 8, false, {{0, 63, 0}}, 1},
    {74, "R_CUDA_ABS24_40", ValueKind::kAddress, 16, false, {{40, 63, 0}}, 1},
    {75, "R_CUDA_ABS55_16_34", ValueKind::kAddress, 16, false, {{16, 23, 2}, {34, 80, 10}}, 2},
    {76, "R_CUDA_8_0", ValueKind::kAddress, 1, true, {{0, 7, 0}}, 1},
    {77, "R_CUDA_8_8", ValueKind::kAddress, 1, true, {{0, 7, 8}}, 1},
    {78, "R_CUDA_8_16", ValueKind::kAddress, 1, true, {{0, 7, 16}}, 1},
    {79, "R_CUDA_8_24", ValueKind::kAddress, 1, true, {{0, 7, 24}}, 1},
    {80, "R_CUDA_8_32", ValueKind::kAddress, 1, true, {{0, 7, 32}}, 1},
    {81, "R_CUDA_8_40", ValueKind::kAddress, 1, true, {{0, 7, 40}}, 1},
    {82, "R_CUDA_8_48", ValueKind::kAddress, 1, true, {{0, 7, 48}}, 1},
    {83, "R_CUDA_8_56", ValueKind::kAddress, 1, true, {{0, 7, 56}}, 1},
    {84, "R_CUDA_G8_0", ValueKind::kAddress, 1, true, {{0, 7, 0}}, 1},
    {85, "R_CUDA_G8_8", ValueKind::kAddress, 1, true, {{0, 7, 8}}, 1},
    {86, "R_CUDA_G8_16", ValueKind::kAddress, 1, true, {{0, 7, 16}}, 1},
    {87, "R_CUDA_G8_24", ValueKind::kAddress, 1, true, {{0, 7, 24}}, 1},
    {88, "R_CUDA_G8_32", ValueKind::kAddress, 1, true, {{0, 7, 32}}, 1},
    {89, "R_CUDA_G8_40", ValueKind::kAddress, 1, true, {{0, 7, 40}}, 1},
    {90, "R_CUDA_G8_48", ValueKind::kAddress, 1, true, {{0, 7, 48}}, 1},
    {91, "R_CUDA_G8_56", ValueKind::kAddress, 1, true, {{0, 7, 56}}, 1},
    {92, "R_CUDA_FUNC_DESC_8_0", ValueKind::kAddress, 1, true, {{0, 7, 0}}, 1},
    {93, "R_CUDA_FUNC_DESC_8_8", ValueKind::kAddress, 1, true, {{0, 7, 8}}, 1},
    {94, "R_CUDA_FUNC_DESC_8_16", ValueKind::kAddress, 1, true, {{0, 7, 16}}, 1},
    {95, "R_CUDA_FUNC_DESC_8_24", ValueKind::kAddress, 1, true, {{0, 7, 24}}, 1},
    {96, "R_CUDA_FUNC_DESC_8_32", ValueKind::kAddress, 1, true, {{0, 7, 32}}, 1},
    {97, "R_CUDA_FUNC_DESC_8_40", ValueKind::kAddress, 1, true, {{0, 7, 40}}, 1},
    {98, "R_CUDA_FUNC_DESC_8_48", ValueKind::kAddress, 1, true, {{0, 7, 48}}, 1},
    {99, "R_CUDA_FUNC_DESC_8_56", ValueKind::kAddress, 1, true, {{0, 7, 56}}, 1},
    {100, "R_CUDA_ABS20_44", ValueKind::kAddress, 16, false, {{44, 63, 0}}, 1},
    {101, "R_CUDA_SAMP_HEADER_INDEX_0", ValueKind::kIndex, 4, false, {{0, 11, 0}}, 1},
    {102, "R_CUDA_UNIFIED", ValueKind::kAddress, 8, false, {{0, 63, 0}}, 1},
    {103, "R_CUDA_UNIFIED_32", ValueKind::kAddress, 4, false, {{0, 31, 0}}, 1},
    {104, "R_CUDA_UNIFIED_8_0", ValueKind::kAddress, 1, true, {{0, 7, 0}}, 1},
    {105, "R_CUDA_UNIFIED_8_8", ValueKind::kAddress, 1, true, {{0, 7, 8}}, 1},
    {106, "R_CUDA_UNIFIED_8_16", ValueKind::kAddress, 1, true, {{0, 7, 16}}, 1},
    {107, "R_CUDA_UNIFIED_8_24", ValueKind::kAddress, 1, true, {{0, 7, 24}}, 1},
    {108, "R_CUDA_UNIFIED_8_32", ValueKind::kAddress, 1, true, {{0, 7, 32}}, 1},
    {109, "R_CUDA_UNIFIED_8_40", ValueKind::kAddress, 1, true, {{0, 7, 40}}, 1},
    {110, "R_CUDA_UNIFIED_8_48", ValueKind::kAddress, 1, true, {{0, 7, 48}}, 1},
    {111, "R_CUDA_UNIFIED_8_56", ValueKind::kAddress, 1, true, {{0, 7, 56}}, 1},
    {112, "R_CUDA_UNIFIED32_LO_32", ValueKind::kAddress, 16, true, {{32, 63, 0}}, 1},
    {113, "R_CUDA_UNIFIED32_HI_32", ValueKind::kAddress, 16, true, {{32, 63, 32}}, 1},
    {114, "R_CUDA_ABS56_16_34", ValueKind::kAddress, 16, false, {{16, 23, 2}, {34, 81, 10}}, 2},
    {115, "R_CUDA_CONST_FIELD22_37", ValueKind::kConstant, 16, false, {{37, 53, 0}}, 1},
};

constexpr std::uint32_t kBankFirst = 54;
constexpr std::uint32_t kBankLast = 58;

std::uint64_t mask_of(std::uint32_t bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

void set_bits(std::span<std::byte> place, std::uint32_t first, std::uint32_t last, std::uint64_t value) {
  for (std::uint32_t bit = first; bit <= last; ++bit, value >>= 1U) {
    const std::byte mask{static_cast<unsigned char>(1U << bit % 8)};
    std::byte& byte = place[bit / 8];
    byte = (value & 1U) != 0 ? byte | mask : byte & ~mask;
  }
}

std::uint64_t bits_of(std::span<const std::byte> place, std::uint32_t first, std::uint32_t last) {
  std::uint64_t value = 0;
  for (std::uint32_t bit = first; bit <= last; ++bit) {
    const std::uint64_t set = std::to_integer<std::uint64_t>(place[bit / 8]) >> bit % 8 & 1U;
    value |= set << (bit - first);
  }
  return value;
}

// Whether the fields hold all bits of the value, as an unsigned or as a signed number.
bool fits(const RelocationType& type, std::uint64_t value) {
  const RelocationField& top = type.fields[type.field_count - 1];
  const std::uint32_t bits = top.shift + (top.last - top.first + 1U);
  const bool aligned = (value & mask_of(type.fields[0].shift)) == 0;
  const std::uint64_t above = bits >= 64 ? 0 : value >> bits;
  const std::uint64_t sign = bits >= 65 ? 0 : value >> (bits - 1);
  return aligned && (above == 0 || sign == mask_of(65 - bits));
}

}  // namespace

const RelocationType* find_relocation_type(std::uint32_t number) {
  const auto* const found =
      std::lower_bound(std::begin(kTypes), std::end(kTypes), number,
                       [](const RelocationType& type, std::uint32_t wanted) { return type.number < wanted; });
  return found != std::end(kTypes) && found->number == number ? found : nullptr;
}

std::uint64_t stored_value(const RelocationType& type, std::span<const std::byte> place) {
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    const RelocationField& field = type.fields[i];
    value |= bits_of(place, field.first, field.last) << field.shift;
  }
  return value;
}

bool store_value(const RelocationType& type, std::uint64_t value, std::span<std::byte> place) {
  if (!type.partial && !fits(type, value)) {
    return false;
  }
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    const RelocationField& field = type.fields[i];
    set_bits(place, field.first, field.last, value >> field.shift);
  }
  return true;
}

void store_bank(std::uint32_t bank, std::span<std::byte> place) {
  set_bits(place, kBankFirst, kBankLast, bank);
}

}  // namespace warpsim::sass
