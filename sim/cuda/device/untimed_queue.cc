#include "cuda/device/untimed_queue.h"

#include <utility>

namespace warpsim::cuda {

void UntimedQueue::open_stream(std::uint64_t stream, const Streams::Traits& traits) {
  machine_.streams(gpu_).open(stream, traits);
}

void UntimedQueue::close_stream(std::uint64_t stream) {
  machine_.streams(gpu_).close(stream);
}

void UntimedQueue::stream_waits(std::uint64_t stream, const WorkHandle& work, Dependence::Edge edge) {
  machine_.streams(gpu_).wait(stream, work, edge);
}

WorkHandle UntimedQueue::submit(Work work) {
  work.place.gpu = gpu_;
  return machine_.submit(std::move(work));
}

std::vector<Dependence> UntimedQueue::begin_graph(std::uint64_t stream) {
  return machine_.streams(gpu_).dependences(stream);
}

WorkHandle UntimedQueue::end_graph(WorkPlace place, std::function<void()> effect) {
  Work work;
  work.place = std::move(place);
  work.place.gpu = gpu_;
  work.effect = std::move(effect);
  return machine_.end_graph(std::move(work));
}

void UntimedQueue::wait(const WorkHandle& work) {
  machine_.wait([&] { return work == nullptr ? machine_.idle(gpu_) : work->over; });
}

void UntimedQueue::wait_for_stream(std::uint64_t stream) {
  const std::vector<Dependence> before = machine_.streams(gpu_).dependences(stream);
  machine_.wait([&before] { return are_over(before); });
}

bool UntimedQueue::ask(const WorkHandle& work) {
  if (work == nullptr || !is_over(work)) {
    machine_.work_on();
  }
  return is_over(work);
}

bool UntimedQueue::ask_for_stream(std::uint64_t stream) {
  if (!are_over(machine_.streams(gpu_).dependences(stream))) {
    machine_.work_on();
  }
  return are_over(machine_.streams(gpu_).dependences(stream));
}

}  // namespace warpsim::cuda
