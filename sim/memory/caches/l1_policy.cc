#include "memory/caches/l1_policy.h"

namespace warpsim {

void describe(ConfigSection& section, L1Policy& policy) {
  section.choice("global_loads", policy.global_loads,
                 {{"kept", GlobalLoads::kKept}, {"opt_in", GlobalLoads::kOptIn}, {"never", GlobalLoads::kNotKept}},
                 "whether L1 caches global loads: by default, only with operator .ca, never");
  section.choice(
      "load_operator", policy.load_operator,
      {{"hardware", LoadOperator::kHardware}, {"ca", LoadOperator::kCacheAll}, {"cg", LoadOperator::kCacheGlobal}},
      "cache operator of global loads that have none (nvcc -dlcm); hardware: see global_loads");
  section.choice("read_only_loads", policy.read_only_loads,
                 {{"l1", ReadOnlyLoads::kInL1},
                  {"read_only_cache", ReadOnlyLoads::kInReadOnlyCache},
                  {"as_global", ReadOnlyLoads::kAsGlobal}},
                 "which cache serves loads of read-only data (LDG of 3.x, .CI, .CONSTANT)");
  section.choice("local", policy.local,
                 {{"written_through", LocalMemory::kWrittenThrough},
                  {"written_back", LocalMemory::kWrittenBack},
                  {"not_kept", LocalMemory::kNotKept}},
                 "local memory in L1: written through, written back when the line is replaced, or not cached");
  section.choice("global_stores", policy.global_stores,
                 {{"update", GlobalStores::kUpdate}, {"invalidate", GlobalStores::kInvalidate}},
                 "effect of a global store on a line in L1");
}

namespace {

LoadRoute route_of_global(const L1Policy& policy, bool asks_for_all) {
  const bool kept = policy.global_loads == GlobalLoads::kKept;
  return kept || (asks_for_all && policy.global_loads == GlobalLoads::kOptIn) ? LoadRoute::kL1 : LoadRoute::kPastL1;
}

}  // namespace

LoadRoute route_of_load(const L1Policy& policy, bool local, CacheOp op) {
  if (op == CacheOp::kBypassL1 || op == CacheOp::kSystem) {
    return LoadRoute::kPastL1;
  }
  if (local) {
    return policy.local == LocalMemory::kNotKept ? LoadRoute::kPastL1 : LoadRoute::kL1;
  }
  if (op == CacheOp::kReadOnly && policy.read_only_loads != ReadOnlyLoads::kAsGlobal) {
    return policy.read_only_loads == ReadOnlyLoads::kInL1 ? LoadRoute::kL1 : LoadRoute::kReadOnlyCache;
  }
  if (op == CacheOp::kCacheAll) {
    return route_of_global(policy, true);
  }
  const bool of_its_own = op == CacheOp::kEvictFirst || op == CacheOp::kLastUse;
  const LoadOperator load_operator = of_its_own ? LoadOperator::kHardware : policy.load_operator;
  return load_operator == LoadOperator::kCacheGlobal
             ? LoadRoute::kPastL1
             : route_of_global(policy, load_operator == LoadOperator::kCacheAll);
}

}  // namespace warpsim
