#include "mechanisms/address_hashes/xor_folded.h"

#include <catch2/catch.hpp>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("xor_folded: fields of the block's number are combined by exclusive or") {
  testing::TestCounters counters;
  const XorFoldedHash sixteen({}, {.places = 16}, counters);
  CHECK(sixteen.shift_of(0x123) == (1U ^ 2U ^ 3U));
  CHECK(sixteen.shift_of(0xf0f) == 0);
  const XorFoldedHash five({}, {.places = 5}, counters);
  CHECK(five.shift_of(0b111'010) == (0b111U ^ 0b010U) % 5);
  const XorFoldedHash one({}, {.places = 1}, counters);
  CHECK(one.shift_of(12345) == 0);
}

}  // namespace
}  // namespace warpsim::mechanism
