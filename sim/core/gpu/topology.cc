#include "core/gpu/topology.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace warpsim {

void describe(ConfigSection& section, TopologyConfig& config) {
  section.integers("gpc_tpcs", config.gpc_tpcs, 1, 64, "TPCs of each GPC, in the order in which GPCs are numbered.");
  section.integer("singleton_tpcs", config.singleton_tpcs, 0, 64,
                  "TPCs outside of these GPCs: they run blocks, but no clusters.");
  section.integer("sms_per_tpc", config.sms_per_tpc, 1, 4, "SMs of a TPC.");
  section.integers("gpc_l2_partition", config.gpc_l2_partition, 0, 1, "L2 partition near each GPC.");
  section.integer("singleton_gpc", config.singleton_gpc, 0, 63, "GPC whose connection to L2 the singletons share.");
  if (config.gpc_tpcs.empty()) {
    section.problem("gpc_tpcs", "at least one GPC is needed");
  }
  if (config.gpc_l2_partition.size() != config.gpc_tpcs.size()) {
    section.problem("gpc_l2_partition", "one partition is needed for each GPC of gpc_tpcs");
  }
  if (config.singleton_gpc >= std::max<std::size_t>(config.gpc_tpcs.size(), 1)) {
    section.problem("singleton_gpc", "must be one of the GPCs of gpc_tpcs, counted from 0");
  }
}

Topology::Topology(const TopologyConfig& config)
    : gpc_count_(static_cast<std::uint32_t>(config.gpc_tpcs.size())),
      sms_per_tpc_(config.sms_per_tpc),
      singleton_gpc_(config.singleton_gpc),
      tpcs_(config.gpc_tpcs.size()),
      partition_of_group_(config.gpc_l2_partition) {
  SIM_CHECK(gpc_count_ > 0 && config.gpc_l2_partition.size() == gpc_count_, "topology is not set");
  const std::uint32_t rounds = *std::max_element(config.gpc_tpcs.begin(), config.gpc_tpcs.end());
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t gpc = 0; gpc < gpc_count_; ++gpc) {
      if (round < config.gpc_tpcs[gpc]) {
        add_tpc(gpc);
      }
    }
  }
  if (config.singleton_tpcs > 0) {
    tpcs_.emplace_back();
    partition_of_group_.push_back(partition_of_group_[config.singleton_gpc]);
    for (std::uint32_t i = 0; i < config.singleton_tpcs; ++i) {
      add_tpc(gpc_count_);
    }
  }
}

void Topology::add_tpc(std::uint32_t group) {
  const bool singleton = group == gpc_count_;
  tpc_in_gpc_.push_back(
      static_cast<std::uint32_t>(tpcs_[group].size() + (singleton ? tpcs_[singleton_gpc_].size() : 0)));
  std::vector<std::uint32_t>& sms = tpcs_[group].emplace_back();
  for (std::uint32_t i = 0; i < sms_per_tpc_; ++i) {
    sms.push_back(sm_count());
    group_of_sm_.push_back(group);
    tpc_of_sm_.push_back(tpc_count_);
  }
  ++tpc_count_;
}

}  // namespace warpsim
