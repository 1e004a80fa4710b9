#include "core/load_store/data_caches.h"

namespace warpsim {

DataCaches::DataCaches(const Config& config, LaunchStatsNode& parent) : l1_(config.l1, parent) {
  if (config.read_only.kib != 0) {
    read_only_.emplace(l1_config_of(config.read_only, config.l1), parent, "read_only_cache");
    read_only_->configure(std::uint64_t{config.read_only.kib} * 1024);
  }
}

}  // namespace warpsim
