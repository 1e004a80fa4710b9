#include "cuda/operations.h"

#include <utility>

#include "cuda/host_functions.h"
#include "cuda/managed_calls.h"

namespace warpsim::cuda {

namespace {

WorkKind kind_of(const CopyOperation& copy) {
  if (copy.target.on_device == copy.source.on_device) {
    return copy.target.on_device ? WorkKind::kInDevice : WorkKind::kInstant;
  }
  return copy.target.on_device ? WorkKind::kToDevice : WorkKind::kToHost;
}

class Performer {
 public:
  Performer(Context& context, WorkPlace place) : context_(context), gpu_(place.gpu), place_(std::move(place)) {}

  WorkHandle operator()(const LaunchOperation& operation) {
    Launch launch = operation.launch;
    launch.parameters = operation.parameters;
    place_.reports_begin = place_.reports_begin || launch.place.reports_begin;
    launch.place = std::move(place_);
    WorkHandle work;
    Device& device = context_.device(gpu_);
    if (!launch.place.in_graph) {
      bring_all(device, launch.place.stream);
    }
    const Outcome outcome = device.launch(context_.loaded(*operation.kernel, gpu_).id, launch, &work);
    for (const std::string& finding : device.take_findings()) {
      context_.say_once(finding);
    }
    context_.check(outcome);
    return work;
  }

  WorkHandle operator()(const CopyOperation& copy) {
    Device& device = context_.device(gpu_);
    Work work;
    work.kind = kind_of(copy);
    if (work.kind == WorkKind::kInDevice) {
      set_peer(copy, work);
    }
    work.bytes = copy.size.bytes();
    work.prepare = [&device, copy] {
      return bring(device, copy.source.address, extent_of(copy.source, copy.size), false) +
             bring(device, copy.target.address, extent_of(copy.target, copy.size), true);
    };
    work.effect = [&device, copy, to_device = work.kind == WorkKind::kToDevice] {
      move_bytes(copy.target, copy.source, copy.size);
      if (to_device) {
        device.note_written(copy.target.address, extent_of(copy.target, copy.size));
      }
    };
    return submit(std::move(work));
  }

  WorkHandle operator()(const FillOperation& fill) {
    Work work;
    work.kind = WorkKind::kFill;
    work.bytes = fill.size.bytes();
    work.prepare = [&device = context_.device(gpu_), fill] {
      return bring(device, fill.target.address, extent_of(fill.target, fill.size), true);
    };
    work.effect = [fill] { fill_bytes(fill.target, fill.fill, fill.size); };
    return submit(std::move(work));
  }

  WorkHandle operator()(const HostOperation& host) {
    Work work;
    work.kind = WorkKind::kHostFunction;
    work.effect = [&context = context_, host] {
      context.flush_printed();
      {
        const HostFunctionCall call;
        host.function();
      }
      --context.host_functions();
    };
    ++context_.host_functions();
    return submit(std::move(work));
  }

  WorkHandle operator()(const MarkerOperation& marker) {
    Work work;
    work.kind = marker.timed ? WorkKind::kMarker : WorkKind::kInstant;
    return submit(std::move(work));
  }

  WorkHandle operator()(const InstantOperation& instant) {
    Work work;
    work.effect = instant.effect;
    return submit(std::move(work));
  }

  // In a graph each step follows the one before it.
  WorkHandle operator()(const BatchOperation& batch) {
    const WorkPlace place = place_;
    WorkHandle last;
    for (MemoryStep& step : steps_of(context_.device(gpu_), batch.operations)) {
      place_ = place;
      if (last != nullptr && place.in_graph) {
        place_.after = {{last, Dependence::Edge::kGraph}};
      }
      Work work;
      work.kind = step.passes ? WorkKind::kValueWait : WorkKind::kInstant;
      work.passes = std::move(step.passes);
      work.effect = std::move(step.effect);
      last = submit(std::move(work));
    }
    return last != nullptr ? last : (*this)(InstantOperation{});
  }

 private:
  WorkHandle submit(Work work) {
    work.place = std::move(place_);
    return context_.device(gpu_).queue().submit(std::move(work));
  }

  // A copy between GPUs if the memory is of two.
  void set_peer(const CopyOperation& copy, Work& work) {
    const DeviceMemory& memory = context_.device(gpu_).memory();
    const DeviceMemory::Allocation* const source = memory.find(copy.source.address);
    const DeviceMemory::Allocation* const target = memory.find(copy.target.address);
    const bool both = source != nullptr && target != nullptr && !source->managed && !target->managed;
    if (!both || source->gpu == target->gpu) {
      return;
    }
    const bool pushes = context_.device(source->gpu).memory().reaches(*target);
    const bool pulls = context_.device(target->gpu).memory().reaches(*source);
    work.kind = WorkKind::kToPeer;
    work.peer = {.from = source->gpu, .to = target->gpu, .staged = !pushes && !pulls};
  }

  Context& context_;
  std::uint32_t gpu_;
  WorkPlace place_;
};

}  // namespace

WorkHandle perform(Context& context, const Operation& operation, WorkPlace place) {
  return std::visit(Performer(context, std::move(place)), operation);
}

}  // namespace warpsim::cuda
