#include "cuda/device/timed_children.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim::cuda {
namespace {

using StreamKind = DeviceStream::Kind;

DeviceQueuesConfig times() {
  DeviceQueuesConfig config;
  config.device_launch_call_ns = 500;
  config.device_launch_thread_ns = 20;
  config.device_launch_ns = 400;
  config.device_launch_interval_ns = 50;
  return config;
}

struct Bench {
  struct Started {
    WorkHandle work;
    TimedChildren::Place place;
  };
  std::vector<Started> started;
  std::vector<TimedChildren::WarpWait> waits;
  WorkHandle parent = std::make_shared<WorkState>();
  // 1 GHz: a cycle is a nanosecond.
  KernelCalls calls{1000, [](Cycle cycle) { return static_cast<double>(cycle); }};
  TimedChildren children{times(), calls,
                         [this](const ChildExecutor::Work&, const TimedChildren::Place& place) {
                           started.push_back({std::make_shared<WorkState>(), place});
                           return started.back().work;
                         },
                         [this](const WorkHandle& grid, const TimedChildren::WarpWait& wait) {
                           CHECK(grid == parent);
                           waits.push_back(wait);
                         }};

  Bench() {
    children.set_most_pending(100);
    children.begin(1, 7);
    children.placed(1, parent);
  }
  int launch(StreamKind kind, std::uint64_t block = 0, std::uint32_t thread = 0, bool in_order = false) {
    DeviceLaunch work;
    work.parent = {1, block, thread};
    work.stream.kind = kind;
    return children.add(work, in_order);
  }
  std::vector<WorkHandle> after(std::size_t number) const {
    std::vector<WorkHandle> works;
    for (const Dependence& dependence : started.at(number).place.after) {
      works.push_back(dependence.work);
    }
    return works;
  }
};

using Works = std::vector<WorkHandle>;

TEST_CASE("A warp that waits for its block's work is held until that is over") {
  Bench bench;
  bench.children.set_sync_depth(2);
  const auto launch = [&bench](std::uint64_t block) {
    DeviceLaunch work;
    work.parent = {1, block, 0};
    work.interface = DeviceInterface::kFirst;
    return bench.children.add(work, false);
  };
  const DeviceThread thread{1, 3, 40};
  const DeviceThread same_warp{1, 3, 33};
  const DeviceThread other_warp{1, 3, 0};
  const auto end = [&bench](std::size_t number) {
    bench.started[number].work->over = true;
    bench.children.work_ended();
  };

  // Without work, and for work of another block, there is nothing to wait for.
  CHECK(launch(2) == kDeviceSuccess);
  CHECK(bench.children.synchronise(thread) == kDeviceSuccess);
  CHECK_FALSE(bench.children.awaits(thread));

  CHECK(launch(3) == kDeviceSuccess);
  CHECK(launch(3) == kDeviceSuccess);
  CHECK(bench.children.synchronise(thread) == kDeviceSuccess);
  CHECK(bench.children.synchronise(same_warp) == kDeviceSuccess);
  CHECK(bench.children.awaits(same_warp));
  CHECK_FALSE(bench.children.awaits(other_warp));
  REQUIRE(bench.waits.size() == 1);  // one for each warp
  CHECK(bench.waits[0].begins);
  CHECK(bench.waits[0].block == 3);
  CHECK(bench.waits[0].warp == 1);

  end(1);
  CHECK(bench.children.awaits(thread));
  end(0);  // of the other block
  CHECK(bench.children.awaits(thread));
  end(2);
  CHECK_FALSE(bench.children.awaits(thread));
  REQUIRE(bench.waits.size() == 2);
  CHECK_FALSE(bench.waits[1].begins);
  CHECK(bench.waits[1].warp == 1);
}

TEST_CASE("A kernel below the levels that may wait gets an error") {
  Bench bench;
  bench.children.set_sync_depth(0);
  bench.launch(StreamKind::kBlock);
  CHECK(bench.children.synchronise({1, 0, 0}) == kDeviceSyncDepthExceeded);
  CHECK_FALSE(bench.children.awaits({1, 0, 0}));
}

}  // namespace

TEST_CASE("Timed children: all launches of a warp's call start when the last of them has been taken") {
  Bench bench;
  bench.calls.set_time(1000);
  for (std::uint32_t thread = 0; thread < 3; ++thread) {
    CHECK(bench.launch(StreamKind::kFireAndForget, 0, thread) == kDeviceSuccess);
  }
  for (const Bench::Started& child : bench.started) {
    CHECK(child.work->submitted_ns == 1000 + 400 + 3 * 50);
    CHECK(child.place.parent == bench.parent);
    CHECK_FALSE(child.place.is_tail);
  }
  CHECK(bench.calls.ends_at(1000) == 1000 + 500 + 2 * 20);
  // Another warp's call at the same time waits until the device can take its launches.
  CHECK(bench.launch(StreamKind::kFireAndForget, 0, 32) == kDeviceSuccess);
  CHECK(bench.started[3].work->submitted_ns == 1000 + 150 + 400 + 50);
  CHECK(bench.calls.ends_at(1000) == 1500);
  CHECK(bench.calls.ends_at(2000) == 2000);
}

TEST_CASE("Timed children: work of one stream is done in order, that of others beside it") {
  Bench bench;
  bench.launch(StreamKind::kBlock, 0);
  bench.launch(StreamKind::kBlock, 1);
  bench.launch(StreamKind::kBlock, 0, 5);
  bench.launch(StreamKind::kThread, 0, 5);
  bench.launch(StreamKind::kFireAndForget, 0);
  bench.launch(StreamKind::kTail);
  bench.launch(StreamKind::kTail, 1);
  CHECK(bench.after(1).empty());
  CHECK(bench.after(2) == Works{bench.started[0].work});
  CHECK(bench.after(3).empty());
  CHECK(bench.after(4).empty());
  CHECK(bench.after(5).empty());
  CHECK(bench.started[5].place.is_tail);
  CHECK(bench.after(6) == Works{bench.started[5].work});
  Bench ordered;
  ordered.launch(StreamKind::kBlock, 0, 0, true);
  ordered.launch(StreamKind::kBlock, 1, 0, true);
  CHECK(ordered.after(1) == Works{ordered.started[0].work});
}

TEST_CASE("Timed children: launches count as pending until they are over") {
  Bench bench;
  bench.children.set_most_pending(2);
  CHECK(bench.launch(StreamKind::kBlock) == kDeviceSuccess);
  CHECK(bench.launch(StreamKind::kBlock) == kDeviceSuccess);
  CHECK(bench.launch(StreamKind::kBlock) == kDevicePendingCountExceeded);
  bench.children.work_ended();
  CHECK(bench.children.pending() == 1);
  CHECK(bench.launch(StreamKind::kBlock) == kDeviceSuccess);
}

TEST_CASE("Timed children: a block has work until it is over") {
  Bench bench;
  const DeviceThread thread{1, 0, 0};
  CHECK_FALSE(bench.children.has_work(thread));
  bench.launch(StreamKind::kBlock);
  CHECK(bench.children.has_work(thread));
  bench.started[0].work->over = true;
  CHECK_FALSE(bench.children.has_work(thread));
}

}  // namespace warpsim::cuda
