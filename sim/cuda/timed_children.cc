#include "cuda/timed_children.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpsim::cuda {

namespace {

// Levels of grids in the first interface (CUDA's programming guide).
constexpr std::uint32_t kMostDepth = 24;
constexpr double kNsPerUs = 1e3;

std::uint64_t owner_of(const DeviceStream& stream, const DeviceThread& thread) {
  constexpr std::uint32_t kThreadBits = 16;
  switch (stream.kind) {
    case DeviceStream::Kind::kBlock:
      return thread.block;
    case DeviceStream::Kind::kThread:
      return thread.block << kThreadBits | thread.thread;
    case DeviceStream::Kind::kCreated:
      return stream.handle;
    default:
      return 0;
  }
}

}  // namespace

TimedChildren::TimedChildren(const DeviceQueuesConfig& times, double core_mhz, Actions actions)
    : times_(times), cycles_per_ns_(core_mhz / kNsPerUs), actions_(std::move(actions)) {}

void TimedChildren::begin(std::uint64_t grid, ModuleId module) {
  grids_[grid].module = module;
  grids_[grid].depth = depth_;
}

TimedChildren::Call& TimedChildren::call_of(const DeviceThread& thread) {
  const std::uint32_t warp = thread.thread / kWarpSize;
  if (call_.at != now_ || call_.grid != thread.grid || call_.block != thread.block || call_.warp != warp) {
    const double now_ns = actions_.time_of(now_);
    call_ = {thread.grid, thread.block, warp, now_, std::max(now_ns, free_ns_), {}};
  }
  return call_;
}

double TimedChildren::launched_ns(std::size_t launches) const {
  return call_.begin_ns + times_.device_launch_ns + static_cast<double>(launches) * times_.device_launch_interval_ns;
}

int TimedChildren::add(Work work, bool in_order) {
  const auto [thread, stream, interface] =
      std::visit([](const auto& each) { return std::tuple(each.parent, each.stream, each.interface); }, work);
  Grid& grid = grids_.at(thread.grid);
  if (interface == DeviceInterface::kFirst && grid.depth + 1 > kMostDepth) {
    return kDeviceMaxDepthExceeded;
  }
  if (pending_ >= most_pending_) {
    return kDevicePendingCountExceeded;
  }
  ++pending_;
  Call& call = call_of(thread);
  const std::size_t launches = call.works.size() + 1;
  Place place;
  place.parent = grid.work;
  place.is_tail = stream.kind == DeviceStream::Kind::kTail;
  place.launched_ns = launched_ns(launches);
  WorkHandle* last = nullptr;
  if (stream.kind != DeviceStream::Kind::kFireAndForget) {
    const bool one_order = in_order && !place.is_tail;
    last = &grid.last[one_order ? Key{DeviceStream::Kind::kBlock, ~std::uint64_t{0}}
                                : Key{stream.kind, owner_of(stream, thread)}];
    if (*last != nullptr) {
      place.after.push_back({*last});
    }
  }
  depth_ = grid.depth + 1;
  WorkHandle state = actions_.start(work, place);
  depth_ = 0;
  if (state == nullptr) {  // it is skipped
    --pending_;
    return kDeviceSuccess;
  }
  if (last != nullptr) {
    *last = state;
  }
  call.works.push_back(state);
  for (const WorkHandle& other : call.works) {
    other->submitted_ns = place.launched_ns;
  }
  free_ns_ = call.begin_ns + static_cast<double>(launches) * times_.device_launch_interval_ns;
  const double call_ns =
      times_.device_launch_call_ns + static_cast<double>(launches - 1) * times_.device_launch_thread_ns;
  call_ends_ns_ = std::max(actions_.time_of(now_) + call_ns, free_ns_);
  return kDeviceSuccess;
}

Cycle TimedChildren::call_ends_at(Cycle now) const {
  const double left_ns = call_ends_ns_ - actions_.time_of(now);
  return left_ns <= 0 ? now : now + static_cast<Cycle>(std::llround(left_ns * cycles_per_ns_));
}

int TimedChildren::synchronise(const DeviceThread& /*thread*/) {
  return kDeviceSuccess;  // only without work
}

bool TimedChildren::has_work(const DeviceThread& thread) const {
  return std::ranges::any_of(grids_.at(thread.grid).last, [](const auto& entry) { return !is_over(entry.second); });
}

void TimedChildren::abandon() {
  grids_.clear();
  pending_ = 0;
  call_ = {};
}

}  // namespace warpsim::cuda
