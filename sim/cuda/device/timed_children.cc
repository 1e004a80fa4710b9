#include "cuda/device/timed_children.h"

#include <algorithm>
#include <utility>

namespace warpsim::cuda {

namespace {

// Levels of grids in the first interface (CUDA's programming guide).
constexpr std::uint32_t kMostDepth = 24;

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

TimedChildren::TimedChildren(const DeviceQueuesConfig& times, KernelCalls& calls, Start start, Report report)
    : times_{.call_ns = times.device_launch_call_ns,
             .thread_ns = times.device_launch_thread_ns,
             .start_ns = times.device_launch_ns + times.device_launch_interval_ns,
             .interval_ns = times.device_launch_interval_ns},
      calls_(calls),
      start_(std::move(start)),
      report_(std::move(report)) {}

void TimedChildren::begin(std::uint64_t grid, ModuleId module) {
  grids_[grid].module = module;
  grids_[grid].depth = depth_;
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
  Place place;
  place.parent = grid.work;
  place.is_tail = stream.kind == DeviceStream::Kind::kTail;
  place.launched_ns = calls_.add(thread, times_);
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
  WorkHandle state = start_(work, place);
  depth_ = 0;
  if (state == nullptr) {  // it is skipped
    --pending_;
    return kDeviceSuccess;
  }
  if (last != nullptr) {
    *last = state;
  }
  if (interface == DeviceInterface::kFirst) {
    grid.of_blocks[thread.block].push_back(state);
  }
  // All launches of a call become known to the device together.
  calls_.note(state);
  for (const WorkHandle& other : calls_.works()) {
    other->submitted_ns = place.launched_ns;
  }
  return kDeviceSuccess;
}

int TimedChildren::synchronise(const DeviceThread& thread) {
  Grid& grid = grids_.at(thread.grid);
  if (grid.depth >= sync_depth_) {
    return kDeviceSyncDepthExceeded;
  }
  std::vector<WorkHandle>& works = grid.of_blocks[thread.block];
  std::erase_if(works, is_over);
  if (works.empty()) {
    return kDeviceSuccess;
  }
  const auto [wait, begins] = waits_.try_emplace(warp_of(thread), works);
  if (begins) {
    report_(grid.work, {thread.block, thread.thread / kWarpSize, true});
  } else {
    wait->second = works;  // of all threads of the warp
  }
  return kDeviceSuccess;
}

void TimedChildren::work_ended() {
  --pending_;
  for (auto wait = waits_.begin(); wait != waits_.end();) {
    std::erase_if(wait->second, is_over);
    if (!wait->second.empty()) {
      ++wait;
      continue;
    }
    const auto [grid, block, warp] = wait->first;
    wait = waits_.erase(wait);
    report_(grids_.at(grid).work, {block, warp, false});
  }
}

bool TimedChildren::has_work(const DeviceThread& thread) const {
  return std::ranges::any_of(grids_.at(thread.grid).last, [](const auto& entry) { return !is_over(entry.second); });
}

void TimedChildren::abandon() {
  grids_.clear();
  waits_.clear();
  pending_ = 0;
}

}  // namespace warpsim::cuda
