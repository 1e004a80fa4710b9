#include "generations/latency.h"

#include "config/config_tree.h"
#include "support/machine.h"

namespace warpsim::generations {

namespace {

using Place = PublishedLatency::Place;
using test::KernelBuilder;

// Luo et al. chase with 64-bit address arithmetic between two loads.
constexpr double kAddressArithmetic = 5;

}  // namespace

const std::vector<PublishedLatency>& published_latencies() {
  static const std::string kGuide42 = "CUDA C programming guide 4.2, section 5.2.3";
  static const std::string kGuide80 = "CUDA C programming guide 8.0, section 5.2.3";
  static const std::string kJia18 = "Jia et al. 2018, not verified";
  static const std::string kLuo = "Luo et al., IPDPS 2024";
  static const std::vector<PublishedLatency> kAll = {
      {"gtx280", Place::kArithmetic, 24, "CUDA programming guide 1.1, section 5.1.2.5, 192 threads"},
      {"geforce8800gtx", Place::kDram, 500, "CUDA programming guide 1.1, section 5.1.1.3, 400 to 600"},
      {"gtx280", Place::kDram, 600, kGuide42 + ", 400 to 800, the example's 600"},
      {"gtx480", Place::kArithmetic, 22, kGuide42},
      {"gtx480", Place::kL1, 48, "not verified, 45 to 50"},
      {"gtx480", Place::kShared, 28, "not verified, 26 to 30"},
      {"gtx480", Place::kL2, 270, "not verified, 240 to 300"},
      {"gtx480", Place::kDram, 600, kGuide80 + ", the example's 600"},
      {"gtx680", Place::kArithmetic, 11, kGuide80},
      {"gtx680", Place::kShared, 24, "not verified, 24 to 26"},
      {"gtx680", Place::kDram, 300, kGuide80 + ", 200 to 400, the example's 300"},
      {"k80", Place::kL1, 35, kJia18},
      {"k80", Place::kL2, 200, kJia18},
      {"gtx980", Place::kArithmetic, 6, "maxas"},
      {"gtx980", Place::kShared, 24, "not verified"},
      {"gtx980", Place::kL1, 82, "not verified"},
      {"gtx980", Place::kL2, 207, "Jia et al. 2018 (M60), not verified"},
      {"p100", Place::kArithmetic, 6, "maxas"},
      {"p100", Place::kShared, 24, "not verified"},
      {"p100", Place::kL1, 82, "not verified"},
      {"p100", Place::kL2, 234, kJia18},
      {"gtx1080", Place::kL2, 216, "Jia et al. 2018 (P4), not verified"},
      {"v100", Place::kArithmetic, 4, kJia18},
      {"v100", Place::kShared, 19, kJia18},
      {"v100", Place::kL1, 28, kJia18},
      {"v100", Place::kL2, 193, kJia18},
      {"t4", Place::kArithmetic, 4, "Jia et al. 2019"},
      {"t4", Place::kL1, 32, "Jia et al. 2019"},
      {"t4", Place::kL2, 188, "Jia et al. 2019"},
      {"a100", Place::kArithmetic, 4, "Mesa's table of NVIDIA's latencies"},
      {"a100", Place::kL1, 37.9, kLuo, kAddressArithmetic},
      {"a100", Place::kShared, 29.0, kLuo, kAddressArithmetic},
      {"a100", Place::kL2, 261.5, kLuo, kAddressArithmetic},
      {"a100", Place::kDram, 466.3, kLuo, kAddressArithmetic},
      {"rtx4090", Place::kL1, 43.4, kLuo, kAddressArithmetic},
      {"rtx4090", Place::kShared, 30.1, kLuo, kAddressArithmetic},
      {"rtx4090", Place::kL2, 273.0, kLuo, kAddressArithmetic},
      {"rtx4090", Place::kDram, 541.5, kLuo, kAddressArithmetic},
      {"h100", Place::kArithmetic, 4, "micro.csv latency.FFMA of an H200"},
      {"h100", Place::kL1, 40.7, kLuo + " (H800)", kAddressArithmetic},
      {"h100", Place::kShared, 29.0, kLuo + " (H800)", kAddressArithmetic},
  };
  return kAll;
}

const char* to_string(Place place) {
  switch (place) {
    case Place::kArithmetic:
      return "arithmetic";
    case Place::kL1:
      return "L1";
    case Place::kShared:
      return "shared memory";
    case Place::kL2:
      return "L2";
    case Place::kDram:
      return "DRAM";
  }
  return "?";
}

double measured_latency(const PublishedLatency& published) {
  const GpuConfig config = ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/" + published.gpu + ".yaml",
                                            {"sm.sub_core.fetch.perfect=true", "sm.constant_caches.perfect=true"})
                               .read<GpuConfig>();
  constexpr std::uint32_t kLinks = 96;
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard, architecture_of(config.compute_capability));
  const auto chained = [](KernelBuilder::Written written) {
    written.raw().sources[0] = {4, 1};
    written.lanes(1);  // 1.0 and 1.1 serve lanes on one address one by one
  };
  // Lines in many slices and rows; those of L2 are read once before.
  const auto line = [](std::uint32_t link) {
    return test::Addresses{.base = 0x10000 + link * Address{33 * 128}, .lane_stride = 0};
  };
  const bool fermi_or_kepler = architecture_of(config.compute_capability) < 50;
  const std::string past_l1 = fermi_or_kepler ? "LD.E.CG" : "LDG.E.STRONG.GPU";
  const std::string through_l1 = fermi_or_kepler                                   ? "LD.E.CA"
                                 : architecture_of(config.compute_capability) < 70 ? "LDG.E.CI"
                                                                                   : "LDG.E";
  const std::uint32_t warm_up = published.place == Place::kL2 ? kLinks : published.place == Place::kL1 ? 4 : 0;
  for (std::uint32_t link = 0; link < warm_up + kLinks; ++link) {
    switch (published.place) {
      case Place::kArithmetic:
        k.op("FADD", 4, {4, 1});
        break;
      case Place::kShared:
        chained(k.lds(4, {.base = 0, .lane_stride = 0}));
        break;
      case Place::kL1:
        chained(k.load(through_l1, 4, line(0)));
        break;
      case Place::kL2:
        chained(k.load(past_l1, 4, line(link % kLinks)));
        break;
      case Place::kDram:
        chained(k.load(past_l1, 4, line(link)));
        break;
    }
  }
  k.op("FADD", 5, {4, 1});
  test::SyntheticKernel kernel(k, {.registers = 8, .shared_bytes = 1024});
  Machine gpu(config, {});
  gpu.run(kernel);
  const std::vector<Cycle>& issued = kernel.warp(0).issued;
  const Cycle cycles = issued.back() - issued[warm_up];
  return static_cast<double>(cycles) / kLinks + published.overhead_cycles;
}

}  // namespace warpsim::generations
