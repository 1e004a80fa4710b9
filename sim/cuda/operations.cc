#include "cuda/operations.h"

#include <utility>

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
  Performer(Context& context, WorkPlace place) : context_(context), place_(std::move(place)) {}

  WorkHandle operator()(const LaunchOperation& operation) {
    Launch launch = operation.launch;
    launch.parameters = operation.parameters;
    place_.reports_begin = place_.reports_begin || launch.place.reports_begin;
    launch.place = std::move(place_);
    WorkHandle work;
    const Outcome outcome = context_.device().launch(context_.info_id(*operation.kernel), launch, &work);
    for (const std::string& finding : context_.device().take_findings()) {
      context_.say_once(finding);
    }
    context_.check(outcome);
    return work;
  }

  WorkHandle operator()(const CopyOperation& copy) {
    Device& device = context_.device();
    Work work;
    work.kind = kind_of(copy);
    work.bytes = copy.size.bytes();
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
    work.effect = [fill] { fill_bytes(fill.target, fill.fill, fill.size); };
    return submit(std::move(work));
  }

  WorkHandle operator()(const HostOperation& host) {
    Work work;
    work.kind = WorkKind::kHostFunction;
    work.effect = [&context = context_, host] {
      context.flush_printed();
      host.function();
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
    for (MemoryStep& step : steps_of(context_.device(), batch.operations)) {
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
    return context_.device().queue().submit(std::move(work));
  }

  Context& context_;
  WorkPlace place_;
};

}  // namespace

WorkHandle perform(Context& context, const Operation& operation, WorkPlace place) {
  return std::visit(Performer(context, std::move(place)), operation);
}

}  // namespace warpsim::cuda
