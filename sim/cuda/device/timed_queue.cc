#include "cuda/device/timed_queue.h"

#include <algorithm>
#include <utility>

namespace warpsim::cuda {

void TimedQueue::open_stream(std::uint64_t stream, const Streams::Traits& traits) {
  machine_.attempt([&](DeviceRun& device) { device.streams(gpu_).open(stream, traits); });
}

void TimedQueue::close_stream(std::uint64_t stream) {
  machine_.attempt([&](DeviceRun& device) { device.streams(gpu_).close(stream); });
}

void TimedQueue::stream_waits(std::uint64_t stream, const WorkHandle& work, Dependence::Edge edge) {
  machine_.attempt([&](DeviceRun& device) {
    device.spend(calls().stream_wait_ns);
    device.streams(gpu_).wait(stream, work, edge);
  });
}

WorkHandle TimedQueue::submit(Work work) {
  work.place.gpu = gpu_;
  return machine_.submit(std::move(work));
}

std::vector<Dependence> TimedQueue::begin_graph(std::uint64_t stream) {
  std::vector<Dependence> before;
  machine_.attempt([&](DeviceRun& device) {
    device.spend(calls().graph_launch_ns);
    before = device.streams(gpu_).dependences(stream);
  });
  return before;
}

WorkHandle TimedQueue::end_graph(WorkPlace place, std::function<void()> effect) {
  Work work;
  work.place = std::move(place);
  work.place.gpu = gpu_;
  work.effect = std::move(effect);
  WorkHandle state;
  machine_.attempt([&](DeviceRun& device) { state = device.end_graph(std::move(work)); });
  return state;
}

void TimedQueue::wait(const WorkHandle& work) {
  if (work == nullptr) {
    machine_.wait(gpu_, [this] { return machine_.idle(gpu_); });
  } else {
    machine_.wait(work->gpu, [work] { return work->over; });
  }
}

void TimedQueue::wait_for_stream(std::uint64_t stream) {
  std::vector<Dependence> before;
  machine_.attempt([&](DeviceRun& device) { before = device.streams(gpu_).dependences(stream); });
  machine_.wait(gpu_, [before = std::move(before)] { return are_over(before); });
}

bool TimedQueue::ask(const WorkHandle& work) {
  drift(calls().query_ns);
  return is_over(work);
}

bool TimedQueue::ask_for_stream(std::uint64_t stream) {
  drift(calls().query_ns);
  bool is_done = true;
  machine_.attempt([&](DeviceRun& device) { is_done = device.streams(gpu_).dependences(stream).empty(); });
  return is_done;
}

void TimedQueue::stage(std::uint64_t bytes) {
  const double copied_ns = static_cast<double>(bytes) / machine_.config(gpu_).copies.to_device_gb_per_s;
  const double staged_ns = static_cast<double>(bytes) / calls().pageable_gb_per_s;
  machine_.attempt([&](DeviceRun& device) { device.spend(std::max(0.0, staged_ns - copied_ns)); });
}

void TimedQueue::drift(double ns) {
  machine_.attempt([&](DeviceRun& device) {
    device.spend(ns);
    device.catch_up();
  });
}

void TimedQueue::work_on(double ns) {
  machine_.attempt([&](DeviceRun& device) {
    device.catch_up();
    if (!device.only_waits()) {
      device.spend(ns);
      device.catch_up();
    }
  });
}

bool TimedQueue::idle() const {
  return machine_.idle(gpu_);
}

double TimedQueue::now_ns() const {
  return machine_.now_ns();
}

}  // namespace warpsim::cuda
