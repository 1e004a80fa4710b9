// Warpgroup mma (tests/hardware/wgmma): the time of bursts, the issue of the operations of a burst, and streams that
// never run empty.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "microbench/listed_kernel.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

using SharedPrograms = std::shared_ptr<const Programs>;
constexpr std::uint32_t kWarps = 4;

std::unique_ptr<ListedKernel> executed(const GpuConfig& config, const Programs& programs, const std::string& name,
                                       std::uint32_t rounds, std::uint32_t warps) {
  Machine gpu(config, as_measured());
  auto kernel = std::make_unique<ListedKernel>(
      uniform_path(find_program(programs, name), {rounds - 1}),
      ListedKernel::Shape{.warps = warps, .registers = warps > 2 * kWarps ? 128U : 168U});
  gpu.run(*kernel);
  return kernel;
}

// From the clock after the last operation to the one after the wait. (Before, the warps of the measured program
// come from a block barrier some cycles apart.)
Probe burst(const SharedPrograms& programs, const std::string& name, std::uint32_t operations) {
  return {fmt::format("wgmma.burst.{}.operations{}.behind", name, operations), [=](const GpuConfig& config) {
            const auto kernel = executed(config, *programs, fmt::format("burst.{}.{}", name, operations), 3, kWarps);
            const std::vector<Cycle>& clocks = kernel->clocks();
            return static_cast<double>(clocks.back() - clocks[clocks.size() - 3]);
          }};
}

// From the first operation to another.
Probe issue(const SharedPrograms& programs, const std::string& name, std::uint32_t operation) {
  constexpr std::size_t kOperations = 32;
  return {fmt::format("wgmma.timeline.{}.issue{}", name, operation), [=](const GpuConfig& config) {
            const auto kernel = executed(config, *programs, fmt::format("timeline.{}", name), 3, kWarps);
            const std::vector<Cycle>& clocks = kernel->clocks();
            const std::size_t begin = clocks.size() - 3 - kOperations;
            return static_cast<double>(clocks[begin + operation] - clocks[begin]);
          }};
}

// The time of one operation, from the difference of two numbers of rounds with 32 operations each.
Probe stream(const SharedPrograms& programs, const std::string& name, std::uint32_t groups) {
  return {fmt::format("wgmma.stream.{}.warpgroups{}", name, groups), [=](const GpuConfig& config) {
            const std::string code = fmt::format("stream.{}.groups{}", name, groups);
            const std::uint32_t warps = kWarps * groups;
            const double longer = span_of_last_round(*executed(config, *programs, code, 8, warps), warps);
            const double shorter = span_of_last_round(*executed(config, *programs, code, 4, warps), warps);
            return (longer - shorter) / (4 * 32) / groups;
          }};
}

}  // namespace

Family wgmma_family() {
  const auto programs = std::make_shared<const Programs>(load_programs("wgmma"));
  Family family;
  family.bench = "wgmma";
  for (const std::uint32_t n : {8U, 16U, 32U, 48U, 64U, 96U, 128U, 192U, 256U}) {
    for (const char* a : {"shared", "registers"}) {
      family.probes.push_back(burst(programs, fmt::format("bf16_f32.n{}.{}", n, a), 16));
    }
  }
  for (const char* type : {"bf16_f32", "f16_f16", "tf32_f32", "e4m3_f32", "e4m3_f16", "s8_s32"}) {
    for (const char* a : {"shared", "registers"}) {
      family.probes.push_back(burst(programs, fmt::format("{}.n64.{}", type, a), 1));
    }
  }
  for (const std::uint32_t n : {8U, 32U, 64U, 96U, 128U}) {
    for (const char* a : {"shared", "registers"}) {
      for (const std::uint32_t operation : {5U, 7U, 31U}) {
        family.probes.push_back(issue(programs, fmt::format("bf16_f32.n{}.{}", n, a), operation));
      }
    }
  }
  for (const std::uint32_t n : {8U, 64U, 128U, 256U}) {
    family.probes.push_back(stream(programs, fmt::format("bf16_f32.n{}.shared", n), 1));
  }
  family.probes.push_back(stream(programs, "bf16_f32.n64.registers", 1));
  family.probes.push_back(stream(programs, "bf16_f32.n64.shared", 2));
  family.probes.push_back(stream(programs, "bf16_f32.n64.shared", 4));
  family.probes.push_back(stream(programs, "bf16_f32.n64.registers", 4));
  return family;
}

}  // namespace warpsim::microbench
