// The memory rules of every compute capability, as stated in the shipped GPU descriptions.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "config/config_tree.h"
#include "core/gpu/gpu_config.h"
#include "memory/access/coalescing_rule.h"
#include "support/lane_lists.h"

namespace warpsim {
namespace {

struct Rules {
  const char* gpu;
  std::uint32_t misaligned;  // transactions of 32 words misaligned by one, guide 4.2 figure F-1, by a plain load
  std::uint32_t stride_2;    // ways of a stride of two words, guides 4.2 figure F-2 and 8.0 figure 17
  bool keeps_global;         // in L1: loads from global memory by default,
  bool keeps_global_ca;      // with -dlcm=ca,
  bool keeps_read_only;      // of read-only data (in L1 or in a cache of their own),
  bool keeps_local;          // and of local memory
  bool native_atomics;       // in shared memory
  bool l2;
};

// CUDA C programming guides 4.2, F.3 to F.5, and 8.0, G.3 to G.6.
const std::vector<Rules> kRules = {
    {"geforce8800gtx", 32, 2, false, false, false, false, false, false},
    {"geforce9800gtx", 32, 2, false, false, false, false, false, false},
    {"gt240", 3, 2, false, false, false, false, false, false},
    {"gtx280", 3, 2, false, false, false, false, false, false},
    {"gtx480", 2, 2, true, true, true, true, false, true},
    {"gtx560ti", 2, 2, true, true, true, true, false, true},
    {"gtx680", 5, 1, false, false, false, true, false, true},
    {"tegrak1", 5, 1, false, false, false, true, false, true},
    {"k40", 5, 1, false, true, true, true, false, true},
    {"k80", 5, 1, false, true, true, true, false, true},
    {"gtx750ti", 5, 2, false, false, true, false, true, true},
    {"gtx980", 5, 2, false, true, true, false, true, true},
    {"tegrax1", 5, 2, false, true, true, false, true, true},
    {"p100", 5, 2, false, true, true, false, true, true},
    {"gtx1080", 5, 2, false, true, true, false, true, true},
    {"tegrax2", 5, 2, false, true, true, false, true, true},
    {"v100", 5, 2, true, true, true, true, true, true},
    {"xavier", 5, 2, true, true, true, true, true, true},
    {"t4", 5, 2, true, true, true, true, true, true},
    {"a100", 5, 2, true, true, true, true, true, true},
    {"rtx3070", 5, 2, true, true, true, true, true, true},
    {"orin", 5, 2, true, true, true, true, true, true},
    {"rtx4090", 5, 2, true, true, true, true, true, true},
    {"h200", 5, 2, true, true, true, true, true, true},
};

using test::strided;

std::uint32_t misaligned_transactions(const SmConfig& sm) {
  CoalescedAccess access;
  coalesce_by(sm.load_store.coalescing, strided(132, 4), kAllLanes, 4, AccessNeeds::kSectors, access);
  const bool whole_lines =
      sm.l1.fill_bytes == kLineBytes && route_of_load(sm.l1.policy, false, CacheOp::kDefault) == LoadRoute::kL1;
  const Transactions t = transactions_of(sm.load_store.coalescing, access, whole_lines);
  return t.of_32_bytes + t.of_64_bytes + t.of_128_bytes;
}

bool keeps(const L1Policy& policy, bool local, CacheOp op) {
  return route_of_load(policy, local, op) != LoadRoute::kPastL1;
}

TEST_CASE("Each capability's GPUs follow its memory rules") {
  for (const Rules& rules : kRules) {
    INFO(rules.gpu);
    const auto load = [&](const std::vector<std::string>& overrides) {
      return ConfigTree::load(std::string(WARPSIM_SOURCE_DIR "/configs/") + rules.gpu + ".yaml", overrides)
          .read<GpuConfig>();
    };
    const GpuConfig config = load({});
    const L1Policy& policy = config.sm.l1.policy;
    CHECK(misaligned_transactions(config.sm) == rules.misaligned);
    const BankPasses passes = SharedBanks(config.sm.load_store.shared_banks).load(strided(0, 8), kAllLanes, 4);
    CHECK(passes.passes == rules.stride_2 * passes.least);
    CHECK(keeps(policy, false, CacheOp::kDefault) == rules.keeps_global);
    CHECK(keeps(policy, false, CacheOp::kReadOnly) == rules.keeps_read_only);
    CHECK(keeps(policy, true, CacheOp::kDefault) == rules.keeps_local);
    CHECK_FALSE(keeps(policy, false, CacheOp::kBypassL1));
    const L1Policy with_ca = load({"sm.l1.policy.load_operator=ca"}).sm.l1.policy;
    CHECK(keeps(with_ca, false, CacheOp::kDefault) == rules.keeps_global_ca);
    CHECK((config.sm.load_store.shared_banks.atomics == SharedAtomics::kNative) == rules.native_atomics);
    CHECK(config.memory.l2.keeps_lines == rules.l2);
  }
}

TEST_CASE("Bank conflicts delay a shared load as measured by Mei and Chu (TPDS 2017)") {
  struct Measured {
    const char* gpu;
    std::uint32_t ways;
    double cycles;
  };
  // Few ways are not compared: the latency without conflict is published differently (28 on 2.x, 24 on 3.x and 5.x,
  // compared with 50, 47 and 28 there).
  const std::vector<Measured> measured = {{"gtx560ti", 8, 311}, {"gtx560ti", 16, 611}, {"gtx560ti", 32, 1209},
                                          {"k40", 16, 257},     {"k40", 32, 484},      {"gtx980", 8, 42},
                                          {"gtx980", 16, 58},   {"gtx980", 32, 90}};
  for (const Measured& m : measured) {
    CAPTURE(m.gpu, m.ways);
    auto tree = ConfigTree::load(std::string(WARPSIM_SOURCE_DIR "/configs/") + m.gpu + ".yaml", {});
    const LoadStoreConfig config = tree.read<GpuConfig>().sm.load_store;
    const std::uint32_t cycles =
        config.shared_latency_cycles + (m.ways - 1) * config.shared_banks.conflict_latency_cycles;
    CHECK(cycles == Approx(m.cycles).epsilon(0.1));
  }
}

}  // namespace
}  // namespace warpsim
