// `warpsim gpus`, `config-reference` and `metric-reference`: lists of GPU descriptions, of their keys,
// and of metrics.
#pragma once

#include <iosfwd>

#include "app/options/options.h"

namespace warpsim {

// Each returns the exit code.
int gpus_command(const GpusOptions& options, std::ostream& out);
int config_reference_command(std::ostream& out);
int launch_reference_command(std::ostream& out);
int metric_reference_command(std::ostream& out);

}  // namespace warpsim
