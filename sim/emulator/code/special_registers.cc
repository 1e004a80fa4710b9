#include "emulator/code/special_registers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpsim {

namespace {

using enum SpecialRegister;

constexpr auto kNames = std::to_array<SpecialName>({
    {"aggr_smem_size", kAggregateSharedBytes},
    {"cluster_ctaid", kClusterCtaId},
    {"cluster_ctarank", kClusterCtaRank},
    {"cluster_nctaid", kClusterNctaId},
    {"cluster_nctarank", kClusterNctaRank},
    {"clusterid", kClusterId},
    {"ctaid", kCtaid},
    {"current_graph_exec", kCurrentGraph},
    {"dynamic_smem_size", kDynamicSharedBytes},
    {"gridid", kGridId},
    {"is_explicit_cluster", kIsExplicitCluster},
    {"laneid", kLaneId},
    {"lanemask_eq", kLaneMaskEq},
    {"lanemask_ge", kLaneMaskGe},
    {"lanemask_gt", kLaneMaskGt},
    {"lanemask_le", kLaneMaskLe},
    {"lanemask_lt", kLaneMaskLt},
    {"nclusterid", kNclusterId},
    {"nctaid", kNctaid},
    {"nsmid", kNsmId},
    {"ntid", kNtid},
    {"nwarpid", kNwarpId},
    {"reserved_smem_offset_begin", kReservedSharedBegin},
    {"reserved_smem_offset_cap", kReservedSharedCapacity},
    {"reserved_smem_offset_end", kReservedSharedEnd},
    {"smid", kSmId},
    {"tid", kTid},
    {"total_smem_size", kTotalSharedBytes},
    {"warpid", kWarpId},
});
static_assert(std::ranges::is_sorted(kNames, {}, &SpecialName::name));

// envreg0 to envreg31.
std::optional<SpecialName> find_environment_register(std::string_view name) {
  constexpr std::string_view kPrefix = "envreg";
  constexpr std::uint8_t kCount = 32;
  if (!name.starts_with(kPrefix)) {
    return std::nullopt;
  }
  std::uint8_t number = kCount;
  const auto [end, error] = std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number >= kCount) {
    return std::nullopt;
  }
  return SpecialName{name, kEnvironment, number};
}

}  // namespace

std::optional<SpecialName> find_special_register(std::string_view name) {
  const auto found = std::ranges::lower_bound(kNames, name, {}, &SpecialName::name);
  if (found == kNames.end() || found->name != name) {
    return find_environment_register(name);
  }
  return *found;
}

}  // namespace warpsim
