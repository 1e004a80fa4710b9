#include "memory/memory_engines.h"

#include <algorithm>

#include "memory/crossbar/translation_stage.h"
#include "memory/memory_column.h"

namespace warpsim {

MemoryDivision MemoryDivision::of(const MemoryConfig& config, const std::vector<PortPlace>& ports,
                                  const ClockDomain& core, const ClockDomain& l2, std::uint64_t shortest_fs,
                                  bool is_connected) {
  std::uint64_t window_fs = std::min(shortest_fs, port_request_latency(config.crossbar) * core.period_fs());
  for (const PortPlace& port : ports) {
    window_fs = std::min(window_fs, port_response_latency(config.crossbar, port, core, l2) * l2.period_fs());
  }
  const auto is_far = [&](Cycle latency) { return latency * l2.period_fs() >= window_fs; };
  if (!is_far(MemoryColumn::crossbar_latency(config.crossbar))) {
    return {};
  }
  const bool translations_are_far =
      !config.translation.enabled || is_far(TranslationStage::shortest_latency(config.translation));
  const bool is_one = is_connected || config.crossbar.network.chosen() || !translations_are_far;
  return {is_one ? 1 : config.address_map.num_partitions, MemoryColumn::count(config.address_map)};
}

}  // namespace warpsim
