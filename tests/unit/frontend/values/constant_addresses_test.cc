#include "frontend/values/constant_addresses.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/listed_block.h"

namespace warpsim::test {
namespace {

// Addresses of the instructions of a warp that have any, each as those of its active lanes.
std::vector<std::vector<Address>> addresses_of(const std::vector<std::string>& lines, const Path& path) {
  const auto source = source_of(
      listed_kernel(lines, {1, 1, 1}, {1, 1, 1}, 1, [path](std::uint64_t) { return std::vector<Path>{path}; }));
  const std::unique_ptr<BlockSource> block = source->start_block(0, 0);
  WarpStream stream;
  block->refill(stream, 0);
  std::vector<std::vector<Address>> result;
  for (; stream.next != stream.end; ++stream.next) {
    const LaneAddresses lanes = block->addresses(*stream.next);
    if (lanes.kind == LaneAddresses::Kind::kStrided) {
      result.push_back({lanes.base});
      CHECK(lanes.stride == 0);
    } else if (lanes.kind == LaneAddresses::Kind::kList) {
      result.emplace_back();
      for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(std::popcount(stream.next->active)); ++i) {
        result.back().push_back(lanes.of_lane(i));
      }
    }
  }
  return result;
}

TEST_CASE("Constants that a loop reads through a counter in a uniform register have their addresses") {
  const std::vector<std::string> lines{"UMOV UR5, URZ", "ULDC.64 UR6, c[0x3][UR5+0x8]", "UIADD3 UR5, UR5, 0x40, URZ",
                                       "@P0 BRA 0x10", "EXIT"};
  const Path path = in_order(0, 3) + in_order(1, 3) + in_order(1, 4);
  CHECK(addresses_of(lines, path) == std::vector<std::vector<Address>>{{0x8}, {0x48}, {0x88}});
}

TEST_CASE("Constants that the lanes read at different offsets have a list of addresses") {
  const std::vector<std::string> lines{"S2R R3, SR_LANEID", "IMAD R3, R3, 0x4, RZ", "LDC R2, c[0x3][R3+0x100]", "EXIT"};
  const Path path = in_order(0, 1) + Path{{2, 0xb}, {3, kAllLanes}};
  CHECK(addresses_of(lines, path) == std::vector<std::vector<Address>>{{0x100, 0x104, 0x10c}});
}

TEST_CASE("What no trace contains counts as 0 in addresses of constants, so that distances are right") {
  const std::vector<std::string> lines{"LDG.E R3, [R8.64]", "LDC R2, c[0x3][R3+0x20]", "IADD3 R4, R3, 0x80, RZ",
                                       "LDC R2, c[0x3][R4+0x20]", "EXIT"};
  CHECK(addresses_of(lines, in_order(0, 4)) == std::vector<std::vector<Address>>{{0x20}, {0xa0}});
}

TEST_CASE("Only programs that read constants at addresses in registers are followed") {
  CHECK(ConstantAddresses::needed(*listed_program({"LDC R2, c[0x3][R3]", "EXIT"})));
  CHECK_FALSE(ConstantAddresses::needed(*listed_program({"LDC R2, c[0x3][RZ]", "ULDC UR4, c[0x0][0x210]", "EXIT"})));
}

}  // namespace
}  // namespace warpsim::test
