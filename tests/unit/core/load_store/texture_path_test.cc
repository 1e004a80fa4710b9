#include "core/load_store/texture_path.h"

#include <catch2/catch.hpp>

using namespace warpsim;

namespace {

constexpr std::uint32_t kAddressLatency = 10;

TextureConfig config_of_test() {
  TextureConfig config;
  config.queue_entries = 2;
  config.fetch = {.latency_cycles = 100, .interval_cycles = 8};
  config.load = {.latency_cycles = 80, .interval_cycles = 4};
  config.gather = {.latency_cycles = 120, .interval_cycles = 16};
  config.store = {.latency_cycles = 30, .interval_cycles = 6};
  return config;
}

TEST_CASE("a texture access takes the latency of its kind, counted from its issue") {
  for (const auto& [access, latency] :
       {std::pair{TextureAccess::kFetch, 100U}, std::pair{TextureAccess::kLoad, 80U},
        std::pair{TextureAccess::kGather, 120U}, std::pair{TextureAccess::kStore, 30U}}) {
    TexturePath path(config_of_test(), kAddressLatency);
    CHECK(path.start(access, 1000 + kAddressLatency) == 1000 + latency);
  }
}

TEST_CASE("texture accesses follow each other at the interval of the earlier one") {
  TexturePath path(config_of_test(), kAddressLatency);
  CHECK(path.start(TextureAccess::kFetch, 100) == 190);
  CHECK(path.start(TextureAccess::kLoad, 100) == 108 + 70);
  CHECK(path.start(TextureAccess::kGather, 100) == 112 + 110);
  CHECK(path.start(TextureAccess::kFetch, 100) == 128 + 90);
}

TEST_CASE("the texture units take no more instructions than their queue holds") {
  TexturePath path(config_of_test(), kAddressLatency);
  path.start(TextureAccess::kFetch, 100);  // until 108
  CHECK(path.accepts_at() <= 100);
  path.start(TextureAccess::kFetch, 100);
  CHECK(path.accepts_at() <= 100);
  path.start(TextureAccess::kFetch, 100);  // until 124, so that two wait until 108
  CHECK(path.accepts_at() == 108);
}

TEST_CASE("a latency below the way to the units takes one cycle") {
  TextureConfig config = config_of_test();
  config.fetch.latency_cycles = 3;
  TexturePath path(config, kAddressLatency);
  CHECK(path.start(TextureAccess::kFetch, 100) == 101);
}

}  // namespace
