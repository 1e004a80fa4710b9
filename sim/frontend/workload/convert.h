// Converts recorded workloads between the Accel-Sim text format and the native .wtrace.
#pragma once

#include <string>

namespace warpsim {

// `in` a .wtrace: writes the text directory `out`. `in` anything else that open_workload() reads: writes the .wtrace
// `out`, whose name must end so. `out` appears only when it is complete. Throws TraceError, or UsageError
// if the names do not determine the direction.
void convert(const std::string& in, const std::string& out);

}  // namespace warpsim
