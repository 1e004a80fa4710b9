// Tensor-core operations: latency of a chain through the accumulator (48 steps minus 16, over 32), throughput of one SM
// by warps with four chains, and ldmatrix in a chain through its address (17 of them, divided by 16 as measured).
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "microbench/listed_kernel.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

using SharedPrograms = std::shared_ptr<const Programs>;

struct Shape {
  const char* name;  // in the table
  const char* code;  // in the code
  double macs;
};

double shortest(Machine& gpu, const Programs& programs, const std::string& name) {
  ListedKernel kernel(uniform_path(find_program(programs, name), {3}), {});
  gpu.run(kernel);
  return shortest_round(kernel.clocks());
}

Probe latency(const SharedPrograms& programs, const Shape& shape) {
  const std::string code = shape.code;
  return {fmt::format("mma.latency.{}", shape.name), [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            const double brief = shortest(gpu, *programs, fmt::format("m_mma_lat.{}.16", code));
            return (shortest(gpu, *programs, fmt::format("m_mma_lat.{}.48", code)) - brief) / 32;
          }};
}

Probe throughput(const SharedPrograms& programs, const Shape& shape, std::uint32_t warps) {
  constexpr double kSteps = 16 * 8 * 4;
  return {fmt::format("mma.throughput.{}.warps{}", shape.name, warps), [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            const auto program = find_program(*programs, fmt::format("m_mma_thr.{}.4", shape.code));
            ListedKernel kernel(uniform_path(program, {15, 1}), {.warps = warps});
            gpu.run(kernel);
            return shape.macs * warps * kSteps / span_of_last_round(kernel, warps);
          }};
}

// Only the chain: the earlier clearing of shared memory does not affect it.
Probe load_matrix(const SharedPrograms& programs, std::uint32_t matrices) {
  constexpr std::uint32_t kBehindClearing = 0x510;
  return {fmt::format("mma.ldmatrix_x{}_plus_iadd.latency", matrices), [=](const GpuConfig& config) {
            Machine gpu(config, as_measured());
            const auto program = find_program(*programs, fmt::format("m_ldmatrix.{}", matrices));
            ListedKernel kernel(uniform_path(program, {3}, kBehindClearing), {.shared_bytes = 1024});
            gpu.run(kernel);
            return shortest_round(kernel.clocks()) / 16;
          }};
}

}  // namespace

Family mma_family() {
  const auto programs = std::make_shared<const Programs>(load_programs("mma"));
  Family family;
  family.bench = "mma";
  for (const Shape& shape :
       {Shape{"m16n8k16.f16.f32acc", "F16", 16 * 8 * 16}, Shape{"m16n8k8.f16.f32acc", "F16K8", 16 * 8 * 8},
        Shape{"m16n8k16.f16.f16acc", "F16H", 16 * 8 * 16}, Shape{"m16n8k16.bf16.f32acc", "BF16", 16 * 8 * 16},
        Shape{"m16n8k8.tf32.f32acc", "TF32", 16 * 8 * 8}, Shape{"m16n8k32.s8.s32acc", "S8", 16 * 8 * 32},
        Shape{"m8n8k4.f64", "F64", 8 * 8 * 4}}) {
    family.probes.push_back(latency(programs, shape));
    for (const std::uint32_t warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
      family.probes.push_back(throughput(programs, shape, warps));
    }
  }
  family.probes.push_back(load_matrix(programs, 1));
  family.probes.push_back(load_matrix(programs, 4));
  return family;
}

}  // namespace warpsim::microbench
