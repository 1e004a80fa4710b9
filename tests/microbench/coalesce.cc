// Global loads by lane stride: latency of one request and throughput of one SM, in L1 and around it.
#include "microbench/coalesce_listings.h"
#include "microbench/memory_probe.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

// Each lane's word points at itself.
constexpr const char* kInL1 = ".STRONG.SM";
constexpr const char* kAroundL1 = ".STRONG.GPU";

double latency(const GpuConfig& config, const char* cache_operator, std::int64_t stride) {
  constexpr std::uint32_t kRepetitions = 4;
  constexpr double kCounted = 16;  // the clock does not wait for the last of 17
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kStrideLatency, cache_operator);
  kernel.path = [stride](WarpPath& path) {
    const auto own = [stride](std::uint32_t) { return Lanes{kBuffer, stride}; };
    path.run("store", own);
    for (std::uint32_t i = 0; i < kRepetitions; ++i) {
      path.run("chain", own);
    }
    path.run("end");
  };
  ProbeMachine machine(config);
  return least_time(machine.run(kernel)[0][0]) / kCounted;
}

double throughput(const GpuConfig& config, const char* cache_operator, std::int64_t stride, std::uint32_t warps) {
  constexpr std::uint32_t kLoops = 32;
  constexpr std::uint32_t kLoads = 8;
  constexpr std::uint32_t kLoadDistance = 8192;
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kStrideThroughput, cache_operator);
  kernel.warps = warps;
  kernel.path = [stride](WarpPath& path) {
    for (std::uint32_t round = 0; round < 2; ++round) {
      path.run("before");
      for (std::uint32_t i = 0; i < kLoops; ++i) {
        path.run("loop", [stride](std::uint32_t load) {
          return Lanes{kBuffer + Address{load} * kLoadDistance, stride};
        });
      }
      path.run("after");
    }
    path.run("end");
  };
  ProbeMachine machine(config);
  return span(machine.run(kernel)[0], 2, 3) / (kLoops * kLoads * warps);
}

void add_latency(Family& family, const std::string& level, const char* cache_operator, std::int64_t stride) {
  const std::string name = "coalesce.latency." + level + ".LDG64.stride" + std::to_string(stride);
  family.probes.push_back(
      {name, [cache_operator, stride](const GpuConfig& config) { return latency(config, cache_operator, stride); }});
}

void add_throughput(Family& family, const std::string& level, const char* cache_operator, std::int64_t stride) {
  for (const std::uint32_t warps : {4, 32}) {
    const std::string name =
        "coalesce.throughput." + level + ".LDG32.stride" + std::to_string(stride) + ".warps" + std::to_string(warps);
    family.probes.push_back({name, [cache_operator, stride, warps](const GpuConfig& config) {
                               return throughput(config, cache_operator, stride, warps);
                             }});
  }
}

}  // namespace

Family coalesce_family() {
  Family family{"coalesce", {}, {}};
  for (const std::int64_t stride : {8, 16, 32, 64, 128, 256, 512, 1024, 4096}) {
    add_latency(family, "L1", kInL1, stride);
    add_latency(family, "L2", kAroundL1, stride);
  }
  for (const std::int64_t stride : {0, 4, 8, 12, 16, 20, 32, 48, 64, 96, 128, 256}) {
    add_throughput(family, "L1", kInL1, stride);
    add_throughput(family, "L2", kAroundL1, stride);
  }
  return family;
}

}  // namespace warpsim::microbench
