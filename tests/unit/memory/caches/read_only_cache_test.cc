#include "memory/caches/read_only_cache.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("The read-only cache has its own geometry and L1's idealisations") {
  L1Config l1;
  l1.unlimited_mshrs = true;
  l1.perfect = true;
  l1.fill_latency_cycles = 17;
  const ReadOnlyCacheConfig config{
      .kib = 48, .sets = 4, .mshr_entries = 16, .mshr_waiters = 8, .fill_bytes = 128, .hit_latency_cycles = 40};
  const L1Config result = l1_config_of(config, l1);
  CHECK(result.sets == 4);
  CHECK(result.mshr_entries == 16);
  CHECK(result.mshr_waiters == 8);
  CHECK(result.fill_bytes == 128);
  CHECK(result.hit_latency_cycles == 40);
  CHECK(result.fill_latency_cycles == 17);
  CHECK(result.perfect);
  CHECK(result.unlimited_mshrs);
}

}  // namespace
}  // namespace warpsim
