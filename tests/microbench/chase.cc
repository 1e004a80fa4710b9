// Latency of one thread's dependent loads: by footprint and stride, over large pages, and from DRAM.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "microbench/chase_listings.h"
#include "microbench/memory_probe.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

// One cycle through `count` (a power of two) nodes, `stride` bytes apart, as the program's m_build links them.
struct Ring {
  std::uint64_t count = 0;
  std::uint64_t stride = 0;
  std::uint64_t jitter = 0;  // moves node i by i times this within its stride
  bool random = true;

  std::uint64_t next(std::uint64_t node) const {
    constexpr std::uint64_t kFactor = 0x5851F42D4C957F2D;
    constexpr std::uint64_t kSummand = 0x14057B7EF767814F;
    return (random ? node * kFactor + kSummand : node + 1) & (count - 1);
  }
  Address at(std::uint64_t node) const {
    return kBuffer + ((node * stride + node * jitter % stride) & ~std::uint64_t{7});
  }
};

struct Chase {
  Ring ring;
  const char* cache_operator = "";
  std::uint64_t warm = 0;  // loads before the clock
  std::uint64_t steps = 0;
  bool cold = false;  // other data was read after the list was written
};

constexpr const char* kAroundL1 = ".STRONG.GPU";
constexpr std::uint64_t kSteps = 8192;
constexpr std::uint64_t kUnrolled = 8;
constexpr std::uint64_t kUnrolledWarm = 16;

// The list is written before it is chased, so that L2 holds the lines written last. Earlier ones are omitted:
// they would have been replaced.
void build(ProbeMachine& machine, const Ring& ring) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;  // in separate lines more than twice the size of L2
  const std::uint64_t sharing = std::max<std::uint64_t>(1, 128 / ring.stride);
  const std::uint64_t kept = std::min(ring.count, kMost * sharing);
  if (ring.jitter == 0) {
    machine.write(ring.at(ring.count - kept), ring.stride, kept);
    return;
  }
  machine.write_each(ring.count, [&ring](std::uint64_t node) { return ring.at(node); });
}

double steps_of(ProbeMachine& machine, const Chase& chase) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kChase, chase.cache_operator);
  kernel.lanes = 1;
  kernel.path = [&chase](WarpPath& path) {
    std::uint64_t node = 0;
    const auto follow = [&](std::uint32_t) {
      return Lanes{chase.ring.at(std::exchange(node, chase.ring.next(node))), 0};
    };
    for (std::uint64_t i = 0; i < chase.warm; i += kUnrolledWarm) {
      path.run("warm16", follow);
    }
    path.run("before");
    for (std::uint64_t i = 0; i < chase.steps; i += kUnrolled) {
      path.run("loop", follow);
    }
    path.run("after");
  };
  const std::vector<Cycle> clocks = machine.run(kernel)[0][0];
  return static_cast<double>(clocks[1] - clocks[0]) / static_cast<double>(chase.steps);
}

double chase(const GpuConfig& config, const Chase& chase) {
  ProbeMachine machine(config);
  if (!chase.cold) {
    build(machine, chase.ring);
  }
  return steps_of(machine, chase);
}

// A list in order, its nodes `stride` bytes apart.
Chase in_order(std::uint64_t stride) {
  const std::uint64_t count = std::clamp<std::uint64_t>((std::uint64_t{256} << 20) / stride, 256, 1 << 21);
  return {{count, stride, 0, false}, kAroundL1, 0, kSteps};
}

// The program used all strides in the same memory. The lines of the last ones in L2 determine in which lines the words
// that are written next complete a sector; five of them, and for short strides none, are enough.
double chase_in_order(const GpuConfig& config, std::uint64_t stride) {
  constexpr std::uint64_t kAlone = 512;
  ProbeMachine machine(config);
  for (std::uint64_t before = stride > kAlone ? stride / 32 : stride; before < stride; before *= 2) {
    build(machine, in_order(before).ring);
    steps_of(machine, in_order(before));
  }
  build(machine, in_order(stride).ring);
  return steps_of(machine, in_order(stride));
}

std::string size_name(std::uint64_t bytes) {
  for (const auto& [shift, letter] : {std::pair{30, "G"}, {20, "M"}, {10, "K"}}) {
    if (bytes >= std::uint64_t{1} << shift && bytes % (std::uint64_t{1} << shift) == 0) {
      return std::to_string(bytes >> shift) + letter;
    }
  }
  return std::to_string(bytes);
}

void add(Family& family, const std::string& name, const Chase& what) {
  family.probes.push_back({"chase." + name, [what](const GpuConfig& config) { return chase(config, what); }});
}

// A whole round first while that is cheap, like the program.
std::uint64_t warm_loads(std::uint64_t count) {
  constexpr std::uint64_t kMost = 131072;
  return count <= kMost ? count : 0;
}

void add_footprints(Family& family) {
  for (std::uint64_t bytes = 16 << 10; bytes <= std::uint64_t{1} << 30; bytes *= 2) {
    const std::uint64_t count = bytes / 128;
    const Ring ring{count, 128, 0, true};
    add(family, "ca.random128.footprint" + size_name(bytes), {ring, "", warm_loads(count), kSteps});
    add(family, "cg.random128.footprint" + size_name(bytes), {ring, kAroundL1, warm_loads(count), kSteps});
  }
  for (std::uint64_t count = 512; count <= std::uint64_t{1} << 22; count *= 2) {
    add(family, "cg.random192.footprint" + size_name(count * 192),
        {{count, 192, 0, true}, kAroundL1, warm_loads(count), kSteps});
  }
  for (const std::uint64_t count : {1024, 2048}) {
    add(family, "ca.random96.footprint" + size_name(count * 96), {{count, 96, 0, true}, "", 2 * count, kSteps});
  }
}

void add_strides(Family& family) {
  for (std::uint64_t stride = 8; stride <= std::uint64_t{1} << 20; stride *= 2) {
    family.probes.push_back({"chase.cg.inorder.256M.stride" + size_name(stride),
                             [stride](const GpuConfig& config) { return chase_in_order(config, stride); }});
  }
  for (const std::uint64_t stride : {128, 256, 1024, 4096, 16384, 65536}) {
    const std::uint64_t count = std::min<std::uint64_t>((std::uint64_t{1} << 29) / stride, 8192);
    add(family, "cold.inorder.stride" + size_name(stride), {{count, stride, 0, false}, kAroundL1, 0, 4096, true});
  }
}

}  // namespace

Family chase_family() {
  Family family{"chase", {}, {}};
  add_footprints(family);
  add_strides(family);
  constexpr std::uint64_t kJitter = 4224;  // 33 lines
  for (std::uint64_t stride = 4096; stride <= std::uint64_t{4} << 20; stride *= 2) {
    add(family, "cg.random.nodes4096.stride" + size_name(stride),
        {{4096, stride, kJitter, true}, kAroundL1, 4096, kSteps});
  }
  for (std::uint64_t count = 4; count <= 8192; count *= 2) {
    add(family, "cg.random.page2M.nodes" + std::to_string(count),
        {{count, std::uint64_t{2} << 20, kJitter, true}, kAroundL1, 2 * count, kSteps});
  }
  return family;
}

}  // namespace warpsim::microbench
