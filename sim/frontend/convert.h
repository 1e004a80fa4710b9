// Converts recorded workloads between the Accel-Sim text format and the native .wtrace.
#pragma once

#include <string>

namespace warpsim {

// `in` a .wtrace: writes the text directory `out`. `in` anything else that open_workload() reads: writes the .wtrace
// `out`, whose name must end so. What exists afterwards under the name `out` is whole. Throws TraceError, or UsageError
// if the names do not say which way to convert.
void convert(const std::string& in, const std::string& out);

}  // namespace warpsim
