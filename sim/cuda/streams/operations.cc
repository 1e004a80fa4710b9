#include "cuda/streams/operations.h"

#include <utility>

#include "cuda/memory/managed_calls.h"
#include "cuda/streams/host_functions.h"

namespace warpsim::cuda {

namespace {

WorkKind kind_of(const CopyOperation& copy) {
  if (copy.target.on_device == copy.source.on_device) {
    return copy.target.on_device ? WorkKind::kInDevice : WorkKind::kInstant;
  }
  return copy.target.on_device ? WorkKind::kToDevice : WorkKind::kToHost;
}

// Whether it is rows of a device's memory that follow each other.
bool is_plain(const DeviceMemory& memory, const Box& box, const BoxSize& size) {
  const bool in_rows = size.depth == 1 || box.slice == box.pitch * size.height;
  return box.on_device && in_rows && memory.find(box.address) != nullptr;
}

// The device's memory that a copy or a fill touches, where it is plain. Null: the copy or fill has no such box.
MemoryRange range_of(const DeviceMemory& memory, const Box* target, const Box* source, const BoxSize& size) {
  const auto is_usable = [&](const Box* box) { return box == nullptr || is_plain(memory, *box, size); };
  MemoryRange range;
  if (!is_usable(target) || !is_usable(source)) {
    return range;
  }
  range.width = size.width;
  range.rows = size.height * size.depth;
  if (target != nullptr) {
    range.target = target->address;
    range.target_pitch = target->pitch;
  }
  if (source != nullptr) {
    range.source = source->address;
    range.source_pitch = source->pitch;
  }
  return range;
}

// The same of a copy between a GPU and the host, in memory that stays where it is.
MemoryRange host_range_of(const DeviceMemory& memory, std::uint32_t gpu, const CopyOperation& copy) {
  const bool to_device = copy.target.on_device;
  const DeviceMemory::Allocation* const there = memory.find((to_device ? copy.target : copy.source).address);
  if (there == nullptr || there->gpu != gpu || there->managed) {
    return {};
  }
  return range_of(memory, to_device ? &copy.target : nullptr, to_device ? nullptr : &copy.source, copy.size);
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
      work.range = range_of(device.memory(), &copy.target, &copy.source, copy.size);
      set_peer(copy, work);
    } else if (work.kind != WorkKind::kInstant) {
      work.range = host_range_of(device.memory(), gpu_, copy);
    }
    work.bytes = copy.size.bytes();
    work.prepare = [&device, copy] {
      return bring(device, copy.source.address, extent_of(copy.source, copy.size), false) +
             bring(device, copy.target.address, extent_of(copy.target, copy.size), true);
    };
    work.effect = [&device, copy, kind = work.kind] {
      move_bytes(copy.target, copy.source, copy.size);
      if (kind == WorkKind::kToDevice) {
        device.note_written(copy.target.address, extent_of(copy.target, copy.size));
        return;
      }
      // What a device reads or writes itself is in its L2 afterwards.
      for (const Box* const box : {&copy.source, &copy.target}) {
        if (box->on_device && kind != WorkKind::kToPeer) {
          device.note_touched(box->address, extent_of(*box, copy.size));
        }
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
    work.range = range_of(context_.device(gpu_).memory(), &fill.target, nullptr, fill.size);
    work.range.fills = true;
    work.effect = [&device = context_.device(gpu_), fill] {
      fill_bytes(fill.target, fill.fill, fill.size);
      device.note_touched(fill.target.address, extent_of(fill.target, fill.size));
    };
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
