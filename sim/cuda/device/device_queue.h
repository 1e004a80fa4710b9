// The streams of a device, into which a program's calls put work.
//
// Two kinds of devices: with time, where work is done in the device's time while the host goes on (timed_queue.h),
// and without, where work is done when it is requested, if possible (untimed_queue.h).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "device/streams.h"
#include "device/work.h"

namespace warpsim::cuda {

class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;

  virtual void open_stream(std::uint64_t stream, const Streams::Traits& traits) = 0;
  virtual void close_stream(std::uint64_t stream) = 0;
  // Later work of the stream waits for this; a kernel, if it is the next one, by `edge`.
  virtual void stream_waits(std::uint64_t stream, const WorkHandle& work, Dependence::Edge edge) = 0;

  // Kernels are launched by the device itself. The host is busy for a time that depends on the kind.
  virtual WorkHandle submit(Work work) = 0;
  // The host launches a graph into the stream and then submits its nodes, which become known to the device together.
  // Returns what the first nodes wait for. Later work of the stream waits for the end; `effect` is as of other work.
  virtual std::vector<Dependence> begin_graph(std::uint64_t stream) = 0;
  virtual WorkHandle end_graph(WorkPlace place, std::function<void()> effect) = 0;

  // The host waits; null: for all work of this device.
  virtual void wait(const WorkHandle& work) = 0;
  virtual void wait_for_stream(std::uint64_t stream) = 0;
  // The host asks, which takes time: first the device runs up to the host's time.
  virtual bool ask(const WorkHandle& work) = 0;
  virtual bool ask_for_stream(std::uint64_t stream) = 0;
  // The host stages pageable memory before or after a copy, which takes longer than the copy itself.
  virtual void stage(std::uint64_t bytes) = 0;

  // Whether work may wait in it for what only others than the device do. Otherwise all work is done when it is
  // requested.
  virtual bool holds_waits() const { return false; }
  // The latest wait of the host ended too early: streams wait for values that nothing on the device will write.
  virtual bool is_stuck() const { return false; }

  // The latest wait of the host ended early, since another thread wants to call, or has what it waits for. The wait
  // goes on when it is called again by the same thread.
  virtual bool is_interrupted() const { return false; }

  // The host does something else for a time, in which the device works on.
  virtual void drift(double ns) = 0;

  // The same without a call of the program; it takes no time while all work waits for values in memory.
  virtual void work_on(double ns) { drift(ns); }

  // Whether nothing is left to do.
  virtual bool idle() const = 0;
  // After the end of all work so far; 0 without time.
  virtual double now_ns() const = 0;
};

}  // namespace warpsim::cuda
