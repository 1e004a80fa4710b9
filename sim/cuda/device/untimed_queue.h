// The streams of one GPU of a machine without timing, as the calls of a program use them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cuda/device/device_queue.h"
#include "cuda/device/untimed_machine.h"

namespace warpsim::cuda {

class UntimedQueue final : public DeviceQueue {
 public:
  // The machine outlives it.
  UntimedQueue(UntimedMachine& machine, std::uint32_t gpu) : machine_(machine), gpu_(gpu) {}

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
  void stage(std::uint64_t /*bytes*/) override {}
  bool holds_waits() const override { return true; }
  bool is_stuck() const override { return machine_.is_stuck(); }
  void drift(double /*ns*/) override { machine_.work_on(); }
  bool idle() const override { return machine_.idle(gpu_); }
  double now_ns() const override { return 0; }

 private:
  UntimedMachine& machine_;
  std::uint32_t gpu_;
};

}  // namespace warpsim::cuda
