// Latency of memory operations of one warp: L1 hits by width, shared memory by width and conflict degree, constants by
// footprint, L2 by address and SM. Chains of dependent loads; the minimum over the repetitions is used.
#include <algorithm>
#include <cmath>

#include "microbench/lat_mem_listings.h"
#include "microbench/memory_probe.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

// The measured programs ran four times 512 loads, of which the fastest was used; here two times are sufficient.
constexpr std::uint32_t kRepetitions = 2;
constexpr std::uint32_t kLoads = 512;
constexpr std::uint32_t kUnrolled = 16;

struct Chain {
  const char* text;
  const char* variant = "";
  Lanes lanes = {};
  LaneMask active = kAllLanes;
};

double chain_latency(const GpuConfig& config, const Chain& chain) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(chain.text, chain.variant);
  kernel.registers = 48;
  kernel.shared_bytes = 4096;
  kernel.lanes = chain.active;
  kernel.path = [&chain](WarpPath& path) {
    for (std::uint32_t repetition = 0; repetition < kRepetitions; ++repetition) {
      path.run("before");
      for (std::uint32_t i = 0; i < kLoads; i += kUnrolled) {
        path.run("loop", [&chain](std::uint32_t) { return chain.lanes; });
      }
      path.run("after");
    }
    path.run("end");
  };
  ProbeMachine machine(config);
  machine.write(kBuffer, 128, 1);
  return least_time(machine.run(kernel)[0][0]) / kLoads;
}

// The listing cannot express which constants a register selects, so the chain's loads are written out one after another
// with their offsets. Two rounds: the first fills the caches.
constexpr std::uint32_t kConstantLoads = 1024;
double constant_latency(const GpuConfig& config, std::uint32_t footprint) {
  constexpr std::uint32_t kStep = 64;
  constexpr std::uint32_t kMostNodes = 128;  // twice the cache; the loads miss equally from there on
  const std::uint32_t nodes = std::min(footprint / kStep, kMostNodes);
  const std::uint32_t rounds = std::max<std::uint32_t>(1, kConstantLoads / nodes);
  std::string text = "before:\n -:-:-:1 CS2R R2, SR_CLOCKLO\n";
  for (std::uint32_t load = 0; load < nodes * rounds; ++load) {
    if (load % kUnrolled == 0) {
      text += load == 0 ? "loop:\n" : "-:-:-:5 @!P0 BRA 0xf0\n";
      text += "0:0:-:1 IMAD.MOV.U32 R12, RZ, RZ, R6\n -:-:-:y3 UIADD3 UR4, UR4, 0x10, URZ\n";
    }
    const std::string constant = "c[0x3][" + std::to_string(load % nodes * kStep) + "]";
    const std::uint32_t place = load % kUnrolled;
    if (place == 0) {
      text += "-:0:-:3 LDC R0, " + constant + "\n -:-:-:y5 ISETP.LE.AND P0, PT, R14, UR4, PT\n";
    } else {
      text += std::string(place == kUnrolled - 1 ? "0:0:-:1 LDC.64 R6, " : "0:0:-:8 LDC R0, ") + constant + "\n";
    }
  }
  text += "-:-:-:5 @!P0 BRA 0xf0\nafter:\n -:-:-:y6 CS2R R8, SR_CLOCKLO\n -:-:-:6 @!P1 BRA 0x80\nend:\n 0:-:-:5 EXIT\n";
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(text);
  kernel.path = [](WarpPath& path) {
    for (std::uint32_t repetition = 0; repetition < kRepetitions; ++repetition) {
      for (const char* section : {"before", "loop", "after"}) {
        path.run(section);
      }
    }
    path.run("end");
  };
  ProbeMachine machine(config);
  const std::vector<Cycle> clocks = machine.run(kernel)[0][0];
  return static_cast<double>(clocks[3] - clocks[2]) / (nodes * rounds);
}

// --- L2: 2048 lines, 4224 bytes apart, from one SM ---

constexpr std::uint32_t kLines = 2048;
constexpr std::uint64_t kLineDistance = 4224;

// Four lines per round of the loop, as unrolled by the compiler; each the same except for registers.
// All blocks of a launch after the initialisation, one per SM.
Kernel block_on_each_sm(const char* text, std::uint32_t sms) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(text);
  kernel.blocks = sms;
  kernel.shared_bytes = 200 * 1024;
  kernel.lanes = 1;
  return kernel;
}

