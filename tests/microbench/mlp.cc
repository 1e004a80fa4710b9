// Outstanding misses of one SM: the time for a number of warps with independent loads in flight, coalesced (one line
// per request) and scattered (32 lines), from L2 and from DRAM; and the rate of stores.
#include <algorithm>

#include "microbench/memory_probe.h"
#include "microbench/microbench.h"
#include "microbench/mlp_listings.h"
#include "microbench/mlp_wide_listings.h"

namespace warpsim::microbench {
namespace {

const char* listing_of(std::uint32_t loads) {
  switch (loads) {
    case 1:
      return kLoads1;
    case 2:
      return kLoads2;
    case 4:
      return kLoads4;
    case 8:
      return kLoads8;
    case 16:
      return kLoads16;
    default:
      return kLoads32;
  }
}

struct Misses {
  std::uint32_t loads = 1;  // of a warp
  std::uint32_t warps = 1;
  bool scattered = false;
  bool from_dram = false;
  bool in_l1 = false;  // the loads may stay in L1

  std::uint64_t request_bytes() const { return scattered ? 32 * 128 : 128; }
  std::uint64_t bytes() const { return request_bytes() * loads * warps; }
};

double cycles_of(const GpuConfig& config, const Misses& misses) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(listing_of(misses.loads), misses.in_l1 ? ".STRONG.SM" : ".STRONG.GPU");
  kernel.warps = misses.warps;
  kernel.path = [&misses](WarpPath& path) {
    const Address first = kBuffer + path.warp() * misses.loads * misses.request_bytes();
    path.run("all", [&](std::uint32_t load) {
      return Lanes{first + load * misses.request_bytes(), misses.scattered ? 128 : 4};
    });
  };
  ProbeMachine machine(config);
  if (!misses.from_dram) {
    machine.read(kBuffer, misses.bytes());
    return span(machine.run_warm(kernel)[0], 0, 1);
  }
  // The program used the best of three, which meet refresh at different times, and read 256 MB of other data before
  // each.
  double best = span(machine.run_warm(kernel)[0], 0, 1);
  for (int repetition = 1; repetition < 3; ++repetition) {
    machine.evict_l2();
    best = std::min(best, span(machine.run(kernel)[0], 0, 1));
  }
  return best;
}

double store_pace(const GpuConfig& config, std::uint32_t warps, std::uint32_t stores) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(kStores);
  kernel.warps = warps;
  kernel.path = [stores](WarpPath& path) {
    path.run("before");
    for (std::uint32_t i = 0; i < stores; ++i) {
      path.run("loop", [&](std::uint32_t) {
        return Lanes{kBuffer + (std::uint64_t{path.warp()} * stores + i) * 128, 4};
      });
    }
    path.run("after");
  };
  ProbeMachine machine(config);
  machine.run(kernel);
  return span(machine.run(kernel)[0], 0, 1) / stores / warps;
}

void add(Family& family, const Misses& misses) {
  const std::string name = std::string("mlp.") + (misses.from_dram ? "dram." : "l2.") + (misses.in_l1 ? "ca." : "cg.") +
                           (misses.scattered ? "lines32" : "line1") + ".warps" + std::to_string(misses.warps) +
                           ".loads" + std::to_string(misses.loads);
  family.probes.push_back({name, [misses](const GpuConfig& config) { return cycles_of(config, misses); }});
  const double lines = static_cast<double>(misses.bytes()) / 128;
  family.probes.push_back(
      {name + ".lines", [misses, lines](const GpuConfig& config) { return lines / cycles_of(config, misses); }});
}

}  // namespace

Family mlp_family() {
  Family family{"mlp", {}, {}};
  for (const std::uint32_t loads : {1, 2, 4, 8, 16, 32}) {
    for (const std::uint32_t warps : {1, 2, 4, 8, 16, 32}) {
      for (std::uint32_t kind = 0; kind < 8; ++kind) {
        const Misses misses{loads, warps, (kind & 4U) != 0, (kind & 2U) != 0, (kind & 1U) != 0};
        // The measured program stopped there.
        constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 20;
        if (misses.bytes() <= kMostBytes) {
          add(family, misses);
        }
      }
    }
  }
  for (const std::uint32_t warps : {1, 4, 16, 32}) {
    for (const std::uint32_t stores : {1, 4, 16, 64, 256}) {
      const std::string name = "mlp.store_issue.warps" + std::to_string(warps) + ".stores" + std::to_string(stores);
      family.probes.push_back(
          {name, [warps, stores](const GpuConfig& config) { return store_pace(config, warps, stores); }});
    }
  }
  return family;
}

}  // namespace warpsim::microbench
