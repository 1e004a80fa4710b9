#include "cuda/device/system_call_times.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpsim::cuda {

SystemCallTimes::SystemCallTimes(const SystemCallsConfig& config, double core_mhz, std::function<double(Cycle)> time_of)
    : costs_{config.printf, config.malloc, config.free}, ns_per_cycle_(1e3 / core_mhz), time_of_(std::move(time_of)) {}

Cycle SystemCallTimes::ends_at(SystemCall call, std::uint64_t grid, std::uint32_t threads, Cycle now) {
  const auto number = static_cast<std::size_t>(call);
  const SystemCallConfig& cost = costs_[number];
  const double now_ns = time_of_(now);
  First& first = first_[number];
  const bool is_first = first.grid != grid;
  double cycles = cost.call_cycles + (threads - 1) * cost.thread_cycles;
  if (is_first || now_ns < first.ends_ns) {
    cycles += cost.first_call_cycles;
  }
  const double alone_ns = now_ns + cycles * ns_per_cycle_;
  if (is_first) {
    first = {grid, alone_ns};
  }
  constexpr auto kHeap = static_cast<std::size_t>(SystemCall::kAllocate);
  double& free_ns = free_ns_[call == SystemCall::kPrint ? number : kHeap];
  const double serial_ns = std::min(cost.serial_cycles, cycles) * ns_per_cycle_;
  free_ns = std::max(alone_ns, free_ns + serial_ns);
  return now + static_cast<Cycle>(std::llround((free_ns - now_ns) / ns_per_cycle_));
}

}  // namespace warpsim::cuda
