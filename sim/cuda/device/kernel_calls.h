// The time of calls by which warps put work on the device.
//
// Modelled: a call takes a time that grows with the warp's threads that call; the device takes work one after another,
// and work can start a time after its call, in the order in which it is taken. Not modelled: where the time goes.
// Evidence: tests/hardware/host_calls, h200_nested.csv; tests/hardware/device_graphs. State: the last call, and when
// the device can take more.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "device/work.h"
#include "emulator/execution/device_launches.h"

namespace warpsim::cuda {

class KernelCalls {
 public:
  struct Times {
    double call_ns = 0;      // of one thread
    double thread_ns = 0;    // for each further thread of the warp
    double start_ns = 0;     // from the call to the start of the work
    double interval_ns = 0;  // between two pieces of work
    bool waits = true;       // the call ends when the device has taken all of its work, if that is later
  };
  // `time_of`: the device's time, at a core cycle.
  KernelCalls(double core_mhz, std::function<double(Cycle)> time_of);

  // Of the calls that follow.
  void set_time(Cycle now) { now_ = now; }
  // One more piece of work by the thread, which joins its warp's call at this time. Returns when it may start.
  double add(const DeviceThread& thread, const Times& times);
  // The same by a call that only takes time; each thread's after the one before it.
  void spend(const DeviceThread& thread, double ns);
  // The device has this by the call.
  void note(WorkHandle work) { call_.works.push_back(std::move(work)); }
  const std::vector<WorkHandle>& works() const { return call_.works; }
  // Until when the warp is busy with its calls at this time.
  Cycle ends_at(Cycle now) const;

 private:
  struct Call {
    std::uint64_t grid = 0;
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
    Cycle at = kNever;
    double begin_ns = 0;  // when the device takes the first piece
    double ends_ns = 0;
    std::size_t pieces = 0;
    std::vector<WorkHandle> works = {};
  };

  void join(const DeviceThread& thread);

  double cycles_per_ns_;
  std::function<double(Cycle)> time_of_;
  Call call_;
  Cycle now_ = 0;
  double free_ns_ = 0;  // the device can take the next piece
};

}  // namespace warpsim::cuda
