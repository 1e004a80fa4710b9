#include "mechanisms/compressions/equal_sizes.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("Every line has the size of the key") {
  MechanismBench<EqualSizes> compression({}, {{"sectors", 3}, {"decompression_cycles", 7}});
  CHECK(compression->sectors(0) == 3);
  CHECK(compression->sectors(~Address{0} / kLineBytes * kLineBytes) == 3);
  CHECK(compression->decompression_cycles() == 7);
}

}  // namespace
}  // namespace warpsim::mechanism
