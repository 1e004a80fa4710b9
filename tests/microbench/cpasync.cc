// Asynchronous copies from global to shared memory: latency by size and place of the data, throughput of one SM, and
// the same copy through registers.
#include <algorithm>

#include "microbench/cpasync_listings.h"
#include "microbench/memory_probe.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

struct Latencies {
  double mean = 0;
  double least = 0;
};

struct Copy {
  const char* suffix = "";
  std::uint32_t bytes = 4;  // of a lane
  std::uint64_t step = 0;   // between copies
  std::uint32_t count = 1;
};

Kernel copies(const Copy& copy) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kCopyOnce, copy.suffix);
  kernel.shared_bytes = 1024;
  kernel.path = [copy](WarpPath& path) {
    path.run("before");
    for (std::uint32_t i = 0; i < copy.count; ++i) {
      path.run("copy", [&](std::uint32_t) { return Lanes{kBuffer + i * copy.step, copy.bytes}; });
    }
    path.run("end");
  };
  return kernel;
}

Latencies latencies(const std::vector<Cycle>& clocks) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < clocks.size(); i += 2) {
    sum += static_cast<double>(clocks[i + 1] - clocks[i]);
  }
  return {sum / (static_cast<double>(clocks.size()) / 2), least_time(clocks)};
}

constexpr std::uint64_t kColdStep = 4096 + 512;
constexpr std::uint32_t kColdCount = 256;

double repeated(const GpuConfig& config, Copy copy) {
  copy.count = 16;
  ProbeMachine machine(config);
  return latencies(machine.run(copies(copy))[0][0]).least;
}

// Mean of the first or second launch over the same data, which were not accessed before.
double mean_of_pass(const GpuConfig& config, Copy copy, bool second) {
  copy.step = kColdStep;
  copy.count = kColdCount;
  ProbeMachine machine(config);
  const Kernel kernel = copies(copy);
  const double first = latencies(machine.run_warm(kernel)[0][0]).mean;
  return second ? latencies(machine.run(kernel)[0][0]).mean : first;
}

constexpr std::uint32_t kCopyBytes = 32768;
constexpr std::uint32_t kRounds = 16;

double throughput(const GpuConfig& config, const Kernel& kernel) {
  ProbeMachine machine(config);
  const std::vector<Cycle> clocks = machine.run(kernel)[0][0];
  // The clock of the last of the first two rounds, and the one after the rounds.
  return static_cast<double>(kCopyBytes) * kRounds / static_cast<double>(clocks.at(2) - clocks.at(1));
}

Kernel copying(const char* suffix, std::uint32_t warps) {
  constexpr std::uint32_t kWidth = 16;
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kCopies, suffix);
  kernel.warps = warps;
  kernel.shared_bytes = kCopyBytes;
  kernel.path = [warps](WarpPath& path) {
    const std::uint64_t step = std::uint64_t{warps} * kWarpSize * kWidth;
    path.run("start");
    for (std::uint32_t round = 0; round <= kRounds; ++round) {
      path.run(round <= 1 ? "first_rounds" : "later_rounds");
      for (std::uint64_t at = path.warp() * kWarpSize * kWidth; at < kCopyBytes; at += step) {
        path.run("copy", [at](std::uint32_t) { return Lanes{kBuffer + at, kWidth}; });
      }
      path.run("round_end");
    }
    path.run("after");
  };
  return kernel;
}

Kernel through_registers(std::uint32_t warps) {
  constexpr std::uint32_t kWidth = 16;
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kThroughRegisters);
  kernel.warps = warps;
  kernel.shared_bytes = kCopyBytes;
  kernel.path = [warps](WarpPath& path) {
    const char* const sections[] = {"copy0", "copy1", "copy2", "copy3"};
    const std::uint64_t step = std::uint64_t{warps} * kWarpSize * kWidth;
    path.run("start");
    for (std::uint32_t round = 0; round <= kRounds; ++round) {
      path.run(round <= 1 ? "first_rounds" : "later_rounds");
      std::uint32_t place = 0;
      for (std::uint64_t at = path.warp() * kWarpSize * kWidth; at < kCopyBytes; at += step) {
        path.run(sections[place], [at](std::uint32_t access) {
          return Lanes{access == 0 ? kBuffer + at : at, kWidth};
        });
        place = (place + 1) % 4;
      }
      path.run("round_end");
    }
    path.run("after");
  };
  return kernel;
}

void add_latencies(Family& family, const std::string& name, const Copy& copy) {
  const std::string base = "cpasync.latency." + name + std::to_string(copy.bytes);
  family.probes.push_back(
      {base + ".repeated_line", [copy](const GpuConfig& config) { return repeated(config, copy); }});
  family.probes.push_back(
      {base + ".dram_mean", [copy](const GpuConfig& config) { return mean_of_pass(config, copy, false); }});
  family.probes.push_back(
      {base + ".second_pass_mean", [copy](const GpuConfig& config) { return mean_of_pass(config, copy, true); }});
}

}  // namespace

Family cpasync_family() {
  Family family{"cpasync", {}, {}};
  constexpr const char* kInL1 = ".128";
  constexpr const char* kAroundL1 = ".BYPASS.128";
  add_latencies(family, "ca", {"", 4});
  add_latencies(family, "ca", {".64", 8});
  add_latencies(family, "ca", {kInL1, 16});
  add_latencies(family, "cg", {kAroundL1, 16});
  for (const std::uint32_t warps : {1, 4, 8, 16, 32}) {
    const std::string tail = ".warps" + std::to_string(warps);
    family.probes.push_back({"cpasync.throughput.ca16.L1" + tail,
                             [warps](const GpuConfig& config) { return throughput(config, copying(kInL1, warps)); }});
    family.probes.push_back({"cpasync.throughput.cg16.L2" + tail, [warps](const GpuConfig& config) {
                               return throughput(config, copying(kAroundL1, warps));
                             }});
    family.probes.push_back({"cpasync.throughput.ldg_sts.L2" + tail, [warps](const GpuConfig& config) {
                               return throughput(config, through_registers(warps));
                             }});
  }
  return family;
}

}  // namespace warpsim::microbench
