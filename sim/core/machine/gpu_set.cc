#include "core/machine/gpu_set.h"

#include <string>

#include "base/check.h"

namespace warpsim {

GpuSet::GpuSet(System& system, const std::vector<GpuConfig>& configs, const MachineOptions& options) {
  SIM_CHECK(!configs.empty(), "a machine without GPUs");
  std::vector<Gpu::Clocks> clocks;
  clocks.reserve(configs.size());
  for (const GpuConfig& config : configs) {
    clocks.push_back(Gpu::add_clocks(system, config));
  }
  for (std::size_t i = 0; i < configs.size(); ++i) {
    Gpu::Setting setting{
        .skip = options.skip, .writes_stay = !options.flush_before_launch, .number = static_cast<std::uint32_t>(i)};
    setting.name_prefix = configs.size() == 1 ? std::string() : "gpu[" + std::to_string(i) + "].";
    setting.has_others = configs.size() > 1;
    setting.homes = options.homes;
    gpus_.push_back(std::make_unique<Gpu>(system, clocks[i], configs[i], setting));
  }
  far_.emplace(options.homes, gpus_);
  if (options.homes != nullptr && gpus_.size() > 1) {
    std::vector<PeerLinks::Member> members;
    members.reserve(gpus_.size());
    for (const auto& gpu : gpus_) {
      members.push_back({gpu->gate(), &gpu->config().links, &gpu->l2_clock()});
    }
    links_.emplace(members);
  }
}

}  // namespace warpsim
