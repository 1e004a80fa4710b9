// Division of line numbers by a divisor known at construction: a multiplication instead of a division.
//
// Exact for every dividend below 2^48 and divisor below 2^16: with m = ceil(2^64 / d), the error of x * m / 2^64 is
// below x * d / 2^64 < 1 / d. Byte addresses of 49 bits give line numbers of 42 bits.
#pragma once

#include <cstdint>

#include "base/check.h"

namespace warpsim {

class FastDivider {
 public:
  explicit FastDivider(std::uint32_t divisor) : divisor_(divisor) {
    SIM_CHECK(divisor >= 1 && divisor < 65536, "divisor out of range");
    multiplier_ = divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1;
  }

  std::uint32_t divisor() const { return divisor_; }
  std::uint64_t quotient(std::uint64_t value) const {
    __extension__ using Wide = unsigned __int128;
    return divisor_ == 1 ? value : static_cast<std::uint64_t>((static_cast<Wide>(value) * multiplier_) >> 64);
  }
  std::uint32_t remainder(std::uint64_t value) const {
    return static_cast<std::uint32_t>(value - quotient(value) * divisor_);
  }

 private:
  std::uint32_t divisor_;
  std::uint64_t multiplier_;
};

// A hash whose low 32 bits depend on all bits of the value (finaliser of MurmurHash3).
constexpr std::uint32_t mix_bits(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdULL;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ULL;
  value ^= value >> 33;
  return static_cast<std::uint32_t>(value);
}
// Uniform in [0, count).
constexpr std::uint32_t hash_below(std::uint64_t value, std::uint32_t count) {
  return static_cast<std::uint32_t>((std::uint64_t{mix_bits(value)} * count) >> 32);
}

}  // namespace warpsim
