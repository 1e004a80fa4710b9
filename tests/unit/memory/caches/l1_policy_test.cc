#include "memory/caches/l1_policy.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

LoadRoute global(const L1Policy& policy, CacheOp op) {
  return route_of_load(policy, false, op);
}

TEST_CASE("Loads with a bypass operator bypass L1 under every policy") {
  for (const GlobalLoads loads : {GlobalLoads::kKept, GlobalLoads::kOptIn, GlobalLoads::kNotKept}) {
    CHECK(global({.global_loads = loads}, CacheOp::kBypassL1) == LoadRoute::kPastL1);
    CHECK(route_of_load({.global_loads = loads}, true, CacheOp::kBypassL1) == LoadRoute::kPastL1);
  }
}

TEST_CASE("The operator of the program applies to loads without their own operator") {
  const L1Policy kept{.global_loads = GlobalLoads::kKept, .load_operator = LoadOperator::kCacheGlobal};
  CHECK(global(kept, CacheOp::kDefault) == LoadRoute::kPastL1);
  CHECK(global(kept, CacheOp::kCacheAll) == LoadRoute::kL1);
  CHECK(global(kept, CacheOp::kEvictFirst) == LoadRoute::kL1);
  const L1Policy opt_in{.global_loads = GlobalLoads::kOptIn, .load_operator = LoadOperator::kCacheAll};
  CHECK(global(opt_in, CacheOp::kDefault) == LoadRoute::kL1);
  CHECK(global(opt_in, CacheOp::kEvictFirst) == LoadRoute::kPastL1);
  const L1Policy never{.global_loads = GlobalLoads::kNotKept, .load_operator = LoadOperator::kCacheAll};
  CHECK(global(never, CacheOp::kDefault) == LoadRoute::kPastL1);
  CHECK(global(never, CacheOp::kCacheAll) == LoadRoute::kPastL1);
}

TEST_CASE("Read-only data go to the cache that the GPU has for them") {
  L1Policy policy{.global_loads = GlobalLoads::kOptIn};
  CHECK(global(policy, CacheOp::kReadOnly) == LoadRoute::kL1);
  policy.read_only_loads = ReadOnlyLoads::kInReadOnlyCache;
  CHECK(global(policy, CacheOp::kReadOnly) == LoadRoute::kReadOnlyCache);
  policy.read_only_loads = ReadOnlyLoads::kAsGlobal;
  CHECK(global(policy, CacheOp::kReadOnly) == LoadRoute::kPastL1);
  policy.load_operator = LoadOperator::kCacheAll;
  CHECK(global(policy, CacheOp::kReadOnly) == LoadRoute::kL1);
}

TEST_CASE("Local memory has its own rule") {
  L1Policy policy{.global_loads = GlobalLoads::kNotKept};
  CHECK(route_of_load(policy, true, CacheOp::kDefault) == LoadRoute::kL1);
  policy.local = LocalMemory::kNotKept;
  CHECK(route_of_load(policy, true, CacheOp::kDefault) == LoadRoute::kPastL1);
}

}  // namespace
}  // namespace warpsim
