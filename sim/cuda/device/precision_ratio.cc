#include "cuda/device/precision_ratio.h"

#include <cmath>

#include "isa/static_instruction.h"

namespace warpsim::cuda {

int precision_ratio(const GpuConfig& gpu) {
  if (gpu.specifications.features.double_precision == Support::kNo) {
    return 0;
  }
  const ExecutionConfig& execution = gpu.sm.execution;
  const auto per_cycle = [&](TimingClass timing_class, Pipe own) {
    const OperationConfig& operation = execution.operations[static_cast<std::size_t>(timing_class)];
    const UnitConfig& unit =
        execution.units[static_cast<std::size_t>(operation.unit == Pipe::kNone ? own : operation.unit)];
    const std::uint32_t count =
        (operation.able == 0 ? unit.count : operation.able) * (unit.shared ? 1 : gpu.sm.sub_cores);
    return static_cast<double>(count) / operation.timing.initiation_cycles;
  };
  const double of_double = per_cycle(TimingClass::kFp64, Pipe::kFp64);
  return of_double == 0 ? 0 : static_cast<int>(std::lround(per_cycle(TimingClass::kFp32, Pipe::kFma) / of_double));
}

}  // namespace warpsim::cuda
