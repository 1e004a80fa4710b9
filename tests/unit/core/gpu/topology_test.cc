#include "core/gpu/topology.h"

#include <catch2/catch.hpp>

#include "unit/core/h200_limits.h"

namespace warpsim {
namespace {

TEST_CASE("Topology: SM numbers rotate over the GPCs TPC by TPC, singletons last", "[core]") {
  TopologyConfig config;
  config.gpc_tpcs = {1, 2};
  config.singleton_tpcs = 1;
  config.sms_per_tpc = 2;
  config.gpc_l2_partition = {0, 1};
  config.singleton_gpc = 0;
  const Topology topology(config);
  CHECK(topology.sm_count() == 8);
  CHECK(topology.gpc_count() == 2);
  CHECK(topology.group_count() == 3);
  using Tpcs = std::vector<std::vector<std::uint32_t>>;
  CHECK(topology.tpcs(0) == Tpcs{{0, 1}});
  CHECK(topology.tpcs(1) == Tpcs{{2, 3}, {4, 5}});
  CHECK(topology.tpcs(2) == Tpcs{{6, 7}});
  CHECK(topology.group_of_sm(4) == 1);
  CHECK(topology.tpc_of_sm(5) == 2);
  CHECK(topology.tpc_in_gpc(3) == 0);
  CHECK(topology.tpc_in_gpc(4) == 1);
  CHECK(topology.tpc_in_gpc(7) == 1);  // a singleton, behind the TPC of its GPC
  CHECK(topology.l2_partition_of_sm(3) == 1);
  CHECK(topology.l2_partition_of_sm(7) == 0);
}

TEST_CASE("Topology: the H200's numbers form the groups that its block records show", "[core]") {
  const Topology topology(test::h200_topology());
  CHECK(topology.sm_count() == 132);
  CHECK(topology.tpcs(0) == std::vector<std::vector<std::uint32_t>>{{0, 1}, {16, 17}, {32, 33}, {48, 49}});
  CHECK(topology.tpcs(1).back() == std::vector<std::uint32_t>{106, 107});
  CHECK(topology.tpcs(7).back() == std::vector<std::uint32_t>{122, 123});
  CHECK(topology.tpcs(8).front() == std::vector<std::uint32_t>{124, 125});
  // SMs that share a translation cache (tests/hardware/translation, reach.cu shared) have TPCs with equal positions
  // modulo three.
  for (const std::vector<std::uint32_t>& sms :
       {std::vector<std::uint32_t>{0, 48, 128}, {4, 52, 94}, {6, 54, 96}, {20, 66, 108}, {36, 80}, {40, 84}}) {
    for (const std::uint32_t sm : sms) {
      CHECK(topology.l2_gpc_of_sm(sm) == topology.l2_gpc_of_sm(sms[0]));
      CHECK(topology.tpc_in_gpc(sm) % 3 == topology.tpc_in_gpc(sms[0]) % 3);
    }
  }
}

TEST_CASE("Topology: without singletons there are only GPCs", "[core]") {
  TopologyConfig config;
  config.gpc_tpcs = {2};
  config.sms_per_tpc = 1;
  config.gpc_l2_partition = {0};
  const Topology topology(config);
  CHECK_FALSE(topology.has_singletons());
  CHECK(topology.sm_count() == 2);
}

}  // namespace
}  // namespace warpsim
