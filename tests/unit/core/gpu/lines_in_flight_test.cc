// Rates at which an SM of the H200's description reads scattered lines from DRAM, compared with those measured on an
// H200 (tests/hardware/lines_in_flight/h200.csv): the lines in flight are those of L1, which shared memory leaves.
#include <catch2/catch.hpp>

#include "config/config_tree.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

constexpr std::uint32_t kWarps = 32;
constexpr std::uint32_t kUnroll = 4;

Cycle cycles_of(std::uint32_t rounds, std::uint32_t shared_kib, const Overrides& overrides) {
  KernelBuilder k;
  k.loop(rounds, [&] {
    for (std::uint32_t i = 0; i < kUnroll; ++i) {
      Addresses addresses;
      addresses.of = [i](std::uint64_t, std::uint32_t warp, std::uint32_t round, std::uint32_t lane) {
        constexpr std::uint32_t kLines = 1U << 20U;
        const std::uint32_t place = ((round * kUnroll + i) * kWarps + warp) * 32 + lane;
        return 0x7f0000000000 + static_cast<Address>(place * 2654435761U % kLines) * kLineBytes;
      };
      k.load("LDG.E.STRONG.GPU", static_cast<std::uint8_t>(8 + i), addresses).writes(i);
    }
    k.iadd(5, 8, 9).waits(0);
    k.iadd(5, 8, 9).waits(1);
    k.iadd(5, 8, 9).waits(2);
    k.iadd(5, 8, 9).waits(3);
  });
  k.exit();
  KernelShape shape;
  shape.warps = kWarps;
  shape.shared_bytes = shared_kib * 1024;
  SyntheticKernel kernel(k, shape);
  Machine gpu(ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h200.yaml", overrides).read<GpuConfig>(), {});
  return run_on(gpu, kernel).result.elapsed_cycles;
}

double lines_per_cycle(std::uint32_t shared_kib, const Overrides& overrides = {}) {
  const Cycle longer = cycles_of(10, shared_kib, overrides);
  const Cycle shorter = cycles_of(4, shared_kib, overrides);
  return 6.0 * kUnroll * kWarps * 32 / static_cast<double>(longer - shorter);
}

TEST_CASE("Lines in flight: scattered loads are as fast as the lines of L1 let them be, as measured", "[exhaustive]") {
  CHECK(lines_per_cycle(227) == Approx(0.176).epsilon(0.1));
  CHECK(lines_per_cycle(195) == Approx(0.398).epsilon(0.1));
  CHECK(lines_per_cycle(163) == Approx(0.603).epsilon(0.1));
  CHECK(lines_per_cycle(131) == Approx(0.804).epsilon(0.1));
}

TEST_CASE("Lines in flight: a larger L1 for the same shared memory ends the limit") {
  CHECK(lines_per_cycle(227, {"sm.l1.capacity_kib=256"}) > 3 * lines_per_cycle(227));
}

}  // namespace
}  // namespace warpsim::test
