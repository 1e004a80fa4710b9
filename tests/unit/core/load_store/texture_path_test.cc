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
  config.work = {.wide = 2, .wide_filtered = 4, .volume_filtered = 3, .wide_volume_filtered = 9};
  config.extra_cycle_latency_cycles = 2;
  config.extra_register_latency_cycles = 5;
  return config;
}

// When a result is there of a fetch or another access that arrives at `now`, of one register.
Cycle result(TexturePath& path, TextureAccess access, Cycle now, const TexelAccess& texels = {},
             std::uint32_t passes = 0) {
  IssueInfo info;
  info.texture = access;
  info.result_registers = 1;
  return path.start(info, texels, passes, now).at;
}

TEST_CASE("a texture access takes the latency of its kind, counted from its issue") {
  for (const auto& [access, latency] :
       {std::pair{TextureAccess::kFetch, 100U}, std::pair{TextureAccess::kLoad, 80U},
        std::pair{TextureAccess::kGather, 120U}, std::pair{TextureAccess::kStore, 30U}}) {
    TexturePath path(config_of_test(), kAddressLatency);
    CHECK(result(path, access, 1000 + kAddressLatency) == 1000 + latency);
  }
}

TEST_CASE("texture accesses follow each other at the interval of the earlier one") {
  TexturePath path(config_of_test(), kAddressLatency);
  CHECK(result(path, TextureAccess::kFetch, 100) == 190);
  CHECK(result(path, TextureAccess::kLoad, 100) == 108 + 70);
  CHECK(result(path, TextureAccess::kGather, 100) == 112 + 110);
  CHECK(result(path, TextureAccess::kFetch, 100) == 128 + 90);
}

TEST_CASE("the texture units take no more instructions than their queue holds") {
  TexturePath path(config_of_test(), kAddressLatency);
  result(path, TextureAccess::kFetch, 100);  // until 108
  CHECK(path.accepts_at() <= 100);
  result(path, TextureAccess::kFetch, 100);
  CHECK(path.accepts_at() <= 100);
  result(path, TextureAccess::kFetch, 100);  // until 124, so that two wait until 108
  CHECK(path.accepts_at() == 108);
}

TEST_CASE("a latency below the way to the units takes one cycle") {
  TextureConfig config = config_of_test();
  config.fetch.latency_cycles = 3;
  TexturePath path(config, kAddressLatency);
  CHECK(result(path, TextureAccess::kFetch, 100) == 101);
}

TEST_CASE("wide texels and filters occupy the texture units for several intervals") {
  struct Row {
    TexelAccess texels;
    Cycle cycles;
  };
  for (const Row& row : {Row{{.texel_bytes = 8}, 8}, Row{{.texel_bytes = 16}, 16},
                         Row{{.texel_bytes = 8, .filter = 2}, 8}, Row{{.texel_bytes = 16, .filter = 1}, 32},
                         Row{{.texel_bytes = 4, .filter = 3}, 24}, Row{{.texel_bytes = 16, .filter = 3}, 72}}) {
    TexturePath path(config_of_test(), kAddressLatency);
    CHECK(result(path, TextureAccess::kFetch, 100, row.texels) == 190 + 2 * (row.cycles - 8));
    CHECK(result(path, TextureAccess::kFetch, 100) == 190 + row.cycles);
  }
}

TEST_CASE("a load with a filter takes the time of a fetch") {
  TexturePath path(config_of_test(), kAddressLatency);
  CHECK(result(path, TextureAccess::kLoad, 100, {.filter = 2}) == 190);
  CHECK(result(path, TextureAccess::kLoad, 100) == 108 + 70);
}

TEST_CASE("passes beyond an interval occupy the texture units, and the result is later") {
  TexturePath path(config_of_test(), kAddressLatency);
  CHECK(result(path, TextureAccess::kFetch, 100, {}, 8) == 190);
  CHECK(result(path, TextureAccess::kFetch, 108, {}, 11) == 198 + 2 * 3);
  CHECK(result(path, TextureAccess::kFetch, 108) == 119 + 90);
}

TEST_CASE("each result register beyond the first is later") {
  TexturePath path(config_of_test(), kAddressLatency);
  IssueInfo info;
  info.result_registers = 4;
  CHECK(path.start(info, {}, 0, 100).at == 190 + 3 * 5);
  CHECK(path.start(info, {}, 0, 200).latency_cycles == 100 + 3 * 5);
}

TEST_CASE("the time of a store follows from its sectors, not from the width of its texels") {
  TexturePath path(config_of_test(), kAddressLatency);
  result(path, TextureAccess::kStore, 100, {.texel_bytes = 16}, 7);
  CHECK(result(path, TextureAccess::kFetch, 100) == 107 + 90);
}

}  // namespace
