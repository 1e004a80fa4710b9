// Sums of half-precision numbers as memory adds them: rounded to nearest even, subnormal numbers kept.
#pragma once

#include <cstdint>

namespace warpsim {

std::uint16_t add_halves(std::uint16_t a, std::uint16_t b);
std::uint16_t add_brain_floats(std::uint16_t a, std::uint16_t b);
std::uint32_t add_packed_halves(std::uint32_t a, std::uint32_t b);
std::uint32_t add_packed_brain_floats(std::uint32_t a, std::uint32_t b);

}  // namespace warpsim
