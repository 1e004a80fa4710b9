// Atomic operations: throughput by address pattern in shared and global memory, with and without result; latency.
#include <algorithm>
#include <utility>
#include <vector>

#include "microbench/atomics_listings.h"
#include "microbench/memory_probe.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

constexpr std::uint32_t kUnrolled = 4;

enum class Pattern : std::uint8_t { kSame, kSamePerWarp, kLaneWords, kLaneLines };
constexpr const char* kPatternNames[] = {"same", "same_per_warp", "lane_words", "lane_lines"};

Lanes lanes_of(Pattern pattern, std::uint64_t warp) {
  constexpr std::uint32_t kLineBytes = 128;
  switch (pattern) {
    case Pattern::kSame:
      return {0, 0};
    case Pattern::kSamePerWarp:
      return {warp * kLineBytes, 0};
    case Pattern::kLaneWords:
      return {warp * kLineBytes, 4};
    default:
      return {warp * kWarpSize * kLineBytes, kLineBytes};
  }
}

struct Run {
  const char* text = nullptr;
  Pattern pattern = Pattern::kSame;
  std::uint32_t warps = 1;
  std::uint32_t blocks = 1;
  std::uint64_t block_bytes = 0;  // distance of the blocks' memory
  std::uint32_t operations = 1;   // of each warp
  LaneMask lanes = kAllLanes;
};

Kernel kernel_of(const Run& run, Address base) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(run.text);
  kernel.blocks = run.blocks;
  kernel.warps = run.warps;
  kernel.registers = 18;
  kernel.shared_bytes = base == 0 ? 4096 : 0;
  kernel.lanes = run.lanes;
  kernel.path = [run, base](WarpPath& path) {
    // Shared words are set to 0 first.
    path.run("before", [&](std::uint32_t) { return lanes_of(Pattern::kLaneWords, path.warp()); });
    for (std::uint32_t i = 0; i < run.operations; i += kUnrolled) {
      path.run("loop", [&](std::uint32_t) {
        const Lanes lanes = lanes_of(run.pattern, path.warp());
        return Lanes{base + path.block() * run.block_bytes + lanes.base, lanes.stride};
      });
    }
    path.run("after");
    path.run("end");
  };
  return kernel;
}

double shared_lanes_per_cycle(const GpuConfig& config, const Run& run) {
  ProbeMachine machine(config);
  const Clocks clocks = machine.run_warm(kernel_of(run, 0));
  return static_cast<double>(run.warps) * kWarpSize * run.operations / span(clocks[0], 0, 1);
}

double shared_latency(const GpuConfig& config) {
  constexpr std::uint32_t kOperations = 32;
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kSharedChain);
  kernel.shared_bytes = 128;
  kernel.path = [](WarpPath& path) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      path.run("chain", [](std::uint32_t) { return Lanes{0, 4}; });
    }
    path.run("end");
  };
  ProbeMachine machine(config);
  return least_time(machine.run(kernel)[0][0]) / kOperations;
}

// The place of the program's words decides whether an operation crosses to the other half of L2. With one block the
// measured latencies are short: its words were near. The exact distance is unknown: uses the middle of the near places.
Address near_place(const GpuConfig& config) {
  constexpr std::uint32_t kCandidates = 16;
  constexpr Address kDistance = 512;  // neighbours may be in other halves
  const Run run{kGlobalChain, Pattern::kSame, 1, 1, 0, kUnrolled, 1};
  std::vector<std::pair<double, Address>> places;
  for (Address base = kBuffer; base < kBuffer + kCandidates * kDistance; base += kDistance) {
    ProbeMachine machine(config);
    const Kernel kernel = kernel_of(run, base);
    machine.run(kernel);
    places.emplace_back(longest(machine.run(kernel), 0, 1), base);
  }
  std::sort(places.begin(), places.end());
  return places[kCandidates / 4].second;  // half of them are far
}

// Cycles of the slowest block. The operations before this one have left code and words in the caches.
double global_cycles(const GpuConfig& config, const Run& run) {
  ProbeMachine machine(config);
  const Kernel kernel = kernel_of(run, run.blocks == 1 ? near_place(config) : kBuffer);
  machine.run(kernel);
  return longest(machine.run(kernel), 0, 1);
}

void add_shared(Family& family) {
  constexpr std::uint32_t kOperations = 64;
  family.probes.push_back({"atomic.shared.add.latency", shared_latency});
  for (const auto& [name, text] :
       {std::pair{"red_inc1", kSharedIncrement}, {"red", kSharedReduction}, {"atom", kSharedAtomic}}) {
    for (const Pattern pattern : {Pattern::kSame, Pattern::kSamePerWarp, Pattern::kLaneWords}) {
      for (const std::uint32_t warps : {1, 4, 8, 32}) {
        const Run run{text, pattern, warps, 1, 0, kOperations};
        const std::string where = std::string(".") + kPatternNames[static_cast<std::size_t>(pattern)];
        family.probes.push_back({"atomic.shared." + std::string(name) + where + ".warps" + std::to_string(warps),
                                 [run](const GpuConfig& config) { return shared_lanes_per_cycle(config, run); }});
      }
    }
  }
}

void add_chain(Family& family, const std::string& name, const char* text) {
  constexpr std::uint32_t kOperations = 64;
  const Run run{text, Pattern::kSame, 1, 1, 0, kOperations, 1};
  family.probes.push_back(
      {"atomic.global." + name, [run](const GpuConfig& config) { return global_cycles(config, run) / kOperations; }});
}

void add_global(Family& family, const std::string& name, const Run& run) {
  const std::string tail = std::string(kPatternNames[static_cast<std::size_t>(run.pattern)]) + ".blocks" +
                           std::to_string(run.blocks) + ".warps" + std::to_string(run.warps);
  const double lanes = static_cast<double>(run.warps) * kWarpSize * run.operations * run.blocks;
  family.probes.push_back({"atomic.global." + name + tail,
                           [run, lanes](const GpuConfig& config) { return lanes / global_cycles(config, run); }});
}

}  // namespace

Family atomics_family() {
  Family family{"atomics", {}, {}};
  add_shared(family);
  add_chain(family, "add.latency_plus_lop", kGlobalChain);
  add_chain(family, "cas.latency_plus_add", kGlobalCompareChain);
  constexpr std::uint32_t kOperations = 32;
  constexpr std::uint64_t kOwnBytes = 131072;
  for (const auto& [name, text] : {std::pair{"red.", kGlobalReduction}, {"atom.", kGlobalAtomic}}) {
    for (const Pattern pattern : {Pattern::kSame, Pattern::kSamePerWarp, Pattern::kLaneWords, Pattern::kLaneLines}) {
      for (const std::uint32_t warps : {1, 8, 32}) {
        add_global(family, name, {text, pattern, warps, 1, kOwnBytes, kOperations});
        add_global(family, name, {text, pattern, warps, 132, kOwnBytes, kOperations});
        if (pattern != Pattern::kLaneLines) {
          add_global(family, name + std::string("shared_by_blocks."), {text, pattern, warps, 132, 0, kOperations});
        }
      }
    }
  }
  return family;
}

}  // namespace warpsim::microbench
