#include "app/machine_commands.h"

#include <ostream>

#include "app/exit_codes.h"
#include "app/gpu_files.h"
#include "app/text_format.h"
#include "config/config_document.h"
#include "config/config_tree.h"
#include "core/gpu_config.h"
#include "stats/metric_catalog.h"

namespace warpsim {

int gpus_command(std::ostream& out) {
  TextTable table(
      {{"name", Align::kLeft}, {"GPU", Align::kLeft}, {"what it is", Align::kLeft}, {"file", Align::kLeft}});
  for (const ShippedGpu& gpu : shipped_gpus()) {
    const auto config = ConfigTree::load(gpu.path, {}).read<GpuConfig>();
    table.add({gpu.name, config.name, config.summary, gpu.path});
  }
  out << table.render();
  return kExitDone;
}

int config_reference_command(std::ostream& out) {
  out << config_reference<GpuConfig>();
  return kExitDone;
}

int metric_reference_command(std::ostream& out) {
  out << metric_reference();
  return kExitDone;
}

}  // namespace warpsim
