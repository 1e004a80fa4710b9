// The time of printf(), malloc() and free() of kernels.
//
// Modelled: a call takes a time that grows with the threads of the warp that call; calls of a grid that begin before
// its first one has ended take longer; the last part of a call is executed by one warp of the GPU after another, by
// malloc() and free() together. Not modelled: the instructions of these functions and their accesses to memory, sizes
// of allocations, arguments of printf. Evidence: tests/hardware/system_calls. State: when the next warp can execute the
// serial parts; the grid of the last call and the end of its first one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "core/launch/system_calls_config.h"
#include "emulator/execution/system_calls.h"

namespace warpsim::cuda {

class SystemCallTimes final : public SystemCalls {
 public:
  // `time_of`: the device's time, in nanoseconds at a core cycle; it never goes back, which numbers of cycles may.
  SystemCallTimes(const SystemCallsConfig& config, double core_mhz, std::function<double(Cycle)> time_of);

  Cycle ends_at(SystemCall call, std::uint64_t grid, std::uint32_t threads, Cycle now) override;

 private:
  static constexpr std::size_t kCalls = 3;
  struct First {
    std::uint64_t grid = 0;  // 0: of none
    double ends_ns = 0;
  };

  std::array<SystemCallConfig, kCalls> costs_;  // by SystemCall
  double ns_per_cycle_;
  std::function<double(Cycle)> time_of_;
  std::array<First, kCalls> first_;
  std::array<double, kCalls> free_ns_{};  // of the serial parts; those of malloc() and free() are one
};

}  // namespace warpsim::cuda
