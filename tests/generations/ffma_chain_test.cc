// Chains of FFMA on an H100: the time of 10 to 40 rounds of the recorded kernel, compared with cycles measured by
// others. The traces and the measurements are not part of the project: the test reports that it is skipped if they are
// absent.
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "config/config_tree.h"
#include "core/machine/machine.h"
#include "frontend/workload/workload.h"

namespace warpsim::generations {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::uint32_t, 4> kRounds{10, 20, 30, 40};

// Cycles of one block of 32 threads as Nsight Systems timed them, by rounds.
std::map<std::uint32_t, double> measured_cycles(const fs::path& csv) {
  std::map<std::uint32_t, double> cycles;
  std::ifstream file(csv);
  for (std::string line; std::getline(file, line);) {
    for (const std::uint32_t rounds : kRounds) {
      const std::string key =
          "ffmakernel,block=1;iters=" + std::to_string(rounds) + ";profile_type=nsys;thread=32,nsys,";
      const std::size_t at = line.find(key);
      if (at != std::string::npos) {
        std::istringstream rest(line.substr(at + key.size()));
        std::string clock;
        std::getline(rest, clock, ',');
        rest >> cycles[rounds];
      }
    }
  }
  return cycles;
}

double simulated_cycles(const fs::path& trace) {
  Machine gpu(ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h100.yaml", {}).read<GpuConfig>(), {});
  const std::unique_ptr<Workload> workload = open_workload(trace.string(), {});
  while (std::optional<Command> command = workload->next()) {
    if (auto* kernel = std::get_if<std::unique_ptr<KernelSource>>(&*command)) {
      return static_cast<double>(gpu.run(**kernel).elapsed_cycles);
    }
  }
  return 0;
}

TEST_CASE("Chains of FFMA take an H100's cycles per round, with one launch offset for all") {
  const char* const named = std::getenv("WARPSIM_THIRD_PARTY_TRACES");
  if (named == nullptr) {
    WARN("skipped: WARPSIM_THIRD_PARTY_TRACES does not name a folder of FFMA chains and their measurements");
    return;
  }
  const fs::path folder = named;
  std::map<std::uint32_t, double> measured = measured_cycles(folder / "h100-hardware-cycles.csv");
  REQUIRE(measured.size() == kRounds.size());
  std::map<std::uint32_t, double> simulated;
  for (const std::uint32_t rounds : kRounds) {
    simulated[rounds] = simulated_cycles(folder / ("ffma-chain-" + std::to_string(rounds) + "-sm90-v5"));
  }
  CHECK(simulated[40] - simulated[10] == Approx(measured[40] - measured[10]).epsilon(0.01));
  const double offset = simulated[10] - measured[10];
  for (const std::uint32_t rounds : kRounds) {
    INFO(rounds << " rounds, offset " << offset);
    CHECK(simulated[rounds] - offset == Approx(measured[rounds]).epsilon(0.01));
  }
}

}  // namespace
}  // namespace warpsim::generations
