#include "mechanisms/address_hashes/linear.h"

#include <catch2/catch.hpp>
#include <set>

#include "memory/address_map.h"

namespace warpsim {
namespace {

AddressMapConfig eight_slices(bool linear) {
  AddressMapConfig config;
  config.slices_per_partition = 8;
  config.num_channels = 8;
  config.num_stacks = 1;
  if (linear) {
    config.hash = {"linear", mechanism::entry_of<mechanism::LinearHash>("linear", "no hash").make_factory()};
  }
  return config;
}

std::set<std::uint32_t> slices_of_stride(const AddressMap& map, Address stride) {
  std::set<std::uint32_t> slices;
  for (Address i = 0; i < 64; ++i) {
    slices.insert(map.home_of(i * stride).slice_in_partition);
  }
  return slices;
}

TEST_CASE("linear: a stride over all slices uses one of them, which the usual hash avoids") {
  const AddressMap linear(eight_slices(true));
  const AddressMap mixed(eight_slices(false));
  const Address all = Address{8} * 512;
  CHECK(slices_of_stride(linear, all).size() == 1);
  CHECK(slices_of_stride(linear, 512).size() == 8);
  CHECK(slices_of_stride(mixed, all).size() == 8);
}

TEST_CASE("linear: the map is a bijection") {
  const AddressMap map(eight_slices(true));
  for (Address line = 0; line < 4096 * kLineBytes; line += kLineBytes) {
    REQUIRE(map.line_of(map.home_of(line)) == line);
  }
}

}  // namespace
}  // namespace warpsim
