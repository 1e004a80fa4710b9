#include "memory/address_map.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <tuple>
#include <vector>

namespace warpsim {
namespace {

AddressMapConfig map_of(std::uint32_t partitions, std::uint32_t slices, std::uint32_t channels,
                        std::uint32_t interleave = 512) {
  return {partitions, slices, channels, interleave, 2048, 4, 4, 4096};
}

// Greatest deviation of a slice's share from the mean, over `count` lines `stride` bytes apart.
double imbalance(const AddressMapConfig& config, Address stride, std::uint32_t count) {
  const AddressMap map(config);
  std::vector<std::uint32_t> hits(config.num_slices(), 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const AddressMap::Home home = map.home_of(Address{0x7f0000000000} + i * stride);
    ++hits[map.slice_number(home.partition, home.slice_in_partition)];
  }
  const double mean = static_cast<double>(count) / config.num_slices();
  double worst = 0;
  for (const std::uint32_t n : hits) {
    worst = std::max(worst, std::abs(n - mean) / mean);
  }
  return worst;
}

}  // namespace

TEST_CASE("Address map: an aligned run of as many chunks as slices covers each slice once") {
  const AddressMapConfig config = map_of(2, 48, 48);
  const AddressMap map(config);
  for (std::uint64_t block = 0; block < 50; ++block) {
    std::set<std::uint32_t> seen;
    for (std::uint64_t chunk = 0; chunk < 96; ++chunk) {
      const AddressMap::Home home = map.home_of((block * 96 + chunk) * 512);
      seen.insert(map.slice_number(home.partition, home.slice_in_partition));
    }
    CHECK(seen.size() == 96);
  }
}

TEST_CASE("Address map: the lines of a chunk share a slice and the chunks of a piece share a partition") {
  const AddressMap map(map_of(2, 48, 48));
  const AddressMap::Home first = map.home_of(0);
  for (Address line = 0; line < 512; line += 128) {
    CHECK(map.home_of(line).slice_in_partition == first.slice_in_partition);
    CHECK(map.home_of(line).line_number == line / 128);
  }
  std::set<std::uint32_t> slices;
  for (Address chunk = 0; chunk < 8; ++chunk) {
    const AddressMap::Home home = map.home_of(chunk * 512);
    CHECK(home.partition == first.partition);
    slices.insert(home.slice_in_partition);
  }
  CHECK(slices.size() == 8);
}

TEST_CASE("Address map: each partition has one of two neighbouring pieces, in either order") {
  const AddressMap map(map_of(2, 48, 48));
  std::uint32_t first_half = 0;
  for (Address pair = 0; pair < 1000; ++pair) {
    const std::uint32_t partition = map.home_of(pair * 8192).partition;
    CHECK(map.home_of(pair * 8192 + 4096).partition == 1 - partition);
    first_half += partition;
  }
  CHECK(first_half > 400);
  CHECK(first_half < 600);
}

TEST_CASE("Address map: a line is found again by slice and number") {
  for (const AddressMapConfig& config : {map_of(2, 48, 48), map_of(1, 44, 22), map_of(2, 5, 10), map_of(3, 4, 12)}) {
    const AddressMap map(config);
    for (Address line = 0; line < 3000 * 128; line += 128) {
      REQUIRE(map.line_of(map.home_of(line)) == line);
      REQUIRE(map.line_of(map.home_of(0x7f0000000000 + line)) == 0x7f0000000000 + line);
    }
  }
}

TEST_CASE("Address map: power-of-two strides are even within five percent for any number of slices") {
  // 2^19 samples over 96 slices: pure chance gives a worst slice of about 3.5 %.
  for (const AddressMapConfig& config : {map_of(2, 48, 48), map_of(2, 40, 40), map_of(1, 44, 22), map_of(2, 32, 64)}) {
    for (Address stride = 128; stride <= (Address{1} << 22); stride *= 2) {
      INFO(config.num_slices() << " slices, stride " << stride);
      CHECK(imbalance(config, stride, 1U << 19) < 0.05);
    }
  }
}

TEST_CASE("Address map: no two lines share slice and line number") {
  const AddressMap map(map_of(2, 5, 10));
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> seen;
  for (Address line = 0; line < 4000 * 128; line += 128) {
    const AddressMap::Home home = map.home_of(line);
    seen.insert({home.partition, home.slice_in_partition, home.line_number});
  }
  CHECK(seen.size() == 4000);
}

TEST_CASE("Address map: a channel's rows hold as many lines as fit, and neighbouring chunks change bank group") {
  const AddressMap map(map_of(1, 2, 1));  // one channel, 2048-byte rows of four 512-byte chunks
  std::vector<std::uint32_t> lines_in_row(16 * 8, 0);
  for (Address line = 0; line < 16 * 8 * 2048; line += 128) {
    const AddressMap::DramPlace place = map.dram_place_of(line);
    REQUIRE(place.bank < 16);
    REQUIRE(place.row < 8);
    CHECK(place.bank / 4 == place.bank_group);
    ++lines_in_row[place.bank * 8 + place.row];
  }
  for (const std::uint32_t lines : lines_in_row) {
    CHECK(lines == 16);
  }
}

TEST_CASE("Address map: slices share channels evenly") {
  const AddressMap map(map_of(2, 48, 48));
  CHECK(map.slices_per_channel() == 2);
  CHECK(map.channel_of_slice(0) == 0);
  CHECK(map.channel_of_slice(1) == 0);
  CHECK(map.channel_of_slice(95) == 47);
}

TEST_CASE("Fast divider: quotient and remainder are exact up to 48 bits") {
  for (const std::uint32_t divisor : {1U, 2U, 3U, 5U, 7U, 48U, 96U, 255U, 320U, 65535U}) {
    const FastDivider divider(divisor);
    for (std::uint64_t base : {std::uint64_t{0}, std::uint64_t{1} << 20, (std::uint64_t{1} << 48) - 70000}) {
      for (std::uint64_t offset = 0; offset < 70000; offset += 61) {
        const std::uint64_t value = base + offset;
        REQUIRE(divider.quotient(value) == value / divisor);
        REQUIRE(divider.remainder(value) == value % divisor);
      }
    }
  }
}

TEST_CASE("Address map: the stacks of a partition alternate by channel") {
  AddressMapConfig config = map_of(2, 6, 12);
  config.num_stacks = 6;
  const AddressMap map(config);
  const std::vector<std::uint32_t> expected{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5};
  for (std::uint32_t channel = 0; channel < 12; ++channel) {
    CHECK(map.stack_of_channel(channel) == expected[channel]);
  }
}

}  // namespace warpsim
