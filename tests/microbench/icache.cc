// Instruction supply: loops of 1 to 16384 FFMAs, by warps of one block, from the first clock read of any warp to the
// last; and one pass over code that was never fetched before.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "microbench/listed_kernel.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

using SharedPrograms = std::shared_ptr<const Programs>;

double run_loops(Machine& gpu, const std::shared_ptr<const StaticProgram>& program, std::uint32_t loops,
                 std::uint32_t warps) {
  ListedKernel kernel(uniform_path(program, {loops - 1}), {.warps = warps});
  gpu.run(kernel);
  return span_of_last_round(kernel, warps);
}

// An earlier launch has loaded the data, but not this code, into L2.
Probe cold(const SharedPrograms& programs, std::uint32_t size) {
  return {fmt::format("icache.cold.instrs{}", size), [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            const auto program = find_program(*programs, fmt::format("m_code.{}", size));
            run_loops(gpu, find_program(*programs, size == 1 ? "m_code.4" : "m_code.1"), 1, 1);
            return run_loops(gpu, program, 1, 1) / size;
          }};
}

Probe loop(const SharedPrograms& programs, std::uint32_t size, std::uint32_t warps) {
  return {fmt::format("icache.loop.instrs{}.warps{}", size, warps), [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            const auto program = find_program(*programs, fmt::format("m_code.{}", size));
            const std::uint32_t loops = std::max(4U, 65536 / size);
            run_loops(gpu, program, 1, 1);
            const double cycles = run_loops(gpu, program, loops, warps);
            return cycles / (static_cast<double>(size) * loops * warps) * std::min(warps, 4U);
          }};
}

}  // namespace

Family icache_family() {
  const auto programs = std::make_shared<const Programs>(load_programs("icache"));
  Family family;
  family.bench = "icache";
  for (const std::uint32_t size : {1U,   4U,    16U,   32U,   64U,   96U,   128U,  192U,  256U,   384U,  512U,
                                   768U, 1024U, 1536U, 2048U, 3072U, 4096U, 6144U, 8192U, 12288U, 16384U}) {
    family.probes.push_back(cold(programs, size));
    for (const std::uint32_t warps : {1U, 4U, 8U, 16U}) {
      family.probes.push_back(loop(programs, size, warps));
    }
  }
  return family;
}

}  // namespace warpsim::microbench
