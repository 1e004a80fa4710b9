// Throughput of one SM by the number of warps of one block: 16 rounds of 16 steps in each of one, two or four chains
// per thread, the second of two passes, from the first clock read of any warp to the last.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "microbench/listed_kernel.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

constexpr double kSteps = 16 * 16;

Probe throughput(const std::shared_ptr<const Programs>& programs, const std::string& tag, const std::string& operation,
                 std::uint32_t chains, std::uint32_t warps) {
  return {fmt::format("{}.{}.warps{}", tag, operation, warps), [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            const auto program = find_program(*programs, fmt::format("m_thr.{}.{}", operation, chains));
            ListedKernel kernel(uniform_path(program, {15, 1}), {.warps = warps});
            gpu.run(kernel);
            return kWarpSize * warps * kSteps * chains / span_of_last_round(kernel, warps);
          }};
}

}  // namespace

Family thr_alu_family() {
  const auto programs = std::make_shared<const Programs>(load_programs("thr_alu"));
  Family family;
  family.bench = "thr_alu";
  for (const char* const operation :
       {"FADD",          "FMUL",     "FFMA",      "IADD3",      "IMAD",      "IMAD_WIDE", "LOP3",
        "SHF",           "PRMT",     "DADD",      "DMUL",       "DFMA",      "HADD2",     "HFMA2",
        "MUFU_RCP_FADD", "MUFU_RSQ", "MUFU_EX2",  "MUFU_LG2",   "MUFU_TANH", "I2F",       "FMUL_MUFU_SIN",
        "F2I",           "POPC",     "FLO",       "F2F_16_32",  "IDP",       "BREV",      "SHFL",
        "ISETP_VOTE",    "MATCH",    "ISETP_SEL", "FSETP_FSEL", "REDUX_MOV", "ISETP_S2R"}) {
    for (const std::uint32_t warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
      if (operation == std::string("MATCH") && warps > 1) {
        continue;  // with one warp all lanes are equal
      }
      family.probes.push_back(throughput(programs, "throughput", operation, 4, warps));
    }
  }
  for (const std::uint32_t warps : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 10U, 12U, 14U, 16U, 20U, 24U, 28U, 32U}) {
    for (const char* const operation : {"FFMA", "IMAD", "LOP3", "MUFU_EX2", "DFMA", "SHFL"}) {
      family.probes.push_back(throughput(programs, "warps_curve_ilp1", operation, 1, warps));
    }
    family.probes.push_back(throughput(programs, "warps_curve_ilp2", "FFMA", 2, warps));
  }
  family.uncovered = {
      {"throughput.MATCH.warps*", "MATCH takes a pass for each value that its lanes hold, and no trace holds values"}};
  return family;
}

}  // namespace warpsim::microbench
