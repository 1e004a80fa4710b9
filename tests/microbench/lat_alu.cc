// Latency of a chain of dependent operations: one warp, a chain of 32 and one of 96 steps, the difference over 64; the
// shortest of six rounds counts. Barriers, fences and clock reads are timed in one loop each.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "microbench/listed_kernel.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

using SharedPrograms = std::shared_ptr<const Programs>;

// Shortest round of a kernel of one block that loops `rounds` times around its two clock reads.
double shortest(Machine& gpu, const Programs& programs, const std::string& name, std::uint32_t rounds,
                std::uint32_t warps = 1) {
  ListedKernel kernel(uniform_path(find_program(programs, name), {rounds - 1}), {.warps = warps});
  gpu.run(kernel);
  return shortest_round(kernel.clocks());
}

// One loop timed on its own, over `steps` operations.
Probe one_loop(const SharedPrograms& programs, const std::string& name, const std::string& kernel, std::uint32_t rounds,
               double steps, std::uint32_t warps = 1) {
  return {name, [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            return shortest(gpu, *programs, kernel, rounds, warps) / steps;
          }};
}

// A short and a long loop; the difference over the additional steps of the long one.
Probe two_loops(const SharedPrograms& programs, const std::string& name, const std::string& short_kernel,
                const std::string& long_kernel, std::uint32_t rounds, double steps) {
  return {name, [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            const double brief = shortest(gpu, *programs, short_kernel, rounds);
            return (shortest(gpu, *programs, long_kernel, rounds) - brief) / steps;
          }};
}

}  // namespace

Family lat_alu_family() {
  const auto programs = std::make_shared<const Programs>(load_programs("lat_alu"));
  Family family;
  family.bench = "lat_alu";
  for (const char* const operation :
       {"FADD",          "FMUL",     "FFMA",      "IADD3",      "IMAD",      "IMAD_WIDE", "LOP3",
        "SHF",           "PRMT",     "DADD",      "DMUL",       "DFMA",      "HADD2",     "HFMA2",
        "MUFU_RCP_FADD", "MUFU_RSQ", "MUFU_EX2",  "MUFU_LG2",   "MUFU_TANH", "I2F",       "FMUL_MUFU_SIN",
        "F2I",           "POPC",     "FLO",       "F2F_16_32",  "IDP",       "BREV",      "SHFL",
        "ISETP_VOTE",    "MATCH",    "ISETP_SEL", "FSETP_FSEL", "REDUX_MOV", "ISETP_S2R"}) {
    family.probes.push_back(two_loops(programs, fmt::format("latency.{}", operation),
                                      fmt::format("m_lat.{}.32", operation), fmt::format("m_lat.{}.96", operation), 6,
                                      64));
  }
  for (const std::uint32_t warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
    family.probes.push_back(one_loop(programs, fmt::format("latency.BAR_SYNC.warps{}", warps), "m_bar", 4, 32, warps));
  }
  family.probes.push_back(two_loops(programs, "issue.NOP_converged_bar_warp_sync", "m_nop.16", "m_nop.48", 4, 32));
  family.probes.push_back(one_loop(programs, "latency.MEMBAR_CTA", "m_fence.0", 4, 16));
  family.probes.push_back(one_loop(programs, "latency.MEMBAR_GPU", "m_fence.1", 4, 16));
  family.probes.push_back(one_loop(programs, "latency.clock_pair", "m_clock", 8, 1));
  return family;
}

}  // namespace warpsim::microbench
