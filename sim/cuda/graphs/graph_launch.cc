#include "cuda/graphs/graph_launch.h"

#include <algorithm>
#include <utility>

#include "cuda/graphs/capture.h"
#include "cuda/graphs/graph_launches.h"
#include "cuda/graphs/graph_run.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/memory/managed_calls.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

using Memories = std::vector<GraphMemory*>;

// The memory that nodes allocate; `freed`: what nodes free.
void collect_memory(Context& context, const Graph& graph, Memories& allocated, Memories& freed) {
  for (const GraphNode* const node : graph.ordered()) {
    if (const auto* const allocation = std::get_if<AllocationNode>(&node->payload)) {
      allocated.push_back(allocation->memory.get());
    } else if (const auto* const free = std::get_if<FreeNode>(&node->payload)) {
      const auto memory = context.graphs().memory->find(to_address(free->data));
      if (memory == nullptr) {
        throw CallError(kInvalidValue);
      }
      freed.push_back(memory.get());
    } else if (const auto* const child = std::get_if<ChildNode>(&node->payload)) {
      collect_memory(context, *child->graph, allocated, freed);
    }
  }
}

void use_memory(Context& context, const GraphExec& exec, std::uint64_t stream) {
  GraphMemoryPool& pool = *context.graphs().memory;
  Memories allocated;
  Memories freed;
  collect_memory(context, exec.graph(), allocated, freed);
  for (GraphMemory* const memory : allocated) {
    if (memory->in_use && (exec.flags() & GraphExec::kFreeOnLaunch) != 0) {
      pool.free(*memory);
    }
    if (memory->in_use) {
      throw CallError(kInvalidValue,
                      "a launch of a graph: memory that it allocates was not freed since its last launch");
    }
  }
  for (GraphMemory* const memory : allocated) {
    pool.use(*memory, stream);
  }
  for (GraphMemory* const memory : freed) {
    pool.free(*memory);
  }
}

}  // namespace

void launch_graph(Context& context, GraphExec& exec, StreamHandle stream) {
  const Stream& launching = context.stream(stream);
  const std::uint64_t number = launching.number;
  if (capture_graph(context, stream, exec.graph())) {
    return;
  }
  const auto run = std::make_shared<GraphRun>(context, exec, GraphRun::Setting{.gpu = launching.gpu, .stream = number});
  use_memory(context, exec, number);
  DeviceQueue& queue = context.queue_of(launching);
  bring_all(context.device(launching.gpu), number);
  std::vector<Dependence> before = queue.begin_graph(number);
  if (!is_over(exec.last)) {
    before.push_back({exec.last});
  }
  try {
    WorkPlace place;
    place.gpu = launching.gpu;
    place.stream = number;
    place.in_graph = true;
    const WorkHandle all = context.graphs().launches->launch(exec, run, std::move(before), place.after);
    if (all != nullptr) {
      place.after = {{all}};
    }
    // The graph, and its memory, are there until all of it is done.
    exec.last = queue.end_graph(std::move(place), [kept = exec.shared_graph()] {});
    context.graphs().memory->end_launch(exec.last);
    context.check_device();
  } catch (const CallError& error) {
    if (!is_sticky(error.code())) {
      throw;
    }
    context.flush_printed();  // as a launch of a kernel, it succeeds
    context.say_once(error.what());
  }
}

}  // namespace warpsim::cuda