std::vector<double> line_latencies(const GpuConfig& config, std::uint32_t sm) {
  const std::uint32_t sms = Topology(config.topology).sm_count();
  // Which block gets the SM: the placement is the same in a second machine with the same history.
  ProbeMachine rehearsal(config);
  rehearsal.write(kBuffer, kLineDistance, kLines);
  Kernel count = block_on_each_sm(kCount, sms);
  count.path = [](WarpPath& path) {
    for (std::uint64_t i = 0; i < path.block(); ++i) {
      path.run("work");
    }
    path.run("end");
  };
  rehearsal.run(count);
  const std::vector<std::uint32_t> order = rehearsal.sms_by_work();
  const auto block = static_cast<std::uint64_t>(std::ranges::find(order, sm) - order.begin());
  Kernel kernel = block_on_each_sm(kL2Lines, sms);
  kernel.path = [block](WarpPath& path) {
    for (std::uint64_t line = 0; path.block() == block && line < kLines; ++line) {
      path.run("line", [line](std::uint32_t access) {
        constexpr std::uint32_t kLoadsOfLine = 11;
        return Lanes{access < kLoadsOfLine ? kBuffer + line * kLineDistance : kBuffer - (1U << 20U) + line * 4, 0};
      });
    }
    path.run("end");
  };
  ProbeMachine machine(config);
  machine.write(kBuffer, kLineDistance, kLines);
  const std::vector<Cycle> clocks = machine.run(kernel)[block][0];
  std::vector<double> latencies;
  for (std::size_t i = 0; i + 1 < clocks.size(); i += 2) {
    latencies.push_back(static_cast<double>(clocks[i + 1] - clocks[i]) / 8);
  }
  return latencies;
}

double percentile(std::vector<double> values, std::uint32_t percent) {
  std::ranges::sort(values);
  return values.at(values.size() * percent / 100);
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double mean_a = 0;
  double mean_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / static_cast<double>(a.size());
    mean_b += b[i] / static_cast<double>(a.size());
  }
  double covariance = 0;
  double variance_a = 0;
  double variance_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    covariance += (a[i] - mean_a) * (b[i] - mean_b);
    variance_a += (a[i] - mean_a) * (a[i] - mean_a);
    variance_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return covariance / std::sqrt(variance_a * variance_b + 1e-9);
}

void add_chain(Family& family, const std::string& name, const Chain& chain) {
  family.probes.push_back({name, [chain](const GpuConfig& config) { return chain_latency(config, chain); }});
}

}  // namespace

Family lat_mem_family() {
  Family family{"lat_mem", {}, {}};
  const Lanes own{kBuffer, 0};
  add_chain(family, "L1.LDG32_plus_64bit_add", {kL1With64BitAddition, "", own});
  add_chain(family, "L1.LDG64", {kL1Wide, "", own});
  add_chain(family, "L1.LDG64_strong_sm", {kL1Wide, ".STRONG.SM", own});
  add_chain(family, "L1.LDG128", {kL1Of16Bytes, "", own});
  add_chain(family, "shared.LDS32.one_lane", {kShared4, "", {0, 4}, 1});
  for (const std::int64_t degree : {1, 2, 4, 8, 16, 32}) {
    add_chain(family, "shared.LDS32.conflict" + std::to_string(degree), {kShared4, "", {0, degree * 4}});
  }
  add_chain(family, "shared.LDS64", {kShared8, "", {0, 8}});
  add_chain(family, "shared.LDS128", {kShared16, "", {0, 16}});
  for (const std::uint32_t footprint :
       {256, 512, 1024, 1536, 2048, 2560, 3072, 4096, 6144, 8192, 16384, 24576, 32768, 40960, 49152, 57344, 65536}) {
    family.probes.push_back({"const.chain64.footprint" + std::to_string(footprint),
                             [footprint](const GpuConfig& config) { return constant_latency(config, footprint); }});
  }
  for (const std::uint32_t sm : {0, 1, 66, 131}) {
    for (const std::uint32_t percent : {1, 5, 25, 50, 75, 95, 99}) {
      const std::string name = "L2.hit.sm" + std::to_string(sm) + ".p" + std::to_string(percent);
      family.probes.push_back(
          {name, [sm, percent](const GpuConfig& config) { return percentile(line_latencies(config, sm), percent); }});
    }
  }
  family.probes.push_back({"L2.hit.correlation_first_last_sm", [](const GpuConfig& config) {
                             return correlation(line_latencies(config, 0), line_latencies(config, 131));
                           }});
  family.uncovered = {{"L2.hit.sm*.hist*",
                       "lines in bins of ten cycles: they follow from the chip's address hash and floor plan, of which "
                       "only the percentiles' spread is modelled"}};
  return family;
}

}  // namespace warpsim::microbench
