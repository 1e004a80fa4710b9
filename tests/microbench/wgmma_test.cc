// Stalls of warpgroup mma compared with those of Nsight Compute (tests/hardware/wgmma/stalls.csv).
#include <catch2/catch.hpp>

#include "config/config_tree.h"
#include "microbench/listed_kernel.h"
#include "microbench/listed_program.h"
#include "support/machine.h"

namespace warpsim::microbench {
namespace {

// For a long stream of rounds of eight operations, in which beginning and end are negligible: stalled warps in an
// issuing cycle.
class Stalls {
 public:
  Stalls(const std::string& code, std::uint32_t warps) {
    Machine gpu(ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h200.yaml", {}).read<GpuConfig>(), as_measured());
    ListedKernel kernel(uniform_path(find_program(load_programs("wgmma"), code), {255}),
                        {.warps = warps, .registers = 128});
    gpu.run(kernel);
    counters_ = test::counters_of(gpu.stats());
  }
  double operator[](const std::string& reason) const {
    return static_cast<double>(counters_.at("sm.sub_core.stalled_" + reason)) /
           static_cast<double>(counters_.at("sm.sub_core.stalled_selected"));
  }

 private:
  test::Counters counters_;
};

TEST_CASE("stalls of one warpgroup that keeps the queue full are close to those of the hardware") {
  const Stalls narrow("stream.bf16_f32.n8.shared.groups1", 4);
  CHECK(narrow["barrier"] == Approx(5.44).epsilon(0.1));
  CHECK(narrow["gmma"] == Approx(1.72).epsilon(0.1));
  CHECK(narrow["wait"] == Approx(2.74).epsilon(0.01));
  const Stalls middle("stream.bf16_f32.n64.shared.groups1", 4);
  CHECK(middle["barrier"] == Approx(13.13).epsilon(0.05));
  CHECK(middle["mio_throttle"] == Approx(4.85).epsilon(0.1));
  CHECK(middle["gmma"] == Approx(1.72).epsilon(0.15));
  const Stalls wide("stream.bf16_f32.n256.shared.groups1", 4);
  CHECK(wide["barrier"] == Approx(27.91).epsilon(0.05));
  CHECK(wide["mio_throttle"] == Approx(10.72).epsilon(0.05));
  CHECK(wide["gmma"] == Approx(4.53).epsilon(0.1));
}

TEST_CASE("stalls of four warpgroups that wait for each other are close to those of the hardware") {
  const Stalls four("stream.bf16_f32.n64.shared.groups4", 16);
  CHECK(four["gmma"] == Approx(53.85).epsilon(0.05));
  CHECK(four["barrier"] == Approx(13.24).epsilon(0.05));
  CHECK(four["mio_throttle"] == Approx(21.73).epsilon(0.1));
}

}  // namespace
}  // namespace warpsim::microbench
