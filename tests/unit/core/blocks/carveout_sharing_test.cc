// Which kernels share an SM on an H100 (tests/hardware/carveouts), and which here.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/blocks/occupancy.h"
#include "core/blocks/sm_resources.h"
#include "unit/core/h200_limits.h"

namespace warpsim {
namespace {

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::istringstream in(name);
  for (std::string part; std::getline(in, part, '.');) {
    parts.push_back(part);
  }
  return parts;
}

BlockDemand demand_of(const std::string& threads, const std::string& kib) {
  constexpr std::uint32_t kRegisters = 16;
  const auto bytes = static_cast<std::uint32_t>(std::stoul(kib) * 1024);
  return make_demand(
      compute_occupancy(test::h200_occupancy(), {static_cast<std::uint32_t>(std::stoul(threads)), kRegisters, bytes}));
}

TEST_CASE("SM resources: kernels share an SM where they do on an H100", "[core]") {
  std::ifstream in(WARPSIM_SOURCE_DIR "/tests/hardware/carveouts/h100.csv");
  std::string line;
  std::size_t compared = 0;
  while (std::getline(in, line)) {
    const std::string name = line.substr(0, line.find(','));
    const std::vector<std::string> parts = parts_of(name);
    const bool sizes = parts.front() == "threads";                            // threads.T.held.K.threads.T.wanted.K
    const bool amounts = parts.front() == "carveout" && parts.at(1) == "-1";  // carveout.-1.held.K.wanted.K
    if (!sizes && !amounts) {
      continue;
    }
    const BlockDemand held = sizes ? demand_of(parts.at(1), parts.at(3)) : demand_of("64", parts.at(3));
    const BlockDemand wanted = sizes ? demand_of(parts.at(5), parts.at(7)) : demand_of("64", parts.at(5));
    SmResources sm(test::h200_occupancy());
    sm.take(held);
    CAPTURE(name);
    CHECK((sm.room(wanted) > 0) == (line.back() == '1'));
    ++compared;
  }
  CHECK(compared == 75 + 144);
}

}  // namespace
}  // namespace warpsim
