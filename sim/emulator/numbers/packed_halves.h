// Half-precision atomic updates. Sums are rounded to nearest even and keep subnormal numbers; for a
// number and a NaN, the number is minimum and maximum, and -0 is less than 0.
#pragma once

#include <cstdint>

namespace warpsim {

std::uint16_t add_halves(std::uint16_t a, std::uint16_t b);
std::uint16_t add_brain_floats(std::uint16_t a, std::uint16_t b);
std::uint32_t add_packed_halves(std::uint32_t a, std::uint32_t b);
std::uint32_t add_packed_brain_floats(std::uint32_t a, std::uint32_t b);

std::uint16_t least_half(std::uint16_t a, std::uint16_t b);
std::uint16_t greatest_half(std::uint16_t a, std::uint16_t b);
std::uint16_t least_brain_float(std::uint16_t a, std::uint16_t b);
std::uint16_t greatest_brain_float(std::uint16_t a, std::uint16_t b);
std::uint32_t least_packed_halves(std::uint32_t a, std::uint32_t b);
std::uint32_t greatest_packed_halves(std::uint32_t a, std::uint32_t b);
std::uint32_t least_packed_brain_floats(std::uint32_t a, std::uint32_t b);
std::uint32_t greatest_packed_brain_floats(std::uint32_t a, std::uint32_t b);

}  // namespace warpsim
