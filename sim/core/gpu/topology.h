// Topology: how SMs are grouped into TPCs and GPCs, how they are numbered, and which L2 partition is near them.
//
// A TPC is a pair of SMs. SM numbers rotate over the GPCs TPC by TPC, as long as a GPC has TPCs left; after these come
// the singleton TPCs, which no cluster is placed on although they share a GPC's connection to L2. Evidence: the SM of
// each thread block of 70 kernels recorded on an H200 (see block_placement.h), in which the numbers fall into exactly
// these groups. Invariant: every SM is in exactly one group; groups are the GPCs in order, then one group with all
// singletons.
#pragma once

#include <cstdint>
#include <vector>

#include "config/config_section.h"

namespace warpsim {

struct TopologyConfig {
  std::vector<std::uint32_t> gpc_tpcs;  // TPCs of each GPC
  std::uint32_t singleton_tpcs = 0;     // TPCs outside of these GPCs
  std::uint32_t sms_per_tpc = 0;
  std::vector<std::uint32_t> gpc_l2_partition;  // near L2 partition of each GPC
  std::uint32_t singleton_gpc = 0;              // GPC whose connection to L2 the singletons share
};
void describe(ConfigSection& section, TopologyConfig& config);

class Topology {
 public:
  explicit Topology(const TopologyConfig& config);

  std::uint32_t sm_count() const { return static_cast<std::uint32_t>(group_of_sm_.size()); }
  // GPCs, then the group of singletons if there are any.
  std::uint32_t group_count() const { return static_cast<std::uint32_t>(tpcs_.size()); }
  std::uint32_t gpc_count() const { return gpc_count_; }
  bool has_singletons() const { return group_count() > gpc_count_; }
  // SM numbers of the TPCs of a group, in order: tpcs(g)[t][i].
  const std::vector<std::vector<std::uint32_t>>& tpcs(std::uint32_t group) const { return tpcs_[group]; }

  std::uint32_t group_of_sm(std::uint32_t sm) const { return group_of_sm_[sm]; }
  std::uint32_t tpc_of_sm(std::uint32_t sm) const { return tpc_of_sm_[sm]; }
  // Position of the SM's TPC among those that reach L2 through the same GPC; singletons follow the GPC's own.
  std::uint32_t tpc_in_gpc(std::uint32_t sm) const { return tpc_in_gpc_[tpc_of_sm_[sm]]; }
  // GPC through which the SM reaches L2.
  std::uint32_t l2_gpc_of_sm(std::uint32_t sm) const {
    return group_of_sm_[sm] < gpc_count_ ? group_of_sm_[sm] : singleton_gpc_;
  }
  std::uint32_t l2_partition_of_sm(std::uint32_t sm) const { return partition_of_group_[group_of_sm_[sm]]; }

 private:
  void add_tpc(std::uint32_t group);

  std::uint32_t gpc_count_;
  std::uint32_t sms_per_tpc_;
  std::uint32_t singleton_gpc_;
  std::uint32_t tpc_count_ = 0;
  std::vector<std::vector<std::vector<std::uint32_t>>> tpcs_;
  std::vector<std::uint32_t> group_of_sm_;
  std::vector<std::uint32_t> tpc_of_sm_;
  std::vector<std::uint32_t> tpc_in_gpc_;  // by TPC
  std::vector<std::uint32_t> partition_of_group_;
};

}  // namespace warpsim
