// The streams of one GPU of a timed machine, as the calls of a program use them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cuda/device/device_queue.h"
#include "cuda/device/timed_machine.h"

namespace warpsim::cuda {

class TimedQueue final : public DeviceQueue {
 public:
  // The machine outlives it.
  TimedQueue(TimedMachine& machine, std::uint32_t gpu) : machine_(machine), gpu_(gpu) {}

  void open_stream(std::uint64_t stream, const Streams::Traits& traits) override;
  void close_stream(std::uint64_t stream) override;
  void stream_waits(std::uint64_t stream, const WorkHandle& work, Dependence::Edge edge) override;
  WorkHandle submit(Work work) override;
  std::vector<Dependence> begin_graph(std::uint64_t stream) override;
  WorkHandle end_graph(WorkPlace place, std::function<void()> effect) override;
  void wait(const WorkHandle& work) override;
  void wait_for_stream(std::uint64_t stream) override;
  bool ask(const WorkHandle& work) override;
  bool ask_for_stream(std::uint64_t stream) override;
  void stage(std::uint64_t bytes) override;
  void drift(double ns) override;
  void work_on(double ns) override;
  bool idle() const override;
  bool holds_waits() const override { return machine_.holds_waits(); }
  bool is_stuck() const override { return machine_.is_stuck(); }
  bool is_interrupted() const override { return machine_.is_interrupted(); }
  double now_ns() const override;

 private:
  const HostCallsConfig& calls() const { return machine_.config(gpu_).host_calls; }

  TimedMachine& machine_;
  std::uint32_t gpu_;
};

}  // namespace warpsim::cuda
