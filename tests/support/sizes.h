// Sizes that tests share.
#pragma once

#include <cstdint>

namespace warpsim::test {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

}  // namespace warpsim::test
