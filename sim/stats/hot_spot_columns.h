// The counts for each static instruction of a launch (--hot-spots): the columns of table hot_spot.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace warpsim {

// In the order of hot_spot_columns(). Stall reasons follow kStalled in the order of core/sub_core/stall_reason.h.
enum class HotSpotColumn : std::uint8_t {
  kExecuted,
  kThreadsExecuted,
  kRequests,
  kSectors,
  kHitSectors,
  kSharedWavefronts,
  kSharedConflicts,
  kLoads,
  kLoadsFromL1,
  kLoadsFromL2,
  kLoadsFromDram,
  kLoadCycles,
  kGreatestLoadCycles,
  kStalled,
};

struct HotSpotColumnInfo {
  const char* name;
  const char* unit;
  const char* description;
};

inline constexpr std::uint32_t kHotSpotStalls = 19;
inline constexpr std::uint32_t kHotSpotColumns = static_cast<std::uint32_t>(HotSpotColumn::kStalled) + kHotSpotStalls;

std::span<const HotSpotColumnInfo, kHotSpotColumns> hot_spot_columns();

}  // namespace warpsim
