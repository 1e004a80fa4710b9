#include "cuda/device/device_queue.h"

#include <utility>

#include "cuda/device/error_codes.h"

namespace warpsim::cuda {

WorkHandle ImmediateQueue::submit(Work work) {
  if (work.passes && !work.passes()) {
    throw CallError(kNotSupported,
                    "a stream waits for a value that was not written before: without time, all work is done when it is "
                    "requested");
  }
  auto state = std::make_shared<WorkState>();
  state->kind = work.kind;
  state->started = true;
  if (work.effect) {
    work.effect();
  }
  state->over = true;
  return state;
}

WorkHandle ImmediateQueue::end_graph(WorkPlace place, std::function<void()> effect) {
  Work work;
  work.place = std::move(place);
  work.effect = std::move(effect);
  return submit(std::move(work));
}

}  // namespace warpsim::cuda
