#include "cuda/device/child_launches.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpsim::cuda {

namespace {

// Levels of grids in the first interface (CUDA's programming guide).
constexpr std::uint32_t kMostDepth = 24;

}  // namespace

void ChildLaunches::begin(std::uint64_t grid, ModuleId module) {
  grids_[grid] = {module, depth_, {}, {}};
}

std::uint64_t ChildLaunches::block_of(const Work& work) {
  return std::visit([](const auto& each) { return each.parent.block; }, work);
}

int ChildLaunches::add(Work work, bool /*in_order*/) {
  const auto [parent, kind, interface] =
      std::visit([](const auto& each) { return std::tuple(each.parent.grid, each.stream.kind, each.interface); }, work);
  Grid& grid = grids_.at(parent);
  const std::uint32_t depth = grid.depth + 1;
  if (interface == DeviceInterface::kFirst && depth > kMostDepth) {
    return kDeviceMaxDepthExceeded;
  }
  if (pending_ >= most_pending_) {
    return kDevicePendingCountExceeded;
  }
  ++pending_;
  (kind == DeviceStream::Kind::kTail ? grid.tails : grid.work).push_back({std::move(work), depth, false});
  return kDeviceSuccess;
}

bool ChildLaunches::has_work(const DeviceThread& thread) const {
  return std::ranges::any_of(grids_.at(thread.grid).work,
                             [&](const Item& item) { return block_of(item.work) == thread.block; });
}

int ChildLaunches::synchronise(const DeviceThread& thread) {
  Grid& grid = grids_.at(thread.grid);
  if (grid.depth >= sync_depth_) {
    return kDeviceSyncDepthExceeded;
  }
  const auto of_block = std::stable_partition(grid.work.begin(), grid.work.end(),
                                              [&](const Item& item) { return block_of(item.work) != thread.block; });
  std::vector<Item> items(std::make_move_iterator(of_block), std::make_move_iterator(grid.work.end()));
  grid.work.erase(of_block, grid.work.end());
  std::ranges::reverse(items);
  run_all(std::move(items));
  return kDeviceSuccess;
}

void ChildLaunches::complete(std::uint64_t grid) {
  std::vector<Item> items;
  put_work_of(grid, items);
  std::erase_if(items, [](const Item& item) { return item.ends_parent; });  // the host's grid is not pending
  run_all(std::move(items));
}

void ChildLaunches::abandon() {
  grids_.clear();
  depth_ = 0;
  pending_ = 0;
}

void ChildLaunches::run_all(std::vector<Item> items) {
  while (!items.empty()) {
    const Item item = std::move(items.back());
    items.pop_back();
    if (item.ends_parent) {
      --pending_;
      continue;
    }
    depth_ = item.depth;
    const std::uint64_t grid = run_(item.work);
    depth_ = 0;
    if (grid == 0) {
      --pending_;
    } else {
      put_work_of(grid, items);
    }
  }
}

// A grid no longer counts as pending when all but its tail launches is complete: these take its place.
void ChildLaunches::put_work_of(std::uint64_t number, std::vector<Item>& items) {
  const auto grid = grids_.find(number);
  const auto put = [&items](std::vector<Item>& more) {
    std::move(more.rbegin(), more.rend(), std::back_inserter(items));
  };
  put(grid->second.tails);
  items.push_back({{}, 0, true});
  put(grid->second.work);
  grids_.erase(grid);
}

}  // namespace warpsim::cuda
